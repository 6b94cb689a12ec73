import Diagnostics
import Synchronization
import TrustFramework

/// What policy files say, read and merged. Of a file that is broken right now the last text that could be read counts.
package final class PolicyReadings: Sendable {
    /// A file as it was read; two readings are the same if they are one object.
    private final class Reading: Sendable {
        let document: PolicyDocument

        init(_ document: PolicyDocument) { self.document = document }
    }

    private struct State: Sendable {
        /// By path: the text that was tried last, and what could be read last.
        var files = RecentlyUsed<String, (source: SourceText, reading: Reading?)>(limit: 64)
        /// By the path of the last file: what was merged, and the result.
        var merged = RecentlyUsed<String, (parts: [Reading], document: PolicyDocument)>(limit: 16)
    }

    private let state = Mutex(State())

    package init() {}

    /// The document of a file, from its text or the last one that could be read.
    package func document(_ file: LanguageFile) -> PolicyDocument? { reading(file)?.document }

    private func reading(_ file: LanguageFile) -> Reading? {
        let known = state.withLock { $0.files.value(file.path) }
        if let known, known.source === file.source { return known.reading }
        let read = try? PolicyReader.readThrough(file: file.path, bytes: file.source.bytes, unknownElements: .warn)
        let reading = read.map { Reading($0.document) } ?? known?.reading
        state.withLock { $0.files.keep((file.source, reading), for: file.path) }
        return reading
    }

    /// A file with all that it inherits from, merged; of a file in a family. Files that could never be read are
    /// skipped.
    package func merged(_ path: String, in workspace: LanguageWorkspace) -> PolicyDocument? {
        var parts: [Reading] = []
        var result: PolicyDocument?
        for link in workspace.families.chain(path) {
            guard let file = workspace.file(link), let reading = reading(file) else { continue }
            parts.append(reading)
            let known = state.withLock { $0.merged.value(link) }
            if let known, known.parts.elementsEqual(parts, by: { $0 === $1 }) {
                result = known.document
                continue
            }
            let above = result.map { [$0] } ?? Self.builtIns(above: reading.document)
            let document = PolicyInheritance.merge(above + [reading.document])
            state.withLock { $0.merged.keep((parts, document), for: link) }
            result = document
        }
        return result
    }

    /// The policies of the program's own that a policy inherits from, root first.
    private static func builtIns(above document: PolicyDocument) -> [PolicyDocument] {
        var chain: [PolicyDocument] = []
        var base = document.basePolicy?.policyID
        while chain.count < 4, let id = base, let found = try? UserFlowCompiler.builtIn(id) {
            chain.insert(found, at: 0)
            base = found.basePolicy?.policyID
        }
        return chain
    }
}
