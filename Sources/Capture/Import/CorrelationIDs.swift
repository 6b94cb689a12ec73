import Determinism
import HTTPMessages
import JOSE
import JSON

/// The ids under which logs of the service know a sign-in.
///
/// The transaction id of pages, the comment `CorrelationId` of a page, the header `X-Request-ID`, and the line `Correlation ID`
/// of an error are the same id (the last one inferred). `client-request-id` is the app's own id; a log may have it (inferred).
enum CorrelationIDs {
    /// The ids in a request and its answer, in lower case, the service's own before that of the app.
    static func of(_ exchange: CapturedExchange) -> [String] {
        var found: [String] = []
        func add(_ id: String?) {
            guard let id = id.flatMap({ GUID($0) })?.description.lowercased(), !found.contains(id) else { return }
            found.append(id)
        }
        let query = exchange.request.url.queryItems
        let form = exchange.request.form ?? FormItems()
        for name in ["tx", "state"] { add((query[name] ?? form[name]).flatMap(ofTransaction)) }
        for text in [query["error_description"], form["error_description"]] {
            inText(Array((text ?? "").utf8)).forEach(add)
        }
        if let response = exchange.response {
            if let target = response.headers["Location"].flatMap({ WebURL($0) }) {
                for items in [target.queryItems, target.fragmentItems] {
                    inText(Array((items["error_description"] ?? "").utf8)).forEach(add)
                    add(items["state"].flatMap(ofTransaction))
                }
            }
            add(response.headers["X-Request-ID"])
            inText(response.body).forEach(add)
        }
        add(exchange.request.headers["client-request-id"] ?? query["client-request-id"] ?? form["client-request-id"])
        return found
    }

    /// The transaction in `StateProperties=...`: base64url of `{"TID":"..."}`, in some captures with padding.
    static func ofTransaction(_ text: String) -> String? {
        let prefix = "StateProperties="
        guard text.hasPrefix(prefix) else { return nil }
        let code = text.dropFirst(prefix.count).prefix { $0 != "=" && $0 != "%" }
        guard let bytes = Base64URL.decode(String(code)) else { return nil }
        return (try? JSONParser.parse(bytes))?["TID"]?.stringValue
    }

    /// The ids behind `CorrelationId` or `Correlation ID` in a page, a JSON text or a message.
    static func inText(_ bytes: [UInt8]) -> [String] {
        let word = Array("orrelation".utf8)
        var found: [String] = []
        var place = 0
        while place + word.count + 38 <= bytes.count {
            guard bytes[place] == word[0], bytes[place..<place + word.count].elementsEqual(word) else {
                place += 1
                continue
            }
            place += word.count
            var start = place
            func skip(_ count: Int, _ isSkipped: (UInt8) -> Bool) {
                let end = min(bytes.count, start + count)
                while start < end, isSkipped(bytes[start]) { start += 1 }
            }
            skip(2) { $0 == 0x20 || $0 == 0x2D || $0 == 0x5F }
            let letters = bytes[start..<min(bytes.count, start + 2)].map { $0 | 0x20 }
            guard letters == Array("id".utf8) else { continue }
            start += 2
            // Quotation marks, a colon, blanks, and the backslash of a text within JSON.
            skip(8) { [0x20, 0x22, 0x27, 0x3A, 0x3D, 0x5C].contains($0) }
            guard start + 36 <= bytes.count else { continue }
            let text = String(decoding: bytes[start..<start + 36], as: UTF8.self)
            if GUID(text) != nil { found.append(text.lowercased()) }
        }
        return found
    }
}
