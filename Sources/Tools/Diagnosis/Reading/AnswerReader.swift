import B2CProtocol
import HTTPMessages
import JSON

/// Reads a JSON body: a token response, an error of the token endpoint, metadata, claims.
enum AnswerReader {
    static func read(_ root: JSONValue, into facts: inout SymptomFacts) {
        guard let object = root.objectValue else { return }
        if object["authorization_endpoint"] != nil || object["token_endpoint"] != nil {
            metadata(object, &facts)
        } else if let error = object["error"]?.stringValue {
            facts.setKind("an error answer, JSON")
            facts.addError(error.asciiLowercased, 1)
            facts.add("answers with", error)
            if let text = object["error_description"]?.stringValue.flatMap({ B2CErrorText(parsing: $0) }) {
                facts.add("description", "\(text.codeText ?? "AADB2C"): \(text.message)")
                if let id = text.correlationID { facts.add("correlation id", "\(id)") }
                if let time = text.timestamp { facts.add("time of the service", time.b2cText) }
            }
        } else if object["id_token"] != nil || object["access_token"] != nil || object["token_type"] != nil {
            tokens(object, &facts)
        }
    }

    private static func tokens(_ object: JSONObject, _ facts: inout SymptomFacts) {
        facts.setKind("a token response, JSON")
        facts.add("members", object.keys.joined(separator: ", "))
        func lacks(_ name: String) -> Bool { object[name].map { $0.isNull || $0.stringValue == "" } ?? true }
        if lacks("access_token") { facts.add(.noAccessToken, 1, "no access_token in the token response") }
        if lacks("refresh_token") { facts.add(.noRefreshToken, 1, "no refresh_token in the token response") }
        if lacks("client_info") { facts.add(.noClientInfo, 1, "no client_info in the token response") }
        if let scope = object["scope"]?.stringValue {
            facts.add("scopes", scope)
            if scope == "/" { facts.add(.slashScope, 1, "scope \"/\"") }
        }
        let lifetime = object["expires_in"].flatMap { $0.doubleValue ?? $0.stringValue.flatMap(Double.init) }
        if let lifetime {
            facts.add("lifetime", "\(Int(clamping: Int64(max(0, min(lifetime, 1e12))))) s")
            if lifetime > 0, lifetime <= 300 { facts.add(.shortLifetime, 1, "expires_in \(Int(lifetime))") }
        }
    }

    private static func metadata(_ object: JSONObject, _ facts: inout SymptomFacts) {
        facts.setKind("metadata of an authority, JSON")
        let issuer = object["issuer"]?.stringValue ?? ""
        facts.add("issuer", issuer)
        if issuer.contains("/tfp/") { facts.add(.policyIssuer, 1, "issuer \(issuer)") }
        if object["userinfo_endpoint"] == nil { facts.add(.noUserinfo, 1, "no userinfo_endpoint in the metadata") }
        let host = WebURL(issuer)?.host
        for name in ["authorization_endpoint", "token_endpoint", "jwks_uri", "end_session_endpoint"] {
            guard let text = object[name]?.stringValue, let url = WebURL(text) else { continue }
            facts.add(name, text)
            if let host, let other = url.host, other != host {
                facts.add(.foreignEndpoint, 1, "\(name) at \(other), issuer at \(host)")
            }
        }
    }
}
