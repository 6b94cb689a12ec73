import JSON

/// The deployments to one tenant, the last one last. It is written before each write to the service and after each
/// read-back, so that the next run knows where this one stopped.
public struct DeploymentJournal: Hashable, Sendable {
    public private(set) var records: [DeploymentRecord]

    /// How many deployments it keeps; those whose staged policies the tenant still has are kept beyond that.
    public static let kept = 20

    public init(records: [DeploymentRecord] = []) { self.records = records }

    /// Takes a deployment that begins.
    public mutating func append(_ record: DeploymentRecord) {
        records.append(record)
        let staged = Set(stagedPolicies.map { $0.id.lowercased() })
        let first = records.count - Self.kept
        records = records.enumerated().filter { place, record in
            place >= first || record.steps.contains { staged.contains($0.id.lowercased()) }
        }.map(\.element)
    }

    /// Replaces the last deployment by its present state.
    public mutating func update(_ record: DeploymentRecord) {
        if let last = records.indices.last, records[last].bundle == record.bundle { records[last] = record }
    }

    /// The deployment that was stopped in the middle; `nil`: none was.
    public var unfinished: DeploymentRecord? { records.last.flatMap { $0.isFinished ? nil : $0 } }

    /// The last deployment that changed something and was not rolled back.
    public var toRollBack: DeploymentRecord? {
        let undone = Set(records.filter { $0.kind == .rollback && $0.isWhole }.compactMap(\.undoes))
        return records.last { record in
            record.kind != .rollback && !undone.contains(record.bundle)
                && record.steps.contains(where: \.mayHaveChanged)
        }
    }

    /// A policy that a staged deployment created and that nothing has deleted since.
    public struct StagedPolicy: Hashable, Sendable {
        public var id: String
        public var prefix: String
        /// ``PolicyMeaning/digest(_:)`` of what was uploaded last.
        public var digest: String
    }

    /// In the order in which they were created.
    public var stagedPolicies: [StagedPolicy] {
        var found: [StagedPolicy] = []
        for record in records {
            for step in record.steps where step.mayHaveChanged {
                let place = found.firstIndex { $0.id.lowercased() == step.id.lowercased() }
                switch (place, step.after) {
                case (let place?, nil): found.remove(at: place)
                case (let place?, let digest?): found[place].digest = digest
                case (nil, let digest?):
                    guard record.kind == .staged, step.before == nil, let prefix = record.prefix else { continue }
                    found.append(StagedPolicy(id: step.id, prefix: prefix, digest: digest))
                case (nil, nil): continue
                }
            }
        }
        return found
    }

    // MARK: JSON

    public var json: JSONObject { ["version": 1, "deployments": .array(records.map { .object($0.json) })] }

    /// `nil`: this is not the JSON of a journal.
    public init?(json: JSONValue) {
        guard json["version"] == 1, let entries = json["deployments"]?.arrayValue else { return nil }
        records = entries.compactMap { DeploymentRecord(json: $0) }
        guard records.count == entries.count else { return nil }
    }
}
