import Diagnostics
import Synchronization
import TrustFramework

/// What validations of a project found in policies, for the next one: whatever depends on the same texts is not found
/// again. What a whole validation did not ask for is forgotten at its end.
///
/// It serves one project over time, and only projects that name no tenant.
package final class PolicyMemory: Sendable {
    /// A policy file as it was read.
    struct Reading: Sendable {
        /// Different for every text, settings and path.
        let number: Int
        fileprivate let bytes: [UInt8]
        fileprivate let values: [String]
        /// `nil` where it cannot be read.
        let document: PolicyDocument?
        let findings: [Finding]
        /// The id in upper case of a policy that cannot be read.
        let unreadableID: String?
    }

    /// What findings are about.
    enum Part: Hashable {
        /// One file by itself.
        case hygiene
        /// What is to be filled in, in the files of a folder.
        case placeholders
        /// A chain without the relying parties at its end.
        case content
        /// A chain.
        case chain(isStrict: Bool)
    }

    /// What the relying parties over some content can reach.
    struct Reach: Sendable {
        /// Places of what they reach.
        let used: Set<SourceLocation>
        /// What they do not.
        let unused: [UnreachableElement]
    }

    private struct Key: Hashable {
        let part: Part
        let numbers: [Int]
    }

    /// So many merged chains are kept: those of a few folders, as each has a handful.
    private static let mostMerged = 24

    private struct State: Sendable {
        /// Values, each with the number of the last validation that asked for it.
        struct Memo<Key: Hashable & Sendable, Value: Sendable>: Sendable {
            private var kept: [Key: (value: Value, pass: Int)] = [:]

            mutating func value(_ key: Key, _ pass: Int) -> Value? {
                guard let place = kept.index(forKey: key) else { return nil }
                kept.values[place].pass = pass
                return kept.values[place].value
            }

            mutating func keep(_ value: Value, for key: Key, _ pass: Int) { kept[key] = (value, pass) }

            mutating func forget(before pass: Int) { kept = kept.filter { $0.value.pass >= pass } }
        }

        var pass = 0
        var last = 0
        var readings = Memo<String, Reading>()
        var findings = Memo<Key, [Finding]>()
        var reaches = Memo<[Int], Reach>()
        var merged = RecentlyUsed<[Int], PolicyDocument>(limit: PolicyMemory.mostMerged)
        /// What is not a policy, and what was found in it by each subject.
        var others: [ProjectFile] = []
        var problems: [String] = []
        var byOthers: [Int: [Finding]] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    func reading(_ file: ProjectFile, _ values: [(name: String, value: String)]) -> Reading {
        let flat = values.flatMap { [$0.name, $0.value] }
        let known = state.withLock { $0.readings.value(file.path, $0.pass) }
        // Texts that have not changed are the same array, which is compared at once.
        if let known, known.values == flat, known.bytes == file.source.bytes { return known }
        var document: PolicyDocument?
        var findings: [Finding]
        var unreadableID: String?
        do throws(InvalidInput) {
            let read = try PolicyReader.readThrough(file: file.path, bytes: file.source.bytes, settings: values)
            document = read.document
            findings = read.document.findings.map { Finding($0) }
        } catch {
            findings = error.diagnostics.map { Finding($0) }
            unreadableID = PolicyReader.policyID(bytes: file.source.bytes).map {
                PolicySettingsText.filled($0, values).uppercased()
            }
        }
        return state.withLock { state in
            state.last += 1
            let reading = Reading(
                number: state.last, bytes: file.source.bytes, values: flat, document: document, findings: findings,
                unreadableID: unreadableID)
            state.readings.keep(reading, for: file.path, state.pass)
            return reading
        }
    }

    /// The findings of a part of the policies with these numbers, found if nobody did.
    func findings(_ part: Part, _ numbers: [Int], find: () -> [Finding]) -> [Finding] {
        if let known = known(part, numbers) { return known }
        let found = find()
        state.withLock { $0.findings.keep(found, for: Key(part: part, numbers: numbers), $0.pass) }
        return found
    }

    func known(_ part: Part, _ numbers: [Int]) -> [Finding]? {
        state.withLock { $0.findings.value(Key(part: part, numbers: numbers), $0.pass) }
    }

    func reach(_ numbers: [Int], find: () -> Reach) -> Reach {
        if let known = state.withLock({ $0.reaches.value(numbers, $0.pass) }) { return known }
        let found = find()
        state.withLock { $0.reaches.keep(found, for: numbers, $0.pass) }
        return found
    }

    func merged(_ numbers: [Int]) -> PolicyDocument? { state.withLock { $0.merged.value(numbers) } }

    func keep(merged document: PolicyDocument, of numbers: [Int]) {
        state.withLock { $0.merged.keep(document, for: numbers) }
    }

    /// Takes what is not a policy. Where something of it has changed, what was found in it is forgotten.
    func take(others: [ProjectFile], problems: [String]) {
        state.withLock { state in
            let isSame =
                state.problems == problems
                && state.others.elementsEqual(others) { $0.path == $1.path && $0.source.bytes == $1.source.bytes }
            if !isSame { state.byOthers = [:] }
            state.others = others
            state.problems = problems
        }
    }

    /// What a subject found in what is not a policy.
    func others(of subject: Int, find: () -> [Finding]) -> [Finding] {
        if let known = state.withLock({ $0.byOthers[subject] }) { return known }
        let found = find()
        state.withLock { $0.byOthers[subject] = found }
        return found
    }

    /// Ends a whole validation.
    func endPass() {
        state.withLock { state in
            state.readings.forget(before: state.pass)
            state.findings.forget(before: state.pass)
            state.reaches.forget(before: state.pass)
            state.pass += 1
        }
    }
}
