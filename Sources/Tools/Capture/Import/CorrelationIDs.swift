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
            if let id = id.flatMap({ GUID($0) }) { found.note(id.description.lowercased()) }
        }
        let query = exchange.request.url.queryItems
        let form = exchange.request.form ?? FormItems()
        for name in ["tx", "state"] { add((query[name] ?? form[name]).flatMap(ofTransaction)) }
        func addDescription(_ items: FormItems) { inText(Array((items["error_description"] ?? "").utf8)).forEach(add) }
        addDescription(query)
        addDescription(form)
        if let response = exchange.response {
            if let target = response.headers["Location"].flatMap({ WebURL($0) }) {
                for items in [target.queryItems, target.fragmentItems] {
                    addDescription(items)
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
            let text = String(decoding: bytes[place..<min(bytes.count, place + 48)], as: UTF8.self).lowercased()
            let name = text.drop { " -_".contains($0) }
            guard name.hasPrefix("id") else { continue }
            // Quotation marks, a colon, blanks, and the backslash of a text within JSON.
            let id = name.dropFirst(2).drop { " \"':=\\".contains($0) }.prefix(36)
            if GUID(String(id)) != nil { found.append(String(id)) }
        }
        return found
    }
}
