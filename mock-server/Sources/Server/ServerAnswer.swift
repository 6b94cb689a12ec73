import HTTPMessages

/// A request as it came over the wire, whole.
struct IncomingRequest: Sendable {
    var method: String
    /// `https` where the connection is secure, else `http`.
    var scheme: String
    /// The `Host` field or `:authority`, with a port if it had one.
    var host: String
    /// The request target as sent: path and query.
    var target: String
    var headers: Headers
    var body: [UInt8]
    /// Address of the other end, without its port.
    var peer: String
    /// Whether the other end is on this machine.
    var isLoopback: Bool
    /// Whether it came to the console: the port that has the control API and the inspector page, and nothing else.
    var isConsole = false
}

/// What the server does about a request.
enum ServerAnswer: Sendable {
    case message(ResponseMessage)
    /// A head at once, and a body in pieces for as long as there are any: server-sent events.
    case stream(status: Int, headers: Headers, chunks: AsyncStream<[UInt8]>)
    /// The connection is closed without a word.
    case drop
}

/// What answers below `/_b2c`: the control API and the inspector page.
protocol ControlDesk: Sendable {
    /// - Parameter world: Name of the world that the header `B2C-World` gave; `default` without one.
    func answer(_ request: RequestMessage, world: String) async -> ServerAnswer
}
