import Determinism
import HTTPMessages
import JOSE
import JSON

extension ExtensionCall {
    /// Sends the call as the service does, and checks the answer: within a time limit, and a second time after a
    /// time-out, an answer of 500 and above, or a connection problem.
    ///
    /// - Parameter generator: Encrypts the password.
    /// - Throws: ``JOSEError/unsupportedKey(_:)`` if a password cannot be encrypted.
    public func send(
        over transport: any Transport, clock: any WallClock, using generator: SeededGenerator
    ) async throws(JOSEError) -> ExtensionOutcome {
        var generator = generator
        let body = try body(using: &generator)
        let limit = min(max(timeout, Self.timeouts.lowerBound), Self.timeouts.upperBound)
        let bearer = token.map { issuer.signed($0, now: clock.now()) }
        var request = RequestMessage.post(url, json: .object(body), headers: ["Accept": "application/json"])
        if let bearer { request.headers.append("Authorization", "Bearer \(bearer)") }
        if method != "POST" {
            request = RequestMessage(method: method, url: url, headers: request.headers)
            request.headers["Content-Type"] = nil
        }
        var outcome = ExtensionOutcome(attempts: [], body: body, secrets: secrets + (bearer.map { [$0] } ?? []))
        repeat {
            let attempt = await ExtensionAttempt(request, over: transport, clock: clock, limit: limit)
            outcome.attempts.append(attempt)
            guard attempt.failure != nil || (attempt.response?.status ?? 0) >= 500 else { break }
        } while outcome.attempts.count <= min(retries, 1)
        var check = ExtensionAnswerCheck(self, body: body)
        check.read(outcome.attempts, limit: limit)
        outcome.note(check.findings)
        outcome.members = check.members
        if outcome.errors.isEmpty { outcome.action = check.action }
        return outcome
    }
}
