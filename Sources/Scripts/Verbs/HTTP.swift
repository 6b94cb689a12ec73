import JSON
import Records

/// One request of the script's own.
package struct HTTP: WireCall {
    package var request = WireRequest()
    package var method: String?
    package var json: JSONValue?
    package var body: String?
    package var cookies = false

    package init() {}

    package static let name = "http"
    package static let doc = "One HTTP request; no redirect is followed."
    package static let shape = wireShape(atMostOneOf: [["form", "json", "body"]])
    package static let settings: [Setting<HTTP>] = {
        var table = requestTable
        table.add("method", \.method, .method, "The HTTP method.", default: "GET, or POST with a body")
        table.add(
            "form", \.request.form, .optionalMembers,
            "Fields of a form body; null removes one that the app would send.")
        table.add("json", \.json, .optionalJSON, "A JSON body.")
        table.add("body", \.body, .optionalText, "A body as text.")
        table.add("cookies", \.cookies, .bool, "Sends and keeps the browser's cookies.")
        table.add(
            "from", \.request.from, .optionalName(.step),
            """
            An `open` or `acquireToken` step: fills `grant_type`, `code`, `code_verifier` and `redirect_uri` of a token \
            request from it.
            """)
        return table.rows
    }()

    package var needsClient: Bool { request.endpoint != nil || request.url == nil || cookies }

    package func needs(keys: [String]) -> [(capability: Capability, reason: String)] {
        cookies ? [(.browserRequests, "sends the browser's cookies by hand")] : []
    }

    package var clash: (parameter: String, problem: String)? {
        cookies && request.headers.names("Cookie") ? JSONObject.clash("Cookie", "cookies") : nil
    }

    package static let results: [any ResultRecord.Type] = [HTTPAnswer.self]
}
