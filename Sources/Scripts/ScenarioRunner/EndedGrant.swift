import Determinism
import Exchanges
import JSON
import Scenarios
import Verbs

/// What ended the grant that a token request was refused for, and where: the step and the exchange.
struct EndedGrant {
    let outcome: JSONValue
    /// The records of all exchanges so far.
    let log: [JSONValue]
    let scenario: Scenario
    let step: Step

    /// `AADB2C90129: a new password ended the grant: step 2, exchange 12`; `nil`: no grant has ended, or it is not known how.
    var text: String? {
        guard step.expect?["error"] == nil, outcome["error"] != nil,
            let refused = outcome["requests"]?.arrayValue?.last(where: { $0["endpoint"] == "token" }),
            let status = refused["response", "status"]?.intValue, status >= 400,
            let text = refused["response", "json", "error_description"]?.stringValue,
            let code = text.firstMatch(of: /AADB2C\d{5}/).map({ String($0.output) }),
            let place = log.firstIndex(where: { $0["number"] == refused["number"] })
        else { return nil }
        let before = Array(log[..<place])
        let cause: String? =
            switch code {
            case "AADB2C90129": reused(refused, before) ?? revoked(before)
            case "AADB2C90080": issued(refused, before).map { "the refresh token has expired: \($0) issued it" }
            case "AADB2C90088": issued(refused, before).map { "the grant belongs to another policy: \($0) issued it" }
            default: nil
            }
        return cause.map { "\(code): \($0)" }
    }

    /// Where the grant was redeemed before.
    private func reused(_ refused: JSONValue, _ before: [JSONValue]) -> String? {
        guard refused["refusal"]?.stringValue?.contains("redeemed before") == true else { return nil }
        let first = before.last { record in
            ["refresh_token", "code"].contains { name in
                refused["form", name].map { $0 == record["form", name] } ?? false
            }
        }
        return first.map { "the refresh token was redeemed already: \(self.place(of: $0))" }
    }

    /// What made everything invalid that was issued before: a new password at a page, by Graph or by `configure`.
    private func revoked(_ before: [JSONValue]) -> String? {
        if let record = before.last(where: { Self.revocation(in: $0) != nil }),
            let what = Self.revocation(in: record)
        {
            return "\(what) ended the grant: \(place(of: record))"
        }
        let steps = scenario.allSteps.prefix { $0.pointer != step.pointer }
        for step in steps.reversed() where step.verb == .configure {
            let people = (step.parameters["users"]?.objectValue?.members ?? []).map(\.value)
            let what = [("password", "a new password"), ("refreshTokensValidFrom", "`refreshTokensValidFrom`")]
                .first { member in people.contains { $0[member.0] != nil } }?.1
            if let what { return "\(what) ended the grant: \(Self.name(of: step))" }
        }
        return nil
    }

    private static func revocation(in record: JSONValue) -> String? {
        guard let status = record["response", "status"]?.intValue, status < 300 else { return nil }
        if record["endpoint"] == "graph" {
            let url = record["url"]?.stringValue?.lowercased() ?? ""
            if url.hasSuffix("/revokesigninsessions") { return "`revokeSignInSessions`" }
            return record["json", "passwordProfile"] == nil ? nil : "a new password"
        }
        let fields = record["form"]?.objectValue?.keys ?? []
        guard record["endpoint"] == "page", record["response", "json", "status"]?.stringValue == "200",
            fields.contains(where: { $0.lowercased().contains("newpassword") })
        else { return nil }
        return "a new password"
    }

    /// Where the grant was issued.
    private func issued(_ refused: JSONValue, _ before: [JSONValue]) -> String? {
        guard let token = refused["form", "refresh_token"] else { return nil }
        return before.last { $0["response", "json", "refresh_token"] == token }.map { place(of: $0) }
    }

    /// `step 2, exchange 12`.
    private func place(of record: JSONValue) -> String {
        let number = record["number"].map { Interpolation.text(of: $0) } ?? "?"
        let title = record["step"]?.stringValue
        let step = scenario.allSteps.first { $0.title == title }
        return (step.map { "\(Self.name(of: $0)), " } ?? "") + "exchange \(number)"
    }

    /// The place of a step, or of the group that it is in.
    private static func name(of step: Step) -> String {
        guard let place = step.pointer.tokens.dropFirst().first.flatMap({ Int($0) }) else { return step.title }
        // bounded: the index of a step that was read.
        return "step \(place + 1)" + (step.pointer.tokens.first == "finally" ? " of `finally`" : "")
    }
}
