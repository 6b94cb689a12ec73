/// A user journey drawn as boxes and arrows: what follows what, and what may be left out.
public struct JourneyGraph: Sendable {
    /// An orchestration step.
    public struct GraphStep: Sendable {
        public var order: Int
        /// `ClaimsExchange`, `SendClaims` ...
        public var type: String
        /// The page it shows, the journey it calls, the issuer it sends claims to.
        public var detail: String
        /// When it is skipped, one condition each, in words: `objectId exists`.
        public var skippedWhen: [String]
        public var boxes: [Box]
    }

    /// A technical profile that a step can run.
    public struct Box: Sendable {
        /// Id of the claims exchange; empty where there is one only and it says nothing.
        public var exchange: String
        public var profile: String
        public var handler: String
        /// Validation technical profiles and display-control actions in order, in words.
        public var lines: [String]
    }

    /// A journey or sub-journey.
    public struct Chart: Sendable {
        public var id: String
        /// `user journey`, `refresh journey`, `sub-journey, call` ...
        public var kind: String
        public var steps: [GraphStep]
    }

    /// Id of the policy.
    public var policy: String
    /// The default journey, those of the relying party's endpoints, then the sub-journeys that they call.
    public var charts: [Chart]

    /// The journeys that the relying party reaches.
    public init(_ policy: ResolvedPolicy) {
        self.policy = policy.id
        var wanted: [(JourneyHandle, String)] = [(policy.relyingParty.defaultJourney, "user journey")]
        for endpoint in policy.relyingParty.endpoints {
            let kind = sameID(endpoint.id, "Token") ? "refresh journey" : "journey of endpoint \(endpoint.id)"
            if !wanted.contains(where: { $0.0 == endpoint.journey }) { wanted.append((endpoint.journey, kind)) }
        }
        var place = 0
        while place < wanted.count {
            for step in policy[wanted[place].0].steps {
                for sub in step.subJourneys where !wanted.contains(where: { $0.0 == sub }) {
                    let type = policy[sub].subJourneyType == .transfer ? "transfer" : "call"
                    wanted.append((sub, "sub-journey, \(type)"))
                }
            }
            place += 1
        }
        charts = wanted.map { handle, kind in
            Chart(id: policy[handle].id, kind: kind, steps: policy[handle].steps.map { Self.step($0, policy) })
        }
    }

    private static func step(_ step: OrchestrationStep, _ policy: ResolvedPolicy) -> GraphStep {
        var detail = step.contentDefinition.map { policy[$0].id } ?? ""
        if let issuer = step.issuer { detail = policy[issuer].id }
        if !step.subJourneys.isEmpty { detail = step.subJourneys.map { policy[$0].id }.joined(separator: ", ") }
        var boxes = step.exchanges.map { box($0.id, policy[$0.profile], policy) }
        // On a combined page the local form is an exchange of the same step, the buttons are those of the next.
        let others = step.selections.filter { selection in
            !step.exchanges.contains { sameID($0.id, selection.id) }
        }
        if !others.isEmpty {
            boxes.append(
                Box(exchange: "", profile: "buttons", handler: "", lines: others.map(\.id)))
        }
        return GraphStep(
            order: step.order, type: step.type.rawValue, detail: detail,
            skippedWhen: step.preconditions.map { words($0, policy) }, boxes: boxes)
    }

    private static func box(_ exchange: String, _ profile: TechnicalProfile, _ policy: ResolvedPolicy) -> Box {
        var lines: [String] = []
        for display in profile.displayClaims {
            guard case .control(let handle) = display.target else { continue }
            for action in policy[handle].actions {
                let ids = action.profiles.map { policy[$0.profile].id }
                lines.append("\(policy[handle].id).\(action.id): \(ids.joined(separator: ", "))")
            }
        }
        for validation in profile.validationProfiles {
            var line = policy[validation.profile].id
            if validation.continueOnError { line += " (may fail)" }
            if !validation.preconditions.isEmpty {
                line += " unless " + validation.preconditions.map { words($0, policy) }.joined(separator: ", or ")
            }
            lines.append("validation: " + line)
        }
        return Box(exchange: exchange, profile: profile.id, handler: profile.handler.name, lines: lines)
    }

    /// When a precondition leaves something out, in words.
    static func words(_ precondition: Precondition, _ policy: ResolvedPolicy) -> String {
        let names = precondition.claims.map { policy[$0].id }
        let list = names.joined(separator: " and ")
        switch precondition.type {
        case .claimsExist:
            if precondition.executeActionsIf { return list + (names.count == 1 ? " exists" : " exist") }
            return names.count == 1 ? list + " is absent" : "one of \(names.joined(separator: ", ")) is absent"
        case .claimEquals:
            return "\(list) \(precondition.executeActionsIf ? "is" : "is not") \(precondition.value ?? "")"
        }
    }
}
