import JSON
import Verbs

/// The words for pages and what is done at them, each with its meaning.
public enum PageWords {
    /// Names of hosted pages, as `on`, `expect.pages` and page records use them.
    public static let pages: [Choice] = [
        Choice("signIn", "The sign-in page, with or without a link to sign up."),
        Choice("signUp", "The page on which a new account is filled in."),
        Choice("editProfile", "The page of a profile-editing policy."),
        Choice("verifyEmail", "The first page of a password reset, which proves the e-mail address."),
        Choice("newPassword", "The page that asks for a new password."),
        Choice("providerSelection", "The page that lists identity providers."),
        Choice("mfa", "The second factor: phone, e-mail or authenticator."),
        Choice("consent", "The page that asks for consent to permissions."),
        Choice("selfAsserted", "Any other page of a policy."),
        Choice("provider", "The identity provider's own page."),
        Choice("signedOut", "The page after signing out."),
        Choice("document", "Any other answer: a document such as the keys, or a page of another site."),
        Choice("error", "A page that reports an error."),
    ]

    /// Purposes of fields, which find the field of that purpose under whatever id the page gives it.
    public static let fields: [Choice] = [
        Choice("username", "The name that signs in: user name or e-mail address."),
        Choice("password", "The current password."),
        Choice("newPassword", "The password to set."),
        Choice("confirmPassword", "The password to set, once more."),
        Choice("email", "An e-mail address."),
        Choice("phone", "A phone number."),
        Choice("code", "A code that was sent or that an authenticator shows."),
        Choice("keepSignedIn", "The box that keeps the session after the browser closes."),
        Choice("captcha", "The characters of a captcha picture."),
    ]

    /// What can be pressed on pages, under whatever id they give it.
    public static let buttons: [Choice] = [
        Choice("signIn", "The button that signs in."),
        Choice("signUp", "The link to create an account."),
        Choice("continue", "The button that submits the page."),
        Choice("cancel", "The button that gives up."),
        Choice("forgotPassword", "The link for a forgotten password."),
        Choice("sendCode", "Sends a code."),
        Choice("resendCode", "Sends another code."),
        Choice("verifyCode", "Has the typed code checked."),
        Choice("changeEmail", "Takes back a verified e-mail address to type another."),
        Choice("call", "Has the phone called."),
        Choice("accept", "Agrees, on a consent or provider page."),
        Choice("deny", "Refuses, on a consent or provider page."),
        Choice("none", "Nothing is pressed: the fields are filled only."),
    ]

    /// What can happen to a browser window.
    public static let windowMoves = WindowMove.allCases.map { Choice($0.rawValue, $0.doc) }
}
