import Determinism

@testable import HTTPMessages

extension FuzzTarget {
    static let http = FuzzTarget(
        name: "http", meaning: "the head of a request, its address, and its form",
        longest: 2048,
        words: [
            "GET ", "POST ", "https://", "http://[::1]:80", "\r\n\r\n",
            "Content-Type: application/x-www-form-urlencoded",
            "Content-Type: application/json", "Retry-After: ", "Location: ", "%2B", "%zz", "/../", "/./", "..",
            "a=b&c=d", "=&=",
            "javascript:", "@", "?", "#", "+",
        ],
        seeds: {
            Seeds.texts(
                "GET https://contoso.b2clogin.com/contoso.onmicrosoft.com/b2c_1_susi/oauth2/v2.0/authorize?client_id=a&scope=openid%20x#f\r\nAccept: */*\r\nCookie: a=b\r\n\r\n",
                "POST /a/../b?c=d\r\nContent-Type: application/x-www-form-urlencoded; charset=utf-8\r\n\r\ngrant_type=authorization_code&code=a%2Bb+c&empty=&=x&y",
                "POST //host/x\r\nContent-Type: application/json\r\nRetry-After: Wed, 21 Oct 2026 07:28:00 GMT\r\nLocation: ../c\r\n\r\n{\"a\":1}"
            )
        },
        run: { bytes in
            let (head, body) = parts(bytes)
            var lines = head.split(separator: "\r\n", omittingEmptySubsequences: false)[...]
            let start = (lines.popFirst() ?? "").split(separator: " ", maxSplits: 1).map(String.init)
            var headers = Headers()
            for line in lines {
                let field = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
                headers.append(field[0], field.count == 2 ? field[1].trimmedOptionalWhitespace : "")
            }
            checkHeaders(headers)
            let target = start.count == 2 ? start[1] : ""
            let base = WebURL(scheme: "https", host: "contoso.b2clogin.com", path: "/contoso.onmicrosoft.com/x")
            for url in [WebURL(target), base.resolving(target)] {
                guard let url else { continue }
                checkAddress(url)
                let message = RequestMessage(method: start.first ?? "GET", url: url, headers: headers, body: body)
                _ = (message.form, message.json, message.text)
            }
            _ = ScriptAddress.isOne(target)
            let answer = ResponseMessage(status: 302, headers: headers, body: body)
            _ = (
                answer.location(relativeTo: base), answer.retryAfter(at: Timestamp(seconds: 1_768_478_400)), answer.json
            )
            checkForm(FormItems(parsing: body))
            let text = String(decoding: body, as: UTF8.self)
            check(
                PercentCoding.decode(PercentCoding.encodeComponent(text), plusIsSpace: false).utf8.elementsEqual(
                    text.utf8),
                "a text that is percent-encoded decodes to itself")
            check(
                PercentCoding.decode(PercentCoding.dotNetEncoded(text), plusIsSpace: true).utf8.elementsEqual(
                    text.utf8),
                "a text that is encoded as .NET does decodes to itself")
        })

    /// What is before the first empty line, and what is behind it.
    private static func parts(_ bytes: [UInt8]) -> (head: String, body: [UInt8]) {
        let mark = Array("\r\n\r\n".utf8)
        var place = 0
        while place + 4 <= bytes.count, !bytes[place..<(place + 4)].elementsEqual(mark) { place += 1 }
        guard place + 4 <= bytes.count else { return (String(decoding: bytes, as: UTF8.self), bytes) }
        return (String(decoding: bytes[..<place], as: UTF8.self), Array(bytes[(place + 4)...]))
    }

    private static func checkHeaders(_ headers: Headers) {
        let wrong = headers.fields.compactMap(\.problem)
        check(headers.problem == wrong.first, "header fields have the problem of the first wrong field")
        for problem in wrong {
            check(!problem.isEmpty, "a problem of a header field has words")
            check(
                HeaderRules.isValue(problem),
                "a problem of a header field is one line of text")
        }
        for field in headers.fields {
            check(headers[field.name] != nil, "a field is found under its name")
            check(!headers.all(field.name).isEmpty, "all fields of a name include it")
        }
        _ = (headers.mediaType, headers.json)
    }

    private static func checkAddress(_ url: WebURL) {
        let text = url.description
        guard let again = WebURL(text) else {
            check(false, "an address that was read can be read again: \(text)")
            return
        }
        check(again.description == text, "an address reads as it is written: \(text) \(again.description)")
        check(again == url, "an address that is read again is the same: \(text)")
        check(url.resolving(text) != nil, "an address resolves itself")
        check(url.requestTarget.hasPrefix("/") || url.host == nil, "a request target begins with a slash: \(text)")
        checkForm(url.queryItems)
        checkForm(url.fragmentItems)
        _ = (url.origin, url.authority, url.effectivePort, url.isLoopback)
    }

    private static func checkForm(_ form: FormItems) {
        func same(_ other: FormItems) -> Bool {
            form.count == other.count
                && Swift.zip(form.items, other.items).allSatisfy {
                    $0.name.utf8.elementsEqual($1.name.utf8) && $0.value.utf8.elementsEqual($1.value.utf8)
                }
        }
        check(same(FormItems(parsing: form.encoded)), "a form that is written can be read again")
        check(same(FormItems(parsing: form.dotNetEncoded)), "a form as .NET writes it can be read again")
        check(same(FormItems(parsing: form.percentEncoded)), "a form in percent encoding can be read again")
        check(form.json.count <= form.count, "the JSON of a form has no more members than the form items")
    }
}
