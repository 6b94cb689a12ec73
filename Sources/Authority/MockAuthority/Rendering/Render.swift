import B2CProtocol
import HTTPMessages
import JOSE
import JSON
import Markup
import TrustFramework

/// Writes a decided reply: HTML, JSON, redirects, cookies; signs its tokens. Pure, and as costly as the signatures are.
public func render(_ draft: Draft) -> ResponseMessage {
    if case .written(let message) = draft.body, draft.fields.isEmpty, draft.cookies.isEmpty, draft.refusal == nil {
        return message
    }
    var headers = Headers()
    let body: [UInt8]
    var status = draft.status
    switch draft.body {
    case .written(let message):
        body = message.body
        headers = message.headers
    case .none:
        body = []
        append(draft.headers, contentType: nil, to: &headers)
    case .text(let text, let contentType):
        body = Array(text.utf8)
        append(draft.headers, contentType: contentType, to: &headers)
    case .json(let object, let contentType):
        body = JSONWriter.compactBytes(object)
        append(draft.headers, contentType: contentType, to: &headers)
    case .page(let page):
        body = page.html()
        append(draft.headers, contentType: htmlContentType, to: &headers)
    case .errorPage(let page):
        body = Array(page.html().utf8)
        append(draft.headers, contentType: htmlContentType, to: &headers)
    case .redirect(let location):
        status = 302
        append(draft.headers, contentType: htmlContentType, to: &headers)
        headers.append("Location", location)
        body = objectMoved(to: location)
    case .parameters(let parameters, let delivery):
        let members = signed(parameters)
        switch delivery {
        case .json:
            body = JSONWriter.compactBytes(JSONObject(members))
            append(draft.headers, contentType: "application/json; charset=utf-8", to: &headers)
        case .query(let target), .fragment(let target):
            status = 302
            let location = target + separator(delivery, target: target) + form(members).dotNetEncoded
            append(draft.headers, contentType: htmlContentType, to: &headers)
            headers.append("Location", location)
            body = objectMoved(to: location)
        case .formPost(let target):
            body = Array(formPostPage(to: target, form(members)).utf8)
            append(draft.headers, contentType: htmlContentType, to: &headers)
            headers.append("Content-Security-Policy", PageScripts.submitPolicy)
        }
    }
    for field in draft.fields { headers.append(field.name, field.value) }
    for cookie in draft.cookies { headers.append("Set-Cookie", cookie.text) }
    var response = ResponseMessage(status: status, headers: headers, body: body)
    response.refusal = draft.refusal
    return response
}

let htmlContentType = "text/html; charset=utf-8"

/// What the service sends in the body of every redirect.
///
/// An address with an app's own scheme is percent-encoded as a whole, with `:`, `/` and `&` (recorded). For which
/// schemes it is not is inferred from System.Web's `HttpResponse.Redirect`.
func objectMoved(to location: String) -> [UInt8] {
    var page = ByteText(capacity: 2 * location.utf8.count + 256)
    page.write("<html><head><title>Object moved</title></head><body>\r\n<h2>Object moved to <a href=\"")
    page.write(HTMLEntities.escaped(isPlainTarget(location) ? location : PercentCoding.dotNetEncoded(location)))
    page.write("\">here</a>.</h2>\r\n</body></html>\r\n")
    return page.bytes
}

/// Relative addresses and those of the schemes that System.Web takes for safe.
private func isPlainTarget(_ location: String) -> Bool {
    let bytes = location.utf8
    guard let end = bytes.firstIndex(where: isEndOfScheme), bytes[end] == UInt8(ascii: ":") else { return true }
    return ["http", "https", "ftp", "file", "news"].contains(location[..<end].lowercased())
}

private func isEndOfScheme(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ":") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
}

private func separator(_ delivery: ParameterDelivery, target: String) -> String {
    guard case .query = delivery else { return "#" }
    return target.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
}

private func form(_ members: [(String, JSONValue)]) -> FormItems {
    var items = FormItems()
    for (name, value) in members {
        switch value {
        case .string(let text): items.append(name, text)
        case .integer(let number): items.append(name, String(number))
        default: break
        }
    }
    return items
}

/// Signs the tokens among the members: those that hold no hash of another member first.
private func signed(_ parameters: [Parameter]) -> [(String, JSONValue)] {
    var texts: [(String, JSONValue)] = []
    texts.reserveCapacity(parameters.count)
    var waiting: [Int] = []
    for (index, parameter) in parameters.enumerated() {
        switch parameter.value {
        case .text(let text): texts.append((parameter.name, .string(text)))
        case .number(let number): texts.append((parameter.name, .integer(number)))
        case .token(let token):
            if token.hashes.isEmpty {
                texts.append((parameter.name, .string(token.signed())))
            } else {
                texts.append((parameter.name, .null))
                waiting.append(index)
            }
        }
    }
    for index in waiting {
        guard case .token(var token) = parameters[index].value else { continue }
        for hash in token.hashes {
            let hashed = texts.first { $0.0 == hash.of }?.1.stringValue
            // Assigning nil takes the claim's reserved place away.
            token.claims[hash.claim] = hashed.map { .string(TokenHash.s256($0)) }
        }
        texts[index].1 = .string(token.signed())
    }
    return texts
}

extension TokenDraft {
    func signed() -> String {
        switch signature {
        case .rs256: JWS.sign(header: header, claims: claims, key: key)
        case .hs256(let secret): JWS.signHS256(header: header, claims: claims, secret: secret)
        case .none: JWS.unsigned(header: header, claims: claims)
        }
    }
}

extension CookieDraft {
    /// The field's value. The order and spelling of the attributes are those recorded.
    var text: String {
        var field = ByteText(capacity: 1536)
        field.write(name)
        field.write("=")
        switch value {
        case .text(let text): field.write(text)
        case .sealed(let state): field.write(state.bytes)
        }
        if let domain = scope.domain {
            field.write("; domain=")
            field.write(domain)
        }
        if let expires {
            field.write("; expires=")
            field.write(expires)
        }
        field.write(scope.isSecure ? "; path=/; SameSite=None; secure; HttpOnly" : "; path=/; HttpOnly")
        return field.text
    }
}

// MARK: fields

private let frameRefusal = HeaderField(name: "X-Frame-Options", value: "DENY")

/// Who may frame a page (Microsoft docs: embedded-login). That the older field names all sources is inferred: it was seen
/// with ALLOW-FROM, which browsers no longer know.
private func framing(_ framing: JourneyFramingElement?) -> [HeaderField] {
    guard let framing, framing.enabled, !framing.sources.isEmpty else { return [frameRefusal] }
    let sources = framing.sources.joined(separator: " ")
    return [
        HeaderField(name: "X-Frame-Options", value: "ALLOW-FROM \(sources)"),
        HeaderField(name: "Content-Security-Policy", value: "frame-ancestors \(sources)"),
    ]
}

private let serviceFields: [HeaderField] = [
    HeaderField(name: "Strict-Transport-Security", value: "max-age=31536000; includeSubDomains"),
    HeaderField(name: "X-Content-Type-Options", value: "nosniff"),
    HeaderField(name: "X-XSS-Protection", value: "1; mode=block"),
    HeaderField(name: "Allow", value: "OPTIONS"),
    HeaderField(name: "Allow", value: "TRACE"),
    HeaderField(name: "Allow", value: "GET"),
    HeaderField(name: "Allow", value: "HEAD"),
    HeaderField(name: "Allow", value: "POST"),
    HeaderField(name: "Public", value: "OPTIONS,TRACE,GET,HEAD,POST"),
]

private func append(_ common: Draft.CommonHeaders, contentType: String?, to headers: inout Headers) {
    headers.fields.reserveCapacity(24)
    switch common {
    case .own:
        if let contentType { headers.append("Content-Type", contentType) }
    case .document:
        if let contentType { headers.append("Content-Type", contentType) }
        headers.append("X-Content-Type-Options", "nosniff")
        headers.append("Access-Control-Allow-Origin", "*")
    case .service(let gateway):
        headers.append("Cache-Control", "no-store, must-revalidate, no-cache")
        if let contentType { headers.append("Content-Type", contentType) }
        headers.append("x-ms-gateway-requestid", gateway)
        headers.fields.append(frameRefusal)
        headers.fields.append(contentsOf: serviceFields)
    case .page(let gateway, let transaction, let report, let nonce, let allowed):
        headers.append("Cache-Control", "no-store, must-revalidate, no-cache")
        headers.append("Expires", "-1")
        if let contentType { headers.append("Content-Type", contentType) }
        headers.append("x-ms-gateway-requestid", gateway)
        headers.append("X-UA-Compatible", "IE=edge")
        headers.append("X-Request-ID", transaction)
        headers.append("X-Build", pageBuild)
        headers.fields.append(contentsOf: framing(allowed))
        headers.fields.append(contentsOf: serviceFields)
        headers.append(
            "Content-Security-Policy-Report-Only",
            "script-src 'strict-dynamic' 'self' 'nonce-\(nonce)' 'report-sample'; report-uri \(report)")
    }
}

/// Build that pages and their header name.
let pageBuild = "1.1.22.0"
