import Diagnostics
import HTTPMessages
import JSON

/// Why a control call was refused.
struct ControlFault: Error, Sendable {
    /// The kinds, each with its status.
    enum Code: String, Sendable, CaseIterable {
        case malformed, notJSON, tooLarge, unauthorized, forbidden, notFound, wrongMethod, conflict, findings, busy

        var status: Int {
            switch self {
            case .malformed: 400
            case .unauthorized: 401
            case .forbidden: 403
            case .notFound: 404
            case .wrongMethod: 405
            case .conflict: 409
            case .tooLarge: 413
            case .notJSON: 415
            case .findings: 422
            case .busy: 503
            }
        }

        /// What it means, one sentence.
        var doc: String {
            switch self {
            case .malformed: "The body is not JSON, or a member or parameter is unknown or of a wrong kind."
            case .unauthorized: "The server was started with a control token, and the call has none or a wrong one."
            case .forbidden: "The call comes from another machine, another site, or names a host that is not this one."
            case .notFound: "There is no such path, world, person, key set, session or API."
            case .wrongMethod: "The path is there, for other methods: the field Allow names them."
            case .conflict: "It cannot be done now; the message says why."
            case .tooLarge: "The body is larger than the server takes."
            case .notJSON: "A call that changes something has the content type application/json."
            case .findings: "The tenant file, the patch or the rules have faults: all of them are listed."
            case .busy: "Too many readers listen to this world already."
            }
        }
    }

    var code: Code
    var message: String
    var findings: [Diagnostic] = []
    /// Of a wrong method: the right ones.
    var allow: [String] = []

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Everything that is wrong with a text somebody sent.
    init(_ input: InvalidInput) {
        self.init(.findings, "\(input.diagnostics.count == 1 ? "one finding" : "\(input.diagnostics.count) findings")")
        findings = input.diagnostics
    }

    /// The pointer of a finding and its message. Findings about a tenant that is not in a file begin with the pointer.
    private static func place(_ finding: Diagnostic) -> (pointer: String, message: String) {
        if let pointer = finding.location?.pointer { return (pointer, finding.message) }
        guard finding.message.hasPrefix("/"), let colon = finding.message.firstIndex(of: ":") else {
            return ("", finding.message)
        }
        let rest = finding.message[finding.message.index(after: colon)...].drop { $0 == " " }
        return (String(finding.message[..<colon]), String(rest))
    }

    var json: JSONValue {
        var error: JSONObject = ["code": .string(code.rawValue), "message": .string(message)]
        if !findings.isEmpty {
            error["findings"] = .array(
                findings.map { finding in
                    var row = JSONObject()
                    let (pointer, message) = Self.place(finding)
                    row["pointer"] = .string(pointer)
                    row["severity"] = .string(finding.severity.rawValue)
                    row["rule"] = .string(finding.rule)
                    row["message"] = .string(message)
                    if let remedy = finding.remedy { row["remedy"] = .string(remedy) }
                    return .object(row)
                })
        }
        return ["error": .object(error)]
    }

    /// Fields of every answer of the control API.
    static let headers: Headers = ["Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"]

    /// The answer that carries it.
    var answer: ResponseMessage {
        var answer = ResponseMessage.json(code.status, json, headers: Self.headers)
        if !allow.isEmpty { answer.headers.append("Allow", allow.joined(separator: ", ")) }
        answer.refusal = message
        return answer
    }

    /// The same for a request that the server refuses before it looks at the call.
    ///
    /// - Parameter status: The HTTP status. One that no code has is sent with the code of its class.
    static func answer(status: Int, _ text: String) -> ResponseMessage {
        let code = Code.allCases.first { $0.status == status } ?? .malformed
        var answer = ControlFault(code, text).answer
        answer.status = status
        return answer
    }
}
