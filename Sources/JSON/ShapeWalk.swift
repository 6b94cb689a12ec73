import Diagnostics

/// One check of one value.
struct ShapeWalk {
    let named: [String: Shape]
    let allowTemplates: Bool
    var path: [String]
    var findings: [ShapeFinding] = []
    /// Values compared with shapes so far. Alternatives inside alternatives could multiply without bound.
    private var steps = 0
    private static let stepLimit = 2_000_000

    init(named: [String: Shape], allowTemplates: Bool, path: [String]) {
        self.named = named
        self.allowTemplates = allowTemplates
        self.path = path
    }

    mutating func check(_ value: JSONValue, _ shape: Shape) {
        steps += 1
        guard steps <= Self.stepLimit else {
            if steps == Self.stepLimit + 1 {
                report(.table, "the file is too entangled to be checked to its end", "Split it into several files.")
            }
            return
        }
        guard let shape = resolve(shape) else {
            report(.table, "no shape is known for \(subject); this is a fault of b2c, not of the file")
            return
        }
        if allowTemplates, !path.isEmpty, case .string(let text) = value {
            let template = ShapeText.template(in: text)
            if template.whole || (template.any && shape.accepts(kind: .string, named)) { return }
        }
        switch shape {
        case .any, .ref: break
        case .nullable(let inner):
            if !value.isNull { check(value, inner) }
        case .anyOf(let shapes): checkAlternatives(value, shapes, of: shape)
        case .array(let element):
            guard case .array(let elements) = value else { return wrongType(value, shape) }
            for (index, item) in elements.enumerated() { descend(String(index)) { $0.check(item, element) } }
        case .map(let member, _, _):
            guard case .object(let object) = value else { return wrongType(value, shape) }
            for (key, item) in object.members { descend(key) { $0.check(item, member) } }
        case .object(let fields):
            guard case .object(let object) = value else { return wrongType(value, shape) }
            checkObject(object, fields)
        case .bool:
            if value.boolValue == nil { wrongType(value, shape) }
        case .number:
            if value.doubleValue == nil { wrongType(value, shape) }
        case .integer(let bounds):
            guard let number = value.intValue else { return wrongType(value, shape) }
            if let bounds, !bounds.contains(number) {
                report(.range, "\(subject) must be \(shape.phrase(named)), not \(number)")
            }
        default:
            guard case .string(let text) = value else { return wrongType(value, shape) }
            checkText(text, shape)
        }
    }

    /// Follows references; `nil` when one leads nowhere or in a circle.
    private func resolve(_ shape: Shape) -> Shape? {
        var shape = shape
        for _ in 0..<32 {
            guard case .ref(let name) = shape else { return shape }
            guard let next = named[name] else { return nil }
            shape = next
        }
        return nil
    }

    private mutating func descend(_ token: String, _ body: (inout ShapeWalk) -> Void) {
        path.append(token)
        body(&self)
        path.removeLast()
    }

    // MARK: Texts

    private mutating func checkText(_ text: String, _ shape: Shape) {
        switch shape {
        case .nonEmptyString:
            if text.isEmpty { report(.format, "\(subject) must not be empty") }
        case .duration:
            if !matches(text, ShapeText.duration) {
                let hasYears =
                    text.utf8.first == UInt8(ascii: "P") && text.split(separator: "T")[0].contains { "YM".contains($0) }
                report(
                    .format, "\(subject) must be \(shape.phrase(named)), not \(quoted(text))",
                    hasYears ? "Years and months have no fixed length; write days." : nil)
            }
        case .instant:
            if !matches(text, ShapeText.instant) || !hasPossibleDay(text) {
                report(.format, "\(subject) must be \(shape.phrase(named)), not \(quoted(text))")
            }
        case .url:
            if !matches(text, ShapeText.url) {
                report(
                    .format, "\(subject) must be \(shape.phrase(named)), not \(quoted(text))",
                    text.contains(".") && !text.contains(" ") && !text.contains(":")
                        ? "Write the scheme too: \"https://\(text)\"." : nil)
            }
        case .pattern(let pattern, _):
            guard let compiled = ShapePattern(pattern) else {
                report(.table, "the pattern of \(subject) cannot be read; this is a fault of b2c, not of the file")
                return
            }
            if !compiled.matches(text) {
                report(.format, "\(subject) must be \(shape.phrase(named)), not \(quoted(text))")
            }
        case .oneOf(let choices):
            guard let choice = choices.first(where: { $0.value == text }) else {
                let values = choices.filter { $0.notBuiltYet == nil }.map(\.value)
                let remedy = nearestName(text, among: values).map { "Did you mean \"\($0)\"?" }
                report(
                    .choice, "\(subject) cannot be \(quoted(text))",
                    remedy ?? "Use \(namesList(values.map { "\"\($0)\"" }, limit: 20)).")
                return
            }
            if let missing = choice.notBuiltYet {
                report(.notBuiltYet, "\(quoted(text)) of \(subject) is not built yet: \(missing)")
            }
        default: break
        }
    }

    private func matches(_ text: String, _ pattern: String) -> Bool {
        ShapePattern(pattern)?.matches(text) ?? false
    }

    /// Whether the month has so many days; the text matches the pattern of instants.
    private func hasPossibleDay(_ text: String) -> Bool {
        let parts = text.prefix(10).split(separator: "-").compactMap { Int($0) }
        guard parts.count == 3 else { return false }
        let (year, month, day) = (parts[0], parts[1], parts[2])
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        switch month {
        case 2: return day <= (isLeap ? 29 : 28)
        case 4, 6, 9, 11: return day <= 30
        default: return day <= 31
        }
    }

    // MARK: Objects

    private mutating func checkObject(_ object: JSONObject, _ shape: ObjectShape) {
        let names = shape.fields.map(\.name)
        var unknown: [String] = []
        for (key, value) in object.members {
            if let field = shape.fields.first(where: { $0.name == key }) {
                descend(key) { walk in
                    if let missing = field.notBuiltYet {
                        walk.report(.notBuiltYet, "`\(Self.shown(key))` is not built yet: \(missing)", isAboutKey: true)
                    } else {
                        walk.check(value, field.shape)
                    }
                }
            } else if let open = shape.open, shape.admits(name: key) {
                descend(key) { $0.check(value, open) }
            } else {
                unknown.append(key)
                // Where only a prefix is closed the other fields were not meant.
                let names = shape.open == nil ? names : names.filter { $0.hasPrefix(shape.closedPrefix ?? "") }
                let near = nearestName(key, among: names)
                descend(key) { walk in
                    walk.report(
                        .unknownKey, "`\(Self.shown(key))` is not a key of \(Self.withArticle(shape.title))",
                        near.map { "Did you mean `\($0)`?" }
                            ?? (names.isEmpty ? "It has no keys." : "Its keys: \(namesList(names, limit: 30))."),
                        isAboutKey: true)
                }
            }
        }
        let nearest = unknown.compactMap { nearestName($0, among: names) }
        for field in shape.fields where field.required && object[field.name] == nil {
            // A misspelt key is one mistake, not two.
            if nearest.contains(field.name) { continue }
            report(
                .missingKey, "`\(field.name)` is missing in this \(shape.title)",
                "Add \"\(field.name)\": \(field.shape.phrase(named)).")
        }
        checkExactlyOne(object, shape, nearest)
        for group in shape.atMostOneOf {
            let present = object.keys.filter(group.contains)
            for key in present.dropFirst() {
                descend(key) { walk in
                    walk.report(
                        .exclusion, "`\(key)` and `\(present[0])` exclude each other", "Remove one of them.",
                        isAboutKey: true)
                }
            }
        }
    }

    private mutating func checkExactlyOne(_ object: JSONObject, _ shape: ObjectShape, _ nearest: [String]) {
        guard !shape.exactlyOneOf.isEmpty else { return }
        let present = object.keys.filter(shape.exactlyOneOf.contains)
        let word = shape.exactlyOneWord
        if present.isEmpty {
            if nearest.contains(where: shape.exactlyOneOf.contains) { return }
            report(
                .exactlyOne, "this \(shape.title) has no \(word); it needs exactly one",
                "Add one of \(namesList(shape.exactlyOneOf, limit: 40)).")
        }
        for key in present.dropFirst() {
            descend(key) { walk in
                walk.report(
                    .exactlyOne,
                    "`\(key)` is a second \(word) in this \(shape.title), beside `\(present[0])`; one \(word) is allowed",
                    "Make two of it, or remove one.", isAboutKey: true)
            }
        }
    }

    // MARK: Alternatives

    private mutating func checkAlternatives(_ value: JSONValue, _ shapes: [Shape], of whole: Shape) {
        let kind = ShapeKind(of: value)
        let fitting = shapes.filter { $0.accepts(kind: kind, named) }
        guard let first = fitting.first else { return wrongType(value, whole) }
        if fitting.count == 1 { return check(value, first) }
        let before = findings
        var best: [ShapeFinding]?
        for shape in fitting {
            findings = []
            check(value, shape)
            if findings.isEmpty {
                findings = before
                return
            }
            if closeness(findings) < best.map(closeness) ?? (.max, .max) { best = findings }
        }
        findings = before
        if kind == .string, fitting.allSatisfy({ !$0.isContainer }) {
            // Of several kinds of text none is likelier than another: say them all.
            var remedy: String?
            if let only = best, only.count == 1 { remedy = only[0].remedy }
            report(.format, "\(subject) must be \(whole.phrase(named)), not \(described(value))", remedy)
        } else {
            findings += best ?? []
        }
    }

    /// The alternative that was meant is the one whose keys are known and that has the fewest findings.
    private func closeness(_ findings: [ShapeFinding]) -> (Int, Int) {
        let own = findings.filter { $0.path.count <= path.count + 1 }
        let foreign = own.filter { $0.rule == .unknownKey || $0.rule == .exactlyOne || $0.rule == .type }
        return (foreign.count, findings.count)
    }

    // MARK: Words

    mutating func report(
        _ rule: ShapeFinding.Rule, _ message: String, _ remedy: String? = nil, isAboutKey: Bool = false
    ) {
        findings.append(
            ShapeFinding(rule: rule, path: path, isAboutKey: isAboutKey, message: message, remedy: remedy))
    }

    private mutating func wrongType(_ value: JSONValue, _ shape: Shape) {
        report(.type, "\(subject) must be \(shape.phrase(named)), not \(described(value))", mend(value, shape))
    }

    /// What to write instead, where the right value can be guessed.
    private func mend(_ value: JSONValue, _ shape: Shape) -> String? {
        switch (shape, value) {
        case (.bool, .string(let text)) where text == "true" || text == "false": return "Write \(text) without quotes."
        case (.number, .string(let text)) where Double(text)?.isFinite == true,
            (.integer, .string(let text)) where Int64(text) != nil:
            return "Write \(text) without quotes."
        case (.array(let element), _):
            var trial = ShapeWalk(named: named, allowTemplates: allowTemplates, path: path + ["0"])
            trial.steps = max(steps, Self.stepLimit - 10_000)
            trial.check(value, element)
            return trial.findings.isEmpty && !value.isNull ? "Put it into brackets: [\(excerpt(value))]." : nil
        case (_, .integer), (_, .number), (_, .bool):
            return shape.accepts(kind: .string, named) ? "Write \"\(value)\" in double quotes." : nil
        default: return nil
        }
    }

    private func excerpt(_ value: JSONValue) -> String {
        let text = JSONWriter.compact(value)
        return text.utf8.count <= 40 ? text : "..."
    }

    private func described(_ value: JSONValue) -> String {
        switch value {
        case .null: "null"
        case .bool(let flag): flag ? "true" : "false"
        case .integer, .number: "the number \(value)"
        case .string(let text): text.isEmpty ? "an empty string" : "the string \(quoted(text))"
        case .array: "an array"
        case .object: "an object"
        }
    }

    private func quoted(_ text: String) -> String { "\"\(Self.shown(text))\"" }

    private static func shown(_ text: String) -> String {
        text.unicodeScalars.count <= 60
            ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(60))) + "..."
    }

    private static func withArticle(_ noun: String) -> String {
        guard let first = noun.lowercased().first else { return "this object" }
        return ("aeiou".contains(first) ? "an " : "a ") + noun
    }

    /// What is spoken of: the key, or the element of the array under a key.
    private var subject: String {
        guard let last = path.last else { return "the file" }
        guard let index = JSONPointer.arrayIndex(last) else { return "`\(Self.shown(last))`" }
        guard let holder = path.dropLast().last, JSONPointer.arrayIndex(holder) == nil else {
            return "element \(index + 1)"
        }
        return "element \(index + 1) of `\(Self.shown(holder))`"
    }
}

/// The kinds of JSON value, for telling which alternatives can be meant.
enum ShapeKind {
    case null, bool, number, string, array, object

    init(of value: JSONValue) {
        switch value {
        case .null: self = .null
        case .bool: self = .bool
        case .integer, .number: self = .number
        case .string: self = .string
        case .array: self = .array
        case .object: self = .object
        }
    }
}

extension Shape {
    /// Whether a value of this kind can fit at all.
    func accepts(kind: ShapeKind, _ named: [String: Shape], depth: Int = 0) -> Bool {
        guard depth < 32 else { return false }
        switch self {
        case .any: return true
        case .bool: return kind == .bool
        case .integer, .number: return kind == .number
        case .string, .nonEmptyString, .duration, .instant, .url, .pattern, .oneOf, .name: return kind == .string
        case .array: return kind == .array
        case .map, .object: return kind == .object
        case .anyOf(let shapes): return shapes.contains { $0.accepts(kind: kind, named, depth: depth + 1) }
        case .nullable(let shape): return kind == .null || shape.accepts(kind: kind, named, depth: depth + 1)
        case .ref(let name): return named[name]?.accepts(kind: kind, named, depth: depth + 1) ?? false
        }
    }

    /// Whether this is written with brackets.
    var isContainer: Bool {
        switch self {
        case .array, .map, .object: true
        default: false
        }
    }
}
