import B2CProtocol
import HTTPMessages
import JSON
import Journeys
import TrustFramework

/// The body of a request that creates or changes a person (Microsoft docs: user-post-users, user-update).
struct GraphUserBody: Sendable {
    let members: JSONObject
    private let users: GraphUsers

    /// - Throws: HTTP 400 for a body that is not a JSON object.
    init(_ request: RequestMessage, _ users: GraphUsers) throws(GraphFault) {
        guard request.headers["Content-Type"] != nil else {
            throw GraphFault(
                400, "BadRequest",
                "Write requests (excluding DELETE) must contain the Content-Type header declaration.")
        }
        guard let members = request.json?.objectValue else {
            throw GraphFault(
                400, "BadRequest",
                "Unable to read JSON request payload. Please ensure Content-Type header is set and payload is of valid "
                    + "JSON format.")
        }
        self.members = members
        self.users = users
    }

    /// The change that a new person is made of.
    func creation() throws(GraphFault) -> AccountChange {
        // Without identities it is an account of the directory itself, which signs in with its user principal name.
        let isWork = members["identities"] == nil
        for name in ["accountEnabled", "displayName"] + (isWork ? ["mailNickname", "userPrincipalName"] : []) {
            guard let value = members[name], !value.isNull else { throw .missingValue(name) }
        }
        let change = try change(of: nil)
        let hasLocalName = change.signInNames.map { !$0.isEmpty } ?? false
        guard change.password != nil || !(hasLocalName || isWork) else {
            throw GraphFault(
                400, "Request_BadRequest", "A password must be specified to create a new user.",
                why: "a local account needs passwordProfile.password"
            ).about("passwordProfile", "MissingValue")
        }
        return change
    }

    /// The change of a person.
    ///
    /// - Parameter account: The person; `nil`: a new one.
    func change(of account: Account?) throws(GraphFault) -> AccountChange {
        var change = AccountChange()
        for (name, value) in members.members where !name.hasPrefix("@odata.") {
            if let property = GraphExtension(name) {
                try write(property, name, value, to: &change)
            } else {
                guard let property = GraphUserProperty.named(name) else { throw .unknownProperty(name) }
                guard property.isWritable else { throw .readOnly(property.name) }
                try write(property, value, to: &change, of: account)
            }
        }
        return change
    }

    private func write(
        _ property: GraphExtension, _ name: String, _ value: JSONValue, to change: inout AccountChange
    ) throws(GraphFault) {
        guard let attribute = users.attribute(property) else {
            let known = GraphExtension.digits(users.tenant.authority.extensionsAppId.description)
            throw .noExtension(
                name, "no app of the tenant has the id; that of authority.extensionsAppId is \(known)")
        }
        switch value {
        case .null: change.attributes.append((attribute, nil))
        case .string(let text):
            guard !text.isEmpty else { throw .invalidValue(name) }
            change.attributes.append((attribute, .text(text)))
        case .bool(let flag): change.attributes.append((attribute, .boolean(flag)))
        case .integer(let number): change.attributes.append((attribute, .integer(number)))
        default: throw .wrongType(name, "a text, a number, true or false")
        }
    }

    private func write(
        _ property: GraphUserProperty, _ value: JSONValue, to change: inout AccountChange, of account: Account?
    ) throws(GraphFault) {
        switch property.name {
        case "identities": return try writeIdentities(value, to: &change, of: account)
        case "passwordProfile": return try writePassword(value, to: &change)
        case "accountEnabled":
            guard let flag = value.boolValue else { throw .wrongType(property.name, "true or false") }
            change.accountEnabled = flag
            return
        case "userPrincipalName": try checkPrincipalName(value)
        default: break
        }
        let stored = property.stored.first { name in
            account?.attributes.contains { sameID($0.id, name) } ?? false
        }
        guard let attribute = stored ?? property.stored.first else { throw .readOnly(property.name) }
        if value.isNull {
            guard !["displayName", "userPrincipalName", "mailNickname", "usageLocation"].contains(property.name) else {
                throw .invalidValue(property.name)
            }
            change.attributes.append((attribute, nil))
        } else if property.kind == .texts {
            let texts = (value.arrayValue ?? []).compactMap(\.stringValue)
            guard let list = value.arrayValue, list.count == texts.count else {
                throw .wrongType(property.name, "a list of texts")
            }
            change.attributes.append((attribute, texts.isEmpty ? nil : .list(texts)))
        } else {
            guard let text = value.stringValue else { throw .wrongType(property.name, "a text") }
            guard !text.isEmpty, Self.fits(text, property.name) else { throw .invalidValue(property.name) }
            change.attributes.append((attribute, .text(text)))
        }
    }

    /// What a property demands of its text besides the length, which the directory checks (Microsoft docs:
    /// user-profile-attributes).
    private static func fits(_ text: String, _ property: String) -> Bool {
        switch property {
        case "displayName": !text.contains { "<>".contains($0) }
        case "usageLocation": text.count == 2 && text.allSatisfy { $0.isASCII && $0.isLetter }
        case "ageGroup": ["undefined", "minor", "adult", "notadult"].contains(text.lowercased())
        case "consentProvidedForMinor": ["granted", "denied", "notrequired"].contains(text.lowercased())
        case "userType": sameID(text, "Member")
        default: true
        }
    }

    private func checkPrincipalName(_ value: JSONValue) throws(GraphFault) {
        guard let name = value.stringValue else { throw .wrongType("userPrincipalName", "a text") }
        let parts = name.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty else { throw .invalidValue("userPrincipalName") }
        guard sameID(String(parts[1]), users.tenant.domain) else {
            throw GraphFault(
                400, "Request_BadRequest",
                "The domain portion of the userPrincipalName property is invalid. You must use one of the verified domain "
                    + "names in your organization.", why: "the tenant's domain is \(users.tenant.domain)"
            ).about("userPrincipalName", "InvalidValue")
        }
    }

    private func writePassword(_ value: JSONValue, to change: inout AccountChange) throws(GraphFault) {
        guard let profile = value.objectValue else { throw .wrongType("passwordProfile", "an object") }
        for (name, value) in profile.members where !name.hasPrefix("@odata.") {
            switch name {
            case "password":
                guard let password = value.stringValue else { throw .wrongType("passwordProfile/password", "a text") }
                change.password = password
            case "forceChangePasswordNextSignIn", "forceChangePasswordNextSignInWithMfa":
                guard let flag = value.boolValue else {
                    throw .wrongType("passwordProfile/\(name)", "true or false")
                }
                if name == "forceChangePasswordNextSignIn" || flag { change.forcePasswordChange = flag }
            default: throw .unknownProperty("passwordProfile/\(name)")
            }
        }
    }

    // MARK: Identities

    /// The list takes the place of all identities that there were.
    private func writeIdentities(
        _ value: JSONValue, to change: inout AccountChange, of account: Account?
    ) throws(GraphFault) {
        guard let list = value.arrayValue else { throw .wrongType("identities", "a list of objects") }
        guard list.count <= 10 else { throw .invalidValues("an account has ten identities at most, not \(list.count)") }
        var names: [SignInName] = []
        var federated: [FederatedIdentity] = []
        for entry in list {
            let type = entry["signInType"]?.stringValue ?? ""
            let issuer = entry["issuer"]?.stringValue ?? ""
            let id = entry["issuerAssignedId"]?.stringValue ?? ""
            guard !type.isEmpty, !issuer.isEmpty, !id.isEmpty else {
                throw .invalidValues("an identity has signInType, issuer and issuerAssignedId")
            }
            if sameID(type, "federated") {
                federated.append(FederatedIdentity(graphID: id, issuer: issuer))
                continue
            }
            guard sameID(issuer, users.tenant.domain) else {
                throw .invalidValues("the issuer of a local identity is \(users.tenant.domain), not \(issuer)")
            }
            if sameID(type, "userPrincipalName") {
                change.attributes.append(("userPrincipalName", .text(id)))
                try checkPrincipalName(.string(id))
                continue
            }
            let isAddress = type.lowercased().hasPrefix("emailaddress")
            guard isAddress ? Self.isAddress(id) : Self.isLocalPart(id) else {
                throw .invalidValues("\(id) is not \(isAddress ? "an e-mail address" : "the local part of one")")
            }
            names.append(SignInName(type: Self.canonical(type), value: id))
        }
        if let account, account.signInNames.isEmpty, !names.isEmpty {
            // Microsoft docs: user-update.
            throw .invalidValues("a person without a local account does not get one by an update")
        }
        change.signInNames = names
        change.identities = federated
    }

    /// Policies know these types in this spelling.
    private static func canonical(_ type: String) -> String {
        ["emailAddress", "userName", "phoneNumber"].first { sameID($0, type) } ?? type
    }

    /// The part of an e-mail address before `@` (RFC 3696, section 3), 64 characters at most, without quotes. User names
    /// are that (Microsoft docs: user-profile-attributes); a phone number with its plus sign is one too.
    private static func isLocalPart(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let marks = Set("!#$%&'*+-/=?^_`{|}~".utf8)
        return text.utf8.count <= 64
            && parts.allSatisfy { part in
                !part.isEmpty
                    && part.allSatisfy {
                        (48...57).contains($0) || (97...122).contains($0 | 0x20) || marks.contains($0)
                    }
            }
    }

    private static func isAddress(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && !text.contains(" ")
    }
}

extension GraphFault {
    /// What the directory refuses, as Graph says it.
    init(_ refusal: Directory.DirectoryRefusal, _ change: AccountChange) {
        switch refusal {
        case .taken(let value):
            let isAddress = change.signInNames?.contains { $0.type == "emailAddress" && $0.value == value } ?? false
            let isPrincipalName = change.attributes.contains {
                sameID($0.name, "userPrincipalName") && $0.value?.text == value
            }
            // Addresses conflict as proxyAddresses (seen by published clients); the others are inferred.
            let property = isAddress ? "proxyAddresses" : isPrincipalName ? "userPrincipalName" : "identities"
            self = .conflict(property, "another account has \(value)")
        case .weakPassword: self = .weakPassword
        case .noExtensionsApp:
            self = .invalidValues("authority.extensionsApp is false: custom attributes cannot be written")
        case .emptyValue(let name), .badValue(let name): self = .invalidValue(name)
        case .notWritable(let name): self = .readOnly(name)
        }
    }
}
