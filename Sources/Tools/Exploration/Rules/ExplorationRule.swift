import Diagnostics
import JSON

/// The rules of an exploration and of its invariants.
///
/// Each is one row of the table in RuleTable.swift, ``entry``: findings, scripts, `b2c explain` and docs/explore.md read it from there.
public enum ExplorationRule: String, CaseIterable, Sendable {
    case stepNeverRuns = "B2C-EXP-001"
    case preconditionNeverSkips = "B2C-EXP-002"
    case profileNeverRuns = "B2C-EXP-003"
    case validationNeverRuns = "B2C-EXP-004"
    case pageNeverLeft = "B2C-EXP-005"
    case forged = "B2C-EXP-006"
    case unverified = "B2C-EXP-007"
    case disabled = "B2C-EXP-008"
    case overwritten = "B2C-EXP-009"
    case exception = "B2C-EXP-010"
    case writtenThoughFailed = "B2C-EXP-011"
    case writtenThoughRefused = "B2C-EXP-012"
    case notSimulated = "B2C-EXP-013"
    case factorSkipped = "B2C-EXP-014"
    case claimLost = "B2C-EXP-015"
    case claimNeverIssued = "B2C-EXP-016"
    case noToken = "B2C-EXP-017"
    case disabledSocial = "B2C-EXP-018"
    case unproved = "B2C-EXP-019"
    case invariantBroken = "B2C-EXP-020"
    case invariantNeverAsked = "B2C-EXP-021"
    case factorForgotten = "B2C-EXP-022"
    case madeAgain = "B2C-EXP-023"
    case cut = "B2C-EXP-024"
    case nameUnverified = "B2C-EXP-025"
    case addressUnverified = "B2C-EXP-026"
    case foundByChangeable = "B2C-EXP-027"
    case optionalSwitchesOff = "B2C-EXP-028"
    case refreshIgnoresRevocation = "B2C-EXP-029"
    case attributeMismatch = "B2C-EXP-030"
    case failureIgnored = "B2C-EXP-031"
    case emptyAnswerPasses = "B2C-EXP-032"
    case checkSkipped = "B2C-EXP-033"
    case claimMissing = "B2C-EXP-034"
    case twoMeanings = "B2C-EXP-035"
    case accountDiffers = "B2C-EXP-036"
    case strangersAccount = "B2C-EXP-037"
    case passwordNotKept = "B2C-EXP-038"
    case fieldUnused = "B2C-EXP-039"
    case attributeOfSome = "B2C-EXP-040"
    case subjectChanges = "B2C-EXP-041"
    case issuerShared = "B2C-EXP-042"
    case notTried = "B2C-EXP-090"
    case invariantsUnreadable = "B2C-EXP-100"
    case invariantShape = "B2C-EXP-101"
    case invariantKey = "B2C-EXP-102"
    case invariantName = "B2C-EXP-103"
    case invariantEvent = "B2C-EXP-104"
    case invariantSides = "B2C-EXP-105"
    case invariantProfile = "B2C-EXP-106"
    case invariantOperator = "B2C-EXP-107"

    /// What a script for a finding expects at the end of its path.
    enum ScriptExpectation: Sendable {
        /// No token: an error, or a page.
        case noToken
        /// The page of the last act is still shown.
        case pageStays
        /// A token without the claim that the finding names first, or no token.
        case claimAbsent
        /// A token with the claim that the finding names first.
        case claimPresent
        /// A token with these claims, or no token.
        case claims(JSONValue)
        /// A token, or a page that is not the error page.
        case noException
        /// A token, or another page than the one that the finding names first.
        case otherPage
        /// A script cannot show it; why, in one sentence.
        case notShown(String)
    }

    /// Everything that is said about a rule.
    struct Entry: Sendable {
        var severity: Severity
        var demand: String
        /// A finding in one sentence; `{0}`, `{1}`, `{2}` are what the finding names.
        var message: String
        var remedy: String?
        var expectation: ScriptExpectation
    }

    /// The rule's id, such as `B2C-EXP-006`.
    public var id: String { rawValue }
    /// How much a finding matters.
    public var severity: Severity { entry.severity }
    /// What a policy must do, in one sentence.
    public var demand: String { entry.demand }
    /// How to fix a finding, in one sentence; `nil` if the message says it.
    public var remedy: String? { entry.remedy }

    /// A finding of this rule in one sentence.
    func message(_ names: [String]) -> String {
        var text = entry.message
        for (index, name) in names.enumerated() { text = text.replacing("{\(index)}", with: name) }
        return text
    }

    /// The rules as a Markdown table: id, severity, demand.
    public static var markdown: String {
        let rows = allCases.map { "| `\($0.id)` | \($0.severity.rawValue) | \($0.demand) |" }
        return (["| rule | severity | what a policy must do |", "| --- | --- | --- |"] + rows).joined(separator: "\n")
    }

    var entry: Entry { Self.entries[self] ?? Self.unknown }
}
