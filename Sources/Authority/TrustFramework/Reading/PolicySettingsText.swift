import Diagnostics

/// `{Settings:NAME}` in policy files. Values go into the text before it is read as XML, as the build of the Azure AD B2C
/// extension of Visual Studio Code does it: a value may hold markup.
public enum PolicySettingsText {
    private static let opening = Array("{settings:".utf8)

    /// A text with the placeholders filled in whose names have a value.
    public static func filled(_ text: String, _ settings: [(name: String, value: String)]) -> String {
        guard mayHaveOne(text), let result = filled(Array(text.utf8), settings) else { return text }
        return String(decoding: result.bytes, as: UTF8.self)
    }

    /// The names of the placeholders in a text.
    public static func names(in text: String) -> [String] {
        let bytes = Array(text.utf8)
        var names: [String] = []
        var at = 0
        while let place = next(in: bytes, from: at) {
            names.append(String(decoding: bytes[place.name], as: UTF8.self))
            at = place.whole.upperBound
        }
        return names
    }

    /// Where the placeholders of a text are, in their order, each with its name.
    package static func places(in bytes: [UInt8]) -> [(whole: Range<Int>, name: String)] {
        var places: [(whole: Range<Int>, name: String)] = []
        while let place = next(in: bytes, from: places.last?.whole.upperBound ?? 0) {
            places.append((place.whole, String(decoding: bytes[place.name], as: UTF8.self)))
        }
        return places
    }

    /// Whether a text holds a placeholder.
    public static func isPresent(in text: String) -> Bool {
        mayHaveOne(text) && next(in: Array(text.utf8), from: 0) != nil
    }

    /// Whether a text has a brace at all. Nearly none has, and a policy has thousands of texts.
    static func mayHaveOne(_ text: String) -> Bool { text.utf8.contains(UInt8(ascii: "{")) }

    /// The bytes with values filled in, and which range of them stands for which range before; `nil` where nothing is to
    /// be filled in.
    static func filled(
        _ bytes: [UInt8], _ settings: [(name: String, value: String)]
    ) -> (bytes: [UInt8], changes: [SourceText.Change])? {
        guard !settings.isEmpty else { return nil }
        var result: [UInt8] = []
        var changes: [SourceText.Change] = []
        var copied = 0
        var at = 0
        while let place = next(in: bytes, from: at) {
            at = place.whole.upperBound
            let name = String(decoding: bytes[place.name], as: UTF8.self)
            guard let value = settings.first(where: { sameID($0.name, name) })?.value else { continue }
            result += bytes[copied..<place.whole.lowerBound]
            let start = result.count
            result += value.utf8
            changes.append(SourceText.Change(range: start..<result.count, original: place.whole))
            copied = at
        }
        guard !changes.isEmpty else { return nil }
        return (result + bytes[copied...], changes)
    }

    /// The next placeholder: the whole of it, and its name.
    private static func next(in bytes: [UInt8], from: Int) -> (whole: Range<Int>, name: Range<Int>)? {
        let brace = UInt8(ascii: "{")
        var at = from
        while at < bytes.count, let open = bytes[at...].firstIndex(of: brace) {
            let start = open + opening.count
            let isOpening =
                start <= bytes.count
                && zip(bytes[open..<start], opening).allSatisfy { $0 == $1 || $0 | 0x20 == $1 }
            if isOpening {
                var end = start
                while end < bytes.count, bytes[end] != UInt8(ascii: "}"), bytes[end] >= 0x20, bytes[end] != brace {
                    end += 1
                }
                if end < bytes.count, bytes[end] == UInt8(ascii: "}") { return (open..<(end + 1), start..<end) }
            }
            at = open + 1
        }
        return nil
    }
}
