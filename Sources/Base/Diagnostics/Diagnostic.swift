/// One finding about something a person wrote: what is wrong, where, and how to fix it.
public struct Diagnostic: Hashable, Sendable {
    /// How much it matters.
    public var severity: Severity
    /// A stable id that documentation and tools can refer to, such as `B2C-SCN-003`.
    public var rule: String
    /// What is wrong, in one sentence without a full stop at the end.
    public var message: String
    /// How to fix it, in one sentence; `nil` where the message already says so.
    public var remedy: String?
    /// The place; `nil` for findings about no text, such as a missing command-line argument.
    public var location: SourceLocation?

    /// A finding, an error unless said otherwise.
    public init(
        _ severity: Severity = .error, rule: String, _ message: String, remedy: String? = nil,
        at location: SourceLocation? = nil
    ) {
        self.severity = severity
        self.rule = rule
        self.message = message
        self.remedy = remedy
        self.location = location
    }
}

extension Diagnostic: CustomStringConvertible {
    /// One line: place, severity, message, rule and remedy.
    public var description: String {
        var text = location.map { "\($0): " } ?? ""
        text += "\(severity.rawValue): \(message) [\(rule)]"
        if let remedy { text += " (\(remedy))" }
        return text
    }
}

extension [Diagnostic] {
    /// Whether any of the findings is an error.
    public var hasErrors: Bool { contains { $0.severity == .error } }

    /// The findings by file, line and column; those at the same place keep their order.
    public var inSourceOrder: [Diagnostic] {
        enumerated()
            .sorted { left, right in
                switch (left.element.location, right.element.location) {
                case (nil, nil): left.offset < right.offset
                case (nil, _): true
                case (_, nil): false
                case (let a?, let b?): a < b ? true : (b < a ? false : left.offset < right.offset)
                }
            }
            .map(\.element)
    }
}
