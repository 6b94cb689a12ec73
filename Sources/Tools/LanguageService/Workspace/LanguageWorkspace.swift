/// Everything that an editor sees at one moment: files by path, and how policies inherit. A value: a change makes
/// another one that shares the files that did not change.
package struct LanguageWorkspace: Sendable {
    package private(set) var files: [String: LanguageFile] = [:]
    /// Which policy inherits from which.
    package private(set) var families = PolicyFamilies()
    /// What was read of policies, for facts about merged elements.
    package let readings: PolicyReadings

    package init(readings: PolicyReadings = PolicyReadings()) { self.readings = readings }

    /// Adds a file, or replaces it.
    package mutating func set(_ file: LanguageFile) {
        files[file.path] = file
        families = families.updated(with: file)
    }

    package mutating func remove(_ path: String) {
        files[path] = nil
        families = families.without(path)
    }

    package func file(_ path: String) -> LanguageFile? { files[path] }
}
