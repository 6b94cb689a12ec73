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
        guard let policy = turns.first?.call.policy else { return [] }
        var list = TurnItemList(policy: policy)
        for turn in turns { list.add(turn) }
        return list.ended()
    }
}

/// The items of turns as they come. Transformations wait for the record of their technical profile, which comes after its
/// input transformations and before its output transformations.
private struct TurnItemList {
    let policy: ResolvedPolicy
    private var items: [TurnItem] = []
    private var waiting: [TraceEntry.TransformationTrace] = []

    init(policy: ResolvedPolicy) { self.policy = policy }

    /// Adds a turn: the beginnings of steps are between its records.
    mutating func add(_ turn: JourneyTurn) {
        var begun = turn.begun[...]
        for place in 0...turn.trace.count {
            while let next = begun.first, next.entries <= place {
                flush()
                items.append(.began(next))
                begun = begun.dropFirst()
            }
            if place < turn.trace.count { add(turn.trace[place]) }
        }
    }

    /// Everything, with what still waits.
    mutating func ended() -> [TurnItem] {
        flush()
        return items
    }

    private mutating func add(_ entry: TraceEntry) {
        switch entry {
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

    private mutating func flush() {
        if let first = waiting.first { items.append(group(first.profile, nil)) }
    }

    /// A technical profile with the transformations that wait for it.
    private mutating func group(_ id: String, _ trace: TraceEntry.ProfileTrace?) -> TurnItem {
        let profile = policy.profile(id).map { policy[$0] }
        var group = TurnItem.ProfileGroup(profile: profile, id: id, trace: trace)
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

    private func isInput(_ trace: TraceEntry.TransformationTrace, of profile: TechnicalProfile?) -> Bool {
        profile?.inputTransformations.contains { policy[$0].id == trace.transformation } ?? false
    }

    private func isOutputOfLast(_ trace: TraceEntry.TransformationTrace) -> Bool {
        guard waiting.isEmpty, case .profile(let last)? = items.last, last.trace != nil, last.id == trace.profile
        else { return false }
        return last.profile?.outputTransformations.contains { policy[$0].id == trace.transformation } ?? false
    }
}
