import JSON

/// How a field of a hosted page looks and behaves: the value of `UX_INPUT_TYPE`. Unknown kinds are kept as they are.
public struct PageInputType: RawRepresentable, Hashable, Sendable, Codable, ExpressibleByStringLiteral {
    public var rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { rawValue = value }

    public static let textBox: PageInputType = "TextBox"
    public static let emailBox: PageInputType = "EmailBox"
    public static let password: PageInputType = "Password"
    public static let dropdownSingleSelect: PageInputType = "DropdownSingleSelect"
    public static let radioSingleSelect: PageInputType = "RadioSingleSelect"
    public static let checkboxMultiSelect: PageInputType = "CheckboxMultiSelect"
    public static let dateTimeDropdown: PageInputType = "DateTimeDropdown"
    public static let readonly: PageInputType = "Readonly"
    public static let paragraph: PageInputType = "Paragraph"
    public static let displayControl: PageInputType = "DisplayControl"

    /// The shortcut members of `SA_FIELDS`, all of which every entry has.
    static let shortcuts = [
        "IS_TEXT", "IS_EMAIL", "IS_PASSWORD", "IS_DATE", "IS_RADIO", "IS_DROP", "IS_TEXT_IN_PARAGRAPH",
        "IS_CHECK_MULTI", "IS_LINK",
    ]

    /// The shortcut member that is true for this kind.
    var shortcut: String? {
        switch self {
        case .textBox: "IS_TEXT"
        case .emailBox: "IS_EMAIL"
        case .password: "IS_PASSWORD"
        case .dropdownSingleSelect: "IS_DROP"
        case .radioSingleSelect: "IS_RADIO"
        case .checkboxMultiSelect: "IS_CHECK_MULTI"
        case .dateTimeDropdown: "IS_DATE"
        case .paragraph: "IS_TEXT_IN_PARAGRAPH"
        default: nil
        }
    }
}

/// One choice of a field with choices.
public struct PageOption: Hashable, Sendable, Codable {
    /// The value that is posted.
    public var value: String
    /// The text that is shown.
    public var display: String

    public init(value: String, display: String) {
        self.value = value
        self.display = display
    }
}

/// A field of a hosted page: one entry of `SA_FIELDS.AttributeFields`.
public struct PageField: Hashable, Sendable, Codable {
    /// The claim id, and the name under which the value is posted. Of a display control: the control's id.
    public var id: String
    /// The label.
    public var displayName: String
    /// How the field looks and behaves.
    public var inputType: PageInputType
    /// The page may not be submitted without a value.
    public var isRequired: Bool
    /// The value is shown but cannot be changed.
    public var isReadOnly: Bool
    /// The address must be proved with a code, in the wire form of page layout 1.x.
    public var verify: Bool
    /// The value that the field starts with.
    public var prefilled: String?
    /// Regular expression that the value must match.
    public var pattern: String?
    /// What is shown when it does not.
    public var patternDescription: String?
    /// Help text.
    public var help: String?
    /// The choices of fields that have some.
    public var options: [PageOption]
    /// Rules for the value, mostly of passwords.
    public var inputValidation: PageInputValidation?
    /// The fields inside a display control.
    public var displayFields: [PageField]
    /// The kind of a display control, such as `VerificationControl`.
    public var controlType: String?

    public init(
        id: String, displayName: String = "", inputType: PageInputType = .textBox, isRequired: Bool = false,
        isReadOnly: Bool = false, verify: Bool = false, prefilled: String? = nil, pattern: String? = nil,
        patternDescription: String? = nil, help: String? = nil, options: [PageOption] = [],
        inputValidation: PageInputValidation? = nil, displayFields: [PageField] = [], controlType: String? = nil
    ) {
        self.id = id
        self.displayName = displayName
        self.inputType = inputType
        self.isRequired = isRequired
        self.isReadOnly = isReadOnly
        self.verify = verify
        self.prefilled = prefilled
        self.pattern = pattern
        self.patternDescription = patternDescription
        self.help = help
        self.options = options
        self.inputValidation = inputValidation
        self.displayFields = displayFields
        self.controlType = controlType
    }
}

/// A claims exchange that a page offers: one entry of `CP.list`.
public struct PageChoice: Hashable, Sendable, Codable {
    /// The id of the claims exchange.
    public var id: String
    /// The text on the button, often the provider's name.
    public var description: String
    /// `Button`, `SignUpLink` or `TextLink`; absent means a button.
    public var displayType: String?

    public init(id: String, description: String, displayType: String? = nil) {
        self.id = id
        self.description = description
        self.displayType = displayType
    }
}

/// A phone number that a page offers: one entry of `UV_PHONE.PhoneNumbers`.
public struct PagePhone: Hashable, Sendable, Codable {
    /// What the page posts as `id`.
    public var id: Int
    /// The number with most digits hidden.
    public var maskedNumber: String

    public init(id: Int, maskedNumber: String) {
        self.id = id
        self.maskedNumber = maskedNumber
    }
}

/// Rules for the value of a field (`INPUT_VALIDATION`).
public struct PageInputValidation: Hashable, Sendable, Codable {
    /// Groups, all of which must be satisfied.
    public var groups: [PagePredicateGroup]

    public init(groups: [PagePredicateGroup]) { self.groups = groups }
}

/// Rules of which some must hold.
public struct PagePredicateGroup: Hashable, Sendable, Codable {
    public var id: String
    /// Shown above the rules.
    public var help: String
    /// How many of the rules must hold.
    public var matchAtLeast: Int
    /// The group holds where its rules do not: it names what a value must not be.
    public var rejects: Bool
    public var predicates: [PagePredicate]

    public init(
        id: String, help: String = "", matchAtLeast: Int = 1, rejects: Bool = false, predicates: [PagePredicate]
    ) {
        self.id = id
        self.rejects = rejects
        self.help = help
        self.matchAtLeast = matchAtLeast
        self.predicates = predicates
    }
}

/// One rule for a value.
public struct PagePredicate: Hashable, Sendable, Codable {
    /// What a rule looks at; the numbers are those of B2C's page script.
    public enum Method: Int, Sendable, Codable, CaseIterable {
        case includesCharacters = 1
        case matchesRegex = 2
        case isLengthRange = 3
        case isDateRange = 4
    }

    public var id: String
    public var method: Method
    /// Parameters by name, in order: `Minimum`, `Maximum`, `CharacterSet`, `RegularExpression`.
    public var parameters: [RuleParameter]
    /// What is shown when the rule does not hold.
    public var help: String

    /// One parameter of a rule.
    public struct RuleParameter: Hashable, Sendable, Codable {
        public var name: String
        public var value: String

        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    public init(id: String, method: Method, parameters: [RuleParameter], help: String) {
        self.id = id
        self.method = method
        self.parameters = parameters
        self.help = help
    }

    /// The value of a parameter.
    public func parameter(_ name: String) -> String? {
        parameters.first { $0.name == name }?.value
    }
}
