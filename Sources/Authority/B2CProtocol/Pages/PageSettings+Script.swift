import JSON

extension PageSettings {
    /// The names that the data script defines.
    private static let names = ["CP", "SA_FIELDS", "UV_PHONE", "CONTENT", "SETTINGS"]
    /// Those that are the same at every showing of a page.
    private static let recurring = ["CP", "SA_FIELDS", "CONTENT"]

    /// Reads the settings objects of a page, also where they are JavaScript literals and not JSON.
    ///
    /// `nil` for a page without `SETTINGS`, which is none of B2C's journey pages.
    public static func read(html: String) -> PageSettings? {
        read(LooseScript.assignments(in: html, names: names, recurring: recurring))
    }

    /// The same from the bytes of a page.
    public static func read(html: [UInt8]) -> PageSettings? {
        read(LooseScript.assignments(in: html, names: names, recurring: recurring))
    }

    private static func read(_ values: [String: JSONValue]) -> PageSettings? {
        guard let settings = values["SETTINGS"]?.objectValue, let api = settings["api"]?.stringValue else { return nil }
        var page = PageSettings(api: api)
        page.read(settings: settings)
        page.fields = (values["SA_FIELDS"]?["AttributeFields"]?.arrayValue ?? []).compactMap { PageField(json: $0) }
        page.providers = (values["CP"]?["list"]?.arrayValue ?? []).compactMap { PageChoice(json: $0) }
        page.phones = values["UV_PHONE"]?["PhoneNumbers"]?.arrayValue.map { $0.compactMap { PagePhone(json: $0) } }
        page.content = values["CONTENT"]?.objectValue ?? JSONObject()
        return page
    }

    private mutating func read(settings: JSONObject) {
        for (key, value) in settings.members {
            switch key {
            case "api": break
            case "remoteResource": remoteResource = value.scalarText ?? ""
            case "retryLimit": retryLimit = value.scalarText.flatMap { Int($0) } ?? retryLimit
            case "trimSpacesInPassword": trimSpacesInPassword = value.boolValue ?? false
            case "csrf": csrf = value.stringValue ?? ""
            case "transId": transId = value.stringValue ?? ""
            case "pageViewId": pageViewId = value.stringValue ?? ""
            case "suppressElementCss": suppressElementCss = value.boolValue ?? false
            case "isPageViewIdSentWithHeader": isPageViewIdSentWithHeader = value.boolValue ?? false
            case "allowAutoFocusOnPasswordField": allowAutoFocusOnPasswordField = value.boolValue ?? false
            case "pageMode": pageMode = value.scalarText.flatMap { Int($0) } ?? 0
            case "config": config = value.objectValue ?? JSONObject()
            case "sanitizerPolicy": hasSanitizerPolicy = true
            case "hosts":
                tenantPath = value["tenant"]?.stringValue ?? ""
                policy = value["policy"]?.stringValue ?? ""
                staticHost = value["static"]?.stringValue ?? ""
            case "locale":
                language = value["lang"]?.stringValue ?? language
                country = value["country"]?.stringValue
            case "xhrSettings": break
            case "tenantBranding": tenantBranding = value.objectValue
            default: otherSettings.append(key, value)
            }
        }
    }

    /// The text of the data script: one global for each settings object, in B2C's order.
    public func script() -> String {
        var text = "var CP = \(Self.literal(["list": .array(providers.map(\.json))]));\n"
        text += "var SA_FIELDS = \(Self.literal(["AttributeFields": .array(fields.map(\.json))]));\n"
        if let phones {
            text += "var UV_PHONE = \(Self.literal(["PhoneNumbers": .array(phones.map(\.json))]));\n"
        }
        text += "var CONTENT = \(Self.literal(content));\n"
        text += "var SETTINGS = \(settingsLiteral);\n"
        return text
    }

    private var settingsLiteral: String {
        let object = Self.literal(settingsObject)
        guard hasSanitizerPolicy else { return object }
        // As on real pages: a member that JSON cannot hold. Readers that parse SETTINGS as JSON fail here as there.
        return object.dropLast() + ",\"sanitizerPolicy\":{allowedTags: ['a', 'b', 'div', 'img', 'p', 'span'], "
            + "allowedSchemes: ['https', 'data'], onTag: function (tag) { return tag !== 'script' ? { keep: tag } : null; }}}"
    }

    private var settingsObject: JSONObject {
        var object = JSONObject()
        object.append("remoteResource", .string(remoteResource))
        object.append("retryLimit", .integer(Int64(retryLimit)))
        object.append("trimSpacesInPassword", .bool(trimSpacesInPassword))
        object.append("api", .string(api))
        object.append("csrf", .string(csrf))
        object.append("transId", .string(transId))
        object.append("pageViewId", .string(pageViewId))
        object.append("suppressElementCss", .bool(suppressElementCss))
        object.append("isPageViewIdSentWithHeader", .bool(isPageViewIdSentWithHeader))
        object.append("allowAutoFocusOnPasswordField", .bool(allowAutoFocusOnPasswordField))
        object.append("pageMode", .integer(Int64(pageMode)))
        object.append("config", .object(config))
        object.append(
            "hosts",
            ["tenant": .string(tenantPath), "policy": .string(policy), "static": .string(staticHost)])
        var locale: JSONObject = ["lang": .string(language)]
        locale["country"] = country.map { .string($0) }
        object.append("locale", .object(locale))
        object.append(
            "xhrSettings",
            [
                "retryEnabled": true, "retryMaxAttempts": 3, "retryDelay": 200, "retryExponent": 2,
                "retryOn": ["error", "timeout"],
            ])
        object["tenantBranding"] = tenantBranding.map { .object($0) }
        for (key, value) in otherSettings.members { object.append(key, value) }
        return object
    }

    /// An object without objects in it, as JSON for a script element, whose only closing brace is its last character.
    public static func flatLiteral(_ object: JSONObject) -> String {
        literal(object).utf8.dropLast().split(separator: UInt8(ascii: "}"), omittingEmptySubsequences: false)
            .map(Substring.init).joined(separator: "\\u007d") + "}"
    }

    /// JSON that is safe inside a script element: `<` cannot end the element or begin a comment, and the line
    /// separators that older JavaScript does not allow in literals are escaped.
    private static func literal(_ object: JSONObject) -> String {
        let text = JSONWriter.compact(.object(object))
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "<") || $0 == 0xe2 }) else { return text }
        let bytes = Array(text.utf8)
        var safe: [UInt8] = []
        safe.reserveCapacity(bytes.count + 256)
        var index = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "<"): safe += "\\u003c".utf8
            // U+2028 and U+2029 as UTF-8: in a valid text two more bytes follow.
            case 0xe2 where bytes[index + 1] == 0x80 && bytes[index + 2] & 0xfe == 0xa8:
                safe += (bytes[index + 2] == 0xa8 ? "\\u2028" : "\\u2029").utf8
                index += 2
            case let byte: safe.append(byte)
            }
            index += 1
        }
        return String(decoding: safe, as: UTF8.self)
    }
}
