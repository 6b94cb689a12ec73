extension Cause {
    /// What happens under the protocol: names, TLS, proxies, gateways, and what browsers block.
    static let transport: [Cause] = [
        .known(
            "certificate-not-trusted",
            "The machine does not trust the certificate that it was shown: usually a proxy or scanner in between puts its own, or the store of authorities is old.",
            signs: [
                .strong("unable to get local issuer certificate | unable_to_get_issuer_cert_locally"),
                .strong("self signed certificate in certificate chain | self-signed certificate in certificate chain"),
                .strong("self_signed_cert_in_chain | depth_zero_self_signed_cert | unable_to_verify_leaf_signature"),
                .strong("unable to verify the first certificate | certificate_verify_failed"),
                .strong("pkix path building failed | unable to find valid certification path to requested target"),
                .strong("certificate signed by unknown authority | err_cert_authority_invalid"),
                .strong("the remote certificate is invalid according to the validation procedure"),
                .strong("remotecertificatechainerrors | partialchain | untrustedroot"),
                .fair("self signed certificate | self-signed certificate | certificate is not trusted"), .fair("-1202"),
                .weak("the ssl connection could not be established"), .weak("proxy"),
            ],
            check: "Who issued the certificate that this machine is shown for the host: a company's own authority?",
            fix:
                "Add the proxy's authority to the store that the runtime reads (NODE_EXTRA_CA_CERTS, REQUESTS_CA_BUNDLE, cacerts), or update the store; do not turn the check off."
        ),
        .known(
            "certificate-of-another-host",
            "The certificate does not name the host that was asked: a custom domain without its certificate, a wrong DNS entry, or a proxy.",
            signs: [
                .strong("hostname/ip does not match certificate's altnames | err_tls_cert_altname_invalid"),
                .strong("err_cert_common_name_invalid | remotecertificatenamemismatch"),
                .strong("no subject alternative dns name matching | no subject alternative names"),
                .strong("certificate is not valid for any names | doesn't match any of the subject alternative names"),
                .fair("hostname mismatch | hostname & not verified | certificate & hostname"),
            ],
            check: "Which names does the certificate at this host have, and does the custom domain's DNS entry fit?",
            fix: "Bind a certificate for the host at Front Door or the proxy, or correct the host in the authority."),
        .known(
            "certificate-expired",
            "The certificate has expired or is not valid yet for this machine: it was not renewed, or the machine's clock is wrong.",
            signs: [
                .strong("err_cert_date_invalid | cert_has_expired | cert_not_yet_valid"),
                .strong("certificate has expired or is not yet valid"),
                .strong("certificate has expired | certificate expired"), .strong("certificateexpiredexception"),
                .fair("certificate is not yet valid | certificatenotyetvalid*"),
            ],
            check: "Compare the certificate's dates with the machine's clock.",
            fix: "Renew the certificate, or correct the clock."),
        .known(
            "tls-version-or-cipher",
            "Client and server agree on no version or cipher of TLS: the client has no TLS 1.2, or a proxy in between speaks something else.",
            signs: [
                .strong("could not create ssl/tls secure channel"), .strong("tlsv1 alert protocol version"),
                .strong("err_ssl_version_or_cipher_mismatch | err_ssl_protocol_error | err_ssl_protocol"),
                .strong("they do not possess a common algorithm"), .strong("handshake_failure | aadsts1002016"),
                .strong("sslv3 alert handshake failure | ssl3_get_record:wrong version number"),
                .fair("wrong version number | unsupported protocol & ssl | protocol_version"),
                .fair("tls 1.0 | tls 1.1"), .fair("nsurlerrordomain & -1200"),
            ],
            check: "Which TLS versions does the client's runtime and system allow?",
            fix: "Use TLS 1.2 or later: update the runtime, and turn it on in .NET Framework and old Java."),
        .known(
            "proxy-in-the-way",
            "A proxy refuses the connection or wants its own sign-in.",
            signs: [
                .strong("proxy authentication required | 407 (proxy* | err_proxy_auth_requested"),
                .strong("err_tunnel_connection_failed | err_proxy_connection_failed"),
                .strong("tunneling socket could not be established | unable to tunnel through proxy"),
                .strong("cannot connect to proxy | unable to connect to proxy | proxyerror"),
                .strong(
                    "kcferrordomaincfnetwork & 306 | kcferrordomaincfnetwork & 310 | kcferrordomaincfnetwork & 311"),
                .strong("failed to get applicable proxy auth"),
                .fair("status code '407'"), .fair("status code 407 | status: 407 | http 407"),
                .weak("http_proxy | https_proxy"),
            ],
            check: "Which proxy do the environment and the runtime use, and does it allow the login host?",
            fix: "Set the proxy with its credentials for the runtime, and allow the login host in it."),
        .known(
            "host-name-not-found",
            "The name of the host cannot be resolved: it is spelled wrong, such as the tenant in {tenant}.b2clogin.com, has no DNS entry, or DNS does not work there.",
            signs: [
                .strong("getaddrinfo enotfound | getaddrinfo eai_again | getaddrinfo failed | enotfound"),
                .strong("err_name_not_resolved | dns_probe_finished_nxdomain"), .strong("no such host is known"),
                .strong("name or service not known | nodename nor servname provided*"),
                .strong("temporary failure in name resolution | name resolution failed | nameresolutionerror"),
                .strong("the remote name could not be resolved | could not resolve host"),
                .strong("unknownhostexception | unable to resolve host"), .fair("nsurlerrordomain & -1003"),
            ],
            check:
                "Which host does the message name? Is the tenant's name in it spelled right, and does it resolve elsewhere?",
            fix:
                "Correct the host in the authority or metadata address; give the machine or container a DNS that knows it."
        ),
        .known(
            "connection-cut-or-timed-out",
            "The connection was refused, cut or took too long: a firewall, a proxy, no network, or a service that is down.",
            signs: [
                .strong("connection reset by peer | err_connection_reset | econnreset"),
                .strong("an existing connection was forcibly closed"), .fair("socket hang up"),
                .strong("etimedout | err_connection_timed_out | err_timed_out | connecttimeouterror"),
                .strong("connected party did not properly respond after a period of time"),
                .strong("sockettimeoutexception | connecttimeoutexception | connect timed out | read timed out"),
                .fair("econnrefused | err_connection_closed | err_connection_aborted | connection timed out"),
                .fair("the underlying connection was closed | the request was canceled due to the configured*"),
                .fair("err_internet_disconnected | err_network_changed | err_address_unreachable"),
                .fair("nsurlerrordomain & -1001 | nsurlerrordomain & -1005"), .weak("httpclient.timeout"),
                .excluded(by: "econnrefused 127.0.0.1* | econnrefused ::1*"),
                .weak("firewall"),
            ],
            check: "Can the machine open the address with curl, and does it happen always or now and then?",
            fix: "Allow the login host and port 443 in firewall and proxy; try again with a pause where it passes."),
        .known(
            "headers-too-big-for-the-proxy",
            "The answer's headers are longer than the proxy's buffer: usually the cookies of the session with its tokens.",
            signs: [
                .certain("upstream sent too big header*"), .certain("err_response_headers_too_big"),
                .strong("502 & upstream & header"), .fair("431 (request header* | http 431 | status 431"),
            ],
            check: "How long are the Set-Cookie headers of the callback's answer?",
            fix: "Raise the proxy's buffers (proxy_buffer_size), or keep tokens on the server instead of in the cookie."
        ),
        .known(
            "host-not-bound",
            "The server or gateway that answered does not know the host name of the request.",
            signs: [
                .strong("bad request - invalid hostname | invalid hostname"), .fair("404 web site not found"),
                .fair("the request hostname is invalid"),
            ],
            check: "Which host does the request or the forwarded Host header have, and is it bound at the origin?",
            fix:
                "Bind the host name at the server, or let the gateway send the origin's own host; for B2C use the custom domain's Front Door with {tenant}.b2clogin.com as origin host header."
        ),
        .known(
            "gateway-error-in-between",
            "A gateway in front of the app or of the login host failed to get an answer.",
            signs: [
                .fair("502 bad gateway | 502 (bad gateway* | status code 502 | err_bad_gateway"),
                .fair("504 gateway time-out | 504 gateway timeout | 504 (gateway* | status code 504"),
                .strong("our services aren't available right now"), .weak("x-azure-ref"), .weak("front door"),
            ],
            check: "Which host answered, and does the origin behind it answer?",
            fix: "Repair the origin or route of the gateway; try again where it passes."),
        .known(
            "blocked-by-a-content-blocker",
            "Something in the browser blocks the request: an extension, a privacy setting or a company's rule.",
            signs: [
                .strong("err_blocked_by_client"), .strong("err_blocked_by_administrator | err_blocked_by_response"),
                .fair("tracking prevention | enhanced tracking protection"),
            ],
            check: "Does it work in a window without extensions?",
            fix: "Allow the login host in the blocker."),
        .known(
            "storage-blocked", libraries: [.msalJS],
            "The browser gives the page no storage: cookies and site data are blocked, or the page is in a frame of another site.",
            signs: [
                .strong("access is denied for this document"), .strong("storage_not_supported"),
                .strong("failed to read the 'sessionstorage'* | failed to read the 'localstorage'*"),
                .strong("quotaexceedederror | exceeded the quota"), .strong("database_not_open | database_unavailable"),
                .fair("the operation is insecure"),
            ],
            check: "Are cookies and site data allowed for the app, and is it inside a frame?",
            fix: "Allow site data for the app, or open it outside of the frame."),
        .known(
            "opener-policy-cuts-the-window", libraries: [.msalJS],
            "Cross-Origin-Opener-Policy separates the page from its sign-in window, so it cannot see the answer or that the window was closed.",
            signs: [
                .strong("cross-origin-opener-policy would block* | cross-origin-opener-policy policy would block*"),
                .fair("cross-origin-opener-policy"),
            ],
            check: "Which Cross-Origin-Opener-Policy do the app's page and the page at redirectUri send?",
            fix: "Send same-origin-allow-popups or none, or sign in by redirect."),
        .known(
            "frame-of-another-origin", libraries: [.msalJS],
            "A script read a window or frame that is at another origin: the sign-in page is still open there, or the redirect URI is at another origin than the app.",
            signs: [
                .fair("blocked a frame with origin"), .fair("from accessing a cross-origin frame"),
                .fair("permission denied to access property & cross-origin object"),
            ],
            check: "Are the app and its redirect URI at one origin: scheme, host and port?",
            fix: "Use a redirect URI at the app's own origin. While the page is open the message alone does no harm."),
        .known(
            "report-only-policy",
            "The browser only reports: a content security policy marked \"Report Only\" blocks nothing, so what does not work has another reason.",
            signs: [.certain("[report only] refused*"), .fair("content-security-policy-report-only")],
            check: "Which other message or failed request is in the console?",
            fix:
                "Ignore the message. Scripts of a page template run when JavaScript is enabled in the policy or user flow."
        ),
        .known(
            "waf-blocks-the-request",
            "A web application firewall in front of the custom domain blocks the request: parameters of a sign-in look like an attack to its rules.",
            signs: [
                .strong("the request is blocked & azure*"), .strong("the request is blocked & ref*"),
                .fair("x-azure-ref & 403 | front door & blocked"),
            ],
            check: "Which rule does the firewall's log name for that reference?",
            fix: "Exclude the parameters (state, code, id_token, samlresponse) from that rule, or set it to detection."),
        .known(
            "mixed-content",
            "An https page asks for an http address, which browsers block.",
            signs: [.strong("mixed content"), .weak("insecure & https")],
            check: "Which address in the message is http?", fix: "Use https for it."),
        .known(
            "cors-of-the-api",
            "The app's own API answers the browser without the CORS header that it needs; the sign-in has no part in it.",
            signs: [
                .strong("{corsAtOwnApi}"),
                .strong("request header field authorization is not allowed by access-control-allow-headers*"),
                .strong("redirect is not allowed for a preflight request"),
                .strong("does not have http ok status"),
                .fair("response to preflight request doesn't pass access control check"),
                .fair("must not be the wildcard '*' when* | contains multiple values"),
            ],
            check:
                "Does the API allow the app's origin, the header Authorization and OPTIONS without a token? Does it redirect to https or to a sign-in?",
            fix:
                "Add the origin and the header to the API's CORS rules, before its authentication; call its https address."
        ),
        .known(
            "secrets-in-an-unsafe-page", libraries: [.msalJS],
            "The page is not a secure context, so the browser gives it no cryptography.",
            signs: [
                .strong("crypto_nonexistent"), .strong("crypto.subtle & undefined"),
                .fair("only available in secure contexts"),
            ],
            check: "Is the page's address https, or http://localhost?",
            fix: "Serve the app over https; while developing use localhost."),
    ]
}
