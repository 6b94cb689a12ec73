import Determinism
import JSON
import Records

/// An element of `rest.NAME.reply`.
public struct RestReply: TenantRecord {
    public var status = 200
    public var headers = JSONObject()
    public var json: JSONValue?
    public var body: String?

    public init() {}

    package static let title = "reply"
    package static let summary = "One answer of a REST stub."
    package static let settings: [Setting<RestReply>] = {
        var table = SettingsTable<RestReply>()
        table.add("status", \.status, .integer(100...599), "HTTP status.")
        table.add("headers", \.headers, .headerMap, "Header fields.")
        table.add("json", \.json, .optionalJSON, "Body as JSON.")
        table.add("body", \.body, .optionalText, "Body as text.")
        return table.rows
    }()
}

/// `rest.NAME`.
public struct RestStub: TenantRecord {
    /// The name in the tenant file.
    public var name = ""
    public var match: JSONValue = JSONValue.object(JSONObject())
    public var reply: [RestReply] = [RestReply()]
    public var delay = TimeSpan.zero
    public var passThrough = false

    public init() {}

    package static let title = "REST stub"
    package static let summary = "Answers to calls that a policy makes."
    package static let settings: [Setting<RestStub>] = {
        var table = SettingsTable<RestStub>()
        table.add("match", \.match, .json, "Matcher over the request record.", default: "every call")
        table.add("reply", \.reply, .oneOrMore(), "The answer, or a list of answers of which the last repeats.")
        table.add("delay", \.delay, .span, "Time until the answer.")
        table.add("passThrough", \.passThrough, .bool, "The call goes to the real service.")
        return table.rows
    }()
}
