import ArgumentParser
import CommandKit
import ExtensionCalls
import HTTPMessages
import JSON

/// `b2c extension`: functions that replace API calls of policies in Microsoft Entra External ID.
struct ExtensionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "extension",
        abstract: "Calls custom authentication extensions as Microsoft Entra External ID does.",
        discussion: """
            An extension is a function that the service calls at an event of a sign-in. The events are \
            tokenIssuanceStart, attributeCollectionStart, attributeCollectionSubmit, emailOtpSend, passwordSubmit and \
            verifiedIdClaimValidation.

            A function checks the caller's token, so it needs issuer and keys first: run `b2c serve`, configure the \
            function with http://localhost:9400/extension-caller/external/{tenant id}, and give --server.
            """,
        subcommands: [ExtensionCallCommand.self, ExtensionTestCommand.self, ExtensionCompareCommand.self])
}

/// `b2c extension call`.
struct ExtensionCallCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "call",
        abstract: "Calls an extension once and shows what the service does with the answer.",
        discussion: """
              b2c extension call http://localhost:7071/api/claims \\
                --event tokenIssuanceStart --server http://localhost:9400

            Passwords and codes are masked. Ends with 0; with 4 if the service does not accept the answer.
            """)

    @OptionGroup var options: ExtensionOptions

    @Flag(name: .long, help: "Print one JSON object.")
    var json = false

    @Flag(name: .long, help: "Print passwords and codes as they are.")
    var showSecrets = false

    func run() async throws {
        try await options.withCall { call, transport, generator in
            let outcome = try await call.send(over: transport, clock: Machine.clock, using: generator)
            let shown = ShownExtensionCall(call, outcome, masksSecrets: !showSecrets)
            if json {
                Machine.out.write(data: JSONWriter.pretty(.object(shown.json)) + "\n")
            } else {
                Machine.out.write(shown.text)
            }
            if !outcome.errors.isEmpty { throw Failure.silent(.expectation) }
        }
    }
}

/// A call with its outcome, for people and programs.
struct ShownExtensionCall {
    private let call: ExtensionCall
    private let outcome: ExtensionOutcome
    private let masksSecrets: Bool

    init(_ call: ExtensionCall, _ outcome: ExtensionOutcome, masksSecrets: Bool) {
        self.call = call
        self.outcome = outcome
        self.masksSecrets = masksSecrets
    }

    private func masked(_ text: String) -> String { masksSecrets ? outcome.masked(text) : text }

    private func masked(_ value: JSONValue) -> JSONValue {
        switch value {
        case .string(let text): return .string(masked(text))
        case .array(let values): return .array(values.map { masked($0) })
        case .object(let object): return .object(JSONObject(object.members.map { ($0.key, masked($0.value)) }))
        default:
            let text = value.description
            return masked(text) == text ? value : .string(masked(text))
        }
    }

    /// The answer of an attempt, or why there is none.
    private func words(_ attempt: ExtensionAttempt) -> String {
        let result = attempt.response.map { "\($0.status)" } ?? attempt.failure?.description ?? "no answer"
        return "\(masked(result)) after \(attempt.milliseconds) ms"
    }

    private func body(_ response: ResponseMessage) -> JSONValue {
        response.json.map { masked($0) } ?? .string(masked(response.text))
    }

    /// Lines with labels.
    var text: String {
        var lines = ["sent      \(call.method) \(call.url)  \(call.event.rawValue)"]
        if let token = call.token {
            let issuer = call.issuer.issuer(token.host)
            lines.append("token     version \(token.version), aud \(token.audience), iss \(issuer)")
        }
        lines.append(Self.indented(JSONWriter.pretty(masked(.object(outcome.body)))))
        for attempt in outcome.attempts { lines.append("answered  \(words(attempt))") }
        if let response = outcome.response, !response.body.isEmpty {
            let shown = body(response)
            lines.append(Self.indented(shown.stringValue.map { String($0.prefix(2000)) } ?? JSONWriter.pretty(shown)))
        }
        if let action = outcome.action { lines.append("action    \(action.type)") }
        if !outcome.whatServiceDoes.isEmpty { lines.append("service   \(outcome.whatServiceDoes)") }
        if !outcome.whatPersonSees.isEmpty { lines.append("person    \(outcome.whatPersonSees)") }
        for finding in outcome.findings {
            let code = finding.code.map { "\($0) " } ?? ""
            let place = finding.pointer.map { " at \($0)" } ?? ""
            lines.append("\(finding.severity.rawValue)  \(code)\(finding.name)\(place) [\(finding.rule)]")
            lines.append("  what    \(finding.message)\(finding.isInferred ? " (inferred)" : "")")
            lines.append("  fix     \(finding.remedy)")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func indented(_ text: String) -> String {
        text.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n")
    }

    var json: JSONObject {
        var object: JSONObject = [
            "event": .string(call.event.rawValue), "url": .string(call.url.description),
            "accepted": .bool(outcome.errors.isEmpty), "sent": masked(.object(outcome.body)),
        ]
        object["audience"] = call.token.map { .string($0.audience) }
        object["issuer"] = call.token.map { .string(call.issuer.issuer($0.host)) }
        object["attempts"] = .array(
            outcome.attempts.map { attempt in
                var entry: JSONObject = ["milliseconds": .integer(attempt.milliseconds)]
                entry["status"] = attempt.response.map { .integer(Int64($0.status)) }
                entry["failure"] = attempt.failure.map { .string($0.word) }
                entry["body"] = attempt.response.map { body($0) }
                return .object(entry)
            })
        object["action"] = outcome.action.map { .string($0.type) }
        object["service"] = .string(outcome.whatServiceDoes)
        object["person"] = .string(outcome.whatPersonSees)
        object["findings"] = .array(outcome.findings.map { .object($0.json) })
        return object
    }
}

extension ExtensionFinding {
    /// As reports have it.
    var json: JSONObject {
        var object: JSONObject = ["rule": .string(rule), "id": .string(id), "name": .string(name)]
        object["code"] = code.map { .integer(Int64($0)) }
        object["severity"] = .string(severity.rawValue)
        object["message"] = .string(message)
        object["remedy"] = .string(remedy)
        object["pointer"] = pointer.map { .string($0.description) }
        object["inferred"] = .bool(isInferred)
        return object
    }
}
