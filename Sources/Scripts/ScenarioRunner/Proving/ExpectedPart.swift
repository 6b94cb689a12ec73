import Exchanges
import JSON
import Scenarios

/// A part of an expectation that could say nothing, and what in the outcome it is about.
struct ExpectedPart {
    /// What of the outcome is changed to find out.
    enum Place: Hashable {
        /// The value at a pointer.
        case value([String])
        /// The value at a pointer within each record of a log that matches an element; `element` is its place in the
        /// expectation.
        case records(log: [String], element: [String], [String])
        /// The number of records of a log; with a kind, of those of the kind.
        case count(log: [String], by: String?, kind: String?)
        /// The number of records that match an element with `$times`.
        case times(log: [String])
        /// How the step ends.
        case ending
    }

    /// What is asked about the part.
    enum Question {
        /// Whether it can fail.
        case canFail
        /// Which of the branches of this `$any` let something pass.
        case alternatives
    }

    /// Place in the expectation.
    var path: [String]
    var place: Place
    /// The test itself: `{"$gte": 1}`.
    var matcher: JSONValue
    var question = Question.canFail

    /// Every part of an expectation that may be unable to fail, in the order of the text. A literal is none: any other
    /// value fails it. That there are no records is one: the step may be unable to have any.
    static func all(of expected: JSONValue, own id: String?) -> [ExpectedPart] {
        var walk = Walk(ownID: id)
        walk.outcome(expected, [], [])
        return walk.parts
    }

    /// A part for each test of its matcher; the part itself where it has one test, or none.
    private var tests: [ExpectedPart] {
        guard let tests = matcher.objectValue?.members, tests.count > 1 else { return [self] }
        return tests.map { ExpectedPart(path: path + [$0.key], place: place, matcher: [$0.key: $0.value]) }
    }

    private struct Walk {
        let ownID: String?
        var parts: [ExpectedPart] = []

        mutating func outcome(_ expected: JSONValue, _ path: [String], _ place: [String]) {
            guard let object = expected.objectValue else { return }
            for (name, wanted) in object.members {
                let inner = path + [name]
                if let log = LogName(rawValue: name) {
                    self.log(wanted, of: log, path: inner, place: place + [name])
                    continue
                }
                switch name {
                case "steps" where wanted.objectValue != nil: value(wanted, inner, .value(place + [name]))
                case "steps":
                    for (index, element) in (wanted.arrayValue ?? []).enumerated() {
                        outcome(element, inner + ["\(index)"], place + [name, "\(index)"])
                    }
                case "$all":
                    for (index, element) in (wanted.arrayValue ?? []).enumerated() {
                        outcome(element, inner + ["\(index)"], place)
                    }
                case "$any":
                    if place.isEmpty {
                        parts.append(ExpectedPart(path: inner, place: .ending, matcher: [name: wanted]))
                    }
                case _ where name.hasPrefix("$"): break
                // A step ends in one way, so beside another expectation this says for the reader what follows from it.
                case "result", "error", "pending":
                    if object.count > 1,
                        wanted.objectValue.map({ $0.isEmpty || $0.count == 1 && $0["$exists"] != nil }) == true
                    {
                        continue
                    }
                    value(wanted, inner, .value(place + [name]))
                default: value(wanted, inner, .value(place + [name]))
                }
            }
        }

        private mutating func log(_ wanted: JSONValue, of log: LogName, path: [String], place: [String]) {
            let count = ExpectedPart(path: path, place: .count(log: place, by: nil, kind: nil), matcher: wanted)
            switch wanted {
            case 0: parts.append(count)
            case .array(let elements) where elements.isEmpty: parts.append(count)
            case .array(let elements):
                for (index, element) in elements.enumerated() {
                    let inner = path + ["\(index)"]
                    if element["$times"] != nil {
                        parts.append(ExpectedPart(path: inner, place: .times(log: place), matcher: element))
                    } else {
                        value(element, inner, .records(log: place, element: inner, []))
                    }
                }
            case .object(let object) where object.members.allSatisfy({ $0.key.hasPrefix("$") }):
                parts += count.tests
            case .object(let object):
                for (kind, count) in object.members where count.objectValue != nil || count == 0 || isOwn(count) {
                    parts +=
                        ExpectedPart(
                            path: path + [kind], place: .count(log: place, by: log.countedBy, kind: kind),
                            matcher: count
                        ).tests
                }
            case .string where isOwn(wanted): parts.append(count)
            default: break
            }
        }

        private mutating func value(_ wanted: JSONValue, _ path: [String], _ place: Place) {
            switch wanted {
            case .string where isOwn(wanted) || wanted == "{{now}}" && place == .value(["result", "now"]),
                .integer where place == .value(["elapsed"]), .number where place == .value(["elapsed"]):
                parts.append(ExpectedPart(path: path, place: place, matcher: wanted))
            case .array(let elements):
                guard case .value(let tokens) = place else { return }
                for (index, element) in elements.enumerated() {
                    value(element, path + ["\(index)"], .value(tokens + ["\(index)"]))
                }
            // Any object will do.
            case .object(let object) where object.isEmpty:
                parts.append(ExpectedPart(path: path, place: place, matcher: wanted))
            case .object(let object):
                for (name, inner) in object.members {
                    member(name, wanted: inner, path: path + [name], of: place, isOneOfSeveral: object.count > 1)
                }
            default: break
            }
        }

        private mutating func member(
            _ name: String, wanted: JSONValue, path: [String], of place: Place, isOneOfSeveral: Bool
        ) {
            guard name.hasPrefix("$") else { return value(wanted, path, place.appending(name)) }
            let matcher: JSONValue = [name: wanted]
            switch name {
            case "$exists" where wanted.boolValue == true && isOneOfSeveral: break
            case "$all":
                for (index, element) in (wanted.arrayValue ?? []).enumerated() {
                    let inner = path + ["\(index)"]
                    if element.objectValue == nil, !isOwn(element) {
                        parts.append(ExpectedPart(path: inner, place: place, matcher: element))
                    } else {
                        value(element, inner, place)
                    }
                }
            case "$equals":
                if isOwn(wanted) { parts.append(ExpectedPart(path: path, place: place, matcher: matcher)) }
            case "$any":
                parts.append(ExpectedPart(path: path, place: place, matcher: matcher))
                guard let alternatives = wanted.arrayValue, alternatives.count > 1 else { return }
                parts.append(ExpectedPart(path: path, place: place, matcher: matcher, question: .alternatives))
            default: parts.append(ExpectedPart(path: path, place: place, matcher: matcher))
            }
        }

        /// Whether a value is compared with the outcome that it is taken from.
        private func isOwn(_ value: JSONValue) -> Bool {
            guard let ownID, Interpolation.isNeeded(in: value) else { return false }
            return Interpolation.occurrences(in: value).references.contains { sameText($0.reference.root, ownID) }
        }
    }
}

extension ExpectedPart.Place {
    func appending(_ name: String) -> Self {
        switch self {
        case .value(let path): .value(path + [name])
        case .records(let log, let element, let path): .records(log: log, element: element, path + [name])
        default: self
        }
    }
}

extension JSONValue {
    /// An expectation without one part: whatever it was about, anything holds there now.
    func weakened(at path: [String]) -> JSONValue {
        var result = self
        // A test of an error or of waiting allows it.
        if let member = path.first, ["error", "pending"].contains(member),
            path.dropFirst().first?.hasPrefix("$") == true,
            self[member]?.objectValue?.count == 1
        {
            result.set(nil, at: JSONPointer(tokens: [member]))
            return result
        }
        let name = path.last ?? ""
        let owner = JSONPointer(tokens: Array(path.dropLast()))
        if case .object(let object)? = value(at: owner), name.hasPrefix("$"), object.count == 1 {
            // Without its only test an object would ask for an object.
            result.set(.anything, at: owner)
        } else if ["$any", "$all"].contains(owner.tokens.last) {
            result.set(nil, at: JSONPointer(tokens: path))
        } else if case .object? = value(at: owner), name.hasPrefix("$") {
            result.set(nil, at: JSONPointer(tokens: path))
        } else {
            result.set(.anything, at: JSONPointer(tokens: path))
        }
        return result
    }

    /// A matcher that every value passes, and an absent one too.
    private static let anything: JSONValue = ["$any": [["$exists": true], ["$exists": false]]]
}
