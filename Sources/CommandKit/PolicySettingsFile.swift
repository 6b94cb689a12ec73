import CommandKit
import JSON
import TrustFramework

/// The `appsettings.json` that the Azure AD B2C extension of Visual Studio Code keeps beside policies.
enum PolicySettingsFile {
    /// The file of a folder, or of the one above it, where policies of the folder have placeholders and the file lists
    /// environments: other programs keep a file of this name too.
    static func path(beside folder: String) -> String? {
        let names = ((try? FileSystem.names(in: folder)) ?? []).filter { $0.lowercased().hasSuffix(".xml") }
        let hasPlaceholder = names.contains { name in
            guard let bytes = try? FileSystem.read(FilePath.join(folder, name)), PolicyReader.peekPolicyID(bytes) != nil
            else { return false }
            return PolicySettingsText.isPresent(in: String(decoding: bytes, as: UTF8.self))
        }
        guard hasPlaceholder else { return nil }
        let above = folder == "." ? ".." : FilePath.folder(folder)
        return [folder, above].map { FilePath.join($0, "appsettings.json") }.first(where: isSettings)
    }

    private static func isSettings(_ path: String) -> Bool {
        guard let bytes = try? FileSystem.read(path),
            let json = try? JSONParser.parse(String(decoding: bytes, as: UTF8.self))
        else { return false }
        return json["Environments"]?.arrayValue != nil
    }
}
