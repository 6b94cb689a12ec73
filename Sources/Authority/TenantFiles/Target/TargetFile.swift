import Diagnostics
import HTTPMessages
import JSON
import Records

/// A target file that was read and found good. Texts may still hold `{{env/NAME}}` and `{{secret/NAME}}`.
public struct TargetFile: Sendable {
    /// The text with its places.
    public let document: JSONDocument
    public let settings: TargetSettings

    /// Reads a file.
    ///
    /// - Throws: Every finding at once: faults of the JSON, unknown keys, wrong values, keys that the kind lacks or has
    ///   no use for.
    public static func read(file: String, bytes: [UInt8]) throws(InvalidInput) -> TargetFile {
        let document = try JSONDocument(file: file, bytes: bytes)
        let checker = ShapeChecker(
            document: document, named: TargetShapes.named, allowTemplates: true, rulePrefix: "B2C-TGT")
        var findings = checker.check(document.root, at: .root, as: TargetShapes.root)
        if findings.hasErrors { throw InvalidInput(diagnostics: findings) }
        let cursor = SettingsCursor(allowsTemplates: true, rulePrefix: "B2C-TGT")
        guard var settings = TargetSettings.decode(document.root, cursor) else {
            throw InvalidInput(diagnostics: diagnostics(cursor, document))
        }
        check(settings, document.root, cursor)
        findings += diagnostics(cursor, document)
        if findings.hasErrors { throw InvalidInput(diagnostics: findings.inSourceOrder) }
        if settings.name.isEmpty { settings.name = file }
        return TargetFile(document: document, settings: settings)
    }

    /// The settings once every `{{...}}` has been replaced.
    ///
    /// - Parameter json: The file's root, filled in.
    /// - Throws: Values that do not fit now that they are known.
    public func filled(_ json: JSONValue) throws(InvalidInput) -> TargetSettings {
        let cursor = SettingsCursor(rulePrefix: "B2C-TGT")
        guard var settings = TargetSettings.decode(json, cursor), cursor.findings.all.isEmpty else {
            throw InvalidInput(diagnostics: Self.diagnostics(cursor, document))
        }
        Self.check(settings, json, cursor)
        guard cursor.findings.all.isEmpty else {
            throw InvalidInput(diagnostics: Self.diagnostics(cursor, document))
        }
        if settings.name.isEmpty { settings.name = document.source.file }
        return settings
    }

    private static func diagnostics(_ cursor: SettingsCursor, _ document: JSONDocument) -> [Diagnostic] {
        cursor.findings.all.map { $0.diagnostic(in: document, at: .root) }
    }

    /// What the shape cannot say.
    private static func check(_ settings: TargetSettings, _ json: JSONValue, _ cursor: SettingsCursor) {
        func lacks(_ key: String, _ why: String) {
            if json[key] == nil {
                cursor.refuse("a target of kind \(settings.kind.rawValue) needs \"\(key)\"", remedy: why)
            }
        }
        func foreign(_ keys: [String]) {
            for key in keys where json[key] != nil {
                cursor.at(key).refuse(
                    "\"\(key)\" means nothing for a target of kind \(settings.kind.rawValue)", remedy: "Remove it.",
                    key: true)
            }
        }
        switch settings.kind {
        case .mockServer:
            lacks("url", "Write the address that mock-server prints when it is ready.")
            foreign(["hosts", "pacing", "inbox", "live"])
            if let url = settings.url, !cursor.isTemplate(.string(url)), !url.hasPrefix("https://"),
                !url.hasPrefix("http://")
            {
                cursor.at("url").refuse(
                    "\"\(url)\" is not the address of a server", remedy: "Write it like \"https://127.0.0.1:9443\".")
            }
        case .live:
            lacks("tenant", "Name the tenant file with the policies, apps and people of the real tenant.")
            foreign(["url", "controlToken"])
            if settings.pacing.per <= .zero {
                cursor.at("pacing").at("per").refuse("a span of time longer than nothing is needed here")
            }
        }
        for (host, place) in settings.connectTo.members {
            guard let text = place.stringValue, !cursor.isTemplate(place) else { continue }
            if Self.isPlain(text), Self.place(text).map({ !WebURL(scheme: "http", host: $0.host).isLoopback }) ?? true {
                cursor.at("connectTo").at(host).refuse(
                    "\"\(text)\": plain http goes to this machine only",
                    remedy: "Leave http:// out: TLS is spoken then.")
            } else if Self.place(text) == nil {
                cursor.at("connectTo").at(host).refuse(
                    "\"\(text)\" is not an address with a port", remedy: "Write it like \"127.0.0.1:9443\".")
            }
        }
    }

    /// Whether the place is reached without TLS: something on this machine that ends TLS, or plays a host, for tests.
    public static func isPlain(_ text: String) -> Bool { text.hasPrefix("http://") }

    /// Reads `address:port`, also after `http://`; an IPv6 address needs brackets.
    public static func place(_ text: String) -> (host: String, port: Int)? {
        let text = isPlain(text) ? String(text.dropFirst(7)) : text
        guard let colon = text.lastIndex(of: ":"), colon != text.startIndex,
            let port = Int(text[text.index(after: colon)...]), (1...65535).contains(port)
        else { return nil }
        let host = text[..<colon]
        guard !host.contains(":") || (host.hasPrefix("[") && host.hasSuffix("]")) else { return nil }
        return (String(host), port)
    }
}

/// What a target file may hold.
public enum TargetShapes {
    public static let root: Shape = TargetSettings.shape

    /// Shapes that `root` refers to by name; it needs none.
    public static let named: [String: Shape] = [:]
}
