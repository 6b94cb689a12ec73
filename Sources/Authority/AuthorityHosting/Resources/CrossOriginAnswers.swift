import HTTPMessages

/// How a service lets pages of other origins read its answers (Fetch, section 3.2.3).
struct CrossOriginAnswers {
    /// The origins that may; `*` for all.
    var origins: [String]

    /// The answer to a browser that asks in advance; `nil` for any other request.
    ///
    /// - Parameter lack: Why an origin gets no permission.
    func preflight(_ request: RequestMessage, lack: String) -> ResponseMessage? {
        guard request.method == "OPTIONS", let origin = request.headers["Origin"],
            let method = request.headers["Access-Control-Request-Method"]
        else { return nil }
        var answer = ResponseMessage(status: 204)
        guard let allowed = allowed(origin) else {
            answer.refusal = lack
            return answer
        }
        answer.headers.append("Access-Control-Allow-Origin", allowed)
        answer.headers.append("Access-Control-Allow-Methods", method)
        if let asked = request.headers["Access-Control-Request-Headers"] {
            answer.headers.append("Access-Control-Allow-Headers", asked)
        }
        if allowed != "*" { answer.headers.append("Vary", "Origin") }
        return answer
    }

    /// An answer with what the page of a request needs to read it.
    func shared(_ answer: ResponseMessage, with request: RequestMessage) -> ResponseMessage {
        guard let origin = request.headers["Origin"], let allowed = allowed(origin) else { return answer }
        var answer = answer
        answer.headers.append("Access-Control-Allow-Origin", allowed)
        if allowed != "*" { answer.headers.append("Vary", "Origin") }
        return answer
    }

    private func allowed(_ origin: String) -> String? {
        if origins.contains("*") { return "*" }
        return origins.contains(origin) ? origin : nil
    }
}
