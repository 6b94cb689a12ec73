import Exchanges
import JSON
import Verbs

/// Whether an expectation accepts every ending of a step, as far as it says how the step ends: `{"$any": [{"result": {}},
/// {"error": {}}]}` of a call that is never pending.
struct EndingReach {
    /// The members of an outcome of which exactly one is present.
    private let endings: [String]

    init(of verb: Verb) {
        endings = ["result", "error"] + (verb.takesUser ? ["pending"] : [])
    }

    /// Whether the expectation holds however the step ends.
    func holdsAlways(_ expectation: JSONValue) -> Bool {
        expectation.objectValue?.isEmpty == false && endings.allSatisfy { passes(expectation, $0) }
    }

    /// Whether the expectation fails however the step ends.
    func holdsNever(_ expectation: JSONValue) -> Bool { endings.allSatisfy { fails(expectation, $0) } }

    /// Whether every outcome that ends so passes.
    private func passes(_ expectation: JSONValue, _ ending: String) -> Bool {
        guard case .object(let object) = expectation else { return false }
        return object.members.allSatisfy { name, argument in
            switch MatcherTest(rawValue: name) {
            case .not: return fails(argument, ending)
            case .all: return argument.arrayValue?.allSatisfy { passes($0, ending) } ?? false
            case .any: return argument.arrayValue?.contains { passes($0, ending) } ?? false
            default: break
            }
            switch presence(name, argument) {
            case .present: return name == ending
            case .absent: return name != ending
            case .particular, nil: return false
            }
        }
    }

    /// Whether no outcome that ends so passes.
    private func fails(_ expectation: JSONValue, _ ending: String) -> Bool {
        guard case .object(let object) = expectation else { return false }
        return object.members.contains { name, argument in
            switch MatcherTest(rawValue: name) {
            case .not: return passes(argument, ending)
            case .all: return argument.arrayValue?.contains { fails($0, ending) } ?? false
            case .any: return argument.arrayValue?.allSatisfy { fails($0, ending) } ?? false
            default: break
            }
            switch presence(name, argument) {
            case .present, .particular: return name != ending
            case .absent: return name == ending
            case nil: return false
            }
        }
    }

    private enum Presence {
        /// Only the ending matters.
        case present, absent
        /// The ending, with more that must match.
        case particular
    }

    /// What a member says of the ending; `nil` for members that every ending can have.
    private func presence(_ name: String, _ argument: JSONValue) -> Presence? {
        guard ["result", "error", "pending"].contains(name) else { return nil }
        guard let object = argument.objectValue else { return Interpolation.isNeeded(in: argument) ? nil : .particular }
        if object.isEmpty { return .present }
        guard object.count == 1 else { return object[MatcherTest.exists.rawValue] == false ? nil : .particular }
        switch (object.members[0].key, object.members[0].value) {
        case (MatcherTest.exists.rawValue, true), (MatcherTest.type.rawValue, "object"): return .present
        case (MatcherTest.exists.rawValue, false): return .absent
        // Alternatives may accept an absent ending.
        case (let key, _) where key.hasPrefix("$"): return nil
        default: return .particular
        }
    }
}
