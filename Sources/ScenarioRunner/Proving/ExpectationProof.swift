import Exchanges
import JSON
import Scenarios

/// Evaluates an expectation against outcomes that a step did not have.
struct ExpectationProof {
    /// What came of one part.
    enum Answer {
        /// It decides something, or nothing is known that could show the opposite.
        case decides
        /// It holds of everything that was tried; some of that, for the reader.
        case holds(tried: [String])
    }

    let observation: ProofWatch.Observation

    func answer(_ part: ExpectedPart) -> Answer {
        let raw = observation.expected
        var part = part
        let isFilledIn = Interpolation.isNeeded(in: part.matcher) && observation.ownID == nil
        part.matcher = filled(part)
        let outcome = observation.outcome
        guard holds(raw, outcome) else { return .decides }
        switch part.question {
        case .canFail:
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
            return .holds(tried: changed.map(\.what))
        case .alternative:
            let without = raw.weakened(at: part.path)
            let changed = [(what: "as observed", outcome: outcome)] + outcomes(for: part)
            for (_, other) in changed where holds(raw, other) && !holds(without, other) { return .decides }
            return .holds(tried: changed.dropFirst().map(\.what))
        }
    }

    /// The test of a part with everything filled in.
    private func filled(_ part: ExpectedPart) -> JSONValue {
        let name = part.path.last ?? ""
        let isBranch = part.question == .alternative
        let path = isBranch ? Array(part.path.dropLast()) : part.path
        guard let wanted = observation.expected.value(at: JSONPointer(tokens: path)) else { return part.matcher }
        if isBranch { return ["$any": wanted] }
        return name.hasPrefix("$") ? .object(JSONObject([(name, wanted)])) : wanted
    }

    private func holds(_ expected: JSONValue, _ outcome: JSONValue) -> Bool {
        var filled = expected
        if let id = observation.ownID {
            filled = Interpolation.substituting(in: expected) { reference in
                sameText(reference.root, id) ? outcome.value(at: JSONPointer(tokens: reference.path)) : nil
            }
        }
        return Expectation.mismatches(outcome: outcome, expected: filled).isEmpty
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
        let isAsked = Self.asksForPresence(matcher) && !Self.isAlwaysThere(path)
        let values = others(observed, name, matcher, alsoOfOtherTypes: isAsked)
        var changed: [(what: String, outcome: JSONValue)] = values.map { value in
            var other = outcome
            other.set(value, at: pointer)
            return (Self.phrase(name, value), other)
        }
        if observed != nil, isAsked {
            var other = outcome
            other.set(nil, at: pointer)
            changed.append(("without `\(name)`", other))
        }
        return changed
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
        guard let records = observation.outcome.value(at: pointer)?.arrayValue,
            let wanted = observation.expected.value(at: JSONPointer(tokens: element))
        else { return [] }
        let inner = JSONPointer(tokens: path)
        let name = path.last ?? ""
        let meant = records.map { Matcher.matches($0, wanted) }
        let observed = zip(records, meant).first { $0.1 }?.0.value(at: inner)
        let isAsked = Self.asksForPresence(matcher) && !Self.isAlwaysThere(log.suffix(1) + path)
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
        var sizes = [0, 1, 2, mine.count - 1, mine.count + 1, mine.count + 2, mine.count * 2, mine.count + 100]
        sizes += Example.values(of: matcher).compactMap(\.intValue).filter { $0 < 100 }.flatMap {
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
        return [0, 1, 2, count + 1, count + 100].filter { $0 != count }.map { size in
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
            object.members.contains { name, wanted in
                name == "$exists" || name == "$type"
                    || ["$not", "$any", "$all"].contains(name)
                        && (asksForPresence(wanted) || (wanted.arrayValue ?? []).contains(where: asksForPresence))
            }
        default: false
        }
    }

    /// Whether every outcome that has the owner of a member has the member too, and of one type.
    private static func isAlwaysThere(_ path: [String]) -> Bool {
        guard let name = path.last else { return false }
        switch path.dropLast().last {
        case nil: return name == "elapsed"
        case "result": return ["status", "headers", "fromCache", "cancelled", "handled"].contains(name)
        case "requests": return ["endpoint", "method", "host", "url", "path", "from", "at", "number"].contains(name)
        case "pages", "events": return ["name", "number", "type"].contains(name)
        default: return false
        }
    }
}
