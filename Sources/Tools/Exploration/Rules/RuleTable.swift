import Diagnostics

/// The table of rules: one row each.
extension ExplorationRule {
    static let unknown = Entry(
        severity: .error, demand: "", message: "", remedy: nil, expectation: .notShown(noPath))

    private static let noPath = "the finding is about what no path does"
    private static let notAnOutcome = "what is wrong does not show in the outcome of a step"
    private static let ofFile = "the finding is about the file of invariants"

    static let entries: [ExplorationRule: Entry] = [
        .stepNeverRuns: Entry(
            severity: .warning, demand: "Every orchestration step runs on some path.", message: "no path runs {0}",
            remedy: nil, expectation: .notShown(noPath)),
        .preconditionNeverSkips: Entry(
            severity: .warning, demand: "Every precondition skips its step on some path.",
            message: "no path skips {0} by its precondition {1}: {2}", remedy: nil, expectation: .notShown(noPath)),
        .profileNeverRuns: Entry(
            severity: .warning, demand: "Every technical profile of a step runs on some path.",
            message: "no path runs technical profile {0} of {1}", remedy: nil, expectation: .notShown(noPath)),
        .validationNeverRuns: Entry(
            severity: .warning,
            demand: "Every validation technical profile of a page that is shown runs on some path.",
            message: "no path runs validation technical profile {0} of {1}", remedy: nil,
            expectation: .notShown(noPath)),
        .pageNeverLeft: Entry(
            severity: .error, demand: "Somebody can leave every page.", message: "nobody can leave page {0}{1}",
            remedy: nil, expectation: .notShown("a script cannot show that every input is refused")),
        .forged: Entry(
            severity: .error, demand: "A wrong password or code is refused.", message: "{0} is accepted",
            remedy: "Check it in a validation technical profile.", expectation: .pageStays),
        .unverified: Entry(
            severity: .error,
            demand: "An e-mail address in a token was verified, or came from the directory or a provider.",
            message: "claim {0} of a token{1} holds an e-mail address that nobody verified",
            remedy: "Verify the address, or issue another claim.", expectation: .claimAbsent),
        .disabled: Entry(
            severity: .error, demand: "A disabled local account gets no token.", message: "{0} gets a token",
            remedy: "Read accountEnabled and assert that it is true.", expectation: .noToken),
        .overwritten: Entry(
            severity: .error, demand: "A sign-up does not change an account that exists.",
            message: "a sign-up changes {0} of an account that exists already",
            remedy: "Set RaiseErrorIfClaimsPrincipalAlreadyExists to true where the account is written.",
            expectation: .pageStays),
        .exception: Entry(
            severity: .error, demand: "Ordinary input ends in no exception.",
            message: "ordinary input ends the journey: {0}", remedy: nil, expectation: .noException),
        .writtenThoughFailed: Entry(
            severity: .warning, demand: "No account is written on a path that then fails.",
            message: "an account is written though the journey then fails: {0}",
            remedy: "Call the service before the account is written.", expectation: .notShown(notAnOutcome)),
        .writtenThoughRefused: Entry(
            severity: .warning, demand: "A page that refuses has written nothing.",
            message: "page {0} refuses after the directory has been written",
            remedy: "Write the account in the last validation technical profile.",
            expectation: .notShown(notAnOutcome)),
        .notSimulated: Entry(
            severity: .advice, demand: "What a path needs is simulated; the path ends there otherwise.",
            message: "not explored further: {0}", remedy: nil,
            expectation: .notShown("the path needs what is not simulated")),
        .factorSkipped: Entry(
            severity: .error,
            demand: "A second factor that some paths prove is proved on all paths without a session.",
            message: "a path reaches a token without {0}, which other paths need",
            remedy: "Check the preconditions of the step that runs it.", expectation: .noToken),
        .claimLost: Entry(
            severity: .warning, demand: "A claim of an account's first token is in its next one.",
            message: "claim {0} is in the first token of an account and not in the next one",
            remedy: "Write it to the directory and read it at the next sign-in.", expectation: .claimPresent),
        .claimNeverIssued: Entry(
            severity: .warning, demand: "Every output claim of the relying party is issued on some path.",
            message: "no path issues claim {0}: {1} has no value on any path",
            remedy: "Give the claim a value in a technical profile that runs, or remove the output claim.",
            expectation: .notShown(noPath)),
        .noToken: Entry(
            severity: .error, demand: "Some path reaches a token, and a refresh token gives another one.",
            message: "no path reaches a token{0}",
            remedy: nil, expectation: .notShown(noPath)),
        .disabledSocial: Entry(
            severity: .warning, demand: "A disabled account of an identity provider gets no token.",
            message: "{0} gets a token",
            remedy: "Read accountEnabled with the account and assert that it is true.", expectation: .noToken),
        .unproved: Entry(
            severity: .error,
            demand: "A token of an account that exists goes to a person who has proved that it is theirs.",
            message: "somebody who has proved nothing {0} of an account that exists{1}",
            remedy: "Ask for the password, or for a code sent to the address.", expectation: .noToken),
        .invariantBroken: Entry(
            severity: .error, demand: "An invariant holds on every path.", message: "\"{0}\" does not hold",
            remedy: nil, expectation: .noToken),
        .invariantNeverAsked: Entry(
            severity: .error, demand: "An invariant applies on some path.",
            message: "\"{0}\" was never asked: no path has such a {1}",
            remedy: "Correct `when` or `at`: an invariant that never applies passes for nothing.",
            expectation: .notShown(noPath)),
        .factorForgotten: Entry(
            severity: .warning,
            demand:
                "An account that has a number for the second factor is not asked for a new one before that one is proved.",
            message: "page {0} asks for a number though the account has one, or had one proved when it was made{1}",
            remedy: "Write the number to the directory and read it before the page.", expectation: .otherPage),
        .madeAgain: Entry(
            severity: .error, demand: "Somebody who comes again from an identity provider gets the same account.",
            message: "somebody who comes again from {0} gets a further account",
            remedy: "Write the identity (alternativeSecurityId, userIdentities) and read the account by it.",
            expectation: .notShown(notAnOutcome)),
        .cut: Entry(
            severity: .advice, demand: "An exploration visits everything that it reaches.",
            message: "not everything was explored: cut by {0}, {1} states are left",
            remedy: "Raise --states, --depth or --time.", expectation: .notShown(noPath)),
        .nameUnverified: Entry(
            severity: .error,
            demand: "A sign-in name, or an address or number of the second factor, is verified before it is written.",
            message: "{0} is written as {1} and nobody verified it",
            remedy:
                "Verify the claim on the page (PartnerClaimType Verified.Email, or a verification display control).",
            expectation: .noToken),
        .addressUnverified: Entry(
            severity: .warning, demand: "An e-mail address is verified before it is written to an account.",
            message: "{0} is written as {1} and nobody verified it", remedy: "Verify the address on the page.",
            expectation: .noToken),
        .foundByChangeable: Entry(
            severity: .warning, demand: "An account is found by something that the person cannot change.",
            message: "{0} finds the account by {1}, which the person can change at {2}",
            remedy: "Find it by the provider's own id for the person (sub), or verify the address first.",
            expectation: .notShown("what a stub provider gives is fixed in a script")),
        .optionalSwitchesOff: Entry(
            severity: .warning, demand: "A check does not depend on an optional field.",
            message: "leaving {0} empty skips {1}",
            remedy: "Make the field required, or let the check run without it.", expectation: .noToken),
        .refreshIgnoresRevocation: Entry(
            severity: .error, demand: "A refresh token that was revoked gives no token.",
            message: "a refresh token still works after the account's tokens were revoked{0}",
            remedy:
                "In the refresh journey read refreshTokensValidFromDateTime and assert that refreshTokenIssuedOnDateTime is later.",
            expectation: .notShown("the path ends with a refresh that follows a revocation")),
        .attributeMismatch: Entry(
            severity: .warning, demand: "An attribute is written from one claim, and read back into the same claim.",
            message: "attribute {0} is written from claim {1}, and {2}",
            remedy: "Use one claim for one attribute.", expectation: .notShown(notAnOutcome)),
        .failureIgnored: Entry(
            severity: .warning, demand: "A check or service that fails changes how the sign-in ends.",
            message: "{0} fails and the sign-in ends as if it had succeeded",
            remedy: "Remove ContinueOnError, or use what the profile returns.", expectation: .noToken),
        .emptyAnswerPasses: Entry(
            severity: .warning, demand: "An empty answer of a service does not pass a check.",
            message: "{0} answers without {1} and the sign-in ends as if the check had passed{2}",
            remedy: "Refuse if the claim is absent, and give it no default that passes.", expectation: .noToken),
        .checkSkipped: Entry(
            severity: .warning, demand: "A check, consent or call that some paths have is on all paths of that kind.",
            message: "{0} runs {1}, and not {2}", remedy: "Check the preconditions of the step that runs it.",
            expectation: .noToken),
        .claimMissing: Entry(
            severity: .warning, demand: "A claim of nearly all tokens is in every token.",
            message: "claim {0} is in the tokens of other kinds of sign-in, and not {1}",
            remedy: "Read it on this path too.", expectation: .claimPresent),
        .twoMeanings: Entry(
            severity: .warning, demand: "A claim has one meaning on all paths.", message: "claim {0} {1}",
            remedy: "Use one source for one claim.", expectation: .notShown(notAnOutcome)),
        .accountDiffers: Entry(
            severity: .warning, demand: "A token says what the directory says.",
            message: "claim {0} of a token is {1}, and the account's {2}{3}",
            remedy: "Write the claim to the directory, or read it after it was written.",
            expectation: .notShown(notAnOutcome)),
        .strangersAccount: Entry(
            severity: .error, demand: "Nobody gets a token of somebody else's account, or changes it.",
            message: "{0} {1} of an account that belongs to {2}{3}",
            remedy: "Ask the owner for a password or a code in this visit before the account is used.",
            expectation: .noToken),
        .passwordNotKept: Entry(
            severity: .error, demand: "A new password is the account's password afterwards.",
            message: "page {0} takes a new password and the account keeps another one",
            remedy: "Write the claim with PartnerClaimType=\"password\".", expectation: .notShown(notAnOutcome)),
        .fieldUnused: Entry(
            severity: .warning, demand: "What a person enters on a page is used.",
            message: "nothing uses {0}, which page {1} asks for",
            remedy: "Write it to the directory, issue it, or remove the field.", expectation: .notShown(notAnOutcome)),
        .attributeOfSome: Entry(
            severity: .warning, demand: "An attribute that some new accounts get is written to all new accounts.",
            message: "{0} writes {1} to a new account, and {2} does not",
            remedy: "Write the attribute in both technical profiles.", expectation: .notShown(notAnOutcome)),
        .subjectChanges: Entry(
            severity: .warning, demand: "The subject of an account's tokens stays the same.",
            message: "the subject of a token is {0}, which can change",
            remedy: "Issue objectId as the subject.", expectation: .notShown(notAnOutcome)),
        .issuerShared: Entry(
            severity: .error, demand: "Two identity providers have two issuers.",
            message: "{0} and {1} both give {2} as identity provider: one id at either finds the same account",
            remedy: "Give each identity provider its own value.", expectation: .notShown(notAnOutcome)),
        .notTried: Entry(
            severity: .advice,
            demand: "What a policy asks for is tried; what rests on something else is not decided.",
            message: "not tried: {0}, which {1} needs",
            remedy: "Write a scenario that does it. Findings that rest on it are not decided.",
            expectation: .notShown(noPath)),
        .invariantsUnreadable: fileRule("A file of invariants can be read."),
        .invariantShape: fileRule("A file of invariants has a list of objects."),
        .invariantKey: fileRule("Every key of a file of invariants is known at its place."),
        .invariantName: fileRule("An invariant has a name."),
        .invariantEvent: fileRule("An invariant is asked at an event that there is."),
        .invariantSides: fileRule("An invariant has either always or never."),
        .invariantProfile: fileRule("What an invariant names is in the policy."),
        .invariantOperator: fileRule("An operator of an invariant exists and has the value that it takes."),
    ]

    private static func fileRule(_ demand: String) -> Entry {
        Entry(severity: .error, demand: demand, message: "{0}", remedy: nil, expectation: .notShown(ofFile))
    }
}
