import Records

/// What a policy does for a person.
public enum PolicyType: String, SettingWord {
    case signUpOrSignIn, signIn, signUp, profileEditing, passwordReset, ropc, custom

    public var doc: String {
        switch self {
        case .signUpOrSignIn: "Signs in an existing account or creates a new one (the combined page)."
        case .signIn: "Signs in existing accounts only; the page has no sign-up link."
        case .signUp: "Creates an account; begins with the sign-up page."
        case .profileEditing: "Signs in, then shows the attributes of the account for editing."
        case .passwordReset: "Proves the e-mail address, then sets a new password."
        case .ropc: "Answers the resource owner password grant; has no pages."
        case .custom: "A custom policy: its XML says what happens."
        }
    }
}

/// What a person types to name a local account.
public enum SignInNameKind: String, SettingWord {
    case email, username, either

    public var doc: String {
        switch self {
        case .email: "Local accounts are named by e-mail address."
        case .username: "Local accounts are named by user name."
        case .either: "The sign-in page takes a user name or an e-mail address."
        }
    }
}

/// The page templates of user flows, named as in the portal (Microsoft docs: customize-ui).
public enum PageTemplate: String, SettingWord {
    /// A white panel on a blue picture.
    case oceanBlue
    /// A white panel on gray; fields are lines.
    case slateGray
    /// The panel at the right side, a picture at the left.
    case classic

    public var doc: String {
        switch self {
        case .oceanBlue: "Ocean Blue: a white panel on a blue picture."
        case .slateGray: "Slate Gray: a white panel on gray; fields are lines."
        case .classic: "Classic: the panel at the right side, a picture at the left."
        }
    }

    /// The folder of the template below `~/tenant/` (Microsoft docs: customize-ui-with-html).
    public var folder: String {
        switch self {
        case .oceanBlue: "templates/AzureBlue"
        case .slateGray: "templates/MSA"
        case .classic: "default"
        }
    }
}

/// How a page proves that an e-mail address belongs to the person.
public enum EmailVerification: String, SettingWord {
    case displayControl, legacy, off

    public var doc: String {
        switch self {
        case .displayControl: "The page has the display control of page layout 2.x: SendCode and VerifyCode actions."
        case .legacy:
            "The field itself is verified, as page layout 1.x does: VERIFICATION_REQUEST and VALIDATION_REQUEST."
        case .off: "Addresses are taken as typed."
        }
    }
}

/// The words of `policies.NAME.forgotPassword`.
public enum ForgotPasswordMode: String, SettingWord {
    case redirect, inFlow, off

    public var doc: String {
        switch self {
        case .redirect: "Goes back to the app with AADB2C90118; the app then calls its password reset policy."
        case .inFlow: "Resets the password inside the same journey."
        case .off: "The page has no such link."
        }
    }
}

/// The second factor that a policy asks for.
public enum MFAMethod: String, SettingWord {
    case sms, call, email, totp

    public var doc: String {
        switch self {
        case .sms: "A code in a text message."
        case .call: "A phone call that the person answers."
        case .email: "A code in an e-mail."
        case .totp: "A code of an authenticator app (RFC 6238)."
        }
    }
}

/// When a policy asks for the second factor.
public enum MFAWhen: String, SettingWord {
    case off, conditional, always

    public var doc: String {
        switch self {
        case .off: "Never."
        case .conditional: "When conditional access finds the sign-in risky; the risk is an input of the script."
        case .always: "At every sign-in and sign-up."
        }
    }
}

/// Which sign-ins share one single sign-on session (Microsoft docs: session-behavior).
public enum SessionScope: String, SettingWord {
    case tenant, application, policy, suppressed

    public var doc: String {
        switch self {
        case .tenant: "All apps and policies of the tenant."
        case .application: "One app, all its policies."
        case .policy: "One policy, all apps."
        case .suppressed: "No session: every request asks again."
        }
    }
}

/// What happens to a refresh token that was already redeemed.
public enum RefreshTokenReuse: String, SettingWord {
    case allow, reject

    public var doc: String {
        switch self {
        case .allow: "It works until it expires (inferred: B2C does not document it)."
        case .reject: "It is refused with AADB2C90129."
        }
    }
}

/// The form of the `iss` claim (Microsoft docs: configure-tokens).
public enum IssuerForm: String, SettingWord {
    case tenant, policy

    public var doc: String {
        switch self {
        case .tenant: "`https://{host}/{tenant id}/v2.0/`, the default."
        case .policy: "`https://{host}/tfp/{tenant id}/{policy}/v2.0/`, which satisfies OpenID Connect Discovery."
        }
    }
}

/// The claim that names the policy in a token.
public enum PolicyClaim: String, SettingWord {
    case tfp, acr

    public var doc: String {
        switch self {
        case .tfp: "Claim `tfp`, in the letter case of the policy."
        case .acr: "Claim `acr`, in lower case."
        }
    }
}

/// The content of the `sub` claim of a user flow.
public enum SubjectForm: String, SettingWord {
    case objectId, notSupported

    public var doc: String {
        switch self {
        case .objectId: "The object id of the account."
        case .notSupported: "A constant text that refers to the `oid` claim, as old user flows send it."
        }
    }
}
