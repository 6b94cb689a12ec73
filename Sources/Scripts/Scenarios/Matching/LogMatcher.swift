import Exchanges
import JSON

/// Compares a log with what a script expects of it. Unlike elsewhere a number is the count of records, an object counts
/// them by kind, and an array names records that occur in this order with others between them.
public enum LogMatcher {
    /// Every difference; empty when the log is as expected.
    public static func mismatches(
        _ records: [JSONValue], expected: JSONValue, log: LogName, at pointer: JSONPointer
    ) -> [Mismatch] {
        mismatches(records, expected: expected, log: log, at: pointer, inWords: true)
    }

    /// - Parameter inWords: Whether somebody reads the differences, see ``Matcher``.
    static func mismatches(
        _ records: [JSONValue], expected: JSONValue, log: LogName, at pointer: JSONPointer, inWords: Bool
    ) -> [Mismatch] {
        let reader = LogReader(records: records, log: log, pointer: pointer, inWords: inWords)
        return switch expected {
        case .integer, .number: reader.countMismatches(records.count, expected, what: nil)
        case .array(let elements) where elements.isEmpty: reader.countMismatches(records.count, 0, what: nil)
        case .array(let elements): reader.sequenceMismatches(elements)
        case .object(let object) where object.isEmpty:
            [
                Mismatch(
                    pointer: pointer, wanted: expected, found: .array(records),
                    text: "an object without counts says nothing of a log; write 0 or [] for no \(log.recordWord)s",
                    isInapplicable: true)
            ]
        case .object(let object) where object.members.allSatisfy({ $0.key.hasPrefix("$") }):
            reader.countMismatches(records.count, expected, what: nil)
        case .object(let object): reader.kindMismatches(object)
        default:
            [
                Mismatch(
                    pointer: pointer, wanted: expected, found: .array(records),
                    text: "a log is compared with a number, an object of numbers or an array, not with "
                        + Wording.kind(expected), isInapplicable: true)
            ]
        }
    }
}

private struct LogReader {
    let records: [JSONValue]
    let log: LogName
    let pointer: JSONPointer
    let inWords: Bool

    func countMismatches(_ count: Int, _ wanted: JSONValue, what: String?) -> [Mismatch] {
        guard let first = mismatches(.integer(Int64(count)), wanted).first else { return [] }
        guard inWords else { return [first] }
        let noun = "\(what.map { "\($0) " } ?? "")\(log.recordWord)s"
        return [
            Mismatch(
                pointer: what.map { pointer.appending($0) } ?? pointer, wanted: wanted, found: .integer(Int64(count)),
                text: "number of \(noun): \(first.text)\(summary)", isInapplicable: first.isInapplicable)
        ]
    }

    func kindMismatches(_ object: JSONObject) -> [Mismatch] {
        guard let member = log.countedBy else {
            return [
                Mismatch(
                    pointer: pointer, wanted: .object(object), found: .array(records),
                    text: "`trace` is compared with a number or an array, not with an object of numbers",
                    isInapplicable: true)
            ]
        }
        return object.members.flatMap { kind, wanted -> [Mismatch] in
            guard !kind.hasPrefix("$") else {
                return [
                    Mismatch(
                        pointer: pointer, wanted: .object(object), found: .array(records),
                        text: "`\(kind)` cannot be combined with counts by \(member)", isInapplicable: true)
                ]
            }
            let count = records.count { $0[member]?.stringValue == kind }
            return countMismatches(count, wanted, what: kind)
        }
    }

    func sequenceMismatches(_ elements: [JSONValue]) -> [Mismatch] {
        var result: [Mismatch] = []
        var next = 0
        // What became of elements for which there was no record from `next` on: there is none for equal ones either.
        var missed: [JSONValue: Missed] = [:]
        for (place, element) in elements.enumerated() {
            if case .object(let object) = element, let times = object[MatcherTest.times] {
                result += timesMismatches(object, times, place)
                continue
            }
            if missed[element] == nil,
                let hit = (next..<records.count).first(where: { Matcher.matches(records[$0], element) })
            {
                next = hit + 1
                missed.removeAll()
            } else {
                let why = missed[element] ?? self.missed(element, after: next)
                missed[element] = why
                result.append(missing(element, place, after: next, why))
            }
        }
        return result
    }

    private func mismatches(_ value: JSONValue, _ matcher: JSONValue) -> [Mismatch] {
        Matcher.mismatches(value, expected: matcher, at: .root, inWords: inWords)
    }

    private func timesMismatches(_ object: JSONObject, _ times: JSONValue, _ place: Int) -> [Mismatch] {
        var matcher = object
        matcher[MatcherTest.times] = nil
        let count = records.count { Matcher.matches($0, .object(matcher)) }
        guard let first = mismatches(.integer(Int64(count)), times).first else { return [] }
        guard inWords else { return [first] }
        return [
            Mismatch(
                pointer: pointer, wanted: .object(object), found: .integer(Int64(count)),
                text: "number of \(log.recordWord)s like element \(place) \(Wording.json(.object(matcher))): "
                    + first.text + summary, record: count == 0 ? nearest(.object(matcher), from: 0)?.index : nil,
                isInapplicable: first.isInapplicable)
        ]
    }

    /// Why there is no record for an element.
    private struct Missed {
        var words = ""
        /// The record that comes nearest.
        var record: Int?
        /// Whether the element applies to no record at all.
        var fitsNone: Bool
    }

    private func missed(_ element: JSONValue, after next: Int) -> Missed {
        var missed = Missed(
            fitsNone: !records.isEmpty
                && records.allSatisfy { Matcher.verdict(of: $0, element) == .inapplicable })
        guard inWords else { return missed }
        if let early = (0..<next).first(where: { Matcher.matches(records[$0], element) }) {
            missed.words = "; \(title(early)) does, but it comes too early or is taken already"
            missed.record = early
        } else if let near = nearest(element, from: next) ?? nearest(element, from: 0) {
            missed.words = "; nearest is \(title(near.index)): "
            missed.words += near.mismatches.prefix(3).map(\.description).joined(separator: "; ")
            missed.record = near.index
        } else {
            missed.words = "; the log is empty"
        }
        return missed
    }

    private func missing(_ element: JSONValue, _ place: Int, after next: Int, _ missed: Missed) -> Mismatch {
        guard inWords else { return .wordless(isInapplicable: missed.fitsNone) }
        let after = next > 0 ? " after \(title(next - 1))" : ""
        return Mismatch(
            pointer: pointer, wanted: element, found: missed.record.map { records[$0] },
            text: "no \(log.recordWord)\(after) matches element \(place), \(Wording.json(element))\(missed.words)",
            record: missed.record, isInapplicable: missed.fitsNone)
    }

    /// The record from `start` on that differs least. One of the kind that is asked for is nearer than any other.
    private func nearest(_ element: JSONValue, from start: Int) -> (index: Int, mismatches: [Mismatch])? {
        var best: (index: Int, distance: Int)?
        for index in start..<max(records.count, start) {
            var distance = Matcher.mismatches(records[index], expected: element, at: .root, inWords: false).count
            if let member = log.countedBy, isOfAnotherKind(records[index], element, member) { distance += 1000 }
            if distance < best?.distance ?? Int.max { best = (index, distance) }
        }
        return best.map { ($0.index, Matcher.mismatches(records[$0.index], expected: element)) }
    }

    private func isOfAnotherKind(_ record: JSONValue, _ element: JSONValue, _ member: String) -> Bool {
        guard element.objectValue?.keys.contains(where: { $0.hasPrefix("$") }) ?? false else {
            return element[member].map { !Matcher.matches(record[member], $0) } ?? false
        }
        return Matcher.mismatches(record, expected: element).contains { $0.pointer.tokens.first == member }
    }

    /// How a record is called in a sentence: by its kind and the number it has in the log.
    private func title(_ index: Int) -> String {
        let record = records[index]
        let number = record["number"].map { Interpolation.text(of: $0) } ?? String(index + 1)
        guard let member = log.countedBy, let kind = record[member]?.stringValue else {
            return "\(log.recordWord) \(number)"
        }
        return "\(log.recordWord) \(number) (\(kind))"
    }

    /// What the log holds, by kind, in the order of first appearance.
    private var summary: String {
        guard let member = log.countedBy, !records.isEmpty else { return "" }
        var counts = JSONObject()
        for record in records {
            guard let kind = record[member]?.stringValue else { continue }
            // bounded: counts entries of a log
            counts[kind] = .integer((counts[kind]?.intValue ?? 0) + 1)
        }
        return "; the log has \(Wording.json(.object(counts)))"
    }
}
