import Exchanges
import JSON
import Scenarios
import Verbs

/// Evaluates an expectation against outcomes that a step did not have.
struct ExpectationProof {
    /// What came of one part.
    enum Answer {
        /// It decides something, or nothing is known that could show the opposite.
        case decides
        /// It holds of everything that was tried; some of that, for the reader.
        case holds(tried: [String])
        /// It holds of everything because of what the step is.
        case never(String)
    }

    private let observation: ProofWatch.Observation
    /// Whether the expectation holds of the outcome that the step had.
    private let holdsAsObserved: Bool
    /// The objects in the expectation that name members and make no tests.
    private let plain: Set<[String]>
    /// Whether a fault of the script changes what is in tokens.
    private let altersTokens: Bool

    init(observation: ProofWatch.Observation, altersTokens: Bool) {
        self.observation = observation
        self.altersTokens = altersTokens
        holdsAsObserved = Self.holds(observation.expected, observation.outcome, ownID: observation.ownID)
        plain = Self.plain(in: observation.expected, at: [])
    }

    func answer(_ part: ExpectedPart) -> Answer {
        let raw = narrowed(to: part)
        var part = part
        let isFilledIn = Interpolation.isNeeded(in: part.matcher) && observation.ownID == nil
        part.matcher = filled(part)
        guard holdsAsObserved else { return .decides }
        switch impossible(part) {
        case .some(let words): return .never(words)
        // Any record fails what counts none.
        case nil where part.matcher == 0 || part.matcher == []: return .decides
        case nil: break
        }
        let needsOthers: Bool
        switch part.place {
        case .times, .ending: needsOthers = false
        // What another step showed may be what fails here one day.
        default: needsOthers = !isFilledIn
        }
        let weakened = raw.weakened(at: part.path)
        let changed = outcomes(for: part)
        guard !changed.isEmpty else { return .decides }
        for (_, other) in changed
        where !holds(raw, other) && (!needsOthers || holds(weakened, other)) { return .decides }
        var seen: Set<String> = []
        return .holds(tried: changed.map(\.what).filter { seen.insert($0).inserted })
    }

    /// The records that a part counts, in words, if no outcome of the step can have any.
    private func impossible(_ part: ExpectedPart) -> String? {
        let log: String?
        let kind: String?
        switch part.place {
        case .count(let place, _, let name):
            log = place.count == 1 ? place[0] : nil
            kind = name
        case .times(let place):
            log = place.count == 1 ? place[0] : nil
            kind = log.flatMap { LogName(rawValue: $0)?.countedBy }.flatMap { part.matcher[$0]?.stringValue }
            let never = observation.reach.lackingMembers.sorted { $0.key < $1.key }
                .first { part.matcher[$0.key] == $0.value }
            if log == LogName.requests.rawValue, let (name, value) = never {
                return "no request with `\(name)` = \(JSONWriter.compact(value)) occurs in \(observation.reach.subject)"
            }
        case .value(let path):
            if let words = observation.reach.constant(path, part.matcher) { return words }
            return observation.reach.lacks(path)
                ? "\(observation.reach.subject) never has `\(path.joined(separator: "/"))`" : nil
        default: return nil
        }
        guard let name = log.flatMap({ LogName(rawValue: $0) }), observation.reach.lacks(name, kind) else { return nil }
        return
            "\(kind.map { "no `\($0)` record" } ?? "no record") of `\(name.rawValue)` occurs in \(observation.reach.subject)"
    }

    private static func plain(in value: JSONValue, at path: [String]) -> Set<[String]> {
        guard let object = value.objectValue, !object.keys.contains(where: { $0.hasPrefix("$") }) else { return [] }
        return object.members.reduce(into: [path]) { $0.formUnion(plain(in: $1.value, at: path + [$1.key])) }
    }

    /// The expectation without what it says of members beside those of a part: the part's outcomes do not change them.
    private func narrowed(to part: ExpectedPart) -> JSONValue {
        var raw = observation.expected
        guard case .value(let place) = part.place, observation.ownID == nil else { return raw }
        let shared = zip(part.path, place).prefix { $0 == $1 }.map(\.0)
        // How a step ends and what else it showed depend on each other.
        for depth in shared.indices.dropFirst() {
            let owner = Array(shared[..<depth])
            guard plain.contains(owner) else { break }
            let pointer = JSONPointer(tokens: owner)
            guard let member = raw.value(at: pointer.appending(shared[depth])) else { break }
            raw.set(.object(JSONObject([(shared[depth], member)])), at: pointer)
        }
        return raw
    }

    /// The alternatives of an `$any` without which some outcome fails that passes with them.
    ///
    /// - Parameter known: Those of which that is known.
    func deciding(_ part: ExpectedPart, known: Set<Int>) -> Set<Int> {
        let raw = observation.expected
        let pointer = JSONPointer(tokens: part.path)
        guard let alternatives = raw.value(at: pointer)?.arrayValue else { return [] }
        let all = Set(alternatives.indices)
        // A test of an error or of waiting that is nothing but alternatives goes as a whole.
        guard holdsAsObserved, raw.weakened(at: part.path + ["0"]).value(at: pointer) != nil else { return all }
        var found = known
        guard found != all else { return found }
        var part = part
        part.matcher = filled(part)
        let index = AlternativeIndex(alternatives)
        let values = places(of: part.place)
        for other in [observation.outcome] + outcomes(for: part).map(\.outcome) {
            // An alternative decides something where a value matches no other one.
            let fitting = values.map { place in
                index.first(2, matching: other.value(at: place)) {
                    Self.filled($0, from: other, ownID: observation.ownID)
                }
            }
            let sole = Set(fitting.filter { $0.count == 1 }.joined().filter { !found.contains($0) })
            guard !sole.isEmpty else { continue }
            let needed = Set(fitting.joined())
            func holds(with kept: Set<Int>) -> Bool {
                var expected = raw
                expected.set(.array(kept.sorted().map { alternatives[$0] }), at: pointer)
                return self.holds(expected, other)
            }
            guard holds(with: needed) else { continue }
            for one in sole where !holds(with: needed.subtracting([one])) { found.insert(one) }
            if found == all { break }
        }
        return found
    }

    /// The places in an outcome that a part is compared with.
    private func places(of place: ExpectedPart.Place) -> [JSONPointer] {
        switch place {
        case .value(let path): [JSONPointer(tokens: path)]
        case .records(let log, let element, let path):
            meant(by: element, in: log).enumerated().filter(\.element).map {
                JSONPointer(tokens: log + [String($0.offset)] + path)
            }
        case .count, .times, .ending: []
        }
    }

    /// Which records of a log are those that an element of the expectation is about.
    private func meant(by element: [String], in log: [String]) -> [Bool] {
        guard let wanted = observation.expected.value(at: JSONPointer(tokens: element)) else { return [] }
        return (observation.outcome.value(at: JSONPointer(tokens: log))?.arrayValue ?? [])
            .map { Matcher.matches($0, wanted) }
    }

    /// The test of a part with everything filled in.
    private func filled(_ part: ExpectedPart) -> JSONValue {
        let name = part.path.last ?? ""
        guard let wanted = observation.expected.value(at: JSONPointer(tokens: part.path)) else { return part.matcher }
        return name.hasPrefix("$") ? .object(JSONObject([(name, wanted)])) : wanted
    }

    /// An expectation with what it takes from the outcome itself filled in.
    private static func filled(_ expected: JSONValue, from outcome: JSONValue, ownID: String?) -> JSONValue {
        guard let id = ownID else { return expected }
        return Interpolation.substituting(in: expected) { reference in
            sameText(reference.root, id) ? outcome.value(at: JSONPointer(tokens: reference.path)) : nil
        }
    }

    private static func holds(_ expected: JSONValue, _ outcome: JSONValue, ownID: String?) -> Bool {
        Expectation.holds(outcome: outcome, expected: filled(expected, from: outcome, ownID: ownID))
    }

    private func holds(_ expected: JSONValue, _ outcome: JSONValue) -> Bool {
        Self.holds(expected, outcome, ownID: observation.ownID)
    }

    // MARK: Other outcomes

    /// Outcomes that differ from the observed one in what a part is about, each with the change in words.
    private func outcomes(for part: ExpectedPart) -> [(what: String, outcome: JSONValue)] {
        switch part.place {
        case .value(let path): values(path, part.matcher)
        case .records(let log, let element, let path):
            records(of: log, meantBy: element, path: path, matcher: part.matcher)
        case .count(let log, let by, let kind): counts(of: log, by: by, kind: kind, matcher: part.matcher)
        case .times(let log): times(log, part.matcher)
        case .ending: endings()
        }
    }

    private func values(_ path: [String], _ matcher: JSONValue) -> [(what: String, outcome: JSONValue)] {
        // Without a result there is an error.
        if path == ["result"] { return endings() }
        let outcome = observation.outcome
        let pointer = JSONPointer(tokens: path)
        let observed = outcome.value(at: pointer)
        let name = path.last ?? ""
        let isAsked = Self.asksForPresence(matcher) && !isAlwaysThere(path)
        let values = others(observed, name, matcher, alsoOfOtherTypes: isAsked)
        var changed: [(what: String, outcome: JSONValue)] = values.map { value in
            var other = outcome
            other.set(value, at: pointer)
            return (Self.phrase(name, value), other)
        }
        if observed != nil, isAsked || isNotEmpty(path, matcher) {
            var other = outcome
            other.set(nil, at: pointer)
            changed.append(("without `\(name)`", other))
        }
        return changed
    }

    /// Whether a size is asked for that nothing empty has, of a member that a result need not have.
    private func isNotEmpty(_ path: [String], _ matcher: JSONValue) -> Bool {
        guard path.first == "result", matcher["$length"] != nil, !isAlwaysThere(path) else { return false }
        return !Matcher.matches("", matcher) && !Matcher.matches([], matcher)
            && observation.returned.allSatisfy { !$0.presence(of: path.dropFirst()).inOwner }
    }

    private func others(
        _ observed: JSONValue?, _ name: String, _ matcher: JSONValue, alsoOfOtherTypes: Bool
    ) -> [JSONValue] {
        guard let observed else { return Example.values(of: matcher) + OtherValues.unlike(nil) }
        let values = OtherValues.like(observed, name: name, matcher: matcher)
        return alsoOfOtherTypes ? values + OtherValues.unlike(observed) : values
    }

    private func records(
        of log: [String], meantBy element: [String], path: [String], matcher: JSONValue
    ) -> [(what: String, outcome: JSONValue)] {
        let pointer = JSONPointer(tokens: log)
        let meant = meant(by: element, in: log)
        guard let records = observation.outcome.value(at: pointer)?.arrayValue, meant.count == records.count else {
            return []
        }
        let inner = JSONPointer(tokens: path)
        let name = path.last ?? ""
        let observed = zip(records, meant).first { $0.1 }?.0.value(at: inner)
        let isAsked = Self.asksForPresence(matcher) && !isAlwaysThere(log.suffix(1) + path)
        let others = others(observed, name, matcher, alsoOfOtherTypes: isAsked)
        let values: [JSONValue?] = others + (isAsked && observed != nil ? [nil] : [])
        return values.map { value in
            var other = observation.outcome
            let changed = zip(records, meant).map { record, isMeant in
                guard isMeant else { return record }
                var record = record
                record.set(value, at: inner)
                return record
            }
            other.set(.array(changed), at: pointer)
            return (value.map { Self.phrase(name, $0) } ?? "without `\(name)`", other)
        }
    }

    private func counts(
        of log: [String], by: String?, kind: String?, matcher: JSONValue
    ) -> [(what: String, outcome: JSONValue)] {
        let pointer = JSONPointer(tokens: log)
        let records = observation.outcome.value(at: pointer)?.arrayValue ?? []
        func isMeant(_ record: JSONValue) -> Bool { by.map { record[$0]?.stringValue == kind } ?? true }
        let mine = records.filter(isMeant)
        let rest = records.filter { !isMeant($0) }
        let model = mine.first ?? .object(JSONObject([(by ?? "number", .string(kind ?? ""))]))
        let most = OtherValues.mostRecords(of: mine.count)
        var sizes = [0, 1, 2, mine.count - 1, mine.count + 1, mine.count + 2, mine.count * 2, most]
        sizes += Example.values(of: matcher).compactMap(\.intValue).filter { $0 < most }.flatMap {
            [Int($0), Int($0) + 1]
        }
        var seen: Set<Int> = [mine.count]
        return sizes.filter { $0 >= 0 && seen.insert($0).inserted }.map { size in
            var other = observation.outcome
            let changed = Array(mine.prefix(size)) + Array(repeating: model, count: max(0, size - mine.count))
            other.set(.array(rest + changed), at: pointer)
            return ("with \(size) \(kind.map { "`\($0)` " } ?? "")\(size == 1 ? "record" : "records")", other)
        }
    }

    private func times(_ log: [String], _ matcher: JSONValue) -> [(what: String, outcome: JSONValue)] {
        let pointer = JSONPointer(tokens: log)
        let records = observation.outcome.value(at: pointer)?.arrayValue ?? []
        guard let model = Example.record(of: matcher, near: records), var plain = matcher.objectValue else { return [] }
        plain["$times"] = nil
        let rest = records.filter { !Matcher.matches($0, .object(plain)) }
        let count = records.count - rest.count
        return [0, 1, 2, count + 1, OtherValues.mostRecords(of: count)].filter { $0 != count }.map { size in
            var other = observation.outcome
            other.set(.array(rest + Array(repeating: model, count: size)), at: pointer)
            return ("with \(size) such \(size == 1 ? "record" : "records")", other)
        }
    }

    private func endings() -> [(what: String, outcome: JSONValue)] {
        var bare = observation.outcome
        for member in ["result", "error", "pending"] { bare.set(nil, at: JSONPointer(tokens: [member])) }
        let ways: [(String, String, JSONValue)] = [
            ("with a result", "result", [:]), ("with an error", "error", ["kind": "other"]),
            ("pending", "pending", ["reason": "page"]),
        ]
        return ways.map { what, member, value in
            var other = bare
            other.set(value, at: JSONPointer(tokens: [member]))
            return (what, other)
        }
    }

    // MARK: Words and knowledge

    private static func phrase(_ name: String, _ value: JSONValue) -> String {
        let text = JSONWriter.compact(value)
        return "with `\(name)` = \(text.count > 60 ? String(text.prefix(57)) + "..." : text)"
    }

    /// Whether a test is about the type of a value, or about whether it is there.
    private static func asksForPresence(_ matcher: JSONValue) -> Bool {
        switch matcher {
        case .object(let object):
            object.isEmpty
                || object.members.contains { name, wanted in
                    name == "$exists" || name == "$type"
                        || ["$not", "$any", "$all"].contains(name)
                            && (asksForPresence(wanted) || (wanted.arrayValue ?? []).contains(where: asksForPresence))
                }
        default: false
        }
    }

    /// Whether every outcome that has what the rest of the expectation asks for has a member too, and of one type.
    private func isAlwaysThere(_ path: [String]) -> Bool {
        guard let owner = path.first, let name = path.last else { return false }
        let types: [any ResultRecord.Type]
        switch owner {
        case "result": types = observation.returned
        case "error": types = [ClientError.self]
        default: return path.count < 3 && Self.members[owner]?.contains(name) == true
        }
        let place = path.dropFirst()
        if place.starts(with: ["idToken", "claims"]), place.count == 3 {
            return !altersTokens && Self.tokenClaims.contains(name)
        }
        if place.starts(with: ["idToken", "header"]), place.count == 3 {
            return !altersTokens && ["alg", "kid", "typ"].contains(name)
        }
        let found = types.map { $0.presence(of: place) }
        guard !found.isEmpty, found.allSatisfy(\.inOwner) else { return false }
        if owner == "result", found.allSatisfy(\.always) { return true }
        // That there is what contains the member is a question of its own, unless another member asks it.
        let whole = observation.expected.value(at: JSONPointer(tokens: Array(path.dropLast())))
        return (whole?.objectValue?.count ?? 0) > 1
    }

    /// What every token of the service has (Microsoft docs: tokens-overview).
    private static let tokenClaims = ["iss", "exp", "nbf", "aud", "iat"]

    /// Members that are always there, by the member of an outcome or the log that they are in.
    private static let members: [String: [String]] = [
        "elapsed": ["elapsed"],
        "requests": [
            "endpoint", "method", "host", "url", "path", "query", "headers", "from", "at", "number", "frame", "altered",
            "response",
        ],
        "pages": ["name", "number", "title", "text", "fields", "buttons", "status", "url"], "events": ["type"],
        "messages": ["kind", "to"],
    ]
}
