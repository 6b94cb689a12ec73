import Diagnostics
import JSON
import TenantFiles

extension ReadPolicyFiles {
    /// What the files of a policy's `texts` hold, in their order. Each file is read once.
    ///
    /// - Throws: All findings of all files. Those about the tenant file have a JSON pointer and no line.
    func packs(
        _ settings: PolicySettings, tenant: Tenant, folder: String
    ) throws(InvalidInput) -> [TextPack] {
        guard !settings.texts.isEmpty else { return [] }
        var packs: [TextPack] = []
        var findings: [Diagnostic] = []
        for entry in settings.texts {
            for (index, written) in entry.files.enumerated() {
                let isList = entry.files.count > 1
                let place = SourceLocation(
                    file: "tenant \(tenant.name)",
                    pointer: JSONPointer(
                        tokens: ["policies", settings.name, "texts", entry.language] + (isList ? [String(index)] : [])
                    ).description)
                do throws(InvalidInput) {
                    packs.append(try pack(written, language: entry.language, folder: folder, at: place))
                } catch {
                    findings += error.diagnostics
                }
            }
        }
        guard findings.isEmpty else { throw InvalidInput(diagnostics: findings) }
        return packs
    }

    private func pack(
        _ written: String, language: String, folder: String, at place: SourceLocation
    ) throws(InvalidInput) -> TextPack {
        func refuse(_ message: String, _ remedy: String) -> InvalidInput {
            InvalidInput(Diagnostic(rule: "B2C-TXT-001", message, remedy: remedy, at: place))
        }
        let path = PolicyPath.resolve(written, in: folder)
        let seen = PolicyPath.relative(path, to: folder)
        if written.hasPrefix("/") || seen == ".." || seen.hasPrefix("../") {
            throw refuse(
                "text pack \(written) lies outside the folder of the tenant file",
                "Put the file below that folder, and write the path as seen from there.")
        }
        if let why = refusal(path) {
            throw refuse("text pack \(path) \(why)", "Name a regular file below the folder of the tenant file.")
        }
        guard let bytes = bytes(path) else {
            throw refuse(
                "there is no text pack \(path)",
                nearest(path).map { "Did you mean \($0)?" } ?? "Paths are relative to the tenant file.")
        }
        return try pack(path, language: language, bytes: bytes)
    }
}
