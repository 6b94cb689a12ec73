import Determinism
import JOSE
import JSON

/// What a deployment is to do and has done, as the journal keeps it. It holds digests of policies and no secret.
public struct DeploymentRecord: Hashable, Sendable {
    /// What it is for.
    public enum Kind: String, Sendable {
        /// Uploads what changed, and deletes what the plan deletes.
        case deploy
        /// Uploads what changed under new names.
        case staged
        /// Deletes the policies of a staged deployment.
        case removeStaged = "remove-staged"
        /// Restores what was there before another deployment.
        case rollback
    }

    public var kind: Kind
    public var tenant: TenantOrganization
    /// The environment of the settings; `nil`: the folder has no settings file.
    public var environment: String?
    /// Digest of the plan; `nil`: there was none.
    public var plan: String?
    public var began: Timestamp
    /// The name of the folder with its rollback bundle. No two deployments to a tenant have the same.
    public var bundle: String
    /// What follows `B2C_1A_` in the names of a staged deployment.
    public var prefix: String?
    /// The bundle of the deployment that a rollback undoes.
    public var undoes: String?
    /// Whether it came to an end: all is live, or it stopped in a state that is known.
    public var isFinished: Bool
    /// In the order in which they are written.
    public var steps: [DeploymentStep]

    public init(
        _ kind: Kind, tenant: TenantOrganization, environment: String?, plan: String?, began: Timestamp, bundle: String,
        prefix: String? = nil, undoes: String? = nil, isFinished: Bool = false, steps: [DeploymentStep]
    ) {
        self.kind = kind
        self.tenant = tenant
        self.environment = environment
        self.plan = plan
        self.began = began
        self.bundle = bundle
        self.prefix = prefix
        self.undoes = undoes
        self.isFinished = isFinished
        self.steps = steps
    }

    /// The name of a bundle of a deployment that begins now: `20261130T060234Z`.
    public static func bundleName(_ began: Timestamp) -> String {
        String(Timestamp(seconds: began.secondsSinceEpoch).rfc3339.filter { $0 != "-" && $0 != ":" })
    }

    /// The digest of a plan as JSON.
    public static func digest(of plan: JSONObject) -> String {
        let digits = Array("0123456789abcdef")
        let bytes = SHA2.sha256(JSONWriter.compactBytes(plan))
        return "sha256:" + String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }

    /// Whether it did all that it was to do.
    public var isWhole: Bool { isFinished && steps.allSatisfy { $0.state == .live } }

    // MARK: JSON

    public var json: JSONObject {
        var json: JSONObject = [
            "kind": .string(kind.rawValue), "tenant": .string(tenant.id),
            "domains": .array(tenant.domains.map { .string($0) }),
        ]
        json["environment"] = environment.map { .string($0) }
        json["plan"] = plan.map { .string($0) }
        json["began"] = .string(began.rfc3339)
        json["bundle"] = .string(bundle)
        json["prefix"] = prefix.map { .string($0) }
        json["undoes"] = undoes.map { .string($0) }
        json["finished"] = .bool(isFinished)
        json["steps"] = .array(steps.map { .object($0.json) })
        return json
    }

    /// `nil`: this is not the JSON of one.
    public init?(json: JSONValue) {
        guard let kind = json["kind"]?.stringValue.flatMap({ Kind(rawValue: $0) }),
            let tenant = json["tenant"]?.stringValue, let domains = json["domains"]?.arrayValue,
            let began = json["began"]?.stringValue.flatMap({ Timestamp(rfc3339: $0) }),
            let bundle = json["bundle"]?.stringValue, Self.isBundleName(bundle),
            let isFinished = json["finished"]?.boolValue,
            let steps = json["steps"]?.arrayValue
        else { return nil }
        let known = steps.compactMap { DeploymentStep(json: $0) }
        guard known.count == steps.count else { return nil }
        self.init(
            kind, tenant: TenantOrganization(id: tenant, domains: domains.compactMap(\.stringValue)),
            environment: json["environment"]?.stringValue, plan: json["plan"]?.stringValue, began: began,
            bundle: bundle,
            prefix: json["prefix"]?.stringValue, undoes: json["undoes"]?.stringValue, isFinished: isFinished,
            steps: known)
    }

    /// It is the name of a folder, so it must not lead to another one.
    private static func isBundleName(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || byte == UInt8(ascii: "-")
            }
    }
}

extension DeploymentStep {
    fileprivate var json: JSONObject {
        var json: JSONObject = ["id": .string(id), "state": .string(state.rawValue), "sends": .integer(Int64(sends))]
        json["file"] = file.map { .string($0) }
        json["before"] = before.map { .string($0) } ?? .null
        json["after"] = after.map { .string($0) } ?? .null
        return json
    }

    fileprivate init?(json: JSONValue) {
        guard let id = json["id"]?.stringValue,
            let state = json["state"]?.stringValue.flatMap({ State(rawValue: $0) }),
            let sends = json["sends"]?.intValue, (0...1_000_000).contains(sends), let before = json["before"],
            let after = json["after"], before.isNull || before.stringValue != nil,
            after.isNull || after.stringValue != nil
        else { return nil }
        self.init(
            id: id, file: json["file"]?.stringValue, before: before.stringValue, after: after.stringValue,
            state: state, sends: Int(sends))
    }
}
