import HTTPMessages

/// The calls that B2C itself makes, to an identity provider or a REST service, as a journey's messages report them. What
/// fails there does not concern the app or its machine.
enum ServiceCalls {
    static func read(_ places: PhraseIndex.Places, _ text: SymptomText, into facts: inout SymptomFacts) {
        for place in places.all(exchange).prefix(most) { readExchange(text, place, &facts) }
        for place in places.all(request).prefix(most) { readRequest(text, place, &facts) }
        for place in metadata.flatMap(places.all).prefix(most) {
            let window = text.window(place, upTo: min(place + 1500, text.plain.count))
            note(
                .provider, problem(window), label: "B2C asks", shown: quoted(window) ?? "metadata",
                line: text.line(ofPlain: place), in: &facts)
        }
        for place in places.all(service).prefix(most) {
            note(
                .rest, .tooSlow, label: "B2C calls", shown: "a REST service, and no answer came",
                line: text.line(ofPlain: place), in: &facts)
        }
    }

    private static let exchange = "returned http error response with code*"
    private static let request = "exception status code was*"
    private static let metadata = [
        "unable to connect to the metadata endpoint*", "unable to retrieve the metadata from*",
        "unable to connect to metadata endpoint*",
    ]
    private static let service = "failed to establish connection to restful service*"
    private static let most = 20

    /// What is looked up.
    static var phrases: [String] { [exchange, request, service] + metadata }

    private enum Callee { case provider, rest }

    /// How a call failed.
    private enum Problem {
        case badInput, refused, claimsRefused, notFound, conflict, failed, tooSlow, name, tls, unreachable, unknown
    }

    /// `The claims exchange 'X' specified in step 'N' returned HTTP error response with Code 'NotFound' and Reason '...'`.
    private static func readExchange(_ text: SymptomText, _ place: Int, _ facts: inout SymptomFacts) {
        let before = text.window(max(0, place - 300), upTo: place)
        let after = text.window(place, upTo: min(place + 600, text.plain.count))
        let name = before.ranges(of: "claims exchange").last.flatMap { quoted(before[$0.upperBound...]) }
        let step = before.ranges(of: "in step").last.flatMap { quoted(before[$0.upperBound...]) }
        guard let code = quoted(after) else { return }
        let reason = after.firstRange(of: "reason").flatMap { quoted(after[$0.upperBound...]) }
        let status = Int(code) ?? statuses[code]
        var found = status.map { problem(status: $0) } ?? .failed
        // No answer at all is reported as one, with the reason that there is none.
        if let reason, ["timeout limit", "failed to establish", "://"].contains(where: reason.contains) {
            found = .tooSlow
        }
        let line = text.line(ofPlain: place)
        let shown =
            "\(name.map { text.spelled($0, line: line) } ?? "a claims exchange")\(step.map { " in step \($0)" } ?? ""): "
        let answer = (status.map { "\($0) " } ?? "") + text.spelled(code, line: line)
        note(.rest, found, label: "B2C calls", shown: shown + answer, line: line, in: &facts)
    }

    /// `An exception was caught when making a request to URL "..." using method "Post". The exception status code was
    /// ProtocolError with the following message: ...`.
    private static func readRequest(_ text: SymptomText, _ place: Int, _ facts: inout SymptomFacts) {
        let before = text.window(max(0, place - 1000), upTo: place)
        let after = text.window(place, upTo: min(place + 800, text.plain.count))
        let address = before.ranges(of: "to url").last.flatMap { quoted(before[$0.upperBound...]) } ?? ""
        let path = address.firstRange(of: "://").map { address[$0.upperBound...] } ?? address[...]
        let isProvider = [
            "token", "authorize", "oauth", ".well-known", "userinfo", "metadata", "keys", "jwks", "/me",
            "graph.facebook.com/", "api.github.com/", "googleapis.com/", "api.twitter.com/", "api.linkedin.com/",
            "appleid.apple.com/", "login.microsoftonline.com/", "login.live.com/",
        ].contains { path.contains($0) }
        let line = text.line(ofPlain: place)
        var found = problem(after)
        // The person's data are asked for with the token, not with the app's secret.
        if isProvider, found == .refused || found == .badInput, !path.contains("token") { found = .claimsRefused }
        note(
            isProvider ? .provider : .rest, found, label: "B2C calls",
            shown: text.spelled(String(address.prefix { $0 != "?" }), line: line), line: line, in: &facts)
    }

    private static func problem(_ message: Substring) -> Problem {
        func says(_ words: [String]) -> Bool { words.contains { message.contains($0) } }
        if says(["nameresolutionfailure", "could not be resolved", "no such host", "name or service not known"]) {
            return .name
        }
        if says(["ssl/tls", "securechannelfailure", "trustfailure", "certificate", "secure channel"]) { return .tls }
        // `(404) Not Found` of .NET's message.
        for status in [400, 401, 403, 404, 405, 409, 410, 415, 422, 429, 500, 501, 502, 503, 504]
        where message.contains("(\(status))") {
            return problem(status: status)
        }
        if says(["timeout", "timed out"]) { return .tooSlow }
        if says(["invalid_client", "client secret"]) { return .refused }
        // An answer came, whatever it says.
        if says(["protocolerror"]) { return .unknown }
        return says(["connect", "retrieve the metadata", "sendfailure", "receivefailure"]) ? .unreachable : .unknown
    }

    private static func problem(status: Int) -> Problem {
        switch status {
        case 401, 403, 407: .refused
        case 404, 405, 410: .notFound
        case 409: .conflict
        case 408, 504: .tooSlow
        case 400..<429, 430..<500: .badInput
        default: .failed
        }
    }

    /// The names of .NET, in small letters.
    private static let statuses: [String: Int] = [
        "badrequest": 400, "unauthorized": 401, "forbidden": 403, "notfound": 404, "methodnotallowed": 405,
        "notacceptable": 406, "requesttimeout": 408, "conflict": 409, "gone": 410, "lengthrequired": 411,
        "preconditionfailed": 412, "requestentitytoolarge": 413, "unsupportedmediatype": 415,
        "unprocessableentity": 422, "toomanyrequests": 429, "internalservererror": 500, "notimplemented": 501,
        "badgateway": 502, "serviceunavailable": 503, "gatewaytimeout": 504,
    ]

    private static func note(
        _ party: Callee, _ problem: Problem, label: String, shown: String, line: Int, in facts: inout SymptomFacts
    ) {
        facts.add(label, shown, line: line)
        facts.add(.b2cCalls, line, shown)
        if let trait = trait(party, problem) { facts.add(trait, line, shown) }
    }

    private static func trait(_ party: Callee, _ problem: Problem) -> Trait? {
        switch (party, problem) {
        case (.rest, .badInput): .restBadInput
        case (.rest, .refused), (.rest, .claimsRefused): .restRefused
        case (.rest, .notFound): .restNotFound
        case (.rest, .conflict): .restConflict
        case (.rest, .failed): .restFailed
        case (.rest, .tooSlow), (.rest, .unreachable): .restTooSlow
        case (.rest, .name): .restName
        case (.rest, .tls): .restTLS
        case (.provider, .badInput), (.provider, .refused), (.provider, .conflict): .providerRefuses
        case (.provider, .claimsRefused): .providerRefusesClaims
        case (.provider, .notFound): .providerNotFound
        case (.provider, .failed): .providerFails
        case (.provider, .tls): .providerTLS
        case (.provider, .name): .providerName
        case (.provider, .tooSlow), (.provider, .unreachable): .providerUnreachable
        case (_, .unknown): nil
        }
    }

    /// The first value in quotation marks, however often they were doubled.
    private static func quoted(_ text: some StringProtocol) -> String? {
        guard let open = text.firstIndex(where: { $0 == "'" || $0 == "\"" }) else { return nil }
        let value = text[open...].drop { $0 == "'" || $0 == "\"" }.prefix { $0 != "'" && $0 != "\"" && $0 != "<" }
        return value.isEmpty || value.count > 300 ? nil : String(value)
    }
}
