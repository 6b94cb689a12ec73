import B2CProtocol
import Diagnostics
import HTTPMessages
import JSON
import TenantFiles

/// Checks configuration files of MSAL for Android, MSAL.js and Microsoft.Identity.Web.
enum ConfigurationSubject {
    static func findings(_ project: Project) -> [Finding] {
        project.files.flatMap { file -> [Finding] in
            guard let document = file.document else { return [] }
            let configuration = ConfigurationFile(document: document, project: project)
            return switch file.kind {
            case .androidConfig: configuration.android()
            case .browserConfig: configuration.browser()
            case .dotnetSettings: configuration.dotnet()
            default: []
            }
        }
    }
}

private struct ConfigurationFile {
    let document: JSONDocument
    let project: Project

    private var root: JSONValue { document.root }

    private func value(_ path: [String]) -> JSONValue? { root.value(at: JSONPointer(tokens: path)) }
    private func text(_ path: [String]) -> String? { value(path)?.stringValue }

    private func place(_ path: [String], key: Bool = false) -> SourceLocation {
        var pointer = JSONPointer(tokens: path)
        while root.value(at: pointer) == nil, let above = pointer.parent { pointer = above }
        return document.location(of: pointer, key: key)
    }

    private func finding(
        _ rule: String, _ message: String, remedy: String?, at path: [String], corrected: String? = nil
    ) -> Finding {
        Finding(rule, message, remedy: remedy, at: place(path), corrected: corrected)
    }

    // MARK: What all have

    private func client(_ path: [String]) -> [Finding] {
        guard let id = text(path) else {
            return [finding("B2C-CFG-001", "there is no client id", remedy: "Add `\(path[path.count - 1])`.", at: path)]
        }
        guard RedirectURIs.isGUID(id) else {
            let why = AppSubject.isPlaceholder(id) ? "was left as the template has it" : "is not a GUID"
            return [
                finding(
                    "B2C-CFG-001", "the client id \"\(id)\" \(why)", remedy: "Put the application id there.", at: path)
            ]
        }
        guard let tenant = project.tenant, app(id) == nil else { return [] }
        return [
            finding(
                "B2C-CFG-010", "the tenant has no app with the client id \"\(id)\"",
                remedy: "It has \(namesList(tenant.apps.map { "\($0.client.clientId) (\($0.name))" })).", at: path)
        ]
    }

    private func app(_ id: String?) -> AppSettings? {
        guard let id else { return nil }
        return project.tenant?.apps.first { RedirectURIs.sameGUID($0.client.clientId, id) }
    }

    private func agreement(_ uri: String, client: String?, _ path: [String]) -> [Finding] {
        guard let app = app(client) else { return [] }
        let registered = app.registration.redirectUris.all.map { PlacedURI(uri: $0.uri, platform: $0.platform) }
        return RedirectURIs.agreement(
            sent: uri, at: place(path), registered: registered, where: "the registration of \(app.name)")
    }

    /// A B2C authority, and whether the tenant has its policy.
    private func authority(_ url: String, _ path: [String]) -> [Finding] {
        guard let parsed = WebURL(url), parsed.scheme == "https", parsed.host != nil else {
            return [
                finding(
                    "B2C-CFG-005", "\"\(url)\" is not an https URL", remedy: "Write https://HOST/TENANT/POLICY.",
                    at: path)
            ]
        }
        var parts = parsed.path.split(separator: "/").map(String.init)
        if parts.first?.lowercased() == "tfp" { parts.removeFirst() }
        if parts.last == "v2.0" { parts.removeLast() }
        guard parts.count >= 2 else {
            return [
                finding(
                    "B2C-CFG-005", "the authority names no policy", remedy: "Add it: https://HOST/TENANT/POLICY.",
                    at: path)
            ]
        }
        return policy(parts[1], path)
    }

    private func policy(_ id: String, _ path: [String]) -> [Finding] {
        guard let tenant = project.tenant, tenant.policy(id: id) == nil else { return [] }
        let ids = tenant.policies.map(\.id)
        let near = nearestName(id, among: ids)
        return [
            finding(
                "B2C-CFG-010", "the tenant has no policy \"\(id)\"",
                remedy: near.map { "Did you mean \"\($0)\"?" } ?? "It has \(namesList(ids)).", at: path, corrected: near
            )
        ]
    }

    // MARK: Android

    func android() -> [Finding] {
        var all = client(["client_id"])
        if let uri = text(["redirect_uri"]) {
            all += androidRedirect(uri) + agreement(uri, client: text(["client_id"]), ["redirect_uri"])
        } else {
            all.append(
                finding("B2C-CFG-002", "there is no redirect URI", remedy: "Add `redirect_uri`.", at: ["redirect_uri"]))
        }
        let list = value(["authorities"])?.arrayValue ?? []
        var hasDefault = false
        for (index, entry) in list.enumerated() {
            let path = ["authorities", String(index)]
            let url = entry["authority_url"]?.stringValue
            let speaksOfB2C = url.map { $0.contains("b2clogin.com") || $0.contains("/tfp/") } ?? false
            let type = entry["type"]?.stringValue
            if type != "B2C", speaksOfB2C || type?.uppercased() == "B2C" {
                all.append(
                    finding(
                        "B2C-CFG-004", type.map { "the type is \"\($0)\"" } ?? "the authority has no type",
                        remedy: "Write \"type\": \"B2C\".", at: path + ["type"], corrected: "B2C"))
            }
            if entry["default"]?.boolValue == true {
                if hasDefault {
                    all.append(
                        finding(
                            "B2C-CFG-004", "a second default authority", remedy: "Keep one.", at: path + ["default"]))
                }
                hasDefault = true
            }
            if let url, type == "B2C" || speaksOfB2C { all += authority(url, path + ["authority_url"]) }
        }
        if list.count > 1, !hasDefault {
            all.append(
                finding(
                    "B2C-CFG-004", "no authority is the default",
                    remedy: "Add \"default\": true to the sign-in policy's.",
                    at: ["authorities"]))
        }
        return all
    }

    private func androidRedirect(_ uri: String) -> [Finding] {
        let path = ["redirect_uri"]
        // Without a broker a scheme of the app's own does as well, such as msalCLIENTID://auth.
        let scheme = WebURL(uri)?.scheme
        let isOwn = scheme != nil && scheme != "msauth" && scheme != "http" && scheme != "https"
        if isOwn, value(["broker_redirect_uri_registered"])?.boolValue != true { return [] }
        guard let redirect = AndroidRedirectURI(uri), let url = WebURL(uri) else {
            return [
                finding(
                    "B2C-CFG-002", "\"\(uri)\" is not of the form msauth://PACKAGE/HASH",
                    remedy: "Copy it from the registration's Android platform.", at: path)
            ]
        }
        var all: [Finding] = []
        let hash = String(url.path.drop { $0 == "/" })
        let decoded = redirect.hash
        let right = redirect.text
        if hash.isEmpty {
            all.append(
                finding("B2C-CFG-002", "the signature hash is missing", remedy: "Add it after the package.", at: path))
        } else if uri != right, decoded == hash || hash.contains("+") || hash.contains("=") || hash.contains("/") {
            all.append(
                finding(
                    "B2C-CFG-002", "the signature hash is not percent-encoded", remedy: "Write \"\(right)\".", at: path,
                    corrected: right))
        }
        all += manifest(package: redirect.package, hash: decoded)
        return all
    }

    /// What the Android manifest beside it says of the activity that catches the answer.
    private func manifest(package: String, hash: String) -> [Finding] {
        let manifests = project.files(.androidManifest).filter {
            $0.source.bytes.count < 1 << 20
                && ByteSearch.first(Array("BrowserTabActivity".utf8), in: $0.source.bytes, from: 0) != nil
        }
        guard let file = manifests.first else { return [] }
        var all: [Finding] = []
        for (attribute, wanted) in [("android:host", package), ("android:path", "/" + hash)] {
            for (number, line) in file.lines.enumerated() {
                guard let range = line.range(ofASCII: Array("\(attribute)=\"".utf8)) else { continue }
                let found = String(line[range.upperBound...].prefix { $0 != "\"" })
                guard found != wanted, !found.contains("${"), !found.hasPrefix("@") else { continue }
                let why =
                    attribute == "android:path" && PercentCoding.decode(found, plusIsSpace: false) == wanted
                    ? "the path is percent-encoded here, and must not be"
                    : "it is \"\(found)\", the redirect URI says \"\(wanted)\""
                all.append(
                    Finding(
                        "B2C-CFG-003", "\(attribute): \(why)", remedy: "Write \(attribute)=\"\(wanted)\".",
                        at: file.location(line: number + 1, of: found), corrected: wanted))
            }
        }
        return all
    }

    // MARK: MSAL.js

    func browser() -> [Finding] {
        var all = client(["auth", "clientId"])
        if let url = text(["auth", "authority"]) {
            let host = WebURL(url)?.host
            let isB2C = url.contains("b2clogin.com") || url.contains("/tfp/") || url.lowercased().contains("/b2c_1")
            if isB2C { all += authority(url, ["auth", "authority"]) }
            let known = value(["auth", "knownAuthorities"])?.arrayValue?.compactMap(\.stringValue) ?? []
            let hosts = known.map { ($0.contains("://") ? WebURL($0)?.host : $0.asciiLowercased) ?? $0 }
            if isB2C, let host, !hosts.contains(host) {
                all.append(
                    finding(
                        "B2C-CFG-006", "\(host) is not among the known authorities", remedy: "Add \"\(host)\".",
                        at: ["auth", "knownAuthorities"]))
            }
        }
        if let uri = text(["auth", "redirectUri"]), uri.contains("://") {
            let path = ["auth", "redirectUri"]
            all += RedirectURIs.findings(of: PlacedURI(uri: uri, platform: .spa, location: place(path)))
            all += agreement(uri, client: text(["auth", "clientId"]), path)
        }
        if text(["auth", "clientSecret"]) != nil { all.append(secret(["auth", "clientSecret"])) }
        return all
    }

    private func secret(_ path: [String]) -> Finding {
        Finding(
            "B2C-CFG-008", "a client secret lies in the file", remedy: "Take it out, and make a new one.",
            at: document.location(of: JSONPointer(tokens: path), key: true))
    }

    // MARK: .NET

    func dotnet() -> [Finding] {
        let name = root["AzureAdB2C"] != nil ? "AzureAdB2C" : "AzureADB2C"
        let section = root[name]
        var all = client([name, "ClientId"])
        for member in ["Instance", "Domain", "SignUpSignInPolicyId"] {
            // A web API names the policy too; only the instance has two spellings.
            guard section?[member]?.stringValue?.isEmpty != false else { continue }
            if member == "Domain", section?["TenantId"] != nil { continue }
            // An authority says both.
            if member != "SignUpSignInPolicyId", section?["Authority"]?.stringValue?.isEmpty == false { continue }
            all.append(
                finding(
                    "B2C-CFG-007", "`\(member)` is missing",
                    remedy: nearestName(member, among: section?.objectValue?.keys ?? []).map {
                        "Did you mean it by `\($0)`?"
                    },
                    at: [name]))
        }
        if let instance = text([name, "Instance"]) {
            let path = [name, "Instance"]
            if WebURL(instance)?.scheme != "https" {
                all.append(
                    finding(
                        "B2C-CFG-007", "\"\(instance)\" is not an https URL",
                        remedy: "Write https://TENANT.b2clogin.com.", at: path
                    ))
            } else if let url = WebURL(instance),
                url.path.split(separator: "/").contains(where: { $0.contains(".onmicrosoft.") })
            {
                all.append(
                    finding(
                        "B2C-CFG-007", "the instance holds the tenant, which Domain gives",
                        remedy: "Write https://\(url.host ?? "").", at: path))
            }
        }
        for member in ["SignUpSignInPolicyId", "ResetPasswordPolicyId", "EditProfilePolicyId"] {
            guard let id = text([name, member]), !id.isEmpty else { continue }
            all += policy(id, [name, member])
        }
        for member in ["CallbackPath", "SignedOutCallbackPath"] {
            guard let path = text([name, member]), !path.hasPrefix("/") else { continue }
            all.append(
                finding(
                    "B2C-CFG-009", "\"\(path)\" has no slash", remedy: "Write \"/\(path)\".", at: [name, member],
                    corrected: "/" + path))
        }
        if let text = text([name, "ClientSecret"]), !text.isEmpty, !AppSubject.isPlaceholder(text) {
            all.append(secret([name, "ClientSecret"]))
        }
        return all
    }
}
