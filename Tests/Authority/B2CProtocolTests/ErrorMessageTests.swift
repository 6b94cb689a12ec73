import B2CProtocol
import Testing

/// The messages that logs of the service show, letter by letter: clients and tests compare them.
@Suite struct ErrorMessageTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var code: String
        var template: String
        var variants: [String] = []
        var testDescription: String { code }
    }

    static let rows: [Row] = [
        Row(
            code: "AADB2C90006",
            template: "The redirect URI '{0}' provided in the request is not registered for the client id '{1}'."),
        Row(
            code: "AADB2C90007",
            template: "The application associated with client id '{0}' has no registered redirect URIs."),
        Row(code: "AADB2C90008", template: "The request does not contain a client ID parameter."),
        Row(code: "AADB2C90010", template: "The request does not contain a scope parameter."),
        Row(
            code: "AADB2C90013",
            template: "The requested response type '{0}' provided in the request is not supported."),
        Row(
            code: "AADB2C90014",
            template: "The requested response mode '{0}' provided in the request is not supported."),
        Row(
            code: "AADB2C90018",
            template: "The client id '{0}' specified in the request is not registered in tenant '{1}'."),
        Row(
            code: "AADB2C90037",
            template:
                "An error occurred while processing the request. Please contact administrator of the site you are trying to access."
        ),
        Row(
            code: "AADB2C90043",
            template:
                "The prompt included in the request contains invalid values. Expected 'none', 'login', 'consent' or 'select_account'."
        ),
        Row(
            code: "AADB2C90047", template: "The resource '{0}' contains script errors preventing it from being loaded."),
        Row(code: "AADB2C90051", template: "No suitable claims providers were found."),
        Row(
            code: "AADB2C90055",
            template:
                "The scope '{0}' provided in request must specify a resource, such as 'https://example.com/calendar.read'."
        ),
        Row(
            code: "AADB2C90057",
            template: "The provided application is not configured to allow the 'OAuth' Implicit flow."),
        Row(code: "AADB2C90058", template: "The provided application is not configured to allow public clients."),
        Row(
            code: "AADB2C90068",
            template:
                "The provided application with ID '{0}' is not valid against this service. Please use an application created via the B2C portal and try again."
        ),
        Row(
            code: "AADB2C90075",
            template:
                "The claims exchange '{0}' specified in step '{1}' returned HTTP error response with Code '{2}' and Reason '{3}'."
        ),
        Row(
            code: "AADB2C90077",
            template: "User does not have an existing session and request prompt parameter has a value of '{0}'."),
        Row(code: "AADB2C90079", template: "Clients must send a client_secret when redeeming a confidential grant."),
        Row(
            code: "AADB2C90080",
            template:
                "The provided grant has expired. Please re-authenticate and try again. Current time: {0}, Grant issued time: {1}, Grant sliding window expiration time: {2}.",
            variants: [
                "The provided grant has expired. Please re-authenticate and try again. Current time: {0}, Grant issued time: {1}, Grant expiration time: {2}"
            ]),
        Row(
            code: "AADB2C90081",
            template:
                "The specified client_secret does not match the expected value for this client. Please correct the client_secret and try again."
        ),
        Row(code: "AADB2C90083", template: "The request is missing required parameter: {0}."),
        Row(
            code: "AADB2C90084",
            template: "Public clients should not send a client_secret when redeeming a publicly acquired grant."),
        Row(
            code: "AADB2C90085",
            template: "The service has encountered an internal error. Please reauthenticate and try again."),
        Row(code: "AADB2C90086", template: "The supplied grant_type [{0}] is not supported."),
        Row(
            code: "AADB2C90088",
            template:
                "The provided grant has not been issued for this endpoint. Actual Value : {0} and Expected Value : {1}"),
        Row(code: "AADB2C90091", template: "{0}."),
        Row(
            code: "AADB2C90110",
            template:
                "The scope parameter must include 'openid' when requesting a response_type that includes 'id_token'."
        ),
        Row(
            code: "AADB2C90111",
            template: "Your account has been locked. Contact your support person to unlock it, then try again."),
        Row(
            code: "AADB2C90114",
            template: "Your account is temporarily locked to prevent unauthorized use. Try again later."),
        Row(code: "AADB2C90117", template: "The scope '{0}' provided in the request is not supported."),
        Row(code: "AADB2C90118", template: "The user has forgotten their password."),
        Row(
            code: "AADB2C90120",
            template:
                "The max age parameter '{0}' specified in the request is invalid. Max age must be an integer between '{1}' and '{2}' inclusive."
        ),
        Row(code: "AADB2C90129", template: "The provided grant has been revoked. Please reauthenticate and try again."),
        Row(
            code: "AADB2C90151",
            template: "User has exceeded the maximum number for retries for multi-factor authentication."),
        Row(
            code: "AADB2C90157", template: "User has exceeded the maximum number for retries for a self-asserted step."),
        Row(code: "AADB2C90159", template: "A self-asserted verification request has failed with reason '{0}'."),
        Row(code: "AADB2C90182", template: "The supplied code_verifier does not match associated code_challenge."),
        Row(code: "AADB2C90183", template: "The supplied code_verifier is invalid"),
        Row(
            code: "AADB2C90184",
            template: "The supplied code_challenge_method is not supported. Supported values are plain or S256."),
        Row(
            code: "AADB2C90205",
            template:
                "This application does not have sufficient permissions against this web resource to perform the operation."
        ),
        Row(code: "AADB2C90224", template: "Resource owner flow has not been enabled for the application."),
        Row(code: "AADB2C90225", template: "The username or password provided in the request are invalid."),
        Row(
            code: "AADB2C90233",
            template:
                "The provided id_token_hint parameter failed signature validation. Please provide another token and try again."
        ),
        Row(
            code: "AADB2C90248",
            template: "Resource owner flow can only be used by applications created through the B2C admin portal."),
        Row(
            code: "AADB2C90272",
            template:
                "The id_token_hint parameter has not been specified in the request. Please provide token and try again."
        ),
        Row(code: "AADB2C90273", template: "An invalid response was received : '{0}'"),
        Row(
            code: "AADB2C90289",
            template: "We encountered an error connecting to the identity provider. Please try again later.",
            variants: ["We encountered an '{0}' error connecting to the identity provider. Please try again later."]),
        Row(
            code: "AADB2C99001",
            template: "This user already exists, and profile '{0}' does not allow the same user to be created again."),
        Row(
            code: "AADB2C99002", template: "User does not exist. Please sign up before you can sign in.",
            variants: ["An account could not be found for the provided user ID."]),
        Row(code: "AADB2C99059", template: "The supplied request must present a code_challenge"),
    ]

    @Test(arguments: rows) func `messages have the words of the service`(_ row: Row) throws {
        let code = try #require(B2CErrorCode.named(row.code))
        #expect(code.template == row.template)
        #expect(code.variants == row.variants)
    }

    @Test func `values are filled into variants`() {
        #expect(
            B2CErrorCode.c90289.message(variant: 0, ["invalid_client"])
                == "We encountered an 'invalid_client' error connecting to the identity provider. Please try again later."
        )
        #expect(
            B2CErrorCode.c90080.message(variant: 0, ["3", "1", "2"]).hasSuffix(
                "Current time: 3, Grant issued time: 1, Grant expiration time: 2"))
        #expect(B2CErrorCode.c90091.message(["The user has cancelled"]) == "The user has cancelled.")
        #expect(B2CErrorCode.c90118.message(variant: 7, []) == B2CErrorCode.c90118.template)
    }
}
