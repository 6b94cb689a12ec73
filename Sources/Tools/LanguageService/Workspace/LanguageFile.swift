import CommandKit
import Diagnostics
import JSON
import Markup
import ScenarioRunner
import TenantFiles
import Validation

/// A text with what can be read of it, broken or not.
package final class LanguageFile: Sendable {
    /// The text under its path as commands show it.
    package let source: SourceText
    /// Its lines as editors count them.
    package let lines: EditorLines
    package let kind: LanguageKind
    /// The elements, of a policy.
    package let markup: MarkupOutline?
    /// The values, of JSON.
    package let json: JSONOutline?
    /// Names in the order of the text.
    package let occurrences: [NameOccurrence]

    package var path: String { source.file }

    /// Of a larger text nothing is known, so that every key stays quick. A policy may have one megabyte.
    private static let largest = 4 << 20

    /// - Parameters:
    ///   - known: What the file was before: a text that is broken is still that.
    ///   - isSent: Whether the editor sent the text; otherwise it is the file's.
    package init(path: String, bytes: [UInt8], known: LanguageKind? = nil, isSent: Bool = false) {
        source = SourceText(file: path, bytes: bytes)
        lines = EditorLines(bytes, countsMark: isSent)
        let kind = bytes.count > Self.largest ? .other : LanguageKind.of(path: path, bytes: bytes, known: known)
        self.kind = kind
        markup = kind == .policy ? MarkupOutline(source) : nil
        json = kind.isJSON ? JSONOutline(source) : nil
        occurrences =
            markup.map { PolicyOccurrences.all(in: $0) }
            ?? json.map { ScriptOccurrences.all(in: $0, kind: kind) } ?? []
    }

    /// The name at an offset, its end included.
    package func occurrence(at offset: Int) -> NameOccurrence? {
        occurrences.filter { $0.range.lowerBound <= offset && offset <= $0.range.upperBound }
            .min { $0.range.count < $1.range.count }
    }
}

extension LanguageKind {
    /// What a file is, by its name and content: as the commands find it.
    ///
    /// - Parameter known: What it was before, which it still is while its text is broken and says nothing else.
    package static func of(path: String, bytes: [UInt8], known: LanguageKind?) -> LanguageKind {
        let json = members(of: SourceText(file: path, bytes: bytes))
        let name = FilePath.name(path)
        if let object = json?.objectValue, let kind = byMembers(object, name: name) { return kind }
        if name == ProjectSettings.name { return .project }
        switch FileKind.of(path: path, bytes: bytes, json: json) {
        case .policy: return .policy
        case .scenario: return .scenario
        case .tenant: return .tenant
        default: break
        }
        guard let known, known != .other else { return .other }
        return known == .policy || (try? JSONParser.parse(bytes)) == nil ? known : .other
    }

    /// The members at the top of a text that may be JSON. All values are read only where a bracket has no end: indentation
    /// then shows what is at the top.
    private static func members(of source: SourceText) -> JSONValue? {
        guard source.file.lowercased().hasSuffix(".json") || FileKind.looksLikeJSON(source.bytes) else { return nil }
        let top = JSONOutline(source, depth: 1)
        let isBroken = top.nodes.first?.isClosed == false && source.bytes.count <= FileKind.small
        return (isBroken ? JSONOutline(source) : top).json()
    }

    /// What the names of the command line's own files and members at the top say.
    private static func byMembers(_ object: JSONObject, name: String) -> LanguageKind? {
        if object["steps"] != nil { return .scenario }
        let schema = object["$schema"]?.stringValue ?? ""
        let isTarget = object["kind"]?.stringValue.flatMap { TargetKind(rawValue: $0) } != nil
        if schema.hasSuffix("target.schema.json") || isTarget { return .target }
        if name.lowercased() == "appsettings.json", object["Environments"] != nil { return .settings }
        // A scenario whose steps are still to be written.
        return object["tenant"] != nil && object["name"] != nil ? .scenario : nil
    }
}
