import Foundation
import TestSupport
import Testing
import TrustFramework
import Validation

/// Policies of one repository share what is merged of their bases, which must show in no finding.
@Suite struct SharedBaseTests {
    /// The repository's own policies, most of which inherit from the base that is built in, and the ids of their bases.
    private static let files: [(file: ProjectFile, id: String, base: String?)] = {
        let root = TestFiles.root().appending(path: "scenarios/policies")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []
        return names.filter { $0.hasSuffix(".xml") }.sorted().compactMap { name in
            guard let data = try? Data(contentsOf: root.appending(path: name)),
                let policy = try? PolicyReader.read(file: name, bytes: Array(data))
            else { return nil }
            return (ProjectFile(path: name, bytes: Array(data)), policy.policyID, policy.basePolicy?.policyID)
        }
    }()

    private func findings(_ all: [Finding], in file: String) -> [String] {
        // What nothing uses depends on who else is there.
        all.map(\.diagnostic).filter { $0.location?.file == file && $0.rule != "B2C-POL-029" }
            .map { "\($0.location?.line ?? 0): \($0.rule) \($0.message)" }.sorted()
    }

    private func judged(_ files: [ProjectFile]) -> [Finding] {
        Validator.validate(Project(files: files, now: noon)).findings
    }

    @Test func `a policy is checked among others as it is with its bases alone`() {
        let all = Self.files
        #expect(all.count > 50)
        let bases = Set(all.compactMap(\.base))
        let together = judged(all.map(\.file))
        var told = 0
        for policy in all where !bases.contains(policy.id) {
            var chain = [policy.file]
            var next = policy.base
            while let id = next, let base = all.first(where: { $0.id == id }) {
                chain.append(base.file)
                next = base.base
            }
            // Placeholders are one finding for all files of a folder.
            func own(_ found: [String]) -> [String] { found.filter { !$0.contains("B2C-POL-012") } }
            let alone = own(findings(judged(chain), in: policy.file.path))
            #expect(alone == own(findings(together, in: policy.file.path)), "\(policy.file.path)")
            told += alone.count
        }
        #expect(told > 20)
        // The built-in base is not in the repository's files.
        let paths = Set(all.map(\.file.path))
        #expect(together.allSatisfy { $0.diagnostic.location.map { paths.contains($0.file) } ?? true })
    }
}
