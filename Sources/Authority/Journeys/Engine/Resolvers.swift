import B2CProtocol
import HTTPMessages
import TrustFramework

/// Claims resolvers: `{Namespace:Name}` in default values and metadata (Microsoft docs: claim-resolver-overview). Names
/// are matched ignoring case; what cannot be resolved is empty, also a name that its namespace does not have.
enum Resolvers {
    /// Templates of metadata. They are not claims resolvers and are filled in everywhere.
    private static let templates = [
        "policy", "tenant", "relyingpartytenantid", "trustframeworktenantid", "technicalprofileid", "service:te",
    ]

    /// Fills every resolver and every `{claim}` of the bag into a text. A brace that opens neither stays.
    /// - Parameter resolves: False where claims are not resolved: then templates alone are filled in.
    static func fill(
        _ text: String, bag: ClaimsBag, call: JourneyCall, profile: TechnicalProfile?, resolves: Bool = true
    ) -> String {
        guard text.utf8.contains(UInt8(ascii: "{")) else { return text }
        // Through UTF-8: braces and colons are ASCII, and walking characters takes many times as long.
        let utf8 = text.utf8
        var result = ""
        var start = text.startIndex
        while let open = utf8[start...].firstIndex(of: UInt8(ascii: "{")) {
            result += text[start..<open]
            let after = utf8.index(after: open)
            guard let close = utf8[after...].firstIndex(of: UInt8(ascii: "}")) else {
                result += text[open...]
                return result
            }
            let name = String(text[after..<close])
            if resolves || templates.contains(name.lowercased()),
                let value = value(name, bag: bag, call: call, profile: profile)
            {
                result += value
            } else if !resolves || !isResolver(name) {
                result += text[open...close]
            }
            start = utf8.index(after: close)
        }
        result += text[start...]
        return result
    }

    /// An address as a URL; `nil` where it is none. A placeholder without a value stays in it: a stub can answer such
    /// an address, and without a stub the failure names the placeholder.
    static func address(_ text: String) -> WebURL? {
        if let url = WebURL(text), url.host != nil { return url }
        return UnfilledText.placeholders(in: text).isEmpty ? nil : WebURL(verbatim: text)
    }

    /// Whether a text in braces is a resolver, be there one of that name or not. That of a provider's token answer
    /// (`oauth2`) has its value in the provider's own profile alone.
    private static func isResolver(_ name: String) -> Bool {
        guard let colon = name.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
        return ["policy", "context", "oidc", "culture", "oauth2"].contains(name[..<colon].lowercased())
    }

    /// The value of one resolver; `nil` when it is none.
    static func value(_ name: String, bag: ClaimsBag, call: JourneyCall, profile: TechnicalProfile?) -> String? {
        guard let colon = name.utf8.firstIndex(of: UInt8(ascii: ":")) else {
            switch name.lowercased() {
            case "policy": return call.policy.id
            case "tenant", "relyingpartytenantid", "trustframeworktenantid": return call.environment.tenantDomain
            case "technicalprofileid": return profile?.id ?? ""
            default: return call.policy.claimType(name).map { bag[$0]?.text ?? "" }
            }
        }
        let space = name[..<colon].lowercased()
        let key = String(name[name.index(after: colon)...])
        switch space {
        case "claim": return call.policy.claimType(key).flatMap { bag[$0]?.text } ?? ""
        case "policy": return policy(key.lowercased(), call)
        case "context": return context(key.lowercased(), bag, call)
        case "oidc": return oidc(key.lowercased(), call.request)
        case "oauth-kv": return call.request.query[key] ?? ""
        case "culture": return culture(key.lowercased(), call)
        case "saml": return ""
        case "service": return key.lowercased() == "te" ? "\(call.request.scheme)://\(call.request.host)/te" : nil
        default: return nil
        }
    }

    private static func policy(_ key: String, _ call: JourneyCall) -> String? {
        switch key {
        case "policyid": call.policy.id
        case "relyingpartytenantid", "trustframeworktenantid": call.environment.tenantDomain
        case "tenantobjectid": call.environment.tenantID.description
        default: nil
        }
    }

    private static func context(_ key: String, _ bag: ClaimsBag, _ call: JourneyCall) -> String? {
        switch key {
        case "buildnumber": return "1.1.22.0"
        case "correlationid": return call.request.correlationID.description
        case "datetimeinutc": return twelveHour(call)
        case "deploymentmode": return call.policy.deploymentMode.rawValue
        case "hostname": return call.request.host
        case "ipaddress": return call.request.ipAddress
        case "kmsi": return call.keepSignedIn ? "True" : "False"
        default: return nil
        }
    }

    private static func oidc(_ key: String, _ request: RequestFacts) -> String? {
        switch key {
        case "authenticationcontextreferences": request.query["acr_values"] ?? ""
        case "clientid": request.clientID
        case "domainhint": request.domainHint ?? ""
        case "loginhint": request.loginHint ?? ""
        case "maxage": request.maxAge.map(String.init) ?? ""
        case "nonce": request.nonce ?? ""
        case "password": request.password ?? ""
        case "username": request.username ?? ""
        case "prompt": request.prompt ?? ""
        case "redirecturi": request.redirectURI
        case "resource": request.query["resource"] ?? ""
        case "scope": request.scopes.joined(separator: " ")
        default: nil
        }
    }

    private static func culture(_ key: String, _ call: JourneyCall) -> String? {
        let language = Languages.chosen(call)
        let culture = Culture(language)
        switch key {
        case "languagename": return culture.language
        case "lcid": return String(culture.lcid)
        case "regionname": return culture.region
        case "rfc5646": return culture.tag
        default: return nil
        }
    }

    /// `10/10/2021 12:00:00 PM`.
    private static func twelveHour(_ call: JourneyCall) -> String {
        let civil = call.now.civil
        let hour = civil.hour % 12 == 0 ? 12 : civil.hour % 12
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(civil.month)/\(civil.day)/\(civil.year) \(hour):\(two(civil.minute)):\(two(civil.second)) "
            + (civil.hour < 12 ? "AM" : "PM")
    }
}
