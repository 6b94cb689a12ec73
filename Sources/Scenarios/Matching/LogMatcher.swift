import Exchanges
import JSON

/// Compares a log with what a script expects of it. Unlike elsewhere a number is the count of records, an object counts
/// them by kind, and an array names records that occur in this order with others between them.
public enum LogMatcher {
    /// Every difference; empty when the log is as expected.
    public static func mismatches(
        _ records: [JSONValue], expected: JSONValue, log: LogName, at pointer: JSONPointer
    ) -> [Mismatch] {
        let reader = LogReader(records: records, log: log, pointer: pointer)
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

    func countMismatches(_ count: Int, _ wanted: JSONValue, what: String?) -> [Mismatch] {
        guard let first = Matcher.mismatches(.integer(Int64(count)), expected: wanted).first else { return [] }
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
        for (place, element) in elements.enumerated() {
            if case .object(let object) = element, let times = object[MatcherTest.times] {
                result += timesMismatches(object, times, place)
                continue
            }
            if let hit = (next..<records.count).first(where: { Matcher.matches(records[$0], element) }) {
                next = hit + 1
            } else {
                result.append(missing(element, place, after: next))
            }
        }
        return result
    }

    private func timesMismatches(_ object: JSONObject, _ times: JSONValue, _ place: Int) -> [Mismatch] {
        var matcher = object
        matcher[MatcherTest.times] = nil
        let count = records.count { Matcher.matches($0, .object(matcher)) }
        guard let first = Matcher.mismatches(.integer(Int64(count)), expected: times).first else { return [] }
        return [
            Mismatch(
                pointer: pointer, wanted: .object(object), found: .integer(Int64(count)),
                text: "number of \(log.recordWord)s like element \(place) \(Wording.json(.object(matcher))): "
                    + first.text + summary, record: count == 0 ? nearest(.object(matcher), from: 0)?.index : nil,
                isInapplicable: first.isInapplicable)
        ]
    }

    private func missing(_ element: JSONValue, _ place: Int, after next: Int) -> Mismatch {
        var text = "no \(log.recordWord)"
        if next > 0 { text += " after \(title(next - 1))" }
        text += " matches element \(place), \(Wording.json(element))"
        var record: Int?
        if let early = (0..<next).first(where: { Matcher.matches(records[$0], element) }) {
            text += "; \(title(early)) does, but it comes too early or is taken already"
            record = early
        } else if let near = nearest(element, from: next) ?? nearest(element, from: 0) {
            text += "; nearest is \(title(near.index)): "
            text += near.mismatches.prefix(3).map(\.description).joined(separator: "; ")
            record = near.index
        } else {
            text += "; the log is empty"
        }
        let fitsNone =
            !records.isEmpty
            && records.allSatisfy { Verdict(Matcher.mismatches($0, expected: element)) == .inapplicable }
        return Mismatch(
            pointer: pointer, wanted: element, found: record.map { records[$0] }, text: text, record: record,
            isInapplicable: fitsNone)
    }

    /// The record from `start` on that differs least. One of the kind that is asked for is nearer than any other.
    private func nearest(_ element: JSONValue, from start: Int) -> (index: Int, mismatches: [Mismatch])? {
        var best: (index: Int, mismatches: [Mismatch], distance: Int)?
        for index in start..<max(records.count, start) {
            let found = Matcher.mismatches(records[index], expected: element)
            var distance = found.count
            if let member = log.countedBy, found.contains(where: { $0.pointer.tokens.first == member }) {
                distance += 1000
            }
            if distance < best?.distance ?? Int.max { best = (index, found, distance) }
        }
        return best.map { ($0.index, $0.mismatches) }
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
