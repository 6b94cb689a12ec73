import B2CProtocol
import Diagnostics
import JSON

/// The texts of one page in one language as a tenant's own: a file that the portal's "Download defaults" or the Graph
/// resource `userFlowLanguagePage` gives.
///
///     {"LocalizedStrings": [{"ElementType": "UxElement", "ElementId": null, "StringId": "heading", "Override": true, "Value": "..."}]}
///
/// Values with `Override: false` are the defaults of the service in that language, so they count as well. Choices of a
/// claim are in `LocalizedCollections` (Microsoft docs: language-customization).
public struct TextPack: Sendable, Hashable {
    /// The language code in lower case.
    public let language: String
    /// The content definition whose texts these are; `nil` where the file name carries none: they count for all pages.
    public let page: String?
    /// Texts in the order of the file, those that override behind the defaults.
    let strings: [LocalizedStringElement]
    let collections: [LocalizedCollectionElement]
    /// Texts that nothing here knows.
    public let findings: [Diagnostic]

    /// Reads a file.
    ///
    /// - Throws: Everything that is wrong with it, with lines and columns.
    public static func read(file: String, bytes: [UInt8], language: String) throws(InvalidInput) -> TextPack {
        var reader = try TextPackReader(file: file, bytes: bytes)
        reader.read()
        if reader.findings.hasErrors { throw InvalidInput(diagnostics: reader.findings.inSourceOrder) }
        return TextPack(
            language: language.lowercased(), page: page(of: file),
            strings: reader.strings.filter { !$0.overrides }.map(\.string)
                + reader.strings.filter(\.overrides).map(\.string),
            collections: reader.collections, findings: reader.findings.inSourceOrder)
    }

    /// The content definition that a file's name carries: `api.signuporsignin.de.json`, `signuporsignin_de.json`, and
    /// `localaccountsignup1_1.json`, as Graph names pages (Microsoft docs: userflowlanguagepage; that the number is the
    /// version of the page is inferred).
    static func page(of file: String) -> String? {
        let name = (file.split(separator: "/").last.map(String.init) ?? file).lowercased()
        // The longest first: `api.selfasserted` begins `api.selfasserted.totp`.
        let ids = FlowOverlay.contentDefinitions.sorted { $0.utf8.count > $1.utf8.count }
        for id in ids where carries(name, id.dropFirst("api.".count)) { return id }
        return carries(name, "unifiedssp") ? "api.signuporsignin" : nil
    }

    /// Whether a file's name has a page's name as a word of its own, or followed by a version.
    private static func carries(_ name: String, _ page: some StringProtocol) -> Bool {
        let name = Array(name.utf8)
        let page = Array(page.utf8)
        func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
        guard name.count >= page.count else { return false }
        for start in 0...(name.count - page.count) where name[start..<(start + page.count)].elementsEqual(page) {
            let end = start + page.count
            if (start == 0 || !isLetter(name[start - 1])) && (end == name.count || !isLetter(name[end])) { return true }
        }
        return false
    }
}

/// Reads one file of texts.
private struct TextPackReader {
    let document: JSONDocument
    var strings: [(string: LocalizedStringElement, overrides: Bool)] = []
    var collections: [LocalizedCollectionElement] = []
    var findings: [Diagnostic] = []
    /// The place of each text, by its ids.
    private var places: [String: SourceLocation] = [:]

    init(file: String, bytes: [UInt8]) throws(InvalidInput) {
        document = try JSONDocument(file: file, bytes: bytes)
        findings = document.notes
    }

    private static let example =
        #"Write {"LocalizedStrings": [{"ElementType": "UxElement", "ElementId": null, "#
        + #""StringId": "heading", "Override": true, "Value": "..."}]}, as the portal and Graph do."#

    mutating func read() {
        guard case .object(let root) = document.root else {
            refuse("expected an object with `LocalizedStrings`, found \(document.root.typeName)", at: .root)
            return
        }
        var isAny = false
        for (key, value) in root.members {
            let place = JSONPointer(tokens: [key])
            switch key {
            case "LocalizedStrings":
                isAny = true
                for (item, place) in list(value, at: place) { readString(item, at: place) }
            case "LocalizedCollections":
                isAny = true
                for (item, place) in list(value, at: place) { readCollection(item, at: place) }
            default:
                if nearestName(key, among: ["LocalizedStrings", "LocalizedCollections"]) != nil {
                    refuse("unknown key \"\(key)\"", at: place, key: true)
                }
            // Answers of Graph have `@odata.context`, `id` and the like around the texts.
            }
        }
        if !isAny, !findings.hasErrors { refuse("the file has no list `LocalizedStrings`", at: .root) }
    }

    private mutating func list(_ value: JSONValue, at place: JSONPointer) -> [(JSONValue, JSONPointer)] {
        if value.isNull { return [] }
        guard let items = value.arrayValue else {
            refuse("expected a list, found \(value.typeName)", at: place)
            return []
        }
        return items.enumerated().map { ($1, place.appending($0)) }
    }

    private mutating func readString(_ item: JSONValue, at place: JSONPointer) {
        guard object(item, at: place, ["ElementType", "ElementId", "StringId", "Override", "Value"]) else { return }
        guard let type = text(item, "ElementType", at: place), let value = text(item, "Value", at: place, empty: true)
        else { return }
        let element = optionalText(item, "ElementId", at: place)
        let id = optionalText(item, "StringId", at: place)
        let overrides = flag(item, "Override", at: place)
        guard element != nil || id != nil else {
            refuse("the text has neither `StringId` nor `ElementId`", at: place, Self.example)
            return
        }
        let at = document.location(of: place)
        let key = [type, element ?? "", id ?? ""].joined(separator: "|").lowercased()
        if let first = places[key] {
            refuse(
                "a second text for \(([type, element, id].compactMap { $0 }).joined(separator: " "))", at: place,
                "The first is in line \(first.line.map(String.init) ?? "?"). Keep one of them.", rule: "B2C-TXT-003")
            return
        }
        places[key] = at
        warn(type, element, id, at: place)
        strings.append(
            (
                LocalizedStringElement(elementType: type, elementID: element, stringID: id, text: value, location: at),
                overrides
            ))
    }

    private mutating func readCollection(_ item: JSONValue, at place: JSONPointer) {
        guard
            object(item, at: place, ["ElementType", "ElementId", "TargetCollection", "Override", "Items"]),
            let type = text(item, "ElementType", at: place), let element = text(item, "ElementId", at: place),
            let target = text(item, "TargetCollection", at: place)
        else { return }
        _ = flag(item, "Override", at: place)
        let at = document.location(of: place)
        let key = ["collection", type, element, target].joined(separator: "|").lowercased()
        if let first = places[key] {
            refuse(
                "a second list for \(element)", at: place,
                "The first is in line \(first.line.map(String.init) ?? "?"). Keep one of them.", rule: "B2C-TXT-003")
            return
        }
        places[key] = at
        var items: [EnumerationItemElement] = []
        for (choice, place) in list(item["Items"] ?? .null, at: place.appending("Items")) {
            // `Name` is what people see, `Value` what the claim holds.
            guard object(choice, at: place, ["Name", "Value"]), let name = text(choice, "Name", at: place),
                let value = text(choice, "Value", at: place, empty: true)
            else { continue }
            items.append(EnumerationItemElement(text: name, value: value, location: document.location(of: place)))
        }
        collections.append(
            LocalizedCollectionElement(
                elementType: type, elementID: element, targetCollection: target, items: items, location: at))
    }

    // MARK: Members

    private mutating func object(_ item: JSONValue, at place: JSONPointer, _ keys: [String]) -> Bool {
        guard case .object(let object) = item else {
            refuse("expected an object, found \(item.typeName)", at: place, Self.example)
            return false
        }
        for key in object.keys where !keys.contains(key) {
            refuse(
                "unknown key \"\(key)\"", at: place.appending(key),
                nearestName(key, among: keys).map { "Did you mean \"\($0)\"?" } ?? "Keys are \(namesList(keys)).",
                key: true)
            return false
        }
        return true
    }

    private mutating func text(
        _ item: JSONValue, _ key: String, at place: JSONPointer, empty: Bool = false
    ) -> String? {
        guard let value = item[key], !value.isNull else {
            refuse("`\(key)` is missing", at: place, Self.example)
            return nil
        }
        guard let text = value.stringValue, empty || !text.isEmpty else {
            refuse(
                "`\(key)` is a text, found \(value == .string("") ? "an empty one" : value.typeName)",
                at: place.appending(key))
            return nil
        }
        return text
    }

    /// A text that may be missing, `null` or empty.
    private mutating func optionalText(_ item: JSONValue, _ key: String, at place: JSONPointer) -> String? {
        guard let value = item[key], !value.isNull else { return nil }
        guard let text = value.stringValue else {
            refuse("`\(key)` is a text or null, found \(value.typeName)", at: place.appending(key))
            return nil
        }
        return text.isEmpty ? nil : text
    }

    private mutating func flag(_ item: JSONValue, _ key: String, at place: JSONPointer) -> Bool {
        guard let value = item[key], !value.isNull else { return true }
        guard let flag = value.boolValue else {
            refuse("`\(key)` is true or false, found \(value.typeName)", at: place.appending(key))
            return true
        }
        return flag
    }

    private mutating func refuse(
        _ message: String, at place: JSONPointer, _ remedy: String? = nil, rule: String = "B2C-TXT-002",
        key: Bool = false
    ) {
        findings.append(
            Diagnostic(
                rule: rule, message, remedy: remedy ?? Self.example, at: document.location(of: place, key: key)))
    }

    /// Warns of a text that no page shows.
    private mutating func warn(_ type: String, _ element: String?, _ id: String?, at place: JSONPointer) {
        let types = TextPackNames.elementTypes
        guard let known = types.first(where: { sameID($0, type) }) else {
            warning(
                "nothing here shows texts of the ElementType \"\(type)\"", nearestName(type, among: types), types,
                at: place.appending("ElementType"))
            return
        }
        guard let id, let ids = TextPackNames.stringIDs(known), !ids.contains(where: { sameID($0, id) }) else { return }
        warning(
            "nothing here shows the \(known) \"\(id)\"", nearestName(id, among: ids), [],
            at: place.appending("StringId"))
    }

    private mutating func warning(_ message: String, _ near: String?, _ all: [String], at place: JSONPointer) {
        findings.append(
            Diagnostic(
                .warning, rule: "B2C-TXT-004", message,
                remedy: near.map { "Did you mean \"\($0)\"?" } ?? (all.isEmpty ? nil : "There are \(namesList(all))."),
                at: document.location(of: place)))
    }
}
