import HTTPMessages
import JSON

/// One request as the access log has it: no bodies, no cookies, no credentials.
struct AccessRecord: Sendable {
    var method: String
    /// Path and query with secrets masked.
    var target: String
    var host: String
    /// 0 where the connection was closed without an answer.
    var status: Int
    var microseconds: Int64
    var world: String?
    /// Why the request was refused.
    var refusal: String?

    init(_ request: IncomingRequest, world: String?, answer: ServerAnswer, microseconds: Int64) {
        method = AccessLogMask.printable(request.method)
        target = AccessLogMask.target(request.target)
        host = AccessLogMask.printable(request.host)
        self.world = world
        self.microseconds = microseconds
        switch answer {
        case .message(let message):
            status = message.status
            refusal = message.refusal
        case .stream(let status, _, _): self.status = status
        case .drop: status = 0
        }
    }

    /// `GET https://host/path 200 1234us default`.
    var text: String {
        var text = "\(method) \(host)\(target) \(status == 0 ? "dropped" : String(status)) \(microseconds)us"
        if let world, world != Worlds.defaultName { text += " world=\(world)" }
        if let refusal { text += " (\(AccessLogMask.printable(refusal)))" }
        return text
    }

    var json: JSONObject {
        var object = JSONObject()
        object["method"] = .string(method)
        object["host"] = .string(host)
        object["target"] = .string(target)
        object["status"] = .integer(Int64(status))
        object["microseconds"] = .integer(microseconds)
        if let world { object["world"] = .string(world) }
        if let refusal { object["refusal"] = .string(refusal) }
        return object
    }
}

/// The log of requests: one line each.
final class AccessLog: Sendable {
    enum Format: String, Sendable, CaseIterable {
        case text, json
    }

    private let format: Format
    private let write: (@Sendable (String) -> Void)?

    /// - Parameter write: Takes one line without its end; nil for no log at all.
    init(format: Format = .text, write: (@Sendable (String) -> Void)?) {
        self.format = format
        self.write = write
    }

    /// Whether lines are written at all.
    var isOn: Bool { write != nil }

    func write(_ record: @autoclosure () -> AccessRecord) {
        guard let write else { return }
        switch format {
        case .text: write(record().text)
        case .json: write(JSONWriter.compact(.object(record().json)))
        }
    }
}
