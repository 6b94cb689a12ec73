import Determinism
import JOSE
import TenantFiles
import TrustFramework

/// What one `advance` may read: all of it immutable, none of it kept in the journey.
public struct JourneyCall: Sendable {
    /// Shared: the call is handed on dozens of times a turn, and the request alone holds a score of texts.
    private final class Facts: Sendable {
        let policy: ResolvedPolicy
        let request: RequestFacts
        let now: Timestamp
        let environment: JourneyEnvironment

        init(policy: ResolvedPolicy, request: RequestFacts, now: Timestamp, environment: JourneyEnvironment) {
            self.policy = policy
            self.request = request
            self.now = now
            self.environment = environment
        }
    }

    private let facts: Facts
    /// What the keep-me-signed-in box said in this journey: `{Context:KMSI}`.
    var keepSignedIn = false

    public init(policy: ResolvedPolicy, request: RequestFacts, now: Timestamp, environment: JourneyEnvironment) {
        facts = Facts(policy: policy, request: request, now: now, environment: environment)
    }

    public var policy: ResolvedPolicy { facts.policy }
    public var request: RequestFacts { facts.request }
    /// True time.
    public var now: Timestamp { facts.now }
    public var environment: JourneyEnvironment { facts.environment }
}

/// What of the tenant is neither policy nor state.
public struct JourneyEnvironment: Sendable {
    /// `contoso.onmicrosoft.com`.
    public var tenantDomain: String
    public var tenantID: GUID
    /// Policy keys by storage reference id (`B2C_1A_FacebookSecret`), compared without letter case.
    public var secrets: PolicySecrets
    /// Switches for undocumented engine behaviour.
    public var switches: EngineSwitches
    /// How long a call-out to an identity provider may take; the production figure is not documented. Calls of RESTful
    /// profiles have the switches' `restTimeout`.
    public var calloutTimeout: TimeSpan
    /// Phone numbers that ring without anybody answering.
    public var unansweredPhones: [String]

    public init(
        tenantDomain: String, tenantID: GUID, secrets: PolicySecrets = PolicySecrets(),
        switches: EngineSwitches = EngineSwitches(), calloutTimeout: TimeSpan = .seconds(30),
        unansweredPhones: [String] = []
    ) {
        self.tenantDomain = tenantDomain
        self.tenantID = tenantID
        self.secrets = secrets
        self.switches = switches
        self.calloutTimeout = calloutTimeout
        self.unansweredPhones = unansweredPhones
    }
}

/// Secrets of the tenant's key containers. A name that was not given has a made-up, stable secret.
public struct PolicySecrets: Sendable {
    private var byName: [String: String] = [:]
    private var inactive: Set<String> = []

    public init() {}

    /// - Parameter inactive: Key containers none of whose keys is active now.
    public init(_ secrets: [(name: String, secret: String)], inactive: [String] = []) {
        for (name, secret) in secrets { byName[name.lowercased()] = secret }
        self.inactive = Set(inactive.map { $0.lowercased() })
    }

    /// Whether the container of this storage reference id exists and none of its keys is active.
    public func isInactive(_ name: String) -> Bool { !inactive.isEmpty && inactive.contains(name.lowercased()) }

    /// Whether the tenant file gives this key.
    public func has(_ name: String) -> Bool { byName[name.lowercased()] != nil }

    /// The secret of this storage reference id.
    public func secret(_ name: String) -> String {
        byName[name.lowercased()] ?? "made-up-" + GUID.derived(from: "policy key " + name.lowercased()).description
    }
}

/// Behaviour that no documentation settles.
public typealias EngineSwitches = PolicyDefaults
