import CAssets
import Diagnostics
import JSON
import Records

/// A client library that a text names.
public enum Library: String, SettingWord {
    case msalIOS = "msal-ios"
    case msalAndroid = "msal-android"
    case msalJS = "msal-js"
    case msalNET = "msal-net"
    case msalNode = "msal-node"
    case msalJava = "msal-java"
    case msalPython = "msal-python"
    case appAuth = "appauth"
    case identityWeb = "identity-web"
    case passport = "passport"
    case nextAuth = "next-auth"
    case oidcJS = "oidc-js"

    /// Its name for people.
    public var name: String { LibraryMarks.table["own"].first { $0.id == rawValue }?.name ?? rawValue }

    package var doc: String { rawValue }
}

/// Words that give a library away: a row of `Files/libraries.json`.
package struct LibraryMarks: TableRow {
    package private(set) var id = ""
    fileprivate var name = ""
    /// Names that several libraries have. Where none of these is named otherwise, the first is taken for it, and the
    /// others fit too.
    fileprivate var libraries: [Library] = []
    fileprivate var phrases: [String] = []

    package init() {}

    package static let title = "a library"
    package static let summary = "Words that give a library away."
    package static let settings: [Setting<LibraryMarks>] = {
        var table = SettingsTable<LibraryMarks>()
        table.add("id", \.id, .nonEmpty, "The library; of several a name of their own.", required: true)
        table.add("name", \.name, .nonEmpty, "Its name for people.")
        table.add("libraries", \.libraries, Codec<Library>.word().list(), "Those that have the words.")
        table.add("marks", \.phrases, Codec<String>.nonEmpty.list(), "The words, in any place.", required: true)
        return table.rows
    }()

    package static let table = RecordTable<LibraryMarks>(asset_libraries().data)
}

extension Library {
    /// The words to be looked up.
    static var phrases: [String] { LibraryMarks.table.rows.flatMap(\.phrases) }

    /// Notes the libraries that a text gives away.
    static func read(_ places: PhraseIndex.Places, _ text: SymptomText, into facts: inout SymptomFacts) {
        func note(_ library: Library, _ name: String, _ phrases: [String]) -> Bool {
            guard let offset = phrases.compactMap({ places[$0] }).min() else { return false }
            let line = text.line(ofPlain: offset)
            facts.addLibrary(library, Excerpt(line, name))
            if !facts.facts.contains(where: { $0.label == "library" && $0.text.hasPrefix(library.name) }) {
                facts.add("library", name, line: line)
            }
            return true
        }
        for mark in LibraryMarks.table["own"] {
            if let library = Library(rawValue: mark.id) { _ = note(library, mark.name, mark.phrases) }
        }
        for group in LibraryMarks.table["shared"] where !group.libraries.contains(where: { facts.hasLibrary($0) }) {
            guard note(group.libraries[0], group.libraries.map(\.name).joined(separator: " or "), group.phrases) else {
                continue
            }
            for library in group.libraries.dropFirst() { facts.addPossibleLibrary(library) }
        }
    }
}

/// What the head of a line of a library's own log says.
struct LogHead: Sendable, Equatable {
    var library: Library
    var version: String?
    var platform: String?
    var time: String?
    var correlationID: String?

    /// Reads the head of a line; `nil` where no library's log begins so.
    ///
    /// The forms, as logs have them:
    ///
    ///     TID=4035076 MSAL 1.1.16 iOS Sim 14.4 [2021-04-23 16:26:15 - {id}] text                iOS
    ///     [2018-12-03 22:15:03 - {"thread_id":"17721","correlation_id":"{id}"}] text Android 28  Android
    ///     [2024-01-31 09:00:00 - thread_id: 17, correlation_id: {id} - Android 33] text          Android
    ///     [Wed, 09 Jun 2021 04:35:39 GMT] : [{id}] : @azure/msal-browser@2.14.2 : Info - text     JS
    ///     Tue, 06 Apr 2021 10:39:13 GMT:1.4.6-Verbose text                                        JS, before 2
    ///     False MSAL 4.66.1.0 MSAL.NetCore .NET 8.0.8 Windows [2024-11-21 18:29:37Z - {id}] text  .NET
    static func read(_ line: String) -> LogHead? {
        let head = line.prefix(600)
        return ios(head) ?? android(head) ?? js(head) ?? net(head)
    }

    private static func ios(_ line: Substring) -> LogHead? {
        guard let mark = line.firstRange(of: "TID=") ?? line.firstRange(of: "TID = "),
            let name = line[mark.upperBound...].firstRange(of: " MSAL ")
        else { return nil }
        let rest = line[name.upperBound...]
        guard let open = rest.firstIndex(of: "[") else { return nil }
        let words = rest[..<open].split(separator: " ", maxSplits: 1).map(String.init)
        guard let version = words.first, version.first?.isNumber == true else { return nil }
        var result = LogHead(library: .msalIOS, version: version)
        if words.count > 1 { result.platform = trimmed(words[1]) }
        result.bracket(rest[open...])
        return result
    }

    private static func net(_ line: Substring) -> LogHead? {
        for word in ["False MSAL ", "True MSAL ", "(False) MSAL ", "(True) MSAL "] {
            guard let mark = line.firstRange(of: word) else { continue }
            let rest = line[mark.upperBound...]
            let words = rest.split(separator: " ", maxSplits: 3).map(String.init)
            guard words.count >= 2, words[0].first?.isNumber == true, words[1].hasPrefix("MSAL.") else { continue }
            var result = LogHead(library: .msalNET, version: words[0])
            let platform = rest.dropFirst(words[0].count).prefix { $0 != "[" }
            result.platform = trimmed(String(platform))
            if let open = rest.firstIndex(of: "[") { result.bracket(rest[open...]) }
            return result
        }
        return nil
    }

    private static func js(_ line: Substring) -> LogHead? {
        let packages: [(mark: String, library: Library)] = [
            ("@azure/msal-browser@", .msalJS), ("@azure/msal-common@", .msalJS), ("@azure/msal-angular@", .msalJS),
            ("@azure/msal-react@", .msalJS), ("msal.js.browser@", .msalJS), ("@azure/msal-node@", .msalNode),
        ]
        for package in packages {
            guard let mark = line.firstRange(of: package.mark) else { continue }
            var name = package.mark
            name.removeLast()
            let version = line[mark.upperBound...].prefix { $0.isNumber || $0.isLetter || $0 == "." || $0 == "-" }
            var result = LogHead(library: package.library, version: String(version), platform: name)
            let before = line[..<mark.lowerBound]
            if let open = before.firstIndex(of: "["), let close = before[open...].firstIndex(of: "]") {
                let time = before[before.index(after: open)..<close]
                if time.hasSuffix("GMT") { result.time = String(time) }
                result.correlationID = guid(in: before[close...])
            }
            return result
        }
        return js1(line)
    }

    /// `Tue, 06 Apr 2021 10:39:13 GMT:1.4.6-Verbose text`, and with an id: `GMT:{id}-1.4.6-Info text`.
    private static func js1(_ line: Substring) -> LogHead? {
        guard let mark = line.firstRange(of: " GMT:") else { return nil }
        let rest = line[mark.upperBound...]
        let id = guid(in: rest.prefix(40))
        let version = (id == nil ? rest : rest.dropFirst(37)).prefix { $0.isNumber || $0 == "." }
        guard version.split(separator: ".").count == 3 else { return nil }
        var result = LogHead(library: .msalJS, version: String(version), platform: "msal", correlationID: id)
        let time = line[..<mark.lowerBound].suffix(25)
        if time.count == 25 { result.time = time + " GMT" }
        return result
    }

    private static func android(_ line: Substring) -> LogHead? {
        guard let thread = line.firstRange(of: "thread_id") else { return nil }
        let before = line[..<thread.lowerBound]
        guard let open = before.lastIndex(of: "[") else { return nil }
        var result = LogHead(library: .msalAndroid)
        result.bracket(line[open...])
        if let mark = line.firstRange(of: "Android ") {
            let level = line[mark.upperBound...].prefix { $0.isNumber }
            if !level.isEmpty { result.platform = "Android \(level)" }
        }
        return result
    }

    /// `[time - id]`.
    private mutating func bracket(_ text: Substring) {
        let inside = text.dropFirst().prefix { $0 != "]" }
        let time = inside.prefix(19)
        if time.count == 19, time.first?.isNumber == true {
            self.time = String(time) + (inside.dropFirst(19).first == "Z" ? "Z" : "")
        }
        correlationID = Self.guid(in: inside)
    }

    /// The first GUID of a text. What a hyphen joins to its end, such as a version, does not belong to it.
    static func guid(in text: Substring) -> String? {
        var run = ""
        func found() -> String? {
            let candidate = run.drop { $0 == "-" }.prefix(36)
            return isGUID(String(candidate)) ? String(candidate) : nil
        }
        for character in text {
            if character.isHexDigit || character == "-" {
                run.append(character)
                continue
            }
            if let id = found() { return id }
            run = ""
        }
        return found()
    }

    private static func isGUID(_ text: String) -> Bool {
        text.split(separator: "-", omittingEmptySubsequences: false).map(\.count) == [8, 4, 4, 4, 12]
    }

    private static func trimmed(_ text: String) -> String? {
        var text = text[...]
        while text.first == " " { text = text.dropFirst() }
        while text.last == " " { text.removeLast() }
        return text.isEmpty ? nil : String(text)
    }
}
