import Diagnostics

/// Property lists, entitlements and the way back into the app.
extension AppSubject {
    static func wiring(_ app: AppProject) -> [Finding] {
        querySchemes(app) + schemeDeclared(app) + strayKey(app) + keychain(app) + callback(app) + settingsFile(app)
    }

    private static let brokerSchemes = ["msauthv2", "msauthv3"]

    private static func querySchemes(_ app: AppProject) -> [Finding] {
        guard app.systems.ios else { return [] }
        return app.infoPlists.flatMap { entry -> [Finding] in
            // Only the list of an app that is called back needs them; extensions have none.
            guard !entry.list.urlSchemes.isEmpty else { return [] }
            let item = entry.list["LSApplicationQueriesSchemes"]?.item
            let declared = item?.items?.compactMap(\.text) ?? []
            let missing = brokerSchemes.filter { !declared.contains($0) }
            guard !missing.isEmpty else { return [] }
            let near = declared.first { name in
                !brokerSchemes.contains(name) && missing.contains { nearestName(name, among: [$0]) != nil }
            }
            return [
                finding(
                    "B2C-APP-005", "LSApplicationQueriesSchemes lacks \(namesList(missing))",
                    near.map { "Did you mean \(namesList(missing)) by \"\($0)\"?" }
                        ?? "Add \(namesList(brokerSchemes)).",
                    at: item?.location ?? SourceLocation(file: entry.file.path, line: 1, column: 1))
            ]
        }
    }

    /// Without a redirect URI of its own MSAL takes `msauth.BUNDLE://auth`, whose scheme must be declared.
    private static func schemeDeclared(_ app: AppProject) -> [Finding] {
        guard app.systems.ios, app.redirectURIs.isEmpty, let entry = app.infoPlists.first else { return [] }
        let schemes = app.infoPlists.flatMap(\.list.urlSchemes).map(\.value)
        guard !schemes.contains(where: { $0.lowercased().hasPrefix("msauth.") || $0.hasPrefix("msal") }) else {
            return []
        }
        let bundle = app.bundleID?.value ?? "$(PRODUCT_BUNDLE_IDENTIFIER)"
        let place = entry.list["CFBundleURLTypes"]?.keyLocation
        return [
            finding(
                "B2C-APP-003", "no URL scheme of MSAL is declared",
                "Add msauth.\(bundle) under CFBundleURLTypes, CFBundleURLSchemes.",
                at: place ?? SourceLocation(file: entry.file.path, line: 1, column: 1))
        ]
    }

    /// `CFBundleURLSchemes` belongs into an entry of `CFBundleURLTypes`; at the top iOS does not look at it.
    private static func strayKey(_ app: AppProject) -> [Finding] {
        app.infoPlists.compactMap { entry in
            guard let key = entry.list["CFBundleURLSchemes"] else { return nil }
            return finding(
                "B2C-APP-003", "CFBundleURLSchemes stands by itself, where iOS does not look at it",
                "Put it into a <dict> of the <array> under CFBundleURLTypes.", at: key.keyLocation)
        }
    }

    private static let iosGroup = "com.microsoft.adalcache"
    private static let macosGroup = "com.microsoft.identity.universalstorage"

    private static func keychain(_ app: AppProject) -> [Finding] {
        var all: [Finding] = []
        let systems = app.systems
        // An app that names its own group by `keychainSharingGroup` needs that one.
        let own = app.constants(named: "keychain").map(\.value)
        if app.entitlements.isEmpty, !app.files.contains(where: { $0.kind == .entitlements }),
            let list = app.infoPlists.first,
            app.scans.contains(where: { $0.scan.has("MSALPublicClientApplication") })
        {
            let wanted = own.first ?? (systems.macos && !systems.ios ? macosGroup : iosGroup)
            all.append(
                Finding(
                    "B2C-APP-006", "no entitlements lie here, so the keychain group \(wanted) is missing",
                    remedy: "Add the capability Keychain Sharing with \(wanted).",
                    at: SourceLocation(file: list.file.path, line: 1, column: 1), severity: .warning))
        }
        for entry in app.entitlements {
            let isMac = entry.list["com.apple.security.app-sandbox"] != nil || systems.macos && !systems.ios
            let wanted = own.first ?? (isMac ? macosGroup : iosGroup)
            let item = entry.list["keychain-access-groups"]?.item
            let groups = item?.items?.compactMap(\.text) ?? []
            let place = item?.location ?? SourceLocation(file: entry.file.path, line: 1, column: 1)
            if !groups.contains(where: { $0 == wanted || $0.hasSuffix(".\(wanted)") || $0.hasSuffix(")\(wanted)") }) {
                let other = isMac ? iosGroup : macosGroup
                let swapped = groups.contains { $0.hasSuffix(other) }
                all.append(
                    finding(
                        "B2C-APP-006", "the keychain group \(wanted) is missing",
                        swapped
                            ? "\(other) is that of \(isMac ? "iOS" : "macOS"): write $(AppIdentifierPrefix)\(wanted)."
                            : "Add $(AppIdentifierPrefix)\(wanted) to keychain-access-groups.", at: place))
            }
            for (group, value) in zip(groups, item?.items ?? []) {
                guard group.hasSuffix(wanted), !group.hasPrefix("$(AppIdentifierPrefix)"), !hasTeam(group, wanted)
                else { continue }
                all.append(
                    finding(
                        "B2C-APP-006", "the keychain group \"\(group)\" lacks the team's prefix",
                        "Write $(AppIdentifierPrefix)\(wanted).", at: value.location,
                        corrected: "$(AppIdentifierPrefix)\(wanted)"))
            }
            guard isMac, entry.list["com.apple.security.app-sandbox"]?.item.flag == true else { continue }
            let network = entry.list["com.apple.security.network.client"]
            if network?.item.flag != true {
                all.append(
                    finding(
                        "B2C-APP-007", "the sandbox allows no outgoing connections",
                        "Set com.apple.security.network.client to true.",
                        at: network?.item.location ?? SourceLocation(file: entry.file.path, line: 1, column: 1)))
            }
        }
        return all
    }

    /// A team id is ten capital letters and digits.
    private static func hasTeam(_ group: String, _ wanted: String) -> Bool {
        let prefix = group.dropLast(wanted.count)
        guard prefix.hasSuffix("."), prefix.utf8.count == 11 else { return false }
        return prefix.dropLast().utf8.allSatisfy { (65...90).contains($0) || (48...57).contains($0) }
    }

    private static func callback(_ app: AppProject) -> [Finding] {
        guard app.systems.ios else { return [] }
        let calls = app.places("handleMSALResponse")
        func uses(_ word: String) -> AppFact? {
            for entry in app.scans {
                if let token = entry.scan.tokens.first(where: { $0.kind == .word && $0.text == word }) {
                    return AppFact(value: word, location: entry.scan.location(token))
                }
            }
            return nil
        }
        let delegate = uses("UIApplicationDelegate") ?? uses("AppDelegate")
        let scene = uses("UIWindowSceneDelegate") ?? uses("UISceneDelegate")
        guard delegate != nil || scene != nil else { return [] }
        if calls.isEmpty {
            let place = scene ?? delegate
            let how =
                scene == nil
                ? "Call MSALPublicClientApplication.handleMSALResponse in application(_:open:options:)."
                : "Call MSALPublicClientApplication.handleMSALResponse in scene(_:openURLContexts:)."
            return [
                finding(
                    "B2C-APP-008", "nothing hands the answer's URL to MSAL", how, at: place?.location)
            ]
        }
        var all: [Finding] = []
        let hasSceneMethod = uses("openURLContexts") != nil
        for entry in app.scans {
            guard let method = entry.scan.tokens.first(where: { $0.kind == .word && $0.text == "openURLContexts" }),
                !entry.scan.has("handleMSALResponse")
            else { continue }
            all.append(
                finding(
                    "B2C-APP-008", "the scene delegate keeps the answer's URL",
                    "Call MSALPublicClientApplication.handleMSALResponse in scene(_:openURLContexts:).",
                    at: entry.scan.location(method)))
        }
        let manifest = app.infoPlists.lazy.compactMap { $0.list["UIApplicationSceneManifest"]?.keyLocation }.first
        if scene == nil, let manifest, !hasSceneMethod {
            all.append(
                finding(
                    "B2C-APP-008", "the app declares scenes, and nothing takes the URL that iOS gives their delegate",
                    "Call handleMSALResponse in scene(_:openURLContexts:) of a scene delegate.", at: manifest))
        }
        if let scene, !hasSceneMethod {
            all.append(
                finding(
                    "B2C-APP-008", "the app has scenes, and iOS gives their delegate the URL, not the app delegate",
                    "Call handleMSALResponse in scene(_:openURLContexts:) too.", at: scene.location))
        }
        return all
    }

    // MARK: AuthSettings.plist

    private static func settingsFile(_ app: AppProject) -> [Finding] {
        var all: [Finding] = []
        for entry in app.authSettings {
            for (key, wanted) in [("AppId", "a string"), ("GraphScopes", "an array")] {
                guard let found = entry.list[key] else {
                    let near = nearestName(key, among: keys(of: entry.list))
                    all.append(
                        finding(
                            "B2C-APP-021", "the key \(key) is missing", near.map { "Did you mean it by \"\($0)\"?" },
                            at: SourceLocation(file: entry.file.path, line: 1, column: 1)))
                    continue
                }
                if found.item.kind != wanted {
                    all.append(
                        finding(
                            "B2C-APP-021", "\(key) is \(wanted), this is \(found.item.kind)", at: found.item.location))
                }
            }
            for item in entry.list["GraphScopes"]?.item.items ?? [] where item.text == nil {
                all.append(
                    finding("B2C-APP-021", "a scope is a string, this is \(item.kind)", at: item.location))
            }
            let ignores = app.files.filter { $0.kind == .gitignore }
            let isIgnored = ignores.contains { file in
                file.lines.contains { $0.contains("AuthSettings.plist") || $0.hasPrefix("*.plist") }
            }
            if !isIgnored {
                all.append(
                    finding(
                        "B2C-APP-022", "AuthSettings.plist is not excluded from git", "Add it to .gitignore.",
                        at: SourceLocation(file: ignores.first?.path ?? entry.file.path, line: 1, column: 1)))
            }
        }
        return all + missingSettingsFile(app)
    }

    /// Code that reads AuthSettings.plist, in an app that has none: its client id is nil.
    private static func missingSettingsFile(_ app: AppProject) -> [Finding] {
        guard !app.files.contains(where: { $0.kind == .authSettings }) else { return [] }
        for entry in app.scans {
            guard let token = entry.scan.tokens.first(where: { $0.kind == .text && $0.text == "AuthSettings" }) else {
                continue
            }
            return [
                finding(
                    "B2C-APP-021", "the code reads AuthSettings.plist, and there is none: the client id is nil",
                    "Add it with AppId and GraphScopes.", at: entry.scan.location(token))
            ]
        }
        return []
    }

    private static func keys(of list: PropertyList) -> [String] {
        guard case .dictionary(let entries) = list.root.value else { return [] }
        return entries.map(\.key)
    }
}
