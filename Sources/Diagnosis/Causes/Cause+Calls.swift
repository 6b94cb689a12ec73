extension Cause {
    /// Calls that B2C makes while a journey runs: to REST services and to identity providers.
    static let calls: [Cause] =
        [
            call(
                "rest-service-not-found", [.restNotFound],
                "The REST service of the step answers 404: ServiceUrl of its profile is wrong, or nothing is deployed at that path.",
                check:
                    "Call ServiceUrl with the same verb from outside: host, path, route prefix such as /api, and the claims in braces that are filled in?",
                fix:
                    "Correct ServiceUrl of the technical profile, or deploy the function at that address. A service that means \"no such person\" answers 200 with an empty claim, not 404."
            ),
            call(
                "rest-service-refuses-the-call", [.restRefused],
                "The REST service of the step refuses B2C's credentials: it answers 401 or 403.",
                check:
                    "Which AuthenticationType has the profile, does the policy key hold the current user name, password, certificate, token or function key, and does the service let B2C's addresses in?",
                fix:
                    "Put the valid credential into the policy key that the profile names, and let the service's firewall and platform authentication accept the call."
            ),
            call(
                "rest-service-refuses-input", [.restBadInput],
                "The REST service of the step does not accept what B2C sends: it answers 400 or another status of that kind.",
                check:
                    "Log the body that arrives: are the names those of PartnerClaimType, are all claims set at that step, and does SendClaimsIn (Body, Form, QueryString, Url, Header) fit the service?",
                fix:
                    "Map the claims to the names and place that the service reads. To show the person a message, answer 409 with userMessage."
            ),
            call(
                "rest-service-conflict", [.restConflict],
                "The REST service of the step answers 409, which is its refusal, and no page is there to show the message: the service was called by a step of the journey.",
                check:
                    "Is the profile called by an orchestration step? Only a validation technical profile of a page shows userMessage.",
                fix:
                    "Call the service as validation technical profile of a page, or answer 200 with a claim that a later step tests."
            ),
            call(
                "rest-service-fails", [.restFailed],
                "The REST service of the step fails itself: it answers 5xx, or is too busy (429).",
                check: "What does the log of the service say at that time, and is it running?",
                fix:
                    "Repair the service; answer errors as 409 with userMessage, and keep it warm. In the policy nothing is wrong."
            ),
            call(
                "rest-service-name-not-found", [.restName],
                "B2C does not find the host of the REST service: ServiceUrl has a wrong host, or one that public DNS does not know.",
                check: "Does the host of ServiceUrl resolve from the internet?",
                fix: "Correct ServiceUrl, and use a host with a public DNS entry."),
            call(
                "rest-service-tls", [.restTLS],
                "B2C cannot open a TLS connection to the REST service: its certificate is not from a public authority or has expired, or it does not offer TLS 1.2.",
                check: "Who issued the certificate, for which host and until when, and is TLS 1.2 on?",
                fix: "Give the service a certificate of a public authority with its whole chain, and TLS 1.2 or later."
            ),
            call(
                "provider-tls", [.providerTLS],
                "B2C cannot open a TLS connection to the identity provider: its certificate is not from a public authority, is incomplete or has expired, or it does not offer TLS 1.2.",
                check:
                    "Open the provider's address from outside: who issued the certificate, is the chain whole, and is TLS 1.2 on?",
                fix:
                    "Give the provider a certificate of a public authority with its whole chain, and TLS 1.2 or later. The app and its machine are not concerned."
            ),
            call(
                "provider-refuses-the-claims-call", [.providerRefusesClaims],
                "The identity provider took the code and refuses B2C the person's data: the access token is sent in another way than it wants, lacks a scope, or the call has no user agent.",
                check:
                    "Which address is ClaimsEndpoint, and what do ClaimsEndpointAccessTokenName, BearerTokenTransmissionMethod and scope of the profile say?",
                fix:
                    "Set BearerTokenTransmissionMethod to AuthorizationHeader, add the scope, and for GitHub UserAgentForClaimsExchange."
            ),
            call(
                "provider-name-not-found", [.providerName],
                "B2C does not find the identity provider's host: its address in the policy is wrong, or public DNS does not know it.",
                check: "Does the host in METADATA or the endpoint resolve from the internet?",
                fix: "Correct the address in the technical profile; publish the host in public DNS."),
            call(
                "provider-not-found", [.providerNotFound],
                "The address of the identity provider in the policy does not exist: the provider answers B2C with 404.",
                check: "Open METADATA, or the endpoint in the message: which setting of the technical profile has it?",
                fix: "Correct METADATA or the endpoint in the technical profile."),
            call(
                "provider-not-reached", [.providerUnreachable],
                "B2C does not reach the identity provider, or the issuer whose METADATA a profile names: it is down, too slow, or not open to the internet.",
                check:
                    "Does the address in the message answer from the internet, without a VPN and a list of addresses? A localhost address or tunnel is reached by you alone.",
                fix:
                    "Open metadata, token and key endpoints to the internet, since B2C has no fixed address; or correct METADATA."
            ),
            call(
                "provider-fails", [.providerFails],
                "The identity provider fails itself: it answers B2C with 5xx or 429.",
                check: "Is there an outage at the provider, or too many sign-ins at once?",
                fix: "Try again later; ask the provider."),
        ]

    private static func call(
        _ id: String, _ traits: [Trait], _ cause: String, check: String, fix: String
    ) -> Cause {
        let seen = traits.map { "{\($0.rawValue)}" }.joined(separator: " | ")
        return .known(id, cause, signs: [.certain(seen)], check: check, fix: fix)
    }
}
