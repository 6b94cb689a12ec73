import CAssets
import Diagnostics
import ExtensionCalls
import JSON
import Records

/// What becomes of an element of a policy or an app in Microsoft Entra External ID, the least work first.
package enum MigrationVerdict: String, SettingWord, Comparable {
    case builtIn, needsExtension, anotherArchitecture, notSupported

    /// In a sentence.
    package var doc: String {
        switch self {
        case .builtIn: "built in"
        case .needsExtension: "needs an extension"
        case .anotherArchitecture: "another architecture"
        case .notSupported: "not supported"
        }
    }

    var severity: Severity {
        switch self {
        case .builtIn: .advice
        case .needsExtension, .anotherArchitecture: .warning
        case .notSupported: .error
        }
    }

    package static func < (one: MigrationVerdict, other: MigrationVerdict) -> Bool { one.rank < other.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// What is known of a rule of the migration: a row of `Files/migration.json`.
package struct MigrationRow: TableRow {
    package private(set) var id = ""
    package private(set) var verdict = MigrationVerdict.builtIn
    package private(set) var event: ExtensionEvent?
    /// What it is, without a full stop.
    package private(set) var means = ""
    package private(set) var reason = ""
    package private(set) var fix = ""
    /// The address of Microsoft's document.
    package private(set) var document = ""
    /// Whether the verdict is a conclusion that no document states.
    package private(set) var isInferred = false
    /// Patterns of lines of an app that it is about, and of those that it is not about.
    private(set) var signs: [String] = []
    /// In lower case: a line without any of them is not compared.
    private(set) var words: [String] = []
    private(set) var spare: [String] = []

    package init() {}

    package static let title = "a rule of the migration"
    package static let summary = "What becomes of an element in External ID."
    package static let settings: [Setting<MigrationRow>] = {
        var table = SettingsTable<MigrationRow>()
        table.add("id", \.id, .nonEmpty, "The rule.", required: true)
        table.add("verdict", \.verdict, .word(), "What becomes of it.", required: true)
        table.add(
            "event", \.event, Codec<ExtensionEvent>.word().optional(), "The event of the extension that replaces it.")
        table.add("means", \.means, .nonEmpty, "What it is.", required: true)
        table.add("reason", \.reason, .nonEmpty, "Why.", required: true)
        table.add("fix", \.fix, .nonEmpty, "What to do.", required: true)
        table.add("document", \.document, .url, "The address of Microsoft's document.", required: true)
        table.add("inferred", \.isInferred, .bool, "Whether no document states the verdict.")
        table.add("words", \.words, .texts, "Parts of lines that are compared with patterns, in lower case.")
        table.add("signs", \.signs, .texts, "Patterns of lines of an app.")
        table.add("spare", \.spare, .texts, "Patterns of lines that do not count.")
        return table.rows
    }()

    /// The file; a test expects that nothing is wrong with it.
    package static let table = RecordTable<MigrationRow>(asset_migration().data)
    fileprivate static let byID = Dictionary(table.rows.map { ($0.id, $0) }) { first, _ in first }
}

/// Request and answer of an event: a row of `Files/extension-events.json`.
package struct ExtensionEventRow: TableRow {
    package private(set) var id = ""
    /// Where inputs and outputs are in the two; empty: they are the same for every policy.
    private(set) var inputsAt = ""
    private(set) var outputsAt = ""
    private(set) var request = JSONValue.null
    private(set) var answer = JSONValue.null

    package init() {}

    package static let title = "an event"
    package static let summary = "Request and answer of an event of a custom authentication extension."
    package static let settings: [Setting<ExtensionEventRow>] = {
        var table = SettingsTable<ExtensionEventRow>()
        table.add("id", \.id, .nonEmpty, "The event.", required: true)
        table.add("inputsAt", \.inputsAt, .text, "Where inputs are in the request.")
        table.add("outputsAt", \.outputsAt, .text, "Where outputs are in the answer.")
        table.add("request", \.request, .json, "The request.", required: true)
        table.add("answer", \.answer, .json, "The answer.", required: true)
        return table.rows
    }()

    package static let table = RecordTable<ExtensionEventRow>(asset_extension_events().data)
}

/// The rules of `b2c policy migrate`. Their ids are stable; what is said about each is in ``MigrationRow``.
package enum MigrationRule: String, CaseIterable, Sendable {
    case callAtSignUp = "B2C-MIG-001"
    case callBeforeSignUp = "B2C-MIG-002"
    case callForToken = "B2C-MIG-003"
    case callSendsCode = "B2C-MIG-004"
    case callChecksPassword = "B2C-MIG-005"
    case callElsewhere = "B2C-MIG-006"
    case claimIsNotText = "B2C-MIG-007"
    case signInPage = "B2C-MIG-020"
    case signUpPage = "B2C-MIG-021"
    case resetPage = "B2C-MIG-022"
    case editPage = "B2C-MIG-023"
    case otherPage = "B2C-MIG-024"
    case pageTemplate = "B2C-MIG-025"
    case pageScripts = "B2C-MIG-026"
    case localization = "B2C-MIG-027"
    case valueRules = "B2C-MIG-028"
    case passwordRules = "B2C-MIG-029"
    case emailVerification = "B2C-MIG-040"
    case password = "B2C-MIG-041"
    case oneTimeCode = "B2C-MIG-042"
    case secondFactorByPhone = "B2C-MIG-043"
    case firstFactorByPhone = "B2C-MIG-044"
    case authenticatorApp = "B2C-MIG-045"
    case captcha = "B2C-MIG-046"
    case phoneVerification = "B2C-MIG-047"
    case conditionalAccess = "B2C-MIG-048"
    case tokenHint = "B2C-MIG-049"
    case builtInProvider = "B2C-MIG-060"
    case openIDProvider = "B2C-MIG-061"
    case samlProvider = "B2C-MIG-062"
    case oauthProvider = "B2C-MIG-063"
    case samlApp = "B2C-MIG-064"
    case subJourney = "B2C-MIG-080"
    case tokenTransformation = "B2C-MIG-081"
    case decidingTransformation = "B2C-MIG-082"
    case refreshJourney = "B2C-MIG-083"
    case passwordGrant = "B2C-MIG-084"
    case userInfo = "B2C-MIG-085"
    case customAttributes = "B2C-MIG-086"
    case deletion = "B2C-MIG-087"
    case telemetry = "B2C-MIG-088"
    case ageGating = "B2C-MIG-089"
    case otherHandler = "B2C-MIG-090"
    case session = "B2C-MIG-100"
    case keepSignedIn = "B2C-MIG-101"
    case tokenIssuer = "B2C-MIG-102"
    case policyInToken = "B2C-MIG-103"
    case policyKey = "B2C-MIG-104"
    case userFlow = "B2C-MIG-105"
    case resetPolicy = "B2C-MIG-106"
    case editPolicy = "B2C-MIG-107"
    case authority = "B2C-MIG-120"
    case knownAuthorities = "B2C-MIG-121"
    case acceptedIssuer = "B2C-MIG-122"
    case policyCheck = "B2C-MIG-123"
    case emailsClaim = "B2C-MIG-124"
    case subjectAsKey = "B2C-MIG-125"
    case forgottenPassword = "B2C-MIG-126"
    case passwordGrantOfApp = "B2C-MIG-127"
    case oldScope = "B2C-MIG-128"
    case ownAuthority = "B2C-MIG-129"

    /// What is known of it.
    package var row: MigrationRow { MigrationRow.byID[rawValue] ?? MigrationRow() }

    /// One sentence or two, for `b2c explain`.
    package var doc: String {
        let row = row
        let verdict = row.verdict.doc + (row.isInferred ? " (inferred)" : "")
        return "\(row.means.prefix(1).uppercased())\(row.means.dropFirst()): \(verdict). \(row.reason) \(row.fix)"
    }
}
