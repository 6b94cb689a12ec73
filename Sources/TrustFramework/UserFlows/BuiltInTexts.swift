/// The texts of the pages in English and German, in our own wording: a policy file that stands between the base and the
/// user flows, as a localization file stands between base and extensions in published policies.
enum BuiltInTexts {
    static let file = "built-in texts"
    static let xml = #"""
        <?xml version="1.0" encoding="utf-8"?>
        <TrustFrameworkPolicy xmlns="http://schemas.microsoft.com/online/cpim/schemas/2013/06" PolicySchemaVersion="0.3.0.0" TenantId="harness.onmicrosoft.com" PolicyId="B2C_1A_HarnessTexts" PublicPolicyUri="http://harness.onmicrosoft.com/B2C_1A_HarnessTexts">
          <BasePolicy>
            <TenantId>harness.onmicrosoft.com</TenantId>
            <PolicyId>B2C_1A_HarnessBase</PolicyId>
          </BasePolicy>
          <BuildingBlocks>
            <ContentDefinitions>
              <ContentDefinition Id="api.signuporsignin">
                <LocalizedResourcesReferences MergeBehavior="Prepend">
                  <LocalizedResourcesReference Language="en" LocalizedResourcesReferenceId="api.signuporsignin.en" />
                  <LocalizedResourcesReference Language="de" LocalizedResourcesReferenceId="api.signuporsignin.de" />
                </LocalizedResourcesReferences>
              </ContentDefinition>
              <ContentDefinition Id="api.idpselections">
                <LocalizedResourcesReferences MergeBehavior="Prepend">
                  <LocalizedResourcesReference Language="en" LocalizedResourcesReferenceId="api.idpselections.en" />
                  <LocalizedResourcesReference Language="de" LocalizedResourcesReferenceId="api.idpselections.de" />
                </LocalizedResourcesReferences>
              </ContentDefinition>
              <ContentDefinition Id="api.idpselections.signup">
                <LocalizedResourcesReferences MergeBehavior="Prepend">
                  <LocalizedResourcesReference Language="en" LocalizedResourcesReferenceId="api.idpselections.signup.en" />
                  <LocalizedResourcesReference Language="de" LocalizedResourcesReferenceId="api.idpselections.signup.de" />
                </LocalizedResourcesReferences>
              </ContentDefinition>
              <ContentDefinition Id="api.localaccountsignup">
                <LocalizedResourcesReferences MergeBehavior="Prepend">
                  <LocalizedResourcesReference Language="en" LocalizedResourcesReferenceId="api.localaccountsignup.en" />
                  <LocalizedResourcesReference Language="de" LocalizedResourcesReferenceId="api.localaccountsignup.de" />
                </LocalizedResourcesReferences>
              </ContentDefinition>
              <ContentDefinition Id="api.socialccountsignup">
                <LocalizedResourcesReferences MergeBehavior="Prepend">
                  <LocalizedResourcesReference Language="en" LocalizedResourcesReferenceId="api.socialccountsignup.en" />
                  <LocalizedResourcesReference Language="de" LocalizedResourcesReferenceId="api.socialccountsignup.de" />
                </LocalizedResourcesReferences>
              </ContentDefinition>
              <ContentDefinition Id="api.localaccountpasswordreset">
                <LocalizedResourcesReferences MergeBehavior="Prepend">
                  <LocalizedResourcesReference Language="en" LocalizedResourcesReferenceId="api.localaccountpasswordreset.en" />
                  <LocalizedResourcesReference Language="de" LocalizedResourcesReferenceId="api.localaccountpasswordreset.de" />
                </LocalizedResourcesReferences>
              </ContentDefinition>
              <ContentDefinition Id="api.selfasserted">
                <LocalizedResourcesReferences MergeBehavior="Prepend">
                  <LocalizedResourcesReference Language="en" LocalizedResourcesReferenceId="api.selfasserted.en" />
                  <LocalizedResourcesReference Language="de" LocalizedResourcesReferenceId="api.selfasserted.de" />
                </LocalizedResourcesReferences>
              </ContentDefinition>
              <ContentDefinition Id="api.selfasserted.profileupdate">
                <LocalizedResourcesReferences MergeBehavior="Prepend">
                  <LocalizedResourcesReference Language="en" LocalizedResourcesReferenceId="api.selfasserted.profileupdate.en" />
                  <LocalizedResourcesReference Language="de" LocalizedResourcesReferenceId="api.selfasserted.profileupdate.de" />
                </LocalizedResourcesReferences>
              </ContentDefinition>
              <ContentDefinition Id="api.selfasserted.emailmfa">
                <LocalizedResourcesReferences MergeBehavior="Prepend">
                  <LocalizedResourcesReference Language="en" LocalizedResourcesReferenceId="api.selfasserted.emailmfa.en" />
                  <LocalizedResourcesReference Language="de" LocalizedResourcesReferenceId="api.selfasserted.emailmfa.de" />
                </LocalizedResourcesReferences>
              </ContentDefinition>
              <ContentDefinition Id="api.selfasserted.totp">
                <LocalizedResourcesReferences MergeBehavior="Prepend">
                  <LocalizedResourcesReference Language="en" LocalizedResourcesReferenceId="api.selfasserted.totp.en" />
                  <LocalizedResourcesReference Language="de" LocalizedResourcesReferenceId="api.selfasserted.totp.de" />
                </LocalizedResourcesReferences>
              </ContentDefinition>
              <ContentDefinition Id="api.phonefactor">
                <LocalizedResourcesReferences MergeBehavior="Prepend">
                  <LocalizedResourcesReference Language="en" LocalizedResourcesReferenceId="api.phonefactor.en" />
                  <LocalizedResourcesReference Language="de" LocalizedResourcesReferenceId="api.phonefactor.de" />
                </LocalizedResourcesReferences>
              </ContentDefinition>
            </ContentDefinitions>
            <Localization Enabled="true">
              <SupportedLanguages DefaultLanguage="en">
                <SupportedLanguage>en</SupportedLanguage>
                <SupportedLanguage>de</SupportedLanguage>
              </SupportedLanguages>
              <LocalizedResources Id="api.signuporsignin.en">
                <LocalizedStrings>
                  <LocalizedString ElementType="UxElement" StringId="heading">Sign in</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="social_intro">Sign in with your social account</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="local_intro_generic">Sign in with your {0}</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="requiredField_generic">Please enter your {0}</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="requiredField_password">Please enter your password</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="invalid_generic">Please enter a valid {0}</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="createaccount_intro">Don't have an account?</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="createaccount_one_link">Sign up now</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="createaccount_two_links">Sign up with {0} or {1}</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="createaccount_three_links">Sign up with {0}, {1}, or {2}</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="button_signin">Sign in</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="forgotpassword_link">Forgot your password?</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="divider_title">OR</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="remember_me">Keep me signed in</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="cancel_message">The user has forgotten their password</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="unknown_error">Signing in failed. Please try again.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfInvalidPassword">Your password is incorrect.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfPasswordExpired">Your password has expired.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfClaimsPrincipalDoesNotExist">We can't seem to find your account.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfOldPasswordUsed">Looks like you used an old password.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="DefaultMessage">Invalid username or password.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="ResourceOwnerFlowInvalidCredentials">Your password is incorrect.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfUserAccountDisabled">The account is disabled. Ask an administrator to enable it.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfUserAccountLocked">The account is locked for a while after too many wrong passwords. Try again later.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="AADRequestsThrottled">Too many requests. Try again in a moment.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfIncorrectPattern">Incorrect pattern for: {0}</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfMissingRequiredElement">Missing required element: {0}</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="email" StringId="DisplayName">Email Address</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="logonIdentifier" StringId="DisplayName">Username</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="password" StringId="DisplayName">Password</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="signInName" StringId="DisplayName">Email Address</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="local_intro_email">Sign in with your existing account</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="logonIdentifier_email">Email Address</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="requiredField_email">Please enter your email</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="invalid_email">Please enter a valid email address</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="local_intro_username">Sign in with your user name</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="logonIdentifier_username">Username</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="requiredField_username">Please enter your user name</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="password">Password</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="createaccount_link">Sign up now</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="email_pattern">^[a-zA-Z0-9.!#$%&amp;'*+\/=?^_`\{\|\}~\-]+@[a-zA-Z0-9\-]+(?:\.[a-zA-Z0-9\-]+)*$</LocalizedString>
                  <LocalizedString ElementType="ClaimsProvider" StringId="FacebookExchange">Facebook</LocalizedString>
                </LocalizedStrings>
              </LocalizedResources>
              <LocalizedResources Id="api.signuporsignin.de">
                <LocalizedStrings>
                  <LocalizedString ElementType="UxElement" StringId="heading">Anmelden</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="social_intro">Mit einem vorhandenen Konto anmelden</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="local_intro_generic">Mit {0} anmelden</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="requiredField_generic">Bitte {0} eingeben.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="requiredField_password">Bitte das Kennwort eingeben.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="invalid_generic">{0}: Eingabe ungültig.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="createaccount_intro">Noch kein Konto?</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="createaccount_one_link">Konto anlegen</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="createaccount_two_links">Konto anlegen mit {0} oder {1}</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="createaccount_three_links">Konto anlegen mit {0}, {1} oder {2}</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="button_signin">Anmelden</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="forgotpassword_link">Kennwort vergessen?</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="divider_title">ODER</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="remember_me">Angemeldet bleiben</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="cancel_message">Das Kennwort wurde vergessen</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="unknown_error">Die Anmeldung ist fehlgeschlagen. Bitte erneut versuchen.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfInvalidPassword">Das Kennwort ist falsch.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfPasswordExpired">Das Kennwort ist abgelaufen.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfClaimsPrincipalDoesNotExist">Unter diesem Namen gibt es kein Konto.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfOldPasswordUsed">Dies ist ein altes Kennwort.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="DefaultMessage">Name oder Kennwort ist falsch.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="ResourceOwnerFlowInvalidCredentials">Name oder Kennwort ist falsch.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfUserAccountDisabled">Das Konto ist gesperrt. Bitte an die Administration wenden.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfUserAccountLocked">Das Konto ist nach zu vielen falschen Kennwörtern vorübergehend gesperrt. Bitte später erneut versuchen.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="AADRequestsThrottled">Zu viele Anfragen. Bitte gleich noch einmal versuchen.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfIncorrectPattern">{0} hat die falsche Form.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfMissingRequiredElement">{0} fehlt.</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="email" StringId="DisplayName">E-Mail-Adresse</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="logonIdentifier" StringId="DisplayName">Benutzername</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="password" StringId="DisplayName">Kennwort</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="email" StringId="UserHelpText">Unter dieser E-Mail-Adresse wird das Konto geführt.</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="email" StringId="PatternHelpText">Bitte eine gültige E-Mail-Adresse eingeben.</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="logonIdentifier" StringId="UserHelpText">Unter diesem Namen erfolgt die Anmeldung.</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="logonIdentifier" StringId="PatternHelpText">Ein Benutzername hat höchstens 64 Buchstaben, Ziffern und die Zeichen . _ - @ ! # ^ ~ +.</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="password" StringId="UserHelpText">Das Kennwort des Kontos.</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="signInName" StringId="DisplayName">E-Mail-Adresse</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="local_intro_email">Mit einem vorhandenen Konto anmelden</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="logonIdentifier_email">E-Mail-Adresse</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="requiredField_email">Bitte die E-Mail-Adresse eingeben</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="invalid_email">Bitte eine gültige E-Mail-Adresse eingeben</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="local_intro_username">Mit dem Benutzernamen anmelden</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="logonIdentifier_username">Benutzername</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="requiredField_username">Bitte den Benutzernamen eingeben</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="password">Kennwort</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="createaccount_link">Konto anlegen</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="email_pattern">^[a-zA-Z0-9.!#$%&amp;'*+\/=?^_`\{\|\}~\-]+@[a-zA-Z0-9\-]+(?:\.[a-zA-Z0-9\-]+)*$</LocalizedString>
                  <LocalizedString ElementType="ClaimsProvider" StringId="FacebookExchange">Facebook</LocalizedString>
                </LocalizedStrings>
              </LocalizedResources>
              <LocalizedResources Id="api.idpselections.en">
                <LocalizedStrings>
                  <LocalizedString ElementType="UxElement" StringId="intro">Sign in</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="cancel_message">The person has cancelled choosing an account</LocalizedString>
                  <LocalizedString ElementType="ClaimsProvider" StringId="LocalAccountSigninEmailExchange">Local Account Signin</LocalizedString>
                  <LocalizedString ElementType="ClaimsProvider" StringId="FacebookExchange">Facebook</LocalizedString>
                </LocalizedStrings>
              </LocalizedResources>
              <LocalizedResources Id="api.idpselections.de">
                <LocalizedStrings>
                  <LocalizedString ElementType="UxElement" StringId="intro">Anmelden</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="cancel_message">Die Auswahl des Kontos wurde abgebrochen</LocalizedString>
                  <LocalizedString ElementType="ClaimsProvider" StringId="LocalAccountSigninEmailExchange">Mit lokalem Konto anmelden</LocalizedString>
                  <LocalizedString ElementType="ClaimsProvider" StringId="FacebookExchange">Facebook</LocalizedString>
                </LocalizedStrings>
              </LocalizedResources>
              <LocalizedResources Id="api.idpselections.signup.en">
                <LocalizedStrings>
                  <LocalizedString ElementType="UxElement" StringId="intro">Sign up</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="cancel_message">The person has cancelled choosing an account</LocalizedString>
                </LocalizedStrings>
              </LocalizedResources>
              <LocalizedResources Id="api.idpselections.signup.de">
                <LocalizedStrings>
                  <LocalizedString ElementType="UxElement" StringId="intro">Konto anlegen</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="cancel_message">Die Auswahl des Kontos wurde abgebrochen</LocalizedString>
                </LocalizedStrings>
              </LocalizedResources>
              <LocalizedResources Id="api.localaccountsignup.en">
                <LocalizedStrings>
                  <LocalizedString ElementType="UxElement" StringId="heading">User Details</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="initial_intro">Please provide the following details.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="required_field">This information is required.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="error_requiredFieldMissing">A required field is empty. Fill in all of them and try again.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="error_fieldIncorrect">A field is filled in wrongly. Check them and try again.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="error_passwordEntryMismatch">The two passwords differ. Type the same one twice.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="helplink_text">What is this?</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="verifying_blurb">Please wait while we process your information.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="button_cancel">Cancel</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="preloader_alt">Please wait</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="cancel_message">The user has cancelled entering self-asserted information</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="month">Month</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="day">Day</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="year">Year</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="months">January, February, March, April, May, June, July, August, September, October, November, December</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfClaimNotVerified">Claim not verified: {0}</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfVerificationControlClaimsNotVerified">{0} is not verified yet.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfIncorrectPattern">Incorrect pattern for: {0}</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfMissingRequiredElement">Missing required element: {0}</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfInvalidInput">{0} has invalid input.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfValidationError">Error in validation by: {0}</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="ServiceThrottled">Too many requests. Try again in a moment.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="button_continue">Create</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_intro_msg">Verification is necessary. Please click Send button.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_info_msg">A code is on its way. Copy it from the message into the field below.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_input">Verification code</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_but_send">Send verification code</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_but_verify">Verify code</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_but_resend">Send new code</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_but_edit">Change e-mail</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_but_default">Default</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_success_msg">E-mail address verified. You can now continue.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_fail_retry">That code is incorrect. Please try again.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_fail_no_retry">Too many wrong codes. Ask for a new one.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_fail_code_expired">This code has expired. Ask for a new one.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_fail_throttled">Too many codes were asked for. Wait a while, then try again.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_fail_server">The address could not be verified. Please try again.</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationControl" StringId="intro_msg">Verification is necessary. Please click Send button.</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationControl" StringId="success_send_code_msg">Verification code has been sent. Please copy it to the input box below.</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationControl" StringId="failure_send_code_msg">The code could not be sent. Please try again.</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationControl" StringId="success_verify_code_msg">E-mail address verified. You can now continue.</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationControl" StringId="failure_verify_code_msg">The address could not be verified. Please try again.</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationControl" StringId="but_send_code">Send verification code</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationControl" StringId="but_verify_code">Verify code</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationControl" StringId="but_send_new_code">Send new code</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationControl" StringId="but_change_claims">Change e-mail</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfInternalError">The code could not be handled. Please try again.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfThrottled">Too many codes were asked for. Wait a while, then try again.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfChallengeExpired">The code has expired.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfVerificationFailedNoRetry">You have exceeded maximum number of verification attempts.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfVerificationFailedRetryAllowed">That code is incorrect. Please try again.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfClaimsPrincipalAlreadyExists">A user with the specified ID already exists. Please choose a different one.</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="email" StringId="DisplayName">Email Address</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="emailVerificationCode" StringId="DisplayName">Verification Code</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="logonIdentifier" StringId="DisplayName">Username</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="newPassword" StringId="DisplayName">New Password</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="reenterPassword" StringId="DisplayName">Confirm New Password</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="displayName" StringId="DisplayName">Display Name</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="givenName" StringId="DisplayName">Given Name</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="surname" StringId="DisplayName">Surname</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="city" StringId="DisplayName">City</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="country" StringId="DisplayName">Country/Region</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="state" StringId="DisplayName">State/Province</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="postalCode" StringId="DisplayName">Postal Code</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="streetAddress" StringId="DisplayName">Street Address</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="jobTitle" StringId="DisplayName">Job Title</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="department" StringId="DisplayName">Department</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="companyName" StringId="DisplayName">Company</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="telephoneNumber" StringId="DisplayName">Telephone Number</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="mobile" StringId="DisplayName">Mobile Number</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="preferredLanguage" StringId="DisplayName">Preferred Language</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="usageLocation" StringId="DisplayName">Usage Location</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="dateOfBirth" StringId="DisplayName">Date of Birth</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="email" StringId="PatternHelpText">Please enter a valid email address.</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="newPassword" StringId="UserHelpText">Enter new password</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="reenterPassword" StringId="UserHelpText">Confirm new password</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="displayName" StringId="UserHelpText">Your display name.</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="givenName" StringId="UserHelpText">Your given name (also known as first name).</LocalizedString>
                </LocalizedStrings>
              </LocalizedResources>
              <LocalizedResources Id="api.localaccountsignup.de">
                <LocalizedStrings>
                  <LocalizedString ElementType="UxElement" StringId="heading">Konto anlegen</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="initial_intro">Bitte ausfüllen.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="required_field">Diese Angabe fehlt.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="error_requiredFieldMissing">Ein Pflichtfeld ist leer. Bitte alle ausfüllen und erneut versuchen.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="error_fieldIncorrect">Ein Feld ist falsch ausgefüllt. Bitte prüfen und erneut versuchen.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="error_passwordEntryMismatch">Die beiden Kennwörter sind verschieden. Bitte zweimal dasselbe eingeben.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="helplink_text">Was ist das?</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="verifying_blurb">Die Angaben werden geprüft.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="button_cancel">Abbrechen</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="preloader_alt">Bitte warten</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="cancel_message">Die Eingabe wurde abgebrochen</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="month">Monat</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="day">Tag</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="year">Jahr</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="months">Januar, Februar, März, April, Mai, Juni, Juli, August, September, Oktober, November, Dezember</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfClaimNotVerified">{0} ist noch nicht bestätigt.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfVerificationControlClaimsNotVerified">{0} ist noch nicht bestätigt.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfIncorrectPattern">{0} hat die falsche Form.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfMissingRequiredElement">{0} fehlt.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfInvalidInput">{0} ist ungültig.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfValidationError">Die Prüfung von {0} ist fehlgeschlagen.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="ServiceThrottled">Zu viele Anfragen. Bitte gleich noch einmal versuchen.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="button_continue">Anlegen</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_intro_msg">Die Adresse muss bestätigt werden. Die Schaltfläche fordert einen Code an.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_info_msg">Ein Code ist unterwegs. Bitte aus der Nachricht in das Feld übernehmen.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_input">Bestätigungscode</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_but_send">Code senden</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_but_verify">Code prüfen</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_but_resend">Neuen Code senden</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_but_edit">Adresse ändern</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_but_default">Standard</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_success_msg">Die Adresse ist bestätigt. Es kann weitergehen.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_fail_retry">Der Code ist falsch. Bitte erneut versuchen.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_fail_no_retry">Zu viele falsche Codes. Bitte einen neuen anfordern.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_fail_code_expired">Der Code ist abgelaufen. Bitte einen neuen anfordern.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_fail_throttled">Es wurden zu viele Codes angefordert. Bitte etwas warten und erneut versuchen.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_fail_server">Die Adresse konnte nicht bestätigt werden. Bitte erneut versuchen.</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationControl" StringId="intro_msg">Die Adresse muss bestätigt werden. Die Schaltfläche fordert einen Code an.</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationControl" StringId="success_send_code_msg">Ein Code ist unterwegs. Bitte aus der Nachricht in das Feld übernehmen.</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationControl" StringId="failure_send_code_msg">Der Code konnte nicht gesendet werden. Bitte erneut versuchen.</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationControl" StringId="success_verify_code_msg">Die Adresse ist bestätigt. Es kann weitergehen.</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationControl" StringId="failure_verify_code_msg">Die Adresse konnte nicht bestätigt werden. Bitte erneut versuchen.</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationControl" StringId="but_send_code">Code senden</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationControl" StringId="but_verify_code">Code prüfen</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationControl" StringId="but_send_new_code">Neuen Code senden</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationControl" StringId="but_change_claims">Adresse ändern</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfInternalError">Der Code konnte nicht verarbeitet werden. Bitte erneut versuchen.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfThrottled">Es wurden zu viele Codes angefordert. Bitte etwas warten und erneut versuchen.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfChallengeExpired">Der Code ist abgelaufen. Bitte einen neuen anfordern.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfVerificationFailedNoRetry">Zu viele falsche Codes. Bitte einen neuen anfordern.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfVerificationFailedRetryAllowed">Der Code ist falsch. Bitte erneut versuchen.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfClaimsPrincipalAlreadyExists">Unter diesem Namen gibt es schon ein Konto. Bitte anmelden oder einen anderen wählen.</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="email" StringId="DisplayName">E-Mail-Adresse</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="emailVerificationCode" StringId="DisplayName">Bestätigungscode</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="logonIdentifier" StringId="DisplayName">Benutzername</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="newPassword" StringId="DisplayName">Neues Kennwort</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="reenterPassword" StringId="DisplayName">Neues Kennwort wiederholen</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="displayName" StringId="DisplayName">Anzeigename</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="givenName" StringId="DisplayName">Vorname</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="surname" StringId="DisplayName">Nachname</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="city" StringId="DisplayName">Ort</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="country" StringId="DisplayName">Land/Region</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="state" StringId="DisplayName">Bundesland</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="postalCode" StringId="DisplayName">Postleitzahl</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="streetAddress" StringId="DisplayName">Straße</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="jobTitle" StringId="DisplayName">Position</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="department" StringId="DisplayName">Abteilung</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="companyName" StringId="DisplayName">Firma</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="telephoneNumber" StringId="DisplayName">Telefon</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="mobile" StringId="DisplayName">Mobiltelefon</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="preferredLanguage" StringId="DisplayName">Bevorzugte Sprache</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="usageLocation" StringId="DisplayName">Nutzungsstandort</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="dateOfBirth" StringId="DisplayName">Geburtsdatum</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="email" StringId="UserHelpText">Unter dieser E-Mail-Adresse wird das Konto geführt.</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="email" StringId="PatternHelpText">Bitte eine gültige E-Mail-Adresse eingeben.</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="logonIdentifier" StringId="UserHelpText">Unter diesem Namen erfolgt die Anmeldung.</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="logonIdentifier" StringId="PatternHelpText">Ein Benutzername hat höchstens 64 Buchstaben, Ziffern und die Zeichen . _ - @ ! # ^ ~ +.</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="newPassword" StringId="UserHelpText">Ein Kennwort, das sonst nirgends verwendet wird.</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="reenterPassword" StringId="UserHelpText">Noch einmal dasselbe Kennwort.</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="emailVerificationCode" StringId="UserHelpText">Der Code aus der Nachricht.</LocalizedString>
                  <LocalizedString ElementType="Predicate" ElementId="PasswordLength" StringId="HelpText">Das Kennwort muss 8 bis 64 Zeichen haben.</LocalizedString>
                  <LocalizedString ElementType="Predicate" ElementId="Lowercase" StringId="HelpText">ein Kleinbuchstabe</LocalizedString>
                  <LocalizedString ElementType="Predicate" ElementId="Uppercase" StringId="HelpText">ein Großbuchstabe</LocalizedString>
                  <LocalizedString ElementType="Predicate" ElementId="Number" StringId="HelpText">eine Ziffer</LocalizedString>
                  <LocalizedString ElementType="Predicate" ElementId="Symbol" StringId="HelpText">ein Sonderzeichen</LocalizedString>
                  <LocalizedString ElementType="PredicateValidation" ElementId="StrongPassword" StringId="CharacterClasses">Das Kennwort muss mindestens drei davon haben:</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="displayName" StringId="UserHelpText">Der Name, der angezeigt wird.</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="givenName" StringId="UserHelpText">Der Vorname.</LocalizedString>
                </LocalizedStrings>
              </LocalizedResources>
              <LocalizedResources Id="api.socialccountsignup.en">
                <LocalizedStrings>
                  <LocalizedString ElementType="UxElement" StringId="heading">User Details</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="initial_intro">Please provide the following details.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="required_field">This information is required.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="error_requiredFieldMissing">A required field is empty. Fill in all of them and try again.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="error_fieldIncorrect">A field is filled in wrongly. Check them and try again.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="error_passwordEntryMismatch">The two passwords differ. Type the same one twice.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="helplink_text">What is this?</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="verifying_blurb">Please wait while we process your information.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="button_continue">Create</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="button_cancel">Cancel</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="preloader_alt">Please wait</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="cancel_message">The user has cancelled entering self-asserted information</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="month">Month</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="day">Day</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="year">Year</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="months">January, February, March, April, May, June, July, August, September, October, November, December</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfClaimNotVerified">Claim not verified: {0}</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfVerificationControlClaimsNotVerified">{0} is not verified yet.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfIncorrectPattern">Incorrect pattern for: {0}</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfMissingRequiredElement">Missing required element: {0}</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfInvalidInput">{0} has invalid input.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfValidationError">Error in validation by: {0}</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="ServiceThrottled">Too many requests. Try again in a moment.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfClaimsPrincipalAlreadyExists">A user with the specified ID already exists. Please choose a different one.</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="email" StringId="DisplayName">Email Address</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="displayName" StringId="DisplayName">Display Name</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="givenName" StringId="DisplayName">Given Name</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="surname" StringId="DisplayName">Surname</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="city" StringId="DisplayName">City</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="country" StringId="DisplayName">Country/Region</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="state" StringId="DisplayName">State/Province</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="postalCode" StringId="DisplayName">Postal Code</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="streetAddress" StringId="DisplayName">Street Address</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="jobTitle" StringId="DisplayName">Job Title</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="department" StringId="DisplayName">Department</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="companyName" StringId="DisplayName">Company</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="telephoneNumber" StringId="DisplayName">Telephone Number</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="mobile" StringId="DisplayName">Mobile Number</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="preferredLanguage" StringId="DisplayName">Preferred Language</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="usageLocation" StringId="DisplayName">Usage Location</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="dateOfBirth" StringId="DisplayName">Date of Birth</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="email" StringId="PatternHelpText">Please enter a valid email address.</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="displayName" StringId="UserHelpText">Your display name.</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="givenName" StringId="UserHelpText">Your given name (also known as first name).</LocalizedString>
                </LocalizedStrings>
              </LocalizedResources>
              <LocalizedResources Id="api.socialccountsignup.de">
                <LocalizedStrings>
                  <LocalizedString ElementType="UxElement" StringId="heading">Profil vervollständigen</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="initial_intro">Bitte ausfüllen.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="required_field">Diese Angabe fehlt.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="error_requiredFieldMissing">Ein Pflichtfeld ist leer. Bitte alle ausfüllen und erneut versuchen.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="error_fieldIncorrect">Ein Feld ist falsch ausgefüllt. Bitte prüfen und erneut versuchen.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="error_passwordEntryMismatch">Die beiden Kennwörter sind verschieden. Bitte zweimal dasselbe eingeben.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="helplink_text">Was ist das?</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="verifying_blurb">Die Angaben werden geprüft.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="button_continue">Weiter</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="button_cancel">Abbrechen</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="preloader_alt">Bitte warten</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="cancel_message">Die Eingabe wurde abgebrochen</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="month">Monat</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="day">Tag</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="year">Jahr</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="months">Januar, Februar, März, April, Mai, Juni, Juli, August, September, Oktober, November, Dezember</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfClaimNotVerified">{0} ist noch nicht bestätigt.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfVerificationControlClaimsNotVerified">{0} ist noch nicht bestätigt.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfIncorrectPattern">{0} hat die falsche Form.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfMissingRequiredElement">{0} fehlt.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfInvalidInput">{0} ist ungültig.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfValidationError">Die Prüfung von {0} ist fehlgeschlagen.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="ServiceThrottled">Zu viele Anfragen. Bitte gleich noch einmal versuchen.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfClaimsPrincipalAlreadyExists">Unter diesem Namen gibt es schon ein Konto. Bitte anmelden oder einen anderen wählen.</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="email" StringId="DisplayName">E-Mail-Adresse</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="displayName" StringId="DisplayName">Anzeigename</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="givenName" StringId="DisplayName">Vorname</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="surname" StringId="DisplayName">Nachname</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="city" StringId="DisplayName">Ort</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="country" StringId="DisplayName">Land/Region</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="state" StringId="DisplayName">Bundesland</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="postalCode" StringId="DisplayName">Postleitzahl</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="streetAddress" StringId="DisplayName">Straße</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="jobTitle" StringId="DisplayName">Position</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="department" StringId="DisplayName">Abteilung</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="companyName" StringId="DisplayName">Firma</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="telephoneNumber" StringId="DisplayName">Telefon</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="mobile" StringId="DisplayName">Mobiltelefon</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="preferredLanguage" StringId="DisplayName">Bevorzugte Sprache</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="usageLocation" StringId="DisplayName">Nutzungsstandort</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="dateOfBirth" StringId="DisplayName">Geburtsdatum</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="email" StringId="UserHelpText">Unter dieser E-Mail-Adresse wird das Konto geführt.</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="email" StringId="PatternHelpText">Bitte eine gültige E-Mail-Adresse eingeben.</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="displayName" StringId="UserHelpText">Der Name, der angezeigt wird.</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="givenName" StringId="UserHelpText">Der Vorname.</LocalizedString>
                </LocalizedStrings>
              </LocalizedResources>
              <LocalizedResources Id="api.localaccountpasswordreset.en">
                <LocalizedStrings>
                  <LocalizedString ElementType="UxElement" StringId="heading">User Details</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="initial_intro">Please provide the following details.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="required_field">This information is required.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="error_requiredFieldMissing">A required field is empty. Fill in all of them and try again.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="error_fieldIncorrect">A field is filled in wrongly. Check them and try again.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="error_passwordEntryMismatch">The two passwords differ. Type the same one twice.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="helplink_text">What is this?</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="verifying_blurb">Please wait while we process your information.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="button_continue">Continue</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="button_cancel">Cancel</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="preloader_alt">Please wait</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="cancel_message">The user has cancelled entering self-asserted information</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="month">Month</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="day">Day</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="year">Year</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="months">January, February, March, April, May, June, July, August, September, October, November, December</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfClaimNotVerified">Claim not verified: {0}</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfVerificationControlClaimsNotVerified">{0} is not verified yet.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfIncorrectPattern">Incorrect pattern for: {0}</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfMissingRequiredElement">Missing required element: {0}</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfInvalidInput">{0} has invalid input.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfValidationError">Error in validation by: {0}</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="ServiceThrottled">Too many requests. Try again in a moment.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_intro_msg">Verification is necessary. Please click Send button.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_info_msg">A code is on its way. Copy it from the message into the field below.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_input">Verification code</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_but_send">Send verification code</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_but_verify">Verify code</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_but_resend">Send new code</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_but_edit">Change e-mail</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_but_default">Default</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_success_msg">E-mail address verified. You can now continue.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_fail_retry">That code is incorrect. Please try again.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_fail_no_retry">Too many wrong codes. Ask for a new one.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_fail_code_expired">This code has expired. Ask for a new one.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_fail_throttled">Too many codes were asked for. Wait a while, then try again.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_fail_server">The address could not be verified. Please try again.</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationSSPRControl" StringId="intro_msg">Verification is necessary. Please click Send button.</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationSSPRControl" StringId="success_send_code_msg">Verification code has been sent. Please copy it to the input box below.</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationSSPRControl" StringId="failure_send_code_msg">The code could not be sent. Please try again.</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationControl" StringId="failure_send_code_msg">The code could not be sent. Please try again.</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationSSPRControl" StringId="success_verify_code_msg">E-mail address verified. You can now continue.</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationSSPRControl" StringId="failure_verify_code_msg">The address could not be verified. Please try again.</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationControl" StringId="failure_verify_code_msg">The address could not be verified. Please try again.</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationSSPRControl" StringId="but_send_code">Send verification code</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationSSPRControl" StringId="but_verify_code">Verify code</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationSSPRControl" StringId="but_send_new_code">Send new code</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationSSPRControl" StringId="but_change_claims">Change e-mail</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfInternalError">The code could not be handled. Please try again.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfThrottled">Too many codes were asked for. Wait a while, then try again.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfChallengeExpired">The code has expired.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfVerificationFailedNoRetry">You have exceeded maximum number of verification attempts.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfVerificationFailedRetryAllowed">That code is incorrect. Please try again.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfClaimsPrincipalDoesNotExist">There is no account of this name.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfClaimsTransformationBooleanValueIsNotEqual">The account cannot be used, or name and e-mail address do not belong together.</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="email" StringId="DisplayName">Email Address</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="emailVerificationCode" StringId="DisplayName">Verification Code</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="logonIdentifier" StringId="DisplayName">Username</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="newPassword" StringId="DisplayName">New Password</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="reenterPassword" StringId="DisplayName">Confirm New Password</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="email" StringId="PatternHelpText">Please enter a valid email address.</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="newPassword" StringId="UserHelpText">Enter new password</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="reenterPassword" StringId="UserHelpText">Confirm new password</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfClaimsPrincipalAlreadyExists">A user with the specified ID already exists. Please choose a different one.</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationControl" StringId="intro_msg">Verification is necessary. Please click Send button.</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationControl" StringId="success_verify_code_msg">E-mail address verified. You can now continue.</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationControl" StringId="but_send_code">Send verification code</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationControl" StringId="but_verify_code">Verify code</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationControl" StringId="but_send_new_code">Send new code</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationControl" StringId="but_change_claims">Change e-mail</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationControl" StringId="success_send_code_msg">Verification code has been sent. Please copy it to the input box below.</LocalizedString>
                </LocalizedStrings>
              </LocalizedResources>
              <LocalizedResources Id="api.localaccountpasswordreset.de">
                <LocalizedStrings>
                  <LocalizedString ElementType="UxElement" StringId="heading">Kennwort zurücksetzen</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="initial_intro">Bitte ausfüllen.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="required_field">Diese Angabe fehlt.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="error_requiredFieldMissing">Ein Pflichtfeld ist leer. Bitte alle ausfüllen und erneut versuchen.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="error_fieldIncorrect">Ein Feld ist falsch ausgefüllt. Bitte prüfen und erneut versuchen.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="error_passwordEntryMismatch">Die beiden Kennwörter sind verschieden. Bitte zweimal dasselbe eingeben.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="helplink_text">Was ist das?</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="verifying_blurb">Die Angaben werden geprüft.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="button_continue">Weiter</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="button_cancel">Abbrechen</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="preloader_alt">Bitte warten</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="cancel_message">Die Eingabe wurde abgebrochen</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="month">Monat</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="day">Tag</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="year">Jahr</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="months">Januar, Februar, März, April, Mai, Juni, Juli, August, September, Oktober, November, Dezember</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfClaimNotVerified">{0} ist noch nicht bestätigt.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfVerificationControlClaimsNotVerified">{0} ist noch nicht bestätigt.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfIncorrectPattern">{0} hat die falsche Form.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfMissingRequiredElement">{0} fehlt.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfInvalidInput">{0} ist ungültig.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfValidationError">Die Prüfung von {0} ist fehlgeschlagen.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="ServiceThrottled">Zu viele Anfragen. Bitte gleich noch einmal versuchen.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_intro_msg">Die Adresse muss bestätigt werden. Die Schaltfläche fordert einen Code an.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_info_msg">Ein Code ist unterwegs. Bitte aus der Nachricht in das Feld übernehmen.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_input">Bestätigungscode</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_but_send">Code senden</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_but_verify">Code prüfen</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_but_resend">Neuen Code senden</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_but_edit">Adresse ändern</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_but_default">Standard</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_success_msg">Die Adresse ist bestätigt. Es kann weitergehen.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_fail_retry">Der Code ist falsch. Bitte erneut versuchen.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_fail_no_retry">Zu viele falsche Codes. Bitte einen neuen anfordern.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_fail_code_expired">Der Code ist abgelaufen. Bitte einen neuen anfordern.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_fail_throttled">Es wurden zu viele Codes angefordert. Bitte etwas warten und erneut versuchen.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_fail_server">Die Adresse konnte nicht bestätigt werden. Bitte erneut versuchen.</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationSSPRControl" StringId="intro_msg">Die Adresse muss bestätigt werden. Die Schaltfläche fordert einen Code an.</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationSSPRControl" StringId="success_send_code_msg">Ein Code ist unterwegs. Bitte aus der Nachricht in das Feld übernehmen.</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationSSPRControl" StringId="failure_send_code_msg">Der Code konnte nicht gesendet werden. Bitte erneut versuchen.</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationControl" StringId="failure_send_code_msg">Der Code konnte nicht gesendet werden. Bitte erneut versuchen.</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationSSPRControl" StringId="success_verify_code_msg">Die Adresse ist bestätigt. Es kann weitergehen.</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationSSPRControl" StringId="failure_verify_code_msg">Die Adresse konnte nicht bestätigt werden. Bitte erneut versuchen.</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationControl" StringId="failure_verify_code_msg">Die Adresse konnte nicht bestätigt werden. Bitte erneut versuchen.</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationSSPRControl" StringId="but_send_code">Code senden</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationSSPRControl" StringId="but_verify_code">Code prüfen</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationSSPRControl" StringId="but_send_new_code">Neuen Code senden</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationSSPRControl" StringId="but_change_claims">Adresse ändern</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfInternalError">Der Code konnte nicht verarbeitet werden. Bitte erneut versuchen.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfThrottled">Es wurden zu viele Codes angefordert. Bitte etwas warten und erneut versuchen.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfChallengeExpired">Der Code ist abgelaufen. Bitte einen neuen anfordern.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfVerificationFailedNoRetry">Zu viele falsche Codes. Bitte einen neuen anfordern.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfVerificationFailedRetryAllowed">Der Code ist falsch. Bitte erneut versuchen.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfClaimsPrincipalDoesNotExist">Unter diesem Namen gibt es kein Konto.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfClaimsTransformationBooleanValueIsNotEqual">Das Konto kann nicht verwendet werden, oder Name und E-Mail-Adresse gehören nicht zusammen.</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="email" StringId="DisplayName">E-Mail-Adresse</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="emailVerificationCode" StringId="DisplayName">Bestätigungscode</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="logonIdentifier" StringId="DisplayName">Benutzername</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="newPassword" StringId="DisplayName">Neues Kennwort</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="reenterPassword" StringId="DisplayName">Neues Kennwort wiederholen</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="email" StringId="UserHelpText">Unter dieser E-Mail-Adresse wird das Konto geführt.</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="email" StringId="PatternHelpText">Bitte eine gültige E-Mail-Adresse eingeben.</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="logonIdentifier" StringId="UserHelpText">Unter diesem Namen erfolgt die Anmeldung.</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="logonIdentifier" StringId="PatternHelpText">Ein Benutzername hat höchstens 64 Buchstaben, Ziffern und die Zeichen . _ - @ ! # ^ ~ +.</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="newPassword" StringId="UserHelpText">Ein Kennwort, das sonst nirgends verwendet wird.</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="reenterPassword" StringId="UserHelpText">Noch einmal dasselbe Kennwort.</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="emailVerificationCode" StringId="UserHelpText">Der Code aus der Nachricht.</LocalizedString>
                  <LocalizedString ElementType="Predicate" ElementId="PasswordLength" StringId="HelpText">Das Kennwort muss 8 bis 64 Zeichen haben.</LocalizedString>
                  <LocalizedString ElementType="Predicate" ElementId="Lowercase" StringId="HelpText">ein Kleinbuchstabe</LocalizedString>
                  <LocalizedString ElementType="Predicate" ElementId="Uppercase" StringId="HelpText">ein Großbuchstabe</LocalizedString>
                  <LocalizedString ElementType="Predicate" ElementId="Number" StringId="HelpText">eine Ziffer</LocalizedString>
                  <LocalizedString ElementType="Predicate" ElementId="Symbol" StringId="HelpText">ein Sonderzeichen</LocalizedString>
                  <LocalizedString ElementType="PredicateValidation" ElementId="StrongPassword" StringId="CharacterClasses">Das Kennwort muss mindestens drei davon haben:</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfClaimsPrincipalAlreadyExists">Unter diesem Namen gibt es schon ein Konto. Bitte einen anderen wählen.</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationControl" StringId="intro_msg">Die Adresse muss bestätigt werden. Bitte einen Code anfordern.</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationControl" StringId="success_verify_code_msg">Die Adresse ist bestätigt. Es kann weitergehen.</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationControl" StringId="but_send_code">Bestätigungscode senden</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationControl" StringId="but_verify_code">Code prüfen</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationControl" StringId="but_send_new_code">Neuen Code senden</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationControl" StringId="but_change_claims">E-Mail-Adresse ändern</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationControl" StringId="success_send_code_msg">Ein Code ist unterwegs. Bitte aus der Nachricht in das Feld unten übernehmen.</LocalizedString>
                </LocalizedStrings>
              </LocalizedResources>
              <LocalizedResources Id="api.selfasserted.en">
                <LocalizedStrings>
                  <LocalizedString ElementType="UxElement" StringId="initial_intro">Please provide the following details.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="required_field">This information is required.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="error_requiredFieldMissing">A required field is empty. Fill in all of them and try again.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="error_fieldIncorrect">A field is filled in wrongly. Check them and try again.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="error_passwordEntryMismatch">The two passwords differ. Type the same one twice.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="helplink_text">What is this?</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="verifying_blurb">Please wait while we process your information.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="button_continue">Create</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="button_cancel">Cancel</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="preloader_alt">Please wait</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="cancel_message">The user has cancelled entering self-asserted information</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="month">Month</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="day">Day</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="year">Year</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="months">January, February, March, April, May, June, July, August, September, October, November, December</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfClaimNotVerified">Claim not verified: {0}</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfVerificationControlClaimsNotVerified">{0} is not verified yet.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfIncorrectPattern">Incorrect pattern for: {0}</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfMissingRequiredElement">Missing required element: {0}</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfInvalidInput">{0} has invalid input.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfValidationError">Error in validation by: {0}</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="ServiceThrottled">Too many requests. Try again in a moment.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_sent">Verification code has been sent to:</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_but_default">Default</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_but_send">Send verification code</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="alert_yes">Yes</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_success_msg">E-mail address verified. You can now continue.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="heading">User Details</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_but_resend">Send new code</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_incorrect_format">Incorrect format.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_but_edit">Change e-mail</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_but_verify">Verify code</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="alert_no">No</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_fail_retry">That code is incorrect. Please try again.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="alert_title">Cancel Entering Your Details</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_intro_msg">Verification is necessary. Please click Send button.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_input">Verification code</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="required_field_descriptive">{0} is required</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfClaimsPrincipalAlreadyExists">A user with the specified ID already exists. Please choose a different one.</LocalizedString>
                </LocalizedStrings>
              </LocalizedResources>
              <LocalizedResources Id="api.selfasserted.de">
                <LocalizedStrings>
                  <LocalizedString ElementType="UxElement" StringId="initial_intro">Bitte ausfüllen.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="required_field">Diese Angabe fehlt.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="error_requiredFieldMissing">Ein Pflichtfeld ist leer. Bitte alle ausfüllen und erneut versuchen.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="error_fieldIncorrect">Ein Feld ist falsch ausgefüllt. Bitte prüfen und erneut versuchen.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="error_passwordEntryMismatch">Die beiden Kennwörter sind verschieden. Bitte zweimal dasselbe eingeben.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="helplink_text">Was ist das?</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="verifying_blurb">Die Angaben werden geprüft.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="button_continue">Weiter</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="button_cancel">Abbrechen</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="preloader_alt">Bitte warten</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="cancel_message">Die Eingabe wurde abgebrochen</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="month">Monat</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="day">Tag</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="year">Jahr</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="months">Januar, Februar, März, April, Mai, Juni, Juli, August, September, Oktober, November, Dezember</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfClaimNotVerified">{0} ist noch nicht bestätigt.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfVerificationControlClaimsNotVerified">{0} ist noch nicht bestätigt.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfIncorrectPattern">{0} hat die falsche Form.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfMissingRequiredElement">{0} fehlt.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfInvalidInput">{0} ist ungültig.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfValidationError">Die Prüfung von {0} ist fehlgeschlagen.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="ServiceThrottled">Zu viele Anfragen. Bitte gleich noch einmal versuchen.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_sent">Der Code wurde gesendet an:</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_but_default">Standard</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_but_send">Bestätigungscode senden</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="alert_yes">Ja</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_success_msg">Die Adresse ist bestätigt. Es kann weitergehen.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="heading">Ihre Angaben</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_but_resend">Neuen Code senden</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_incorrect_format">Falsche Form.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_but_edit">E-Mail-Adresse ändern</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_but_verify">Code prüfen</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="alert_no">Nein</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_fail_retry">Der Code ist falsch. Bitte erneut versuchen.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="alert_title">Eingabe abbrechen</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_intro_msg">Die Adresse muss bestätigt werden. Bitte einen Code anfordern.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_input">Bestätigungscode</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="required_field_descriptive">{0} ist erforderlich</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfClaimsPrincipalAlreadyExists">Unter diesem Namen gibt es schon ein Konto. Bitte einen anderen wählen.</LocalizedString>
                </LocalizedStrings>
              </LocalizedResources>
              <LocalizedResources Id="api.selfasserted.profileupdate.en">
                <LocalizedStrings>
                  <LocalizedString ElementType="UxElement" StringId="heading">User Details</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="initial_intro">Please provide the following details.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="required_field">This information is required.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="error_requiredFieldMissing">A required field is empty. Fill in all of them and try again.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="error_fieldIncorrect">A field is filled in wrongly. Check them and try again.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="error_passwordEntryMismatch">The two passwords differ. Type the same one twice.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="helplink_text">What is this?</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="verifying_blurb">Please wait while we process your information.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="button_continue">Continue</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="button_cancel">Cancel</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="preloader_alt">Please wait</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="cancel_message">The user has cancelled entering self-asserted information</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="month">Month</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="day">Day</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="year">Year</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="months">January, February, March, April, May, June, July, August, September, October, November, December</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfClaimNotVerified">Claim not verified: {0}</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfVerificationControlClaimsNotVerified">{0} is not verified yet.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfIncorrectPattern">Incorrect pattern for: {0}</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfMissingRequiredElement">Missing required element: {0}</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfInvalidInput">{0} has invalid input.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfValidationError">Error in validation by: {0}</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="ServiceThrottled">Too many requests. Try again in a moment.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfClaimsPrincipalDoesNotExist">There is no account of this name.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfClaimsTransformationBooleanValueIsNotEqual">The account cannot be used, or name and e-mail address do not belong together.</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="email" StringId="DisplayName">Email Address</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="displayName" StringId="DisplayName">Display Name</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="givenName" StringId="DisplayName">Given Name</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="surname" StringId="DisplayName">Surname</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="city" StringId="DisplayName">City</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="country" StringId="DisplayName">Country/Region</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="state" StringId="DisplayName">State/Province</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="postalCode" StringId="DisplayName">Postal Code</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="streetAddress" StringId="DisplayName">Street Address</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="jobTitle" StringId="DisplayName">Job Title</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="department" StringId="DisplayName">Department</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="companyName" StringId="DisplayName">Company</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="telephoneNumber" StringId="DisplayName">Telephone Number</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="mobile" StringId="DisplayName">Mobile Number</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="preferredLanguage" StringId="DisplayName">Preferred Language</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="usageLocation" StringId="DisplayName">Usage Location</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="dateOfBirth" StringId="DisplayName">Date of Birth</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="displayName" StringId="UserHelpText">Your display name.</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="givenName" StringId="UserHelpText">Your given name (also known as first name).</LocalizedString>
                </LocalizedStrings>
              </LocalizedResources>
              <LocalizedResources Id="api.selfasserted.profileupdate.de">
                <LocalizedStrings>
                  <LocalizedString ElementType="UxElement" StringId="heading">Profil bearbeiten</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="initial_intro">Bitte ausfüllen.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="required_field">Diese Angabe fehlt.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="error_requiredFieldMissing">Ein Pflichtfeld ist leer. Bitte alle ausfüllen und erneut versuchen.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="error_fieldIncorrect">Ein Feld ist falsch ausgefüllt. Bitte prüfen und erneut versuchen.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="error_passwordEntryMismatch">Die beiden Kennwörter sind verschieden. Bitte zweimal dasselbe eingeben.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="helplink_text">Was ist das?</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="verifying_blurb">Die Angaben werden geprüft.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="button_continue">Weiter</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="button_cancel">Abbrechen</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="preloader_alt">Bitte warten</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="cancel_message">Die Eingabe wurde abgebrochen</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="month">Monat</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="day">Tag</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="year">Jahr</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="months">Januar, Februar, März, April, Mai, Juni, Juli, August, September, Oktober, November, Dezember</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfClaimNotVerified">{0} ist noch nicht bestätigt.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfVerificationControlClaimsNotVerified">{0} ist noch nicht bestätigt.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfIncorrectPattern">{0} hat die falsche Form.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfMissingRequiredElement">{0} fehlt.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfInvalidInput">{0} ist ungültig.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfValidationError">Die Prüfung von {0} ist fehlgeschlagen.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="ServiceThrottled">Zu viele Anfragen. Bitte gleich noch einmal versuchen.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfClaimsPrincipalDoesNotExist">Unter diesem Namen gibt es kein Konto.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfClaimsTransformationBooleanValueIsNotEqual">Das Konto kann nicht verwendet werden, oder Name und E-Mail-Adresse gehören nicht zusammen.</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="email" StringId="DisplayName">E-Mail-Adresse</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="displayName" StringId="DisplayName">Anzeigename</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="givenName" StringId="DisplayName">Vorname</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="surname" StringId="DisplayName">Nachname</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="city" StringId="DisplayName">Ort</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="country" StringId="DisplayName">Land/Region</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="state" StringId="DisplayName">Bundesland</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="postalCode" StringId="DisplayName">Postleitzahl</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="streetAddress" StringId="DisplayName">Straße</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="jobTitle" StringId="DisplayName">Position</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="department" StringId="DisplayName">Abteilung</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="companyName" StringId="DisplayName">Firma</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="telephoneNumber" StringId="DisplayName">Telefon</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="mobile" StringId="DisplayName">Mobiltelefon</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="preferredLanguage" StringId="DisplayName">Bevorzugte Sprache</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="usageLocation" StringId="DisplayName">Nutzungsstandort</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="dateOfBirth" StringId="DisplayName">Geburtsdatum</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="email" StringId="UserHelpText">Unter dieser E-Mail-Adresse wird das Konto geführt.</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="email" StringId="PatternHelpText">Bitte eine gültige E-Mail-Adresse eingeben.</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="displayName" StringId="UserHelpText">Der Name, der angezeigt wird.</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="givenName" StringId="UserHelpText">Der Vorname.</LocalizedString>
                </LocalizedStrings>
              </LocalizedResources>
              <LocalizedResources Id="api.selfasserted.emailmfa.en">
                <LocalizedStrings>
                  <LocalizedString ElementType="UxElement" StringId="heading">User Details</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="initial_intro">Please provide the following details.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="required_field">This information is required.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="error_requiredFieldMissing">A required field is empty. Fill in all of them and try again.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="error_fieldIncorrect">A field is filled in wrongly. Check them and try again.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="error_passwordEntryMismatch">The two passwords differ. Type the same one twice.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="helplink_text">What is this?</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="verifying_blurb">Please wait while we process your information.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="button_continue">Continue</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="button_cancel">Cancel</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="preloader_alt">Please wait</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="cancel_message">The user has cancelled entering self-asserted information</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="month">Month</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="day">Day</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="year">Year</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="months">January, February, March, April, May, June, July, August, September, October, November, December</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfClaimNotVerified">Claim not verified: {0}</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfVerificationControlClaimsNotVerified">{0} is not verified yet.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfIncorrectPattern">Incorrect pattern for: {0}</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfMissingRequiredElement">Missing required element: {0}</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfInvalidInput">{0} has invalid input.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfValidationError">Error in validation by: {0}</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="ServiceThrottled">Too many requests. Try again in a moment.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_intro_msg">Verification is necessary. Please click Send button.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_info_msg">A code is on its way. Copy it from the message into the field below.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_input">Verification code</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_but_send">Send verification code</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_but_verify">Verify code</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_but_resend">Send new code</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_but_edit">Change e-mail</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_but_default">Default</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_success_msg">E-mail address verified. You can now continue.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_fail_retry">That code is incorrect. Please try again.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_fail_no_retry">Too many wrong codes. Ask for a new one.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_fail_code_expired">This code has expired. Ask for a new one.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_fail_throttled">Too many codes were asked for. Wait a while, then try again.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_fail_server">The address could not be verified. Please try again.</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationControl-RO" StringId="intro_msg">The address must be verified. Press the button to get a code.</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationControl-RO" StringId="success_send_code_msg">A code is on its way. Copy it from the message into the field below.</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationControl-RO" StringId="failure_send_code_msg">The code could not be sent. Please try again.</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationControl-RO" StringId="success_verify_code_msg">The address is verified. You can go on.</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationControl-RO" StringId="failure_verify_code_msg">The address could not be verified. Please try again.</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationControl-RO" StringId="but_send_code">Send verification code</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationControl-RO" StringId="but_verify_code">Verify code</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationControl-RO" StringId="but_send_new_code">Send new code</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationControl-RO" StringId="but_change_claims">Change e-mail</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfInternalError">The code could not be handled. Please try again.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfThrottled">Too many codes were asked for. Wait a while, then try again.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfChallengeExpired">The code has expired.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfVerificationFailedNoRetry">You have exceeded maximum number of verification attempts.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfVerificationFailedRetryAllowed">The verification has failed, please try again.</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="readOnlyEmail" StringId="DisplayName">Email Address</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="emailVerificationCode" StringId="DisplayName">Verification Code</LocalizedString>
                </LocalizedStrings>
              </LocalizedResources>
              <LocalizedResources Id="api.selfasserted.emailmfa.de">
                <LocalizedStrings>
                  <LocalizedString ElementType="UxElement" StringId="heading">E-Mail-Adresse bestätigen</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="initial_intro">Bitte ausfüllen.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="required_field">Diese Angabe fehlt.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="error_requiredFieldMissing">Ein Pflichtfeld ist leer. Bitte alle ausfüllen und erneut versuchen.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="error_fieldIncorrect">Ein Feld ist falsch ausgefüllt. Bitte prüfen und erneut versuchen.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="error_passwordEntryMismatch">Die beiden Kennwörter sind verschieden. Bitte zweimal dasselbe eingeben.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="helplink_text">Was ist das?</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="verifying_blurb">Die Angaben werden geprüft.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="button_continue">Weiter</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="button_cancel">Abbrechen</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="preloader_alt">Bitte warten</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="cancel_message">Die Eingabe wurde abgebrochen</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="month">Monat</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="day">Tag</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="year">Jahr</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="months">Januar, Februar, März, April, Mai, Juni, Juli, August, September, Oktober, November, Dezember</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfClaimNotVerified">{0} ist noch nicht bestätigt.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfVerificationControlClaimsNotVerified">{0} ist noch nicht bestätigt.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfIncorrectPattern">{0} hat die falsche Form.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfMissingRequiredElement">{0} fehlt.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfInvalidInput">{0} ist ungültig.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfValidationError">Die Prüfung von {0} ist fehlgeschlagen.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="ServiceThrottled">Zu viele Anfragen. Bitte gleich noch einmal versuchen.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_intro_msg">Die Adresse muss bestätigt werden. Die Schaltfläche fordert einen Code an.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_info_msg">Ein Code ist unterwegs. Bitte aus der Nachricht in das Feld übernehmen.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_input">Bestätigungscode</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_but_send">Code senden</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_but_verify">Code prüfen</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_but_resend">Neuen Code senden</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_but_edit">Adresse ändern</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_but_default">Standard</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_success_msg">Die Adresse ist bestätigt. Es kann weitergehen.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_fail_retry">Der Code ist falsch. Bitte erneut versuchen.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_fail_no_retry">Zu viele falsche Codes. Bitte einen neuen anfordern.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_fail_code_expired">Der Code ist abgelaufen. Bitte einen neuen anfordern.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_fail_throttled">Es wurden zu viele Codes angefordert. Bitte etwas warten und erneut versuchen.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="ver_fail_server">Die Adresse konnte nicht bestätigt werden. Bitte erneut versuchen.</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationControl-RO" StringId="intro_msg">Die Adresse muss bestätigt werden. Die Schaltfläche fordert einen Code an.</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationControl-RO" StringId="success_send_code_msg">Ein Code ist unterwegs. Bitte aus der Nachricht in das Feld übernehmen.</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationControl-RO" StringId="failure_send_code_msg">Der Code konnte nicht gesendet werden. Bitte erneut versuchen.</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationControl-RO" StringId="success_verify_code_msg">Die Adresse ist bestätigt. Es kann weitergehen.</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationControl-RO" StringId="failure_verify_code_msg">Die Adresse konnte nicht bestätigt werden. Bitte erneut versuchen.</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationControl-RO" StringId="but_send_code">Code senden</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationControl-RO" StringId="but_verify_code">Code prüfen</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationControl-RO" StringId="but_send_new_code">Neuen Code senden</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="emailVerificationControl-RO" StringId="but_change_claims">Adresse ändern</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfInternalError">Der Code konnte nicht verarbeitet werden. Bitte erneut versuchen.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfThrottled">Es wurden zu viele Codes angefordert. Bitte etwas warten und erneut versuchen.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfChallengeExpired">Der Code ist abgelaufen. Bitte einen neuen anfordern.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfVerificationFailedNoRetry">Zu viele falsche Codes. Bitte einen neuen anfordern.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfVerificationFailedRetryAllowed">Der Code ist falsch. Bitte erneut versuchen.</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="readOnlyEmail" StringId="DisplayName">E-Mail-Adresse</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="emailVerificationCode" StringId="DisplayName">Bestätigungscode</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="readOnlyEmail" StringId="UserHelpText">An diese Adresse geht der Code.</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="emailVerificationCode" StringId="UserHelpText">Der Code aus der Nachricht.</LocalizedString>
                </LocalizedStrings>
              </LocalizedResources>
              <LocalizedResources Id="api.selfasserted.totp.en">
                <LocalizedStrings>
                  <LocalizedString ElementType="UxElement" StringId="initial_intro">Please provide the following details.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="required_field">This information is required.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="error_requiredFieldMissing">A required field is empty. Fill in all of them and try again.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="error_fieldIncorrect">A field is filled in wrongly. Check them and try again.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="error_passwordEntryMismatch">The two passwords differ. Type the same one twice.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="helplink_text">What is this?</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="verifying_blurb">Please wait while we process your information.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="button_cancel">Cancel</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="preloader_alt">Please wait</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="cancel_message">The user has cancelled entering self-asserted information</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="month">Month</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="day">Day</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="year">Year</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="months">January, February, March, April, May, June, July, August, September, October, November, December</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfClaimNotVerified">Claim not verified: {0}</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfVerificationControlClaimsNotVerified">{0} is not verified yet.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfIncorrectPattern">Incorrect pattern for: {0}</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfMissingRequiredElement">Missing required element: {0}</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfInvalidInput">{0} has invalid input.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfValidationError">Error in validation by: {0}</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="ServiceThrottled">Too many requests. Try again in a moment.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="button_continue">Verify</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="heading">User Details</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfWrongCodeEntered">Wrong code entered, please try again.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfMaxAllowedCodeRetryReached">Too many wrong codes. Try again later.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfThrottled">Too many requests. Try again later.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfServerError">Cannot use MFA service, please try again later.</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="totpQrCodeControl" StringId="title_text">Scan the QR code</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="authenticatorInfoControl" StringId="title_text">Enter the account details manually</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="otpCode" StringId="DisplayName">Enter your code.</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="totpQrCodeControl" StringId="link_text">Can't scan? Try this</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="authenticatorInfoControl" StringId="account_name">Account Name:</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="authenticatorInfoControl" StringId="display_prefix">Secret</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="authenticatorInfoControl" StringId="collapse_text">Still having trouble?</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="QrCodeVerifyInstruction" StringId="DisplayName">Enter the verification code from your authenticator app.</LocalizedString>
                </LocalizedStrings>
              </LocalizedResources>
              <LocalizedResources Id="api.selfasserted.totp.de">
                <LocalizedStrings>
                  <LocalizedString ElementType="UxElement" StringId="initial_intro">Bitte ausfüllen.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="required_field">Diese Angabe fehlt.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="error_requiredFieldMissing">Ein Pflichtfeld ist leer. Bitte alle ausfüllen und erneut versuchen.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="error_fieldIncorrect">Ein Feld ist falsch ausgefüllt. Bitte prüfen und erneut versuchen.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="error_passwordEntryMismatch">Die beiden Kennwörter sind verschieden. Bitte zweimal dasselbe eingeben.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="helplink_text">Was ist das?</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="verifying_blurb">Die Angaben werden geprüft.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="button_cancel">Abbrechen</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="preloader_alt">Bitte warten</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="cancel_message">Die Eingabe wurde abgebrochen</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="month">Monat</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="day">Tag</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="year">Jahr</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="months">Januar, Februar, März, April, Mai, Juni, Juli, August, September, Oktober, November, Dezember</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfClaimNotVerified">{0} ist noch nicht bestätigt.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfVerificationControlClaimsNotVerified">{0} ist noch nicht bestätigt.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfIncorrectPattern">{0} hat die falsche Form.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfMissingRequiredElement">{0} fehlt.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfInvalidInput">{0} ist ungültig.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfValidationError">Die Prüfung von {0} ist fehlgeschlagen.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="ServiceThrottled">Zu viele Anfragen. Bitte gleich noch einmal versuchen.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="button_continue">Prüfen</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="heading">Authenticator-App</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfWrongCodeEntered">Der Code ist falsch. Bitte erneut versuchen.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfMaxAllowedCodeRetryReached">Zu viele falsche Codes. Bitte später erneut versuchen.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfThrottled">Zu viele Anfragen. Bitte später erneut versuchen.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfServerError">Der Code konnte nicht geprüft werden. Bitte erneut versuchen.</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="totpQrCodeControl" StringId="title_text">Dieses Bild mit der Authenticator-App scannen</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="authenticatorInfoControl" StringId="title_text">Oder dieses Konto und diesen Schlüssel eingeben</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="otpCode" StringId="DisplayName">Bestätigungscode</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="otpCode" StringId="UserHelpText">Der Code, den die Authentifizierungs-App zeigt.</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="otpCode" StringId="PatternHelpText">Der Code hat sechs Ziffern.</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="secretKey" StringId="DisplayName">Schlüssel</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="secretKey" StringId="UserHelpText">Diesen Schlüssel in die App eintippen, wenn sie das Bild nicht erfassen kann.</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="totpAccount" StringId="DisplayName">Kontoname</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="qrCodeContent" StringId="DisplayName">QR-Code</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="authenticatorApp" StringId="DisplayName">Authentifizierungs-App</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="totpQrCodeControl" StringId="link_text">Das Bild lässt sich nicht scannen?</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="authenticatorInfoControl" StringId="account_name">Kontoname:</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="authenticatorInfoControl" StringId="display_prefix">Schlüssel</LocalizedString>
                  <LocalizedString ElementType="DisplayControl" ElementId="authenticatorInfoControl" StringId="collapse_text">Klappt es nicht?</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="QrCodeVerifyInstruction" StringId="DisplayName">Bitte den Bestätigungscode der Authenticator-App eingeben.</LocalizedString>
                </LocalizedStrings>
              </LocalizedResources>
              <LocalizedResources Id="api.phonefactor.en">
                <LocalizedStrings>
                  <LocalizedString ElementType="UxElement" StringId="heading">Second factor</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="intro_sms">We send a code to a phone to make sure that it is you.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="intro_sms_p">Choose the number to which we send a code.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="intro_phone">We call a phone to make sure that it is you.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="intro_phone_p">Choose the number that we call.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="intro_mixed">We send a code to a phone, or call it, to make sure that it is you.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="intro_mixed_p">Choose a number.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="intro_entry_sms">Enter a number to which we can send a code.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="intro_entry_phone">Enter a number that we can call.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="intro_entry_mixed">Enter a number to which we can send a code or which we can call.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="country_code_label">Country Code</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="number_label">Phone Number</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="country_code_input_placeholder_text">Country or region</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="number_input_placeholder_text">Phone number</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="number_pattern">^\+(?:[0-9][\x20-]?){6,14}[0-9]$</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="code_pattern">\d{6}</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="button_send_code">Send Code</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="button_verify_code">Verify Code</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="button_verify">Call Me</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="button_retry">Retry</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="button_cancel">Cancel</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="intro_wait">We are calling. Please answer the phone.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="requiredField_code">Please enter the verification code you received</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="requiredField_number">Please enter your phone number</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="invalid_code">Please enter the 6-digit code you received</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="invalid_number">Please enter a valid phone number</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="send_code_a_new_code">Send a new code</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="error_tryagain">The number is busy or cannot be reached. Check it and try again.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="error_incorrect_code">This code is wrong. Try again, or ask for a new one.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="error_throttled">Too many requests. Try again later.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="error_sms_throttled">Too many messages were sent to this number. Try again later.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="error_phone_throttled">This number was called too often. Try again later.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="error_448">The phone number you provided is unreachable.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="error_449">User has exceeded the number of retry attempts.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="cancel_message">The user has canceled multi-factor authentication</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfMaxAllowedCodeRetryReached">Too many wrong codes. Try again later.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfServerError">Cannot use MFA service, please try again later.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="text_button_send_second_code">send a new code</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="local_number_input_placeholder_text">Phone number</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="alternative_text">I don't have my phone</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="enter_code_text_intro">Enter your verification code below, or</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="requiredField_countryCode">Please select your country code</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="verification_code_input_placeholder_text">Verification code</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="strongAuthenticationPhoneNumber" StringId="DisplayName">Phone Number</LocalizedString>
                </LocalizedStrings>
              </LocalizedResources>
              <LocalizedResources Id="api.phonefactor.de">
                <LocalizedStrings>
                  <LocalizedString ElementType="UxElement" StringId="heading">Zweiter Faktor</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="intro_sms">Zur Sicherheit senden wir einen Code an ein Telefon.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="intro_sms_p">Bitte die Nummer wählen, an die wir einen Code senden.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="intro_phone">Zur Sicherheit rufen wir ein Telefon an.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="intro_phone_p">Bitte die Nummer wählen, die wir anrufen.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="intro_mixed">Zur Sicherheit senden wir einen Code an ein Telefon oder rufen es an.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="intro_mixed_p">Bitte eine Nummer wählen.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="intro_entry_sms">Bitte eine Nummer angeben, an die wir einen Code senden können.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="intro_entry_phone">Bitte eine Nummer angeben, die wir anrufen können.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="intro_entry_mixed">Bitte eine Nummer angeben, an die wir einen Code senden oder die wir anrufen können.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="country_code_label">Ländervorwahl</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="number_label">Telefonnummer</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="country_code_input_placeholder_text">Land oder Region</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="number_input_placeholder_text">Telefonnummer</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="number_pattern">^\d+$</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="code_pattern">\d{6}</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="button_send_code">Code senden</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="button_verify_code">Code prüfen</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="button_verify">Anrufen</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="button_retry">Erneut versuchen</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="button_cancel">Abbrechen</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="intro_wait">Wir rufen an. Bitte den Anruf annehmen.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="requiredField_code">Bitte den erhaltenen Code eingeben.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="requiredField_number">Bitte die Telefonnummer eingeben.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="invalid_code">Bitte die sechs erhaltenen Ziffern eingeben.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="invalid_number">Dies ist keine Telefonnummer.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="send_code_a_new_code">Neuen Code senden</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="error_tryagain">Die Nummer ist besetzt oder nicht erreichbar. Bitte prüfen und erneut versuchen.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="error_incorrect_code">Der Code ist falsch. Bitte erneut versuchen oder einen neuen anfordern.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="error_throttled">Zu viele Anfragen. Bitte später erneut versuchen.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="error_sms_throttled">An diese Nummer wurden zu viele Nachrichten gesendet. Bitte später erneut versuchen.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="error_phone_throttled">Diese Nummer wurde zu oft angerufen. Bitte später erneut versuchen.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="error_448">Diese Nummer ist nicht erreichbar. Bitte eine andere verwenden.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="error_449">Zu viele falsche Codes, oder der Anruf wurde nicht angenommen.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="cancel_message">Der zweite Faktor wurde abgebrochen</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfMaxAllowedCodeRetryReached">Zu viele falsche Codes. Bitte später erneut versuchen.</LocalizedString>
                  <LocalizedString ElementType="ErrorMessage" StringId="UserMessageIfServerError">Die Nummer konnte nicht bestätigt werden. Bitte erneut versuchen.</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="text_button_send_second_code">einen neuen Code senden</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="local_number_input_placeholder_text">Telefonnummer</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="alternative_text">Ich habe mein Telefon nicht</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="enter_code_text_intro">Bestätigungscode unten eingeben oder</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="requiredField_countryCode">Bitte die Ländervorwahl wählen</LocalizedString>
                  <LocalizedString ElementType="UxElement" StringId="verification_code_input_placeholder_text">Bestätigungscode</LocalizedString>
                  <LocalizedString ElementType="ClaimType" ElementId="strongAuthenticationPhoneNumber" StringId="DisplayName">Telefonnummer</LocalizedString>
                </LocalizedStrings>
              </LocalizedResources>
            </Localization>
          </BuildingBlocks>
        </TrustFrameworkPolicy>
        """#
}
