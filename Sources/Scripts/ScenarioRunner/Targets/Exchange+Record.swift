import Determinism
import Exchanges
import HTTPMessages
import JSON

extension Exchange {
    /// An exchange read back from its record, as a mock-server hands it over.
    ///
    /// - Returns: nil where the record lacks what every record has.
    init?(record: JSONValue) {
        guard let number = record["number"]?.stringValue,
            let at = record["at"]?.stringValue.flatMap({ Timestamp(rfc3339: $0) }),
            let from = record["from"]?.stringValue.flatMap({ Party(rawValue: $0) }),
            let endpoint = record["endpoint"]?.stringValue, let method = record["method"]?.stringValue,
            let address = record["url"]?.stringValue
        else { return nil }
        // A placeholder without a value stays in the address of a web API.
        let request = RequestMessage(
            method: method, url: WebURL(verbatim: address), headers: Headers(record: record["headers"]),
            body: Array((record["body"]?.stringValue ?? "").utf8))
        let parent = number.lastIndex(of: ".").map { String(number[..<$0]) }
        let context = ExchangeContext(
            from: from, client: record["client"]?.stringValue, frame: record["frame"]?.boolValue ?? false,
            parent: parent, number: number)
        self.init(
            number: number, at: at, context: context, endpoint: endpoint, policy: record["policy"]?.stringValue,
            request: request)
        altered = record["altered"]?.boolValue ?? false
        blocked = record["blocked"]?.stringValue.flatMap(Withholding.init)
        if let error = record["response"]?["networkError"]?.stringValue {
            networkError = TransportError.named(error) ?? .other(error)
        } else if let answer = record["response"], let status = answer["status"]?.intValue {
            response = ResponseMessage(
                status: Int(status), headers: Headers(record: answer["headers"]),
                body: Array((answer["body"]?.stringValue ?? "").utf8), refusal: record["refusal"]?.stringValue)
        }
    }
}

extension Headers {
    /// Fields from a record: names in lower case, the values of a repeated field in a list.
    init(record: JSONValue?) {
        self.init()
        for (name, value) in record?.objectValue?.members ?? [] {
            switch value {
            case .array(let values):
                for value in values { append(name, value.stringValue ?? "") }
            default:
                append(name, value.stringValue ?? "")
            }
        }
    }
}
