import B2CProtocol
import Determinism
import Journeys

/// A sign-in in progress: the app's request, the journey, and the page it shows. A row of the authority.
struct Transaction: Sendable {
    /// How it began. Shared: it never changes and holds some fifty texts, and the row is taken out for every request.
    private final class Beginning: Sendable {
        let id: GUID
        let address: PolicyAddress
        let request: AuthorizeRequest
        let facts: RequestFacts
        let startedAt: Timestamp

        init(
            id: GUID, address: PolicyAddress, request: AuthorizeRequest, facts: RequestFacts, startedAt: Timestamp
        ) {
            self.id = id
            self.address = address
            self.request = request
            self.facts = facts
            self.startedAt = startedAt
        }
    }

    private let beginning: Beginning
    var journey: Journey
    /// The transaction cookie as it was last set, and whether it lists other transactions too.
    var listText = ""
    var listsOthers = false
    /// Counts changes of state: `S` of the transaction cookie, round of the journey cookie.
    var stateCount = 1
    /// The page that is showing; `nil` until there is one.
    var view: PageView?
    /// Path and query of the navigation that showed it: the browser repeats it when the person reloads.
    var shownBy: String?
    /// The browser is at an identity provider.
    var atProvider = false
    /// Cookie of a round trip to a provider that has come back: taken away with the next answer.
    var spentRelay: String?
    /// A call-out is under way on behalf of this journey.
    var waitsForCallout = false

    init(
        id: GUID, address: PolicyAddress, request: AuthorizeRequest, facts: RequestFacts, journey: Journey,
        startedAt: Timestamp
    ) {
        beginning = Beginning(id: id, address: address, request: request, facts: facts, startedAt: startedAt)
        self.journey = journey
    }

    var id: GUID { beginning.id }
    var address: PolicyAddress { beginning.address }
    var request: AuthorizeRequest { beginning.request }
    var facts: RequestFacts { beginning.facts }
    var startedAt: Timestamp { beginning.startedAt }

    /// How long a journey may stay unfinished. Not documented (inferred): people who left a sign-in page open for about
    /// four hours, or over night, were refused with 400 at its first post
    /// (AzureAD/microsoft-authentication-library-for-js issues 1124 and 4718, azure-ad-b2c/samples issue 608).
    static let lifetime = TimeSpan.hours(4)

    var expires: Timestamp { startedAt + Self.lifetime }

    var listed: ListedTransaction {
        ListedTransaction(
            id: id, tenant: address.configuration.environment.tenantDomain, policy: address.policy.lowercaseID,
            client: request.app.clientID, stateCount: stateCount)
    }
}

/// A policy's endpoints as one request addressed them.
final class PolicyAddress: Sendable {
    let configuration: Configuration
    let policy: HostedPolicy
    /// `https`, or `http` for a mock on the network that was asked in the clear.
    let scheme: String
    /// Host as the request had it, lower case, with a port if it had one.
    let host: String
    /// Tenant segment as the request spelled it.
    let tenantSegment: String
    let form: AuthorityForm
    /// What every URL handed out begins with.
    let origin: String

    init(
        configuration: Configuration, policy: HostedPolicy, scheme: String, host: String, tenantSegment: String,
        form: AuthorityForm
    ) {
        self.configuration = configuration
        self.policy = policy
        self.scheme = scheme
        self.host = host
        self.tenantSegment = tenantSegment
        self.form = form
        origin = "\(scheme)://\(host)"
    }
}
