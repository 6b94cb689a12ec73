import HTTPMessages
import JOSE
import JSON

/// What a text of the wire holds inside.
enum DecodedText {
    /// Why a text cannot be decoded.
    struct Defect: Error {
        let message: String
    }

    /// Decodes for `$json`, `$base64url`, `$jwt` and `$url`.
    static func decode(_ text: String, as test: MatcherTest) -> Result<JSONValue, Defect> {
        switch test {
        case .json: json(text)
        case .base64url: base64url(text).map { .string($0) }
        case .jwt: jwt(text)
        case .url: url(text)
        default: .failure(Defect(message: "`\(test.rawValue)` decodes nothing"))
        }
    }

    private static func json(_ text: String) -> Result<JSONValue, Defect> {
        do {
            return .success(try JSONParser.parse(text))
        } catch {
            return .failure(Defect(message: error.diagnostics.first?.message ?? "it is not JSON"))
        }
    }

    private static func base64url(_ text: String) -> Result<String, Defect> {
        guard let bytes = Base64URL.decode(text) else { return .failure(Defect(message: "it is not base64url")) }
        guard let decoded = String(validating: bytes, as: UTF8.self) else {
            return .failure(Defect(message: "the decoded bytes are not UTF-8 text"))
        }
        return .success(decoded)
    }

    private static func jwt(_ text: String) -> Result<JSONValue, Defect> {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else {
            return .failure(Defect(message: "a token has three parts with dots between them, this has \(parts.count)"))
        }
        return part(parts[0], "header").flatMap { header in
            part(parts[1], "payload").map { claims in
                .object(JSONObject([("header", header), ("claims", claims)]))
            }
        }
    }

    private static func part(_ text: Substring, _ name: String) -> Result<JSONValue, Defect> {
        base64url(String(text)).flatMap(json).mapError { Defect(message: "its \(name) cannot be read: \($0.message)") }
    }

    private static func url(_ text: String) -> Result<JSONValue, Defect> {
        guard let url = WebURL(text) else { return .failure(Defect(message: "it is not a URL")) }
        var object = JSONObject([("scheme", .string(url.scheme))])
        if let host = url.host { object.append("host", .string(host)) }
        if let port = url.port { object.append("port", .integer(Int64(port))) }
        object.append("path", .string(url.path))
        object.append("query", .object(FormItems(parsing: url.query ?? "").json))
        object.append("fragment", .object(FormItems(parsing: url.fragment ?? "").json))
        return .success(.object(object))
    }
}
