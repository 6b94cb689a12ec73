/// One bug that people met, and how it is known.
package struct Cause: Sendable {
    /// How far it reaches: what breaks ties.
    package enum Reach: Int, Sendable { case rare, occasional, common, veryCommon }

    /// The entry of docs/bugs.md: `B28` of the catalogue, `R03` of the further reports. A code such as `AADSTS7000215`,
    /// or a name in small letters such as `nonce-cookie-missing`, for what no script plays.
    package let id: String
    /// The name of its script, without the entry and `.json`; `nil` where there is none.
    let slug: String?
    package let reach: Reach
    /// Where it was seen; empty for anywhere.
    let libraries: [Library]
    /// What went wrong, one sentence.
    package let cause: String
    let signs: [Sign]
    /// What to look at.
    package let checks: [String]
    /// What to do.
    package let fix: String

    init(
        _ id: String, script slug: String?, reach: Reach, libraries: [Library] = [], _ cause: String, signs: [Sign],
        checks: [String], fix: String
    ) {
        self.id = id
        self.slug = slug
        self.reach = reach
        self.libraries = libraries
        self.cause = cause
        self.signs = signs
        self.checks = checks
        self.fix = fix
    }

    /// A cause that has no script: an error of a library, a provider or a service around B2C.
    static func known(
        _ id: String, libraries: [Library] = [], _ cause: String, signs: [Sign], check: String, fix: String
    ) -> Cause {
        Cause(id, script: nil, reach: .occasional, libraries: libraries, cause, signs: signs, checks: [check], fix: fix)
    }

    /// The same causes without those that a fact contradicts.
    static func excluding(_ causes: [Cause], by text: String) -> [Cause] {
        causes.map { cause in
            Cause(
                cause.id, script: cause.slug, reach: cause.reach, libraries: cause.libraries, cause.cause,
                signs: cause.signs + [.excluded(by: text)], checks: cause.checks, fix: cause.fix)
        }
    }

    /// Whether it says only that something failed, and where to read how. It is dropped where another cause is named.
    var isGeneral: Bool { Self.general.contains(id) || id.hasPrefix("oauth-") }

    /// Whether it repeats what a code says by itself, where the code has several causes.
    var isCodeAlone: Bool { signs.count == 1 && !signs[0].isCertain && id.first?.isUppercase == true && checks.isEmpty }

    private static let general: Set<String> = [
        "upload-refused", "policy-exception", "error-in-the-answer-not-handled", "remote-login-failed",
        "internal-code-missing", "unnamed-exception-of-the-policy", "general-failure-of-the-policy",
        "call-to-a-service-failed", "code-exchange-failed", "token-answer-is-an-error", "saml-message-refused",
        "network-request-of-the-library-failed", "passport-code-not-redeemed", "appauth-token-exchange-refused",
        "saml-status-of-the-provider",
    ]

    /// The script that plays it; `nil` where there is none.
    package var script: String? {
        slug.map { "scenarios/\(id.hasPrefix("R") ? "reports" : "bugs")/\(id)-\($0).json" }
    }

    /// The causes that a script plays, in the order of the catalogue, then the further reports.
    package static let played: [Cause] =
        redirects + authorities + renewals + cancels + tokens + sessions + clocks + grants + networks + devices
        + policies + races + security + reports

    /// Every cause: those with a script, errors around B2C, then what codes say by themselves.
    package static let all: [Cause] = {
        let known =
            played + validation + servers + middleware + browsers + apps + libraries + providers + policyRuns + calls
            + journeys + uploads + partners
            + excluding(transport, by: "{b2cCalls}") + oauth + libraryCodes
        return known + codes(besides: known)
    }()
}
