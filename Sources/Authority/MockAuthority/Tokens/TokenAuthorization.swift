import HTTPMessages
import JSON
import TrustFramework

/// What an authorization profile asks of the bearer token of a user-info call: its issuer, which the profile must name,
/// and its audience, where it names any (Microsoft docs: userinfo-endpoint).
struct TokenAuthorization {
    let profile: TechnicalProfile
    let target: PolicyAddress
    let call: Call

    /// Why the token does not pass, or nil.
    func problem(_ claims: JSONObject) -> String? {
        issuerProblem(claims) ?? audienceProblem(claims)
    }

    private func issuerProblem(_ claims: JSONObject) -> String? {
        guard let wanted = profile.metadata["issuer"], !wanted.isEmpty else {
            return "technical profile \(profile.id) names no issuer, which the service wants in its metadata"
        }
        let issuer = claims["iss"]?.stringValue ?? ""
        guard issuer != wanted, !isMockForm(issuer, of: wanted) else { return nil }
        return "the issuer of the bearer token is \(shown(issuer)), and technical profile \(profile.id) takes \(wanted)"
    }

    /// Whether an issuer is the tenant's under an address of the mock: tokens name scheme, host and port that they were
    /// asked at, policies those of the service.
    private func isMockForm(_ issuer: String, of wanted: String) -> Bool {
        guard call.address != .tenantOnly, let given = WebURL(issuer), let named = WebURL(wanted),
            given.path == named.path, isMock(given)
        else { return false }
        let tenant = target.configuration
        if isMock(named) { return true }
        guard let host = named.host, tenant.serves(host: host) else { return false }
        // One host of the tenant does not stand for another: the service compares their names.
        return given.host == host || !tenant.serves(host: given.host ?? "")
    }

    private func isMock(_ url: WebURL) -> Bool { url.isLoopback || url.origin == target.origin }

    private func audienceProblem(_ claims: JSONObject) -> String? {
        let texts = [profile.metadata["audience"], profile.metadata["IdTokenAudience"]].compactMap { $0 }
        guard !texts.isEmpty else { return nil }
        let wanted = texts.flatMap(list)
        let audiences =
            claims["aud"]?.arrayValue?.compactMap(\.stringValue) ?? claims["aud"]?.stringValue.map { [$0] } ?? []
        guard !audiences.contains(where: wanted.contains) else { return nil }
        return "the audience of the bearer token is \(shown(audiences.joined(separator: ", "))), and technical profile "
            + "\(profile.id) takes \(shown(wanted.joined(separator: ", ")))"
    }

    /// A JSON array, or texts with commas between them (the documents have an example of the first and words for the
    /// second).
    private func list(_ text: String) -> [String] {
        if let value = try? JSONParser.parse(text), let array = value.arrayValue {
            return array.compactMap(\.stringValue)
        }
        return text.split(separator: ",").compactMap { part in
            let words = part.split(whereSeparator: \.isWhitespace)
            return words.isEmpty ? nil : words.joined(separator: " ")
        }
    }

    private func shown(_ text: String) -> String { text.isEmpty ? "(none)" : text }
}
