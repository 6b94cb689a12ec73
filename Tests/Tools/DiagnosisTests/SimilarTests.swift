import Testing

@testable import Diagnosis

/// Questions in people's words lead to recipes and shipped scenarios.
@Suite struct SimilarTests {
    static let questions: [(question: String, names: String)] = [
        ("close the window", "The person closes the window"),
        ("user dismisses the browser", "The person closes the window"),
        ("cancel", "The person presses Cancel"),
        ("user cancels, silent call then fails with interaction_required after password reset", "bugs/B106|bugs/B28"),
        ("wrong password", "A wrong password"),
        ("user types the password incorrectly three times", "sign-in/lockout"),
        ("account locked out", "sign-in/lockout"),
        ("token expired", "The access token expired"),
        ("session expired after two weeks", "The refresh token expired"),
        ("refresh token too old", "The refresh token expired"),
        ("phone has no internet", "The device is offline"),
        ("airplane mode while refreshing", "The device is offline"),
        ("rate limited", "Too many requests: 429"),
        ("server returns 503", "The service is down: 503"),
        ("B2C outage", "The service is down: 503"),
        ("request hangs forever", "The service does not answer: a timeout"),
        ("two users on one phone", "A second account on the same device"),
        ("switch between accounts", "A second account on the same device"),
        ("popup blocked by safari", "The pop-up is blocked"),
        ("keys rotated", "The signing key rolled over"),
        ("signing certificate changed and API returns 401", "The signing key rolled over"),
        ("cancel of a reset", "The person cancels a password reset"),
        ("user gives up in the password reset", "The person cancels a password reset"),
        ("forgot password link", "Forgot password"),
        ("AADB2C90118", "Forgot password"),
        ("user signs up with existing email", "Sign-up with an address that has an account"),
        ("verification code wrong", "A verification code is wrong"),
        ("otp mistyped", "A verification code is wrong"),
        ("mfa with sms", "A second factor by text message"),
        ("phone clock is wrong", "The clock of the device is wrong"),
        ("uninstall and reinstall keeps user logged in", "The app is deleted and installed again"),
        ("logout but still logged in", "Signed out, and signed in again without a password"),
        ("logs in automatically after log out", "bugs/B78"),
        ("double tap on the login button", "Two sign-ins at once"),
        ("concurrent refresh", "Many silent calls in parallel"),
        ("race between two silent token requests", "Many silent calls in parallel"),
        ("facebook login", "Sign in with a social account"),
        ("user denies consent at google", "The person cancels at the identity provider"),
        ("captive portal", "A proxy answers with HTML"),
        ("html response from token endpoint", "A proxy answers with HTML"),
        ("redirect never reaches the app", "The redirect to the app is lost"),
        ("state mismatch", "The state does not match"),
        ("redirect uri mismatch", "The redirect URI is not registered"),
        ("third party cookies in Safari", "Third-party cookies are blocked"),
        ("iframe renewal fails in private browsing", "Third-party cookies are blocked"),
        ("german pages", "A page in another language"),
        ("api gets expired token", "An expired token at the API"),
        ("forged signature", "A forged token at the API"),
        ("missing scope 403", "A token without the scope"),
        ("claim missing in token", "A claim is missing or different"),
        ("account deleted by admin", "The account was deleted"),
        ("admin disables user", "A disabled account"),
        ("revoke refresh tokens", "The administrator revokes all sessions"),
        ("token still valid after signing out", "The token still works after sign-out"),
        ("kmsi", "Keep me signed in"),
        ("remember me", "Keep me signed in"),
        ("temporary password must be changed", "A password that must be changed at the next sign-in"),
        ("weak password", "A password that is too weak"),
        ("certificate pinning fails", "A TLS certificate is refused"),
        ("flaky network", "One request in three is lost, by chance"),
        ("code used twice", "The code is redeemed twice"),
        ("back button", "The person goes back or leaves the page"),
        ("user edits profile then silent renewal is refused", "bugs/B28"),
        ("sso picks the wrong user", "The wrong person is signed in at once: single sign-on"),
        ("force login prompt", "sign-in/prompt-login"),
        ("second policy asks for password again", "bugs/B84"),
        ("nonce mismatch", "reports/R08"),
        ("invitation link expired", "bugs/B127"),
        ("pkce verifier missing", "errors/90182"),
        ("custom domain", "sign-in/custom-domain"),
        ("app crashes when the keychain is locked", "accounts/locked-device"),
        ("sign in with username instead of email", "sign-in/username"),
        ("api rejects token signed with a new key", "key-roll-over"),
        ("account picker", "sign-in/prompt-select-account"),
        ("page left open over night", "sign-in/page-left-open"),
        ("link two accounts", "custom-policies/"),
        ("rest api called by the policy is down", "custom-policies/"),
        ("change phone number", "mfa/first-number"),
        ("captcha", "sign-up/captcha"),
        ("email verified with wrong code three times", "sign-up/wrong-code"),
        ("totp code", "mfa/authenticator"),
        ("offline sign out", "bugs/B79"),
    ]

    @Test(arguments: questions) func `a question leads to what it is about`(_ row: (question: String, names: String)) {
        let similar = Similar.to(row.question).prefix(6)
        let found = similar.map(Self.name)
        let linked = similar.flatMap { similar in
            if case .recipe(let recipe) = similar { recipe.scripts } else { [String]() }
        }
        for wanted in row.names.split(separator: "|") {
            #expect((found + linked).contains { $0.hasPrefix(wanted) }, "\(wanted) is not in \(found)")
        }
    }

    /// The person's cancel of a reset is not the callback that is not forwarded.
    @Test func `a story is about all of its words`() {
        let story = "user cancels, silent call then fails with interaction_required after password reset"
        #expect(!Similar.to(story).map(Self.name).contains { $0.hasPrefix("bugs/B05") })
    }

    @Test(arguments: ["such a lovely day", "", "the", "🦊🦊", "AADB2C99999", "how do I bake bread"])
    func `what is about something else leads nowhere`(_ text: String) {
        #expect(Similar.to(text).map(Self.name) == [])
    }

    @Test(arguments: [
        ("cancel", ["cancels", "cancelled", "canceling", "cancellation", "closed", "dismisses", "aborted"]),
        ("expire", ["expired", "expires", "expiry", "stale"]),
        ("log in", ["signs in", "login", "logged in", "signIn"]),
        ("multi-factor", ["MFA", "2fa", "second factor", "two-factor"]), ("429", ["rate limit", "throttled"]),
        ("AADB2C90118", ["90118"]),
    ])
    func `forms of a word and words for one thing are the same`(_ row: (word: String, others: [String])) {
        let reader = WordReader()
        for other in row.others {
            #expect(reader.words(other).map(\.meaning) == reader.words(row.word).map(\.meaning), "\(other)")
        }
    }

    private static func name(_ similar: Similar) -> String {
        switch similar {
        case .recipe(let recipe): recipe.title
        case .script(let script): script.path
        case .cause(let cause): cause.id
        }
    }
}
