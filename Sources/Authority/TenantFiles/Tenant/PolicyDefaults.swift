import Determinism
import JSON
import Records

/// Behaviour of the policy engine that no documentation settles. Each has the value that fits what is known, and can be
/// turned where a tenant shows otherwise (`authority.defaults` of the tenant file).
public struct PolicyDefaults: TenantRecord, Hashable {
    public var childValidationProfilesFirst = true
    public var inheritedClaimsFirst = true
    public var preconditionsAreUnited = true
    public var inheritanceBeforeIncludes = true
    public var laterThanIncludesEqual = true
    public var assertPassesWithoutRightOperand = true
    public var hashesWithStandIn = true
    public var absentTextsAreNoError = true
    public var comparisonsCountCase = true
    public var emptyFieldsMakeNoClaim = true
    public var defaultLanguageFillsIn = true
    public var sessionsAreKeptByProvider = true
    public var sessionOnlyForLaterJourneys = true
    public var simpleMaskHidesItsLength = true
    public var directoryIgnoresCase = true
    public var trimsPreconditionValues = true
    /// What validation profiles and display controls write leaves a page only as its output claims; false: all goes on
    /// (Microsoft docs: validation-technical-profile).
    public var innerClaimsEndWithPage = true
    public var outputTransformationsOnLeave = true
    public var nearVariantsCountOnce = true
    public var selectAccountKeepsSession = true
    /// The first page of a password reset proves the address with the display control `emailVerificationControl`, as
    /// sign-up does; false: with `emailVerificationSSPRControl` (hosted pages and browser tests of tenants show both).
    public var resetSharesVerificationControl = true
    /// How often a RESTful profile calls a service that does not answer. Two since April 2025, three before (Microsoft
    /// docs: api-connectors-overview; public thread azure-docs#53679).
    public var restAttempts = 2
    /// How long each of these attempts waits. Ten seconds since April 2025, thirty before (same sources).
    public var restTimeout = TimeSpan.seconds(10)

    public init() {}

    package static let title = "defaults"
    package static let summary = "Switches for behaviour of the policy engine that is not documented."
    package static let settings: [Setting<PolicyDefaults>] = {
        var table = SettingsTable<PolicyDefaults>()
        table.add(
            "childValidationProfilesFirst", \.childValidationProfilesFirst, .bool,
            "A child's validation profiles run before the inherited ones; false: after them.")
        table.add(
            "inheritedClaimsFirst", \.inheritedClaimsFirst, .bool,
            "New claims of a child go after the inherited ones; false: the child's come first.")
        table.add(
            "preconditionsAreUnited", \.preconditionsAreUnited, .bool,
            "Preconditions that a child gives a step are added to the inherited ones; false: they replace them.")
        table.add(
            "inheritanceBeforeIncludes", \.inheritanceBeforeIncludes, .bool,
            "Files are merged before profiles are included; false: a file's includes take what is there up to it.")
        table.add(
            "laterThanIncludesEqual", \.laterThanIncludesEqual, .bool,
            "DateTimeComparison with `later than`: equal times count as later.")
        table.add(
            "assertPassesWithoutRightOperand", \.assertPassesWithoutRightOperand, .bool,
            "AssertDateTimeIsGreaterThan: AssertIfRightOperandIsNotPresent=true passes when the operand is missing.")
        table.add(
            "hashesWithStandIn", \.hashesWithStandIn, .bool,
            "Hash gives base64 of SHA-256 over text, salt and key; false: it is refused as not simulated.")
        table.add(
            "absentTextsAreNoError", \.absentTextsAreNoError, .bool,
            "A text transformation without its input leaves the output absent; false: it fails.")
        table.add(
            "comparisonsCountCase", \.comparisonsCountCase, .bool,
            "Comparisons without ignoreCase count letter case.")
        table.add(
            "emptyFieldsMakeNoClaim", \.emptyFieldsMakeNoClaim, .bool,
            "A field left empty makes no claim unless the profile says so; false: it makes an empty one.")
        table.add(
            "defaultLanguageFillsIn", \.defaultLanguageFillsIn, .bool,
            "A page has the default language's texts where its own language has none; false: the policy's plain texts.")
        table.add(
            "sessionsAreKeptByProvider", \.sessionsAreKeptByProvider, .bool,
            "What a session holds is found by its session profile; false: by the profile that was kept too.")
        table.add(
            "sessionOnlyForLaterJourneys", \.sessionOnlyForLaterJourneys, .bool,
            "What a profile stores in the session does not skip later steps of the same journey.")
        table.add(
            "simpleMaskHidesItsLength", \.simpleMaskHidesItsLength, .bool,
            "A simple mask hides as many characters as it has; false: it stands for the whole value.")
        table.add(
            "directoryIgnoresCase", \.directoryIgnoresCase, .bool,
            "Sign-in names and user principal names ignore letter case.")
        table.add(
            "trimsPreconditionValues", \.trimsPreconditionValues, .bool,
            "Surrounding white space of precondition values is dropped.")
        table.add(
            "innerClaimsEndWithPage", \.innerClaimsEndWithPage, .bool,
            "What validation profiles and display controls write leaves a page only as its output claims; false: all "
                + "goes on.")
        table.add(
            "outputTransformationsOnLeave", \.outputTransformationsOnLeave, .bool,
            "Output transformations and session of a page run when it is left; false: when it is posted.")
        table.add(
            "nearVariantsCountOnce", \.nearVariantsCountOnce, .bool,
            "A wrong password that differs only in letter case from the last does not count again towards lockout.")
        table.add(
            "selectAccountKeepsSession", \.selectAccountKeepsSession, .bool,
            "`prompt=select_account` leaves a session in use; false: it is put out of use, as `login` does.")
        table.add(
            "resetSharesVerificationControl", \.resetSharesVerificationControl, .bool,
            "The first page of a password reset proves the address with the display control `emailVerificationControl`, "
                + "as sign-up does; false: with `emailVerificationSSPRControl`.")
        table.add(
            "restAttempts", \.restAttempts, .integer(1...10),
            "How often a RESTful technical profile calls a service that does not answer; 3 before April 2025.")
        table.add(
            "restTimeout", \.restTimeout, .span,
            "How long each attempt of a RESTful technical profile waits for the answer; \"PT30S\" before April 2025.")
        return table.rows
    }()
}
