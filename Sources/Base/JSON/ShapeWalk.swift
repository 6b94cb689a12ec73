import Diagnostics

/// One check of one value.
struct ShapeWalk {
    let named: [String: Shape]
    let allowTemplates: Bool
    var path: [String]
    /// For each token of the path below the value that the check began with: the index of an element, and `nil` for the
    /// name of a member. A name can consist of digits too.
    private var indices: [Int?] = []
    var findings: [ShapeFinding] = []
    /// Values compared with shapes so far. Alternatives inside alternatives could multiply without bound.
    private var steps = 0
    private let stepLimit: Int
    /// Expressions compiled so far; only looked up.
    private var patterns: [String: Pattern] = [:]
    /// Whether the check stopped before its end.
    var isExhausted: Bool { steps > stepLimit }

    init(named: [String: Shape], allowTemplates: Bool, path: [String], stepLimit: Int) {
        self.named = named
        self.allowTemplates = allowTemplates
        self.path = path
        self.stepLimit = stepLimit
    }

    mutating func check(_ value: JSONValue, _ shape: Shape) {
        // Only this function and `checkAlternatives` call themselves, so that a level costs little stack.
        switch look(value, shape) {
        case .children(let children):
            for child in children {
                path.append(child.token)
                indices.append(child.index)
                check(child.value, child.shape)
                path.removeLast()
                indices.removeLast()
            }
        case .alternatives(let shapes, let whole): checkAlternatives(value, shapes, of: whole)
        }
    }

    private struct Child {
        var token: String
        /// The place in an array; `nil` for a member of an object.
        var index: Int?
        var value: JSONValue
        var shape: Shape
    }

    private enum Rest {
        /// What is inside the value and still to be checked.
        case children([Child])
        /// Several shapes could be meant.
        case alternatives([Shape], of: Shape)
        static let nothing = Rest.children([])
    }

    /// Checks a value itself; what is inside is handed back.
    private mutating func look(_ value: JSONValue, _ shape: Shape) -> Rest {
        steps += 1
        guard !isExhausted else { return .nothing }
        guard let shape = resolve(shape, for: value) else {
            report(.table, "no shape is known for \(subject); this is a fault of b2c, not of the file")
            return .nothing
        }
        if allowTemplates, !path.isEmpty, case .string(let text) = value {
            let template = ShapeText.template(in: text)
            if template.whole || (template.any && shape.accepts(kind: .string, named)) { return .nothing }
        }
        switch shape {
        case .any, .ref: return .nothing
        case .nullable:
            if !value.isNull { wrongType(value, shape) }
            return .nothing
        case .anyOf(let shapes):
            let kind = ShapeKind(of: value)
            let fitting = shapes.filter { $0.accepts(kind: kind, named) }
            if !fitting.isEmpty { return .alternatives(fitting, of: shape) }
            wrongType(value, shape)
            return .nothing
        case .array, .map, .object: return lookInside(value, shape)
        default:
            checkScalar(value, shape)
            return .nothing
        }
    }

    private mutating func lookInside(_ value: JSONValue, _ shape: Shape) -> Rest {
        switch (shape, value) {
        case (.array(let element), .array(let elements)):
            return .children(
                elements.enumerated().map {
                    Child(token: String($0.offset), index: $0.offset, value: $0.element, shape: element)
                })
        case (.map(let member, _, _), .object(let object)):
            return .children(object.members.map { Child(token: $0.key, value: $0.value, shape: member) })
        case (.object(let fields), .object(let object)): return .children(checkObject(object, fields))
        default:
            wrongType(value, shape)
            return .nothing
        }
    }

    private mutating func checkScalar(_ value: JSONValue, _ shape: Shape) {
        switch shape {
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

    /// Follows references, and takes the only alternative that can be meant; `nil` when a reference leads nowhere or in
    /// a circle.
    private func resolve(_ shape: Shape, for value: JSONValue) -> Shape? {
        var shape = shape
        for _ in 0..<64 {
            switch shape {
            case .ref(let name):
                guard let next = named[name] else { return nil }
                shape = next
            case .nullable(let inner):
                if value.isNull { return .any }
                // The message for a value that does not fit says that null would.
                guard inner.accepts(kind: ShapeKind(of: value), named) || allowTemplates else { return shape }
                shape = inner
            case .anyOf(let shapes):
                let kind = ShapeKind(of: value)
                let fitting = shapes.filter { $0.accepts(kind: kind, named) }
                guard fitting.count == 1 else { return shape }
                shape = fitting[0]
            default: return shape
            }
        }
        return nil
    }

    // MARK: Texts

    private mutating func checkText(_ text: String, _ shape: Shape) {
        switch shape {
        case .nonEmptyString:
            if text.isEmpty { report(.format, "\(subject) must not be empty") }
        case .duration:
            if !ShapeText.matches(text, ShapeText.durationPattern) {
                let hasYears =
                    text.utf8.first == UInt8(ascii: "P") && text.split(separator: "T")[0].contains { "YM".contains($0) }
                report(
                    .format, "\(subject) must be \(shape.phrase(named)), not \(quoted(text))",
                    hasYears ? "Years and months have no fixed length; write days." : nil)
            }
        case .instant:
            if !ShapeText.matches(text, ShapeText.instantPattern) || !hasPossibleDay(text) {
                report(.format, "\(subject) must be \(shape.phrase(named)), not \(quoted(text))")
            }
        case .url:
            if !ShapeText.matches(text, ShapeText.urlPattern) {
                report(
                    .format, "\(subject) must be \(shape.phrase(named)), not \(quoted(text))",
                    text.contains(".") && !text.contains(" ") && !text.contains(":")
                        ? "Write the scheme too: \"https://\(text)\"." : nil)
            }
        case .pattern(let pattern, _):
            if patterns[pattern] == nil { patterns[pattern] = try? Pattern(pattern, dialect: .schema) }
            guard let compiled = patterns[pattern] else {
                report(.table, "the pattern of \(subject) cannot be read; this is a fault of b2c, not of the file")
                return
            }
            if !ShapeText.matches(text, compiled) {
                report(.format, "\(subject) must be \(shape.phrase(named)), not \(quoted(text))")
            }
        case .oneOf(let choices):
            guard let choice = choices.first(where: { $0.value == text }) else {
                let values = choices.filter { $0.notBuiltYet == nil }.map(\.value)
                let remedy = Suggestion(for: text, among: values)?.question("\"")
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

    /// Checks the keys; the values are handed back.
    private mutating func checkObject(_ object: JSONObject, _ shape: ObjectShape) -> [Child] {
        lazy var names = shape.fields.map(\.name)
        var meant: [String] = []
        var hasUnknown = false
        var children: [Child] = []
        for (key, value) in object.members {
            if let field = shape.fields.first(where: { $0.name == key }) {
                if let missing = field.notBuiltYet {
                    reportKey(key, .notBuiltYet, "`\(key)` is not built yet: \(missing)")
                } else {
                    children.append(Child(token: key, value: value, shape: field.shape))
                }
            } else if let open = shape.open, shape.admits(name: key) {
                children.append(Child(token: key, value: value, shape: open))
            } else {
                hasUnknown = true
                // Where only a prefix is closed the other fields were not meant.
                let names = shape.open == nil ? names : names.filter { $0.hasPrefix(shape.closedPrefix ?? "") }
                // A misspelt key can mean one that is there already; a word of another tool cannot.
                let present = nearestName(key, among: names).flatMap { object[$0] == nil ? nil : Suggestion($0) }
                let suggestion = present ?? Suggestion(for: key, among: names.filter { object[$0] == nil })
                if let suggestion { meant.append(suggestion.name) }
                reportKey(
                    key, .unknownKey, "`\(Self.shown(key))` is not a key of \(Self.withArticle(shape.title))",
                    remedy: suggestion?.question() ?? Self.choice(names, object, shape))
            }
        }
        for field in shape.fields where field.required && object[field.name] == nil {
            // A misspelt key is one mistake, not two.
            if meant.contains(field.name) { continue }
            report(
                .missingKey, "`\(field.name)` is missing in this \(shape.title)",
                "Add \"\(field.name)\": \(field.shape.phrase(named)).")
        }
        checkExactlyOne(object, shape, hasUnknown: hasUnknown)
        for group in shape.atMostOneOf {
            let present = object.keys.filter(group.contains)
            for key in present.dropFirst() {
                reportKey(
                    key, .exclusion, "`\(key)` and `\(present[0])` exclude each other", remedy: "Remove one of them.")
            }
        }
        return children
    }

    /// The keys to choose from: where one of some is required and missing, the unknown key was to be one of them.
    private static func choice(_ names: [String], _ object: JSONObject, _ shape: ObjectShape) -> String {
        if !shape.exactlyOneOf.isEmpty, !object.keys.contains(where: shape.exactlyOneOf.contains) {
            return "A \(shape.title) needs one of \(namesList(shape.exactlyOneOf, limit: 40))."
        }
        return names.isEmpty ? "It has no keys." : "Its keys: \(namesList(names, limit: 30))."
    }

    /// - Parameter hasUnknown: Whether there is an unknown key, which was to be the missing one: one mistake, not two.
    private mutating func checkExactlyOne(_ object: JSONObject, _ shape: ObjectShape, hasUnknown: Bool) {
        guard !shape.exactlyOneOf.isEmpty else { return }
        let present = object.keys.filter(shape.exactlyOneOf.contains)
        let word = shape.exactlyOneWord
        if present.isEmpty {
            if hasUnknown { return }
            report(
                .exactlyOne, "this \(shape.title) has no \(word); it needs exactly one",
                "Add one of \(namesList(shape.exactlyOneOf, limit: 40)).")
        }
        for key in present.dropFirst() {
            reportKey(
                key, .exactlyOne,
                "`\(key)` is a second \(word) in this \(shape.title), beside `\(present[0])`; one \(word) is allowed",
                remedy: "Split it in two, or remove one.")
        }
    }

    // MARK: Alternatives

    /// The keys of a value nearly always decide which alternative it is; only if they do not, several are checked as a
    /// whole.
    private mutating func checkAlternatives(_ value: JSONValue, _ fitting: [Shape], of whole: Shape) {
        let before = findings
        let looks = fitting.map { shape in
            findings = []
            _ = look(value, shape)
            return findings
        }
        findings = before
        let clean = zip(fitting, looks).filter(\.1.isEmpty).map(\.0)
        guard let first = clean.first else {
            if case .string = value {
                // No kind of text is more likely than another: name them all.
                let remedy = looks.lazy.compactMap(\.first?.remedy).first { $0.hasPrefix("Did you mean") }
                report(.format, "\(subject) must be \(whole.phrase(named)), not \(described(value))", remedy)
            } else if let best = looks.indices.min(by: { closeness(looks[$0]) < closeness(looks[$1]) }) {
                check(value, fitting[best])
            }
            return
        }
        if clean.count == 1 { return check(value, first) }
        var best: [ShapeFinding]?
        for shape in clean {
            findings = []
            check(value, shape)
            if findings.isEmpty {
                best = []
                break
            }
            if closeness(findings) < best.map(closeness) ?? (.max, .max) { best = findings }
        }
        findings = before + (best ?? [])
    }

    /// The alternative that was meant is the one whose keys are known and that has the fewest findings.
    private func closeness(_ findings: [ShapeFinding]) -> (Int, Int) {
        let own = findings.filter { $0.path.count <= path.count + 1 }
        let foreign = own.filter { $0.rule == .unknownKey || $0.rule == .exactlyOne || $0.rule == .type }
        return (foreign.count, findings.count)
    }

    // MARK: Words

    mutating func report(
        _ rule: ShapeFinding.ShapeRule, _ message: String, _ remedy: String? = nil, isAboutKey: Bool = false
    ) {
        findings.append(
            ShapeFinding(rule: rule, path: path, isAboutKey: isAboutKey, message: message, remedy: remedy))
    }

    /// About the name of a member of the value here.
    private mutating func reportKey(
        _ key: String, _ rule: ShapeFinding.ShapeRule, _ message: String, remedy: String? = nil
    ) {
        path.append(key)
        indices.append(nil)
        report(rule, message, remedy, isAboutKey: true)
        path.removeLast()
        indices.removeLast()
    }

    private mutating func wrongType(_ value: JSONValue, _ shape: Shape) {
        report(.type, "\(subject) must be \(shape.phrase(named)), not \(described(value))", fix(value, shape))
    }

    /// What to write instead, where the right value can be guessed.
    private func fix(_ value: JSONValue, _ shape: Shape) -> String? {
        switch (shape, value) {
        case (.bool, .string(let text)) where text == "true" || text == "false": return "Write \(text) without quotes."
        case (.number, .string(let text)) where Double(text)?.isFinite == true,
            (.integer, .string(let text)) where Int64(text) != nil:
            return "Write \(text) without quotes."
        case (.array(let element), _):
            return !value.isNull && fits(value, element) ? "Put it into brackets: [\(excerpt(value))]." : nil
        case (_, .integer), (_, .number), (_, .bool):
            guard shape.accepts(kind: .string, named), fits(.string(value.description), shape) else { return nil }
            return "Write \"\(value)\" in double quotes."
        default: return nil
        }
    }

    /// Whether a value would fit, found out with little work.
    private func fits(_ value: JSONValue, _ shape: Shape) -> Bool {
        if case .name = shape { return true }
        var trial = ShapeWalk(named: named, allowTemplates: false, path: ["0"], stepLimit: 1000)
        trial.check(value, shape)
        return trial.findings.isEmpty && !trial.isExhausted
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

    /// A text as a message shows it: cut, and with control characters written as JSON writes them, so that it stays on
    /// its line.
    private static func shown(_ text: String) -> String {
        var shown = ""
        for scalar in text.unicodeScalars.prefix(60) {
            switch scalar.value {
            case 0x09: shown += "\\t"
            case 0x0A: shown += "\\n"
            case 0x0D: shown += "\\r"
            case 0..<0x20, 0x7F:
                let digits = String(scalar.value, radix: 16)
                shown += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
            default: shown.unicodeScalars.append(scalar)
            }
        }
        return text.unicodeScalars.count <= 60 ? shown : shown + "..."
    }

    private static func withArticle(_ noun: String) -> String {
        guard let first = noun.lowercased().first else { return "this object" }
        // "user" and "URL" begin with the sound of "you".
        let isVowel = "aeiou".contains(first) && !noun.lowercased().hasPrefix("us") && !noun.hasPrefix("URL")
        return (isVowel ? "an " : "a ") + noun
    }

    /// What is spoken of: the key, or the element of the array under a key.
    private var subject: String {
        guard let last = path.last else { return "the file" }
        guard let index = index(at: path.count - 1) else { return "`\(Self.shown(last))`" }
        // bounded: an index is below `Int.max`.
        let element = "element \(index + 1)"
        guard let holder = path.dropLast().last, self.index(at: path.count - 2) == nil else { return element }
        return "\(element) of `\(Self.shown(holder))`"
    }

    /// The index that a token of the path is; `nil` for the name of a member. Of the tokens above the value that the check
    /// began with only the text is known.
    private func index(at depth: Int) -> Int? {
        let own = depth - (path.count - indices.count)
        return own < 0 ? JSONPointer.arrayIndex(path[depth]) : indices[own]
    }
}

/// The kinds of JSON value, which decide which alternatives are possible.
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
}
