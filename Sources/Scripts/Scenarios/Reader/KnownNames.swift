import Diagnostics
import JSON
import TenantFiles
import Verbs

/// Every name that a script may use, gathered from the tenant file and from all patches of the script, since a step may
/// create what a later one uses.
struct KnownNames {
    var policies: [String] = []
    var apps: [String] = []
    var people: [String] = []
    var apis: [String] = []
    var providers: [String] = []
    var hosts: [String] = []
    var keys: [String] = []
    var clients: [String] = []
    var cases: [String] = []
    var devices: [String] = []
    var browsers: [String] = []
    /// Directory attributes that people and policies mention.
    var attributes: [String] = []
    /// Names of claims that tokens may hold.
    private(set) var claims: [String] = []
    /// Parameters and fields that the script adds to requests itself.
    let sent: Set<String>
    /// What custom policies send; `nil` where nobody can read them.
    var policyClaims: PolicyClaims?
    /// Every patch of the script over the tenant file, without what it removes.
    let patches: [JSONValue]
    /// Claims-exchange ids of providers.
    var exchanges: [String] = []
    /// The policies that are custom: on their pages, fields and buttons may have any id.
    var customPolicies: [String] = []
    /// The tenant with defaults and every patch laid over one another, as far as it is known before `{{...}}` are replaced.
    let whole: Tenant
    /// The same as the file and the patches say it.
    private let written: JSONValue
    private let sections = Sections()
    /// The names of each list, so that a name is found without a walk through it.
    private var sets: [PartialKeyPath<KnownNames>: Set<ExactText>] = [:]

    /// - Parameters:
    ///   - tenant: the tenant file as far as it can be read.
    ///   - root: the scenario file.
    ///   - walk: its steps and patches.
    ///   - outlines: what fills in the defaults.
    init(tenant: JSONValue, root: JSONValue, walk: ScriptWalk, outlines: TenantOutlines) {
        let patches = walk.all(.configure).map(\.value).filter { $0.objectValue != nil }
        let minted = walk.steps.compactMap { $0.step.call(MintToken.self)?.value }
        self.patches = patches.map(\.withoutRemovals)
        sent = Self.sent(tenant: tenant, root: root)
        let written = patches.reduce(tenant) { whole, patch in
            var patch = patch
            for stray in PatchNames.strays(in: patch, over: whole) {
                patch.set(nil, at: JSONPointer(tokens: [stray.section, stray.name]))
            }
            return whole.merging(patch: patch.withoutRemovals)
        }
        self.written = written.withoutRemovals
        whole = outlines.tenant(of: written)
        add(written: written)
        add(whole)
        // A patch replaces the list of published keys, and scripts may use the replaced ones too.
        add(outlines.tenant(of: tenant).keySets.flatMap { [$0.use] + $0.publish }, to: \.keys)
        for patch in patches {
            for (_, set) in patch["keySets"]?.objectValue?.members ?? [] {
                add([set["use"]].compactMap { $0?.stringValue }, to: \.keys)
                add(set["publish"]?.arrayValue?.compactMap(\.stringValue), to: \.keys)
            }
        }
        add(minted.compactMap(\.key), to: \.keys)
        // Claims that the script puts into tokens itself.
        for rule in walk.all(.faults).flatMap({ $0.value.arrayValue ?? [] }) {
            for token in ["idToken", "accessToken"] { claims += rule["claims"]?[token]?.objectValue?.keys ?? [] }
        }
        claims += minted.flatMap { $0.claims.objectValue?.keys ?? [] }
        add(apps, to: \.clients)
        add(["device"], to: \.devices)
        add(["device"], to: \.browsers)
        for (name, client) in root["clients"]?.objectValue?.members ?? [] {
            add([name], to: \.clients)
            let device = client["device"]?.stringValue ?? "device"
            add([device], to: \.devices)
            add([client["browser"]?.stringValue ?? device], to: \.browsers)
        }
        add(root["cases"]?.objectValue?.keys, to: \.cases)
    }

    /// What is written, over what ``whole`` has in its place: all that `{{tenant/...}}` can lead to.
    var everything: JSONValue { whole.json.merging(patch: written) }

    /// A member of it: what `{{users/...}}` can lead to.
    func everything(in section: String) -> JSONValue {
        if let known = sections.known[section] { return known }
        let filled = whole.json(of: section) ?? .null
        let value = written[section].map(filled.merging(patch:)) ?? filled
        sections.known[section] = value
        return value
    }

    /// Members of the tenant that were asked for. Used by one reading at a time.
    private final class Sections {
        var known: [String: JSONValue] = [:]
    }

    /// Adds the names that a tenant says, also those of entries that cannot be read.
    private mutating func add(written tenant: JSONValue) {
        add(tenant["policies"]?.objectValue?.keys.filter { $0 != "*" }, to: \.policies)
        add(tenant["apps"]?.objectValue?.keys, to: \.apps)
        add(tenant["users"]?.objectValue?.keys, to: \.people)
        add(tenant["apis"]?.objectValue?.keys, to: \.apis)
        add(tenant["providers"]?.objectValue?.keys, to: \.providers)
        add(tenant["hosts"]?.arrayValue?.compactMap(\.stringValue), to: \.hosts)
        for (_, person) in tenant["users"]?.objectValue?.members ?? [] {
            add(person.objectValue?.keys.filter { !UserRecord.reservedNames.contains($0) }, to: \.attributes)
        }
        for (name, policy) in tenant["policies"]?.objectValue?.members ?? [] {
            if policy["type"]?.stringValue == PolicyType.custom.rawValue { add([name], to: \.customPolicies) }
            add(policy["attributes"]?.arrayValue?.compactMap(\.stringValue), to: \.attributes)
            add(policy["claims"]?.arrayValue?.compactMap(\.stringValue), to: \.claims)
        }
        for (_, provider) in tenant["providers"]?.objectValue?.members ?? [] {
            add([provider["exchange"]].compactMap { $0?.stringValue }, to: \.exchanges)
        }
    }

    /// Adds the names that defaults bring.
    private mutating func add(_ tenant: Tenant) {
        add(tenant.hosts, to: \.hosts)
        for policy in tenant.policies {
            if policy.type == .custom {
                add([policy.name], to: \.customPolicies)
            } else {
                add(policy.claims, to: \.claims)
            }
            if [PolicyType].withAttributes.contains(policy.type) { add(policy.attributes, to: \.attributes) }
        }
        add(tenant.providers.map(\.exchange), to: \.exchanges)
    }

    /// The names of a kind with the word for it; `nil` for kinds that are checked elsewhere or not at all.
    func names(of kind: NameKind) -> (known: [String], plural: String)? {
        Self.list(of: kind).map { (self[keyPath: $0.names], $0.plural) }
    }

    /// Whether there is a name of a kind that has a list.
    func has(_ name: String, as kind: NameKind) -> Bool {
        Self.list(of: kind).map { sets[$0.names]?.contains(ExactText(name)) ?? false } ?? false
    }

    private static func list(
        of kind: NameKind
    ) -> (names: WritableKeyPath<KnownNames, [String]>, plural: String)? {
        switch kind {
        case .policy: (\.policies, "policies")
        case .app: (\.apps, "apps")
        case .person: (\.people, "people")
        case .api, .apiName: (\.apis, "APIs")
        case .provider: (\.providers, "providers")
        case .client: (\.clients, "clients")
        case .caseName: (\.cases, "cases")
        case .host: (\.hosts, "hosts")
        case .device: (\.devices, "devices")
        case .browser: (\.browsers, "browsers")
        default: nil
        }
    }

    /// The name of the entry that has `text` as its id, address or other value of its own: `B2C_1_susi` is the id of
    /// `susi`. Written where a name is expected, that is a confusion of the two.
    ///
    /// - Returns: what the text is, such as `id`, and the name; `nil` if no entry has it.
    func owner(of text: String, as kind: NameKind) -> (what: String, name: String)? {
        let places: (section: String, members: [(path: [String], what: String)])? =
            switch kind {
            case .policy: ("policies", [(["id"], "id"), (["file"], "file")])
            case .person:
                (
                    "users",
                    [
                        (["email"], "e-mail address"), (["username"], "user name"), (["displayName"], "display name"),
                        (["objectId"], "object id"),
                    ]
                )
            case .app, .client:
                (
                    "apps",
                    [
                        (["registration", "clientId"], "client id"), (["platform", "bundleId"], "bundle id"),
                    ]
                )
            case .api, .apiName:
                (
                    "apis",
                    [
                        (["appIdUri"], "App ID URI"), (["clientId"], "client id"), (["baseUrl"], "base URL"),
                    ]
                )
            case .provider:
                (
                    "providers",
                    [
                        (["domain"], "domain"), (["exchange"], "claims exchange"), (["issuer"], "issuer"),
                    ]
                )
            default: nil
            }
        guard let places else { return nil }
        let wanted = text.lowercased()
        for (path, what) in places.members {
            for (name, entry) in everything(in: places.section).objectValue?.members ?? [] where name != "*" {
                let value = path.reduce(entry as JSONValue?) { $0?[$1] }?.stringValue
                if let value, sameText(value.lowercased(), wanted) { return (what, name) }
            }
        }
        return nil
    }

    private mutating func add(_ names: [String]?, to list: WritableKeyPath<KnownNames, [String]>) {
        for name in names ?? [] where sets[list, default: []].insert(ExactText(name)).inserted {
            self[keyPath: list].append(name)
        }
    }

    /// The known claim that a name is probably meant to be; `nil` for a known claim and for one that is near none.
    func claimNear(_ name: String) -> String? {
        let known = Self.standardClaims + claims + attributes
        guard !known.contains(name), !name.hasPrefix(UserFlowAttribute.customPrefix) else { return nil }
        guard let near = known.first(where: { isOneSlip(name, of: $0) }) else { return nil }
        return policyClaims?.maySend(name) == true ? nil : near
    }

    /// Claims of B2C and directory tokens, and the names under which user flows send attributes.
    private static let standardClaims =
        [
            "iss", "sub", "aud", "exp", "nbf", "iat", "auth_time", "nonce", "ver", "tfp", "acr", "acrs", "amr", "azp",
            "azpacr",
            "scp", "oid", "tid", "sid", "jti", "at_hash", "c_hash", "name", "given_name", "family_name", "email",
            "emails", "idp", "idp_access_token", "preferred_username", "upn", "unique_name", "roles", "groups", "wids",
            "uti", "rh", "aio", "appid", "appidacr", "idtyp", "login_hint", "home_oid", "trustFrameworkPolicy",
            "email_verified", "phone_number", "phone_number_verified", "nickname", "locale", "picture", "zoneinfo",
        ] + UserFlowAttribute.all.map(\.tokenName) + UserFlowAttribute.all.map(\.name)

    /// Names of parameters that requests have because the tenant or the script says so: members of `query`, `form` and
    /// `extraQueryParameters` that are not part of an expectation.
    private static func sent(tenant: JSONValue, root: JSONValue) -> Set<String> {
        var found = Set<String>()
        func gather(_ value: JSONValue) {
            switch value {
            case .array(let elements): elements.forEach(gather)
            case .object(let object):
                for (name, member) in object.members where !["expect", "expectIn", "match", "on"].contains(name) {
                    if ["query", "form", "extraQueryParameters"].contains(name) {
                        found.formUnion(member.objectValue?.keys ?? [])
                    }
                    gather(member)
                }
            default: break
            }
        }
        gather(tenant["apps"] ?? .null)
        gather(root)
        return found
    }
}

extension JSONValue {
    /// Without members that are null, so that laying patches over one another only adds.
    fileprivate var withoutRemovals: JSONValue {
        guard case .object(let object) = self else { return self }
        return .object(
            JSONObject(object.members.filter { !$0.value.isNull }.map { ($0.key, $0.value.withoutRemovals) }))
    }
}
