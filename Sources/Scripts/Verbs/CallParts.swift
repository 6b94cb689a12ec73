import Determinism
import Exchanges
import JSON
import Records
import TenantFiles

/// What the parameters of several verbs have in common.
package enum CallParts {
    /// The shapes that parameters refer to by name.
    package static let named: [String: Shape] = [
        "accountChoice": .nullable(.anyOf([.string, AccountDescription.shape])),
        "tokenText": tokenText,
        "clientPatch": TenantShapes.clientPatch,
    ]

    static let members = Shape.map(of: .nullable(FaultShapes.scalar), keyHint: "name")
    static let claims = Shape.map(of: .any, keyHint: "name of the claim")
    static let correlationID = "The id that ties the call to the server's logs."
    static let claimsRequest = "The claims request parameter of OpenID Connect."
    static let account = "An account object, its identifier, a selection, or null."
    static let accountDefault = "the client's only account; none in an interactive call"

    private static let tokenText: Shape = .anyOf([
        .string,
        .object(
            ObjectShape(
                title: "token",
                fields: [
                    Field("raw", .string, required: true, "The token's text."),
                    Field("header", .map(of: .any, keyHint: "name of the member"), "The header."),
                    Field("claims", claims, "The claims."),
                ])),
    ])
}

extension Codec {
    /// The same values, described in another way.
    func shaped(_ shape: Shape) -> Codec { Codec(shape: shape, decode: decode, encode: encode) }
}

extension Codec<JSONObject> {
    static func members(_ shape: Shape) -> Codec {
        Codec(shape: shape, decode: { $1.object($0) }, encode: { $0.isEmpty ? nil : .object($0) })
    }
}

extension Codec<GUID?> {
    static var guid: Codec {
        Codec(
            shape: .nonEmptyString,
            decode: { value, cursor in
                guard let text = value.stringValue else { return cursor.expected("a GUID", value) }
                if let guid = GUID(text) { return guid }
                if !cursor.isTemplate(value) { cursor.refuse("`\(text)` is not a GUID") }
                return nil
            },
            encode: { $0.map { .string($0.description) } })
    }
}

extension Codec<[String]?> {
    /// A list; a text that a `{{...}}` became is one with blanks between.
    static var scopes: Codec {
        let list = Codec<[String]>.texts
        return Codec(
            shape: .array(of: .nonEmptyString),
            decode: { value, cursor in
                guard case .string(let text) = value else { return list.decode(value, cursor) }
                return cursor.isTemplate(value) ? nil : text.split(separator: " ").map(String.init)
            },
            encode: { $0.flatMap(list.encode) })
    }
}

extension Codec<JSONValue?> {
    static var claimsRequest: Codec {
        Codec<JSONValue>.json.optional().shaped(
            .anyOf([.string, .map(of: .any, keyHint: "where the claims go: id_token, access_token")]))
    }
}

/// Which account a call means.
package enum AccountPick: Hashable, Sendable {
    /// Nothing is written: the default of the call.
    case unsaid
    /// `null`.
    case none
    case identifier(String)
    /// An account object, or a selection.
    case described(AccountDescription)
}

/// An account object, or a selection by policy, user name or person.
package struct AccountDescription: SettingsRecord {
    package var policy: String?
    package var username: String?
    package var person: String?
    package var identifier: String?
    package var objectId: String?
    package var tenantId: String?
    package var environment: String?
    package var claims: JSONObject?

    package init() {}

    package static let title = "choice of an account"
    package static let summary = "An account object, or a selection by policy, user name or person."
    package static let settings: [Setting<AccountDescription>] = {
        var table = SettingsTable<AccountDescription>()
        table.add("policy", \.policy, .optionalName(.policy), "The policy that the account was signed in with.")
        table.add("username", \.username, .optionalText, "The user name.")
        table.add("person", \.person, .optionalName(.person), "The person in the tenant file.")
        table.add("identifier", \.identifier, .optionalText, "The home account id.")
        table.add("objectId", \.objectId, .optionalText, "The object id.")
        table.add("tenantId", \.tenantId, .optionalText, "The tenant id.")
        table.add("environment", \.environment, .optionalText, "The host.")
        table.add("claims", \.claims, Codec<JSONObject>.members(CallParts.claims).optional(), "The account's claims.")
        return table.rows
    }()
}

extension Codec<AccountPick> {
    static var account: Codec {
        Codec(
            shape: .ref("accountChoice"),
            decode: { value, cursor in
                switch value {
                case .null: AccountPick.none
                case .string(let identifier): cursor.isTemplate(value) ? nil : .identifier(identifier)
                case .object: AccountDescription.filled(value, cursor).map { .described($0) }
                default: cursor.expected("an account, its identifier, a selection or null", value)
                }
            },
            encode: { pick in
                switch pick {
                case .unsaid: nil
                case .none: .null
                case .identifier(let text): .string(text)
                case .described(let account): .object(account.said)
                }
            })
    }
}

/// Which token `callApi` sends.
package enum TokenPick: Hashable, Sendable {
    /// Nothing is written: the client's newest access token.
    case newest
    /// `null`.
    case none
    case text(String)
}

extension Codec<TokenPick> {
    static var token: Codec {
        Codec(
            shape: .nullable(.ref("tokenText")),
            decode: { value, cursor in
                if value.isNull { return TokenPick.none }
                return Codec<String?>.tokenText.decode(value, cursor).flatMap { $0.map { .text($0) } }
            },
            encode: { pick in
                switch pick {
                case .newest: nil
                case .none: .null
                case .text(let text): .string(text)
                }
            })
    }
}

extension Codec<String?> {
    /// A token's text, or an object that has it.
    static var tokenText: Codec { MintOrder.source.shaped(.ref("tokenText")) }

    static var method: Codec {
        Codec(
            shape: .pattern("^[A-Z]+$", hint: "capital letters"),
            decode: { value, cursor in optionalText.decode(value, cursor).map { $0?.uppercased() } },
            encode: optionalText.encode)
    }
}

/// Which authority a call asks, and for which scopes.
package struct TokenTarget: Hashable, Sendable {
    package var policy: String?
    package var authority: String?
    package var host: String?
    package var scopes: [String]?
}

/// A call that gets tokens.
package protocol TokenRequestCall: CallRecord {
    var target: TokenTarget { get set }
    var account: AccountPick { get set }
    var loginHint: String? { get set }
    var claimsRequest: JSONValue? { get set }
    var correlationId: GUID? { get set }
}

extension TokenRequestCall {
    package static var traits: VerbTraits { [.app, .then, .failing] }
    package static var results: [any ResultRecord.Type] { [TokenResult.self] }
    package var authority: (policy: String?, url: String?) { (target.policy, target.authority) }

    /// A table with the keys of the authority.
    static var targetTable: SettingsTable<Self> {
        var table = SettingsTable<Self>()
        table.add(
            "policy", \.target.policy, .optionalName(.policy), "Name of the policy in the tenant file.",
            default: "the client's")
        table.add("authority", \.target.authority, .optionalURL, "A literal authority URL in place of the policy.")
        table.add("host", \.target.host, .optionalName(.host), "Another host of the tenant.", default: "the client's")
        table.add("scopes", \.target.scopes, .scopes, "The scopes to ask for.", default: "the client's")
        return table
    }
}
