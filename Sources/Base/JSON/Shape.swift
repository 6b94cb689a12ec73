/// What a kind of value in a file may be. One table of shapes serves the check of a file, its JSON Schema and an
/// editor's completion.
public indirect enum Shape: Sendable {
    /// Anything.
    case any
    /// `true` or `false`.
    case bool
    /// A whole number, within bounds where they are given.
    case integer(ClosedRange<Int64>? = nil)
    /// Any number.
    case number
    /// Any text.
    case string
    /// A text of at least one character.
    case nonEmptyString
    /// An ISO 8601 duration in weeks, days, hours, minutes and seconds; a sign is allowed.
    case duration
    /// An RFC 3339 date and time.
    case instant
    /// An absolute URL of any scheme.
    case url
    /// A text that matches a regular expression as JSON Schema means it (not anchored unless it says so); the hint says
    /// in words what is expected, "letters, digits and _".
    case pattern(String, hint: String)
    /// One of some texts.
    case oneOf([Choice])
    /// A text that names something. The owner of the names checks that it exists.
    case name(NameKind)
    /// A list.
    case array(of: Shape)
    /// An object whose keys are free; the hint says what a key is, "name of the policy".
    case map(of: Shape, keyHint: String, keys: NameKind? = nil)
    /// An object with known keys.
    case object(ObjectShape)
    /// Any of several shapes.
    case anyOf([Shape])
    /// The shape, or `null`.
    case nullable(Shape)
    /// A shape defined by name, so that shapes can contain themselves.
    case ref(String)
}

/// What a name in a file names.
public enum NameKind: String, Sendable, Hashable, CaseIterable {
    case policy, app, person, api, provider, client, caseName, step, device, browser, apiName, keySet, page, field
    case scenarioTag, host, restStub, key, claim, variable, barrier, button, control, policyKey
}

/// A text that may stand for a setting, with what it means.
public struct Choice: Sendable, Hashable {
    /// The text in the file.
    public var value: String
    /// What it means, one sentence.
    public var doc: String
    /// Known but refused when used, with this text saying what is missing; `nil` when it works.
    public var notBuiltYet: String?

    /// A choice that works, unless `notBuiltYet` says what is missing.
    public init(_ value: String, _ doc: String, notBuiltYet: String? = nil) {
        self.value = value
        self.doc = doc
        self.notBuiltYet = notBuiltYet
    }

    /// The same with labels.
    public init(value: String, doc: String, notBuiltYet: String? = nil) {
        self.init(value, doc, notBuiltYet: notBuiltYet)
    }
}

/// A key of an object.
public struct Field: Sendable {
    /// The key.
    public var name: String
    /// What its value may be.
    public var shape: Shape
    /// Whether it is required.
    public var required: Bool
    /// What it means, shown by editors.
    public var doc: String
    /// The default, in words or as JSON; `nil` if the doc says it or there is none.
    public var defaultText: String?
    /// Known but refused when used, with this text saying what is missing; `nil` when it works.
    public var notBuiltYet: String?

    /// A key; optional and working unless said otherwise.
    public init(
        _ name: String, _ shape: Shape, required: Bool = false, _ doc: String, defaultText: String? = nil,
        notBuiltYet: String? = nil
    ) {
        self.name = name
        self.shape = shape
        self.required = required
        self.doc = doc
        self.defaultText = defaultText
        self.notBuiltYet = notBuiltYet
    }

    /// The same with labels.
    public init(
        name: String, shape: Shape, required: Bool = false, doc: String, defaultText: String? = nil,
        notBuiltYet: String? = nil
    ) {
        self.init(name, shape, required: required, doc, defaultText: defaultText, notBuiltYet: notBuiltYet)
    }
}

/// An object with known keys.
public struct ObjectShape: Sendable {
    /// What the object is, as a noun without article: "step", "tenant file". Findings use this word.
    public var title: String
    /// What it means, shown by editors.
    public var doc: String
    /// Its keys in the order in which an editor should offer them.
    public var fields: [Field]
    /// The shape of members with other names; `nil` when there may be none.
    public var open: Shape?
    /// Names of fields of which exactly one is required: the verbs of a step. Empty if there is no such rule.
    public var exactlyOneOf: [String]
    /// What one of `exactlyOneOf` is called in findings.
    public var exactlyOneWord: String
    /// Groups of fields of which at most one may be there.
    public var atMostOneOf: [[String]]
    /// Members whose names begin so must be fields even where `open` allows others: `$` in matchers.
    public var closedPrefix: String?

    /// An object that allows its fields and nothing else, unless said otherwise.
    public init(
        title: String, doc: String = "", fields: [Field], open: Shape? = nil, exactlyOneOf: [String] = [],
        exactlyOneWord: String = "verb", atMostOneOf: [[String]] = [], closedPrefix: String? = nil
    ) {
        self.title = title
        self.doc = doc
        self.fields = fields
        self.open = open
        self.exactlyOneOf = exactlyOneOf
        self.exactlyOneWord = exactlyOneWord
        self.atMostOneOf = atMostOneOf
        self.closedPrefix = closedPrefix
    }

    /// Whether a name that is not a field may be a member all the same.
    func admits(name: String) -> Bool {
        guard open != nil else { return false }
        return closedPrefix.map { !name.hasPrefix($0) } ?? true
    }
}
