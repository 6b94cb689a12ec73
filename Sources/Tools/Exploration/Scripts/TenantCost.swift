import JSON
import TrustFramework

/// How many requests Azure AD B2C counts for a sign-in, and how many sign-ins a second its limit allows.
///
/// "Microsoft docs: service-limits" lists what a custom policy costs at the authorization endpoint by feature, one request
/// for a token, and the limits of a tenant and of an address. It does not say what a page costs that refuses and is posted
/// again, or a code that is sent twice: both count once here (inferred). A page that only offers identity providers is not
/// in its list and counts nothing (inferred).
public struct TenantCost: Sendable, Hashable {
    /// Something that costs requests.
    public enum CostedFeature: String, Sendable, Hashable, CaseIterable, Comparable {
        case selfAsserted, phoneFactor, verification, identityProvider, token

        /// Requests for each.
        public var requests: Int {
            switch self {
            case .selfAsserted, .verification, .identityProvider: 2
            case .phoneFactor: 4
            case .token: 1
            }
        }

        /// For people.
        public var title: String {
            switch self {
            case .selfAsserted: "self-asserted pages"
            case .phoneFactor: "phone factor"
            case .verification: "verification"
            case .identityProvider: "identity providers"
            case .token: "the token endpoint"
            }
        }

        public static func < (a: CostedFeature, b: CostedFeature) -> Bool {
            (allCases.firstIndex(of: a) ?? 0) < (allCases.firstIndex(of: b) ?? 0)
        }
    }

    /// A feature with what has it: a technical profile, a display control, an endpoint.
    public struct Part: Sendable, Hashable {
        public var feature: CostedFeature
        public var name: String

        public init(_ feature: CostedFeature, _ name: String) {
            self.feature = feature
            self.name = name
        }
    }

    /// Requests a second that a tenant answers.
    public static let requestsPerSecond = 200
    /// Requests that a tenant answers one address in five minutes.
    public static let requestsPerAddress = 6000
    /// Where the numbers come from.
    public static let source = "https://learn.microsoft.com/azure/active-directory-b2c/service-limits"

    /// What the sign-in used, each once, in the order of use.
    public private(set) var parts: [Part] = []

    public init() {}

    /// The cost of a sign-in from the document of its outcome.
    ///
    /// - Parameter outcome: What a step ended in, with its logs of requests, pages and the trace.
    public init(outcome: JSONValue, policy: ResolvedPolicy) {
        for page in outcome["pages"]?.arrayValue ?? [] {
            if let id = page["technicalProfile"]?.stringValue { addPage(id, policy) }
        }
        for request in outcome["requests"]?.arrayValue ?? [] {
            switch request["endpoint"]?.stringValue {
            case "page":
                let path = request["path"]?.stringValue ?? request["url"]?.stringValue ?? ""
                let words = path.split { "/?".contains($0) }.map(String.init)
                if let place = words.firstIndex(of: "DisplayControlAction"), words.indices.contains(place + 3) {
                    add(.verification, words[place + 2])
                } else if request["form", "request_type"] == "VERIFICATION_REQUEST",
                    let claim = request["form", "claim_id"]?.stringValue
                {
                    add(.verification, claim)
                }
            case "token" where request["from"] == "client":
                let count = parts.count { $0.feature == .token }
                add(.token, count == 0 ? "token" : "token \(count + 1)")
            default: break
            }
        }
        for entry in outcome["trace"]?.arrayValue ?? [] where entry["skipped"] == nil {
            guard let id = entry["profile"]?.stringValue, entry["transformation"] == nil,
                let handle = policy.profile(id), policy[handle].handler.isFederation
            else { continue }
            add(.identityProvider, policy[handle].id)
        }
    }

    mutating func add(_ feature: CostedFeature, _ name: String) {
        let part = Part(feature, name)
        if !parts.contains(part) { parts.append(part) }
    }

    /// A page of a technical profile was shown.
    mutating func addPage(_ id: String, _ policy: ResolvedPolicy) {
        guard let handle = policy.profile(id) else { return }
        switch policy[handle].handler {
        case .selfAsserted: add(.selfAsserted, policy[handle].id)
        case .phoneFactor: add(.phoneFactor, policy[handle].id)
        default: break
        }
    }

    /// Requests that the service counts.
    public var requests: Int { parts.reduce(0) { $0 + $1.feature.requests } }

    /// Sign-ins of this kind a second, at most, where the tenant does nothing else; rounded down, small numbers to one digit.
    public var perSecond: String {
        guard requests > 0 else { return "any number of" }
        let tenths = Self.requestsPerSecond * 10 / requests
        return tenths % 10 == 0 || tenths >= 100 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }

    /// `2 for self-asserted pages (SelfAsserted-Email), 1 for the token endpoint`: what costs how much.
    public var words: String {
        CostedFeature.allCases.compactMap { feature in
            let own = parts.filter { $0.feature == feature }
            guard !own.isEmpty else { return nil }
            let names = feature == .token ? "" : " (\(own.map(\.name).joined(separator: ", ")))"
            return "\(own.count * feature.requests) for \(feature.title)\(names)"
        }.joined(separator: ", ")
    }

    /// The limits, with their source.
    public static var limits: String {
        "limits of a tenant: \(requestsPerSecond) requests a second, \(requestsPerAddress) in 5 minutes from one address; "
            + source
    }

    /// The same for a program.
    public var json: JSONValue {
        [
            "requests": .integer(Int64(requests)),
            "tokensPerSecond": requests > 0
                ? .number(Double(Self.requestsPerSecond * 10 / requests) / 10) : .null,
            "parts": .array(
                parts.map { part in
                    [
                        "feature": .string(part.feature.rawValue), "name": .string(part.name),
                        "requests": .integer(Int64(part.feature.requests)),
                    ]
                }),
        ]
    }

    /// The limits for a program.
    public static var limitsJSON: JSONValue {
        [
            "requestsPerSecond": .integer(Int64(requestsPerSecond)),
            "requestsPerAddressIn5Minutes": .integer(Int64(requestsPerAddress)), "source": .string(source),
        ]
    }
}

extension Exploration {
    /// The cost of a kind of path that ends in a token.
    public struct PathCost: Sendable {
        public var cost: TenantCost
        /// The shortest path of the kind, in words.
        public var path: String
    }

    /// What paths that end in a token cost, one for each set of features, fewest requests first. Of people who come again
    /// only what follows counts: each sign-in is one.
    public var costs: [PathCost] {
        var known: Set<Set<TenantCost.Part>> = []
        var costs: [PathCost] = []
        // A page that refuses, or another request, is not a separate kind of sign-in.
        for issue in issues where issue.facts.detour == nil && !starts[issue.start].isExtra {
            let cost = cost(issue.trail)
            guard known.insert(Set(cost.parts)).inserted else { continue }
            costs.append(PathCost(cost: cost, path: told(issue.trail)))
        }
        let order = costs.indices.sorted { (costs[$0].cost.requests, $0) < (costs[$1].cost.requests, $1) }
        return order.map { costs[$0] }
    }

    private func cost(_ trail: Int) -> TenantCost {
        var steps: [PathStep] = []
        var place: Int? = trail
        while let index = place {
            steps.append(self.trail[index])
            if self.trail[index].start != nil { break }
            place = self.trail[index].parent
        }
        var cost = TenantCost()
        for step in steps.reversed() {
            for act in step.script {
                switch act {
                case .page(.technicalProfile(let id), _, let press):
                    cost.addPage(id, policy)
                    let isPhone = policy.profile(id).map { policy[$0].handler == .phoneFactor } ?? false
                    if press == "sendCode", !isPhone { cost.add(.verification, Self.subject(step.words) ?? id) }
                case .code(.technicalProfile(let id)): cost.addPage(id, policy)
                case .provider(let profile, _): cost.add(.identityProvider, profile)
                default: break
                }
            }
        }
        cost.add(.token, "token")
        return cost
    }

    /// What a code is asked for: `email` of `asks for a code for email`.
    private static func subject(_ words: String) -> String? {
        words.split(separator: "a code for ", maxSplits: 1).dropFirst().first.map(String.init)
    }

    /// What a sign-in costs in a tenant, in lines.
    public var costSummary: [String] {
        let costs = costs
        guard let least = costs.first, let most = costs.last else { return [] }
        func line(_ word: String, _ entry: PathCost) -> String {
            "  \(word): \(entry.cost.requests) requests, \(entry.cost.perSecond) a second: \(entry.cost.words)"
        }
        let kinds = "\(costs.count) \(costs.count == 1 ? "kind" : "kinds")"
        var lines = ["cost of a sign-in that ends in a token, \(kinds):"]
        if costs.count == 1 {
            lines.append(line("each", least))
        } else {
            lines += [line("least", least), line("most", most)]
        }
        return lines
    }

    /// The id of the policy that was explored.
    public var policyID: String { policy.id }

    /// The exploration for a program: how much was seen, what cut it, and what sign-ins cost.
    public var json: JSONValue {
        var object: JSONObject = [
            "policy": .string(policy.id), "states": .integer(Int64(states)), "moves": .integer(Int64(moves)),
            "tokens": .integer(Int64(issues.count)), "failedPaths": .integer(Int64(failures)),
            "pages": .integer(Int64(pages.count)), "complete": .bool(cut == nil),
        ]
        object["cut"] = cut.map { .string($0) }
        if cut != nil { object["unvisited"] = .integer(Int64(unvisited)) }
        object["costs"] = .array(
            costs.map { entry in entry.cost.json.merging(patch: ["path": .string(entry.path)]) })
        return .object(object)
    }
}
