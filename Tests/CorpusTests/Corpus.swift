import Diagnostics
import Foundation
import JSON
import Synchronization
import TrustFramework

/// Published policies with what is expected of them, when they are at hand: `../shared/corpus` beside the repository, or
/// the folder that `B2C_CORPUS` names. Its README says what the files hold. The repository works without it.
enum Corpus {
    static let folder: String? = {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { root.deleteLastPathComponent() }
        let places: [String?] = [
            ProcessInfo.processInfo.environment["B2C_CORPUS"],
            root.deletingLastPathComponent().appendingPathComponent("shared/corpus").path,
        ]
        return places.compactMap(\.self).first { FileManager.default.fileExists(atPath: $0 + "/expectations.json") }
    }()

    static let isThere = folder != nil

    /// A JSON file of the corpus.
    static func json(_ name: String) throws -> JSONValue {
        let url = URL(fileURLWithPath: (folder ?? "") + "/" + name)
        return try JSONParser.parse([UInt8](Data(contentsOf: url)))
    }

    /// Where the files of a set lie under `policies`. The repository of the starter packs and those of other people have
    /// a folder each; the paths of our own policies begin with their folder.
    static func folder(ofSet set: String) -> String { set == "own" ? "" : set + "/" }

    /// All policy files under `policies`, by path, in a stable order.
    static let files: [String] = {
        guard let folder else { return [] }
        let names = FileManager.default.enumerator(atPath: folder + "/policies")?.compactMap { $0 as? String } ?? []
        return names.filter { $0.hasSuffix(".xml") }.sorted()
    }()

    static func bytes(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: (folder ?? "") + "/policies/" + path)))
    }

    /// Every file read once: the document, or what is wrong with it.
    static let documents = Documents()

    final class Documents: Sendable {
        private let known = Mutex<[String: Result<PolicyDocument, InvalidInput>]>([:])

        subscript(path: String) -> Result<PolicyDocument, InvalidInput> {
            if let document = known.withLock({ $0[path] }) { return document }
            let result: Result<PolicyDocument, InvalidInput>
            do throws(InvalidInput) {
                guard let bytes = try? Corpus.bytes(path) else {
                    throw InvalidInput(Diagnostic(rule: "corpus", "there is no file \(path)"))
                }
                result = .success(try PolicyReader.read(file: path, bytes: bytes))
            } catch {
                result = .failure(error)
            }
            known.withLock { $0[path] = result }
            return result
        }
    }

    /// The files of one folder by policy id in upper case.
    static func policies(in folder: String) -> [String: String] {
        var found: [String: String] = [:]
        for path in files where path.hasPrefix(folder + "/") && !path.dropFirst(folder.count + 1).contains("/") {
            if case .success(let document) = documents[path] { found[document.policyID.uppercased()] = path }
        }
        return found
    }
}

/// A chain of policy files, root first, with the parents that a base folder supplies.
struct CorpusChain {
    var documents: [PolicyDocument] = []
    /// What stood in the way of reading.
    var problems: [Diagnostic] = []
    /// The chain has all its parents.
    var isComplete = true

    /// - Parameters:
    ///   - files: Files of the chain under `policies`, the entry first.
    ///   - base: Folder that supplies what they lack.
    init(files: [String], base: String?) {
        var byID: [String: PolicyDocument] = [:]
        var entry: PolicyDocument?
        for (place, file) in files.enumerated() {
            switch Corpus.documents[file] {
            case .success(let document):
                byID[document.policyID.uppercased()] = document
                if place == 0 { entry = document }
            case .failure(let error): problems += error.diagnostics
            }
        }
        let fallback = base.map(Corpus.policies) ?? [:]
        var next = entry
        while let document = next, documents.count <= PolicyLibrary.deepestInheritance {
            documents.insert(document, at: 0)
            next = nil
            guard let parent = document.basePolicy?.policyID.uppercased() else { break }
            if let own = byID[parent] {
                next = own
            } else if let path = fallback[parent], case .success(let found) = Corpus.documents[path] {
                next = found
            } else {
                isComplete = false
            }
        }
        if entry == nil { isComplete = false }
    }

    func link() throws(InvalidInput) -> ResolvedPolicy {
        guard isComplete, problems.isEmpty else { throw InvalidInput(diagnostics: problems) }
        return try PolicyLinker.link(PolicyInheritance.merge(documents), personality: .customPolicy)
    }
}
