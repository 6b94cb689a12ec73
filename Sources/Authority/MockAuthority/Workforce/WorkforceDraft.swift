import B2CProtocol
import HTTPMessages
import JSON

/// A reply of a directory tenant that is decided but not written: rendering and signing touch no state.
public struct WorkforceDraft: Sendable {
    public var status: Int
    /// Fields beside the content type.
    public var headers: Headers
    public var body: Body
    /// Why the request was refused, for the developer: never on the wire.
    public var refusal: String?

    public enum Body: Sendable {
        case none
        case html(String)
        case json(JSONObject)
        /// A JSON object with tokens still to be signed.
        case tokens([Parameter])
        /// Members for a redirect URI.
        case parameters(FormItems, to: String, ResponseMode)
        /// A redirect to an address that is complete already.
        case redirect(String)
    }

    init(status: Int = 200, headers: Headers = [:], body: Body = .none, refusal: String? = nil) {
        self.status = status
        self.headers = headers
        self.body = body
        self.refusal = refusal
    }

    /// Fields of every answer that nobody may keep (recorded from the live service).
    static func fields(_ call: WorkforceCall) -> Headers {
        var headers: Headers = [
            "Cache-Control": "no-store, no-cache", "Pragma": "no-cache",
            "Strict-Transport-Security": "max-age=31536000; includeSubDomains", "X-Content-Type-Options": "nosniff",
            "x-ms-request-id": call.traceID.description,
        ]
        if call.query["return-client-request-id"] == "true"
            || call.request.headers["return-client-request-id"] == "true"
        {
            headers.append("client-request-id", call.correlationID.description)
        }
        return headers
    }

    /// Fields of documents that anybody may read.
    static func documentFields(_ call: WorkforceCall) -> Headers {
        [
            "Cache-Control": "max-age=86400, private", "X-Content-Type-Options": "nosniff",
            "Access-Control-Allow-Origin": "*", "Access-Control-Allow-Methods": "GET, OPTIONS",
            "x-ms-request-id": call.traceID.description,
        ]
    }
}

/// Writes a decided reply and signs its tokens.
public func render(_ draft: WorkforceDraft) -> ResponseMessage {
    var response: ResponseMessage
    switch draft.body {
    case .none:
        response = ResponseMessage(status: draft.status, headers: draft.headers)
    case .html(let text):
        response = .html(draft.status, text, headers: draft.headers)
        response.headers.append("Content-Security-Policy", PageScripts.nonePolicy)
    case .json(let object):
        response = .json(draft.status, .object(object), headers: draft.headers)
    case .tokens(let parameters):
        var members = JSONObject()
        for parameter in parameters {
            switch parameter.value {
            case .text(let text): members.append(parameter.name, .string(text))
            case .number(let number): members.append(parameter.name, .integer(number))
            case .token(let token): members.append(parameter.name, .string(token.signed()))
            }
        }
        response = .json(draft.status, .object(members), headers: draft.headers)
    case .parameters(let items, let target, let mode):
        switch mode {
        case .query:
            let mark = target.contains("?") ? "&" : "?"
            response = .redirect(target + mark + items.dotNetEncoded, headers: draft.headers)
        case .fragment:
            response = .redirect(target + "#" + items.dotNetEncoded, headers: draft.headers)
        case .formPost:
            response = .html(200, formPostPage(to: target, items), headers: draft.headers)
            response.headers.append("Content-Security-Policy", PageScripts.submitPolicy)
        }
    case .redirect(let target):
        response = .redirect(target, headers: draft.headers)
    }
    response.refusal = draft.refusal
    return response
}
