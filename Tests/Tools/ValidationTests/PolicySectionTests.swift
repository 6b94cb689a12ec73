import Foundation
import TestSupport
import Testing

@testable import Validation

/// Section 9 of the facts about custom policies, all 87 rules, each with the rules here that check it.
/// `docs/policy-rules.md` is written from the table.
struct PolicySectionTests {
    private static let table: [(number: Int, subject: String, rules: [String], note: String)] = [
        (1, "well-formed XML and the right root", ["B2C-POL-001"], ""),
        (2, "elements and attributes of the schema", ["B2C-POL-002"], ""),
        (3, "forms of ids, GUIDs, languages", ["B2C-POL-003"], ""),
        (4, "words of enumerations", ["B2C-POL-004"], ""),
        (5, "PolicyId begins with B2C_1A_", ["B2C-POL-005"], ""),
        (6, "the base policy is found", ["B2C-POL-006"], ""),
        (7, "tenant of BasePolicy", ["B2C-POL-007"], ""),
        (8, "PublicPolicyUri", ["B2C-POL-008"], ""),
        (9, "one tenant in a chain", ["B2C-POL-009"], ""),
        (10, "size of a file", ["B2C-POL-010"], ""),
        (11, "PolicyId once in a folder", ["B2C-POL-011"], ""),
        (12, "placeholders", ["B2C-POL-012"], ""),
        (
            13, "no BasePolicy, and no base", ["B2C-POL-096", "B2C-POL-013"],
            "B2C-POL-013 is reported where a policy is to run (`b2c policy`), not for files that others "
                + "may inherit from."
        ),
        (14, "ids once in a file", ["B2C-POL-014"], ""),
        (15, "Order once in a journey", ["B2C-POL-015"], ""),
        (16, "exchange ids once in a journey", ["B2C-POL-016"], ""),
        (17, "metadata keys", ["B2C-POL-017"], ""),
        (18, "two spellings of an id", ["B2C-POL-018"], ""),
        (19, "a claim twice in a list", ["B2C-POL-019"], ""),
        (20, "claim types", ["B2C-POL-020"], ""),
        (21, "technical profiles", ["B2C-POL-021"], ""),
        (22, "transformations", ["B2C-POL-022"], ""),
        (23, "content definitions", ["B2C-POL-023"], ""),
        (24, "texts, predicates, display controls, client definitions", ["B2C-POL-024"], ""),
        (25, "journeys", ["B2C-POL-025"], ""),
        (
            26, "policy keys", ["B2C-POL-026"],
            "The form of the name is checked. Only the tenant shows whether it has the key."
        ),
        (27, "selections and exchanges", ["B2C-POL-027"], ""),
        (28, "sign-up and password links", ["B2C-POL-028"], ""),
        (29, "unused elements", ["B2C-POL-029"], ""),
        (30, "orders without gaps", ["B2C-POL-030"], ""),
        (31, "selection, then exchange", ["B2C-POL-031"], ""),
        (32, "several exchanges need a selection", ["B2C-POL-032"], ""),
        (33, "SendClaims and issuer", ["B2C-POL-033"], ""),
        (34, "steps that never run", ["B2C-POL-034", "B2C-POL-095"], ""),
        (35, "values and actions of preconditions", ["B2C-POL-035"], ""),
        (36, "True and False", ["B2C-POL-036"], ""),
        (37, "preconditions on claims nothing writes", ["B2C-POL-037"], ""),
        (38, "input claims nothing writes", ["B2C-POL-038"], ""),
        (39, "pages of selection steps", ["B2C-POL-039"], ""),
        (40, "changed types of inherited steps", ["B2C-POL-040"], ""),
        (41, "sub journeys", ["B2C-POL-041"], ""),
        (42, "session profiles", ["B2C-POL-042", "B2C-POL-097"], ""),
        (43, "transformation methods", ["B2C-POL-043"], ""),
        (44, "names of inputs, parameters, outputs", ["B2C-POL-044"], ""),
        (45, "types of input claims", ["B2C-POL-045"], ""),
        (46, "values of parameters", ["B2C-POL-046"], ""),
        (47, "default values", ["B2C-POL-047"], ""),
        (48, "input types and data types", ["B2C-POL-048"], ""),
        (49, "choices", ["B2C-POL-049"], ""),
        (50, "regular expressions and predicates", ["B2C-POL-050", "B2C-POL-093"], ""),
        (51, "assertions outside of validation", ["B2C-POL-051"], ""),
        (52, "claims resolvers", ["B2C-POL-052", "B2C-POL-090"], ""),
        (53, "passwords in later steps", ["B2C-POL-053"], ""),
        (54, "protocol and handler", ["B2C-POL-054"], ""),
        (55, "self-asserted pages", ["B2C-POL-055"], ""),
        (56, "display claims and controls", ["B2C-POL-056", "B2C-POL-094"], ""),
        (57, "directory operation and key", ["B2C-POL-057"], ""),
        (
            58, "directory attributes", ["B2C-POL-058"],
            "The list of attributes is that of the documentation; a name that is not near any of them "
                + "is a warning."
        ),
        (59, "extension attributes", ["B2C-POL-059"], ""),
        (
            60, "directory writes", ["B2C-POL-060"],
            "Strength is checked by IsLengthRange alone: what a regular expression allows is not worked out."
        ),
        (61, "identity providers", ["B2C-POL-061"], ""),
        (
            62, "implicit flow at identity providers", ["B2C-POL-062"],
            "A client's requests show whether it uses PKCE, the policy does not (B2C-REG rules check the "
                + "registration)."
        ),
        (63, "REST settings", ["B2C-POL-063"], ""),
        (64, "REST without authentication", ["B2C-POL-064"], ""),
        (65, "codes and multi-factor", ["B2C-POL-065"], ""),
        (66, "token issuer", ["B2C-POL-066"], ""),
        (
            67, "SAML", ["B2C-POL-067"],
            "Keys, IssuerUri and the algorithm are checked; certificates are in the tenant, and the "
                + "partner has its metadata."
        ),
        (68, "EnabledForUserJourneys", ["B2C-POL-068"], ""),
        (69, "PolicyProfile and subject", ["B2C-POL-069"], ""),
        (70, "claims of the relying party", ["B2C-POL-070"], ""),
        (71, "session times and keep me signed in", ["B2C-POL-071"], ""),
        (
            72, "refresh journey", ["B2C-POL-072"],
            "An app's scopes show whether it asks for refresh tokens, so every relying party without such "
                + "a journey is reported, as advice."
        ),
        (73, "old page layouts", ["B2C-POL-073"], ""),
        (
            74, "page layouts and versions", ["B2C-POL-074", "B2C-POL-089"],
            "The list of layouts is the one known when this was written; a later patch version is "
                + "accepted."
        ),
        (75, "http addresses", ["B2C-POL-075"], ""),
        (
            76, "languages and texts", ["B2C-POL-076"],
            "Which string ids a page knows is not documented as a whole, so an unknown StringId is not "
                + "reported; an unknown ElementType is (B2C-POL-090). A choice that lacks one of several "
                + "languages is not reported: the page shows the text of the claim."
        ),
        (77, "DeploymentMode", ["B2C-POL-077"], ""),
        (78, "journey recording", ["B2C-POL-078"], ""),
        (79, "AllowInsecureAuthInProduction", ["B2C-POL-079"], ""),
        (80, "DebugMode", ["B2C-POL-080"], ""),
        (81, "EnforceEmailVerification", ["B2C-POL-081"], ""),
        (82, "scripts and framing", ["B2C-POL-082"], ""),
        (83, "secrets", ["B2C-POL-083"], "A secret is recognized by its name or by its form, so some are missed."),
        (
            84, "unverified addresses", ["B2C-POL-084"],
            "Claims that an app gets unverified are reported where they become a sign-in name."
        ),
        (85, "verification of what cannot be typed", ["B2C-POL-085"], ""),
        (86, "validation profiles twice", ["B2C-POL-086"], ""),
        (
            87, "letters of ids", ["B2C-POL-087"],
            "Byte order marks, tabs and spare namespaces change nothing and are not reported; a second "
                + "byte order mark is text before the root (B2C-POL-001)."
        ),
    ]

    /// Rules that section 9 does not number: further findings of the reader, the linker or the analysis.
    private static let beyond = ["B2C-POL-088", "B2C-POL-098", "B2C-POL-099", "B2C-POL-100", "B2C-POL-101"]

    @Test func `the table is complete`() {
        #expect(Self.table.map(\.number) == Array(1...87))
        for row in Self.table {
            #expect(!row.rules.isEmpty || !row.note.isEmpty, "\(row.number)")
            for id in row.rules { #expect(Rules.named(id) != nil, "\(row.number): \(id)") }
        }
        let named = Set(Self.table.flatMap(\.rules) + Self.beyond)
        #expect(Rules.policy.map(\.id).filter { !named.contains($0) } == [])
    }

    private static var page: String {
        var text = """
            # What is checked in custom policies

            Every known rule about policies, numbered as in the list they were collected in, with the rules of
            `b2c validate` that check it. A test writes this page from a table and keeps the table complete. An *error*
            certainly makes the upload or the sign-in fail; what is only likely to be wrong is a warning.

            A chain is checked as the service sees it: all files merged from the root, includes applied, every reference
            followed. Claims are followed through the journeys of each relying party; what a step may write counts as
            written, whether or not the step is skipped. A policy whose base is not among the files is checked alone.

            | | subject | rules | what is not checked, and why |
            | --- | --- | --- | --- |

            """
        for row in table {
            let rules = row.rules.map { "[\($0)](rules/\($0).md)" }.joined(separator: ", ")
            text += "| \(row.number) | \(row.subject) | \(rules) | \(row.note) |\n"
        }
        return text + decisions
    }

    /// What the service does about a mistake that is an error here, and how that is known: T and a number are texts of the
    /// service (section 9.3 of the facts).
    private static let verdicts: [String: (does: String, evidence: String)] = [
        "B2C-POL-001": ("refused at upload", "T1"),
        "B2C-POL-002": ("refused at upload", "schema, T2"),
        "B2C-POL-003": ("refused at upload", "schema, T2"),
        "B2C-POL-004": ("refused at upload", "schema, T2"),
        "B2C-POL-005": ("refused at upload", "T3"),
        "B2C-POL-006": ("refused at upload", "T4"),
        "B2C-POL-007": ("refused at upload", "T5"),
        "B2C-POL-009": ("refused at upload", "T5"),
        "B2C-POL-010": ("refused at upload", "documented limit"),
        "B2C-POL-011": ("refused at upload", "T6"),
        "B2C-POL-013": ("refused at run time", "documented: only a relying party is called"),
        "B2C-POL-014": ("refused at upload", "T7"),
        "B2C-POL-015": ("refused at upload", "T7"),
        "B2C-POL-016": ("refused at upload", "T7"),
        "B2C-POL-020": ("refused at upload", "T8"),
        "B2C-POL-021": ("refused at upload", "T9"),
        "B2C-POL-022": ("refused at upload", "T10"),
        "B2C-POL-023": ("refused at upload", "T11"),
        "B2C-POL-024": ("refused at upload", "T11"),
        "B2C-POL-025": ("refused at upload", "T11; AADB2C90288 for the refresh journey"),
        "B2C-POL-026": ("refused at upload", "T12"),
        "B2C-POL-027": ("refused at upload", "T13; two local forms on a page: warning"),
        "B2C-POL-030": ("refused at upload", "T14"),
        "B2C-POL-031": ("refused at upload", "T15"),
        "B2C-POL-032": ("refused at upload", "T16"),
        "B2C-POL-033": ("refused at run time", "AADB2C90040, AADB2C90108"),
        "B2C-POL-035": ("refused at upload", "schema, T2"),
        "B2C-POL-038": ("refused at upload", "T17; a claim that the call can do without: warning"),
        "B2C-POL-041": ("refused at upload", "schema for none; more than one: warning"),
        "B2C-POL-043": ("refused at upload", "T18"),
        "B2C-POL-044": ("refused at upload", "T18"),
        "B2C-POL-045": ("refused at upload", "T18"),
        "B2C-POL-046": ("refused at upload", "T19"),
        "B2C-POL-047": ("refused at upload", "T19"),
        "B2C-POL-050": (
            "refused at run time",
            "inferred: .NET refuses the pattern; what only the engine here does not know: no finding; a character set: warning"
        ),
        "B2C-POL-054": ("refused at upload", "inferred: nothing can run it"),
        "B2C-POL-055": ("refused at upload", "T20; a claim that comes in as an input claim: warning"),
        "B2C-POL-057": ("refused at upload", "documented as required; more than one key: warning"),
        "B2C-POL-059": ("refused at upload", "T22; ClientId alone: warning"),
        "B2C-POL-061": ("refused at upload", "T24; AADB2C90023, AADB2C90025"),
        "B2C-POL-063": ("refused at run time", "AADB2C90025; a word that is near no known one: warning"),
        "B2C-POL-064": ("refused at upload", "T25; without DeploymentMode: warning"),
        "B2C-POL-066": (
            "refused at run time", "AADB2C90023, AADB2C90025; lifetimes, words and a page at the end: warning"
        ),
        "B2C-POL-069": ("refused at upload", "inferred from the subject rule; another id than PolicyProfile: warning"),
        "B2C-POL-070": ("refused at upload", "T26"),
        "B2C-POL-071": ("refused at upload", "schema, T2"),
        "B2C-POL-088": ("refused at upload", "inferred: schema of the merged claim"),
        "B2C-POL-089": ("refused at run time", "inferred: no page to show"),
        "B2C-POL-093": (
            "refused at upload", "T19 for numbers; a missing parameter or a range that nothing meets: warning"
        ),
        "B2C-POL-097": ("refused at run time", "inferred: the profile is not a session provider"),
    ]

    /// The decisions as a section of the page.
    private static var decisions: String {
        var text = """

            ## Errors and warnings

            An error is what the service refuses. Where it accepts the policy, or nothing shows that it refuses it, the finding is
            a warning. T1 to T27 are texts of the service, as people quote them; "schema" is the policy schema.

            | rule | the service | evidence |
            | --- | --- | --- |

            """
        for rule in Rules.policy.sorted(by: { $0.id < $1.id }) {
            let verdict = verdicts[rule.id]
            let word = rule.severity == .error ? verdict?.does ?? "" : "accepts: \(rule.severity.rawValue)"
            text += "| [\(rule.id)](rules/\(rule.id).md) | \(word) | \(verdict?.evidence ?? "") |\n"
        }
        return text
    }

    @Test func `every error has a reason, and nothing else has`() {
        let errors = Set(Rules.policy.filter { $0.severity == .error }.map(\.id))
        #expect(errors == Set(Self.verdicts.keys))
    }

    /// `B2C_RECORD=1` writes it.
    @Test func `the page says what the table says`() throws {
        let file = TestFiles.root().appending(path: "docs/policy-rules.md")
        if ProcessInfo.processInfo.environment["B2C_RECORD"] == "1" {
            try Data(Self.page.utf8).write(to: file)
            return
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == Self.page)
    }
}
