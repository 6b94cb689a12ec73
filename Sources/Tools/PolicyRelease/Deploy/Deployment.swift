import Determinism

/// A deployment as it proceeds: it says what to do next, and takes what became of it.
///
/// Each write follows a look at the policy. If the tenant has the new policy already, the step is done; if it has the one
/// from before, the write is sent; anything else was somebody else, and the deployment stops. Since a lost answer, an
/// error of the service and a process that was stopped all lead to the same look, nothing is written twice without one.
public struct Deployment: Sendable {
    /// What to do next.
    public enum Action: Sendable {
        /// Write ``Deployment/record`` into the journal. Only then may the next action be taken.
        case save
        /// Read a policy from the tenant.
        case read(String)
        /// Upload a policy.
        case upload(String, [UInt8])
        /// Delete a policy.
        case delete(String)
        /// Wait for so long.
        case wait(TimeSpan)
        /// Nothing: it has come to an end.
        case end(End)
    }

    /// What became of an action.
    public enum Answer: Sendable {
        /// It was done.
        case done
        /// The tenant's policy; `nil`: it does not have it.
        case policy([UInt8]?)
        /// The service refused it, or did not answer.
        case problem(PolicyGraphProblem)
    }

    /// How it ended.
    public enum End: Sendable {
        /// Everything is live.
        case live
        /// The service refused a policy.
        case refused(String, ServiceRefusal)
        /// A policy is neither as before nor as after: somebody else changed it.
        case changed(String)
        /// The service took a policy and returns a different one.
        case different(String)
        /// All attempts to write a policy were without effect; `nil`: the service said that it took them.
        case ineffective(String, PolicyGraphProblem?)
        /// A policy cannot be read, so its state is not known.
        case unreadable(String, PolicyGraphProblem)
    }

    /// How often one run sends a write.
    public static let mostSends = 3

    private indirect enum Phase: Sendable {
        case looking
        case writing
        case saving(Phase)
        case waiting(TimeSpan)
        case ended(End)
    }

    /// What the journal has to say.
    public private(set) var record: DeploymentRecord
    private let contents: [String: [UInt8]]
    /// The index of the step in work.
    private var current: Int
    /// That of the step that follows once the journal is written.
    private var following: Int?
    private var phase: Phase
    /// How often this run has sent the write of the step.
    private var sends = 0
    /// Whether the service took the last write.
    private var isTaken = false
    /// What went wrong with the last write.
    private var problem: PolicyGraphProblem?

    /// Begins, or goes on where a process was stopped.
    ///
    /// - Parameters:
    ///   - record: Steps that are live are passed over.
    ///   - contents: What is uploaded, by the ids of the steps.
    /// - Returns: `nil` if a content is missing or has another digest than its step.
    public init?(_ record: DeploymentRecord, contents: [String: [UInt8]]) {
        for step in record.steps where step.state != .live {
            guard let digest = step.after else { continue }
            guard let bytes = contents[step.id], PolicyMeaning.digest(bytes) == digest else { return nil }
        }
        self.record = record
        self.contents = contents
        if let first = record.steps.firstIndex(where: { $0.state != .live }) {
            current = first
            phase = .looking
        } else {
            current = max(record.steps.count - 1, 0)
            self.record.isFinished = true
            phase = .saving(.ended(.live))
        }
    }

    /// What to do next.
    public var next: Action {
        switch phase {
        case .looking: return .read(record.steps[current].id)
        case .writing:
            let step = record.steps[current]
            return step.after == nil ? .delete(step.id) : .upload(step.id, contents[step.id] ?? [])
        case .saving: return .save
        case .waiting(let span): return .wait(span)
        case .ended(let end): return .end(end)
        }
    }

    /// The step in work; `nil`: there is nothing to do.
    public var step: DeploymentStep? { record.steps.isEmpty ? nil : record.steps[current] }

    /// Takes what became of ``next``.
    public mutating func take(_ answer: Answer) {
        switch (phase, answer) {
        case (.looking, .policy(let bytes)):
            look(bytes.map { PolicyMeaning.digest($0) }, for: record.steps[current])
        case (.looking, .problem(let problem)): phase = .ended(.unreadable(record.steps[current].id, problem))
        case (.writing, .problem(let problem)): take(problem, of: record.steps[current])
        case (.writing, _):
            (isTaken, problem, phase) = (true, nil, .looking)
        case (.saving(let after), _):
            phase = after
            if let following { (current, self.following) = (following, nil) }
        case (.waiting, _): phase = .looking
        case (.looking, .done), (.ended, _): break
        }
    }

    private mutating func look(_ digest: String?, for step: DeploymentStep) {
        if digest == step.after { return goOn() }
        guard digest == step.before else {
            // What the service made of an upload is this deployment's own: a rollback replaces it.
            if isTaken { record.steps[current].after = digest }
            return stop(.changed, isTaken ? .different(step.id) : .changed(step.id))
        }
        if isTaken, sends < Self.mostSends {
            // A copy of the service may not have the write yet: it gets a moment before the policy is sent again.
            (isTaken, phase) = (false, .waiting(Self.pause(sends)))
            return
        }
        guard sends < Self.mostSends else {
            phase = .ended(.ineffective(step.id, problem))
            return
        }
        sends += 1
        record.steps[current].sends += 1
        record.steps[current].state = .sending
        phase = .saving(.writing)
    }

    private mutating func goOn() {
        record.steps[current].state = .live
        (sends, isTaken, problem) = (0, false, nil)
        guard let next = record.steps.indices.first(where: { $0 > current && record.steps[$0].state != .live }) else {
            record.isFinished = true
            phase = .saving(.ended(.live))
            return
        }
        // What is live is in the journal before anything else is asked of the service.
        phase = .saving(.looking)
        following = next
    }

    private mutating func stop(_ state: DeploymentStep.State, _ end: End) {
        record.steps[current].state = state
        record.isFinished = true
        phase = .saving(.ended(end))
    }

    /// A write that was not done, or of which that is not known.
    private mutating func take(_ problem: PolicyGraphProblem, of step: DeploymentStep) {
        isTaken = false
        self.problem = problem
        switch problem {
        case .azure: phase = .looking
        case .refused(let refusal, _):
            if refusal.isBusy {
                phase = .waiting(refusal.retryAfter ?? Self.pause(sends))
            } else if refusal.isOutcomeUnknown || refusal.status >= 500 || refusal.status == 404 && step.after == nil {
                phase = .looking
            } else {
                stop(.refused, .refused(step.id, refusal))
            }
        }
    }

    /// 2, 4, 8 seconds.
    private static func pause(_ number: Int) -> TimeSpan { .seconds(Int64(1) << Int64(min(max(number, 1), 5))) }
}

extension ServiceRefusal {
    /// Whether the same write may be taken later: too many requests, and a second write to an object at the same time.
    fileprivate var isBusy: Bool { status == 429 || isThrottled || isParallelWrite }
}
