import JSON
import TrustFramework

/// The `appsettings.json` that the Azure AD B2C extension of Visual Studio Code keeps beside policies.
package enum PolicySettingsFile {
    /// The file of a folder, or of the one above it, where policies of the folder have placeholders and the file lists
    /// environments or is broken: other programs keep a file of this name too.
    package static func path(beside folder: String) -> String? {
        let read = { try? FileSystem.read($0) }
        return path(
            beside: folder, names: { (try? FileSystem.names(in: $0)) ?? [] }, read: read,
            hasPlaceholder: { read($0).map(hasPlaceholder) ?? false })
    }

    /// The same of files that the closures bring.
    package static func path(
        beside folder: String, names: (String) -> [String], read: (String) -> [UInt8]?,
        hasPlaceholder: (String) -> Bool
    ) -> String? {
        names(folder).contains { $0.lowercased().hasSuffix(".xml") && hasPlaceholder(FilePath.join(folder, $0)) }
            ? any(beside: folder, read: read) : nil
    }

    /// Whether a file is a policy with placeholders.
    package static func hasPlaceholder(_ bytes: [UInt8]) -> Bool {
        PolicyReader.peekPolicyID(bytes) != nil
            && PolicySettingsText.isPresent(in: String(decoding: bytes, as: UTF8.self))
    }

    /// The file of a folder, or of the one above it, whatever the policies have.
    package static func any(
        beside folder: String, read: (String) -> [UInt8]? = { try? FileSystem.read($0) }
    ) -> String? {
        candidates(beside: folder).first { read($0).map(mayHaveSettings) ?? false }
    }

    /// Where it may be, nearest first.
    package static func candidates(beside folder: String) -> [String] {
        let above = folder == "." ? ".." : FilePath.folder(folder)
        return [folder, above].map { FilePath.join($0, "appsettings.json") }
    }

    private static func mayHaveSettings(_ bytes: [UInt8]) -> Bool {
        // Who reads the settings says what is wrong with a broken file, and where.
        guard let json = try? JSONParser.parse(String(decoding: bytes, as: UTF8.self)) else { return true }
        return json["Environments"]?.arrayValue != nil
    }
}
