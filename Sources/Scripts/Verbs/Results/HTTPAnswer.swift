import B2CProtocol
import Exchanges
import HTTPMessages
import JSON

/// The answer to a request of a script. Its body is read when it is written.
package struct HTTPAnswer: ResultRecord {
    package let response: ResponseMessage
    private var parts = JSONObject()
    private var code: String?
    private var message: String?

    package init(_ response: ResponseMessage) { self.response = response }

    package static let members: [ResultMember<HTTPAnswer>] = {
        var table = ResultTable<HTTPAnswer>()
        table.add("status", .json(MatcherShapes.number), ResultDocs.status, isAlwaysPresent: true) {
            $0.parts["status"]
        }
        table.add(
            "headers", .json(MatcherShapes.members), "Header fields; names in lower case.", isAlwaysPresent: true
        ) { $0.parts["headers"] }
        table.add("body", .json(MatcherShapes.text), "The body as text.", isAlwaysPresent: true) { $0.parts["body"] }
        table.add("json", .json(MatcherShapes.matcher), "The body, read as JSON.") { $0.parts["json"] }
        table.add("location", .json(.ref("location")), "Where a redirect leads.") { $0.parts["location"] }
        table.add("b2cCode", .text, "The AADB2C code of the error.") { $0.code }
        table.add("b2cMessage", .text, "The error's text without correlation id and time.") { $0.message }
        return table.members
    }()

    package func whole() -> HTTPAnswer {
        var whole = self
        whole.parts = Exchange.answer(response)
        let description =
            whole.parts["json"]?["error_description"]?.stringValue
            ?? response.headers["Location"].flatMap { WebURL($0) }.flatMap {
                $0.fragmentItems["error_description"] ?? $0.queryItems["error_description"]
            } ?? response.text
        if let code = AADB2C.firstCode(in: description) {
            whole.code = code
            whole.message = B2CErrorText(parsing: description)?.message
        }
        return whole
    }
}
