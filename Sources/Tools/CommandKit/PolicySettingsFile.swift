import JSON
import TrustFramework

/// The `appsettings.json` that the Azure AD B2C extension of Visual Studio Code keeps beside policies.
package enum PolicySettingsFile {
    /// The file of a folder, or of the one above it, where policies of the folder have placeholders and the file lists
    /// environments or is broken: other programs keep a file of this name too.
    package static func path(beside folder: String) -> String? {
        let names = ((try? FileSystem.names(in: folder)) ?? []).filter { $0.lowercased().hasSuffix(".xml") }
        let hasPlaceholder = names.contains { name in
            guard let bytes = try? FileSystem.read(FilePath.join(folder, name)), PolicyReader.peekPolicyID(bytes) != nil
            else { return false }
            return PolicySettingsText.isPresent(in: String(decoding: bytes, as: UTF8.self))
        }
        return hasPlaceholder ? any(beside: folder) : nil
    }

    /// The file of a folder, or of the one above it, whatever the policies have.
    package static func any(beside folder: String) -> String? {
        candidates(beside: folder).first(where: mayHaveSettings)
    }

    /// Where it may be, nearest first.
    package static func candidates(beside folder: String) -> [String] {
        let above = folder == "." ? ".." : FilePath.folder(folder)
        return [folder, above].map { FilePath.join($0, "appsettings.json") }
    }

    private static func mayHaveSettings(_ path: String) -> Bool {
        guard let bytes = try? FileSystem.read(path) else { return false }
        // Who reads the settings says what is wrong with a broken file, and where.
        guard let json = try? JSONParser.parse(String(decoding: bytes, as: UTF8.self)) else { return true }
        return json["Environments"]?.arrayValue != nil
    }
}
