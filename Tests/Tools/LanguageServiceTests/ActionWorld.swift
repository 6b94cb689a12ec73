import Diagnostics
import LanguageService
import Testing
import Validation

/// Files of an editor, and what its actions make of them.
struct ActionWorld {
    private(set) var workspace = LanguageWorkspace()

    init(_ texts: [String: String]) {
        for (path, text) in texts.sorted(by: { $0.key < $1.key }) {
            workspace.set(LanguageFile(path: path, bytes: Array(text.utf8)))
        }
    }

    /// A policy file with a body of lines that are indented by two blanks.
    static func policy(_ id: String, base: String? = nil, _ body: String = "") -> String {
        let parent = base.map {
            """
              <BasePolicy>
                <TenantId>contoso.onmicrosoft.com</TenantId>
                <PolicyId>\($0)</PolicyId>
              </BasePolicy>

            """
        }
        return """
            <TrustFrameworkPolicy xmlns="http://schemas.microsoft.com/online/cpim/schemas/2013/06" \
            PolicySchemaVersion="0.3.0.0" TenantId="contoso.onmicrosoft.com" PolicyId="\(id)" \
            PublicPolicyUri="http://contoso.onmicrosoft.com/\(id)">
            \(parent ?? "")\(body)
            </TrustFrameworkPolicy>

            """
    }

    func text(_ path: String) -> String {
        workspace.file(path).map { String(decoding: $0.source.bytes, as: UTF8.self) } ?? ""
    }

    /// The bytes of the first place of a text in a file.
    func range(of text: String, in path: String) throws -> TextRange {
        let whole = self.text(path)
        let found = try #require(whole.firstRange(of: text), "\(path) has no \(text)")
        let start = whole.utf8.distance(from: whole.startIndex, to: found.lowerBound)
        return TextRange(file: path, range: start..<(start + text.utf8.count))
    }

    /// A finding that underlines the first place of a text.
    func finding(
        _ rule: String, _ message: String, remedy: String? = nil, corrected: String? = nil, severity: Severity = .error,
        at text: String, in path: String
    ) throws -> Finding {
        let range = try range(of: text, in: path).range
        let place = workspace.file(path)?.source.location(at: range.lowerBound, byteLength: range.count)
        return Finding(Diagnostic(severity, rule: rule, message, remedy: remedy, at: place), corrected: corrected)
    }

    /// The texts after edits.
    func after(_ edits: [TextEdit]) -> ActionWorld {
        var texts: [String: String] = [:]
        for (path, file) in workspace.files {
            let own = edits.filter { $0.file == path }
            texts[path] = String(decoding: TextEdit.apply(own, to: file.source.bytes), as: UTF8.self)
        }
        return ActionWorld(texts)
    }
}
