import Determinism
import HTTPMessages
import JOSE
import JSON
import TenantFiles

/// How the password of `passwordSubmit` is encrypted, and with which key.
public struct ExtensionEncryption: Sendable {
    /// The public RSA key of the extension's app.
    public var key: JWK
    /// The documents do not name the algorithms; these are the ones of public samples (inferred).
    public var algorithm = JWE.KeyAlgorithm.rsaOAEP256
    public var content = JWE.ContentEncryption.a256GCM
    /// Inside the JWE is an unsigned JWT, as in the documents; false: plain JSON.
    public var isNested = true

    public init(key: JWK) { self.key = key }

    /// - Parameter written: A JWK, or the text of one, of a certificate or of a key in PEM, from which the public part is
    ///   taken; `nil` unless it is an RSA key.
    public init?(written: JSONValue) {
        guard let key = Self.key(written) else { return nil }
        self.key = key
    }

    private static func key(_ written: JSONValue) -> JWK? {
        guard let text = written.stringValue else { return JWK(json: written).flatMap { $0.pem == nil ? nil : $0 } }
        guard let block = PEM.read(text) else {
            let json = try? JSONParser.parse(text)
            return json?.objectValue.flatMap { Self.key(.object($0)) }
        }
        if let signing = try? SigningKey(name: "extension", pem: text) { return signing.jwk }
        let bytes = block.label == "CERTIFICATE" ? Certificate(der: block.bytes)?.publicKey : block.bytes
        guard let numbers = bytes.flatMap({ DER.numbers(publicKey: $0) }) else { return nil }
        var key = JWK(n: Base64URL.encode(numbers.modulus), e: Base64URL.encode(numbers.exponent))
        key.kid = key.thumbprint
        return key
    }
}

/// A call of an extension: what is called, with which person and app.
public struct ExtensionCall: Sendable {
    /// Bodies that the documents and samples allow.
    public enum BodyForm: Sendable {
        case full
        /// Without optional members.
        case minimal
        /// With `clientIp` and `OAUTH2` in place of `ip` and `OAUTH2.0`, or the other way round.
        case otherSpelling
        /// With members that no document names.
        case unknownMembers
    }

    public var event: ExtensionEvent
    public var url: WebURL
    public var person: UserRecord
    /// The app that the person signs in to; `nil`: an invented one.
    public var app: AppSettings?
    public var issuer: ExtensionIssuer
    /// The tenant's domain, such as `contoso.onmicrosoft.com`.
    public var domain: String
    /// The application id in the names of extension attributes; `nil`: names are sent as they are.
    public var extensionsAppID: GUID?
    /// `nil`: no token.
    public var token: ExtensionToken?
    /// Attributes, or claims of a verified id, besides those of the person.
    public var inputs = JSONObject()
    public var locale = "en-us"
    public var clientIP = "127.0.0.1"
    public var correlationID: GUID
    public var listenerID: GUID
    public var extensionID: GUID
    /// The nonce inside the password context.
    public var nonce: GUID
    /// The password that is typed.
    public var password: String
    public var oneTimeCode: String
    public var encryption: ExtensionEncryption?
    public var method = "POST"
    public var form = BodyForm.full
    /// Held within ``timeouts``.
    public var timeout = TimeSpan.seconds(1)
    /// 0 or 1.
    public var retries = 1

    /// What the service allows (Microsoft Graph: customExtensionClientConfiguration).
    public static let timeouts: ClosedRange<TimeSpan> = .milliseconds(200) ... .milliseconds(2000)

    /// - Parameters:
    ///   - audience: The application id of the extension's app.
    ///   - origin: The server that publishes the caller's keys; `nil`: the service's own names are used.
    ///   - generator: Draws ids, nonce and code.
    public init(
        _ event: ExtensionEvent, url: WebURL, person: UserRecord, app: AppSettings?, tenant: Tenant, audience: String,
        origin: WebURL?, using generator: inout SeededGenerator
    ) {
        self.event = event
        self.url = url
        self.person = person
        self.app = app
        issuer = ExtensionIssuer(tenantID: tenant.id.description, origin: origin)
        domain = tenant.domain
        if tenant.authority.extensionsAppId != .empty { extensionsAppID = tenant.authority.extensionsAppId }
        token = ExtensionToken(audience: audience)
        correlationID = generator.guid()
        listenerID = generator.guid()
        extensionID = generator.guid()
        nonce = generator.guid()
        password = person.password ?? ""
        oneTimeCode = generator.digits(8)
    }

    /// What must not be shown: passwords and the code.
    var secrets: [String] {
        [password, person.password ?? "", person.newPassword ?? "", oneTimeCode].filter { !$0.isEmpty }
    }

    // MARK: the body

    /// The body of the call. Members without a value are omitted.
    ///
    /// - Throws: ``JOSEError/unsupportedKey(_:)`` if a password cannot be encrypted.
    public func body(using generator: inout SeededGenerator) throws(JOSEError) -> JSONObject {
        var data: JSONObject = [
            "@odata.type": .string(event.calloutDataType), "tenantId": .string(issuer.tenantID),
            "authenticationEventListenerId": .string(listenerID.description),
            "customAuthenticationExtensionId": .string(extensionID.description),
            "authenticationContext": .object(context),
        ]
        switch event {
        case .tokenIssuanceStart: break
        case .attributeCollectionStart, .attributeCollectionSubmit:
            data.append("userSignUpInfo", ["attributes": .object(typedAttributes), "identities": identities])
        case .emailOtpSend:
            data.append("otpContext", ["identifier": .string(userName), "oneTimeCode": .string(oneTimeCode)])
        case .passwordSubmit:
            data.append("encryptedPasswordContext", .string(try passwordContext(using: &generator)))
        case .verifiedIdClaimValidation:
            var about: JSONObject = ["identities": identities]
            about.append("additionalInfo", attributes["employeeId"].map { ["employeeId": $0] } ?? [:])
            about.append("claims", .object(attributes))
            data.append("verifiedIdClaimsContext", .object(about))
        }
        var body: JSONObject = [
            "type": .string(event.type), "source": .string("/tenants/\(issuer.tenantID)/applications/\(appID)"),
        ]
        if form == .unknownMembers { data.append("unknownMember", ["value": 1]) }
        body.append("data", .object(data))
        if form == .unknownMembers { body.append("unknownMember", true) }
        return body
    }

    private var appID: String {
        app?.registration.clientId ?? GUID.derived(from: "\(issuer.tenantID)/app").description
    }

    private var context: JSONObject {
        let name = JSONValue.string(app?.name ?? "app")
        let isFull = form != .minimal
        var principal: JSONObject = [
            "id": .string(GUID.derived(from: "service principal/\(appID)").description), "appId": .string(appID),
        ]
        if isFull { for key in ["appDisplayName", "displayName"] { principal.append(key, name) } }
        // The sample of account recovery has other spellings, and no resource
        // (Azure-Samples/active-directory-verifiable-credentials-dotnet, 7-AccountRecovery-ClaimsMatching).
        let isRecovery = event == .verifiedIdClaimValidation
        let isOther = isRecovery != (form == .otherSpelling)
        var client: JSONObject = [isOther ? "clientIp" : "ip": .string(clientIP)]
        if isFull { for key in ["locale", "market"] { client.append(key, .string(locale)) } }
        var context: JSONObject = [
            "correlationId": .string(correlationID.description), "client": .object(client),
            "protocol": isOther ? "OAUTH2" : "OAUTH2.0", "clientServicePrincipal": .object(principal),
        ]
        if isFull { context.append("resourceServicePrincipal", isRecovery ? .null : .object(principal)) }
        if event == .emailOtpSend, isFull { context.append("requestType", "signUp") }
        if !event.isCollecting { context.append("user", .object(user)) }
        if form == .unknownMembers { context.append("unknownMember", []) }
        return context
    }

    /// The texts of the person that the service knows under these names, in the order of the documents.
    private var user: JSONObject {
        var known = attributes
        known["id"] = .string(person.objectId.description)
        known["mail"] = person.email.map { .string($0) } ?? attributes["mail"]
        known["userPrincipalName"] = attributes["userPrincipalName"] ?? .string("\(person.objectId)@\(domain)")
        known["userType"] = attributes["userType"] ?? "Member"
        let names =
            form == .minimal
            ? ["id", "userPrincipalName"]
            : [
                "companyName", "createdDateTime", "displayName", "givenName", "id", "mail", "onPremisesSamAccountName",
                "onPremisesSecurityIdentifier", "onPremisesUserPrincipalName", "preferredLanguage", "surname",
                "userPrincipalName", "userType",
            ]
        return JSONObject(names.compactMap { name in known[name].map { (name, $0) } })
    }

    private var attributes: JSONObject {
        var all = person.attributes
        for (name, value) in inputs.members { all[name] = value }
        return all
    }

    private var userName: String { person.email ?? person.username ?? person.name }

    private var identities: JSONValue {
        [
            [
                "signInType": person.email == nil ? "userName" : "email", "issuer": .string(domain),
                "issuerAssignedId": .string(userName),
            ]
        ]
    }

    /// The attributes with their types: several values are one text with commas.
    private var typedAttributes: JSONObject {
        var typed = JSONObject()
        for (name, value) in attributes.members {
            let (type, value): (String, JSONValue) =
                switch value {
                case .integer: ("int64", value)
                case .bool: ("boolean", value)
                case .array(let values): ("string", .string(values.compactMap(\.stringValue).joined(separator: ",")))
                default: ("string", .string(value.stringValue ?? value.description))
                }
            let isExtension = name.hasPrefix("extension_")
            typed.append(
                isExtension ? extensionName(name) : name,
                [
                    "@odata.type": .string("microsoft.graph.\(type)DirectoryAttributeValue"), "value": value,
                    "attributeType": isExtension ? "directorySchemaExtension" : "builtIn",
                ])
        }
        return typed
    }

    /// `extension_{application id without hyphens}_name` of B2C's `extension_name`.
    private func extensionName(_ name: String) -> String {
        let rest = name.dropFirst("extension_".count)
        guard let extensionsAppID, !(rest.prefix(32).allSatisfy(\.isHexDigit) && rest.dropFirst(32).hasPrefix("_"))
        else { return name }
        return "extension_\(extensionsAppID.description.filter { $0 != "-" })_\(rest)"
    }

    private func passwordContext(using generator: inout SeededGenerator) throws(JOSEError) -> String {
        guard let encryption else {
            throw .unsupportedKey("the call has a password, but no key to encrypt it with: give the app's public key")
        }
        let claims: JSONObject = [
            "user-password": .string(password), "username": .string(userName), "nonce": .string(nonce.description),
        ]
        let inner =
            encryption.isNested
            ? Array(JWS.unsigned(header: ["alg": "none", "typ": "JWT"], claims: claims).utf8)
            : JSONWriter.compactBytes(claims)
        var words = DrawnWords(generator: generator)
        defer { generator = words.generator }
        return try JWE.encrypt(
            inner, contentType: encryption.isNested ? "JWT" : nil, for: encryption.key, algorithm: encryption.algorithm,
            encryption: encryption.content, using: &words)
    }
}

/// The generator as the standard library's protocol has it.
private struct DrawnWords: RandomNumberGenerator {
    var generator: SeededGenerator

    mutating func next() -> UInt64 { generator.next() }
}
