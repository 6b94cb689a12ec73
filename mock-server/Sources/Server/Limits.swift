/// What one client may ask for, so that no input stops the server or fills its memory.
struct Limits: Sendable {
    /// Bytes of a request target; more is answered with 414.
    var targetLength = 32 << 10
    /// Bytes of one header field.
    var fieldSize = 64 << 10
    /// Bytes of all header fields of a request; more is answered with 400 or 431.
    var headerSize = 128 << 10
    /// Header fields of a request.
    var fieldCount = 200
    /// Bytes of a body; more is answered with 413. Control calls carry whole tenants and may be larger.
    /// A policy has 1 MB at most, and Graph refuses a larger one in its own words.
    var bodySize = 2 << 20
    var controlBodySize = 32 << 20
    /// Connections at a time; more wait until one is closed.
    var connections = 512
    /// Time from the opening of a connection to its first whole request head, handshake included.
    var firstHead = 15
    /// Seconds between two requests, or two parts of a request, of one connection.
    var idle = 60
    /// Seconds for a body from its request head to its end.
    var body = 60
}
