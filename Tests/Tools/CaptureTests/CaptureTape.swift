import Capture
import Determinism
import Diagnostics
import HTTPMessages
import Testing

/// A capture that a test makes: exchanges one second apart.
struct CaptureTape {
    var exchanges: [CapturedExchange] = []
    var now = Timestamp(seconds: 1_768_478_400)

    mutating func add(
        _ method: String, _ url: String, _ headers: Headers = [:], form: FormItems? = nil,
        answer response: ResponseMessage? = .html(200, ""), after span: TimeSpan = .seconds(1)
    ) throws {
        now += span
        let address = try #require(WebURL(url))
        var request = RequestMessage(method: method, url: address, headers: headers)
        if let form { request = RequestMessage.post(address, form: form, headers: headers) }
        exchanges.append(
            CapturedExchange(started: now, request: request, response: response, place: "entry \(exchanges.count + 1)"))
    }

    func files(_ name: String? = nil) throws(InvalidInput) -> CaptureImport.Files {
        try CaptureImport.files(from: exchanges, CaptureImport.Options(name: name, source: "flow.har"))
    }
}
