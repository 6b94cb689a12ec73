/// The names of texts that pages and messages have (Microsoft docs: localization, localization-string-ids), beside those
/// of the built-in texts: what a text pack names and nothing knows is probably a slip.
package enum TextPackNames {
    static let elementTypes = [
        "UxElement", "ErrorMessage", "ClaimType", "ClaimsProvider", "DisplayControl", "Predicate",
        "PredicateValidation",
        "InputValidation", "FormatLocalizedStringTransformationClaimType", "GetLocalizedStringsTransformationClaimType",
    ]

    /// The string ids of an element type; `nil` where policies make them up.
    package static func stringIDs(_ elementType: String) -> [String]? {
        switch elementType {
        case "UxElement": pageTexts
        case "ErrorMessage": messages
        case "ClaimType": ["DisplayName", "UserHelpText", "AdminHelpText", "PatternHelpText"]
        case "DisplayControl": controls
        case "Predicate": ["HelpText"]
        default: nil
        }
    }

    private static let pageTexts =
        builtIn("UxElement") + [
            // Sign-in and selection of a provider.
            "country", "createaccount_link", "email_pattern", "intro", "invalid_email", "invalid_password",
            "invalid_phone",
            "invalid_username", "local_intro_email", "local_intro_phone", "local_intro_username",
            "logonIdentifier_email",
            "logonIdentifier_phone", "logonIdentifier_username", "password", "password_pattern", "phone_pattern",
            "requiredField_email", "requiredField_phone", "requiredField_username", "username_pattern", "signup_link",
            // Self-asserted pages.
            "alert_message", "alert_no", "alert_title", "alert_yes", "countryList", "error_fieldIncorrect",
            "error_passwordEntryMismatch", "error_requiredFieldMissing", "preloader_alt", "required_field_descriptive",
            "ver_but_default", "ver_but_edit", "ver_but_resend", "ver_but_send", "ver_but_verify",
            "ver_fail_code_expired",
            "ver_fail_no_retry", "ver_fail_retry", "ver_fail_server", "ver_fail_throttled", "ver_incorrect_format",
            "ver_info_msg", "ver_input", "ver_intro_msg", "ver_sent", "ver_success_msg",
            "verification_control_but_change_claims",
            "verification_control_but_send_code", "verification_control_but_send_new_code",
            "verification_control_but_verify_code", "verification_control_code_sent",
            "verification_control_fail_max_retry",
            "verification_control_fail_throttled", "verification_control_intro_msg", "verification_control_success_msg",
            "show_password", "hide_password", "show_text", "hide_text", "captcha_help_text",
            // The phone page.
            "alternative_text", "button_verify", "country_code_input_placeholder_text", "country_code_label",
            "enter_code_text_intro", "error_448", "error_449", "error_incorrect_code", "error_incorrect_number",
            "error_phone_throttled", "error_sms_throttled", "error_throttled", "error_tryagain", "intro_entry_mixed",
            "intro_entry_phone", "intro_entry_sms", "intro_mixed", "intro_mixed_p", "intro_phone", "intro_phone_p",
            "intro_sms",
            "intro_sms_p", "local_number_input_placeholder_text", "number_label", "number_pattern",
            "requiredField_code",
            "requiredField_countryCode", "requiredField_number", "send_code_text", "text_button_send_second_code",
            "verification_code_input_placeholder_text", "verify_code_text",
        ]

    private static let messages =
        builtIn("ErrorMessage") + [
            "AADRequestsThrottled", "DateTimeGreaterThan", "DefaultMessage", "DefaultUserMessageIfRequestFailed",
            "ResourceOwnerFlowInvalidCredentials", "ServiceThrottled", "UserMessageIfCaptchaChallengeFailed",
            "UserMessageIfChallengeExpired", "UserMessageIfCircuitOpen", "UserMessageIfClaimNotVerified",
            "UserMessageIfClaimsPrincipalAlreadyExists", "UserMessageIfClaimsPrincipalDoesNotExist",
            "UserMessageIfClaimsTransformationBooleanValueIsNotEqual",
            "UserMessageIfClaimsTransformationStringsAreNotEqual",
            "UserMessageIfCouldntSendSms", "UserMessageIfDnsResolutionFailed", "UserMessageIfIncorrectPattern",
            "UserMessageIfInternalError", "UserMessageIfInvalidCode", "UserMessageIfInvalidFormat",
            "UserMessageIfInvalidInput", "UserMessageIfInvalidPassword", "UserMessageIfMaxAllowedCodeRetryReached",
            "UserMessageIfMaxNumberOfCodeGenerated", "UserMessageIfMaxRetryAttempted",
            "UserMessageIfMissingRequiredElement", "UserMessageIfOldPasswordUsed", "UserMessageIfPasswordExpired",
            "UserMessageIfRequestTimeout", "UserMessageIfServerError", "UserMessageIfSessionConflict",
            "UserMessageIfSessionDoesNotExist", "UserMessageIfThrottled", "UserMessageIfUserAccountDisabled",
            "UserMessageIfUserAccountLocked", "UserMessageIfValidationError",
            "UserMessageIfVerificationControlClaimsNotVerified",
            "UserMessageIfVerificationFailedNoRetry", "UserMessageIfVerificationFailedRetryAllowed",
            "UserMessageIfWrongCodeEntered",
        ]

    private static let controls =
        builtIn("DisplayControl") + [
            "account_name", "but_change_claims", "but_send_code", "but_send_new_code", "but_verify_code",
            "collapse_text",
            "display_prefix", "failure_send_code_msg", "failure_verify_code_msg", "input_label", "intro_msg",
            "link_text",
            "success_send_code_msg", "success_verify_code_msg", "title_text",
        ]

    /// The string ids that the built-in texts have, each once.
    private static func builtIn(_ elementType: String) -> [String] {
        var ids: [String] = []
        var seen: Set<String> = []
        for resources in (try? UserFlowCompiler.builtInTexts()) ?? [] {
            for string in resources.strings where string.elementType == elementType {
                if let id = string.stringID, seen.insert(id.lowercased()).inserted { ids.append(id) }
            }
        }
        return ids
    }
}
