import Determinism
import Journeys
import TrustFramework

/// What happened in the turns of one request, in order, with the transformations of a technical profile beside it.
enum TurnItem {
    /// A step began to run.
    case began(JourneyTurn.Beginning)
    /// A step was skipped.
    case skipped(TraceEntry.StepTrace)
    /// A step that had begun was left.
    case left(TraceEntry.StepTrace)
    case profile(ProfileGroup)

    /// A technical profile with its claims transformations.
    struct ProfileGroup {
        var profile: TechnicalProfile?
        /// Id of the profile.
        var id: String
        /// Its record; `nil` while a page is opened, waits or is left.
        var trace: TraceEntry.ProfileTrace?
        var inputs: [TraceEntry.TransformationTrace] = []
        var outputs: [TraceEntry.TransformationTrace] = []
    }

    static func items(of turns: [JourneyTurn]) -> [TurnItem] {
        var items: [TurnItem] = []
        guard let policy = turns.first?.call.policy else { return items }
        var waiting: [TraceEntry.TransformationTrace] = []

        func isInput(_ trace: TraceEntry.TransformationTrace, of profile: TechnicalProfile?) -> Bool {
            profile?.inputTransformations.contains { policy[$0].id == trace.transformation } ?? false
        }
        func group(_ id: String, _ trace: TraceEntry.ProfileTrace?) -> TurnItem {
            let profile = policy.profile(id).map { policy[$0] }
            var group = ProfileGroup(profile: profile, id: id, trace: trace)
            // What precedes the record of a page that was posted is the result of the post.
            let isPosted = trace != nil && trace?.skipped == nil && profile?.handler.showsPage == true
            for transformation in waiting {
                if !isPosted, isInput(transformation, of: profile) {
                    group.inputs.append(transformation)
                } else {
                    group.outputs.append(transformation)
                }
            }
            waiting = []
            return .profile(group)
        }
        func flush() {
            if let first = waiting.first { items.append(group(first.profile, nil)) }
        }
        func isOutputOfLast(_ trace: TraceEntry.TransformationTrace) -> Bool {
            guard waiting.isEmpty, case .profile(let last)? = items.last, last.trace != nil, last.id == trace.profile
            else { return false }
            return last.profile?.outputTransformations.contains { policy[$0].id == trace.transformation } ?? false
        }

        for turn in turns {
            var begun = turn.begun[...]
            for place in 0...turn.trace.count {
                while let next = begun.first, next.entries <= place {
                    flush()
                    items.append(.began(next))
                    begun = begun.dropFirst()
                }
                guard place < turn.trace.count else { break }
                switch turn.trace[place] {
                case .step(let step):
                    flush()
                    items.append(step.ran ? .left(step) : .skipped(step))
                case .profile(let trace):
                    if let first = waiting.first, first.profile != trace.profile { flush() }
                    items.append(group(trace.profile, trace))
                case .transformation(let trace):
                    if isOutputOfLast(trace), case .profile(var last)? = items.last {
                        last.outputs.append(trace)
                        items[items.count - 1] = .profile(last)
                    } else {
                        if let first = waiting.first, first.profile != trace.profile { flush() }
                        waiting.append(trace)
                    }
                }
            }
        }
        flush()
        return items
    }
}
