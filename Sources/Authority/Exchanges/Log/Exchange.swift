import Determinism
import HTTPMessages
import JSON
import TenantFiles

/// One request with its answer, as it passed between two parties of the world.
public struct Exchange: Sendable {
    /// `4`, or `4.1` for what was asked while 4 was answered.
    public var number: String
    /// Departure, in base time.
    public var at: Timestamp
    /// The sender, and the client it sends for.
    public var context: ExchangeContext
    /// The word for the place it went to: `authorize`, `token`, `page`, `api` ...
    public var endpoint: String
    /// Id of the policy in the address, if one is.
    public var policy: String?
    /// As it left: after a rule that rewrites requests. Rules match what it was before.
    public var request: RequestMessage
    /// As it arrived, after all rules; absent until then, or for good where `networkError` says why.
    public var response: ResponseMessage?
    /// Why no response came.
    public var networkError: TransportError?
    /// A rule touched it.
    public var altered = false
    /// Why a browser kept the answer from the page or script that asked.
    public var blocked: Withholding?
    /// When the answer, or the news that there is none, was there; absent until then, and where nobody says.
    public var arrived: Timestamp?
    /// The step of the script during which it departed, as reports call it.
    public var step: String?

    /// An exchange that departs.
    public init(
        number: String, at: Timestamp, context: ExchangeContext, endpoint: String, policy: String?,
        request: RequestMessage
    ) {
        self.number = number
        self.at = at
        self.context = context
        self.endpoint = endpoint
        self.policy = policy
        self.request = request
    }

    /// The branch of the script that it belongs to.
    public var lane: LaneID { context.lane }

    /// The record of the `requests` log without the answer: what rules match.
    public var requestJSON: JSONObject {
        var record = JSONObject()
        record["number"] = .string(number)
        record["at"] = .string(at.rfc3339)
        record["from"] = .string(context.from.rawValue)
        if let client = context.client { record["client"] = .string(client) }
        record["endpoint"] = .string(endpoint)
        if let policy { record["policy"] = .string(policy) }
        record["method"] = .string(request.method)
        record["url"] = .string(request.url.description)
        record["host"] = .string(request.url.host ?? "")
        record["path"] = .string(request.url.path)
        record["query"] = .object(request.url.queryItems.json)
        record["headers"] = .object(request.headers.json)
        if let form = request.form {
            record["form"] = .object(form.json)
        } else if let json = request.json {
            record["json"] = json
        }
        if !request.body.isEmpty { record["body"] = .string(request.text) }
        record["frame"] = .bool(context.frame)
        return record
    }

    /// The whole record.
    public var json: JSONValue {
        var record = requestJSON
        record["altered"] = .bool(altered)
        if let blocked { record["blocked"] = .string(blocked.rawValue) }
        if let refusal = response?.refusal { record["refusal"] = .string(refusal) }
        var answer = JSONObject()
        if let response {
            answer = Self.answer(response)
        } else if let networkError {
            answer["networkError"] = .string(networkError.word)
        }
        record["response"] = .object(answer)
        return .object(record)
    }

    /// The member `response` of the record.
    public static func answer(_ response: ResponseMessage) -> JSONObject {
        var answer = JSONObject()
        answer["status"] = .integer(Int64(response.status))
        answer["headers"] = .object(response.headers.json)
        answer["body"] = .string(response.text)
        if let json = response.json { answer["json"] = json }
        if let location = response.headers["Location"] { answer["location"] = .object(self.location(location)) }
        return answer
    }

    /// A URL with its query and fragment taken apart.
    public static func location(_ text: String) -> JSONObject {
        var object = JSONObject()
        object["url"] = .string(text)
        let url = WebURL(text)
        object["query"] = .object(url?.queryItems.json ?? JSONObject())
        object["fragment"] = .object(url?.fragmentItems.json ?? JSONObject())
        return object
    }
}

extension Exchange {
    /// The exchange with the words for its endpoint and policy, unless it has them.
    ///
    /// - Parameter namingClient: Whether the app that the request names is the client, where none is known.
    public func classified(by classifier: ExchangeClassifier, namingClient: Bool) -> Exchange {
        guard endpoint.isEmpty else { return self }
        var exchange = self
        let what = classifier.classify(request, from: context.from)
        exchange.endpoint = what.endpoint
        exchange.policy = what.policy
        if namingClient, exchange.context.client == nil { exchange.context.client = what.app }
        return exchange
    }

    /// Notes what came back.
    public mutating func record(_ outcome: Result<ResponseMessage, TransportError>) {
        switch outcome {
        case .success(let response): self.response = response
        case .failure(let error): networkError = error
        }
    }

    /// The record that a `rest` stub's matcher reads.
    public static func restRecord(_ request: RequestMessage) -> JSONValue {
        .object(
            Exchange(
                number: "", at: Timestamp(milliseconds: 0), context: ExchangeContext(from: .authority),
                endpoint: "rest", policy: nil, request: request
            ).requestJSON)
    }
}
