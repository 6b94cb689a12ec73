/// The five logs of an outcome.
public enum LogName: String, CaseIterable, Sendable {
    case requests, pages, messages, events, trace

    /// The member by which an object of numbers counts records; `nil` for `trace`, whose records have no common one.
    public var countedBy: String? {
        switch self {
        case .requests: "endpoint"
        case .pages: "name"
        case .messages: "kind"
        case .events: "type"
        case .trace: nil
        }
    }

    /// One record, as a word.
    var recordWord: String {
        switch self {
        case .requests: "request"
        case .pages: "page"
        case .messages: "message"
        case .events: "event"
        case .trace: "trace record"
        }
    }
}
