import Diagnostics
import HTTPMessages
import JSON

/// One call of the control interface while it is answered.
struct ControlCall: Sendable {
    let request: RequestMessage
    let worlds: Worlds
    /// The name that the header `B2C-World` gave.
    let worldName: String
    /// Values for the `{name}` parts of the route's path.
    let parameters: [String: String]
    /// The body; an empty object where there is none.
    let body: JSONObject
    /// The body with the places of its parts, for findings.
    let document: JSONDocument?

    /// The world that the call is about.
    func world() throws(ControlFault) -> ServerWorld {
        guard let world = worlds.world(named: worldName) else { throw Self.noWorld(worldName, worlds) }
        return world
    }

    static func noWorld(_ name: String, _ worlds: Worlds) -> ControlFault {
        let near = nearestName(name, among: worlds.names).map { "; did you mean `\($0)`?" } ?? ""
        return ControlFault(.notFound, "there is no world `\(name)`\(near)")
    }

    func parameter(_ name: String) -> String { parameters[name] ?? "" }

    /// A query parameter that is a number.
    func number(_ name: String, in range: ClosedRange<Int>, otherwise value: Int) throws(ControlFault) -> Int {
        guard let text = request.url.queryItems[name] else { return value }
        guard let number = Int(text), range.contains(number) else {
            throw ControlFault(
                .malformed,
                "`\(name)` is a number from \(range.lowerBound) to \(range.upperBound), not `\(text.prefix(40))`")
        }
        return number
    }

    func text(_ name: String) -> String? { body[name]?.stringValue }

    /// Whether secrets are to be shown as they are.
    var showsSecrets: Bool { request.url.queryItems["secrets"] == "show" }
}

/// What a control call is answered with.
enum ControlResult: Sendable {
    case json(Int, JSONValue)
    case nothing
    /// Server-sent events.
    case events(AsyncStream<[UInt8]>)
}
