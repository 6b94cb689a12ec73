import AuthorityHosting
import Determinism
import HTTPMessages
import JOSE
import JSON
import MockAuthority
import TenantFiles
import TestSupport
import Testing
import TrustFramework

/// The key sets of Microsoft Graph.
@Suite struct KeySetDirectoryTests {
    private static let now = Timestamp(rfc3339: "2026-11-30T12:00:00Z") ?? Timestamp(seconds: 0)
    private static let second = now.secondsSinceEpoch
    private static let file: JSONValue = [
        "name": "contoso",
        "policyKeys": [
            "B2C_1A_Signing": ["key": "k2"], "B2C_1A_TokenEncryptionKeyContainer": ["key": "k3"],
            "B2C_1A_Rest": ["secret": "s3cret"],
        ],
    ]
    private static let all = ["TrustFrameworkKeySet.ReadWrite.All"]
    private static let one: JSONValue = ["id": "One"]

    /// What Graph answers: a refusal has its code in the body.
    private struct Answer {
        var status: Int
        var json: JSONValue
        var headers: [HeaderField] = []

        var code: String? { json["code"]?.stringValue }
    }

    private struct World {
        var keys: KeySetDirectory
        var now = KeySetDirectoryTests.now

        init(_ patch: JSONValue = [:], references: [CryptographicKeyElement] = []) throws {
            keys = KeySetDirectory(
                tenant: try tenant(KeySetDirectoryTests.file.merging(patch: patch)), references: references,
                seed: SeededGenerator(seed: 1))
        }

        @discardableResult
        mutating func send(
            _ method: String, _ path: String, _ body: JSONValue? = nil, version: String = "beta",
            permissions: [String] = KeySetDirectoryTests.all
        ) throws -> Answer {
            let address = try url("https://graph.microsoft.com/\(version)/trustFramework/keySets\(path)")
            var message = RequestMessage(method: method, url: address)
            message.body = body.map { JSONWriter.compactBytes($0) } ?? []
            if body != nil { message.headers["Content-Type"] = "application/json" }
            let request = try #require(GraphManagementRequest(message))
            let rights = GraphManagementRights(["roles": .array(permissions.map { .string($0) })])
            do throws(GraphFault) {
                guard let answer = try keys.answer(request, rights, at: now) else {
                    return Answer(status: 0, json: .null)
                }
                guard case .json(let object) = answer.body else {
                    return Answer(status: answer.status, json: .null, headers: answer.fields)
                }
                return Answer(status: answer.status, json: .object(object), headers: answer.fields)
            } catch {
                return Answer(
                    status: error.status, json: ["code": .string(error.code), "message": .string(error.message)])
            }
        }

        /// What sign-ins see of a set.
        func seen(_ id: String) -> PolicyKeySettings? { keys.policyKeys(at: now).first { $0.name == id } }
    }

    // MARK: The tenant file

    @Test(arguments: [
        ("Linking", "B2C_1A_GitlikeSecret", "oct"), ("OwnMail", "B2C_1A_MailKey", "oct"),
        ("OAuthError", "B2C_1A_TokenSigningKeyContainer", "RSA"),
    ])
    func `a set that only a policy names has a key of the kind that the element needs`(
        _ policy: String, _ set: String, _ kind: String
    ) throws {
        let document = try PolicyReader.read(
            file: policy, bytes: try TestFiles.bytes("scenarios/policies/\(policy).xml"),
            tenantDomain: "contoso.onmicrosoft.com")
        let references = document.claimsProviders.flatMap(\.technicalProfiles).flatMap(\.cryptographicKeys)
        var world = try World(references: references)
        let keys = try world.send("GET", "/\(set)").json["keys"]?.arrayValue
        #expect(keys?.map { $0["kty"]?.stringValue } == [kind])
    }

    @Test func `the sets of the tenant file have one key each`() throws {
        var world = try World()
        let answer = try world.send("GET", "")
        #expect(answer.status == 200)
        #expect(
            answer.json["@odata.context"] == "https://graph.microsoft.com/beta/$metadata#trustFramework/keySets")
        let sets = try #require(answer.json["value"]?.arrayValue)
        #expect(
            sets.map { $0["id"]?.stringValue }
                == ["B2C_1A_Signing", "B2C_1A_TokenEncryptionKeyContainer", "B2C_1A_Rest"])
        let keys = sets.compactMap { $0["keys"]?.arrayValue?.first }
        #expect(keys.map { $0["kty"] } == ["RSA", "RSA", "oct"])
        #expect(keys.map { $0["use"] } == ["sig", "enc", "sig"])
        #expect(keys.allSatisfy { $0["status"] == "enabled" && $0["nbf"] == nil && $0["exp"] == nil })
        #expect(keys[0]["kid"]?.stringValue == TestKeys.named("k2").kid)
        #expect(keys[0]["n"]?.stringValue == TestKeys.named("k2").jwk.n)
        #expect(!answer.json.description.contains("s3cret"))
        #expect(world.keys.ids == ["B2C_1A_Signing", "B2C_1A_TokenEncryptionKeyContainer", "B2C_1A_Rest"])
        #expect(world.keys.revision == 0)
        #expect(world.keys.policyKeys(at: world.now) == (try tenant(Self.file)).policyKeys)
    }

    @Test func `a changed tenant file changes its sets alone`() throws {
        var world = try World()
        try world.send("POST", "", Self.one)
        try world.send("POST", "/B2C_1A_Rest/uploadSecret", ["use": "sig", "k": "newer", "nbf": 1])
        let patch: JSONValue = ["policyKeys": ["B2C_1A_Signing": ["key": "k4"], "B2C_1A_New": ["secret": "n"]]]
        world.keys.configure(tenant: try tenant(Self.file.merging(patch: patch)))
        #expect(world.seen("B2C_1A_Signing")?.key == "k4")
        #expect(world.seen("B2C_1A_New")?.secret == "n")
        #expect(world.seen("B2C_1A_Rest")?.secret == "newer")
        #expect(world.keys.ids.contains("B2C_1A_One"))
        world.keys.configure(tenant: try tenant(["name": "contoso"]))
        #expect(world.keys.ids == ["B2C_1A_One"])
    }

    // MARK: Sets

    @Test(arguments: ["Made", "B2C_1A_Made", "b2c_1a_Made"])
    func `a set is created under a name with the prefix`(_ name: String) throws {
        var world = try World()
        let answer = try world.send("POST", "", ["id": .string(name), "keys": []])
        #expect(answer.status == 201)
        let id = try #require(answer.json["id"]?.stringValue)
        #expect(id.lowercased() == "b2c_1a_made")
        #expect(answer.json["keys"] == [])
        #expect(answer.headers == [HeaderField(name: "Location", value: "/trustFramework/keySets('\(id)')")])
        for path in ["/\(id)", "('\(id)')", "/Made", "('B2C_1A_MADE')"] {
            #expect(try world.send("GET", path).json["id"]?.stringValue == id, "\(path)")
        }
    }

    @Test func `a set that exists is not created again`() throws {
        var world = try World()
        let answer = try world.send("POST", "", ["id": "rest"])
        #expect(answer.status == 409 && answer.code == "AADB2C95028")
        #expect(
            answer.json["message"]
                == "Can't create trustframework key set with name 'B2C_1A_rest' because it already exists.")
        world = try World(["authority": ["keySetExistsStatus": 400]])
        #expect(try world.send("POST", "", ["id": "rest"]).status == 400)
    }

    @Test func `a deleted set is gone, and policies that need it fail`() throws {
        var world = try World()
        #expect(try world.send("DELETE", "/B2C_1A_Rest").status == 204)
        #expect(try world.send("GET", "/B2C_1A_Rest").status == 404)
        #expect(try world.send("DELETE", "/B2C_1A_Rest").status == 404)
        #expect(world.seen("B2C_1A_Rest")?.isActive == false)
        try world.send("POST", "", ["id": "Rest"])
        try world.send("POST", "/B2C_1A_Rest/uploadSecret", ["use": "sig", "k": "again"])
        #expect(world.keys.policyKeys(at: world.now).filter { $0.name == "B2C_1A_Rest" }.map(\.secret) == ["again"])
    }

    // MARK: Keys

    @Test func `a generated key signs`() throws {
        var world = try World()
        try world.send("POST", "", Self.one)
        let answer = try world.send(
            "POST", "('B2C_1A_One')/generateKey", ["use": "sig", "kty": "RSA", "nbf": "1000", "exp": 4_000_000_000])
        #expect(answer.status == 200)
        #expect(answer.json["kty"] == "RSA" && answer.json["use"] == "sig")
        #expect(answer.json["nbf"] == 1000 && answer.json["exp"] == 4_000_000_000)
        let seen = try #require(world.seen("B2C_1A_One"))
        let name = try #require(seen.key)
        #expect(TestKeys.named(name).kid == answer.json["kid"]?.stringValue)
        #expect(seen.publish == [name] && seen.isActive)
    }

    @Test func `keys of one set differ`() throws {
        var world = try World()
        try world.send("POST", "", Self.one)
        for _ in 0..<6 { try world.send("POST", "/One/generateKey", ["use": "sig", "kty": "rsa"]) }
        let keys = try #require(try world.send("GET", "/One").json["keys"]?.arrayValue)
        #expect(Set(keys.compactMap { $0["kid"]?.stringValue }).count == 6)
        #expect(world.seen("B2C_1A_One")?.publish.count == 6)
    }

    @Test func `a secret is what sign-ins use, and never comes back`() throws {
        var world = try World()
        try world.send("POST", "", Self.one)
        let answer = try world.send("POST", "/One/uploadSecret", ["use": "enc", "k": "The-secret-text"])
        #expect(answer.status == 200 && answer.json["kty"] == "OCT" && answer.json["use"] == "enc")
        #expect(world.seen("B2C_1A_One")?.secret == "The-secret-text")
        let made = try world.send("POST", "/One/generateKey", ["use": "enc", "kty": "oct"])
        #expect(made.json["kty"] == "oct")
        for path in ["", "/One", "/One/getActiveKey"] {
            let text = try world.send("GET", path).json.description
            #expect(!text.contains("The-secret-text") && !text.contains("\"k\":"), "\(path)")
        }
    }

    @Test(arguments: [UploadedFiles.sha256, UploadedFiles.sha1])
    func `the password of a PKCS 12 file is checked`(_ file: String) throws {
        var world = try World()
        try world.send("POST", "", Self.one)
        let wrong = try world.send("POST", "/One/uploadPkcs12", ["key": .string(file), "password": "Opens-2"])
        #expect(wrong.status == 400 && wrong.code == "AADB2C95025")
        let answer = try world.send("POST", "/One/uploadPkcs12", ["key": .string(file), "password": "Opens-1"])
        #expect(answer.status == 200 && answer.json["kty"] == "RSA")
        let certificate = try #require(answer.json["x5c"]?.arrayValue?.first?.stringValue.flatMap { Base64.decode($0) })
        #expect(answer.json["x5t"]?.stringValue == Base64URL.encode(SHA1.hash(certificate)))
        #expect(Certificate(der: certificate) != nil)
        #expect(world.seen("B2C_1A_One")?.key != nil)
    }

    @Test func `a certificate has the dates that are in it`() throws {
        var world = try World()
        try world.send("POST", "", Self.one)
        let answer = try world.send(
            "POST", "/One/uploadCertificate", ["key": .string(UploadedFiles.certificate)])
        #expect(answer.status == 200)
        #expect(answer.json["nbf"]?.intValue == Timestamp(rfc3339: "2026-11-30T06:13:47Z")?.secondsSinceEpoch)
        #expect(answer.json["exp"]?.intValue == Timestamp(rfc3339: "2027-11-30T06:13:47Z")?.secondsSinceEpoch)
        #expect(answer.json["x5c"] == [.string(UploadedFiles.certificate)])
        #expect(answer.json["x5t"] == "WYNWmj18dzKM7p0Pewiv_qXjAr0")
        #expect(answer.json["n"]?.stringValue?.isEmpty == false && answer.json["e"] == "AQAB")
        #expect(world.seen("B2C_1A_One")?.certificate != nil)
    }

    @Test func `a PUT replaces all keys`() throws {
        var world = try World()
        let secret = Base64URL.encode(Array("replaced".utf8))
        let answer = try world.send(
            "PUT", "/B2C_1A_Rest",
            ["keys": [["kty": "oct", "use": "sig", "k": .string(secret), "exp": "4000000000"]]])
        #expect(answer.status == 200)
        #expect(answer.json["keys"]?.arrayValue?.count == 1)
        #expect(answer.json["keys"]?[0]?["exp"] == 4_000_000_000)
        #expect(world.seen("B2C_1A_Rest")?.secret == "replaced")
        let number: JSONValue = ["kty": "RSA", "use": "enc", "n": "AQAB", "e": "AQAB"]
        #expect(try world.send("PUT", "/B2C_1A_Rest", ["keys": [number]]).json["keys"]?[0]?["use"] == "enc")
        #expect(try world.send("PUT", "/B2C_1A_Rest", ["keys": []]).status == 200)
        #expect(world.seen("B2C_1A_Rest")?.isActive == false)
    }

    // MARK: The active key

    /// A key of a set: when it becomes active and expires, in seconds from now.
    struct Dated: Sendable {
        var name: String
        var activates: Int64?
        var expires: Int64?
    }

    @Test(
        arguments: [
            ([], nil),
            ([Dated(name: "a")], "a"),
            ([Dated(name: "a"), Dated(name: "b")], "a"),
            ([Dated(name: "a"), Dated(name: "b", activates: -10)], "b"),
            ([Dated(name: "a", activates: -10), Dated(name: "b")], "a"),
            ([Dated(name: "a", activates: -20), Dated(name: "b", activates: -10)], "b"),
            ([Dated(name: "a", activates: -20), Dated(name: "b", activates: 10)], "a"),
            ([Dated(name: "a", activates: -20), Dated(name: "b", activates: -10, expires: -5)], "a"),
            ([Dated(name: "a"), Dated(name: "b", activates: -10, expires: 0)], "a"),
            ([Dated(name: "a", activates: 0, expires: 1)], "a"),
            ([Dated(name: "a", activates: 1)], nil),
            ([Dated(name: "a", expires: -1)], nil),
        ] as [([Dated], String?)])
    func `the newest key whose date has passed is active`(_ keys: [Dated], _ expected: String?) throws {
        var world = try World()
        try world.send("POST", "", Self.one)
        for key in keys {
            var body: JSONObject = ["use": "sig", "k": .string(key.name)]
            body["nbf"] = key.activates.map { .integer(Self.second + $0) }
            body["exp"] = key.expires.map { .integer(Self.second + $0) }
            try world.send("POST", "/One/uploadSecret", .object(body))
        }
        let seen = try #require(world.seen("B2C_1A_One"))
        #expect(seen.secret == expected && seen.isActive == (expected != nil))
        let active = try world.send("GET", "/One/getActiveKey")
        #expect(active.status == (expected == nil ? 404 : 200))
        if expected == nil { #expect(active.code == "AADB2C90220") }
    }

    @Test func `keys change by themselves as time passes`() throws {
        var world = try World()
        #expect(world.keys.nextChange(after: world.now) == nil)
        try world.send("POST", "", Self.one)
        for (secret, start, end) in [("old", Self.second - 5, Self.second + 100), ("new", Self.second + 60, nil)] {
            var body: JSONObject = ["use": "sig", "k": .string(secret), "nbf": .integer(start)]
            body["exp"] = end.map { .integer($0) }
            try world.send("POST", "/One/uploadSecret", .object(body))
        }
        var changes: [Int64] = []
        var seen = [world.seen("B2C_1A_One")?.secret]
        while let next = world.keys.nextChange(after: world.now) {
            world.now = next
            changes.append(next.secondsSinceEpoch - Self.second)
            seen.append(world.seen("B2C_1A_One")?.secret)
        }
        #expect(changes == [60, 100])
        #expect(seen == ["old", "new", "new"])
    }

    @Test func `a disabled key is not active`() throws {
        var world = try World()
        let kid = TestKeys.named("k2").kid
        let path = "/B2C_1A_Signing/keys_v2/\(kid)"
        #expect(try world.send("GET", path).json["status"] == "enabled")
        let answer = try world.send("PATCH", path, ["status": "disabled"])
        #expect(answer.status == 204 && answer.json == .null)
        #expect(try world.send("GET", path).json["status"] == "disabled")
        #expect(world.seen("B2C_1A_Signing")?.isActive == false)
        #expect(world.seen("B2C_1A_Signing")?.key == nil)
        try world.send("PATCH", "('B2C_1A_Signing')/keys_v2('\(kid)')", ["status": "enabled"])
        #expect(world.seen("B2C_1A_Signing")?.key == "k2")
    }

    // MARK: Refusals

    struct Refused: Sendable, CustomTestStringConvertible {
        var what: String
        var method = "POST"
        var path: String
        var body: JSONValue?
        var status = 400
        var code: String

        var testDescription: String { what }
    }

    @Test(arguments: [
        Refused(what: "no id", path: "", body: [:], code: "AADB2C90253"),
        Refused(what: "no body", path: "", code: "AADB2C95026"),
        Refused(what: "an id with a slash", path: "", body: ["id": "a/b"], code: "AADB2C95034"),
        Refused(what: "a set with keys", path: "", body: ["id": "K", "keys": [["kty": "RSA"]]], code: "AADB2C95034"),
        Refused(what: "no set", method: "GET", path: "/Absent", status: 404, code: "AADB2C95052"),
        Refused(
            what: "upload before create", path: "/Absent/uploadSecret", body: ["use": "sig", "k": "x"],
            code: "AADB2C95052"),
        Refused(what: "no use", path: "/B2C_1A_Signing/generateKey", body: ["kty": "RSA"], code: "AADB2C90253"),
        Refused(
            what: "bad use", path: "/B2C_1A_Signing/generateKey", body: ["kty": "RSA", "use": "sign"],
            code: "AADB2C95033"),
        Refused(what: "no kty", path: "/B2C_1A_Signing/generateKey", body: ["use": "sig"], code: "AADB2C95030"),
        Refused(
            what: "bad kty", path: "/B2C_1A_Signing/generateKey", body: ["use": "sig", "kty": "EC"],
            code: "AADB2C95031"),
        Refused(
            what: "bad date", path: "/B2C_1A_Signing/generateKey", body: ["use": "sig", "kty": "RSA", "exp": "soon"],
            code: "AADB2C95034"),
        Refused(
            what: "mixed types", path: "/B2C_1A_Signing/uploadSecret", body: ["use": "sig", "k": "x"],
            code: "AADB2C95032"),
        Refused(
            what: "mixed uses", path: "/B2C_1A_Signing/generateKey", body: ["use": "enc", "kty": "RSA"],
            code: "AADB2C95042"),
        Refused(what: "no secret", path: "/B2C_1A_Rest/uploadSecret", body: ["use": "sig"], code: "AADB2C90253"),
        Refused(
            what: "no password", path: "/B2C_1A_Signing/uploadPkcs12", body: ["key": "AAAA"], code: "AADB2C90253"),
        Refused(
            what: "not PKCS 12", path: "/B2C_1A_Signing/uploadPkcs12", body: ["key": "AAAA", "password": "p"],
            code: "AADB2C95034"),
        Refused(
            what: "not base64", path: "/B2C_1A_Signing/uploadCertificate", body: ["key": "*"], code: "AADB2C95034"),
        Refused(
            what: "not a certificate", path: "/B2C_1A_Signing/uploadCertificate", body: ["key": "AAAA"],
            code: "AADB2C95034"),
        Refused(
            what: "a certificate without RSA", path: "/B2C_1A_Signing/uploadCertificate",
            body: ["key": .string(UploadedFiles.curveCertificate)], code: "AADB2C95039"),
        Refused(what: "no keys", method: "PUT", path: "/B2C_1A_Rest", body: [:], code: "AADB2C90253"),
        Refused(
            what: "a kid", method: "PUT", path: "/B2C_1A_Rest",
            body: ["keys": [["kid": "k", "kty": "oct", "use": "sig", "k": "AAAA"]]], code: "AADB2C95059"),
        Refused(
            what: "an entity without kty", method: "PUT", path: "/B2C_1A_Rest", body: ["keys": [["use": "sig"]]],
            code: "AADB2C95037"),
        Refused(
            what: "k not base64url", method: "PUT", path: "/B2C_1A_Rest",
            body: ["keys": [["kty": "oct", "use": "sig", "k": "a+b"]]], code: "AADB2C95029"),
        Refused(
            what: "RSA without modulus", method: "PUT", path: "/B2C_1A_Rest",
            body: ["keys": [["kty": "RSA", "use": "sig", "e": "AQAB"]]], code: "AADB2C95039"),
        Refused(
            what: "mixed types in a PUT", method: "PUT", path: "/B2C_1A_Rest",
            body: [
                "keys": [
                    ["kty": "oct", "use": "sig", "k": "AAAA"],
                    ["kty": "RSA", "use": "sig", "n": "AQAB", "e": "AQAB"],
                ]
            ], code: "AADB2C95032"),
        Refused(
            what: "no such key", method: "PATCH", path: "/B2C_1A_Rest/keys_v2/absent", body: ["status": "enabled"],
            status: 404, code: "ResourceNotFound"),
        Refused(
            what: "another member", method: "PATCH", path: "/B2C_1A_Signing/keys_v2/\(TestKeys.named("k2").kid)",
            body: ["exp": 1], code: "AADB2C95034"),
        Refused(
            what: "a bad status", method: "PATCH", path: "/B2C_1A_Signing/keys_v2/\(TestKeys.named("k2").kid)",
            body: ["status": "off"], code: "AADB2C95034"),
        Refused(what: "another method", method: "PUT", path: "", body: [:], status: 405, code: "Request_BadRequest"),
        Refused(
            what: "another action", path: "/B2C_1A_Rest/rotate", body: [:], status: 501, code: "NotSimulated"),
    ])
    func `each mistake has its code and changes nothing`(_ refused: Refused) throws {
        var world = try World()
        let before = try world.send("GET", "").json
        let answer = try world.send(refused.method, refused.path, refused.body)
        #expect(answer.status == refused.status && answer.code == refused.code, "\(answer)")
        #expect(try world.send("GET", "").json == before && world.keys.revision == 0)
    }

    /// A route, and whether the permission to read is enough.
    @Test(arguments: [
        ("GET", "", true), ("GET", "/B2C_1A_Rest", true), ("GET", "/B2C_1A_Rest/getActiveKey", true),
        ("GET", "/B2C_1A_Rest/keys_v2/k", false), ("PATCH", "/B2C_1A_Rest/keys_v2/k", false), ("POST", "", false),
        ("POST", "/B2C_1A_Rest/generateKey", false), ("POST", "/B2C_1A_Rest/uploadSecret", false),
        ("POST", "/B2C_1A_Rest/uploadPkcs12", false), ("POST", "/B2C_1A_Rest/uploadCertificate", false),
        ("PUT", "/B2C_1A_Rest", false), ("DELETE", "/B2C_1A_Rest", false),
    ])
    func `each route needs its permission`(_ method: String, _ path: String, _ isReading: Bool) throws {
        var world = try World()
        let none = try world.send(method, path, permissions: ["Policy.ReadWrite.TrustFramework"])
        #expect(none.status == 403 && none.code == "AADB2C")
        let names = isReading ? "TrustFrameworkKeySet.Read.All, TrustFrameworkKeySet.ReadWrite.All" : Self.all[0]
        #expect(
            none.json["message"]?.stringValue
                == "The application does not have any of the required application permissions (\(names)) to access the "
                + "resource.")
        let read = try world.send(method, path, permissions: ["TrustFrameworkKeySet.Read.All"])
        #expect((read.status != 403) == isReading)
        #expect(try world.send(method, path).status != 403)
    }

    @Test func `other addresses are not key sets`() throws {
        var world = try World()
        #expect(try world.send("GET", "", version: "v1.0").status == 404)
        let request = try #require(
            GraphManagementRequest(.get(try url("https://graph.microsoft.com/beta/trustFramework/policies"))))
        #expect(try world.keys.answer(request, GraphManagementRights([:]), at: world.now) == nil)
    }
}
