import JSON
import MockAuthority

/// Every call of the control interface.
enum ControlRoutes {
    static let all: [ControlRoute] =
        worlds + clock + tenant + users + signIns + sessions + keys + inbox + faults + tokens + apis + logs + state
        + [openAPI]

    static let secrets = ControlRoute.Query(
        name: "secrets", kind: .oneOf(["show", "mask"]),
        doc: "`show`: passwords, tokens, codes and cookies as they are; else labels replace them.")

    private static let openAPI = ControlRoute(
        method: "GET", path: "/openapi.json", id: "describe", doc: "This document.",
        answer: .init(status: 200, doc: "The document.", shape: .map(of: .any, keyHint: "member")), isOfWorld: false
    ) { _ throws(ControlFault) in .json(200, OpenAPIDocument.json) }

    /// The value of an answer that has one.
    static func value(_ answer: ControlAnswer) throws(ControlFault) -> JSONValue {
        switch answer {
        case .value(let value): return value
        case .done: return .null
        case .refused(let why): throw ControlFault(.conflict, why)
        }
    }

    static func done(_ answer: ControlAnswer) throws(ControlFault) { _ = try value(answer) }
}

extension ControlCall {
    /// A value with its secrets masked, unless the call asks for them.
    func shown(_ value: JSONValue) -> JSONValue {
        guard !showsSecrets, let world = worlds.world(named: worldName) else { return value }
        return ControlMask.masked(value, world.tenant.tenant)
    }
}
