import Determinism
import Diagnostics
import JSON
import TrustFramework

/// A policy file that a tenant holds.
struct StoredPolicy: Sendable {
    let bytes: [UInt8]
    /// As its `PolicyId` says.
    let id: String
    let tenantID: String?
    /// The policy that it inherits from.
    let base: String?
    let isRelyingParty: Bool
    /// Whether `DeploymentMode` says so.
    let isInDevelopment: Bool

    /// - Throws: Why the file is not a policy, as the reader says it.
    init(_ bytes: [UInt8], file: String) throws(InvalidInput) {
        // What the schema does not know is for the rules of the upload.
        let document = try PolicyReader.readThrough(file: file, bytes: bytes, unknownElements: .warn).document
        self.bytes = bytes
        id = document.policyID
        tenantID = document.tenantID
        base = document.basePolicy?.policyID
        isRelyingParty = document.relyingParty != nil
        isInDevelopment = document.deploymentMode == .development
    }
}

/// What was uploaded of one policy, and when.
struct PolicyUploads: Sendable {
    struct Version: Sendable {
        /// Grows with each version of a directory; the tenant file's own have 0.
        var number: Int
        /// `nil`: the policy was deleted.
        var policy: StoredPolicy?
        var uploadedAt: Timestamp
    }

    /// How long sign-ins may still see the previous policy (Microsoft docs: best-practices, "Deploy custom policy": up to
    /// 30 minutes; that it is always as long is inferred).
    static let cached = TimeSpan.minutes(30)

    /// As in the newest version.
    var id: String
    /// Oldest first, never none.
    private(set) var versions: [Version]

    init(id: String, _ first: Version) {
        self.id = id
        versions = [first]
    }

    mutating func add(_ version: Version) {
        versions.append(version)
        if let policy = version.policy { id = policy.id }
    }

    var newest: Version { versions[versions.count - 1] }

    /// The newest version that sign-ins see; `nil` before the first.
    func version(seenFrom horizon: PolicyHorizon) -> Version? {
        versions.last { $0.uploadedAt <= horizon.instant || $0.number <= horizon.number }
    }

    /// Drops versions that no sign-in can see any more.
    mutating func forget(before now: Timestamp) {
        if let seen = versions.lastIndex(where: { $0.uploadedAt + Self.cached <= now }) { versions.removeFirst(seen) }
    }

    // MARK: Rows

    /// As a state file keeps it.
    var json: JSONValue {
        let rows: [JSONValue] = versions.map { version in
            [
                "number": .integer(Int64(version.number)), "uploadedAt": .string(version.uploadedAt.rfc3339),
                "xml": version.policy.map { .string(String(decoding: $0.bytes, as: UTF8.self)) } ?? .null,
            ]
        }
        return ["id": .string(id), "versions": .array(rows)]
    }
}

/// Up to where sign-ins at a relying party see uploads: of an instant or before, or with a number or before it.
struct PolicyHorizon: Sendable {
    var instant: Timestamp
    var number: Int

    /// Everything.
    static let newest = PolicyHorizon(instant: .latest, number: .max)
}

/// Uploaded versions of policies that a state file has kept.
public struct KeptPolicies: Sendable {
    struct Entry: Sendable {
        var id: String
        var versions: [PolicyUploads.Version]
    }

    private(set) var entries: [Entry] = []

    public init() {}

    /// Takes in a row.
    ///
    /// - Returns: Whether it can be read.
    public mutating func add(_ json: JSONValue) -> Bool {
        guard let id = json["id"]?.stringValue, let rows = json["versions"]?.arrayValue, !rows.isEmpty else {
            return false
        }
        var versions: [PolicyUploads.Version] = []
        for row in rows {
            guard let number = row["number"]?.intValue, (1...(1 << 53)).contains(number),
                let at = row["uploadedAt"]?.stringValue.flatMap({ Timestamp(rfc3339: $0) }), let xml = row["xml"],
                xml.isNull || xml.stringValue != nil
            else { return false }
            let policy = xml.stringValue.flatMap { try? StoredPolicy(Array($0.utf8), file: id + ".xml") }
            guard xml.isNull || policy != nil else { return false }
            versions.append(PolicyUploads.Version(number: Int(number), policy: policy, uploadedAt: at))
        }
        entries.append(Entry(id: id, versions: versions))
        return true
    }
}
