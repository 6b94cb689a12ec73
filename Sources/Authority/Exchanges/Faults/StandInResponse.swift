import HTTPMessages
import JSON

/// An answer in place of the peer's.
public struct StandInResponse: Hashable, Sendable {
    /// HTTP status.
    public var status: Int
    /// Header fields in order.
    public var headers: [HeaderField]
    /// Body as text; a JSON body is written out.
    public var body: String

    init(filled value: JSONValue, at pointer: JSONPointer) throws(MalformedValue) {
        let reader = FilledObject(value, at: pointer, called: "respond")
        try reader.allow(["status", "headers", "json", "body"])
        status = try reader.status("status") ?? 200
        headers = []
        for (name, text) in (try reader.object("headers"))?.members ?? [] {
            let field = HeaderField(name: name, value: Interpolation.text(of: text))
            if let problem = field.problem { throw reader.fault(problem, at: "headers") }
            headers.append(field)
        }
        if let json = reader.value("json") {
            guard !reader.has("body") else { throw reader.fault("`json` and `body` exclude each other", at: "body") }
            body = JSONWriter.compact(json)
            if !headers.contains(where: { $0.name.lowercased() == "content-type" }) {
                headers.append(HeaderField(name: "Content-Type", value: "application/json; charset=utf-8"))
            }
        } else {
            body = try reader.text("body") ?? ""
        }
    }

    /// The answer as a message.
    public var message: ResponseMessage {
        var fields = Headers()
        for header in headers { fields.append(header.name, header.value) }
        return ResponseMessage(status: status, headers: fields, body: Array(body.utf8))
    }
}
