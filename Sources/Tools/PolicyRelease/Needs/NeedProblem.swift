import Determinism
import Diagnostics
import TrustFramework

/// Something that a tenant lacks, or has in another form, for policies to work.
public struct NeedProblem: Hashable, Sendable {
    public enum Kind: String, CaseIterable, Sendable {
        /// A key set that nobody made.
        case missingKey = "missing-key"
        /// A set without an active key.
        case noActiveKey = "no-active-key"
        /// A set whose active key ends soon without a successor.
        case keyEnds = "key-ends"
        /// A key that the element cannot use: another type, or another use.
        case wrongKey = "wrong-key"
        /// An app id that is a placeholder, of another app, or of none.
        case wrongApp = "wrong-app"
    }

    public var kind: Kind
    public var severity: Severity
    /// The key set or the app's role.
    public var name: String
    /// What is wrong, in one sentence without a full stop.
    public var sentence: String
    public var remedy: String?
    /// The first element that needs it.
    public var location: SourceLocation?
    /// The ids of the policies that need it.
    public var policies: [String]

    /// As a finding.
    public var diagnostic: Diagnostic {
        let rule =
            switch kind {
            case .missingKey, .noActiveKey, .keyEnds: "B2C-KEY-030"
            case .wrongKey: "B2C-KEY-031"
            case .wrongApp: "B2C-KEY-032"
            }
        return Diagnostic(severity, rule: rule, sentence, remedy: remedy, at: location)
    }
}

extension PolicyNeeds {
    /// How long before a gap a set is a problem.
    public static let warningSpan = TimeSpan.days(30)

    /// What the tenant lacks. Nothing is said about key sets or apps that the snapshot does not have.
    public func problems(against tenant: TenantSnapshot, now: Timestamp) -> [NeedProblem] {
        var problems =
            tenant.keySets.map { sets in
                keys.flatMap { $0.problems(among: sets, now: now) }
            } ?? []
        problems += apps.compactMap { Self.problem($0, tenant) }
        return problems.enumerated()
            .sorted { one, other in
                switch (one.element.location, other.element.location) {
                case (let a?, let b?) where a != b: a < b
                default: one.offset < other.offset
                }
            }
            .map(\.element)
    }

    // MARK: Apps

    private static func problem(_ need: AppNeed, _ tenant: TenantSnapshot) -> NeedProblem? {
        func problem(_ sentence: String, _ remedy: String, severity: Severity = .error) -> NeedProblem {
            NeedProblem(
                kind: .wrongApp, severity: severity, name: need.role.rawValue, sentence: sentence, remedy: remedy,
                location: need.places.first, policies: need.policies)
        }
        let what = "the \(need.identifier.rawValue) of the app \(need.role.rawValue)"
        let own = tenant.apps?.first { need.role.isName($0.displayName) }
        let instead = own.map { "Write \(need.identifier.of($0))." }
        guard GUID(need.value) != nil else {
            return problem(
                "\"\(need.value)\" is a placeholder for \(what)",
                instead ?? "Write the id as the app's registration in the tenant shows it.")
        }
        guard let apps = tenant.apps else { return nil }
        guard let found = apps.first(where: { sameID(need.identifier.of($0), need.value) }) else {
            if let other = apps.first(where: { sameID($0.objectID, need.value) || sameID($0.clientID, need.value) }) {
                let actual = sameID(other.objectID, need.value) ? "object ID" : "client ID"
                return problem(
                    "\(need.value) is the \(actual) of \(other.displayName), expected \(what)",
                    instead ?? "Write the \(need.identifier.rawValue).")
            }
            // An app of another name may have the id: only apps of the usual names are read.
            return problem(
                "the tenant has no app of the usual name with the \(need.identifier.rawValue) \(need.value), "
                    + "which policies name as \(need.role.rawValue)",
                instead ?? "Register the app, or check that the id is one of this tenant.",
                severity: .warning)
        }
        let isOther = AppNeed.Role.allCases.contains { $0 != need.role && $0.isName(found.displayName) }
        guard isOther, !need.role.isName(found.displayName) else { return nil }
        return problem(
            "\(need.value) is the \(need.identifier.rawValue) of \(found.displayName), expected \(what)",
            instead ?? "Write the id of that app.")
    }
}

extension KeyNeed {
    /// What the tenant's key sets lack for the references to this one.
    public func problems(among sets: [KeySet], now: Timestamp) -> [NeedProblem] {
        func problem(
            _ kind: NeedProblem.Kind, _ sentence: String, _ remedy: String, severity: Severity = .error,
            at location: SourceLocation? = nil
        ) -> NeedProblem {
            NeedProblem(
                kind: kind, severity: severity, name: name, sentence: sentence, remedy: remedy,
                location: location ?? references.first?.location, policies: policies)
        }
        guard let set = sets.first(where: { KeySet.isSame($0.id, name) }) else {
            let what = requirements.first.map { ". It needs \($0.phrase)" } ?? ""
            let near = nearestName(name, among: sets.map(\.id)).map { "The tenant has \($0). " } ?? ""
            return [
                problem(
                    .missingKey, "the tenant has no key set \(name)\(what)",
                    near + "Create it: b2c policy keys deploy.")
            ]
        }
        var problems: [NeedProblem] = []
        let status = KeyStatus(set, now: now)
        if status.active == nil {
            problems.append(
                problem(
                    .noActiveKey, "\(set.id) has no active key: \(status.reason)",
                    status.resumes == nil
                        ? "Add a key: b2c policy keys deploy."
                        : "Wait until then, or add a key without activation date."
                ))
        } else if let gap = status.gap, gap - now < PolicyNeeds.warningSpan {
            problems.append(
                problem(
                    .keyEnds,
                    "\(set.id) has no active key from \(gap.rfc3339) on, in \((gap - now).inWords)",
                    "Add the next key: b2c policy keys rotate \(set.id).", severity: .warning))
        }
        guard let key = status.active ?? set.keys.last else { return problems }
        for reference in references {
            guard let requirement = reference.requirement, let mismatch = requirement.mismatch(key) else { continue }
            problems.append(
                problem(
                    .wrongKey,
                    "\(reference.element) of \(reference.profile) needs \(requirement.phrase), and \(set.id) has "
                        + key.phrase,
                    mismatch == .form
                        ? "Use a set with \(requirement.phrase)."
                        : "A set keeps its use: create another set and change StorageReferenceId.",
                    at: reference.location))
        }
        return problems
    }
}

extension AppNeed.Role {
    /// Whether an app is this one by its name. The extensions app has more words behind its name: "Do not modify".
    func isName(_ displayName: String) -> Bool {
        self == .extensions
            ? displayName.lowercased().hasPrefix(rawValue) : sameID(displayName, rawValue)
    }
}

extension AppNeed.Identifier {
    fileprivate func of(_ app: TenantApp) -> String { self == .client ? app.clientID : app.objectID }
}
