import Diagnostics
import JSON
import Records

/// The files with the texts of one language, as a tenant file names them.
public struct TextPackFiles: Hashable, Sendable {
    /// The language code as written, such as `de` or `pt-br`.
    public var language: String
    /// Paths as seen from the tenant file.
    public var files: [String]

    public init(language: String, files: [String]) {
        self.language = language
        self.files = files
    }
}

/// The languages that the service has texts in (Microsoft docs: language-customization).
public enum ServiceLanguage {
    /// All codes in lower case, by code.
    public static let codes = [
        "bn", "cs", "da", "de", "el", "en", "es", "fi", "fr", "gu", "hi", "hr", "hu", "it", "ja", "kn", "ko", "ml",
        "mr",
        "ms", "nb", "nl", "pa", "pl", "pt-br", "pt-pt", "ro", "ru", "sk", "sv", "ta", "te", "th", "tr", "zh-hans",
        "zh-hant",
    ]

    /// The code that somebody meant who wrote another one: the language of a region (`de-AT`), a variety (`pt`), a tag of
    /// the same language (`zh-CN`), or a slip.
    public static func nearest(_ code: String) -> String? {
        let written = code.lowercased().split(separator: "_").joined(separator: "-")
        if codes.contains(written) { return written }
        if let other = otherTags[written] { return other }
        let base = written.split(separator: "-").first.map(String.init) ?? written
        if codes.contains(base) { return base }
        if let variety = codes.first(where: { $0.hasPrefix(base + "-") }) { return variety }
        return otherTags[base] ?? near(written) ?? nearestName(written, among: codes)
    }

    /// A code of two letters of which one is right says nothing, so names are compared with names.
    private static func near(_ written: String) -> String? {
        guard written.utf8.count > 3 else { return nil }
        return names.first { $0.name.hasPrefix(written) || written.hasPrefix($0.name) }?.code
    }

    /// Tags of other systems for the same language.
    private static let otherTags = [
        "no": "nb", "nn": "nb", "zh-cn": "zh-hans", "zh-sg": "zh-hans", "zh": "zh-hans", "zh-tw": "zh-hant",
        "zh-hk": "zh-hant", "zh-mo": "zh-hant", "ger": "de", "deu": "de", "eng": "en", "fra": "fr", "fre": "fr",
        "spa": "es",
        "ita": "it", "jpn": "ja", "gr": "el", "cz": "cs", "dk": "da", "jp": "ja", "kr": "ko", "se": "sv",
        "cn": "zh-hans",
        "br": "pt-br",
    ]

    private static let names: [(name: String, code: String)] = [
        ("bangla", "bn"), ("czech", "cs"), ("danish", "da"), ("german", "de"), ("deutsch", "de"), ("greek", "el"),
        ("english", "en"), ("spanish", "es"), ("finnish", "fi"), ("french", "fr"), ("gujarati", "gu"), ("hindi", "hi"),
        ("croatian", "hr"), ("hungarian", "hu"), ("italian", "it"), ("japanese", "ja"), ("kannada", "kn"),
        ("korean", "ko"), ("malayalam", "ml"), ("marathi", "mr"), ("malay", "ms"), ("norwegian", "nb"), ("dutch", "nl"),
        ("punjabi", "pa"), ("polish", "pl"), ("portuguese", "pt-br"), ("romanian", "ro"), ("russian", "ru"),
        ("slovak", "sk"), ("swedish", "sv"), ("tamil", "ta"), ("telugu", "te"), ("thai", "th"), ("turkish", "tr"),
        ("chinese", "zh-hans"),
    ]
}

extension Codec<[TextPackFiles]> {
    /// Paths by language: one, or a list of them.
    static var textPacks: Codec {
        let one = Codec<String>.nonEmpty
        return Codec(
            shape: .map(of: .anyOf([one.shape, .array(of: one.shape)]), keyHint: "language code"),
            decode: { value, cursor in
                guard let object = cursor.object(value) else { return nil }
                return object.members.compactMap { language, member in
                    guard ServiceLanguage.codes.contains(language.lowercased()) else {
                        cursor.at(language).refuse(
                            "\"\(language)\" is not a language code of the service", rule: "B2C-TEN-027",
                            remedy: ServiceLanguage.nearest(language).map { "Did you mean \"\($0)\"?" }
                                ?? "Codes are \(namesList(ServiceLanguage.codes, limit: 40)).", key: true)
                        return nil
                    }
                    let files: [String]?
                    if case .array = member {
                        files = one.list().decode(member, cursor.at(language))
                    } else {
                        files = one.decode(member, cursor.at(language)).map { [$0] }
                    }
                    return files.map { TextPackFiles(language: language, files: $0) }
                }
            },
            encode: { packs in
                if packs.isEmpty { return nil }
                return .object(
                    JSONObject(
                        packs.map { pack in
                            let files = pack.files.map(JSONValue.string)
                            return (pack.language, files.count == 1 ? files[0] : .array(files))
                        }))
            })
    }
}
