import AzureSignIn
import Determinism
import Diagnostics
import PolicyRelease

/// A tenant in memory whose answers to writes a test scripts. It takes a policy only if it has its parent, and deletes only
/// what has no children.
struct MemoryTenant: PolicyWriting {
    /// What happens to a write instead of an orderly answer.
    enum Fault {
        /// The service refuses it.
        case refused
        /// Another write is not finished.
        case parallel
        /// The connection breaks and nothing was done.
        case lostBefore
        /// The connection breaks and it was done.
        case lostAfter
        /// HTTP 500, and it was done.
        case failedAfter
        /// It is answered, and the next read does not see it.
        case late
        /// It is answered, and the tenant has something else.
        case rewritten
        /// The connection breaks, and meanwhile somebody else uploads another policy.
        case overwritten
    }

    var policies: [String: [UInt8]]
    /// By the number of the write, from 0.
    var faults: [Int: Fault] = [:]
    /// The reads that fail, by their number from 0.
    var lostReads: Set<Int> = []
    /// Reads and writes in order, such as `read B2C_1A_Base`.
    private(set) var requests: [String] = []
    /// What changed something, in order.
    private(set) var effects: [String] = []
    private var unseen: [String: [UInt8]?] = [:]

    init(_ policies: [String: [UInt8]]) { self.policies = policies }

    static let lost = PolicyGraphProblem.azure(
        AzureProblem(.service, "the connection broke", remedy: "Try again."))

    mutating func policy(_ id: String) throws(PolicyGraphProblem) -> [UInt8]? {
        let number = requests.count { $0.hasPrefix("read") }
        requests.append("read \(id)")
        if lostReads.contains(number) { throw Self.lost }
        if let former = unseen.removeValue(forKey: id) { return former }
        return policies[id]
    }

    mutating func upload(_ id: String, _ bytes: [UInt8]) throws(PolicyGraphProblem) -> UploadAnswer {
        let isNew = policies[id] == nil
        let parent = TestPolicy.base(bytes)
        try write("upload \(id)", isAllowed: parent == nil || parent.map { policies[$0] != nil } ?? true) {
            $0.policies[id] = bytes
        }
        return isNew ? .created : .updated
    }

    mutating func deletePolicy(_ id: String) throws(PolicyGraphProblem) {
        let hasChildren = policies.values.contains { TestPolicy.base($0) == id }
        try write("delete \(id)", isAllowed: !hasChildren) { $0.policies[id] = nil }
    }

    private mutating func write(
        _ what: String, isAllowed: Bool, _ change: (inout MemoryTenant) -> Void
    ) throws(PolicyGraphProblem) {
        let number = requests.count { !$0.hasPrefix("read") }
        requests.append(what)
        let id = String(what.drop { $0 != " " }.dropFirst())
        let former = policies[id]
        let fault = faults[number]
        func refusal(_ status: Int, _ code: String, isOutcomeUnknown: Bool = false) -> PolicyGraphProblem {
            .refused(
                ServiceRefusal(
                    status: status, code: code, message: "Validation failed", isOutcomeUnknown: isOutcomeUnknown),
                what: what)
        }
        switch fault {
        case .refused: throw refusal(400, "AADB2C")
        case .parallel: throw refusal(400, "AADB2C95053")
        case .lostBefore: throw Self.lost
        case .overwritten:
            policies[id] = TestPolicy(id, "of somebody else").bytes
            throw Self.lost
        default: break
        }
        guard isAllowed else { throw refusal(400, "AADB2C") }
        change(&self)
        effects.append(what)
        switch fault {
        case .late: unseen[id] = .some(former)
        case .rewritten: policies[id] = TestPolicy(id, "rewritten").bytes
        case .lostAfter: throw Self.lost
        case .failedAfter: throw refusal(500, "UnknownError", isOutcomeUnknown: true)
        default: break
        }
    }
}

/// A small policy of a test.
struct TestPolicy {
    var id: String
    var bytes: [UInt8]

    /// - Parameter text: What distinguishes it from another version.
    init(_ id: String, base: String? = nil, _ text: String, isRelyingParty: Bool = false, mode: String = "Production") {
        self.id = id
        let parent = base.map {
            "<BasePolicy><TenantId>contoso.onmicrosoft.com</TenantId><PolicyId>\($0)</PolicyId></BasePolicy>"
        }
        bytes = Array(
            """
            <TrustFrameworkPolicy xmlns="http://schemas.microsoft.com/online/cpim/schemas/2013/06" \
            TenantId="contoso.onmicrosoft.com" PolicyId="\(id)" DeploymentMode="\(mode)">\(parent ?? "")\
            <BuildingBlocks><ClaimsSchema><ClaimType Id="\(text.filter { $0 != " " })"/></ClaimsSchema></BuildingBlocks>\
            \(isRelyingParty ? "<RelyingParty/>" : "")</TrustFrameworkPolicy>
            """.utf8)
    }

    var digest: String { PolicyMeaning.digest(bytes) }

    /// The parent of a policy that ``init(_:base:_:isRelyingParty:mode:)`` wrote.
    static func base(_ bytes: [UInt8]) -> String? {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let start = text.firstRange(of: "<PolicyId>"), let end = text.firstRange(of: "</PolicyId>") else {
            return nil
        }
        return String(text[start.upperBound..<end.lowerBound])
    }

    static func snapshot(_ policies: [String: [UInt8]]) -> TenantSnapshot {
        TenantSnapshot(
            organization: TenantOrganization(
                id: "3f1c9a3e-0000-4000-8000-000000000001", domains: ["contoso.onmicrosoft.com"]),
            policies: policies.sorted { $0.key < $1.key }.map { TenantPolicy(id: $0.key, bytes: $0.value) })
    }
}
