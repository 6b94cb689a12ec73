import Exploration
import JSON
import ScenarioRunner
import TrustFramework

/// What a sign-in checked before it ended in a token.
package enum SignInProof: String, CaseIterable, Hashable, Sendable {
    case secondFactor = "second factor"
    case code = "code by message"
    case password

    /// In the columns of a report: with the proof, and without it.
    var words: (with: String, without: String) {
        switch self {
        case .secondFactor: ("second factor", "no second factor")
        case .code: ("a code verifies the address", "the address is not verified")
        case .password: ("the password is checked", "the password is not checked")
        }
    }
}

/// What two states of a policy do on one path, as far as a plan needs it.
package struct RecordedPath {
    /// What sets the person apart.
    var person: String
    /// What only the old policy checks before it issues a token, where both issue one.
    var lost: Set<SignInProof> = []
    /// Whether it is lost when the person comes for the first time.
    var losesAtOnce = false
    /// The new policy issues a token without a second factor where the old one issues none.
    var isNewWithoutFactor = false
    /// Steps of journeys at which the two part, as `UserJourney NAME` or `SubJourney NAME` and the order.
    var parting: [(journey: String, step: Int)] = []
    /// What the new policy played.
    var scenario: JSONObject
}

/// Records the paths of a comparison.
package final class PathRecorder {
    private let old: ResolvedPolicy
    private let new: ResolvedPolicy
    private(set) var paths: [String: RecordedPath] = [:]
    /// Names of paths in the order in which they were run.
    private(set) var order: [String] = []
    /// What sets people apart, each once, in the order in which they came.
    private(set) var people: [String] = []
    /// Those of them who get a token of the new policy.
    private var customers: [String] = []
    /// Whether some path of the old policy proves a second factor.
    private(set) var oldHasFactor = false

    init(old: ResolvedPolicy, new: ResolvedPolicy) {
        self.old = old
        self.new = new
    }

    func record(_ path: PolicyComparison.ComparedPath) {
        var recorded = RecordedPath(person: path.script.person, scenario: path.scenario)
        var visits = 0
        for (one, other) in zip(path.old.steps, path.new.steps) {
            guard let before = one.outcome, let after = other.outcome, one.verb == "acquireToken" else { continue }
            visits += 1
            let hadToken = Self.hasToken(before)
            let proofs = Self.proofs(before, old)
            if hadToken, proofs.contains(.secondFactor) { oldHasFactor = true }
            if Self.hasToken(after) {
                let kept = Self.proofs(after, new)
                if hadToken, !proofs.isSubset(of: kept) {
                    recorded.losesAtOnce = recorded.losesAtOnce || visits == 1
                    recorded.lost.formUnion(proofs.subtracting(kept))
                }
                if !customers.contains(recorded.person) { customers.append(recorded.person) }
                if !hadToken, !kept.contains(.secondFactor) { recorded.isNewWithoutFactor = true }
            }
            if recorded.parting.isEmpty { recorded.parting = Self.parting(before, after) }
        }
        paths[path.script.name] = recorded
        order.append(path.script.name)
        if !people.contains(recorded.person) { people.append(recorded.person) }
    }

    /// What only the old policy checks on some of these paths.
    func lost(_ names: [String]) -> Set<SignInProof> {
        names.reduce(into: []) { $0.formUnion(paths[$1]?.lost ?? []) }
    }

    /// Who goes these ways, in words.
    ///
    /// - Parameter step: The step of the first of them that shows what they notice.
    func who(_ names: [String], step: Int) -> String {
        let losing = names.filter { !(paths[$0]?.lost.isEmpty ?? true) }
        let first = losing.filter { paths[$0]?.losesAtOnce ?? false }
        guard !first.isEmpty else {
            let when = names.first.flatMap { paths[$0] }.map { Self.when($0.scenario, step) } ?? ""
            return words(people(of: names)) + when
        }
        // The first visit counts; others may notice it when they come again.
        let now = people(of: first)
        let isMore = people(of: losing).contains { !now.contains($0) }
        return words(now) + (isMore ? "; others at a later visit" : "")
    }

    private func people(of names: [String]) -> [String] {
        var found: [String] = []
        for name in names {
            guard let person = paths[name]?.person, !person.isEmpty, !found.contains(person) else { continue }
            found.append(person)
        }
        return found
    }

    private func words(_ found: [String]) -> String {
        if found.isEmpty || found.count == people.count { return "everybody" }
        if !customers.isEmpty, customers.allSatisfy(found.contains) { return "everybody" }
        return found.prefix(2).joined(separator: "; ") + (found.count > 2 ? "; \(found.count - 2) more" : "")
    }

    /// When a step happens, if it is not the first sign-in.
    private static func when(_ scenario: JSONObject, _ step: Int) -> String {
        let steps = scenario["steps"]?.arrayValue ?? []
        guard steps.indices.contains(step) else { return "" }
        if steps[step]["acquireTokenSilent"] != nil { return ", at a refresh" }
        if steps[step]["signOut"] != nil { return ", at the sign-out" }
        return steps[..<step].contains { $0["acquireToken"] != nil } ? ", at a later visit" : ""
    }

    private static func hasToken(_ outcome: JSONValue) -> Bool {
        outcome["result", "idToken"] != nil || outcome["result", "accessToken"] != nil
    }

    private static func proofs(_ outcome: JSONValue, _ policy: ResolvedPolicy) -> Set<SignInProof> {
        var proofs: Set<SignInProof> = []
        for entry in outcome["trace"]?.arrayValue ?? [] {
            guard entry["transformation"] == nil, entry["error"] == nil, entry["skipped"] == nil,
                let profile = entry["profile"]?.stringValue.flatMap({ policy.profile($0) }).map({ policy[$0] })
            else { continue }
            let operation = (profile.metadata["Operation"] ?? "").lowercased()
            switch profile.handler {
            case .phoneFactor: proofs.insert(.secondFactor)
            case .azureMfa where operation.hasPrefix("verify"): proofs.insert(.secondFactor)
            case .oneTimePassword where operation.hasPrefix("verify"): proofs.insert(.code)
            case .passwordSignIn: proofs.insert(.password)
            default: break
            }
        }
        let hasCode = (outcome["messages"]?.arrayValue ?? []).contains { message in
            message["kind"] == "email" && !(message["code"]?.stringValue ?? "").isEmpty
        }
        if hasCode { proofs.insert(.code) }
        return proofs
    }

    /// The first steps of the journeys that do not agree: the old policy's and the new one's.
    private static func parting(_ old: JSONValue, _ new: JSONValue) -> [(journey: String, step: Int)] {
        struct Ran: Equatable {
            var journey: String
            var step: Int
            var ran: Bool
        }
        func steps(_ outcome: JSONValue) -> [Ran] {
            (outcome["trace"]?.arrayValue ?? []).compactMap { entry in
                guard let journey = entry["journey"]?.stringValue, let step = entry["step"]?.intValue,
                    let ran = entry["ran"]?.boolValue
                else { return nil }
                return Ran(journey: journey, step: Int(step), ran: ran)
            }
        }
        let (before, after) = (steps(old), steps(new))
        let common = zip(before, after).prefix { $0 == $1 }.count
        return [before.dropFirst(common).first, after.dropFirst(common).first].compactMap { step in
            step.map { ($0.journey, $0.step) }
        }
    }
}
