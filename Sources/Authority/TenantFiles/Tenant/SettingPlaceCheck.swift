import JSON
import Records

/// Finds settings that are written where they have no effect: those of a user flow on a custom policy, those of MSAL.js
/// in an app for iOS. What counts is what somebody wrote, never a default that was filled in.
struct SettingPlaceCheck {
    private let tenant: Tenant
    private let whole: JSONValue
    private var found: [(place: JSONPointer, problem: SettingProblem)] = []

    /// - Parameters:
    ///   - written: What somebody set: the tenant, or a patch over it.
    ///   - whole: The tenant as written, patch and all.
    ///   - tenant: The same with everything filled in.
    static func findings(in written: JSONValue, of whole: JSONValue, _ tenant: Tenant) -> [SettingsFinding] {
        run(written, of: whole, tenant).map { place, problem in
            SettingsFinding(
                pointer: place, key: true, rule: "B2C-TEN-028",
                message: "`\(place.tokens.last ?? "")` \(problem.reason)", remedy: problem.remedy)
        }
    }

    /// The places of the same settings, without words.
    static func places(in written: JSONValue, of tenant: Tenant) -> [JSONPointer] {
        run(written, of: written, tenant).map(\.place)
    }

    private static func run(
        _ written: JSONValue, of whole: JSONValue, _ tenant: Tenant
    ) -> [(place: JSONPointer, problem: SettingProblem)] {
        var check = SettingPlaceCheck(tenant: tenant, whole: whole)
        check.run(written)
        return check.found
    }

    private init(tenant: Tenant, whole: JSONValue) {
        self.tenant = tenant
        self.whole = whole
    }

    private mutating func run(_ written: JSONValue) {
        guard !whole.isOpen("kind") else { return }
        let place = SettingPlace(in: tenant, written: whole)
        check(TenantTable.self, written: written, in: place, at: .root)
        check(AuthoritySettings.self, written: written["authority"], in: place, at: "/authority")
        for (name, entry) in written["users"]?.objectValue?.members ?? [] {
            check(UserRecord.self, written: entry, in: place, at: JSONPointer(tokens: ["users", name]))
        }
        for (name, entry) in written["policies"]?.objectValue?.members ?? [] { policy(name, entry) }
        for (name, entry) in written["apps"]?.objectValue?.members ?? [] { app(name, entry) }
    }

    // MARK: Policies

    private mutating func policy(_ name: String, _ written: JSONValue) {
        let pointer = JSONPointer(tokens: ["policies", name])
        guard name == "*" else {
            guard let settings = tenant.policy(named: name), !whole.isOpen("policies", name, "type") else { return }
            policy(written, [place(of: settings)], pointer)
            return
        }
        // A setting under `*` is for all policies: it is good if one of them can have it.
        let isKnown = tenant.policies.allSatisfy { !whole.isOpen("policies", $0.name, "type") }
        guard isKnown, !whole.isOpen("policies", "*", "type") else { return }
        policy(written, tenant.policies.map(place), pointer)
    }

    private func place(of policy: PolicySettings) -> SettingPlace {
        SettingPlace(in: tenant, policy: policy, written: whole["policies", policy.name] ?? .null)
    }

    private mutating func policy(_ written: JSONValue, _ places: [SettingPlace], _ pointer: JSONPointer) {
        let refused = check(PolicySettings.self, written: written, in: places, at: pointer)
        guard !refused.contains("tokens") else { return }
        check(TokenSettings.self, written: written["tokens"], in: places, at: pointer.appending("tokens"))
    }

    // MARK: Apps

    private mutating func app(_ name: String, _ written: JSONValue) {
        guard let app = tenant.app(named: name), !whole.isOpen("apps", name, "client", "kind"),
            !whole.isOpen("apps", name, "platform", "os")
        else { return }
        let place = SettingPlace(in: tenant, app: app, written: whole["apps", name] ?? .null)
        let pointer = JSONPointer(tokens: ["apps", name])
        check(
            RegistrationSettings.self, written: written["registration"], in: place,
            at: pointer.appending("registration"))
        check(ClientSettings.self, written: written["client"], in: place, at: pointer.appending("client"))
        check(PlatformSettings.self, written: written["platform"], in: place, at: pointer.appending("platform"))
    }

    // MARK: One object

    private mutating func check<Record: TenantRecord>(
        _ record: Record.Type, written: JSONValue?, in place: SettingPlace, at pointer: JSONPointer
    ) {
        check(record, written: written, in: [place], at: pointer)
    }

    /// The keys that are refused: those that have no effect in any of the places.
    @discardableResult
    private mutating func check<Record: TenantRecord>(
        _ record: Record.Type, written: JSONValue?, in places: [SettingPlace], at pointer: JSONPointer
    ) -> [String] {
        guard let first = places.first else { return [] }
        let others = places.dropFirst().map { place in Record.misplaced(written, in: place).map(\.key) }
        var refused: [String] = []
        for (key, problem) in Record.misplaced(written, in: first) where others.allSatisfy({ $0.contains(key) }) {
            refused.append(key)
            found.append((pointer.appending(key), problem))
        }
        return refused
    }
}
