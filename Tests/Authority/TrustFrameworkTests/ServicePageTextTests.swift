import B2CProtocol
import TestSupport
import Testing

@testable import TrustFramework

/// The short texts of the service's own pages, letter by letter: people's browser tests find elements by them.
@Suite struct ServicePageTextTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var page: String
        var type: String
        var element: String?
        var id: String
        var text: String
        var testDescription: String { [page, type, element, id].compactMap { $0 }.joined(separator: " ") }

        init(_ page: String, _ type: String, _ element: String?, _ id: String, _ text: String) {
            self.page = page
            self.type = type
            self.element = element
            self.id = id
            self.text = text
        }
    }

    static let rows: [Row] = [
        Row("api.signuporsignin", "ClaimType", "signInName", "DisplayName", "Email Address"),
        Row("api.signuporsignin", "UxElement", nil, "heading", "Sign in"),
        Row("api.signuporsignin", "UxElement", nil, "social_intro", "Sign in with your social account"),
        Row("api.signuporsignin", "UxElement", nil, "local_intro_generic", "Sign in with your {0}"),
        Row("api.signuporsignin", "ClaimType", "password", "DisplayName", "Password"),
        Row("api.signuporsignin", "UxElement", nil, "requiredField_password", "Please enter your password"),
        Row("api.signuporsignin", "UxElement", nil, "requiredField_generic", "Please enter your {0}"),
        Row("api.signuporsignin", "UxElement", nil, "invalid_generic", "Please enter a valid {0}"),
        Row("api.signuporsignin", "UxElement", nil, "createaccount_one_link", "Sign up now"),
        Row("api.signuporsignin", "UxElement", nil, "createaccount_two_links", "Sign up with {0} or {1}"),
        Row("api.signuporsignin", "UxElement", nil, "createaccount_three_links", "Sign up with {0}, {1}, or {2}"),
        Row("api.signuporsignin", "UxElement", nil, "forgotpassword_link", "Forgot your password?"),
        Row("api.signuporsignin", "UxElement", nil, "button_signin", "Sign in"),
        Row("api.signuporsignin", "UxElement", nil, "divider_title", "OR"),
        Row("api.signuporsignin", "UxElement", nil, "createaccount_intro", "Don't have an account?"),
        Row("api.signuporsignin", "ClaimsProvider", nil, "FacebookExchange", "Facebook"),
        Row(
            "api.signuporsignin", "ErrorMessage", nil, "ResourceOwnerFlowInvalidCredentials",
            "Your password is incorrect."),
        Row("api.signuporsignin", "ErrorMessage", nil, "UserMessageIfInvalidPassword", "Your password is incorrect."),
        Row("api.signuporsignin", "ErrorMessage", nil, "UserMessageIfPasswordExpired", "Your password has expired."),
        Row(
            "api.signuporsignin", "ErrorMessage", nil, "UserMessageIfClaimsPrincipalDoesNotExist",
            "We can't seem to find your account."),
        Row(
            "api.signuporsignin", "ErrorMessage", nil, "UserMessageIfOldPasswordUsed",
            "Looks like you used an old password."),
        Row("api.signuporsignin", "ErrorMessage", nil, "DefaultMessage", "Invalid username or password."),
        Row("api.localaccountsignup", "ClaimType", "email", "DisplayName", "Email Address"),
        Row("api.localaccountsignup", "ClaimType", "email", "PatternHelpText", "Please enter a valid email address."),
        Row("api.localaccountsignup", "ClaimType", "newPassword", "DisplayName", "New Password"),
        Row("api.localaccountsignup", "ClaimType", "newPassword", "UserHelpText", "Enter new password"),
        Row("api.localaccountsignup", "ClaimType", "reenterPassword", "DisplayName", "Confirm New Password"),
        Row("api.localaccountsignup", "ClaimType", "reenterPassword", "UserHelpText", "Confirm new password"),
        Row("api.localaccountsignup", "ClaimType", "displayName", "DisplayName", "Display Name"),
        Row("api.localaccountsignup", "ClaimType", "displayName", "UserHelpText", "Your display name."),
        Row("api.localaccountsignup", "ClaimType", "surname", "DisplayName", "Surname"),
        Row("api.localaccountsignup", "ClaimType", "givenName", "DisplayName", "Given Name"),
        Row(
            "api.localaccountsignup", "ClaimType", "givenName", "UserHelpText",
            "Your given name (also known as first name)."),
        Row("api.localaccountsignup", "UxElement", nil, "button_continue", "Create"),
        Row("api.localaccountsignup", "UxElement", nil, "helplink_text", "What is this?"),
        Row("api.localaccountsignup", "UxElement", nil, "initial_intro", "Please provide the following details."),
        Row("api.localaccountsignup", "UxElement", nil, "preloader_alt", "Please wait"),
        Row("api.localaccountsignup", "UxElement", nil, "required_field", "This information is required."),
        Row("api.localaccountsignup", "UxElement", nil, "button_cancel", "Cancel"),
        Row("api.localaccountsignup", "UxElement", nil, "ver_but_edit", "Change e-mail"),
        Row("api.localaccountsignup", "UxElement", nil, "ver_but_resend", "Send new code"),
        Row("api.localaccountsignup", "UxElement", nil, "ver_but_send", "Send verification code"),
        Row("api.localaccountsignup", "UxElement", nil, "ver_but_verify", "Verify code"),
        Row("api.localaccountsignup", "UxElement", nil, "ver_fail_retry", "That code is incorrect. Please try again."),
        Row("api.localaccountsignup", "UxElement", nil, "ver_input", "Verification code"),
        Row(
            "api.localaccountsignup", "UxElement", nil, "ver_intro_msg",
            "Verification is necessary. Please click Send button."),
        Row(
            "api.localaccountsignup", "UxElement", nil, "ver_success_msg",
            "E-mail address verified. You can now continue."),
        Row("api.localaccountsignup", "ErrorMessage", nil, "UserMessageIfClaimNotVerified", "Claim not verified: {0}"),
        Row(
            "api.localaccountsignup", "ErrorMessage", nil, "UserMessageIfClaimsPrincipalAlreadyExists",
            "A user with the specified ID already exists. Please choose a different one."),
        Row(
            "api.localaccountsignup", "ErrorMessage", nil, "UserMessageIfIncorrectPattern", "Incorrect pattern for: {0}"
        ),
        Row("api.localaccountsignup", "ErrorMessage", nil, "UserMessageIfInvalidInput", "{0} has invalid input."),
        Row(
            "api.localaccountsignup", "ErrorMessage", nil, "UserMessageIfMissingRequiredElement",
            "Missing required element: {0}"),
        Row(
            "api.localaccountsignup", "ErrorMessage", nil, "UserMessageIfValidationError", "Error in validation by: {0}"
        ),
        Row("api.socialccountsignup", "ClaimType", "email", "DisplayName", "Email Address"),
        Row("api.socialccountsignup", "ClaimType", "email", "PatternHelpText", "Please enter a valid email address."),
        Row("api.socialccountsignup", "ClaimType", "displayName", "DisplayName", "Display Name"),
        Row("api.socialccountsignup", "ClaimType", "displayName", "UserHelpText", "Your display name."),
        Row("api.socialccountsignup", "ClaimType", "surname", "DisplayName", "Surname"),
        Row("api.socialccountsignup", "ClaimType", "givenName", "DisplayName", "Given Name"),
        Row(
            "api.socialccountsignup", "ClaimType", "givenName", "UserHelpText",
            "Your given name (also known as first name)."),
        Row("api.socialccountsignup", "UxElement", nil, "button_continue", "Create"),
        Row("api.socialccountsignup", "UxElement", nil, "button_cancel", "Cancel"),
        Row("api.localaccountpasswordreset", "ClaimType", "email", "DisplayName", "Email Address"),
        Row(
            "api.localaccountpasswordreset", "ClaimType", "email", "PatternHelpText",
            "Please enter a valid email address."),
        Row("api.localaccountpasswordreset", "ClaimType", "newPassword", "DisplayName", "New Password"),
        Row("api.localaccountpasswordreset", "ClaimType", "newPassword", "UserHelpText", "Enter new password"),
        Row("api.localaccountpasswordreset", "ClaimType", "reenterPassword", "DisplayName", "Confirm New Password"),
        Row("api.localaccountpasswordreset", "ClaimType", "reenterPassword", "UserHelpText", "Confirm new password"),
        Row("api.localaccountpasswordreset", "UxElement", nil, "button_continue", "Continue"),
        Row("api.localaccountpasswordreset", "UxElement", nil, "button_cancel", "Cancel"),
        Row("api.localaccountpasswordreset", "UxElement", nil, "required_field", "This information is required."),
        Row("api.localaccountpasswordreset", "UxElement", nil, "ver_but_edit", "Change e-mail"),
        Row("api.localaccountpasswordreset", "UxElement", nil, "ver_but_resend", "Send new code"),
        Row("api.localaccountpasswordreset", "UxElement", nil, "ver_but_send", "Send verification code"),
        Row("api.localaccountpasswordreset", "UxElement", nil, "ver_but_verify", "Verify code"),
        Row(
            "api.localaccountpasswordreset", "UxElement", nil, "ver_fail_retry",
            "That code is incorrect. Please try again."),
        Row("api.localaccountpasswordreset", "UxElement", nil, "ver_input", "Verification code"),
        Row(
            "api.localaccountpasswordreset", "UxElement", nil, "ver_intro_msg",
            "Verification is necessary. Please click Send button."),
        Row(
            "api.localaccountpasswordreset", "UxElement", nil, "ver_success_msg",
            "E-mail address verified. You can now continue."),
        Row(
            "api.localaccountpasswordreset", "ErrorMessage", nil, "UserMessageIfClaimNotVerified",
            "Claim not verified: {0}"),
        Row(
            "api.localaccountpasswordreset", "ErrorMessage", nil, "UserMessageIfClaimsPrincipalAlreadyExists",
            "A user with the specified ID already exists. Please choose a different one."),
        Row(
            "api.localaccountpasswordreset", "ErrorMessage", nil, "UserMessageIfIncorrectPattern",
            "Incorrect pattern for: {0}"),
        Row(
            "api.localaccountpasswordreset", "ErrorMessage", nil, "UserMessageIfInvalidInput", "{0} has invalid input."),
        Row(
            "api.localaccountpasswordreset", "ErrorMessage", nil, "UserMessageIfMissingRequiredElement",
            "Missing required element: {0}"),
        Row(
            "api.localaccountpasswordreset", "ErrorMessage", nil, "UserMessageIfValidationError",
            "Error in validation by: {0}"),
        Row("api.idpselections", "UxElement", nil, "intro", "Sign in"),
        Row("api.idpselections", "ClaimsProvider", nil, "LocalAccountSigninEmailExchange", "Local Account Signin"),
        Row("api.idpselections", "ClaimsProvider", nil, "FacebookExchange", "Facebook"),
        Row("api.selfasserted.profileupdate", "ClaimType", "displayName", "DisplayName", "Display Name"),
        Row("api.selfasserted.profileupdate", "ClaimType", "displayName", "UserHelpText", "Your display name."),
        Row("api.selfasserted.profileupdate", "ClaimType", "surname", "DisplayName", "Surname"),
        Row("api.selfasserted.profileupdate", "ClaimType", "givenName", "DisplayName", "Given Name"),
        Row(
            "api.selfasserted.profileupdate", "ClaimType", "givenName", "UserHelpText",
            "Your given name (also known as first name)."),
        Row("api.selfasserted.profileupdate", "UxElement", nil, "button_continue", "Continue"),
        Row("api.selfasserted.profileupdate", "UxElement", nil, "button_cancel", "Cancel"),
        Row("api.phonefactor", "UxElement", nil, "button_verify", "Call Me"),
        Row("api.phonefactor", "UxElement", nil, "country_code_label", "Country Code"),
        Row("api.phonefactor", "UxElement", nil, "cancel_message", "The user has canceled multi-factor authentication"),
        Row("api.phonefactor", "UxElement", nil, "text_button_send_second_code", "send a new code"),
        Row("api.phonefactor", "UxElement", nil, "code_pattern", "\\d{6}"),
        Row("api.phonefactor", "UxElement", nil, "button_verify_code", "Verify Code"),
        Row(
            "api.phonefactor", "UxElement", nil, "requiredField_code", "Please enter the verification code you received"
        ),
        Row("api.phonefactor", "UxElement", nil, "invalid_code", "Please enter the 6-digit code you received"),
        Row("api.phonefactor", "UxElement", nil, "button_cancel", "Cancel"),
        Row("api.phonefactor", "UxElement", nil, "local_number_input_placeholder_text", "Phone number"),
        Row("api.phonefactor", "UxElement", nil, "button_retry", "Retry"),
        Row("api.phonefactor", "UxElement", nil, "alternative_text", "I don't have my phone"),
        Row("api.phonefactor", "UxElement", nil, "enter_code_text_intro", "Enter your verification code below, or"),
        Row("api.phonefactor", "UxElement", nil, "button_send_code", "Send Code"),
        Row("api.phonefactor", "UxElement", nil, "invalid_number", "Please enter a valid phone number"),
        Row("api.phonefactor", "UxElement", nil, "number_pattern", "^\\+(?:[0-9][\\x20-]?){6,14}[0-9]$"),
        Row("api.phonefactor", "UxElement", nil, "requiredField_countryCode", "Please select your country code"),
        Row("api.phonefactor", "UxElement", nil, "requiredField_number", "Please enter your phone number"),
        Row("api.phonefactor", "UxElement", nil, "country_code_input_placeholder_text", "Country or region"),
        Row("api.phonefactor", "UxElement", nil, "number_label", "Phone Number"),
        Row("api.phonefactor", "UxElement", nil, "error_448", "The phone number you provided is unreachable."),
        Row("api.phonefactor", "UxElement", nil, "error_449", "User has exceeded the number of retry attempts."),
        Row("api.phonefactor", "UxElement", nil, "verification_code_input_placeholder_text", "Verification code"),
        Row("api.phonefactor", "ClaimType", "strongAuthenticationPhoneNumber", "DisplayName", "Phone Number"),
        Row(
            "api.localaccountsignup", "DisplayControl", "emailVerificationControl", "intro_msg",
            "Verification is necessary. Please click Send button."),
        Row(
            "api.localaccountsignup", "DisplayControl", "emailVerificationControl", "success_verify_code_msg",
            "E-mail address verified. You can now continue."),
        Row(
            "api.localaccountsignup", "DisplayControl", "emailVerificationControl", "but_send_code",
            "Send verification code"),
        Row("api.localaccountsignup", "DisplayControl", "emailVerificationControl", "but_verify_code", "Verify code"),
        Row(
            "api.localaccountsignup", "DisplayControl", "emailVerificationControl", "but_send_new_code", "Send new code"
        ),
        Row(
            "api.localaccountsignup", "DisplayControl", "emailVerificationControl", "but_change_claims", "Change e-mail"
        ),
        Row(
            "api.localaccountsignup", "ErrorMessage", nil, "UserMessageIfVerificationFailedRetryAllowed",
            "That code is incorrect. Please try again."),
        Row(
            "api.localaccountpasswordreset", "DisplayControl", "emailVerificationControl", "intro_msg",
            "Verification is necessary. Please click Send button."),
        Row(
            "api.localaccountpasswordreset", "DisplayControl", "emailVerificationControl", "success_verify_code_msg",
            "E-mail address verified. You can now continue."),
        Row(
            "api.localaccountpasswordreset", "DisplayControl", "emailVerificationControl", "but_send_code",
            "Send verification code"),
        Row(
            "api.localaccountpasswordreset", "DisplayControl", "emailVerificationControl", "but_verify_code",
            "Verify code"),
        Row(
            "api.localaccountpasswordreset", "DisplayControl", "emailVerificationControl", "but_send_new_code",
            "Send new code"),
        Row(
            "api.localaccountpasswordreset", "DisplayControl", "emailVerificationControl", "but_change_claims",
            "Change e-mail"),
        Row(
            "api.localaccountpasswordreset", "ErrorMessage", nil, "UserMessageIfVerificationFailedRetryAllowed",
            "That code is incorrect. Please try again."),
        Row("api.signuporsignin", "UxElement", nil, "local_intro_email", "Sign in with your existing account"),
        Row("api.signuporsignin", "UxElement", nil, "logonIdentifier_email", "Email Address"),
        Row("api.signuporsignin", "UxElement", nil, "requiredField_email", "Please enter your email"),
        Row("api.signuporsignin", "UxElement", nil, "invalid_email", "Please enter a valid email address"),
        Row("api.signuporsignin", "UxElement", nil, "local_intro_username", "Sign in with your user name"),
        Row("api.signuporsignin", "UxElement", nil, "logonIdentifier_username", "Username"),
        Row("api.signuporsignin", "UxElement", nil, "requiredField_username", "Please enter your user name"),
        Row("api.signuporsignin", "UxElement", nil, "password", "Password"),
        Row("api.signuporsignin", "UxElement", nil, "createaccount_link", "Sign up now"),
        Row("api.signuporsignin", "UxElement", nil, "cancel_message", "The user has forgotten their password"),
        Row("api.signuporsignin", "UxElement", nil, "remember_me", "Keep me signed in"),
        Row(
            "api.signuporsignin", "UxElement", nil, "email_pattern",
            "^[a-zA-Z0-9.!#$%&'*+\\/=?^_`\\{\\|\\}~\\-]+@[a-zA-Z0-9\\-]+(?:\\.[a-zA-Z0-9\\-]+)*$"),
        Row("api.signuporsignin", "ClaimType", "email", "DisplayName", "Email Address"),
        Row("api.selfasserted", "UxElement", nil, "ver_sent", "Verification code has been sent to:"),
        Row("api.selfasserted", "UxElement", nil, "ver_but_default", "Default"),
        Row(
            "api.selfasserted", "UxElement", nil, "cancel_message",
            "The user has cancelled entering self-asserted information"),
        Row("api.selfasserted", "UxElement", nil, "preloader_alt", "Please wait"),
        Row("api.selfasserted", "UxElement", nil, "ver_but_send", "Send verification code"),
        Row("api.selfasserted", "UxElement", nil, "alert_yes", "Yes"),
        Row("api.selfasserted", "UxElement", nil, "year", "Year"),
        Row("api.selfasserted", "UxElement", nil, "verifying_blurb", "Please wait while we process your information."),
        Row("api.selfasserted", "UxElement", nil, "button_cancel", "Cancel"),
        Row("api.selfasserted", "UxElement", nil, "month", "Month"),
        Row("api.selfasserted", "UxElement", nil, "ver_success_msg", "E-mail address verified. You can now continue."),
        Row("api.selfasserted", "UxElement", nil, "heading", "User Details"),
        Row("api.selfasserted", "UxElement", nil, "initial_intro", "Please provide the following details."),
        Row("api.selfasserted", "UxElement", nil, "ver_but_resend", "Send new code"),
        Row("api.selfasserted", "UxElement", nil, "button_continue", "Create"),
        Row("api.selfasserted", "UxElement", nil, "ver_incorrect_format", "Incorrect format."),
        Row("api.selfasserted", "UxElement", nil, "ver_but_edit", "Change e-mail"),
        Row("api.selfasserted", "UxElement", nil, "ver_but_verify", "Verify code"),
        Row("api.selfasserted", "UxElement", nil, "alert_no", "No"),
        Row("api.selfasserted", "UxElement", nil, "day", "Day"),
        Row("api.selfasserted", "UxElement", nil, "helplink_text", "What is this?"),
        Row("api.selfasserted", "UxElement", nil, "ver_fail_retry", "That code is incorrect. Please try again."),
        Row("api.selfasserted", "UxElement", nil, "alert_title", "Cancel Entering Your Details"),
        Row("api.selfasserted", "UxElement", nil, "required_field", "This information is required."),
        Row(
            "api.selfasserted", "UxElement", nil, "ver_intro_msg",
            "Verification is necessary. Please click Send button."),
        Row("api.selfasserted", "UxElement", nil, "ver_input", "Verification code"),
        Row("api.selfasserted", "UxElement", nil, "required_field_descriptive", "{0} is required"),
        Row(
            "api.selfasserted", "ErrorMessage", nil, "UserMessageIfClaimsPrincipalAlreadyExists",
            "A user with the specified ID already exists. Please choose a different one."),
        Row("api.selfasserted", "ErrorMessage", nil, "UserMessageIfClaimNotVerified", "Claim not verified: {0}"),
        Row("api.selfasserted", "ErrorMessage", nil, "UserMessageIfIncorrectPattern", "Incorrect pattern for: {0}"),
        Row(
            "api.selfasserted", "ErrorMessage", nil, "UserMessageIfMissingRequiredElement",
            "Missing required element: {0}"),
        Row("api.selfasserted", "ErrorMessage", nil, "UserMessageIfValidationError", "Error in validation by: {0}"),
        Row("api.selfasserted", "ErrorMessage", nil, "UserMessageIfInvalidInput", "{0} has invalid input."),
        Row("api.selfasserted.totp", "DisplayControl", "totpQrCodeControl", "title_text", "Scan the QR code"),
        Row("api.selfasserted.totp", "DisplayControl", "totpQrCodeControl", "link_text", "Can't scan? Try this"),
        Row(
            "api.selfasserted.totp", "DisplayControl", "authenticatorInfoControl", "title_text",
            "Enter the account details manually"),
        Row("api.selfasserted.totp", "DisplayControl", "authenticatorInfoControl", "account_name", "Account Name:"),
        Row("api.selfasserted.totp", "DisplayControl", "authenticatorInfoControl", "display_prefix", "Secret"),
        Row(
            "api.selfasserted.totp", "DisplayControl", "authenticatorInfoControl", "collapse_text",
            "Still having trouble?"),
        Row(
            "api.selfasserted.totp", "ClaimType", "QrCodeVerifyInstruction", "DisplayName",
            "Enter the verification code from your authenticator app."),
        Row("api.selfasserted.totp", "ClaimType", "otpCode", "DisplayName", "Enter your code."),
        Row("api.selfasserted.totp", "UxElement", nil, "button_continue", "Verify"),
    ]

    @Test(arguments: rows) func `pages have the texts of the service`(_ row: Row) throws {
        let resources = try UserFlowCompiler.builtInTexts()
        let page = try #require(resources.first { $0.id == "\(row.page).en" })
        let found = page.strings.filter {
            $0.elementType == row.type && $0.elementID == row.element && $0.stringID == row.id
        }
        #expect(found.map(\.text) == [row.text])
    }

    /// What holds for every self-asserted page, where the page has the text and no other of its own.
    @Test func `self-asserted pages agree`() throws {
        let own: Set<String> = ["button_continue"]
        let common = Self.rows.filter { $0.page == "api.selfasserted" && !own.contains($0.id) }
        for resources in try UserFlowCompiler.builtInTexts()
        where resources.id.hasSuffix(".en")
            && (resources.id.contains("selfasserted") || resources.id.contains("account"))
        {
            for row in common {
                for string in resources.strings
                where string.elementType == row.type && string.elementID == row.element && string.stringID == row.id {
                    #expect(string.text == row.text, "\(resources.id) \(row.id)")
                }
            }
        }
    }
}
