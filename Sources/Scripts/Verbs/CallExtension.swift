import Determinism
import Diagnostics
import Exchanges
import ExtensionCalls
import HTTPMessages
import JSON
import Records

/// A call of a custom authentication extension, as Microsoft Entra External ID makes it.
package struct CallExtension: CallRecord {
    package var url = ""
    /// `nil`: only the run shows it.
    package var event: ExtensionEvent?
    package var user: String?
    package var app: String?
    package var audience: String?
    package var host = ExtensionIssuer.Host.external
    package var tokenVersion = 2
    /// `nil`: no token is sent.
    package var token: TokenChange? = TokenChange()
    package var input = JSONObject()
    package var timeout = TimeSpan.seconds(1)
    package var retries = 1
    package var key: JSONValue?
    package var plain = false
    package var server: String?

    package init() {}

    /// What differs from the good token.
    package struct TokenChange: SettingsRecord {
        package var caller: String?
        package var issuer: String?
        package var age = TimeSpan.zero
        package var key = ExtensionToken.Key.own

        package init() {}

        package static let title = "changes of the caller's token"
        package static let summary = "What differs from the good token."
        package static let settings: [Setting<TokenChange>] = {
            var table = SettingsTable<TokenChange>()
            table.add(
                "caller", \.caller, .optionalText, "The application id in `azp` or `appid`.",
                default: "that of the service")
            table.add("issuer", \.issuer, .optionalText, "`iss`.", default: "that of the host")
            table.add(
                "age", \.age, .span, "Added to the time at which it is issued; `-PT2H` makes an expired token.",
                default: "PT0S")
            table.add("key", \.key, .word(), "What signs it.", default: "own")
            return table.rows
        }()
    }

    package static let name = "callExtension"
    package static let doc = "External ID calls a custom authentication extension and checks its answer."
    package static let settings: [Setting<CallExtension>] = {
        var table = SettingsTable<CallExtension>()
        table.add(
            "url", \.url, .text.shaped(.url), "The address of the extension; a `rest` stub answers there.",
            required: true)
        table.add("event", \.event, Codec<ExtensionEvent>.word().optional(), "When it is called.", required: true)
        table.add("user", \.user, .optionalName(.person), "The person.", default: "the first of the tenant")
        table.add("app", \.app, .optionalName(.app), "The app that the person signs in to.", default: "the client's")
        table.add("audience", \.audience, .optionalText, "`aud` of the token.", default: "one of the tenant's own")
        table.add("host", \.host, .word(), "Whose issuer and key the token has.", default: "external")
        table.add("tokenVersion", \.tokenVersion, .integer(1...2), "`ver` of the token.", default: "2")
        table.add(
            "token", \.token,
            Codec(
                shape: .nullable(Codec<TokenChange>.record().shape),
                decode: { $0.isNull ? .some(nil) : TokenChange.filled($0, $1).map { .some($0) } },
                encode: { $0.map { .object($0.said) } ?? .null }),
            "What differs from the good token; null sends none.", default: "the good one")
        table.add(
            "input", \.input, .members(.map(of: .any, keyHint: "name of the attribute or claim")),
            "Attributes, or claims of a verified id, besides those of the person.")
        table.add("timeout", \.timeout, .span, "How long the service waits: PT0.2S to PT2S.", default: "PT1S")
        table.add("retries", \.retries, .integer(0...1), "How often a failed call is repeated.", default: "1")
        table.add(
            "key", \.key, .optionalJSON,
            "Of `passwordSubmit`: the app's public key, as a JWK or as the text of a PEM file.")
        table.add("plain", \.plain, .bool, "Of `passwordSubmit`: JSON in place of a JWT inside the encrypted text.")
        table.add(
            "server", \.server, .optionalURL,
            "A running mock-server, whose issuer and keys a real function reads; the token has the real time then.",
            default: "the service's own addresses")
        return table.rows
    }()

    package func needs(keys: [String]) -> [(capability: Capability, reason: String)] {
        [(.mint, "signs as the service that calls extensions")]
    }

    package var clash: (parameter: String, problem: String)? {
        if !ExtensionCall.timeouts.contains(timeout) {
            return ("timeout", "`timeout` is \(timeout.iso8601), and the service allows PT0.2S to PT2S")
        }
        guard let key else {
            let problem = "`passwordSubmit` needs `key`, the public key of the extension's app, to encrypt the password"
            return event == .passwordSubmit ? ("event", problem) : nil
        }
        guard !Interpolation.isNeeded(in: key), ExtensionEncryption(written: key) == nil else { return nil }
        return ("key", "`key` is not an RSA key: expected a JWK, or a certificate or public key in PEM")
    }

    /// What came back, with secrets masked.
    package struct Returned: ResultRecord {
        package var outcome: ExtensionOutcome

        package init(outcome: ExtensionOutcome) { self.outcome = outcome }

        package static let members: [ResultMember<Returned>] = {
            var table = ResultTable<Returned>()
            table.add("action", .text, "The type of the action that the service carries out.") {
                $0.outcome.action?.type
            }
            table.add("members", .members, "The members of the answer's action.") { $0.masked($0.outcome.members) }
            table.add("claims", .members, "The claims or attributes of the action.") { $0.masked($0.outcome.claims) }
            table.add("attempts", ResultForm.part(Attempt.shapeName).list(), "The requests and what came back.") {
                $0.outcome.attempts.map { Attempt(attempt: $0) }
            }
            table.add("findings", ResultForm.part(Found.shapeName).list(), "What is wrong with the answer.") {
                $0.outcome.findings.map { Found(finding: $0) }
            }
            table.add("whatServiceDoes", .text, "What the service does with the answer.") {
                $0.outcome.masked($0.outcome.whatServiceDoes)
            }
            table.add("whatPersonSees", .text, "What the person sees.") { $0.outcome.whatPersonSees }
            return table.members
        }()

        private func masked(_ object: JSONObject) -> JSONObject {
            JSONObject(object.members.map { (outcome.masked($0.key), masked($0.value)) })
        }

        private func masked(_ value: JSONValue) -> JSONValue {
            switch value {
            case .string(let text): .string(outcome.masked(text))
            case .array(let values): .array(values.map { masked($0) })
            case .object(let object): .object(masked(object))
            default: value
            }
        }
    }

    /// One request with what came back.
    package struct Attempt: ResultRecord {
        var attempt: ExtensionAttempt

        package static let shapeName = "extensionAttempt"
        package static let members: [ResultMember<Attempt>] = {
            var table = ResultTable<Attempt>()
            table.add("status", .number, ResultDocs.status) { $0.attempt.response?.status }
            table.add("failure", .text, "Why no answer came: `timeout`, `refused`, ...") { $0.attempt.failure?.word }
            table.add("milliseconds", .number, "How long it took.") { Int($0.attempt.milliseconds) }
            return table.members
        }()
    }

    /// Something that is wrong with the answer.
    package struct Found: ResultRecord {
        var finding: ExtensionFinding

        package static let shapeName = "extensionFinding"
        package static let members: [ResultMember<Found>] = {
            var table = ResultTable<Found>()
            table.add("name", .text, "The name of the trap, such as `content-type`.") { $0.finding.id }
            table.add("code", .number, "The service's number, such as 1003006; absent if it goes on.") {
                $0.finding.code
            }
            table.add("reason", .text, "The service's name of the number.") { found -> String? in
                found.finding.code == nil ? nil : found.finding.name
            }
            table.add("severity", .text, "`error`, or `warning` if the service goes on.") {
                $0.finding.severity == .error ? "error" : "warning"
            }
            table.add("message", .text, "What is wrong.") { $0.finding.message }
            table.add("remedy", .text, "How to fix it.") { $0.finding.remedy }
            table.add("pointer", .text, "The place in the answer.") { $0.finding.pointer?.description }
            return table.members
        }()
    }

    package static let results: [any ResultRecord.Type] = [Returned.self]
}

extension ExtensionEvent: SettingWord {
    package var doc: String {
        switch self {
        case .tokenIssuanceStart: "A token is about to be issued."
        case .attributeCollectionStart: "The page of a sign-up is about to be shown."
        case .attributeCollectionSubmit: "The page of a sign-up was sent."
        case .emailOtpSend: "A code is about to be sent by e-mail."
        case .passwordSubmit: "A person with an old account has typed the password."
        case .verifiedIdClaimValidation: "A person recovers an account with a verified id."
        }
    }
}

extension ExtensionIssuer.Host: SettingWord {
    package var doc: String {
        switch self {
        case .external: "`{tenant}.ciamlogin.com` of an external tenant."
        case .workforce: "`login.microsoftonline.com`."
        }
    }
}

extension ExtensionToken.Key: SettingWord {
    package var doc: String {
        switch self {
        case .own: "The key of the host; that of `external` is published on the ciamlogin.com host alone."
        case .shared: "The key that both hosts publish."
        case .wrong: "Another key under the `kid` of a published one."
        case .none: "Nothing: `alg` is none."
        }
    }
}
