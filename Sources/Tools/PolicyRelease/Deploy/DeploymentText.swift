import Diagnostics

extension DeploymentRecord {
    /// What is live now, such as "2 of 5 are live: A and B. C was refused, D and E keep their old state."
    public var progress: String {
        func ids(_ state: DeploymentStep.State) -> [String] { steps.filter { $0.state == state }.map(\.id) }
        let done = ids(.live)
        let word = steps.contains { $0.after == nil } ? "done" : "live"
        let isOne = done.count == 1
        let names = done.isEmpty ? "" : ": " + namesList(done)
        var text = "\(done.count) of \(steps.count) \(isOne ? "is" : "are") \(word)\(names)."
        var rest: [String] = []
        func add(_ state: DeploymentStep.State, _ one: String, _ many: String) {
            let ids = ids(state)
            if !ids.isEmpty { rest.append("\(namesList(ids)) \(ids.count == 1 ? one : many)") }
        }
        add(.refused, "was refused", "were refused")
        add(.changed, "has other content", "have other content")
        add(.sending, "was sent, and its state is not known", "were sent, and their state is not known")
        add(.planned, "keeps its old state", "keep their old state")
        if !rest.isEmpty { text += " " + rest.joined(separator: ", ") + "." }
        return text
    }

    /// The same deployment with the states that a tenant shows.
    public func looked(at tenant: TenantSnapshot) -> DeploymentRecord {
        var record = self
        for place in steps.indices {
            let digest = tenant.digest(steps[place].id)
            record.steps[place].state =
                digest == steps[place].after ? .live : digest == steps[place].before ? .planned : .changed
        }
        return record
    }

    /// The last line of a deployment that did all of it.
    ///
    /// - Parameter isCached: Whether the service caches the policies.
    public func success(isCached: Bool) -> String {
        func count(_ number: Int, _ verb: (one: String, many: String)) -> String {
            number == 1 ? "1 policy \(verb.one)" : "\(number) policies \(verb.many)"
        }
        guard !steps.isEmpty else { return "The tenant has this state already." }
        let written = steps.count { $0.after != nil }
        let deleted = steps.count - written
        let verb = kind == .rollback ? ("is restored", "are restored") : ("is live", "are live")
        var parts: [String] = []
        if written > 0 { parts.append(count(written, verb)) }
        if deleted > 0 { parts.append(count(deleted, ("was deleted", "were deleted"))) }
        let cache = " Sign-ins may see the old ones for up to 30 minutes."
        return parts.joined(separator: ", ") + "." + (isCached ? cache : "")
    }

    /// The policies of a staged deployment that apps can call, with their names in use.
    ///
    /// - Parameter contents: What was uploaded, by id.
    public func renamings(_ contents: [String: [UInt8]]) -> [(id: String, staged: String)] {
        guard kind == .staged, let prefix else { return [] }
        return steps.compactMap { step in
            guard let bytes = contents[step.id], PolicyOutline(bytes)?.isRelyingParty ?? false else { return nil }
            return ("B2C_1A_" + step.id.dropFirst(StagedRelease.name("", prefix: prefix).count), step.id)
        }
    }

    /// How it ended, what is live, and what can be done now; for the end ``Deployment/End/live`` what is live.
    public func sentence(_ end: Deployment.End) -> String {
        let undo = steps.contains(where: \.mayHaveChanged) && kind != .rollback
        let rollback = undo ? " Undo: b2c policy deploy --rollback" : ""
        let goOn = " Go on: b2c policy deploy --resume." + rollback
        func sentence(_ problem: PolicyGraphProblem) -> String {
            let text = problem.description
            return text.hasSuffix(".") ? text : text + "."
        }
        switch end {
        case .live: return progress
        case .refused: return progress + rollback
        case .changed(let id):
            return
                "\(id) in the tenant is neither what it was nor what it is to be: somebody else changed it. \(progress) "
                + "See what it is now: b2c policy plan." + rollback
        case .different(let id):
            let file = steps.first { $0.id == id }?.file.map { " with \($0)" } ?? ""
            return "The service took \(id) and returns a different policy. \(progress) Compare what it has\(file): "
                + "b2c policy pull." + rollback
        case .ineffective(let id, let problem):
            let reason =
                problem.map { "The last attempt: \(sentence($0))" } ?? "The service answered that it took the policy."
            return "\(id) was sent \(Deployment.mostSends) times without effect. \(reason) \(progress)" + goOn
        case .unreadable(let id, let problem):
            return "\(id) cannot be read, so its state is not known. \(sentence(problem)) \(progress)" + goOn
        }
    }
}
