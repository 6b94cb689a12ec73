import Diagnostics
import JSON
import TenantFiles

/// Checks app projects on MSAL for iOS and macOS.
enum AppSubject {
    static func findings(_ project: Project) -> [Finding] {
        let all = AppProject.all(in: project)
        let apps = all.filter(\.usesMSAL)
        return all.flatMap(findings(of:)) + teams(apps) + dotnetProjects(project) + adalApps(project, beside: apps)
    }

    private static func findings(of app: AppProject) -> [Finding] {
        var all = app.unreadable
        // A list that cannot be read does not show which app it belongs to.
        guard app.usesMSAL else { return all }
        for judge in [identity, wiring, dependencies, code, practice, registration, tenant]
            as [(AppProject) -> [Finding]]
        { all += judge(app) }
        return all
    }

    static func finding(
        _ rule: String, _ message: String, _ remedy: String? = nil, at location: SourceLocation?,
        corrected: String? = nil, fix: Fix? = nil
    ) -> Finding {
        Finding(rule, message, remedy: remedy, at: location, corrected: corrected, fix: fix)
    }

    /// A fix that writes another value in the place of a fact.
    static func replacing(_ fact: AppFact, by text: String, safe: Bool) -> Fix? {
        fact.range.map { range in
            Fix(
                file: fact.location.file, title: "Write \(text)",
                edits: [Fix.Edit(offset: range.lowerBound, length: range.count, replacement: text)], isSafe: safe)
        }
    }

    /// Whether a value was left as a tutorial or template has it.
    static func isPlaceholder(_ text: String) -> Bool {
        let lower = text.lowercased()
        let marks = [
            "your_application_id_here", "your-application-id", "your_app_id", "your_client_id", "your-client-id",
            "enter_the_", "<your", "[your", "your_bundle", "your_", "placeholder", "<insert", "[insert", "_here",
        ]
        return marks.contains { lower.contains($0) } || lower.hasPrefix("[") && lower.hasSuffix("]")
            || lower.hasPrefix("<") && lower.hasSuffix(">")
    }

    // MARK: Ids, redirect URIs, schemes

    static func identity(_ app: AppProject) -> [Finding] {
        var all: [Finding] = []
        for id in app.clientIDs where !id.value.isEmpty && !RedirectURIs.isGUID(id.value) {
            let why = isPlaceholder(id.value) ? "was left as the template has it" : "is not a GUID"
            all.append(
                finding(
                    "B2C-APP-002", "the client id \"\(id.value)\" \(why)",
                    "Put the application (client) id of the app registration there.", at: id.location))
        }
        all += leftInMarkup(app)
        let bundle = app.bundleID
        for entry in app.infoPlists {
            for scheme in entry.list.urlSchemes where scheme.value.lowercased().hasPrefix("msauth") {
                all += judge(scheme: scheme, bundle: bundle)
            }
        }
        let client = app.clientIDs.first { RedirectURIs.isGUID($0.value) }?.value
        let schemes = app.infoPlists.flatMap(\.list.urlSchemes)
        for uri in app.redirectURIs {
            if isPlaceholder(uri.value) {
                all.append(
                    finding(
                        "B2C-APP-002", "the redirect URI \"\(uri.value)\" was left as the template has it",
                        bundle.map { "Write msauth.\($0.value)://auth." } ?? "Write msauth.BUNDLE://auth.",
                        at: uri.location))
                continue
            }
            all += RedirectURIs.findings(
                of: PlacedURI(uri: uri.value, platform: .native, location: uri.location), clientID: client)
            all += judge(redirect: uri, bundle: bundle, schemes: schemes, hasList: !app.infoPlists.isEmpty)
        }
        return all
    }

    /// A template's `msauth.<app.bundle.id>` is not XML, so the list cannot be read at all.
    private static func leftInMarkup(_ app: AppProject) -> [Finding] {
        app.files.filter { $0.kind == .infoPlist }.compactMap { file in
            guard let start = ByteSearch.first(Array("msauth.<".utf8), in: file.source.bytes, from: 0) else {
                return nil
            }
            let rest = file.source.bytes[(start + 8)...].prefix(200)
            guard rest.first != UInt8(ascii: "/"), let close = rest.firstIndex(of: UInt8(ascii: ">")) else {
                return nil
            }
            let range = start..<(close + 1)
            let right = "msauth.$(PRODUCT_BUNDLE_IDENTIFIER)"
            let fact = AppFact(
                value: String(decoding: file.source.bytes[range], as: UTF8.self),
                location: file.source.location(at: start, byteLength: range.count), range: range)
            return finding(
                "B2C-APP-003", "the scheme \"\(fact.value)\" was left as the template has it", "Write \(right).",
                at: fact.location, corrected: right, fix: replacing(fact, by: right, safe: true))
        }
    }

    private static func judge(scheme: AppFact, bundle: AppFact?) -> [Finding] {
        if scheme.value.contains("$(PRODUCT_BUNDLE_IDENTIFIER)") { return [] }
        if isPlaceholder(scheme.value) || scheme.value.contains("[") {
            let right = "msauth.\(bundle?.value ?? "$(PRODUCT_BUNDLE_IDENTIFIER)")"
            return [
                finding(
                    "B2C-APP-003", "the scheme \"\(scheme.value)\" was left as the template has it",
                    "Write \(right).", at: scheme.location, corrected: right,
                    fix: replacing(scheme, by: right, safe: true))
            ]
        }
        guard let bundle, scheme.value.hasPrefix("msauth.") else { return [] }
        let named = String(scheme.value.dropFirst("msauth.".count))
        guard named != bundle.value else { return [] }
        let right = "msauth.\(bundle.value)"
        let why = named.lowercased() == bundle.value.lowercased() ? "in another letter case" : "of another app"
        return [
            finding(
                "B2C-APP-003", "the scheme is \(why): the bundle id is \"\(bundle.value)\"", "Write \(right).",
                at: scheme.location, corrected: right, fix: replacing(scheme, by: right, safe: false))
        ]
    }

    private static func judge(
        redirect uri: AppFact, bundle: AppFact?, schemes: [AppFact], hasList: Bool
    ) -> [Finding] {
        var all: [Finding] = []
        let lower = uri.value.lowercased()
        if lower.hasPrefix("http") || lower.hasPrefix("urn:ietf:wg:oauth") {
            all.append(
                finding(
                    "B2C-URI-019", "MSAL for iOS and macOS cannot catch answers to \"\(uri.value)\"",
                    "Use msauth.BUNDLE://auth.", at: uri.location))
            return all
        }
        if let bundle, uri.value.hasPrefix("msauth."), uri.value.hasSuffix("://auth") {
            let named = String(uri.value.dropFirst("msauth.".count).dropLast("://auth".count))
            if named != bundle.value {
                let right = AppleRedirectURI.standard(bundle: bundle.value)
                all.append(
                    finding(
                        "B2C-URI-009", "it names the bundle id \"\(named)\"; the app's is \"\(bundle.value)\"",
                        "Write \(right), and register it.", at: uri.location, corrected: right,
                        fix: replacing(uri, by: right, safe: false)))
            }
        }
        let scheme = String(uri.value.prefix { $0 != ":" })
        let declared = schemes.map { expanded($0.value, bundle) }
        if hasList, !scheme.isEmpty, !declared.contains(where: { $0.lowercased() == scheme.lowercased() }) {
            let near = nearestName(scheme, among: declared)
            all.append(
                finding(
                    "B2C-APP-004", "no Info.plist declares the scheme \"\(scheme)\"",
                    near.map { "It declares \"\($0)\": make them agree." }
                        ?? "Add it under CFBundleURLTypes, CFBundleURLSchemes.", at: uri.location))
        }
        return all
    }

    private static func expanded(_ scheme: String, _ bundle: AppFact?) -> String {
        guard let bundle else { return scheme }
        return scheme.replacing(ascii: "$(PRODUCT_BUNDLE_IDENTIFIER)", with: bundle.value)
    }
}
