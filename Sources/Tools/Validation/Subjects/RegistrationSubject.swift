import B2CProtocol
import Determinism
import Diagnostics
import HTTPMessages
import JSON
import TenantFiles

/// Checks app registrations in either of their two forms.
enum RegistrationSubject {
    static func findings(_ project: Project) -> [Finding] {
        project.files(.registration).flatMap { file -> [Finding] in
            guard let document = file.document else { return [] }
            return Registration(document).findings(project)
        }
    }
}

/// An app registration read from a manifest (`replyUrlsWithType`) or a Graph `application` (`web`, `spa`,
/// `publicClient`).
struct Registration: Sendable {
    private let document: JSONDocument
    private let root: JSONValue

    init(_ document: JSONDocument) {
        self.document = document
        root = document.root
    }

    /// The path of its file.
    var file: String { document.location(of: .root).file }

    /// The client id as written.
    var clientID: String? { root["appId"]?.stringValue }

    private typealias Path = [String]

    private func place(_ path: Path, key: Bool = false) -> SourceLocation {
        var pointer = JSONPointer(tokens: path)
        while root.value(at: pointer) == nil, let above = pointer.parent { pointer = above }
        return document.location(of: pointer, key: key)
    }

    private func value(_ path: Path) -> JSONValue? { root.value(at: JSONPointer(tokens: path)) }

    /// The redirect URIs of all platforms.
    var redirectURIs: [PlacedURI] {
        var all: [PlacedURI] = []
        for (index, entry) in (root["replyUrlsWithType"]?.arrayValue ?? []).enumerated() {
            guard let url = entry["url"]?.stringValue, let platform = Self.platform(entry["type"]?.stringValue) else {
                continue
            }
            all.append(
                PlacedURI(
                    uri: url, platform: platform, location: place(["replyUrlsWithType", String(index), "url"])))
        }
        for (member, platform) in [("web", RedirectPlatform.web), ("spa", .spa), ("publicClient", .native)] {
            for (index, entry) in (value([member, "redirectUris"])?.arrayValue ?? []).enumerated() {
                guard let uri = entry.stringValue else { continue }
                all.append(
                    PlacedURI(
                        uri: uri, platform: platform, location: place([member, "redirectUris", String(index)])))
            }
        }
        return all
    }

    private static let platformTypes = ["Web", "Spa", "InstalledClient"]

    private static func platform(_ type: String?) -> RedirectPlatform? {
        switch type {
        case "Web": .web
        case "Spa": .spa
        case "InstalledClient": .native
        default: nil
        }
    }

    func findings(_ project: Project) -> [Finding] {
        var all = types()
        let uris = redirectURIs
        all += RedirectURIs.findings(uris, clientID: clientID)
        if let id = clientID, !RedirectURIs.isGUID(id) {
            all.append(
                Finding(
                    "B2C-REG-001", "\"\(id)\" is not a GUID", remedy: "Put the application id of the portal there.",
                    at: place(["appId"])))
        }
        all += audience() + implicit() + secrets(uris, at: project.now) + scopes() + permissions() + logout()
        all += agreement(project.tenant, uris)
        return all
    }

    // MARK: Types

    private func types() -> [Finding] {
        var all: [Finding] = []
        for path in [
            ["replyUrlsWithType"], ["identifierUris"], ["web", "redirectUris"], ["spa", "redirectUris"],
            ["publicClient", "redirectUris"], ["passwordCredentials"], ["requiredResourceAccess"],
        ] {
            if let found = value(path), !found.isNull, found.arrayValue == nil {
                all.append(
                    Finding(
                        "B2C-REG-012", "`\(path.joined(separator: "."))` is a list, this is \(found.typeName)",
                        remedy: "Put it into [ ].", at: place(path)))
            }
        }
        for (index, entry) in (root["replyUrlsWithType"]?.arrayValue ?? []).enumerated() {
            let type = entry["type"]?.stringValue
            guard Self.platform(type) == nil else { continue }
            let near = type.flatMap { nearestName($0, among: Self.platformTypes) }
            all.append(
                Finding(
                    "B2C-REG-012", type.map { "there is no platform type \"\($0)\"" } ?? "the platform type is missing",
                    remedy: near.map { "Did you mean \"\($0)\"?" } ?? "It is Web, Spa or InstalledClient.",
                    at: place(["replyUrlsWithType", String(index), "type"]), corrected: near))
        }
        return all
    }

    // MARK: Audience and switches

    private static let anyAccount = "AzureADandPersonalMicrosoftAccount"

    private func audience() -> [Finding] {
        var all: [Finding] = []
        let audience = root["signInAudience"]?.stringValue
        if let audience, audience != Self.anyAccount {
            all.append(
                Finding(
                    "B2C-REG-002", "the app takes accounts of \"\(audience)\"",
                    remedy: "Write \"\(Self.anyAccount)\".", at: place(["signInAudience"]),
                    corrected: Self.anyAccount))
        }
        for path in [["accessTokenAcceptedVersion"], ["api", "requestedAccessTokenVersion"]] {
            guard audience == Self.anyAccount, let version = value(path), version.intValue != 2 else { continue }
            all.append(
                Finding(
                    "B2C-REG-003", "the audience \"\(Self.anyAccount)\" needs version 2", remedy: "Write 2.",
                    at: place(path), corrected: "2"))
        }
        return all
    }

    private static let implicitSwitches: [Path] = [
        ["oauth2AllowImplicitFlow"], ["oauth2AllowIdTokenImplicitFlow"],
        ["web", "implicitGrantSettings", "enableAccessTokenIssuance"],
        ["web", "implicitGrantSettings", "enableIdTokenIssuance"],
    ]

    private var isPublicClient: Bool? {
        root["allowPublicClient"]?.boolValue ?? root["isFallbackPublicClient"]?.boolValue
    }

    /// Resource-owner flows need what all others are better without, so for a public client the switches alone are not
    /// a finding.
    private func implicit() -> [Finding] {
        guard isPublicClient != true else { return [] }
        return Self.implicitSwitches.compactMap { path in
            guard value(path)?.boolValue == true else { return nil }
            return Finding(
                "B2C-REG-004", "`\(path[path.count - 1])` is on",
                remedy: "Use the code flow with PKCE and write false.",
                at: place(path), corrected: "false")
        }
    }

    // MARK: Secrets

    private func secrets(_ uris: [PlacedURI], at now: Timestamp) -> [Finding] {
        let credentials = root["passwordCredentials"]?.arrayValue ?? []
        guard !credentials.isEmpty else { return [] }
        var all: [Finding] = []
        if !uris.isEmpty, uris.allSatisfy({ $0.platform != .web }) {
            all.append(
                Finding(
                    "B2C-REG-005", "the app has a client secret, but no redirect URI of the platform Web",
                    remedy: "Take the secret out; such apps use PKCE.", at: place(["passwordCredentials"], key: true)))
        }
        for (index, credential) in credentials.enumerated() {
            guard let text = (credential["endDateTime"] ?? credential["endDate"])?.stringValue,
                let end = Timestamp(rfc3339: text)
            else { continue }
            let member = credential["endDateTime"] != nil ? "endDateTime" : "endDate"
            let spot = place(["passwordCredentials", String(index), member])
            if end <= now {
                all.append(
                    Finding(
                        "B2C-REG-013", "the secret ended on \(text)", remedy: "Make a new one and take this out.",
                        at: spot, severity: .error))
            } else if end < now + .days(30) {
                all.append(
                    Finding(
                        "B2C-REG-013", "the secret ends on \(text)", remedy: "Make a new one before that.", at: spot))
            }
        }
        return all
    }

    // MARK: Scopes and permissions

    private struct Scope {
        var id: String?
        var value: String?
        var isEnabled: Bool
        var path: Path
    }

    private var scopeList: [Scope] {
        for path in [["oauth2Permissions"], ["api", "oauth2PermissionScopes"]] {
            guard let list = value(path)?.arrayValue else { continue }
            return list.enumerated().map { index, entry in
                Scope(
                    id: entry["id"]?.stringValue, value: entry["value"]?.stringValue,
                    isEnabled: entry["isEnabled"]?.boolValue ?? true, path: path + [String(index)])
            }
        }
        return []
    }

    private func scopes() -> [Finding] {
        var all: [Finding] = []
        let scopes = scopeList
        var seen: [String: Int] = [:]
        for (index, scope) in scopes.enumerated() {
            if let id = scope.id, !RedirectURIs.isGUID(id) {
                all.append(
                    Finding(
                        "B2C-REG-001", "the scope's id \"\(id)\" is not a GUID", remedy: "Put a new GUID there.",
                        at: place(scope.path + ["id"])))
            }
            guard let value = scope.value, !value.isEmpty else {
                all.append(
                    Finding(
                        "B2C-REG-006", "the scope has no `value`", remedy: "Name it, such as \"tasks.read\".",
                        at: place(scope.path)))
                continue
            }
            if seen[value] != nil {
                all.append(
                    Finding(
                        "B2C-REG-006", "a second scope \"\(value)\"", remedy: "Take one of them out.",
                        at: place(scope.path + ["value"])))
            }
            seen[value] = index
            if !scope.isEnabled {
                all.append(
                    Finding(
                        "B2C-REG-006", "the scope \"\(value)\" is switched off",
                        remedy: "Switch it on, or take it out.", at: place(scope.path + ["isEnabled"]),
                        severity: .warning))
            }
        }
        let identifiers = root["identifierUris"]?.arrayValue ?? []
        if !scopes.isEmpty, identifiers.isEmpty {
            all.append(
                Finding(
                    "B2C-REG-007", "the app has scopes and no identifier URI",
                    remedy: "Add one, such as https://TENANT.onmicrosoft.com/NAME.",
                    at: place(["identifierUris"], key: root["identifierUris"] != nil)))
        }
        for (index, entry) in identifiers.enumerated() {
            guard let uri = entry.stringValue, WebURL(uri) == nil else { continue }
            all.append(
                Finding(
                    "B2C-REG-007", "\"\(uri)\" is not an absolute URI",
                    remedy: "Write https://TENANT.onmicrosoft.com/NAME or api://CLIENTID.",
                    at: place(["identifierUris", String(index)])))
        }
        return all
    }

    /// Microsoft Graph, and its delegated permissions `openid` and `offline_access`.
    private static let graph = "00000003-0000-0000-c000-000000000000"
    private static let graphPermissions = [
        ("openid", "37f7f235-527c-4136-accd-4a02d197296e"),
        ("offline_access", "7427e0e9-2fba-42fe-b0c0-848c9e6a8182"),
    ]

    private func permissions() -> [Finding] {
        var all: [Finding] = []
        // The id of an app role is taken too, though it grants nothing ("Microsoft docs: preAuthorizedApplication").
        let roles = (root["appRoles"]?.arrayValue ?? []).compactMap { $0["id"]?.stringValue }
        let known = (scopeList.compactMap(\.id) + roles).map(\.asciiLowercased)
        for path in [["preAuthorizedApplications"], ["api", "preAuthorizedApplications"]] {
            for (index, entry) in (value(path)?.arrayValue ?? []).enumerated() {
                let own = path + [String(index)]
                if let id = entry["appId"]?.stringValue, !RedirectURIs.isGUID(id) {
                    all.append(
                        Finding(
                            "B2C-REG-010", "the pre-authorised app \"\(id)\" is not a GUID",
                            remedy: "Put its application id there.", at: place(own + ["appId"])))
                }
                for member in ["permissionIds", "delegatedPermissionIds"] {
                    for (number, id) in (entry[member]?.arrayValue ?? []).enumerated() {
                        guard let id = id.stringValue, !known.contains(id.asciiLowercased) else { continue }
                        all.append(
                            Finding(
                                "B2C-REG-010", "no scope of this app has the id \"\(id)\"",
                                remedy: "Name the id of one of its scopes.",
                                at: place(own + [member, String(number)])))
                    }
                }
            }
        }
        guard let required = root["requiredResourceAccess"]?.arrayValue, !redirectURIs.isEmpty else { return all }
        let asked =
            required.first { $0["resourceAppId"]?.stringValue?.asciiLowercased == Self.graph }?["resourceAccess"]?
            .arrayValue?.compactMap { $0["id"]?.stringValue?.asciiLowercased } ?? []
        for (name, id) in Self.graphPermissions where !asked.contains(id) {
            all.append(
                Finding(
                    "B2C-REG-008", "the app does not ask for the permission \(name)",
                    remedy: "Add \(id) (Scope) of \(Self.graph), then grant admin consent.",
                    at: place(["requiredResourceAccess"], key: true)))
        }
        return all
    }

    private func logout() -> [Finding] {
        [["logoutUrl"], ["web", "logoutUrl"]].compactMap { path in
            guard let text = value(path)?.stringValue, !text.isEmpty else { return nil }
            let url = WebURL(text)
            let isGood = url?.scheme == "https" || url?.scheme == "http" && url?.host == "localhost"
            guard !isGood else { return nil }
            return Finding(
                "B2C-REG-009", "\"\(text)\" is not an https URL", remedy: "Use https.", at: place(path),
                corrected: text.hasPrefix("http:") ? "https:" + text.dropFirst(5) : nil)
        }
    }

    // MARK: Against the tenant file

    private func agreement(_ tenant: Tenant?, _ uris: [PlacedURI]) -> [Finding] {
        guard let tenant, let clientID,
            let app = tenant.apps.first(where: { RedirectURIs.sameGUID($0.client.clientId, clientID) })
        else { return [] }
        var all: [Finding] = []
        for (uri, platform) in app.registration.redirectUris.all {
            guard let own = uris.first(where: { $0.uri == uri }) else {
                all.append(
                    Finding(
                        "B2C-REG-011",
                        "app \(app.name) of the tenant file registers \"\(uri)\", which is not here",
                        remedy: "Add it here, or take it out there.", at: place(["appId"])))
                continue
            }
            if own.platform != platform {
                all.append(
                    Finding(
                        "B2C-REG-011",
                        "\"\(uri)\" is registered under \(own.platform.rawValue) here and under \(platform.rawValue)"
                            + " in the tenant file", remedy: "Make them agree.", at: own.location))
            }
        }
        return all
    }
}
