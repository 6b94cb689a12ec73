import JSON

/// One call of the control interface: the table of these is the router, the OpenAPI document and the reference page.
struct ControlRoute: Sendable {
    /// A parameter of the query.
    struct Query: Sendable {
        enum Kind: Sendable {
            case number(ClosedRange<Int>)
            case text
            case oneOf([String])
        }

        let name: String
        let kind: Kind
        let doc: String
        var isRequired = false
    }

    /// An answer that is not an error.
    struct Answer: Sendable {
        let status: Int
        let doc: String
        /// Shape of the JSON; `nil` where there is no body.
        let shape: Shape?
        var isStream = false
    }

    let method: String
    /// Below `/_b2c/v1`, with `{name}` for parts that vary.
    let path: String
    /// The operation's id in the OpenAPI document.
    let id: String
    /// What it does, one sentence.
    let doc: String
    /// What the parts of the path are.
    var parts: [(name: String, doc: String)] = []
    var query: [Query] = []
    /// Shape of the body; `nil` for calls without one.
    var body: ObjectShape?
    let answer: Answer
    /// Faults it may end in besides those of every call.
    var faults: [ControlFault.Code] = []
    /// Whether the header `B2C-World` matters.
    var isOfWorld = true
    /// A call to try.
    var example: JSONValue?
    let run: @Sendable (ControlCall) async throws(ControlFault) -> ControlResult

    /// The path's parts.
    var segments: [Substring] { path.split(separator: "/", omittingEmptySubsequences: true) }

    /// Whether a path is this route's, and the values of its `{name}` parts.
    func match(_ segments: [String]) -> [String: String]? {
        let own = self.segments
        guard own.count == segments.count else { return nil }
        var values: [String: String] = [:]
        for (mine, theirs) in zip(own, segments) {
            if mine.hasPrefix("{") {
                values[String(mine.dropFirst().dropLast())] = theirs
            } else if mine != theirs {
                return nil
            }
        }
        return values
    }
}
