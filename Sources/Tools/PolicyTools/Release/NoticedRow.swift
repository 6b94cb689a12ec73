import Diagnostics
import JSON
import ScenarioRunner
import TrustFramework

/// One line of a plan: who notices what, and why.
package struct NoticedRow {
    var policy: String
    var who: String
    var before: String
    var after: String
    var kinds: Set<ChangeKind> = []
    /// What causes it: one difference, or a few candidates.
    var causes: [DifferenceCause] = []
    /// How many paths show it.
    var paths = 0
    /// The acts of one of them.
    var path = ""
    var party: NoticedChange.Observer?
    /// What the new policy plays on that path.
    var scenario: JSONObject?
    /// The file that repeats the path, and the command; `nil`: none was written.
    var repeated: String?

    var isWeaker: Bool { kinds.contains(.weakerSignIn) }

    /// What the row is about, in a sentence.
    var sentence: String { "\(policy): \(who): \(before) -> \(after)" }

    var because: String? {
        guard let first = causes.first else { return nil }
        guard causes.count > 1 else { return "because \(first.words)" }
        return "because of one of: " + causes.map(\.words).joined(separator: ", ")
    }
}

/// Makes the rows of a policy from its comparison.
package struct NoticedRows {
    let comparison: PolicyComparison
    let recorder: PathRecorder
    let finder: CauseFinder

    /// The weaker sign-ins first.
    var rows: [NoticedRow] {
        var rows = comparison.behaviour.map { row($0) }
        rows = Self.merged(rows + unseen(rows))
        return rows.filter(\.isWeaker) + rows.filter { !$0.isWeaker }
    }

    /// What reads the same is one row: a claim that the ID token and the access token have.
    private static func merged(_ rows: [NoticedRow]) -> [NoticedRow] {
        var merged: [NoticedRow] = []
        for row in rows {
            let place = merged.firstIndex { $0.sentence == row.sentence && $0.because == row.because }
            guard let place else {
                merged.append(row)
                continue
            }
            merged[place].kinds.formUnion(row.kinds)
            merged[place].paths = max(merged[place].paths, row.paths)
        }
        return merged
    }

    private func row(_ entry: PolicyComparison.Behaviour) -> NoticedRow {
        let change = entry.change
        let all = [change] + change.followed
        let isOfWay = Self.ways.contains(change.place)
        let lost = isOfWay ? recorder.lost(entry.runs) : []
        let texts = Self.texts(change, lost: lost)
        var row = NoticedRow(
            policy: comparison.policy, who: recorder.who(entry.runs, step: change.step), before: texts.before,
            after: texts.after)
        row.kinds = kinds(all, lost, entry.runs)
        row.paths = entry.paths
        row.path = entry.path
        row.party = change.party
        // A path that lost something shows more than one that did not.
        let shown = entry.runs.first { !(recorder.paths[$0]?.lost.isEmpty ?? true) } ?? entry.runs.first
        let recorded = shown.flatMap { recorder.paths[$0] }
        row.scenario = recorded?.scenario
        row.causes = finder.causes(of: all, parting: isOfWay ? recorded?.parting ?? [] : [])
        return row
    }

    /// Places of changes of the way that a sign-in takes.
    private static let ways: Set<NoticedPlace> = [.pages, .messages, .end]

    /// Paths that lost a proof, and of which no row says so: no page shows it.
    private func unseen(_ rows: [NoticedRow]) -> [NoticedRow] {
        let seen = Set(
            comparison.behaviour.filter { Self.ways.contains($0.change.place) }.flatMap(\.runs))
        var byProof: [SignInProof: [String]] = [:]
        for name in recorder.order where !seen.contains(name) {
            for proof in recorder.paths[name]?.lost ?? [] { byProof[proof, default: []].append(name) }
        }
        return SignInProof.allCases.compactMap { proof in
            guard let names = byProof[proof], let recorded = recorder.paths[names[0]] else { return nil }
            var row = NoticedRow(
                policy: comparison.policy, who: recorder.who(names, step: 0), before: proof.words.with,
                after: proof.words.without)
            row.kinds = kinds([], [proof], names)
            row.paths = names.count
            row.party = .person
            row.scenario = recorded.scenario
            row.causes = finder.causes(of: [], parting: recorded.parting)
            return row
        }
    }

    private func kinds(_ changes: [NoticedChange], _ lost: Set<SignInProof>, _ runs: [String]) -> Set<ChangeKind> {
        var kinds: Set<ChangeKind> = []
        if !lost.isEmpty { kinds.insert(.weakerSignIn) }
        let isNew = changes.first.map { Self.ways.contains($0.place) } ?? false
        if lost.contains(.secondFactor)
            || isNew && recorder.oldHasFactor
                && runs.contains(where: { recorder.paths[$0]?.isNewWithoutFactor ?? false })
        {
            kinds.insert(.newPathWithoutSecondFactor)
        }
        for change in changes {
            if Self.claim(change) != nil {
                if change.old != nil { kinds.insert(change.new == nil ? .lostClaim : .changedClaim) }
            } else if change.place == .pages, !change.further.isEmpty {
                kinds.insert(.newPage)
            }
        }
        return kinds
    }

    // MARK: Words

    /// The name of a token's claim that a change is about.
    private static func claim(_ change: NoticedChange) -> String? {
        if case .detail(.claim(let name), _) = change.place { name } else { nil }
    }

    /// Before and after, each in a few words.
    static func texts(_ change: NoticedChange, lost: Set<SignInProof>) -> (before: String, after: String) {
        if let claim = claim(change) {
            let others = change.followed.compactMap { Self.claim($0) }.filter { $0 != claim }
            let more = others.isEmpty ? "" : " and \(namesList(others, limit: 3))"
            func words(_ value: JSONValue?) -> String {
                value.map { "claim \(claim) = \(shown($0))" } ?? "claim \(claim) is not sent"
            }
            return (words(change.old) + more, words(change.new) + (change.new == nil ? "" : more))
        }
        let verb: String
        switch change.place {
        case .pages:
            let parts = change.parting
            let proof = SignInProof.allCases.first(where: lost.contains)
            let end = change.followed.first { $0.place == .end }.map { ", then \(ending($0, \.new))" } ?? ""
            let before = parts[0].map { "page \($0)" } ?? "no further page"
            let after = parts[1].map { "page \($0)" } ?? proof?.words.without ?? "no further page"
            return (before, after + end)
        case .end: return (ending(change, \.old), ending(change, \.new))
        case .calls: verb = "calls"
        case .writes: verb = "writes"
        case .messages: verb = "sends"
        case .detail:
            func words(_ value: JSONValue?) -> String {
                "\(change.place.text): \(value.map { shown($0) } ?? "nothing")"
            }
            return (words(change.old), words(change.new))
        }
        func words(_ list: [String]) -> String { list.isEmpty ? "-" : "\(verb) \(namesList(list, limit: 2))" }
        if change.gone.isEmpty, change.further.isEmpty { return ("\(verb) in an order", "\(verb) in another order") }
        return (words(change.gone), words(change.further))
    }

    /// How a path ends, with the code of an error.
    private static func ending(_ change: NoticedChange, _ side: KeyPath<NoticedChange, JSONValue?>) -> String {
        let words = change[keyPath: side]?.stringValue ?? "nothing"
        let place = NoticedPlace.detail(.member("b2cCode"), of: .error)
        let code = change.followed.first { $0.place == place }?[keyPath: side]?.stringValue
        return words == "an error" ? code.map { "error \($0)" } ?? words : words
    }

    private static func shown(_ value: JSONValue) -> String {
        let text = value.stringValue.map { "\"\($0)\"" } ?? JSONWriter.compact(value)
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        return line.count > 60 ? line.prefix(57) + "..." : line
    }
}
