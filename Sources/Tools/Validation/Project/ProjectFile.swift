import Diagnostics
import JSON
import Synchronization
import TrustFramework

/// A file that is to be checked.
public struct ProjectFile: Sendable {
    /// Its text, under the path the user knows it by.
    public let source: SourceText
    /// What it is, by name and content.
    public let kind: FileKind
    /// The file as JSON, where it is well-formed, and not large and of another kind.
    public let document: JSONDocument?
    /// Whether comments in it may suppress findings.
    let hasSuppressions: Bool

    /// The path as the user knows it, with `/` between its parts.
    public var path: String { source.file }

    public init(path: String, bytes: [UInt8]) {
        source = SourceText(file: path, bytes: bytes)
        let isJSON = path.lowercased().hasSuffix(".json") || FileKind.looksLikeJSON(bytes)
        let foreign = isJSON ? FileKind.foreign(source) : nil
        let document = isJSON && foreign == nil ? try? JSONDocument(file: path, bytes: bytes) : nil
        self.document = document
        var kind = FileKind.of(path: path, bytes: bytes, json: foreign ?? document?.root)
        if isJSON, foreign == nil, document == nil, bytes.count <= JSONLimits.bytes {
            // The reader of scenarios reports what is wrong with a text that is broken. Other people's files have `steps`
            // too, and no tenant beside them.
            let json = JSONOutline(source).json()
            if json["tenant"] != nil, FileKind.of(path: path, bytes: bytes, json: json) == .scenario {
                kind = .scenario
            }
        }
        self.kind = kind
        hasSuppressions =
            kind.hasSuppressions && ByteSearch.first(Suppressions.mark, in: bytes, from: 0) != nil
    }

    /// Whether it is well-formed JSON. Of a large text that is found when it is asked for the first time.
    package var isJSON: Bool {
        document != nil
            || wellFormed.isJSON.withLock { known in
                let isJSON = known ?? ((try? JSONParser.parse(source.bytes)) != nil)
                known = isJSON
                return isJSON
            }
    }

    private final class WellFormed: Sendable {
        let isJSON = Mutex<Bool?>(nil)
    }

    private let wellFormed = WellFormed()

    /// Whether it begins with the byte order mark of UTF-16, in either order.
    var isUTF16: Bool { source.bytes.starts(with: [0xFF, 0xFE]) || source.bytes.starts(with: [0xFE, 0xFF]) }

    /// Whether a text that is not JSON was probably meant to be something that is checked.
    var speaksOfB2C: Bool {
        let marks = [
            "replyUrlsWithType", "signInAudience", "authorization_endpoint", "AzureAdB2C", "b2clogin.com",
            "scenario.schema.json", "tenant.schema.json", "\"redirect_uri\"",
        ]
        let start = Array(source.bytes.prefix(1 << 20))
        return marks.contains { ByteSearch.first(Array($0.utf8), in: start, from: 0) != nil }
    }

    /// The last part of the path.
    public var name: String { path.split(separator: "/").last.map(String.init) ?? path }

    /// The folder, without a slash at its end; empty for a path of one part.
    public var folder: String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    }
}

/// What a file is to the validation.
public enum FileKind: String, Sendable, CaseIterable {
    /// A custom policy (TrustFrameworkPolicy).
    case policy
    case tenant, scenario
    /// An app's or an extension's Info.plist.
    case infoPlist
    case entitlements
    /// The property list with client id and scopes of the Microsoft Graph tutorial for iOS.
    case authSettings
    case podfile, cartfile, packageSwift
    case swiftSource, objectiveCSource
    /// MSAL for Android's configuration.
    case androidConfig
    case androidManifest
    /// MSAL.js' configuration as JSON.
    case browserConfig
    /// ASP.NET's settings with an AzureAdB2C section.
    case dotnetSettings
    /// An MSBuild project file.
    case dotnetProject
    /// An app registration: manifest or Graph `application`.
    case registration
    case discovery, keySet
    /// `b2c-validate.json`.
    case settings
    /// Xcode's settings: `project.pbxproj` and `.xcconfig` files.
    case buildSettings
    /// Git's list of files that are not committed.
    case gitignore
    case other

    /// What the kind is called in a sentence.
    public var title: String {
        switch self {
        case .policy: "custom policy"
        case .tenant: "tenant file"
        case .scenario: "scenario"
        case .infoPlist: "Info.plist"
        case .entitlements: "entitlements"
        case .authSettings: "AuthSettings.plist"
        case .podfile: "Podfile"
        case .cartfile: "Cartfile"
        case .packageSwift: "Package.swift"
        case .swiftSource: "Swift source"
        case .objectiveCSource: "Objective-C source"
        case .androidConfig: "MSAL for Android configuration"
        case .androidManifest: "Android manifest"
        case .browserConfig: "MSAL.js configuration"
        case .dotnetSettings: ".NET settings"
        case .dotnetProject: ".NET project"
        case .registration: "app registration"
        case .discovery: "discovery document"
        case .keySet: "key set"
        case .settings: "validation settings"
        case .buildSettings: "Xcode build settings"
        case .gitignore: ".gitignore"
        case .other: "other file"
        }
    }

    /// What several of the kind are called in a sentence.
    public var plural: String {
        switch self {
        case .policy: "custom policies"
        case .entitlements: "entitlements"
        case .infoPlist: "Info.plist files"
        case .authSettings: "AuthSettings.plist files"
        case .packageSwift: "Package.swift files"
        case .gitignore: ".gitignore files"
        case .dotnetSettings, .settings, .buildSettings: title
        default: title + "s"
        }
    }

    /// Whether comments in such a file may suppress findings.
    fileprivate var hasSuppressions: Bool {
        switch self {
        case .policy, .infoPlist, .entitlements, .authSettings, .swiftSource, .objectiveCSource, .androidManifest,
            .podfile, .cartfile, .packageSwift:
            true
        default: false
        }
    }

    /// Whether a text begins as JSON objects do.
    package static func looksLikeJSON(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
        return rest.first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D } == UInt8(ascii: "{")
    }

    /// A JSON text of this many bytes is read as a whole in no time that one notices.
    package static let small = 64 << 10

    /// The members at the top of a large JSON text, without theirs, if they say that it is none of the kinds.
    fileprivate static func foreign(_ source: SourceText) -> JSONValue? {
        guard source.bytes.count > small else { return nil }
        let top = JSONOutline(source, depth: 1).json()
        // Of these two the members decide.
        guard top["keys"] == nil, top["auth"] == nil,
            of(path: source.file, bytes: source.bytes, json: top) == .other
        else { return nil }
        return top
    }

    /// What a file is; `json` is its value, of which what can be read is enough.
    package static func of(path: String, bytes: [UInt8], json: JSONValue?) -> FileKind {
        let name = (path.split(separator: "/").last.map(String.init) ?? path).lowercased()
        if let kind = byName(name) { return kind }
        if let object = json?.objectValue { return of(object) }
        let end = min(bytes.count, 64 << 10)
        func contains(_ text: String) -> Bool {
            ByteSearch.first(Array(text.utf8), in: bytes, from: 0, upTo: end) != nil
        }
        if bytes.starts(with: Array("bplist00".utf8)) || contains("<plist") || contains("<!DOCTYPE plist") {
            return propertyList(name: name, text: String(decoding: bytes[..<end], as: UTF8.self), bytes: bytes)
        }
        if contains("<TrustFrameworkPolicy") { return .policy }
        // A policy whose root is misspelt still says what it is by its namespace.
        if name.hasSuffix(".xml"), contains("xmlns=\"\(PolicyReader.namespace)\"") { return .policy }
        if name.hasSuffix(".xml"), contains("<manifest"), contains("schemas.android.com") {
            return .androidManifest
        }
        return .other
    }

    private static func byName(_ name: String) -> FileKind? {
        switch name {
        case "b2c-validate.json": .settings
        case "podfile": .podfile
        case "cartfile": .cartfile
        case "package.swift": .packageSwift
        case "androidmanifest.xml": .androidManifest
        case ".gitignore": .gitignore
        default:
            if name.hasSuffix(".swift") {
                .swiftSource
            } else if name.hasSuffix(".m") || name.hasSuffix(".mm") || name.hasSuffix(".h") {
                .objectiveCSource
            } else if name.hasSuffix(".pbxproj") || name.hasSuffix(".xcconfig") {
                .buildSettings
            } else if name.hasSuffix(".csproj") {
                .dotnetProject
            } else if name.hasSuffix(".entitlements") {
                .entitlements
            } else {
                nil
            }
        }
    }

    private static func propertyList(name: String, text: String, bytes: [UInt8]) -> FileKind {
        if name == "authsettings.plist" || text.contains("GraphScopes") { return .authSettings }
        if name == "info.plist" || name.hasSuffix("-info.plist") || text.contains("CFBundle") { return .infoPlist }
        if text.contains("keychain-access-groups") || text.contains("com.apple.security.") { return .entitlements }
        return .other
    }

    private static func of(_ object: JSONObject) -> FileKind {
        let schema = object["$schema"]?.stringValue ?? ""
        func has(_ keys: String...) -> Bool { keys.allSatisfy { object[$0] != nil } }
        if schema.hasSuffix("scenario.schema.json") || object["steps"] != nil { return .scenario }
        if schema.hasSuffix("tenant.schema.json") { return .tenant }
        if has("authorization_endpoint") || has("jwks_uri") { return .discovery }
        if let keys = object["keys"]?.arrayValue, keys.contains(where: { $0["kty"] != nil }) { return .keySet }
        if has("replyUrlsWithType") || has("signInAudience", "appId")
            || has("appId") && (has("publicClient") || has("spa") || has("web") || has("identifierUris"))
        {
            return .registration
        }
        if has("client_id") && (has("authorities") || has("redirect_uri")) { return .androidConfig }
        if object["auth"]?["clientId"] != nil { return .browserConfig }
        if has("AzureAdB2C") || has("AzureADB2C") { return .dotnetSettings }
        if has("name"), ["policies", "apps", "users", "apis", "hosts"].contains(where: { object[$0] != nil }) {
            return .tenant
        }
        return .other
    }
}
