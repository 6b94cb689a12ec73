import Determinism
import HTTPMessages
import JOSE
import JSON
import MockAuthority
import TenantFiles
import TrustFramework

/// The tenant's key sets, and the routes of Microsoft Graph that read and change them (Microsoft docs:
/// resources/trustframeworkkeyset).
///
/// They begin as the `policyKeys` of the tenant file and the other sets that its policies refer to: a set with one key
/// without dates for each. Sign-ins see what ``policyKeys(at:)`` says. What Graph writes is kept in memory only.
package struct KeySetDirectory: GraphManagementRoutes {
    /// The service puts it before the name of each set.
    static let prefix = "B2C_1A_"

    private(set) var sets: [KeyContainer] = []
    /// Sets that were deleted: a policy that refers to one of them fails.
    private var deleted: [String] = []
    /// Grows with every change of a key set.
    package private(set) var revision = 0
    private var tenant: Tenant
    private var random: SeededGenerator
    /// How many keys were generated: part of the names of test keys.
    private var generated = 0

    /// - Parameters:
    ///   - tenant: The tenant of the file.
    ///   - references: The keys that its policies refer to: a tenant that serves them has these sets.
    package init(tenant: Tenant, references: [CryptographicKeyElement] = [], seed: SeededGenerator) {
        self.tenant = tenant
        random = seed.stream("graph/keys")
        for settings in tenant.policyKeys { sets.append(container(of: settings)) }
        for key in references where place(of: key.storageReferenceID) == nil {
            let settings = PolicyKeySettings { $0.name = key.storageReferenceID }
            sets.append(container(of: settings, isSecret: !Self.fileElements.contains(key.id.lowercased())))
        }
    }

    /// Goes on with a changed tenant file. Sets whose entry in it has not changed keep what Graph wrote.
    package mutating func configure(tenant changed: Tenant) {
        let before = tenant.policyKeys
        tenant = changed
        guard before != changed.policyKeys else { return }
        for settings in changed.policyKeys where !before.contains(settings) {
            let made = container(of: settings)
            if let place = place(of: settings.name) { sets[place] = made } else { sets.append(made) }
            deleted.removeAll { Self.isSame($0, settings.name) }
        }
        for old in before where !changed.policyKeys.contains(where: { Self.isSame($0.name, old.name) }) {
            if let place = place(of: old.name) { sets.remove(at: place) }
        }
        revision += 1
    }

    /// Ids of all sets.
    package var ids: Set<String> { Set(sets.map(\.id)) }

    /// What sign-ins at an instant see of the key sets. A set without an active key is among them, and not active.
    package func policyKeys(at now: Timestamp) -> [PolicyKeySettings] {
        guard revision > 0 else { return tenant.policyKeys }
        let missing = deleted.map { id in
            PolicyKeySettings {
                $0.name = id
                $0.isActive = false
            }
        }
        return sets.map { $0.settings(at: now.secondsSinceEpoch) } + missing
    }

    /// When ``policyKeys(at:)`` changes by itself next, because a key becomes active or expires; `nil`: never.
    package func nextChange(after now: Timestamp) -> Timestamp? {
        let keys = sets.filter { $0.source == nil }.flatMap(\.keys)
        return keys.flatMap { [$0.activates, $0.expires] }.compactMap { $0 }.filter { $0 > now.secondsSinceEpoch }.min()
            .map { Timestamp(seconds: $0) }
    }

    // MARK: Routes

    package mutating func answer(
        _ request: GraphManagementRequest, _ rights: GraphManagementRights, at now: Timestamp
    ) throws(GraphFault) -> GraphManagementAnswer? {
        let words = request.words
        guard words.count >= 2, words[0] == "trustframework", words[1] == "keysets" else { return nil }
        guard request.version == "beta" else {
            throw .noSuchSegment("key sets are in the beta version of Graph alone")
        }
        switch (request.method, words.count) {
        case ("GET", 2):
            try rights.need(Self.reading)
            let rows = sets.map { JSONValue.object($0.json) }
            return .init(
                200, .json(["@odata.context": request.context("trustFramework/keySets"), "value": .array(rows)]))
        case ("POST", 2):
            try rights.need(Self.writing)
            return try create(request)
        case (_, 2): throw .methods("GET, POST", request)
        case (_, 3): return try answerSet(request, rights)
        case (_, 4): return try answerAction(words[3], request, rights, at: now)
        case (_, 5) where words[3] == "keys_v2": return try answerKey(request, rights)
        default: throw .notSimulated("\(request.method) \(request.message.url.path)")
        }
    }

    private static let reading: [GraphPermissionName] = [
        .trustFrameworkKeySetReadAll, .trustFrameworkKeySetReadWriteAll,
    ]
    private static let writing: [GraphPermissionName] = [.trustFrameworkKeySetReadWriteAll]

    private mutating func create(_ request: GraphManagementRequest) throws(GraphFault) -> GraphManagementAnswer {
        let body = try KeyRequestBody(request, tenant: tenant.domain)
        let name = try body.required("id")
        guard name.utf8.allSatisfy({ Self.isPartOfName($0) }) else {
            throw .badKey("the id has other characters than letters, digits, _, - and .")
        }
        // The form with a key in the body is documented, and the service refuses it (msgraph-beta-sdk-dotnet#885).
        guard body.members["keys"]?.arrayValue?.isEmpty ?? true else {
            throw .badKey("create the key set empty, then generate or upload its keys")
        }
        let id = name.lowercased().hasPrefix(Self.prefix.lowercased()) ? name : Self.prefix + name
        guard place(of: id) == nil else {
            throw .keySetExists(id, status: tenant.authority.keySetExistsStatus)
        }
        let made = KeyContainer(id: id)
        sets.append(made)
        deleted.removeAll { Self.isSame($0, id) }
        revision += 1
        return .init(
            201, .json(document(made, request)),
            fields: [HeaderField(name: "Location", value: "/trustFramework/keySets('\(id)')")])
    }

    private mutating func answerSet(
        _ request: GraphManagementRequest, _ rights: GraphManagementRights
    ) throws(GraphFault) -> GraphManagementAnswer {
        switch request.method {
        case "GET":
            try rights.need(Self.reading)
            return .init(200, .json(document(sets[try existing(request)], request)))
        case "PUT":
            try rights.need(Self.writing)
            let place = try existing(request, status: 400)
            let keys = try replacement(request)
            try change(place) { $0.keys = keys }
            return .init(200, .json(document(sets[place], request)))
        case "DELETE":
            try rights.need(Self.writing)
            deleted.append(sets.remove(at: try existing(request)).id)
            revision += 1
            return .init(204)
        default: throw .methods("GET, PUT, DELETE", request)
        }
    }

    private mutating func answerAction(
        _ word: String, _ request: GraphManagementRequest, _ rights: GraphManagementRights, at now: Timestamp
    ) throws(GraphFault) -> GraphManagementAnswer {
        // Actions and functions may be called by their full names (OData).
        let name = word.hasPrefix("microsoft.graph.") ? String(word.dropFirst("microsoft.graph.".count)) : word
        if name.replacing("()", with: "") == "getactivekey" {
            guard request.method == "GET" else { throw .methods("GET", request) }
            try rights.need(Self.reading)
            let set = sets[try existing(request)]
            guard let key = set.active(at: now.secondsSinceEpoch) else {
                throw .noActiveKey(set.id, tenant: tenant.domain)
            }
            return answer(key.json, request)
        }
        guard ["generatekey", "uploadsecret", "uploadpkcs12", "uploadcertificate"].contains(name) else {
            throw .notSimulated("\(request.method) \(request.message.url.path)")
        }
        guard request.method == "POST" else { throw .methods("POST", request) }
        try rights.need(Self.writing)
        let place = try existing(request, status: 400)
        let body = try KeyRequestBody(request, tenant: tenant.domain)
        let key: KeyContainer.Key =
            switch name {
            case "generatekey": try generate(body, in: sets[place])
            case "uploadsecret": try secret(body, kind: "oct")
            case "uploadpkcs12": try pkcs12(body, in: sets[place], at: now)
            default: try certificate(body, in: sets[place])
            }
        try change(place) { $0.keys.append(key) }
        var document = key.json
        // The documents show the type in capitals here alone.
        if name == "uploadsecret" { document["kty"] = "OCT" }
        return answer(document, request)
    }

    private mutating func answerKey(
        _ request: GraphManagementRequest, _ rights: GraphManagementRights
    ) throws(GraphFault) -> GraphManagementAnswer {
        guard ["GET", "PATCH"].contains(request.method) else { throw .methods("GET, PATCH", request) }
        // Reading needs the permission to write too (Microsoft docs: trustframeworkkey_v2-get).
        try rights.need(Self.writing)
        let place = try existing(request)
        let kid = request.path[4]
        guard let index = sets[place].keys.firstIndex(where: { sameText($0.kid, kid) }) else {
            throw .noKey(kid, in: sets[place].id)
        }
        guard request.method == "PATCH" else { return answer(sets[place].keys[index].json, request) }
        let body = try KeyRequestBody(request, tenant: tenant.domain)
        if let other = body.members.keys.first(where: { $0 != "status" && !$0.hasPrefix("@odata.") }) {
            throw .badKey("\(other) cannot be changed: only status can")
        }
        let status = try body.required("status")
        guard ["enabled", "disabled"].contains(status) else { throw .badKey("status is enabled or disabled") }
        try change(place) { $0.keys[index].isEnabled = status == "enabled" }
        return .init(204)
    }

    // MARK: Keys

    private mutating func generate(
        _ body: KeyRequestBody, in set: KeyContainer
    ) throws(GraphFault) -> KeyContainer.Key {
        let use = try body.use()
        var key: KeyContainer.Key
        if try body.kind(ifMissing: .missingKeyType) == "RSA" {
            key = testKey(use: use, in: set)
        } else {
            key = KeyContainer.Key(
                kid: drawID(), use: use, material: .secret(Base64URL.encode(random.bytes(32))))
        }
        key.activates = try body.time("nbf")
        key.expires = try body.time("exp")
        return key
    }

    /// - Parameter kind: The only one that the body may name.
    private mutating func secret(_ body: KeyRequestBody, kind: String) throws(GraphFault) -> KeyContainer.Key {
        let use = try body.use()
        if let kty = try body.text("kty"), kty.lowercased() != kind { throw .badKeyType(kty) }
        return KeyContainer.Key(
            kid: drawID(), use: use, material: .secret(try body.required("k")), activates: try body.time("nbf"),
            expires: try body.time("exp"))
    }

    /// The file is not opened: its password is checked, and a test key with a certificate of its own takes the place of
    /// the key in it.
    private mutating func pkcs12(
        _ body: KeyRequestBody, in set: KeyContainer, at now: Timestamp
    ) throws(GraphFault) -> KeyContainer.Key {
        let file = try body.file()
        let password = try body.required("password")
        switch PKCS12.check(file, password: password) {
        case .wrongPassword: throw .wrongCertificatePassword
        case .malformed: throw .badKey("key is not a PKCS #12 file")
        case .rightPassword, .unchecked: break
        }
        var key = testKey(use: set.keys.first?.use ?? "sig", in: set)
        if let name = key.keyName {
            let der = SelfSignedCertificate.make(TestKeys.named(name), commonName: set.id, from: now)
            key.certificate = Base64.encode(der)
            key.thumbprint = Base64URL.encode(SHA1.hash(der))
        }
        return key
    }

    private mutating func certificate(
        _ body: KeyRequestBody, in set: KeyContainer
    ) throws(GraphFault) -> KeyContainer.Key {
        let file = try body.file()
        let der = PEM.read(String(decoding: file, as: UTF8.self))?.bytes ?? file
        guard let certificate = Certificate(der: der) else { throw .badKey("key is not an X.509 certificate") }
        guard let numbers = DER.numbers(publicKey: certificate.publicKey) else { throw .incompleteRSAKey }
        return KeyContainer.Key(
            kid: drawID(), use: set.keys.first?.use ?? "sig", material: .certificate,
            activates: certificate.notBefore.secondsSinceEpoch, expires: certificate.notAfter.secondsSinceEpoch,
            modulus: Base64URL.encode(numbers.modulus), exponent: Base64URL.encode(numbers.exponent),
            certificate: Base64.encode(der), thumbprint: Base64URL.encode(SHA1.hash(der)))
    }

    /// The keys of a PUT, which replace all keys of the set (Microsoft docs: trustframeworkkeyset-update).
    private mutating func replacement(_ request: GraphManagementRequest) throws(GraphFault) -> [KeyContainer.Key] {
        let body = try KeyRequestBody(request, tenant: tenant.domain)
        guard let list = body.members["keys"]?.arrayValue else { throw .missingKeyParameter("keys") }
        var made = KeyContainer(id: request.path[2])
        for item in list {
            guard let object = item.objectValue else { throw .badKey("a key is not a JSON object") }
            let jwk = KeyRequestBody(object)
            if try jwk.text("kid") != nil { throw .keyHasIdentifier }
            var key: KeyContainer.Key
            if try jwk.kind(ifMissing: .missingEntityKeyType) == "RSA" {
                guard try jwk.text("n") != nil, try jwk.text("e") != nil else { throw .incompleteRSAKey }
                key = testKey(use: try jwk.use(), in: made)
                key.activates = try jwk.time("nbf")
                key.expires = try jwk.time("exp")
            } else {
                key = try secret(jwk, kind: "oct")
                guard case .secret(let text) = key.material, let bytes = Base64URL.decode(text) else {
                    throw .keyIsNotBase64URL
                }
                key.material = .secret(String(decoding: bytes, as: UTF8.self))
            }
            key.isEnabled = try jwk.text("status") != "disabled"
            made.keys.append(key)
        }
        return made.keys
    }

    /// One of the test keys, which no other key of the set is as long as there are others.
    private mutating func testKey(use: String, in set: KeyContainer) -> KeyContainer.Key {
        var name = ""
        for _ in 0..<(8 * TestKeys.count) {
            generated += 1
            name = "\(set.id)/\(generated)"
            let kid = TestKeys.named(name).kid
            if !set.keys.contains(where: { $0.kid == kid }) { break }
        }
        let key = TestKeys.named(name)
        let isTaken = set.keys.contains { $0.kid == key.kid }
        return KeyContainer.Key(
            kid: isTaken ? drawID() : key.kid, use: use, material: .key(name), modulus: key.jwk.n,
            exponent: key.jwk.e)
    }

    private mutating func drawID() -> String { Base64URL.encode(random.bytes(32)) }

    /// The set of a `policyKeys` entry. The file does not say what a key is for; the starter pack's name of the set for
    /// encryption does.
    /// Elements whose key is an RSA key or a certificate; that of the others, such as secrets of providers and keys of APIs,
    /// is a text (Microsoft docs: policy-keys-overview and the pages of technical profiles).
    private static let fileElements: Set<String> = [
        "issuer_secret", "issuer_refresh_token_key", "assertion_signing_key", "clientcertificate", "samlmessagesigning",
        "samlassertionsigning", "samlassertiondecryption", "metadatasigning",
    ]

    private mutating func container(of settings: PolicyKeySettings, isSecret: Bool = false) -> KeyContainer {
        let use = settings.name.lowercased().contains("encryption") ? "enc" : "sig"
        var key: KeyContainer.Key
        if let secret = settings.secret ?? (isSecret ? "secret of \(settings.name)" : nil) {
            key = KeyContainer.Key(kid: drawID(), use: use, material: .secret(secret))
        } else {
            let known = TestKeys.named(settings.key ?? settings.certificate ?? settings.name)
            key = KeyContainer.Key(kid: known.kid, use: use, material: .key(known.name))
            key.modulus = known.jwk.n
            key.exponent = known.jwk.e
        }
        return KeyContainer(id: settings.name, keys: [key], source: settings)
    }

    // MARK: Sets

    /// Writes to a set, unless its keys would differ in type or use.
    private mutating func change(_ place: Int, _ write: (inout KeyContainer) -> Void) throws(GraphFault) {
        var set = sets[place]
        write(&set)
        guard Set(set.keys.map(\.kind)).count <= 1 else { throw .mixedKeyTypes }
        guard Set(set.keys.map(\.use)).count <= 1 else { throw .mixedKeyUses }
        set.source = nil
        sets[place] = set
        revision += 1
    }

    private func place(of id: String) -> Int? { sets.firstIndex { Self.isSame($0.id, id) } }

    /// - Parameter status: The status of the refusal if the set does not exist.
    private func existing(_ request: GraphManagementRequest, status: Int = 404) throws(GraphFault) -> Int {
        let id = request.path[2]
        guard let place = place(of: id) else { throw .noKeySet(id, tenant: tenant.domain, status: status) }
        return place
    }

    /// Whether two ids mean one set: with or without the prefix, in any letter case.
    private static func isSame(_ one: String, _ other: String) -> Bool { bare(one) == bare(other) }

    private static func bare(_ id: String) -> String {
        let id = id.lowercased()
        return id.hasPrefix(prefix.lowercased()) ? String(id.dropFirst(prefix.count)) : id
    }

    private static func isPartOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    // MARK: Documents

    private func document(_ set: KeyContainer, _ request: GraphManagementRequest) -> JSONObject {
        JSONObject(
            [("@odata.context", request.context("trustFramework/keySets/$entity"))]
                + set.json.members.map { ($0.key, $0.value) })
    }

    private func answer(_ key: JSONObject, _ request: GraphManagementRequest) -> GraphManagementAnswer {
        let context = request.context("microsoft.graph.trustFrameworkKey")
        return .init(200, .json(JSONObject([("@odata.context", context)] + key.members.map { ($0.key, $0.value) })))
    }
}

extension GraphFault {
    /// - Parameter allowed: The methods that the address takes.
    static func methods(_ allowed: String, _ request: GraphManagementRequest) -> GraphFault {
        GraphFault(
            405, "Request_BadRequest", "Specified HTTP method is not allowed for the request target.",
            why: "\(request.message.url.path) takes \(allowed)")
    }
}
