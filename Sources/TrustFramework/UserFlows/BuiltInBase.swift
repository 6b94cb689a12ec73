/// The policy that every user flow is laid over: claims, transformations, pages and technical profiles, no journey.
///
/// It is written as any policy file is, and read, merged and linked by the same code. The ids of claims that are asked
/// for are those that pages of real user flows post; profiles bear the names that published policies have for the same
/// purpose, so that a trace of a user flow reads like one of a custom policy.
enum BuiltInBase {
    static let file = "built-in base policy"
    static let xml = #"""
        <?xml version="1.0" encoding="utf-8"?>
        <TrustFrameworkPolicy xmlns="http://schemas.microsoft.com/online/cpim/schemas/2013/06" PolicySchemaVersion="0.3.0.0" TenantId="harness.onmicrosoft.com" PolicyId="B2C_1A_HarnessBase" PublicPolicyUri="http://harness.onmicrosoft.com/B2C_1A_HarnessBase">
          <BuildingBlocks>
            <ClaimsSchema>
              <ClaimType Id="objectId">
                <DisplayName>User's object ID</DisplayName>
                <DataType>string</DataType>
                <DefaultPartnerClaimTypes>
                  <Protocol Name="OAuth2" PartnerClaimType="oid" />
                  <Protocol Name="OpenIdConnect" PartnerClaimType="oid" />
                </DefaultPartnerClaimTypes>
              </ClaimType>
              <ClaimType Id="sub">
                <DisplayName>Subject</DisplayName>
                <DataType>string</DataType>
                <DefaultPartnerClaimTypes>
                  <Protocol Name="OAuth2" PartnerClaimType="sub" />
                  <Protocol Name="OpenIdConnect" PartnerClaimType="sub" />
                </DefaultPartnerClaimTypes>
              </ClaimType>
              <ClaimType Id="tenantId">
                <DisplayName>Tenant ID</DisplayName>
                <DataType>string</DataType>
                <DefaultPartnerClaimTypes>
                  <Protocol Name="OAuth2" PartnerClaimType="tid" />
                  <Protocol Name="OpenIdConnect" PartnerClaimType="tid" />
                </DefaultPartnerClaimTypes>
              </ClaimType>
              <ClaimType Id="userPrincipalName">
                <DisplayName>User principal name</DisplayName>
                <DataType>string</DataType>
                <DefaultPartnerClaimTypes>
                  <Protocol Name="OAuth2" PartnerClaimType="upn" />
                  <Protocol Name="OpenIdConnect" PartnerClaimType="upn" />
                </DefaultPartnerClaimTypes>
              </ClaimType>
              <ClaimType Id="upnUserName">
                <DisplayName>UPN user name</DisplayName>
                <DataType>string</DataType>
              </ClaimType>
              <ClaimType Id="signInNames.emailAddress">
                <DisplayName>Sign-in e-mail address</DisplayName>
                <DataType>string</DataType>
              </ClaimType>
              <ClaimType Id="signInNames.userName">
                <DisplayName>Sign-in user name</DisplayName>
                <DataType>string</DataType>
              </ClaimType>
              <ClaimType Id="alternativeSecurityId">
                <DisplayName>Account at the identity provider</DisplayName>
                <DataType>string</DataType>
              </ClaimType>
              <ClaimType Id="issuerUserId">
                <DisplayName>User ID at the identity provider</DisplayName>
                <DataType>string</DataType>
              </ClaimType>
              <ClaimType Id="mailNickName">
                <DisplayName>Mail nickname</DisplayName>
                <DataType>string</DataType>
              </ClaimType>
              <ClaimType Id="otherMails">
                <DisplayName>Other e-mail addresses</DisplayName>
                <DataType>stringCollection</DataType>
              </ClaimType>
              <ClaimType Id="emails">
                <DisplayName>E-mail addresses</DisplayName>
                <DataType>stringCollection</DataType>
                <DefaultPartnerClaimTypes>
                  <Protocol Name="OAuth2" PartnerClaimType="emails" />
                  <Protocol Name="OpenIdConnect" PartnerClaimType="emails" />
                </DefaultPartnerClaimTypes>
              </ClaimType>
              <ClaimType Id="passwordPolicies">
                <DisplayName>Password policies</DisplayName>
                <DataType>string</DataType>
              </ClaimType>
              <ClaimType Id="accountEnabled">
                <DisplayName>Account enabled</DisplayName>
                <DataType>boolean</DataType>
              </ClaimType>
              <ClaimType Id="refreshTokensValidFromDateTime">
                <DisplayName>Refresh tokens valid from</DisplayName>
                <DataType>string</DataType>
              </ClaimType>
              <ClaimType Id="refreshTokenIssuedOnDateTime">
                <DisplayName>Refresh token issued at</DisplayName>
                <DataType>string</DataType>
              </ClaimType>
              <ClaimType Id="email">
                <DisplayName>Email Address</DisplayName>
                <DataType>string</DataType>
                <DefaultPartnerClaimTypes>
                  <Protocol Name="OAuth2" PartnerClaimType="email" />
                  <Protocol Name="OpenIdConnect" PartnerClaimType="email" />
                </DefaultPartnerClaimTypes>
                <UserHelpText>E-mail address that names your account.</UserHelpText>
                <UserInputType>EmailBox</UserInputType>
                <Restriction>
                  <Pattern RegularExpression="^[a-zA-Z0-9!#$%&amp;'*+/=?^_`{|}~.-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*$" HelpText="Enter a valid e-mail address." />
                </Restriction>
              </ClaimType>
              <ClaimType Id="logonIdentifier">
                <DisplayName>Username</DisplayName>
                <DataType>string</DataType>
                <UserHelpText>Name that you sign in with.</UserHelpText>
                <UserInputType>TextBox</UserInputType>
                <Restriction>
                  <Pattern RegularExpression="^[a-zA-Z0-9._@!#^~+-]{1,64}$" HelpText="A user name has up to 64 letters, digits and . _ - @ ! # ^ ~ +." />
                </Restriction>
              </ClaimType>
              <ClaimType Id="password">
                <DisplayName>Password</DisplayName>
                <DataType>string</DataType>
                <UserHelpText>Your password.</UserHelpText>
                <UserInputType>Password</UserInputType>
              </ClaimType>
              <ClaimType Id="newPassword">
                <DisplayName>New Password</DisplayName>
                <DataType>string</DataType>
                <UserHelpText>A password that you use nowhere else.</UserHelpText>
                <UserInputType>Password</UserInputType>
                <PredicateValidationReference Id="StrongPassword" />
              </ClaimType>
              <ClaimType Id="reenterPassword">
                <DisplayName>Confirm New Password</DisplayName>
                <DataType>string</DataType>
                <UserHelpText>The same password again.</UserHelpText>
                <UserInputType>Password</UserInputType>
              </ClaimType>
              <ClaimType Id="readOnlyEmail">
                <DisplayName>Email Address</DisplayName>
                <DataType>string</DataType>
                <Mask Type="Regex" Regex="(?&lt;=.).(?=.*@)">*</Mask>
                <UserHelpText>Where the code is sent.</UserHelpText>
                <UserInputType>Readonly</UserInputType>
              </ClaimType>
              <ClaimType Id="emailVerificationCode">
                <DisplayName>Verification Code</DisplayName>
                <DataType>string</DataType>
                <UserHelpText>The code from the message.</UserHelpText>
                <UserInputType>TextBox</UserInputType>
              </ClaimType>
              <ClaimType Id="otpCode">
                <DisplayName>Verification Code</DisplayName>
                <DataType>string</DataType>
                <UserHelpText>The code that the authenticator app shows.</UserHelpText>
                <UserInputType>TextBox</UserInputType>
                <Restriction>
                  <Pattern RegularExpression="^[0-9]{6}$" HelpText="The code has six digits." />
                </Restriction>
              </ClaimType>
              <ClaimType Id="secretKey">
                <DisplayName>Key</DisplayName>
                <DataType>string</DataType>
                <UserHelpText>Type this key into the app if it cannot scan the picture.</UserHelpText>
                <UserInputType>Readonly</UserInputType>
              </ClaimType>
              <ClaimType Id="qrCodeContent">
                <DisplayName>QR code</DisplayName>
                <DataType>string</DataType>
                <UserInputType>Paragraph</UserInputType>
              </ClaimType>
              <ClaimType Id="authenticatorApp">
                <DisplayName>Authenticator app</DisplayName>
                <DataType>string</DataType>
                <UserInputType>Paragraph</UserInputType>
              </ClaimType>
              <ClaimType Id="totpAccount">
                <DisplayName>Account name</DisplayName>
                <DataType>string</DataType>
                <UserInputType>Readonly</UserInputType>
              </ClaimType>
              <ClaimType Id="blockedMessage">
                <DataType>string</DataType>
                <UserInputType>Paragraph</UserInputType>
              </ClaimType>
              <ClaimType Id="authenticationSource">
                <DisplayName>Authentication source</DisplayName>
                <DataType>string</DataType>
              </ClaimType>
              <ClaimType Id="identityProvider">
                <DisplayName>Identity provider</DisplayName>
                <DataType>string</DataType>
                <DefaultPartnerClaimTypes>
                  <Protocol Name="OAuth2" PartnerClaimType="idp" />
                  <Protocol Name="OpenIdConnect" PartnerClaimType="idp" />
                </DefaultPartnerClaimTypes>
              </ClaimType>
              <ClaimType Id="identityProviderAccessToken">
                <DisplayName>Access token of the identity provider</DisplayName>
                <DataType>string</DataType>
                <DefaultPartnerClaimTypes>
                  <Protocol Name="OAuth2" PartnerClaimType="idp_access_token" />
                  <Protocol Name="OpenIdConnect" PartnerClaimType="idp_access_token" />
                </DefaultPartnerClaimTypes>
              </ClaimType>
              <ClaimType Id="newUser">
                <DisplayName>User is new</DisplayName>
                <DataType>boolean</DataType>
                <DefaultPartnerClaimTypes>
                  <Protocol Name="OAuth2" PartnerClaimType="newUser" />
                  <Protocol Name="OpenIdConnect" PartnerClaimType="newUser" />
                </DefaultPartnerClaimTypes>
              </ClaimType>
              <ClaimType Id="trustFrameworkPolicy">
                <DisplayName>Policy</DisplayName>
                <DataType>string</DataType>
                <DefaultPartnerClaimTypes>
                  <Protocol Name="OAuth2" PartnerClaimType="tfp" />
                  <Protocol Name="OpenIdConnect" PartnerClaimType="tfp" />
                </DefaultPartnerClaimTypes>
              </ClaimType>
              <ClaimType Id="objectIdFromSession">
                <DisplayName>Single sign-on session</DisplayName>
                <DataType>boolean</DataType>
              </ClaimType>
              <ClaimType Id="isActiveMFASession">
                <DisplayName>Second factor passed in this session</DisplayName>
                <DataType>boolean</DataType>
              </ClaimType>
              <ClaimType Id="isForgotPassword">
                <DisplayName>Password forgotten</DisplayName>
                <DataType>boolean</DataType>
                <DefaultPartnerClaimTypes>
                  <Protocol Name="OAuth2" PartnerClaimType="isForgotPassword" />
                  <Protocol Name="OpenIdConnect" PartnerClaimType="isForgotPassword" />
                </DefaultPartnerClaimTypes>
              </ClaimType>
              <ClaimType Id="passwordExpired">
                <DisplayName>Password expired</DisplayName>
                <DataType>boolean</DataType>
              </ClaimType>
              <ClaimType Id="continueOnPasswordExpiration">
                <DisplayName>Go on with an expired password</DisplayName>
                <DataType>boolean</DataType>
              </ClaimType>
              <ClaimType Id="isEmailOfUser">
                <DisplayName>E-mail address belongs to the user</DisplayName>
                <DataType>boolean</DataType>
              </ClaimType>
              <ClaimType Id="grant_type">
                <DataType>string</DataType>
              </ClaimType>
              <ClaimType Id="scope">
                <DataType>string</DataType>
              </ClaimType>
              <ClaimType Id="nca">
                <DataType>string</DataType>
              </ClaimType>
              <ClaimType Id="client_id">
                <DataType>string</DataType>
              </ClaimType>
              <ClaimType Id="resource_id">
                <DataType>string</DataType>
              </ClaimType>
              <ClaimType Id="strongAuthenticationPhoneNumber">
                <DisplayName>Phone Number</DisplayName>
                <DataType>string</DataType>
              </ClaimType>
              <ClaimType Id="Verified.strongAuthenticationPhoneNumber">
                <DisplayName>Verified phone number</DisplayName>
                <DataType>string</DataType>
              </ClaimType>
              <ClaimType Id="newPhoneNumberEntered">
                <DisplayName>New phone number entered</DisplayName>
                <DataType>boolean</DataType>
              </ClaimType>
              <ClaimType Id="userIdForMFA">
                <DisplayName>User ID for the second factor</DisplayName>
                <DataType>string</DataType>
              </ClaimType>
              <ClaimType Id="strongAuthenticationEmailAddress">
                <DisplayName>E-mail address for the second factor</DisplayName>
                <DataType>string</DataType>
              </ClaimType>
              <ClaimType Id="emailFactorVerified">
                <DisplayName>E-mail factor passed</DisplayName>
                <DataType>boolean</DataType>
              </ClaimType>
              <ClaimType Id="totpVerified">
                <DisplayName>Authenticator passed</DisplayName>
                <DataType>boolean</DataType>
              </ClaimType>
              <ClaimType Id="numberOfAvailableDevices">
                <DisplayName>Registered authenticators</DisplayName>
                <DataType>int</DataType>
              </ClaimType>
              <ClaimType Id="totpNotRegistered">
                <DisplayName>No authenticator yet</DisplayName>
                <DataType>boolean</DataType>
              </ClaimType>
              <ClaimType Id="authenticationMethodsUsed">
                <DisplayName>Methods used so far</DisplayName>
                <DataType>stringCollection</DataType>
              </ClaimType>
              <ClaimType Id="isFederated">
                <DisplayName>Federated account</DisplayName>
                <DataType>boolean</DataType>
              </ClaimType>
              <ClaimType Id="isMfaRegistered">
                <DisplayName>Has a second factor</DisplayName>
                <DataType>boolean</DataType>
              </ClaimType>
              <ClaimType Id="conditionalAccessClaimCollection">
                <DisplayName>Conditional access challenges</DisplayName>
                <DataType>stringCollection</DataType>
              </ClaimType>
              <ClaimType Id="conditionalAccessStatus">
                <DisplayName>Conditional access status</DisplayName>
                <DataType>string</DataType>
              </ClaimType>
              <ClaimType Id="caChallengeIsMfa">
                <DisplayName>Conditional access asks for a second factor</DisplayName>
                <DataType>boolean</DataType>
              </ClaimType>
              <ClaimType Id="caChallengeIsBlock">
                <DisplayName>Conditional access refuses</DisplayName>
                <DataType>boolean</DataType>
              </ClaimType>
              <ClaimType Id="displayName">
                <DisplayName>Display Name</DisplayName>
                <DataType>string</DataType>
                <DefaultPartnerClaimTypes>
                  <Protocol Name="OAuth2" PartnerClaimType="unique_name" />
                  <Protocol Name="OpenIdConnect" PartnerClaimType="name" />
                </DefaultPartnerClaimTypes>
                <UserInputType>TextBox</UserInputType>
              </ClaimType>
              <ClaimType Id="givenName">
                <DisplayName>Given Name</DisplayName>
                <DataType>string</DataType>
                <DefaultPartnerClaimTypes>
                  <Protocol Name="OAuth2" PartnerClaimType="given_name" />
                  <Protocol Name="OpenIdConnect" PartnerClaimType="given_name" />
                </DefaultPartnerClaimTypes>
                <UserInputType>TextBox</UserInputType>
              </ClaimType>
              <ClaimType Id="surname">
                <DisplayName>Surname</DisplayName>
                <DataType>string</DataType>
                <DefaultPartnerClaimTypes>
                  <Protocol Name="OAuth2" PartnerClaimType="family_name" />
                  <Protocol Name="OpenIdConnect" PartnerClaimType="family_name" />
                </DefaultPartnerClaimTypes>
                <UserInputType>TextBox</UserInputType>
              </ClaimType>
              <ClaimType Id="city">
                <DisplayName>City</DisplayName>
                <DataType>string</DataType>
                <UserInputType>TextBox</UserInputType>
              </ClaimType>
              <ClaimType Id="country">
                <DisplayName>Country/Region</DisplayName>
                <DataType>string</DataType>
                <UserInputType>TextBox</UserInputType>
              </ClaimType>
              <ClaimType Id="state">
                <DisplayName>State/Province</DisplayName>
                <DataType>string</DataType>
                <UserInputType>TextBox</UserInputType>
              </ClaimType>
              <ClaimType Id="postalCode">
                <DisplayName>Postal Code</DisplayName>
                <DataType>string</DataType>
                <UserInputType>TextBox</UserInputType>
              </ClaimType>
              <ClaimType Id="streetAddress">
                <DisplayName>Street Address</DisplayName>
                <DataType>string</DataType>
                <UserInputType>TextBox</UserInputType>
              </ClaimType>
              <ClaimType Id="jobTitle">
                <DisplayName>Job Title</DisplayName>
                <DataType>string</DataType>
                <UserInputType>TextBox</UserInputType>
              </ClaimType>
              <ClaimType Id="department">
                <DisplayName>Department</DisplayName>
                <DataType>string</DataType>
                <UserInputType>TextBox</UserInputType>
              </ClaimType>
              <ClaimType Id="companyName">
                <DisplayName>Company</DisplayName>
                <DataType>string</DataType>
                <UserInputType>TextBox</UserInputType>
              </ClaimType>
              <ClaimType Id="telephoneNumber">
                <DisplayName>Telephone Number</DisplayName>
                <DataType>string</DataType>
                <UserInputType>TextBox</UserInputType>
              </ClaimType>
              <ClaimType Id="mobile">
                <DisplayName>Mobile Number</DisplayName>
                <DataType>string</DataType>
                <UserInputType>TextBox</UserInputType>
              </ClaimType>
              <ClaimType Id="preferredLanguage">
                <DisplayName>Preferred Language</DisplayName>
                <DataType>string</DataType>
                <UserInputType>TextBox</UserInputType>
              </ClaimType>
              <ClaimType Id="usageLocation">
                <DisplayName>Usage Location</DisplayName>
                <DataType>string</DataType>
                <UserInputType>TextBox</UserInputType>
              </ClaimType>
              <ClaimType Id="dateOfBirth">
                <DisplayName>Date of Birth</DisplayName>
                <DataType>date</DataType>
                <UserInputType>DateTimeDropdown</UserInputType>
              </ClaimType>
              <ClaimType Id="ageGroup">
                <DisplayName>Age Group</DisplayName>
                <DataType>string</DataType>
              </ClaimType>
              <ClaimType Id="consentProvidedForMinor">
                <DisplayName>Consent for Minor</DisplayName>
                <DataType>string</DataType>
              </ClaimType>
              <ClaimType Id="legalCountry">
                <DisplayName>Legal Country</DisplayName>
                <DataType>string</DataType>
              </ClaimType>
            </ClaimsSchema>
            <Predicates>
              <Predicate Id="PasswordLength" Method="IsLengthRange" HelpText="The password must have 8 to 64 characters.">
                <Parameters>
                  <Parameter Id="Minimum">8</Parameter>
                  <Parameter Id="Maximum">64</Parameter>
                </Parameters>
              </Predicate>
              <Predicate Id="Lowercase" Method="IncludesCharacters" HelpText="a lower-case letter">
                <Parameters>
                  <Parameter Id="CharacterSet">a-z</Parameter>
                </Parameters>
              </Predicate>
              <Predicate Id="Uppercase" Method="IncludesCharacters" HelpText="an upper-case letter">
                <Parameters>
                  <Parameter Id="CharacterSet">A-Z</Parameter>
                </Parameters>
              </Predicate>
              <Predicate Id="Number" Method="IncludesCharacters" HelpText="a digit">
                <Parameters>
                  <Parameter Id="CharacterSet">0-9</Parameter>
                </Parameters>
              </Predicate>
              <Predicate Id="Symbol" Method="IncludesCharacters" HelpText="a symbol">
                <Parameters>
                  <Parameter Id="CharacterSet">@#$%^&amp;*\-_+=[]{}|\\:',?/`~"();!.</Parameter>
                </Parameters>
              </Predicate>
            </Predicates>
            <PredicateValidations>
              <PredicateValidation Id="StrongPassword">
                <PredicateGroups>
                  <PredicateGroup Id="LengthGroup">
                    <PredicateReferences>
                      <PredicateReference Id="PasswordLength" />
                    </PredicateReferences>
                  </PredicateGroup>
                  <PredicateGroup Id="CharacterClasses">
                    <UserHelpText>The password must have at least three of these:</UserHelpText>
                    <PredicateReferences MatchAtLeast="3">
                      <PredicateReference Id="Lowercase" />
                      <PredicateReference Id="Uppercase" />
                      <PredicateReference Id="Number" />
                      <PredicateReference Id="Symbol" />
                    </PredicateReferences>
                  </PredicateGroup>
                </PredicateGroups>
              </PredicateValidation>
            </PredicateValidations>
            <ClaimsTransformations>
              <ClaimsTransformation Id="CreateRandomUPNUserName" TransformationMethod="CreateRandomString">
                <InputParameters>
                  <InputParameter Id="randomGeneratorType" DataType="string" Value="GUID" />
                </InputParameters>
                <OutputClaims>
                  <OutputClaim ClaimTypeReferenceId="upnUserName" TransformationClaimType="outputClaim" />
                </OutputClaims>
              </ClaimsTransformation>
              <ClaimsTransformation Id="CreateUserPrincipalName" TransformationMethod="FormatStringClaim">
                <InputClaims>
                  <InputClaim ClaimTypeReferenceId="upnUserName" TransformationClaimType="inputClaim" />
                </InputClaims>
                <InputParameters>
                  <InputParameter Id="stringFormat" DataType="string" Value="cpim_{0}@{RelyingPartyTenantId}" />
                </InputParameters>
                <OutputClaims>
                  <OutputClaim ClaimTypeReferenceId="userPrincipalName" TransformationClaimType="outputClaim" />
                </OutputClaims>
              </ClaimsTransformation>
              <ClaimsTransformation Id="CreateAlternativeSecurityId" TransformationMethod="CreateAlternativeSecurityId">
                <InputClaims>
                  <InputClaim ClaimTypeReferenceId="issuerUserId" TransformationClaimType="key" />
                  <InputClaim ClaimTypeReferenceId="identityProvider" TransformationClaimType="identityProvider" />
                </InputClaims>
                <OutputClaims>
                  <OutputClaim ClaimTypeReferenceId="alternativeSecurityId" TransformationClaimType="alternativeSecurityId" />
                </OutputClaims>
              </ClaimsTransformation>
              <ClaimsTransformation Id="AddEmailToOtherMails" TransformationMethod="AddItemToStringCollection">
                <InputClaims>
                  <InputClaim ClaimTypeReferenceId="email" TransformationClaimType="item" />
                  <InputClaim ClaimTypeReferenceId="otherMails" TransformationClaimType="collection" />
                </InputClaims>
                <OutputClaims>
                  <OutputClaim ClaimTypeReferenceId="otherMails" TransformationClaimType="collection" />
                </OutputClaims>
              </ClaimsTransformation>
              <ClaimsTransformation Id="AddSignInEmailToEmails" TransformationMethod="AddItemToStringCollection">
                <InputClaims>
                  <InputClaim ClaimTypeReferenceId="signInNames.emailAddress" TransformationClaimType="item" />
                  <InputClaim ClaimTypeReferenceId="emails" TransformationClaimType="collection" />
                </InputClaims>
                <OutputClaims>
                  <OutputClaim ClaimTypeReferenceId="emails" TransformationClaimType="collection" />
                </OutputClaims>
              </ClaimsTransformation>
              <ClaimsTransformation Id="IsEmailOfUser" TransformationMethod="StringCollectionContainsClaim">
                <InputClaims>
                  <InputClaim ClaimTypeReferenceId="emails" TransformationClaimType="collection" />
                  <InputClaim ClaimTypeReferenceId="email" TransformationClaimType="item" />
                </InputClaims>
                <InputParameters>
                  <InputParameter Id="ignoreCase" DataType="string" Value="true" />
                </InputParameters>
                <OutputClaims>
                  <OutputClaim ClaimTypeReferenceId="isEmailOfUser" TransformationClaimType="outputClaim" />
                </OutputClaims>
              </ClaimsTransformation>
              <ClaimsTransformation Id="AssertEmailOfUser" TransformationMethod="AssertBooleanClaimIsEqualToValue">
                <InputClaims>
                  <InputClaim ClaimTypeReferenceId="isEmailOfUser" TransformationClaimType="inputClaim" />
                </InputClaims>
                <InputParameters>
                  <InputParameter Id="valueToCompareTo" DataType="boolean" Value="true" />
                </InputParameters>
              </ClaimsTransformation>
              <ClaimsTransformation Id="AssertAccountEnabled" TransformationMethod="AssertBooleanClaimIsEqualToValue">
                <InputClaims>
                  <InputClaim ClaimTypeReferenceId="accountEnabled" TransformationClaimType="inputClaim" />
                </InputClaims>
                <InputParameters>
                  <InputParameter Id="valueToCompareTo" DataType="boolean" Value="true" />
                </InputParameters>
              </ClaimsTransformation>
              <ClaimsTransformation Id="AssertRefreshTokenNotRevoked" TransformationMethod="AssertDateTimeIsGreaterThan">
                <InputClaims>
                  <InputClaim ClaimTypeReferenceId="refreshTokenIssuedOnDateTime" TransformationClaimType="leftOperand" />
                  <InputClaim ClaimTypeReferenceId="refreshTokensValidFromDateTime" TransformationClaimType="rightOperand" />
                </InputClaims>
                <InputParameters>
                  <InputParameter Id="AssertIfEqualTo" DataType="boolean" Value="false" />
                  <InputParameter Id="AssertIfRightOperandIsNotPresent" DataType="boolean" Value="true" />
                </InputParameters>
              </ClaimsTransformation>
              <ClaimsTransformation Id="CreateUserIdForMFA" TransformationMethod="FormatStringClaim">
                <InputClaims>
                  <InputClaim ClaimTypeReferenceId="objectId" TransformationClaimType="inputClaim" />
                </InputClaims>
                <InputParameters>
                  <InputParameter Id="stringFormat" DataType="string" Value="{0}@{RelyingPartyTenantId}" />
                </InputParameters>
                <OutputClaims>
                  <OutputClaim ClaimTypeReferenceId="userIdForMFA" TransformationClaimType="outputClaim" />
                </OutputClaims>
              </ClaimsTransformation>
              <ClaimsTransformation Id="FirstEmailForMFA" TransformationMethod="GetSingleItemFromStringCollection">
                <InputClaims>
                  <InputClaim ClaimTypeReferenceId="emails" TransformationClaimType="collection" />
                </InputClaims>
                <OutputClaims>
                  <OutputClaim ClaimTypeReferenceId="readOnlyEmail" TransformationClaimType="extractedItem" />
                </OutputClaims>
              </ClaimsTransformation>
              <ClaimsTransformation Id="HasNoAuthenticator" TransformationMethod="AssertNumber">
                <InputClaims>
                  <InputClaim ClaimTypeReferenceId="numberOfAvailableDevices" TransformationClaimType="inputClaim" />
                </InputClaims>
                <InputParameters>
                  <InputParameter Id="CompareToValue" DataType="int" Value="0" />
                  <InputParameter Id="Operator" DataType="string" Value="Equal" />
                  <InputParameter Id="throwError" DataType="boolean" Value="false" />
                </InputParameters>
                <OutputClaims>
                  <OutputClaim ClaimTypeReferenceId="totpNotRegistered" TransformationClaimType="outputClaim" />
                </OutputClaims>
              </ClaimsTransformation>
              <ClaimsTransformation Id="CreateTotpSecret" TransformationMethod="CreateOtpSecret">
                <OutputClaims>
                  <OutputClaim ClaimTypeReferenceId="secretKey" TransformationClaimType="outputClaim" />
                </OutputClaims>
              </ClaimsTransformation>
              <ClaimsTransformation Id="CreateTotpAccountFromEmails" TransformationMethod="GetSingleItemFromStringCollection">
                <InputClaims>
                  <InputClaim ClaimTypeReferenceId="emails" TransformationClaimType="collection" />
                </InputClaims>
                <OutputClaims>
                  <OutputClaim ClaimTypeReferenceId="totpAccount" TransformationClaimType="extractedItem" />
                </OutputClaims>
              </ClaimsTransformation>
              <ClaimsTransformation Id="CreateTotpUri" TransformationMethod="BuildUri">
                <InputClaims>
                  <InputClaim ClaimTypeReferenceId="totpAccount" TransformationClaimType="path" />
                  <InputClaim ClaimTypeReferenceId="secretKey" TransformationClaimType="query.secret" />
                </InputClaims>
                <InputParameters>
                  <InputParameter Id="scheme" DataType="string" Value="otpauth" />
                  <InputParameter Id="host" DataType="string" Value="totp" />
                  <InputParameter Id="query.issuer" DataType="string" Value="{AuthenticatorIssuer}" />
                </InputParameters>
                <OutputClaims>
                  <OutputClaim ClaimTypeReferenceId="qrCodeContent" TransformationClaimType="outputClaim" />
                </OutputClaims>
              </ClaimsTransformation>
              <ClaimsTransformation Id="NotePasswordUsed" TransformationMethod="AddParameterToStringCollection">
                <InputClaims>
                  <InputClaim ClaimTypeReferenceId="authenticationMethodsUsed" TransformationClaimType="collection" />
                </InputClaims>
                <InputParameters>
                  <InputParameter Id="item" DataType="string" Value="Password" />
                </InputParameters>
                <OutputClaims>
                  <OutputClaim ClaimTypeReferenceId="authenticationMethodsUsed" TransformationClaimType="collection" />
                </OutputClaims>
              </ClaimsTransformation>
              <ClaimsTransformation Id="IsMfaRegistered" TransformationMethod="DoesClaimExist">
                <InputClaims>
                  <InputClaim ClaimTypeReferenceId="strongAuthenticationPhoneNumber" TransformationClaimType="inputClaim" />
                </InputClaims>
                <OutputClaims>
                  <OutputClaim ClaimTypeReferenceId="isMfaRegistered" TransformationClaimType="outputClaim" />
                </OutputClaims>
              </ClaimsTransformation>
              <ClaimsTransformation Id="IsFederated" TransformationMethod="DoesClaimExist">
                <InputClaims>
                  <InputClaim ClaimTypeReferenceId="identityProvider" TransformationClaimType="inputClaim" />
                </InputClaims>
                <OutputClaims>
                  <OutputClaim ClaimTypeReferenceId="isFederated" TransformationClaimType="outputClaim" />
                </OutputClaims>
              </ClaimsTransformation>
              <ClaimsTransformation Id="IsMfaChallenge" TransformationMethod="StringCollectionContains">
                <InputClaims>
                  <InputClaim ClaimTypeReferenceId="conditionalAccessClaimCollection" TransformationClaimType="inputClaim" />
                </InputClaims>
                <InputParameters>
                  <InputParameter Id="item" DataType="string" Value="mfa" />
                  <InputParameter Id="ignoreCase" DataType="string" Value="true" />
                </InputParameters>
                <OutputClaims>
                  <OutputClaim ClaimTypeReferenceId="caChallengeIsMfa" TransformationClaimType="outputClaim" />
                </OutputClaims>
              </ClaimsTransformation>
              <ClaimsTransformation Id="IsBlockChallenge" TransformationMethod="StringCollectionContains">
                <InputClaims>
                  <InputClaim ClaimTypeReferenceId="conditionalAccessClaimCollection" TransformationClaimType="inputClaim" />
                </InputClaims>
                <InputParameters>
                  <InputParameter Id="item" DataType="string" Value="block" />
                  <InputParameter Id="ignoreCase" DataType="string" Value="true" />
                </InputParameters>
                <OutputClaims>
                  <OutputClaim ClaimTypeReferenceId="caChallengeIsBlock" TransformationClaimType="outputClaim" />
                </OutputClaims>
              </ClaimsTransformation>
            </ClaimsTransformations>
            <ContentDefinitions>
              <ContentDefinition Id="api.error">
                <LoadUri>~/tenant/templates/AzureBlue/exception.cshtml</LoadUri>
                <RecoveryUri>~/common/default_page_error.html</RecoveryUri>
                <DataUri>urn:com:microsoft:aad:b2c:elements:contract:globalexception:1.2.5</DataUri>
              </ContentDefinition>
              <ContentDefinition Id="api.idpselections">
                <LoadUri>~/tenant/templates/AzureBlue/idpSelector.cshtml</LoadUri>
                <RecoveryUri>~/common/default_page_error.html</RecoveryUri>
                <DataUri>urn:com:microsoft:aad:b2c:elements:contract:providerselection:1.2.5</DataUri>
              </ContentDefinition>
              <ContentDefinition Id="api.idpselections.signup">
                <LoadUri>~/tenant/templates/AzureBlue/idpSelector.cshtml</LoadUri>
                <RecoveryUri>~/common/default_page_error.html</RecoveryUri>
                <DataUri>urn:com:microsoft:aad:b2c:elements:contract:providerselection:1.2.5</DataUri>
              </ContentDefinition>
              <ContentDefinition Id="api.signuporsignin">
                <LoadUri>~/tenant/templates/AzureBlue/unified.cshtml</LoadUri>
                <RecoveryUri>~/common/default_page_error.html</RecoveryUri>
                <DataUri>urn:com:microsoft:aad:b2c:elements:contract:unifiedssp:2.1.14</DataUri>
              </ContentDefinition>
              <ContentDefinition Id="api.localaccountsignup">
                <LoadUri>~/tenant/templates/AzureBlue/selfAsserted.cshtml</LoadUri>
                <RecoveryUri>~/common/default_page_error.html</RecoveryUri>
                <DataUri>urn:com:microsoft:aad:b2c:elements:contract:selfasserted:2.1.26</DataUri>
              </ContentDefinition>
              <ContentDefinition Id="api.socialccountsignup">
                <LoadUri>~/tenant/templates/AzureBlue/selfAsserted.cshtml</LoadUri>
                <RecoveryUri>~/common/default_page_error.html</RecoveryUri>
                <DataUri>urn:com:microsoft:aad:b2c:elements:contract:selfasserted:2.1.26</DataUri>
              </ContentDefinition>
              <ContentDefinition Id="api.localaccountpasswordreset">
                <LoadUri>~/tenant/templates/AzureBlue/selfAsserted.cshtml</LoadUri>
                <RecoveryUri>~/common/default_page_error.html</RecoveryUri>
                <DataUri>urn:com:microsoft:aad:b2c:elements:contract:selfasserted:2.1.26</DataUri>
              </ContentDefinition>
              <ContentDefinition Id="api.selfasserted">
                <LoadUri>~/tenant/templates/AzureBlue/selfAsserted.cshtml</LoadUri>
                <RecoveryUri>~/common/default_page_error.html</RecoveryUri>
                <DataUri>urn:com:microsoft:aad:b2c:elements:contract:selfasserted:2.1.26</DataUri>
              </ContentDefinition>
              <ContentDefinition Id="api.selfasserted.profileupdate">
                <LoadUri>~/tenant/templates/AzureBlue/selfAsserted.cshtml</LoadUri>
                <RecoveryUri>~/common/default_page_error.html</RecoveryUri>
                <DataUri>urn:com:microsoft:aad:b2c:elements:contract:selfasserted:2.1.26</DataUri>
              </ContentDefinition>
              <ContentDefinition Id="api.selfasserted.emailmfa">
                <LoadUri>~/tenant/templates/AzureBlue/selfAsserted.cshtml</LoadUri>
                <RecoveryUri>~/common/default_page_error.html</RecoveryUri>
                <DataUri>urn:com:microsoft:aad:b2c:elements:contract:selfasserted:2.1.26</DataUri>
              </ContentDefinition>
              <ContentDefinition Id="api.selfasserted.totp">
                <LoadUri>~/tenant/templates/AzureBlue/selfAsserted.cshtml</LoadUri>
                <RecoveryUri>~/common/default_page_error.html</RecoveryUri>
                <DataUri>urn:com:microsoft:aad:b2c:elements:contract:selfasserted:2.1.26</DataUri>
              </ContentDefinition>
              <ContentDefinition Id="api.phonefactor">
                <LoadUri>~/tenant/templates/AzureBlue/multifactor-1.0.0.cshtml</LoadUri>
                <RecoveryUri>~/common/default_page_error.html</RecoveryUri>
                <DataUri>urn:com:microsoft:aad:b2c:elements:contract:multifactor:1.2.12</DataUri>
              </ContentDefinition>
            </ContentDefinitions>
            <DisplayControls>
              <DisplayControl Id="emailVerificationControl" UserInterfaceControlType="VerificationControl">
                <DisplayClaims>
                  <DisplayClaim ClaimTypeReferenceId="email" Required="true" />
                  <DisplayClaim ClaimTypeReferenceId="emailVerificationCode" ControlClaimType="VerificationCode" Required="true" />
                </DisplayClaims>
                <OutputClaims>
                  <OutputClaim ClaimTypeReferenceId="email" />
                </OutputClaims>
                <Actions>
                  <Action Id="SendCode">
                    <ValidationClaimsExchange>
                      <ValidationClaimsExchangeTechnicalProfile TechnicalProfileReferenceId="AadSspr-SendCode" />
                    </ValidationClaimsExchange>
                  </Action>
                  <Action Id="VerifyCode">
                    <ValidationClaimsExchange>
                      <ValidationClaimsExchangeTechnicalProfile TechnicalProfileReferenceId="AadSspr-VerifyCode" />
                    </ValidationClaimsExchange>
                  </Action>
                </Actions>
              </DisplayControl>
              <DisplayControl Id="emailVerificationSSPRControl" UserInterfaceControlType="VerificationControl">
                <DisplayClaims>
                  <DisplayClaim ClaimTypeReferenceId="email" Required="true" />
                  <DisplayClaim ClaimTypeReferenceId="emailVerificationCode" ControlClaimType="VerificationCode" Required="true" />
                </DisplayClaims>
                <OutputClaims>
                  <OutputClaim ClaimTypeReferenceId="email" />
                </OutputClaims>
                <Actions>
                  <Action Id="SendCode">
                    <ValidationClaimsExchange>
                      <ValidationClaimsExchangeTechnicalProfile TechnicalProfileReferenceId="AadSspr-SendCode" />
                    </ValidationClaimsExchange>
                  </Action>
                  <Action Id="VerifyCode">
                    <ValidationClaimsExchange>
                      <ValidationClaimsExchangeTechnicalProfile TechnicalProfileReferenceId="AadSspr-VerifyCode" />
                    </ValidationClaimsExchange>
                  </Action>
                </Actions>
              </DisplayControl>
              <DisplayControl Id="emailVerificationControl-RO" UserInterfaceControlType="VerificationControl">
                <InputClaims>
                  <InputClaim ClaimTypeReferenceId="readOnlyEmail" />
                </InputClaims>
                <DisplayClaims>
                  <DisplayClaim ClaimTypeReferenceId="readOnlyEmail" Required="true" />
                  <DisplayClaim ClaimTypeReferenceId="emailVerificationCode" ControlClaimType="VerificationCode" Required="true" />
                </DisplayClaims>
                <OutputClaims>
                  <OutputClaim ClaimTypeReferenceId="readOnlyEmail" />
                </OutputClaims>
                <Actions>
                  <Action Id="SendCode">
                    <ValidationClaimsExchange>
                      <ValidationClaimsExchangeTechnicalProfile TechnicalProfileReferenceId="AadSspr-SendCode-ReadOnly" />
                    </ValidationClaimsExchange>
                  </Action>
                  <Action Id="VerifyCode">
                    <ValidationClaimsExchange>
                      <ValidationClaimsExchangeTechnicalProfile TechnicalProfileReferenceId="AadSspr-VerifyCode-ReadOnly" />
                    </ValidationClaimsExchange>
                  </Action>
                </Actions>
              </DisplayControl>
              <DisplayControl Id="totpQrCodeControl" UserInterfaceControlType="QrCodeControl">
                <InputClaims>
                  <InputClaim ClaimTypeReferenceId="qrCodeContent" />
                </InputClaims>
                <DisplayClaims>
                  <DisplayClaim ClaimTypeReferenceId="qrCodeContent" ControlClaimType="QrCodeContent" />
                </DisplayClaims>
              </DisplayControl>
              <DisplayControl Id="authenticatorInfoControl" UserInterfaceControlType="AuthenticatorInfoControl">
                <InputClaims>
                  <InputClaim ClaimTypeReferenceId="secretKey" />
                  <InputClaim ClaimTypeReferenceId="totpAccount" />
                </InputClaims>
                <DisplayClaims>
                  <DisplayClaim ClaimTypeReferenceId="totpAccount" />
                  <DisplayClaim ClaimTypeReferenceId="secretKey" />
                </DisplayClaims>
              </DisplayControl>
            </DisplayControls>
          </BuildingBlocks>
          <ClaimsProviders>
            <ClaimsProvider>
              <DisplayName>Local account sign-in</DisplayName>
              <TechnicalProfiles>
                <TechnicalProfile Id="login-NonInteractive">
                  <DisplayName>Local account sign-in</DisplayName>
                  <Protocol Name="OpenIdConnect" />
                  <Metadata>
                    <Item Key="ProviderName">https://sts.windows.net/</Item>
                    <Item Key="METADATA">https://login.microsoftonline.com/{tenant}/.well-known/openid-configuration</Item>
                    <Item Key="authorization_endpoint">https://login.microsoftonline.com/{tenant}/oauth2/token</Item>
                    <Item Key="response_types">id_token</Item>
                    <Item Key="response_mode">query</Item>
                    <Item Key="scope">email openid</Item>
                    <Item Key="UsePolicyInRedirectUri">false</Item>
                    <Item Key="HttpBinding">POST</Item>
                  </Metadata>
                  <InputClaims>
                    <InputClaim ClaimTypeReferenceId="password" Required="true" />
                    <InputClaim ClaimTypeReferenceId="grant_type" DefaultValue="password" AlwaysUseDefaultValue="true" />
                    <InputClaim ClaimTypeReferenceId="scope" DefaultValue="openid" AlwaysUseDefaultValue="true" />
                    <InputClaim ClaimTypeReferenceId="nca" DefaultValue="1" />
                  </InputClaims>
                  <OutputClaims>
                    <OutputClaim ClaimTypeReferenceId="objectId" PartnerClaimType="oid" />
                    <OutputClaim ClaimTypeReferenceId="tenantId" PartnerClaimType="tid" />
                    <OutputClaim ClaimTypeReferenceId="userPrincipalName" PartnerClaimType="upn" />
                    <OutputClaim ClaimTypeReferenceId="authenticationSource" DefaultValue="localAccountAuthentication" />
                  </OutputClaims>
                </TechnicalProfile>
                <TechnicalProfile Id="login-NonInteractive-Email">
                  <InputClaims>
                    <InputClaim ClaimTypeReferenceId="email" PartnerClaimType="username" Required="true" />
                  </InputClaims>
                  <IncludeTechnicalProfile ReferenceId="login-NonInteractive" />
                </TechnicalProfile>
                <TechnicalProfile Id="login-NonInteractive-Identifier">
                  <InputClaims>
                    <InputClaim ClaimTypeReferenceId="logonIdentifier" PartnerClaimType="username" Required="true" />
                  </InputClaims>
                  <IncludeTechnicalProfile ReferenceId="login-NonInteractive" />
                </TechnicalProfile>
                <TechnicalProfile Id="ResourceOwnerPasswordCredentials-OAUTH2">
                  <DisplayName>Resource owner password credentials</DisplayName>
                  <Protocol Name="OpenIdConnect" />
                  <Metadata>
                    <Item Key="ProviderName">https://sts.windows.net/</Item>
                    <Item Key="METADATA">https://login.microsoftonline.com/{tenant}/.well-known/openid-configuration</Item>
                    <Item Key="authorization_endpoint">https://login.microsoftonline.com/{tenant}/oauth2/token</Item>
                    <Item Key="response_types">id_token</Item>
                    <Item Key="response_mode">query</Item>
                    <Item Key="scope">email openid</Item>
                    <Item Key="UsePolicyInRedirectUri">false</Item>
                    <Item Key="HttpBinding">POST</Item>
                    <Item Key="IncludeClaimResolvingInClaimsHandling">true</Item>
                  </Metadata>
                  <InputClaims>
                    <InputClaim ClaimTypeReferenceId="logonIdentifier" PartnerClaimType="username" Required="true" DefaultValue="{OIDC:Username}" AlwaysUseDefaultValue="true" />
                    <InputClaim ClaimTypeReferenceId="password" Required="true" DefaultValue="{OIDC:Password}" AlwaysUseDefaultValue="true" />
                    <InputClaim ClaimTypeReferenceId="grant_type" DefaultValue="password" AlwaysUseDefaultValue="true" />
                    <InputClaim ClaimTypeReferenceId="scope" DefaultValue="openid" AlwaysUseDefaultValue="true" />
                    <InputClaim ClaimTypeReferenceId="nca" DefaultValue="1" />
                  </InputClaims>
                  <OutputClaims>
                    <OutputClaim ClaimTypeReferenceId="objectId" PartnerClaimType="oid" />
                    <OutputClaim ClaimTypeReferenceId="userPrincipalName" PartnerClaimType="upn" />
                    <OutputClaim ClaimTypeReferenceId="authenticationSource" DefaultValue="localAccountAuthentication" />
                  </OutputClaims>
                </TechnicalProfile>
              </TechnicalProfiles>
            </ClaimsProvider>
            <ClaimsProvider>
              <DisplayName>Azure Active Directory</DisplayName>
              <TechnicalProfiles>
                <TechnicalProfile Id="AAD-Common">
                  <DisplayName>Azure Active Directory</DisplayName>
                  <Protocol Name="Proprietary" Handler="Web.TPEngine.Providers.AzureActiveDirectoryProvider, Web.TPEngine, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null" />
                  <CryptographicKeys>
                    <Key Id="issuer_secret" StorageReferenceId="B2C_1A_TokenSigningKeyContainer" />
                  </CryptographicKeys>
                  <IncludeInSso>false</IncludeInSso>
                  <UseTechnicalProfileForSessionManagement ReferenceId="SM-Noop" />
                </TechnicalProfile>
                <TechnicalProfile Id="AAD-UserWriteUsingLogonEmail">
                  <Metadata>
                    <Item Key="Operation">Write</Item>
                    <Item Key="RaiseErrorIfClaimsPrincipalAlreadyExists">true</Item>
                  </Metadata>
                  <InputClaims>
                    <InputClaim ClaimTypeReferenceId="email" PartnerClaimType="signInNames.emailAddress" Required="true" />
                  </InputClaims>
                  <PersistedClaims>
                    <PersistedClaim ClaimTypeReferenceId="email" PartnerClaimType="signInNames.emailAddress" />
                    <PersistedClaim ClaimTypeReferenceId="newPassword" PartnerClaimType="password" />
                    <PersistedClaim ClaimTypeReferenceId="displayName" DefaultValue="unknown" />
                    <PersistedClaim ClaimTypeReferenceId="passwordPolicies" DefaultValue="DisablePasswordExpiration" />
                  </PersistedClaims>
                  <OutputClaims>
                    <OutputClaim ClaimTypeReferenceId="objectId" />
                    <OutputClaim ClaimTypeReferenceId="newUser" PartnerClaimType="newClaimsPrincipalCreated" />
                    <OutputClaim ClaimTypeReferenceId="authenticationSource" DefaultValue="localAccountAuthentication" />
                    <OutputClaim ClaimTypeReferenceId="userPrincipalName" />
                    <OutputClaim ClaimTypeReferenceId="signInNames.emailAddress" />
                  </OutputClaims>
                  <IncludeTechnicalProfile ReferenceId="AAD-Common" />
                </TechnicalProfile>
                <TechnicalProfile Id="AAD-UserWriteUsingLogonUsername">
                  <Metadata>
                    <Item Key="Operation">Write</Item>
                    <Item Key="RaiseErrorIfClaimsPrincipalAlreadyExists">true</Item>
                  </Metadata>
                  <InputClaimsTransformations>
                    <InputClaimsTransformation ReferenceId="AddEmailToOtherMails" />
                  </InputClaimsTransformations>
                  <InputClaims>
                    <InputClaim ClaimTypeReferenceId="logonIdentifier" PartnerClaimType="signInNames.userName" Required="true" />
                  </InputClaims>
                  <PersistedClaims>
                    <PersistedClaim ClaimTypeReferenceId="logonIdentifier" PartnerClaimType="signInNames.userName" />
                    <PersistedClaim ClaimTypeReferenceId="newPassword" PartnerClaimType="password" />
                    <PersistedClaim ClaimTypeReferenceId="displayName" DefaultValue="unknown" />
                    <PersistedClaim ClaimTypeReferenceId="passwordPolicies" DefaultValue="DisablePasswordExpiration" />
                    <PersistedClaim ClaimTypeReferenceId="email" PartnerClaimType="strongAuthenticationEmailAddress" />
                    <PersistedClaim ClaimTypeReferenceId="otherMails" />
                  </PersistedClaims>
                  <OutputClaims>
                    <OutputClaim ClaimTypeReferenceId="objectId" />
                    <OutputClaim ClaimTypeReferenceId="newUser" PartnerClaimType="newClaimsPrincipalCreated" />
                    <OutputClaim ClaimTypeReferenceId="authenticationSource" DefaultValue="localAccountAuthentication" />
                    <OutputClaim ClaimTypeReferenceId="userPrincipalName" />
                  </OutputClaims>
                  <IncludeTechnicalProfile ReferenceId="AAD-Common" />
                </TechnicalProfile>
                <TechnicalProfile Id="AAD-UserWriteUsingLogonUsernameAndEmail">
                  <Metadata>
                    <Item Key="Operation">Write</Item>
                    <Item Key="RaiseErrorIfClaimsPrincipalAlreadyExists">true</Item>
                  </Metadata>
                  <InputClaims>
                    <InputClaim ClaimTypeReferenceId="logonIdentifier" PartnerClaimType="signInNames.userName" Required="true" />
                  </InputClaims>
                  <PersistedClaims>
                    <PersistedClaim ClaimTypeReferenceId="logonIdentifier" PartnerClaimType="signInNames.userName" />
                    <PersistedClaim ClaimTypeReferenceId="email" PartnerClaimType="signInNames.emailAddress" />
                    <PersistedClaim ClaimTypeReferenceId="newPassword" PartnerClaimType="password" />
                    <PersistedClaim ClaimTypeReferenceId="displayName" DefaultValue="unknown" />
                    <PersistedClaim ClaimTypeReferenceId="passwordPolicies" DefaultValue="DisablePasswordExpiration" />
                  </PersistedClaims>
                  <OutputClaims>
                    <OutputClaim ClaimTypeReferenceId="objectId" />
                    <OutputClaim ClaimTypeReferenceId="newUser" PartnerClaimType="newClaimsPrincipalCreated" />
                    <OutputClaim ClaimTypeReferenceId="authenticationSource" DefaultValue="localAccountAuthentication" />
                    <OutputClaim ClaimTypeReferenceId="userPrincipalName" />
                    <OutputClaim ClaimTypeReferenceId="signInNames.emailAddress" />
                  </OutputClaims>
                  <IncludeTechnicalProfile ReferenceId="AAD-Common" />
                </TechnicalProfile>
                <TechnicalProfile Id="AAD-UserReadUsingEmailAddress">
                  <Metadata>
                    <Item Key="Operation">Read</Item>
                    <Item Key="RaiseErrorIfClaimsPrincipalDoesNotExist">true</Item>
                  </Metadata>
                  <InputClaims>
                    <InputClaim ClaimTypeReferenceId="email" PartnerClaimType="signInNames.emailAddress" Required="true" />
                  </InputClaims>
                  <OutputClaims>
                    <OutputClaim ClaimTypeReferenceId="objectId" />
                    <OutputClaim ClaimTypeReferenceId="authenticationSource" DefaultValue="localAccountAuthentication" />
                    <OutputClaim ClaimTypeReferenceId="userPrincipalName" />
                    <OutputClaim ClaimTypeReferenceId="strongAuthenticationPhoneNumber" />
                    <OutputClaim ClaimTypeReferenceId="accountEnabled" />
                    <OutputClaim ClaimTypeReferenceId="signInNames.emailAddress" />
                  </OutputClaims>
                  <OutputClaimsTransformations>
                    <OutputClaimsTransformation ReferenceId="AssertAccountEnabled" />
                  </OutputClaimsTransformations>
                  <IncludeTechnicalProfile ReferenceId="AAD-Common" />
                </TechnicalProfile>
                <TechnicalProfile Id="AAD-UserReadUsingUserName">
                  <Metadata>
                    <Item Key="Operation">Read</Item>
                    <Item Key="RaiseErrorIfClaimsPrincipalDoesNotExist">true</Item>
                  </Metadata>
                  <InputClaims>
                    <InputClaim ClaimTypeReferenceId="logonIdentifier" PartnerClaimType="signInNames.userName" Required="true" />
                  </InputClaims>
                  <OutputClaims>
                    <OutputClaim ClaimTypeReferenceId="objectId" />
                    <OutputClaim ClaimTypeReferenceId="authenticationSource" DefaultValue="localAccountAuthentication" />
                    <OutputClaim ClaimTypeReferenceId="userPrincipalName" />
                    <OutputClaim ClaimTypeReferenceId="strongAuthenticationPhoneNumber" />
                    <OutputClaim ClaimTypeReferenceId="accountEnabled" />
                    <OutputClaim ClaimTypeReferenceId="signInNames.emailAddress" />
                    <OutputClaim ClaimTypeReferenceId="emails" PartnerClaimType="otherMails" />
                  </OutputClaims>
                  <OutputClaimsTransformations>
                    <OutputClaimsTransformation ReferenceId="AssertAccountEnabled" />
                    <OutputClaimsTransformation ReferenceId="AddSignInEmailToEmails" />
                    <OutputClaimsTransformation ReferenceId="IsEmailOfUser" />
                    <OutputClaimsTransformation ReferenceId="AssertEmailOfUser" />
                  </OutputClaimsTransformations>
                  <IncludeTechnicalProfile ReferenceId="AAD-Common" />
                </TechnicalProfile>
                <TechnicalProfile Id="AAD-UserReadUsingSignInEmail">
                  <Metadata>
                    <Item Key="Operation">Read</Item>
                    <Item Key="RaiseErrorIfClaimsPrincipalDoesNotExist">true</Item>
                  </Metadata>
                  <InputClaims>
                    <InputClaim ClaimTypeReferenceId="email" PartnerClaimType="signInNames" Required="true" />
                  </InputClaims>
                  <OutputClaims>
                    <OutputClaim ClaimTypeReferenceId="objectId" />
                    <OutputClaim ClaimTypeReferenceId="userPrincipalName" />
                    <OutputClaim ClaimTypeReferenceId="authenticationSource" DefaultValue="localAccountAuthentication" />
                  </OutputClaims>
                  <IncludeTechnicalProfile ReferenceId="AAD-Common" />
                </TechnicalProfile>
                <TechnicalProfile Id="AAD-UserReadUsingSignInIdentifier">
                  <Metadata>
                    <Item Key="Operation">Read</Item>
                    <Item Key="RaiseErrorIfClaimsPrincipalDoesNotExist">true</Item>
                  </Metadata>
                  <InputClaims>
                    <InputClaim ClaimTypeReferenceId="logonIdentifier" PartnerClaimType="signInNames" Required="true" />
                  </InputClaims>
                  <OutputClaims>
                    <OutputClaim ClaimTypeReferenceId="objectId" />
                    <OutputClaim ClaimTypeReferenceId="userPrincipalName" />
                    <OutputClaim ClaimTypeReferenceId="authenticationSource" DefaultValue="localAccountAuthentication" />
                  </OutputClaims>
                  <IncludeTechnicalProfile ReferenceId="AAD-Common" />
                </TechnicalProfile>
                <TechnicalProfile Id="AAD-UserReadUsingObjectId">
                  <Metadata>
                    <Item Key="Operation">Read</Item>
                    <Item Key="RaiseErrorIfClaimsPrincipalDoesNotExist">true</Item>
                  </Metadata>
                  <InputClaims>
                    <InputClaim ClaimTypeReferenceId="objectId" Required="true" />
                  </InputClaims>
                  <OutputClaims>
                    <OutputClaim ClaimTypeReferenceId="userPrincipalName" />
                    <OutputClaim ClaimTypeReferenceId="strongAuthenticationPhoneNumber" />
                    <OutputClaim ClaimTypeReferenceId="strongAuthenticationEmailAddress" />
                    <OutputClaim ClaimTypeReferenceId="signInNames.emailAddress" />
                    <OutputClaim ClaimTypeReferenceId="emails" PartnerClaimType="otherMails" />
                    <OutputClaim ClaimTypeReferenceId="displayName" />
                  </OutputClaims>
                  <OutputClaimsTransformations>
                    <OutputClaimsTransformation ReferenceId="AddSignInEmailToEmails" />
                  </OutputClaimsTransformations>
                  <IncludeTechnicalProfile ReferenceId="AAD-Common" />
                </TechnicalProfile>
                <TechnicalProfile Id="AAD-UserReadUsingObjectId-CheckRefreshTokenDate">
                  <OutputClaims>
                    <OutputClaim ClaimTypeReferenceId="refreshTokensValidFromDateTime" />
                  </OutputClaims>
                  <OutputClaimsTransformations>
                    <OutputClaimsTransformation ReferenceId="AssertRefreshTokenNotRevoked" />
                  </OutputClaimsTransformations>
                  <IncludeTechnicalProfile ReferenceId="AAD-UserReadUsingObjectId" />
                </TechnicalProfile>
                <TechnicalProfile Id="AAD-UserWritePasswordUsingObjectId">
                  <Metadata>
                    <Item Key="Operation">Write</Item>
                    <Item Key="RaiseErrorIfClaimsPrincipalDoesNotExist">true</Item>
                  </Metadata>
                  <InputClaims>
                    <InputClaim ClaimTypeReferenceId="objectId" Required="true" />
                  </InputClaims>
                  <PersistedClaims>
                    <PersistedClaim ClaimTypeReferenceId="objectId" />
                    <PersistedClaim ClaimTypeReferenceId="newPassword" PartnerClaimType="password" />
                  </PersistedClaims>
                  <IncludeTechnicalProfile ReferenceId="AAD-Common" />
                </TechnicalProfile>
                <TechnicalProfile Id="AAD-UserWriteProfileUsingObjectId">
                  <Metadata>
                    <Item Key="Operation">Write</Item>
                    <Item Key="RaiseErrorIfClaimsPrincipalAlreadyExists">false</Item>
                    <Item Key="RaiseErrorIfClaimsPrincipalDoesNotExist">true</Item>
                  </Metadata>
                  <InputClaims>
                    <InputClaim ClaimTypeReferenceId="objectId" Required="true" />
                  </InputClaims>
                  <PersistedClaims>
                    <PersistedClaim ClaimTypeReferenceId="objectId" />
                  </PersistedClaims>
                  <IncludeTechnicalProfile ReferenceId="AAD-Common" />
                </TechnicalProfile>
                <TechnicalProfile Id="AAD-UserWritePhoneNumberUsingObjectId">
                  <Metadata>
                    <Item Key="Operation">Write</Item>
                    <Item Key="RaiseErrorIfClaimsPrincipalAlreadyExists">false</Item>
                    <Item Key="RaiseErrorIfClaimsPrincipalDoesNotExist">true</Item>
                  </Metadata>
                  <InputClaims>
                    <InputClaim ClaimTypeReferenceId="objectId" Required="true" />
                  </InputClaims>
                  <PersistedClaims>
                    <PersistedClaim ClaimTypeReferenceId="objectId" />
                    <PersistedClaim ClaimTypeReferenceId="Verified.strongAuthenticationPhoneNumber" PartnerClaimType="strongAuthenticationPhoneNumber" />
                  </PersistedClaims>
                  <IncludeTechnicalProfile ReferenceId="AAD-Common" />
                </TechnicalProfile>
                <TechnicalProfile Id="AAD-UserReadUsingAlternativeSecurityId">
                  <Metadata>
                    <Item Key="Operation">Read</Item>
                    <Item Key="RaiseErrorIfClaimsPrincipalDoesNotExist">true</Item>
                  </Metadata>
                  <InputClaims>
                    <InputClaim ClaimTypeReferenceId="alternativeSecurityId" Required="true" />
                  </InputClaims>
                  <OutputClaims>
                    <OutputClaim ClaimTypeReferenceId="objectId" />
                    <OutputClaim ClaimTypeReferenceId="userPrincipalName" />
                    <OutputClaim ClaimTypeReferenceId="strongAuthenticationPhoneNumber" />
                    <OutputClaim ClaimTypeReferenceId="otherMails" />
                  </OutputClaims>
                  <IncludeTechnicalProfile ReferenceId="AAD-Common" />
                </TechnicalProfile>
                <TechnicalProfile Id="AAD-UserReadUsingAlternativeSecurityId-NoError">
                  <Metadata>
                    <Item Key="RaiseErrorIfClaimsPrincipalDoesNotExist">false</Item>
                  </Metadata>
                  <IncludeTechnicalProfile ReferenceId="AAD-UserReadUsingAlternativeSecurityId" />
                </TechnicalProfile>
                <TechnicalProfile Id="AAD-UserWriteUsingAlternativeSecurityId">
                  <Metadata>
                    <Item Key="Operation">Write</Item>
                    <Item Key="RaiseErrorIfClaimsPrincipalAlreadyExists">true</Item>
                  </Metadata>
                  <InputClaimsTransformations>
                    <InputClaimsTransformation ReferenceId="AddEmailToOtherMails" />
                  </InputClaimsTransformations>
                  <InputClaims>
                    <InputClaim ClaimTypeReferenceId="alternativeSecurityId" Required="true" />
                  </InputClaims>
                  <PersistedClaims>
                    <PersistedClaim ClaimTypeReferenceId="alternativeSecurityId" />
                    <PersistedClaim ClaimTypeReferenceId="userPrincipalName" />
                    <PersistedClaim ClaimTypeReferenceId="mailNickName" DefaultValue="unknown" />
                    <PersistedClaim ClaimTypeReferenceId="displayName" DefaultValue="unknown" />
                    <PersistedClaim ClaimTypeReferenceId="otherMails" />
                  </PersistedClaims>
                  <OutputClaims>
                    <OutputClaim ClaimTypeReferenceId="objectId" />
                    <OutputClaim ClaimTypeReferenceId="newUser" PartnerClaimType="newClaimsPrincipalCreated" />
                    <OutputClaim ClaimTypeReferenceId="otherMails" />
                  </OutputClaims>
                  <IncludeTechnicalProfile ReferenceId="AAD-Common" />
                </TechnicalProfile>
              </TechnicalProfiles>
            </ClaimsProvider>
            <ClaimsProvider>
              <DisplayName>Local account</DisplayName>
              <TechnicalProfiles>
                <TechnicalProfile Id="SelfAsserted-LocalAccountSignin-Email">
                  <DisplayName>Local account sign-in</DisplayName>
                  <Protocol Name="Proprietary" Handler="Web.TPEngine.Providers.SelfAssertedAttributeProvider, Web.TPEngine, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null" />
                  <Metadata>
                    <Item Key="ContentDefinitionReferenceId">api.signuporsignin</Item>
                    <Item Key="setting.operatingMode">Email</Item>
                    <Item Key="IncludeClaimResolvingInClaimsHandling">true</Item>
                  </Metadata>
                  <IncludeInSso>false</IncludeInSso>
                  <InputClaims>
                    <InputClaim ClaimTypeReferenceId="email" DefaultValue="{OIDC:LoginHint}" AlwaysUseDefaultValue="true" />
                  </InputClaims>
                  <OutputClaims>
                    <OutputClaim ClaimTypeReferenceId="email" Required="true" />
                    <OutputClaim ClaimTypeReferenceId="password" Required="true" />
                    <OutputClaim ClaimTypeReferenceId="objectId" />
                    <OutputClaim ClaimTypeReferenceId="authenticationSource" />
                  </OutputClaims>
                  <UseTechnicalProfileForSessionManagement ReferenceId="SM-AAD" />
                </TechnicalProfile>
                <TechnicalProfile Id="SelfAsserted-LocalAccountSignin-Identifier">
                  <DisplayName>Local account sign-in</DisplayName>
                  <Protocol Name="Proprietary" Handler="Web.TPEngine.Providers.SelfAssertedAttributeProvider, Web.TPEngine, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null" />
                  <Metadata>
                    <Item Key="ContentDefinitionReferenceId">api.signuporsignin</Item>
                    <Item Key="setting.operatingMode">Username</Item>
                    <Item Key="IncludeClaimResolvingInClaimsHandling">true</Item>
                  </Metadata>
                  <IncludeInSso>false</IncludeInSso>
                  <InputClaims>
                    <InputClaim ClaimTypeReferenceId="logonIdentifier" DefaultValue="{OIDC:LoginHint}" AlwaysUseDefaultValue="true" />
                  </InputClaims>
                  <OutputClaims>
                    <OutputClaim ClaimTypeReferenceId="logonIdentifier" Required="true" />
                    <OutputClaim ClaimTypeReferenceId="password" Required="true" />
                    <OutputClaim ClaimTypeReferenceId="objectId" />
                    <OutputClaim ClaimTypeReferenceId="authenticationSource" />
                  </OutputClaims>
                  <UseTechnicalProfileForSessionManagement ReferenceId="SM-AAD" />
                </TechnicalProfile>
                <TechnicalProfile Id="LocalAccountSignUpWithLogonEmail">
                  <DisplayName>E-mail sign-up</DisplayName>
                  <Protocol Name="Proprietary" Handler="Web.TPEngine.Providers.SelfAssertedAttributeProvider, Web.TPEngine, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null" />
                  <Metadata>
                    <Item Key="ContentDefinitionReferenceId">api.localaccountsignup</Item>
                  </Metadata>
                  <IncludeInSso>false</IncludeInSso>
                  <InputClaims>
                    <InputClaim ClaimTypeReferenceId="email" />
                  </InputClaims>
                  <OutputClaims>
                    <OutputClaim ClaimTypeReferenceId="email" Required="true" />
                    <OutputClaim ClaimTypeReferenceId="newPassword" Required="true" />
                    <OutputClaim ClaimTypeReferenceId="reenterPassword" Required="true" />
                    <OutputClaim ClaimTypeReferenceId="objectId" />
                    <OutputClaim ClaimTypeReferenceId="authenticationSource" />
                    <OutputClaim ClaimTypeReferenceId="newUser" />
                  </OutputClaims>
                  <ValidationTechnicalProfiles>
                    <ValidationTechnicalProfile ReferenceId="AAD-UserWriteUsingLogonEmail" />
                  </ValidationTechnicalProfiles>
                  <UseTechnicalProfileForSessionManagement ReferenceId="SM-AAD" />
                </TechnicalProfile>
                <TechnicalProfile Id="LocalAccountSignUpWithLogonUsername">
                  <DisplayName>User name sign-up</DisplayName>
                  <Protocol Name="Proprietary" Handler="Web.TPEngine.Providers.SelfAssertedAttributeProvider, Web.TPEngine, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null" />
                  <Metadata>
                    <Item Key="ContentDefinitionReferenceId">api.localaccountsignup</Item>
                  </Metadata>
                  <IncludeInSso>false</IncludeInSso>
                  <InputClaims>
                    <InputClaim ClaimTypeReferenceId="logonIdentifier" />
                  </InputClaims>
                  <OutputClaims>
                    <OutputClaim ClaimTypeReferenceId="logonIdentifier" Required="true" />
                    <OutputClaim ClaimTypeReferenceId="email" Required="true" />
                    <OutputClaim ClaimTypeReferenceId="newPassword" Required="true" />
                    <OutputClaim ClaimTypeReferenceId="reenterPassword" Required="true" />
                    <OutputClaim ClaimTypeReferenceId="objectId" />
                    <OutputClaim ClaimTypeReferenceId="authenticationSource" />
                    <OutputClaim ClaimTypeReferenceId="newUser" />
                  </OutputClaims>
                  <ValidationTechnicalProfiles>
                    <ValidationTechnicalProfile ReferenceId="AAD-UserWriteUsingLogonUsername" />
                  </ValidationTechnicalProfiles>
                  <UseTechnicalProfileForSessionManagement ReferenceId="SM-AAD" />
                </TechnicalProfile>
                <TechnicalProfile Id="LocalAccountSignUpWithLogonUsernameAndEmail">
                  <DisplayName>User name and e-mail sign-up</DisplayName>
                  <Protocol Name="Proprietary" Handler="Web.TPEngine.Providers.SelfAssertedAttributeProvider, Web.TPEngine, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null" />
                  <Metadata>
                    <Item Key="ContentDefinitionReferenceId">api.localaccountsignup</Item>
                  </Metadata>
                  <IncludeInSso>false</IncludeInSso>
                  <InputClaims>
                    <InputClaim ClaimTypeReferenceId="logonIdentifier" />
                  </InputClaims>
                  <OutputClaims>
                    <OutputClaim ClaimTypeReferenceId="logonIdentifier" Required="true" />
                    <OutputClaim ClaimTypeReferenceId="email" Required="true" />
                    <OutputClaim ClaimTypeReferenceId="newPassword" Required="true" />
                    <OutputClaim ClaimTypeReferenceId="reenterPassword" Required="true" />
                    <OutputClaim ClaimTypeReferenceId="objectId" />
                    <OutputClaim ClaimTypeReferenceId="authenticationSource" />
                    <OutputClaim ClaimTypeReferenceId="newUser" />
                  </OutputClaims>
                  <ValidationTechnicalProfiles>
                    <ValidationTechnicalProfile ReferenceId="AAD-UserWriteUsingLogonUsernameAndEmail" />
                  </ValidationTechnicalProfiles>
                  <UseTechnicalProfileForSessionManagement ReferenceId="SM-AAD" />
                </TechnicalProfile>
                <TechnicalProfile Id="LocalAccountDiscoveryUsingEmailAddress">
                  <DisplayName>Password reset by e-mail address</DisplayName>
                  <Protocol Name="Proprietary" Handler="Web.TPEngine.Providers.SelfAssertedAttributeProvider, Web.TPEngine, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null" />
                  <Metadata>
                    <Item Key="ContentDefinitionReferenceId">api.localaccountpasswordreset</Item>
                  </Metadata>
                  <IncludeInSso>false</IncludeInSso>
                  <OutputClaims>
                    <OutputClaim ClaimTypeReferenceId="email" Required="true" />
                    <OutputClaim ClaimTypeReferenceId="objectId" />
                    <OutputClaim ClaimTypeReferenceId="userPrincipalName" />
                    <OutputClaim ClaimTypeReferenceId="authenticationSource" />
                    <OutputClaim ClaimTypeReferenceId="strongAuthenticationPhoneNumber" />
                  </OutputClaims>
                  <ValidationTechnicalProfiles>
                    <ValidationTechnicalProfile ReferenceId="AAD-UserReadUsingEmailAddress" />
                  </ValidationTechnicalProfiles>
                  <UseTechnicalProfileForSessionManagement ReferenceId="SM-Noop" />
                </TechnicalProfile>
                <TechnicalProfile Id="LocalAccountDiscoveryUsingUserName">
                  <DisplayName>Password reset by user name</DisplayName>
                  <Protocol Name="Proprietary" Handler="Web.TPEngine.Providers.SelfAssertedAttributeProvider, Web.TPEngine, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null" />
                  <Metadata>
                    <Item Key="ContentDefinitionReferenceId">api.localaccountpasswordreset</Item>
                  </Metadata>
                  <IncludeInSso>false</IncludeInSso>
                  <OutputClaims>
                    <OutputClaim ClaimTypeReferenceId="logonIdentifier" Required="true" />
                    <OutputClaim ClaimTypeReferenceId="email" Required="true" />
                    <OutputClaim ClaimTypeReferenceId="objectId" />
                    <OutputClaim ClaimTypeReferenceId="userPrincipalName" />
                    <OutputClaim ClaimTypeReferenceId="authenticationSource" />
                    <OutputClaim ClaimTypeReferenceId="strongAuthenticationPhoneNumber" />
                    <OutputClaim ClaimTypeReferenceId="emails" />
                  </OutputClaims>
                  <ValidationTechnicalProfiles>
                    <ValidationTechnicalProfile ReferenceId="AAD-UserReadUsingUserName" />
                  </ValidationTechnicalProfiles>
                  <UseTechnicalProfileForSessionManagement ReferenceId="SM-Noop" />
                </TechnicalProfile>
                <TechnicalProfile Id="LocalAccountWritePasswordUsingObjectId">
                  <DisplayName>New password</DisplayName>
                  <Protocol Name="Proprietary" Handler="Web.TPEngine.Providers.SelfAssertedAttributeProvider, Web.TPEngine, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null" />
                  <Metadata>
                    <Item Key="ContentDefinitionReferenceId">api.localaccountpasswordreset</Item>
                  </Metadata>
                  <IncludeInSso>false</IncludeInSso>
                  <InputClaims>
                    <InputClaim ClaimTypeReferenceId="objectId" />
                  </InputClaims>
                  <OutputClaims>
                    <OutputClaim ClaimTypeReferenceId="newPassword" Required="true" />
                    <OutputClaim ClaimTypeReferenceId="reenterPassword" Required="true" />
                  </OutputClaims>
                  <ValidationTechnicalProfiles>
                    <ValidationTechnicalProfile ReferenceId="AAD-UserWritePasswordUsingObjectId" />
                  </ValidationTechnicalProfiles>
                  <UseTechnicalProfileForSessionManagement ReferenceId="SM-Noop" />
                </TechnicalProfile>
                <TechnicalProfile Id="ForgotPassword">
                  <DisplayName>Forgot your password?</DisplayName>
                  <Protocol Name="Proprietary" Handler="Web.TPEngine.Providers.ClaimsTransformationProtocolProvider, Web.TPEngine, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null" />
                  <OutputClaims>
                    <OutputClaim ClaimTypeReferenceId="isForgotPassword" DefaultValue="true" AlwaysUseDefaultValue="true" />
                  </OutputClaims>
                  <UseTechnicalProfileForSessionManagement ReferenceId="SM-Noop" />
                </TechnicalProfile>
              </TechnicalProfiles>
            </ClaimsProvider>
            <ClaimsProvider>
              <DisplayName>Self-asserted</DisplayName>
              <TechnicalProfiles>
                <TechnicalProfile Id="SelfAsserted-Social">
                  <DisplayName>Social account sign-up</DisplayName>
                  <Protocol Name="Proprietary" Handler="Web.TPEngine.Providers.SelfAssertedAttributeProvider, Web.TPEngine, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null" />
                  <Metadata>
                    <Item Key="ContentDefinitionReferenceId">api.socialccountsignup</Item>
                  </Metadata>
                  <IncludeInSso>false</IncludeInSso>
                  <InputClaims>
                    <InputClaim ClaimTypeReferenceId="alternativeSecurityId" />
                    <InputClaim ClaimTypeReferenceId="userPrincipalName" />
                    <InputClaim ClaimTypeReferenceId="email" />
                  </InputClaims>
                  <OutputClaims>
                    <OutputClaim ClaimTypeReferenceId="objectId" />
                    <OutputClaim ClaimTypeReferenceId="newUser" />
                  </OutputClaims>
                  <ValidationTechnicalProfiles>
                    <ValidationTechnicalProfile ReferenceId="AAD-UserWriteUsingAlternativeSecurityId" />
                  </ValidationTechnicalProfiles>
                  <UseTechnicalProfileForSessionManagement ReferenceId="SM-Noop" />
                </TechnicalProfile>
                <TechnicalProfile Id="SelfAsserted-ProfileUpdate">
                  <DisplayName>Profile editing</DisplayName>
                  <Protocol Name="Proprietary" Handler="Web.TPEngine.Providers.SelfAssertedAttributeProvider, Web.TPEngine, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null" />
                  <Metadata>
                    <Item Key="ContentDefinitionReferenceId">api.selfasserted.profileupdate</Item>
                    <Item Key="AllowGenerationOfClaimsWithNullValues">true</Item>
                  </Metadata>
                  <IncludeInSso>false</IncludeInSso>
                  <InputClaims>
                    <InputClaim ClaimTypeReferenceId="objectId" />
                  </InputClaims>
                  <OutputClaims>
                    <OutputClaim ClaimTypeReferenceId="objectId" />
                  </OutputClaims>
                  <ValidationTechnicalProfiles>
                    <ValidationTechnicalProfile ReferenceId="AAD-UserWriteProfileUsingObjectId" />
                  </ValidationTechnicalProfiles>
                  <UseTechnicalProfileForSessionManagement ReferenceId="SM-Noop" />
                </TechnicalProfile>
              </TechnicalProfiles>
            </ClaimsProvider>
            <ClaimsProvider>
              <DisplayName>E-mail verification</DisplayName>
              <TechnicalProfiles>
                <TechnicalProfile Id="AadSspr-SendCode">
                  <DisplayName>Send a code</DisplayName>
                  <Protocol Name="Proprietary" Handler="Web.TPEngine.Providers.AadSsprProtocolProvider, Web.TPEngine, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null" />
                  <Metadata>
                    <Item Key="Operation">SendCode</Item>
                  </Metadata>
                  <InputClaims>
                    <InputClaim ClaimTypeReferenceId="email" PartnerClaimType="emailAddress" />
                  </InputClaims>
                  <UseTechnicalProfileForSessionManagement ReferenceId="SM-Noop" />
                </TechnicalProfile>
                <TechnicalProfile Id="AadSspr-VerifyCode">
                  <DisplayName>Check a code</DisplayName>
                  <Protocol Name="Proprietary" Handler="Web.TPEngine.Providers.AadSsprProtocolProvider, Web.TPEngine, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null" />
                  <Metadata>
                    <Item Key="Operation">VerifyCode</Item>
                  </Metadata>
                  <InputClaims>
                    <InputClaim ClaimTypeReferenceId="emailVerificationCode" PartnerClaimType="verificationCode" />
                    <InputClaim ClaimTypeReferenceId="email" PartnerClaimType="emailAddress" />
                  </InputClaims>
                  <UseTechnicalProfileForSessionManagement ReferenceId="SM-Noop" />
                </TechnicalProfile>
                <TechnicalProfile Id="AadSspr-SendCode-ReadOnly">
                  <DisplayName>Send a code</DisplayName>
                  <Protocol Name="Proprietary" Handler="Web.TPEngine.Providers.AadSsprProtocolProvider, Web.TPEngine, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null" />
                  <Metadata>
                    <Item Key="Operation">SendCode</Item>
                  </Metadata>
                  <InputClaims>
                    <InputClaim ClaimTypeReferenceId="readOnlyEmail" PartnerClaimType="emailAddress" />
                  </InputClaims>
                  <UseTechnicalProfileForSessionManagement ReferenceId="SM-Noop" />
                </TechnicalProfile>
                <TechnicalProfile Id="AadSspr-VerifyCode-ReadOnly">
                  <DisplayName>Check a code</DisplayName>
                  <Protocol Name="Proprietary" Handler="Web.TPEngine.Providers.AadSsprProtocolProvider, Web.TPEngine, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null" />
                  <Metadata>
                    <Item Key="Operation">VerifyCode</Item>
                  </Metadata>
                  <InputClaims>
                    <InputClaim ClaimTypeReferenceId="emailVerificationCode" PartnerClaimType="verificationCode" />
                    <InputClaim ClaimTypeReferenceId="readOnlyEmail" PartnerClaimType="emailAddress" />
                  </InputClaims>
                  <UseTechnicalProfileForSessionManagement ReferenceId="SM-Noop" />
                </TechnicalProfile>
              </TechnicalProfiles>
            </ClaimsProvider>
            <ClaimsProvider>
              <DisplayName>Second factor</DisplayName>
              <TechnicalProfiles>
                <TechnicalProfile Id="PhoneFactor-InputOrVerify">
                  <DisplayName>Phone</DisplayName>
                  <Protocol Name="Proprietary" Handler="Web.TPEngine.Providers.PhoneFactorProtocolProvider, Web.TPEngine, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null" />
                  <Metadata>
                    <Item Key="ContentDefinitionReferenceId">api.phonefactor</Item>
                    <Item Key="ManualPhoneNumberEntryAllowed">true</Item>
                  </Metadata>
                  <CryptographicKeys>
                    <Key Id="issuer_secret" StorageReferenceId="B2C_1A_TokenSigningKeyContainer" />
                  </CryptographicKeys>
                  <InputClaimsTransformations>
                    <InputClaimsTransformation ReferenceId="CreateUserIdForMFA" />
                  </InputClaimsTransformations>
                  <InputClaims>
                    <InputClaim ClaimTypeReferenceId="userIdForMFA" PartnerClaimType="UserId" />
                    <InputClaim ClaimTypeReferenceId="strongAuthenticationPhoneNumber" />
                  </InputClaims>
                  <OutputClaims>
                    <OutputClaim ClaimTypeReferenceId="Verified.strongAuthenticationPhoneNumber" PartnerClaimType="Verified.OfficePhone" />
                    <OutputClaim ClaimTypeReferenceId="newPhoneNumberEntered" PartnerClaimType="newPhoneNumberEntered" />
                  </OutputClaims>
                  <UseTechnicalProfileForSessionManagement ReferenceId="SM-MFA" />
                </TechnicalProfile>
                <TechnicalProfile Id="EmailFactor-Verify">
                  <DisplayName>E-mail</DisplayName>
                  <Protocol Name="Proprietary" Handler="Web.TPEngine.Providers.SelfAssertedAttributeProvider, Web.TPEngine, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null" />
                  <Metadata>
                    <Item Key="ContentDefinitionReferenceId">api.selfasserted.emailmfa</Item>
                  </Metadata>
                  <IncludeInSso>false</IncludeInSso>
                  <InputClaimsTransformations>
                    <InputClaimsTransformation ReferenceId="FirstEmailForMFA" />
                  </InputClaimsTransformations>
                  <InputClaims>
                    <InputClaim ClaimTypeReferenceId="readOnlyEmail" />
                  </InputClaims>
                  <OutputClaims>
                    <OutputClaim ClaimTypeReferenceId="emailFactorVerified" DefaultValue="true" AlwaysUseDefaultValue="true" />
                  </OutputClaims>
                  <UseTechnicalProfileForSessionManagement ReferenceId="SM-MFA" />
                </TechnicalProfile>
                <TechnicalProfile Id="AzureMfa-GetAvailableDevices">
                  <DisplayName>Authenticator</DisplayName>
                  <Protocol Name="Proprietary" Handler="Web.TPEngine.Providers.AzureMfaProtocolProvider, Web.TPEngine, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null" />
                  <Metadata>
                    <Item Key="Operation">GetAvailableDevices</Item>
                  </Metadata>
                  <InputClaims>
                    <InputClaim ClaimTypeReferenceId="userPrincipalName" />
                    <InputClaim ClaimTypeReferenceId="objectId" />
                  </InputClaims>
                  <OutputClaims>
                    <OutputClaim ClaimTypeReferenceId="numberOfAvailableDevices" />
                  </OutputClaims>
                  <OutputClaimsTransformations>
                    <OutputClaimsTransformation ReferenceId="HasNoAuthenticator" />
                  </OutputClaimsTransformations>
                  <UseTechnicalProfileForSessionManagement ReferenceId="SM-Noop" />
                </TechnicalProfile>
                <TechnicalProfile Id="AzureMfa-BeginVerifyOTP">
                  <DisplayName>Authenticator</DisplayName>
                  <Protocol Name="Proprietary" Handler="Web.TPEngine.Providers.AzureMfaProtocolProvider, Web.TPEngine, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null" />
                  <Metadata>
                    <Item Key="Operation">BeginVerifyOTP</Item>
                  </Metadata>
                  <InputClaims>
                    <InputClaim ClaimTypeReferenceId="userPrincipalName" />
                    <InputClaim ClaimTypeReferenceId="objectId" />
                    <InputClaim ClaimTypeReferenceId="secretKey" />
                  </InputClaims>
                  <UseTechnicalProfileForSessionManagement ReferenceId="SM-Noop" />
                </TechnicalProfile>
                <TechnicalProfile Id="AzureMfa-VerifyOTP">
                  <DisplayName>Authenticator</DisplayName>
                  <Protocol Name="Proprietary" Handler="Web.TPEngine.Providers.AzureMfaProtocolProvider, Web.TPEngine, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null" />
                  <Metadata>
                    <Item Key="Operation">VerifyOTP</Item>
                  </Metadata>
                  <InputClaims>
                    <InputClaim ClaimTypeReferenceId="userPrincipalName" />
                    <InputClaim ClaimTypeReferenceId="objectId" />
                    <InputClaim ClaimTypeReferenceId="otpCode" Required="true" />
                  </InputClaims>
                  <UseTechnicalProfileForSessionManagement ReferenceId="SM-Noop" />
                </TechnicalProfile>
                <TechnicalProfile Id="TotpFactor-Register">
                  <DisplayName>Authenticator registration</DisplayName>
                  <Protocol Name="Proprietary" Handler="Web.TPEngine.Providers.SelfAssertedAttributeProvider, Web.TPEngine, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null" />
                  <Metadata>
                    <Item Key="ContentDefinitionReferenceId">api.selfasserted.totp</Item>
                  </Metadata>
                  <IncludeInSso>false</IncludeInSso>
                  <InputClaimsTransformations>
                    <InputClaimsTransformation ReferenceId="CreateTotpSecret" />
                    <InputClaimsTransformation ReferenceId="CreateTotpAccountFromEmails" />
                    <InputClaimsTransformation ReferenceId="CreateTotpUri" />
                  </InputClaimsTransformations>
                  <InputClaims>
                    <InputClaim ClaimTypeReferenceId="secretKey" />
                    <InputClaim ClaimTypeReferenceId="totpAccount" />
                    <InputClaim ClaimTypeReferenceId="qrCodeContent" />
                  </InputClaims>
                  <DisplayClaims>
                    <DisplayClaim DisplayControlReferenceId="totpQrCodeControl" />
                    <DisplayClaim DisplayControlReferenceId="authenticatorInfoControl" />
                  </DisplayClaims>
                  <OutputClaims>
                    <OutputClaim ClaimTypeReferenceId="secretKey" />
                  </OutputClaims>
                  <UseTechnicalProfileForSessionManagement ReferenceId="SM-Noop" />
                </TechnicalProfile>
                <TechnicalProfile Id="TotpFactor-Verify">
                  <DisplayName>Authenticator</DisplayName>
                  <Protocol Name="Proprietary" Handler="Web.TPEngine.Providers.SelfAssertedAttributeProvider, Web.TPEngine, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null" />
                  <Metadata>
                    <Item Key="ContentDefinitionReferenceId">api.selfasserted.totp</Item>
                  </Metadata>
                  <IncludeInSso>false</IncludeInSso>
                  <OutputClaims>
                    <OutputClaim ClaimTypeReferenceId="otpCode" Required="true" />
                    <OutputClaim ClaimTypeReferenceId="totpVerified" DefaultValue="true" AlwaysUseDefaultValue="true" />
                  </OutputClaims>
                  <ValidationTechnicalProfiles>
                    <ValidationTechnicalProfile ReferenceId="AzureMfa-BeginVerifyOTP" />
                    <ValidationTechnicalProfile ReferenceId="AzureMfa-VerifyOTP" />
                  </ValidationTechnicalProfiles>
                  <UseTechnicalProfileForSessionManagement ReferenceId="SM-MFA" />
                </TechnicalProfile>
              </TechnicalProfiles>
            </ClaimsProvider>
            <ClaimsProvider>
              <DisplayName>Conditional access</DisplayName>
              <TechnicalProfiles>
                <TechnicalProfile Id="ConditionalAccessEvaluation">
                  <DisplayName>Conditional access</DisplayName>
                  <Protocol Name="Proprietary" Handler="Web.TPEngine.Providers.ConditionalAccessProtocolProvider, Web.TPEngine, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null" />
                  <Metadata>
                    <Item Key="OperationType">Evaluation</Item>
                  </Metadata>
                  <InputClaimsTransformations>
                    <InputClaimsTransformation ReferenceId="IsMfaRegistered" />
                    <InputClaimsTransformation ReferenceId="IsFederated" />
                    <InputClaimsTransformation ReferenceId="NotePasswordUsed" />
                  </InputClaimsTransformations>
                  <InputClaims>
                    <InputClaim ClaimTypeReferenceId="objectId" PartnerClaimType="UserId" />
                    <InputClaim ClaimTypeReferenceId="authenticationMethodsUsed" PartnerClaimType="AuthenticationMethodsUsed" />
                    <InputClaim ClaimTypeReferenceId="isFederated" PartnerClaimType="IsFederated" />
                    <InputClaim ClaimTypeReferenceId="isMfaRegistered" PartnerClaimType="IsMfaRegistered" />
                  </InputClaims>
                  <OutputClaims>
                    <OutputClaim ClaimTypeReferenceId="conditionalAccessClaimCollection" PartnerClaimType="Challenges" />
                    <OutputClaim ClaimTypeReferenceId="conditionalAccessStatus" PartnerClaimType="MultiConditionalAccessStatus" />
                  </OutputClaims>
                  <OutputClaimsTransformations>
                    <OutputClaimsTransformation ReferenceId="IsMfaChallenge" />
                    <OutputClaimsTransformation ReferenceId="IsBlockChallenge" />
                  </OutputClaimsTransformations>
                  <UseTechnicalProfileForSessionManagement ReferenceId="SM-Noop" />
                </TechnicalProfile>
                <TechnicalProfile Id="ConditionalAccessRemediation">
                  <DisplayName>Conditional access</DisplayName>
                  <Protocol Name="Proprietary" Handler="Web.TPEngine.Providers.ConditionalAccessProtocolProvider, Web.TPEngine, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null" />
                  <Metadata>
                    <Item Key="OperationType">Remediation</Item>
                  </Metadata>
                  <InputClaims>
                    <InputClaim ClaimTypeReferenceId="conditionalAccessClaimCollection" PartnerClaimType="ChallengesSatisfied" />
                  </InputClaims>
                  <UseTechnicalProfileForSessionManagement ReferenceId="SM-Noop" />
                </TechnicalProfile>
                <TechnicalProfile Id="SelfAsserted-Blocked">
                  <DisplayName>Sign-in refused</DisplayName>
                  <Protocol Name="Proprietary" Handler="Web.TPEngine.Providers.SelfAssertedAttributeProvider, Web.TPEngine, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null" />
                  <Metadata>
                    <Item Key="ContentDefinitionReferenceId">api.selfasserted</Item>
                    <Item Key="setting.showContinueButton">false</Item>
                  </Metadata>
                  <IncludeInSso>false</IncludeInSso>
                  <InputClaims>
                    <InputClaim ClaimTypeReferenceId="blockedMessage" DefaultValue="This sign-in was refused because it looks risky." AlwaysUseDefaultValue="true" />
                  </InputClaims>
                  <OutputClaims>
                    <OutputClaim ClaimTypeReferenceId="blockedMessage" />
                  </OutputClaims>
                  <UseTechnicalProfileForSessionManagement ReferenceId="SM-Noop" />
                </TechnicalProfile>
              </TechnicalProfiles>
            </ClaimsProvider>
            <ClaimsProvider>
              <DisplayName>Session management</DisplayName>
              <TechnicalProfiles>
                <TechnicalProfile Id="SM-Noop">
                  <DisplayName>No session</DisplayName>
                  <Protocol Name="Proprietary" Handler="Web.TPEngine.SSO.NoopSSOSessionProvider, Web.TPEngine, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null" />
                </TechnicalProfile>
                <TechnicalProfile Id="SM-AAD">
                  <DisplayName>Session of a local account</DisplayName>
                  <Protocol Name="Proprietary" Handler="Web.TPEngine.SSO.DefaultSSOSessionProvider, Web.TPEngine, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null" />
                  <PersistedClaims>
                    <PersistedClaim ClaimTypeReferenceId="objectId" />
                    <PersistedClaim ClaimTypeReferenceId="email" />
                    <PersistedClaim ClaimTypeReferenceId="logonIdentifier" />
                    <PersistedClaim ClaimTypeReferenceId="authenticationSource" />
                    <PersistedClaim ClaimTypeReferenceId="identityProvider" />
                  </PersistedClaims>
                  <OutputClaims>
                    <OutputClaim ClaimTypeReferenceId="objectIdFromSession" DefaultValue="true" />
                  </OutputClaims>
                </TechnicalProfile>
                <TechnicalProfile Id="SM-SocialLogin">
                  <DisplayName>Session at an identity provider</DisplayName>
                  <Protocol Name="Proprietary" Handler="Web.TPEngine.SSO.ExternalLoginSSOSessionProvider, Web.TPEngine, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null" />
                  <Metadata>
                    <Item Key="AlwaysFetchClaimsFromProvider">true</Item>
                  </Metadata>
                  <PersistedClaims>
                    <PersistedClaim ClaimTypeReferenceId="alternativeSecurityId" />
                  </PersistedClaims>
                </TechnicalProfile>
                <TechnicalProfile Id="SM-MFA">
                  <DisplayName>Session with a second factor</DisplayName>
                  <Protocol Name="Proprietary" Handler="Web.TPEngine.SSO.DefaultSSOSessionProvider, Web.TPEngine, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null" />
                  <PersistedClaims>
                    <PersistedClaim ClaimTypeReferenceId="Verified.strongAuthenticationPhoneNumber" />
                    <PersistedClaim ClaimTypeReferenceId="emailFactorVerified" />
                    <PersistedClaim ClaimTypeReferenceId="totpVerified" />
                  </PersistedClaims>
                  <OutputClaims>
                    <OutputClaim ClaimTypeReferenceId="isActiveMFASession" DefaultValue="true" />
                  </OutputClaims>
                </TechnicalProfile>
                <TechnicalProfile Id="SM-jwt-issuer">
                  <DisplayName>Session of the token issuer</DisplayName>
                  <Protocol Name="Proprietary" Handler="Web.TPEngine.SSO.OAuthSSOSessionProvider, Web.TPEngine, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null" />
                </TechnicalProfile>
              </TechnicalProfiles>
            </ClaimsProvider>
            <ClaimsProvider>
              <DisplayName>Token issuer</DisplayName>
              <TechnicalProfiles>
                <TechnicalProfile Id="JwtIssuer">
                  <DisplayName>JWT issuer</DisplayName>
                  <Protocol Name="OpenIdConnect" />
                  <OutputTokenFormat>JWT</OutputTokenFormat>
                  <Metadata>
                    <Item Key="client_id">{service:te}</Item>
                    <Item Key="issuer_refresh_token_user_identity_claim_type">objectId</Item>
                  </Metadata>
                  <CryptographicKeys>
                    <Key Id="issuer_secret" StorageReferenceId="B2C_1A_TokenSigningKeyContainer" />
                    <Key Id="issuer_refresh_token_key" StorageReferenceId="B2C_1A_TokenEncryptionKeyContainer" />
                  </CryptographicKeys>
                  <UseTechnicalProfileForSessionManagement ReferenceId="SM-jwt-issuer" />
                </TechnicalProfile>
                <TechnicalProfile Id="RefreshTokenReadAndSetup">
                  <DisplayName>Refresh token</DisplayName>
                  <Protocol Name="None" />
                  <OutputClaims>
                    <OutputClaim ClaimTypeReferenceId="objectId" />
                    <OutputClaim ClaimTypeReferenceId="refreshTokenIssuedOnDateTime" />
                  </OutputClaims>
                </TechnicalProfile>
              </TechnicalProfiles>
            </ClaimsProvider>
          </ClaimsProviders>
        </TrustFrameworkPolicy>
        """#
}
