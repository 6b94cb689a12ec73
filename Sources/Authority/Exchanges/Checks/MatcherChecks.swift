import B2CProtocol
import HTTPMessages
import JSON

/// Checks what the shape of a matcher does not say: names below `$` tests, matchers that no value passes, and matchers
/// that every value passes.
package struct MatcherChecks {
    private let findings: Findings
    private let names: (any NameTable)?
    private let shapes: [String: Shape]

    /// - Parameters:
    ///   - names: The names that the script knows; `nil` outside of scripts, such as in a control call.
    ///   - shapes: What shapes refer to by name.
    package init(_ findings: Findings, names: (any NameTable)? = nil, shapes: [String: Shape] = ExchangeShapes.named) {
        self.findings = findings
        self.names = names
        self.shapes = shapes
    }

    /// Checks a matcher.
    ///
    /// - Parameter shape: the shape of the matcher, by its name in the shapes.
    package func check(_ matcher: JSONValue, as shape: String, at pointer: JSONPointer) {
        walk(matcher, .record(.ref(shape), in: shapes), at: pointer, mayBeEmpty: shape == "request")
    }

    // MARK: Places

    /// What a matcher looks at.
    private struct Place {
        enum Kind {
            case object(ObjectShape)
            case list(Shape)
            case log(record: Shape)
            case words([Choice])
            case name(NameKind)
            case text, number, flag
            /// How many there are.
            case count
            /// An object whose members have any name.
            case members
            case headers
            case claims
            /// An AADB2C code.
            case code
            /// The `error` of OAuth 2.0.
            case oauthError
            case anything
        }

        var kind: Kind
        /// The numbers that can be there.
        var numbers = AmountReach.Domain.any
        /// A whole outcome, page or record: never absent.
        var isThere = false

        static func record(_ shape: Shape, in shapes: [String: Shape]) -> Place {
            var place = Place(shape, in: shapes)
            place.isThere = true
            return place
        }

        init(kind: Kind) { self.kind = kind }

        init(_ shape: Shape, in shapes: [String: Shape]) {
            var shape = shape
            search: for _ in 0..<16 {
                switch shape {
                case .ref("count"): self.init(kind: .count)
                case .ref("text"): self.init(kind: .text)
                case .ref("number"): self.init(kind: .number)
                case .ref("flag"): self.init(kind: .flag)
                case .ref("members"): self.init(kind: .members)
                case .ref("matcher"): self.init(kind: .anything)
                case .ref(let name):
                    guard let next = shapes[name] else { break search }
                    shape = next
                    continue
                case .nullable(let inner):
                    shape = inner
                    continue
                case .anyOf(let shapes):
                    if case .integer? = shapes.first, case .array(let record)? = shapes.dropFirst().first {
                        self.init(kind: .log(record: record))
                        return
                    }
                    guard let first = shapes.first else { break search }
                    shape = first
                    continue
                case .oneOf(let choices): self.init(kind: .words(choices))
                case .name(let kind): self.init(kind: .name(kind))
                case .array(let element): self.init(kind: .list(element))
                case .object(let object): self.init(kind: .object(object))
                default: self.init(kind: .anything)
                }
                return
            }
            self.init(kind: .anything)
        }

        /// A member of an object with known members.
        init(member name: String, _ shape: Shape, in shapes: [String: Shape]) {
            switch name {
            case "headers": self.init(kind: .headers)
            case "claims": self.init(kind: .claims)
            case "b2cCode": self.init(kind: .code)
            case "oauthError": self.init(kind: .oauthError)
            default: self.init(shape, in: shapes)
            }
            if ["elapsed", "retryAfter", "number"].contains(name) { numbers = .fromZero }
            if ["status", "httpStatus"].contains(name) { numbers = .statuses }
        }

        /// The types of values that this place can have.
        var types: MatcherReach.Types {
            isThere ? usualTypes.subtracting([.null, .absent]) : usualTypes
        }

        private var usualTypes: MatcherReach.Types {
            switch kind {
            case .object, .members, .headers, .claims: [.object, .null, .absent]
            case .list: [.array, .null, .absent]
            case .words, .name, .text, .code, .oauthError: [.string, .null, .absent]
            case .number: [.number, .null, .absent]
            case .flag: [.boolean, .null, .absent]
            case .count: .number
            case .log, .anything: .all
            }
        }

        var domain: AmountReach.Domain {
            if case .count = kind { .counts } else { numbers }
        }
    }

    // MARK: Walk

    private func walk(_ matcher: JSONValue, _ place: Place, at pointer: JSONPointer, mayBeEmpty: Bool = false) {
        if case .log(let record) = place.kind { return walk(log: matcher, record, at: pointer) }
        status(matcher, place, at: pointer)
        if !(mayBeEmpty && matcher.objectValue?.isEmpty == true) { sense(matcher, place, at: pointer) }
        look(matcher, place, at: pointer)
    }

    private func walk(log matcher: JSONValue, _ record: Shape, at pointer: JSONPointer) {
        switch matcher {
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                walk(element, .record(record, in: shapes), at: pointer.appending(index), mayBeEmpty: true)
            }
        case .object(let object) where object.isEmpty:
            findings.add(
                .cannotFail, "an object without counts says nothing of a log",
                remedy: "Write 0 or [] where there are no records.", at: pointer)
        case .object(let object) where object.keys.allSatisfy({ $0.hasPrefix("$") }):
            walk(matcher, Place(kind: .count), at: pointer)
        case .object(let object):
            for (name, count) in object.members where !name.hasPrefix("$") {
                walk(count, Place(kind: .count), at: pointer.appending(name))
            }
        default: break
        }
    }

    /// What is inside a matcher.
    private func look(_ matcher: JSONValue, _ place: Place, at pointer: JSONPointer) {
        switch matcher {
        case .string(let text): literal(text, place, at: pointer)
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                walk(element, self.element(of: place), at: pointer.appending(index), mayBeEmpty: true)
            }
        case .object(let object):
            if case .object(let shape) = place.kind {
                if shape.title == EventWords.title { event(object, at: pointer) }
                sent(object, at: pointer)
            }
            for (name, argument) in object.members {
                let inside = pointer.appending(name)
                if name == MatcherTest.times {
                    walk(argument, Place(kind: .count), at: inside)
                } else if let test = MatcherTest(rawValue: name) {
                    look(test, argument, place, at: inside)
                } else if !name.hasPrefix("$") {
                    member(name, argument, place, at: inside)
                }
            }
        default: break
        }
    }

    /// Names of what a request to a known endpoint sends: one that is almost a parameter is never there.
    private func sent(_ record: JSONObject, at pointer: JSONPointer) {
        guard let names, let known = WireNames.names(of: record["endpoint"]?.stringValue) else { return }
        for member in ["query", "form"] {
            for name in record[member]?.objectValue?.keys ?? [] where !name.hasPrefix("$") {
                guard let near = WireNames.near(name, among: known), !names.sent.contains(name) else { continue }
                findings.add(
                    .nearParameter, "no request of the script has the parameter `\(name)`",
                    remedy: "Did you mean `\(near)`?", at: pointer.appending(member).appending(name), key: true,
                    severity: .warning)
            }
        }
    }

    private func look(_ test: MatcherTest, _ argument: JSONValue, _ place: Place, at pointer: JSONPointer) {
        switch test {
        case .not: look(argument, place, at: pointer)
        case .all, .any:
            guard let parts = argument.arrayValue else { return }
            for (index, part) in parts.enumerated() { look(part, place, at: pointer.appending(index)) }
        case .equals: if case .string(let text) = argument { literal(text, place, at: pointer) }
        case .contains: walk(argument, element(of: place), at: pointer, mayBeEmpty: true)
        case .unordered:
            for (index, part) in (argument.arrayValue ?? []).enumerated() {
                walk(part, element(of: place), at: pointer.appending(index), mayBeEmpty: true)
            }
        case .length: walk(argument, Place(kind: .count), at: pointer)
        case .jwt: walk(argument, Place(.ref("tokenParts"), in: shapes), at: pointer, mayBeEmpty: true)
        case .url: walk(argument, Place(.ref("urlParts"), in: shapes), at: pointer, mayBeEmpty: true)
        case .json: walk(argument, Place(kind: .anything), at: pointer, mayBeEmpty: true)
        case .base64url: walk(argument, Place(kind: .text), at: pointer)
        case .exists, .type, .startsWith, .endsWith, .matches, .lessThan, .atMost, .greaterThan, .atLeast, .time: break
        }
    }

    private func element(of place: Place) -> Place {
        if case .list(let element) = place.kind { Place(element, in: shapes) } else { Place(kind: .anything) }
    }

    private func member(_ name: String, _ argument: JSONValue, _ place: Place, at pointer: JSONPointer) {
        switch place.kind {
        case .object(let object):
            if let field = object.fields.first(where: { $0.name == name }) {
                // Claims of a trace have their names in the policy.
                let isTrace = object.title == EventWords.traceTitle
                var place = isTrace ? Place(field.shape, in: shapes) : Place(member: name, field.shape, in: shapes)
                // The keychain's status is an OSStatus, which is negative.
                if object.title == EventWords.title { place.numbers = .any }
                walk(argument, place, at: pointer)
            } else if let open = object.open {
                walk(argument, Place(open, in: shapes), at: pointer)
            } else {
                findings.lacks(
                    .unknownResult, "a \(object.title)", name,
                    among: object.fields.map(\.name).filter { !$0.hasPrefix("$") }, plural: "members", at: pointer,
                    key: true)
            }
        case .headers:
            if name != name.lowercased() {
                findings.add(
                    .headerName, "names of headers are compared in lower case, so `\(name)` is never there",
                    remedy: "Write `\(name.lowercased())`.", at: pointer, key: true)
            }
            walk(argument, Place(kind: .anything), at: pointer)
        case .claims:
            if let names, let near = names.claimNear(name) {
                findings.add(
                    .nearClaim, "no policy of the tenant sends the claim `\(name)`",
                    remedy: "Did you mean `\(near)`?", at: pointer, key: true, severity: .warning)
            }
            walk(argument, Place(kind: .anything), at: pointer)
        default: walk(argument, Place(kind: .anything), at: pointer)
        }
    }

    /// What an event can hold depends on its type.
    private func event(_ object: JSONObject, at pointer: JSONPointer) {
        guard let type = object["type"]?.stringValue, let members = EventWords.members(of: type) else { return }
        for name in object.keys where !name.hasPrefix("$") && !members.contains(name) && EventWords.all.contains(name) {
            findings.lacks(
                .unknownResult, "a `\(type)` event", name, among: members, plural: "members",
                at: pointer.appending(name), key: true)
        }
        guard type == "cookieBlocked", let reason = object["reason"]?.stringValue,
            !Template.mayHoldReference(reason)
        else { return }
        let known = CookieRefusal.allCases.map(\.rawValue)
        guard !known.contains(reason) else { return }
        findings.unknown("reason", reason, among: known, plural: "reasons", at: pointer.appending("reason"))
    }

    /// A text that stands for a value at a place that allows only some values. Directly there the shape says so too.
    private func literal(_ text: String, _ place: Place, at pointer: JSONPointer) {
        guard !Template.mayHoldReference(text) else { return }
        switch place.kind {
        case .words(let choices):
            let known = choices.map(\.value)
            guard !known.contains(text) else { return }
            findings.unknown("value", text, among: known, plural: "values", at: pointer)
        case .name(let kind):
            guard let names, let (known, plural) = names.names(of: kind), !known.isEmpty, !names.has(text, as: kind)
            else { return }
            findings.unknown(
                kind.rawValue, text, among: known, plural: plural, at: pointer, owner: names.owner(of: text, as: kind))
        case .code:
            guard AADB2C.named(text) == nil else { return }
            findings.add(
                .unknownCode, "`\(text)` is not a known AADB2C code",
                remedy: "`b2c explain CODE` explains a known one.",
                at: pointer, severity: .warning)
        case .oauthError:
            guard let near = WireNames.nearError(text) else { return }
            findings.add(
                .unknownCode, "`\(text)` is not a known OAuth error", remedy: "Did you mean `\(near)`?", at: pointer,
                severity: .warning)
        default: break
        }
    }

    /// A number that no HTTP answer has as its status.
    private func status(_ value: JSONValue, _ place: Place, at pointer: JSONPointer) {
        guard case .statuses = place.numbers, let number = value.doubleValue, !(100...599).contains(number) else {
            return
        }
        findings.add(
            .cannotHold, "no HTTP answer has the status \(Wording.json(value))",
            remedy: "A status is a number from 100 to 599.", at: pointer)
    }

    // MARK: Sense

    /// Whether some value passes and some value does not.
    private func sense(_ matcher: JSONValue, _ place: Place, at pointer: JSONPointer) {
        guard case .object(let object) = matcher else { return }
        let before = findings.all.count
        texts(object, at: pointer)
        lists(object, at: pointer)
        guard findings.all.count == before else { return }
        let reach = MatcherReach.of(matcher)
        if reach.matches.isDisjoint(with: place.types) {
            return cannotHold("no value passes \(Wording.json(matcher)) here", at: pointer)
        }
        if reach.fails.isDisjoint(with: place.types) {
            return cannotFail("every value passes \(Wording.json(matcher)) here", at: pointer)
        }
        if let amounts = AmountReach(matcher, place.domain) {
            if amounts.holdsNever { return cannotHold("no value passes \(Wording.json(matcher))", at: pointer) }
            if amounts.holdsAlways { return cannotFail("every value passes \(Wording.json(matcher))", at: pointer) }
        }
        negations(object, place, at: pointer)
        constants(object, at: pointer)
        guard findings.all.count == before else { return }
        classes(matcher, place, at: pointer)
    }

    /// What holds or fails by the combination of tests: alternatives that cover everything, conditions that exclude one
    /// another, parts that change nothing.
    private func classes(_ matcher: JSONValue, _ place: Place, at pointer: JSONPointer) {
        guard case .object(let object) = matcher, object.keys.contains(where: { $0.hasPrefix("$") }),
            let domain = domain(of: place), let space = MatcherSpace(matcher, domain)
        else { return }
        if space.holdsNever { return cannotHold("no value passes \(Wording.json(matcher)) here", at: pointer) }
        if space.holdsAlways {
            return cannotFail("every value that is present passes \(Wording.json(matcher)) here", at: pointer)
        }
        for part in space.idleParts {
            let what = part.test == .any ? "this alternative" : "this condition"
            findings.add(
                .noEffect, "\(what) decides nothing: without it, the same values pass",
                remedy: "Remove it, or say what is different.",
                at: JSONPointer(tokens: pointer.tokens + part.pointer.tokens), severity: .warning)
        }
    }

    private func domain(of place: Place) -> MatcherSpace.Domain? {
        var words: [String]?
        var types = place.types
        switch place.kind {
        case .log, .count: return nil
        case .words(let choices):
            words = choices.map(\.value)
            types.remove(.null)
        // In a tenant with one app or policy, its name is the only one, and it is not wrong to write it.
        case .name(let kind): words = names?.names(of: kind)?.known.nonTrivial
        default: break
        }
        return MatcherSpace.Domain(types: types, words: words, numbers: place.numbers)
    }

    /// `$not` of something that no value here can be.
    private func negations(_ object: JSONObject, _ place: Place, at pointer: JSONPointer) {
        for (name, argument) in object.members {
            let inside = pointer.appending(name)
            switch MatcherTest(rawValue: name) {
            case .not:
                let reach = MatcherReach.of(argument)
                if reach.matches.isDisjoint(with: place.types) {
                    cannotFail("no value here matches \(Wording.json(argument)), so `$not` always holds", at: inside)
                } else if let inner = argument.objectValue {
                    negations(inner, place, at: inside)
                }
            case .all, .any:
                for (index, part) in (argument.arrayValue ?? []).enumerated() {
                    let reach = MatcherReach.of(part)
                    if name == MatcherTest.any.rawValue, reach.matches.isDisjoint(with: place.types) {
                        cannotHold("no value here passes \(Wording.json(part))", at: inside.appending(index))
                    } else if let inner = part.objectValue {
                        negations(inner, place, at: inside.appending(index))
                    }
                }
            default: break
            }
        }
    }

    /// `$equals` allows one value: the other tests of the object either match that value or never match.
    private func constants(_ object: JSONObject, at pointer: JSONPointer) {
        guard let value = object[MatcherTest.equals.rawValue], !Interpolation.isNeeded(in: .object(object)) else {
            return
        }
        var others = object
        others[MatcherTest.equals.rawValue] = nil
        others[MatcherTest.times] = nil
        guard !others.isEmpty, !Matcher.matches(value, .object(others)) else { return }
        cannotHold("what equals \(Wording.json(value)) does not match \(Wording.json(.object(others)))", at: pointer)
    }

    private func lists(_ object: JSONObject, at pointer: JSONPointer) {
        for (name, argument) in object.members {
            let inside = pointer.appending(name)
            switch MatcherTest(rawValue: name) {
            case .any, .all:
                guard let parts = argument.arrayValue else { continue }
                if parts.isEmpty {
                    if name == MatcherTest.any.rawValue {
                        cannotHold("`$any` lists no alternative, so nothing passes", at: inside)
                    } else {
                        cannotFail("`$all` lists no matcher, so everything passes", at: inside)
                    }
                }
                for (index, part) in parts.enumerated() {
                    if let inner = part.objectValue {
                        texts(inner, at: inside.appending(index))
                        lists(inner, at: inside.appending(index))
                    }
                }
            case .not:
                guard let inner = argument.objectValue else { continue }
                texts(inner, at: inside)
                lists(inner, at: inside)
            default: continue
            }
        }
    }

    /// Tests of texts that every text passes.
    private func texts(_ object: JSONObject, at pointer: JSONPointer) {
        for (name, argument) in object.members {
            guard let text = argument.stringValue, let test = MatcherTest(rawValue: name) else { continue }
            switch test {
            case .contains, .startsWith, .endsWith:
                guard text.isEmpty else { continue }
                cannotFail("every text passes `\(name)` with an empty text", at: pointer.appending(name))
            case .matches:
                guard !Template.mayHoldReference(text), let pattern = try? Pattern(text), pattern.fitsEveryText else {
                    continue
                }
                cannotFail(
                    "every text passes the regular expression \(Wording.json(argument))", at: pointer.appending(name))
            default: continue
            }
        }
    }

    private func cannotHold(_ message: String, at pointer: JSONPointer) {
        findings.add(.cannotHold, message, at: pointer)
    }

    private func cannotFail(_ message: String, at pointer: JSONPointer) {
        findings.add(
            .cannotFail, message, remedy: "Say what would be wrong, or remove it; `$exists` tests presence.",
            at: pointer)
    }
}

extension [String] {
    /// `nil` for a list of fewer than two.
    fileprivate var nonTrivial: [String]? { count < 2 ? nil : self }
}

extension Pattern {
    /// Texts of many kinds. An expression that is written for some texts does not match all of these.
    private static let samples: [String] = {
        let printable = String(String.UnicodeScalarView((0x20...0x7E).compactMap { Unicode.Scalar($0) }))
        return ["", "x", "0", printable, String(repeating: "a b-1_", count: 300), "\u{E9}\u{4E2D}"]
    }()

    /// Whether it matches whatever the text, as far as texts of one line go.
    var fitsEveryText: Bool {
        Self.samples.allSatisfy { (try? hasMatch(in: $0)) ?? false }
    }
}
