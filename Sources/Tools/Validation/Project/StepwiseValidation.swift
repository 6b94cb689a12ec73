import Diagnostics

/// A validation that can be done in parts: what concerns one file comes first, and everything at the end. With a memory
/// in the project, parts that were done are not done again.
package struct StepwiseValidation {
    /// A policy that nothing inherits from, with all that it inherits from.
    package typealias Chain = Int

    /// So many chains that are not known yet are checked before the file that was edited is shown for the first time. One
    /// takes a few milliseconds.
    package static let firstChains = 8

    private let project: Project
    private let suppressions: Suppressions
    private var policies: PolicyFolder

    package init(_ project: Project) {
        self.project = project
        suppressions = Suppressions(project)
        policies = PolicyFolder(
            project.files(.policy), settings: project.policySettings, memory: project.memory ?? PolicyMemory())
    }

    /// Chains of policies in the order of their last files.
    ///
    /// - Parameter file: The file that is part of all of them; `nil`: all chains.
    package func chains(of file: String? = nil) -> [Chain] {
        let place = file.map { path in policies.files.firstIndex { $0.path == path } }
        return policies.documents.indices.filter { chain in
            guard !policies.isBase[chain] else { return false }
            guard let place else { return true }
            return place.map { policies.chain(chain, has: $0) } ?? false
        }
    }

    /// Whether a chain has been checked, so that its findings are in the memory.
    package func isChecked(_ chain: Chain) -> Bool { policies.isKnown(chain) }

    /// Checks a chain, for the memory.
    package mutating func check(_ chain: Chain) { _ = policies.linked(chain) }

    /// The findings in one file as far as chains that it is part of have been checked.
    ///
    /// - Parameter more: Findings about what this module cannot see.
    package mutating func findings(in file: String, more: [Finding] = []) -> [Finding] {
        var all = more
        var isWhole = true
        if let place = policies.files.firstIndex(where: { $0.path == file }) {
            let folder = policies.folders[place]
            all += policies.findings + policies.circles + PolicySubject.single(policies, project, of: [place])
            all += PolicySubject.placeholders(policies, in: folder)
            for chain in chains(of: file) {
                if isChecked(chain) { all += policies.linked(chain) } else { isWhole = false }
            }
            all += policies.unused(in: place)
        } else {
            all += others()
        }
        let sorted = sorted(all.filter { $0.diagnostic.location?.file == file })
        return (sorted.rest + (isWhole ? sorted.unused : [])).filter { $0.diagnostic.location?.file == file }
            .inSourceOrder
    }

    /// Everything that is wrong.
    ///
    /// - Parameter more: Findings about what this module cannot see, such as scenarios.
    package mutating func result(more: [Finding] = []) -> ValidationResult {
        var findings = more + others() + policies.findings + policies.circles
        findings += PolicySubject.single(policies, project, of: Array(policies.files.indices))
        findings += PolicySubject.placeholders(policies)
        for chain in chains() { findings += policies.linked(chain) }
        findings += policies.unused()
        policies.memory.endPass()
        let sorted = sorted(findings)
        return ValidationResult(
            findings: (sorted.rest + sorted.unused).inSourceOrder, suppressed: sorted.suppressed,
            judged: FileKind.allCases.compactMap { kind in
                let count = project.files.count { $0.kind == kind }
                return count > 0 && kind != .other ? (kind, count) : nil
            })
    }

    /// Each finding once, with those about suppressions, without what they take out.
    private func sorted(
        _ findings: [Finding]
    ) -> (rest: [Finding], suppressed: [(finding: Finding, reason: String)], unused: [Finding]) {
        var seen: Set<Finding> = []
        let once = findings.filter { seen.insert($0).inserted }
        return suppressions.split((once + suppressions.findings).inSourceOrder)
    }

    /// What is wrong with files that are not policies.
    private func others() -> [Finding] {
        guard let memory = project.memory else { return Validator.subjects.flatMap { $0.findings(project) } }
        memory.take(
            others: project.files.filter { $0.kind != .policy && $0.kind != .scenario },
            problems: (project.unreadable + project.passedOver).flatMap { [$0.path, $0.reason] })
        return Validator.subjects.enumerated().flatMap { number, subject in
            subject.dependsOnTime ? subject.findings(project) : memory.others(of: number) { subject.findings(project) }
        }
    }
}
