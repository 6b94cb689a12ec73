import JSON
import Verbs

/// An account as an app holds it (MSALAccount).
///
/// The same person signed in through two policies is two accounts: a B2C policy's name is part of the identifier.
public struct MSALAccount: Sendable, Hashable {
    /// The text MSAL puts where a policy emits no `preferred_username` (MSIDB2COauth2Factory.m); it is even sent as
    /// `login_hint`.
    public static let missingUsername = "Missing from the token response"

    /// `{objectId}.{tenantId}`, lower case.
    public var identifier: String
    /// The authority's host, with its port unless that is 443.
    public var environment: String
    /// `preferred_username`, or ``missingUsername``.
    public var username: String?
    /// The name in the tenant file of the policy whose name ends the object id.
    public var policy: String?
    /// Claims of the home tenant's ID token. Absent for B2C authorities without `/tfp/`, whose realm is not a tenant.
    public var claims: JSONObject?

    /// An account of these parts.
    public init(
        identifier: String, environment: String, username: String? = nil, policy: String? = nil,
        claims: JSONObject? = nil
    ) {
        self.identifier = identifier
        self.environment = environment
        self.username = username
        self.policy = policy
        self.claims = claims
    }

    /// Reads an account object of a script: what ``result`` is written as. The app holds it whatever the cache knows.
    public init?(json: JSONValue) {
        guard let identifier = json["identifier"]?.stringValue else { return nil }
        self.init(
            identifier: identifier, environment: json["environment"]?.stringValue ?? "",
            username: json["username"]?.stringValue, policy: json["policy"]?.stringValue,
            claims: json["claims"]?.objectValue)
    }

    /// The part of the identifier before its dot; empty unless there is exactly one dot.
    public var objectID: String { halves?.objectID ?? "" }

    /// The part of the identifier after its dot; empty unless there is exactly one dot.
    public var tenantID: String { halves?.tenantID ?? "" }

    private var halves: (objectID: String, tenantID: String)? {
        // By bytes: every list of accounts asks for this, and finding the characters of a text costs far more.
        let parts = identifier.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 2 ? (String(Substring(parts[0])), String(Substring(parts[1]))) : nil
    }

    /// The account as results have it.
    package var result: AccountResult {
        AccountResult(
            identifier: identifier, objectId: objectID, tenantId: tenantID, username: username,
            environment: environment,
            policy: policy, claims: claims)
    }
}
