import Determinism
import JSON
import TenantFiles

/// Wrong passwords of one account (Microsoft docs: threat-management). After `threshold` of them the account is locked
/// for `duration`; every further one locks it again. The first ten periods have that length, then it grows every ten,
/// up to five hours (by doubling: inferred). Success and a new password start over.
public struct SmartLockout: Sendable, Hashable, Codable {
    public private(set) var failures = 0
    public private(set) var periods = 0
    public private(set) var lockedUntil: Timestamp?
    /// The last wrong passwords, hashed: the same one again does not count.
    private var recent: [UInt64] = []

    static let longest = TimeSpan.hours(5)
    /// How many wrong passwords are remembered (recorded of the directory: three).
    private static let remembered = 3

    public init() {}

    public func isLocked(at now: Timestamp) -> Bool { lockedUntil.map { now < $0 } ?? false }

    /// Notes a wrong password.
    mutating func failed(_ password: String, settings: LockoutSettings, nearVariantsCountOnce: Bool, at now: Timestamp)
    {
        let print = Self.fingerprint(nearVariantsCountOnce ? password.lowercased() : password)
        if recent.contains(print) { return }
        recent.append(print)
        if recent.count > Self.remembered { recent.removeFirst() }
        failures += 1
        guard failures >= settings.threshold else { return }
        var length = settings.duration
        var tens = periods / 10
        while .zero < length, tens > 0, length < Self.longest {
            length = length + length
            tens -= 1
        }
        lockedUntil = now + min(length, max(Self.longest, settings.duration))
        periods += 1
    }

    /// Starts over.
    mutating func reset() { self = SmartLockout() }

    private static func fingerprint(_ text: String) -> UInt64 {
        let guid = GUID.derived(from: "wrong password " + text)
        return guid.high ^ guid.low
    }
}

extension SmartLockout {
    /// The count as a document.
    public var json: JSONObject {
        var object: JSONObject = ["failures": .integer(Int64(failures)), "periods": .integer(Int64(periods))]
        if let lockedUntil { object["lockedUntil"] = .string(lockedUntil.rfc3339) }
        // Beyond 53 bits JSON numbers are not safe everywhere.
        object["recent"] = .array(recent.map { .string(String($0)) })
        return object
    }

    /// Reads what ``json`` writes; `nil` when the document is something else.
    public init?(json: JSONValue) {
        guard let failures = json.count("failures"), let periods = json.count("periods"),
            let recent = json["recent"]?.arrayValue
        else { return nil }
        self.init()
        self.failures = failures
        self.periods = periods
        self.recent = recent.compactMap { $0.stringValue.flatMap { UInt64($0) } }
        guard self.recent.count == recent.count else { return nil }
        if json["lockedUntil"] != nil {
            guard let until = json.instant("lockedUntil") else { return nil }
            lockedUntil = until
        }
    }
}
