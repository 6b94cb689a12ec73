import Determinism
import Exchanges
import JSON
import Records

/// A call of a protected API.
package struct CallAPI: CallRecord {
    package var api: String?
    package var url: String?
    package var path: String?
    package var method: String?
    package var headers = JSONObject()
    package var json: JSONValue?
    package var token = TokenPick.newest
    package var timeout: TimeSpan?

    package init() {}

    package static let name = "callApi"
    package static let doc = "The app calls a protected API."
    package static let traits: VerbTraits = [.app, .then]
    package static let shape = Shape.object(
        ObjectShape(
            title: title, fields: settings.map(\.field), exactlyOneOf: ["api", "url"], exactlyOneWord: "target"))
    package static let settings: [Setting<CallAPI>] = {
        var table = SettingsTable<CallAPI>()
        table.add("api", \.api, .optionalName(.apiName), "The API's name in the tenant file.")
        table.add("url", \.url, .optionalText.shaped(.url), "A literal URL.")
        table.add("path", \.path, .optionalText, "The path under the API's base URL.", default: "/")
        table.add("method", \.method, .method, "The HTTP method.", default: "GET, or POST with a body")
        table.add(
            "headers", \.headers, .members(.map(of: FaultShapes.header, keyHint: "name of the header field")),
            "Header fields.")
        table.add("json", \.json, .optionalJSON, "A JSON body.")
        table.add(
            "token", \.token, .token, "The token to send; null for none.", default: "the client's newest access token")
        table.add("timeout", \.timeout, Codec<TimeSpan>.span.optional(), "How long to wait for the answer.")
        return table.rows
    }()

    package var authority: (policy: String?, url: String?) { (nil, url) }

    /// Whether `headers` has the field that carries the token; `null` there says that none is sent.
    package var writesToken: Bool { headers.names("Authorization") }

    package var clash: (parameter: String, problem: String)? {
        switch token {
        case .text where writesToken: JSONObject.clash("Authorization", "token")
        default: nil
        }
    }

    package struct Returned: ResultRecord {
        package var answer: HTTPAnswer

        package init(answer: HTTPAnswer) { self.answer = answer }

        package static let members: [ResultMember<Returned>] = {
            var table = ResultTable<Returned>()
            table.add("reason", .text, "Why the API refused.") { $0.answer.response.refusal }
            return HTTPAnswer.members.map { $0.within(\.answer) } + table.members
        }()

        package func whole() -> Returned { Returned(answer: answer.whole()) }
    }

    package static let results: [any ResultRecord.Type] = [Returned.self]
}

extension JSONObject {
    /// Whether one of these header fields has a name, in any letter case.
    func names(_ header: String) -> Bool { keys.contains { $0.lowercased() == header.lowercased() } }

    static func clash(_ header: String, _ key: String) -> (parameter: String, problem: String) {
        ("headers", "`headers` has `\(header)`, and `\(key)` sets it too; remove one of them")
    }
}
