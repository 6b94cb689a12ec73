import B2CProtocol
import Diagnostics
import HTTPMessages
import Journeys
import TrustFramework

/// A set of handles of one policy.
struct HandleSet<Handle: PolicyHandle>: Hashable, Sendable {
    private var words: [UInt64] = []

    func contains(_ handle: Handle) -> Bool {
        let place = Int(handle.index)
        return place >= 0 && words.indices.contains(place / 64) && words[place / 64] & (1 << UInt64(place % 64)) != 0
    }

    mutating func insert(_ handle: Handle) {
        let place = Int(handle.index)
        guard place >= 0 else { return }
        while words.count <= place / 64 { words.append(0) }
        words[place / 64] |= 1 << UInt64(place % 64)
    }

    mutating func remove(_ handle: Handle) {
        let place = Int(handle.index)
        guard place >= 0, words.indices.contains(place / 64) else { return }
        words[place / 64] &= ~(1 << UInt64(place % 64))
    }

    var handles: [Handle] {
        words.indices.flatMap { word in
            (0..<64).filter { words[word] & (1 << UInt64($0)) != 0 }.map { Handle(index: Int32(word * 64 + $0)) }
        }
    }

    var isEmpty: Bool { words.allSatisfy { $0 == 0 } }
}

/// Where the value of a claim came from.
struct ClaimSource: Hashable, Sendable {
    /// In the order in which they count if a value has several sources.
    enum Kind: Int, Comparable, Sendable {
        case constant, directory, session, request, service, provider, page
        static func < (a: Kind, b: Kind) -> Bool { a.rawValue < b.rawValue }
    }
    var kind: Kind
    /// The technical profile that brought it in, and the claim in which it came.
    var profile: ProfileHandle?
    var claim: ClaimTypeHandle?
}

/// Sources by claim. A search keeps one for each state, so each takes one word.
private struct SourceTable: Hashable, Sendable {
    /// From the highest bits: 16 for the claim, 4 for the kind, 22 for the profile and 22 for its claim, each plus 1.
    private var words: [UInt64] = []

    subscript(claim: ClaimTypeHandle) -> ClaimSource? {
        get {
            let wanted = UInt64(UInt16(truncatingIfNeeded: claim.index))
            guard let word = words.first(where: { $0 >> 48 == wanted }) else { return nil }
            func handle<Handle: PolicyHandle>(_ shift: UInt64) -> Handle? {
                let number = word >> shift & 0x3F_FFFF
                return number == 0 ? nil : Handle(index: Int32(number) - 1)
            }
            return ClaimSource.Kind(rawValue: Int(word >> 44 & 0xF)).map {
                ClaimSource(kind: $0, profile: handle(22), claim: handle(0))
            }
        }
        set {
            let wanted = UInt64(UInt16(truncatingIfNeeded: claim.index))
            let place = words.firstIndex { $0 >> 48 >= wanted } ?? words.count
            let isThere = words.indices.contains(place) && words[place] >> 48 == wanted
            guard let newValue else {
                if isThere { words.remove(at: place) }
                return
            }
            func number(_ index: Int32?) -> UInt64 { index.map { (UInt64($0) + 1) & 0x3F_FFFF } ?? 0 }
            let word =
                wanted << 48 | UInt64(newValue.kind.rawValue) << 44 | number(newValue.profile?.index) << 22
                | number(newValue.claim?.index)
            if isThere { words[place] = word } else { words.insert(word, at: place) }
        }
    }
}

/// What a path has done, as far as rules need it: part of a state.
struct PathEvidence: Hashable, Sendable {
    /// Technical profiles that ran and succeeded.
    var ran = HandleSet<ProfileHandle>()
    /// Assertions that passed.
    var asserted = HandleSet<TransformationHandle>()
    /// Technical profiles whose failure changed nothing: the path went on.
    var ignored = HandleSet<ProfileHandle>()
    /// Services that answered without a claim that they give.
    var emptied = HandleSet<ProfileHandle>()
    /// The technical profile that found or made the account.
    var identifiedBy: ProfileHandle?
    /// Addresses that were entered on pages, in lower case.
    var typed: Set<String> = []
    /// Claims that a code has proved.
    var verified = HandleSet<ClaimTypeHandle>()
    private var sources = SourceTable()
    /// Claims whose entered value a profile or a transformation has taken.
    private var consumed = HandleSet<ClaimTypeHandle>()
    /// Claims that were posted in fields, each with its last page.
    private var posted: [ClaimTypeHandle: ProfileHandle] = [:]
    /// The new password that was entered last, and on which page.
    var newPassword: String?
    var passwordPage: ProfileHandle?
    /// The directory was written since the page was last posted.
    var wroteSincePost = false

    /// Where the value of a claim came from; `nil` if the path has not given it one.
    subscript(claim: ClaimTypeHandle) -> ClaimSource? {
        get { sources[claim] }
        set { sources[claim] = newValue }
    }

    /// Claims that were entered on a page and that nothing has taken since, with the page.
    var untaken: [(claim: ClaimTypeHandle, page: ProfileHandle)] {
        posted.filter { !consumed.contains($0.key) }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Whether a page has asked for a claim.
    func isPosted(_ claim: ClaimTypeHandle) -> Bool { posted[claim] != nil }

    private mutating func consume(_ claim: ClaimTypeHandle) {
        consumed.insert(claim)
        if let origin = self[claim]?.claim { consumed.insert(origin) }
    }

    /// A finding that one move of a journey shows by itself.
    struct RuleFinding {
        var rule: ExplorationRule
        var names: [String]
        var location: SourceLocation
    }

    /// The person posts a page.
    mutating func post(_ form: FormItems, at page: Page, _ policy: ResolvedPolicy, _ purpose: PolicyGoals) {
        let profile = policy.profile(page.technicalProfile)
        let fields = page.fields.withInner.filter { !$0.isDisplayControl && !$0.isReadOnly }
        for (name, value) in form.items where !value.isEmpty {
            guard let claim = policy.claimType(name), let field = fields.first(where: { sameID($0.id, name) }) else {
                continue
            }
            if let profile {
                posted[claim] = profile
                consumed.remove(claim)
            }
            if field.prefilled == value, self[claim] != nil { continue }
            self[claim] = ClaimSource(kind: .page, profile: profile, claim: claim)
            if value.contains("@") { typed.insert(value.lowercased()) }
            if field.inputType == .password, purpose.newPasswords.contains(claim) {
                newPassword = value
                passwordPage = profile
            }
        }
    }

    /// What a move of the journey did.
    ///
    /// - Parameters:
    ///   - goesOn: Whether the path goes on: nothing refused and nothing ended it.
    ///   - proved: Addresses and numbers that were proved, in lower case.
    /// - Returns: What is wrong with the move itself.
    mutating func take(
        _ trace: [TraceEntry], _ policy: ResolvedPolicy, goesOn: Bool, proved: Set<String>
    ) -> [RuleFinding] {
        var sightings: [RuleFinding] = []
        var failed: [ProfileHandle] = []
        for entry in trace {
            switch entry {
            case .step: continue
            case .transformation(let trace):
                guard let handle = policy.transformation(trace.transformation) else { continue }
                take(trace, policy[handle])
            case .profile(let trace):
                guard let handle = policy.profile(trace.profile) else { continue }
                if case .session = trace.skipped {
                    for item in trace.out.claims where item.origin == .session {
                        self[item.claim] = ClaimSource(kind: .session, profile: handle, claim: item.claim)
                    }
                }
                guard trace.skipped == nil else { continue }
                if trace.error != nil {
                    failed.append(handle)
                } else {
                    ran.insert(handle)
                    sightings += take(trace, of: policy[handle], in: policy, proved: proved)
                }
            }
        }
        if goesOn { for handle in failed where policy[handle].handler != .selfAsserted { ignored.insert(handle) } }
        return sightings
    }

    private mutating func take(_ trace: TraceEntry.TransformationTrace, _ transformation: ClaimsTransformation) {
        for input in transformation.inputClaims { consume(input.claim) }
        if PolicyGoals.isAssertion(transformation) { asserted.insert(transformation.handle) }
        let source = transformation.inputClaims.compactMap { self[$0.claim] }.max { $0.kind < $1.kind }
        for output in transformation.outputClaims {
            self[output.claim] = source ?? ClaimSource(kind: .constant, profile: nil, claim: output.claim)
        }
    }

    private mutating func take(
        _ trace: TraceEntry.ProfileTrace, of profile: TechnicalProfile, in policy: ResolvedPolicy, proved: Set<String>
    ) -> [RuleFinding] {
        var sightings: [RuleFinding] = []
        if profile.handler != .selfAsserted { for item in trace.in.claims { consume(item.claim) } }
        if profile.handler == .directory {
            sightings += key(of: profile, policy) + writes(of: profile, trace, policy, proved)
        }
        let kind: ClaimSource.Kind? =
            switch profile.handler {
            case .directory, .passwordSignIn: .directory
            case .rest, .conditionalAccess: .service
            case .selfAsserted, .claimsTransformation: nil
            default: profile.handler.isFederation ? .provider : .request
            }
        for item in trace.out.claims {
            let claim = item.claim
            let output = profile.outputClaims.first { $0.claim == claim }
            if item.origin == .default {
                if let output, output.alwaysUseDefaultValue || self[claim] == nil || kind != nil {
                    self[claim] = ClaimSource(kind: Self.kind(of: output), profile: profile.handle, claim: claim)
                }
            } else if let kind, kind != .directory || !Self.isKey(claim, of: profile) {
                self[claim] = ClaimSource(kind: kind, profile: profile.handle, claim: claim)
            }
            if identifiedBy == nil, kind == .directory, sameID(policy[claim].id, "objectId") {
                identifiedBy = profile.handle
            }
        }
        return sightings
    }

    // MARK: Where an account comes from

    /// Whether a claim is what a profile finds the account by.
    private static func isKey(_ claim: ClaimTypeHandle, of profile: TechnicalProfile) -> Bool {
        key(of: profile)?.claim == claim
    }

    /// The input claim by which a profile finds the account.
    private static func key(of profile: TechnicalProfile) -> ProfileClaim? {
        profile.handler == .passwordSignIn
            ? profile.inputClaims.first { sameID($0.wireName, "username") } : profile.inputClaims.first
    }

    /// Where the default of a claim comes from: a claims resolver reads it from the request, and else it is constant.
    private static func kind(of claim: ProfileClaim) -> ClaimSource.Kind {
        let text = (claim.defaultValue ?? "").lowercased()
        return text.contains("{oidc:") || text.contains("{oauth-kv:") ? .request : .constant
    }

    /// Where an account that the journey has found comes from.
    struct Origin {
        /// The profile that found the account by the key; `nil` where the claim itself came in from outside.
        var finder: ProfileHandle?
        /// The claim that names the account, as it came in.
        var key: ClaimTypeHandle
        var source: ClaimSource?
    }

    /// Where an account comes from: back from the claim that names it, through the profiles of the directory that found it by
    /// another claim, to the claim that came in from outside.
    ///
    /// - Parameter reader: The profile that used the claim as its key, where the default of its input claim may count.
    func origin(of claim: ClaimTypeHandle, usedBy reader: TechnicalProfile? = nil, _ policy: ResolvedPolicy) -> Origin {
        var origin = Origin(key: claim, source: self[claim])
        if let reader, let key = Self.key(of: reader) { origin.take(key, of: reader, source(of: key, of: reader)) }
        for _ in 0..<6 {
            guard origin.source?.kind == .directory, let finder = origin.source?.profile.map({ policy[$0] }),
                let key = Self.key(of: finder), key.claim != origin.key
            else { break }
            origin.finder = finder.handle
            origin.take(key, of: finder, source(of: key, of: finder))
        }
        return origin
    }

    /// Where the key of a profile came from: what the claim holds, or the default of the input claim.
    private func source(of key: ProfileClaim, of profile: TechnicalProfile) -> ClaimSource? {
        if key.defaultValue != nil, key.alwaysUseDefaultValue || self[key.claim] == nil {
            return ClaimSource(kind: Self.kind(of: key), profile: profile.handle, claim: key.claim)
        }
        return self[key.claim]
    }

    /// By what an account is looked up.
    private func key(of profile: TechnicalProfile, _ policy: ResolvedPolicy) -> [RuleFinding] {
        guard let input = profile.inputClaims.first, let source = self[input.claim], source.kind == .provider,
            let provider = source.profile.map({ policy[$0] }), let claim = source.claim,
            let given = provider.outputClaims.first(where: { $0.claim == claim }),
            PolicyGoals.changeable.contains(given.wireName.lowercased()), !verified.contains(input.claim)
        else { return [] }
        return [
            RuleFinding(
                rule: .foundByChangeable, names: [profile.id, given.wireName, provider.id], location: input.location)
        ]
    }

    /// Addresses and numbers that are written though nobody has proved them.
    private func writes(
        of profile: TechnicalProfile, _ trace: TraceEntry.ProfileTrace, _ policy: ResolvedPolicy, _ proved: Set<String>
    ) -> [RuleFinding] {
        guard sameID(profile.metadata["Operation"] ?? "", "Write") else { return [] }
        let given = trace.in.claims
        return profile.persistedClaims.flatMap { persisted -> [RuleFinding] in
            guard let source = self[persisted.claim], source.kind == .page, let origin = source.claim,
                !verified.contains(origin), !verified.contains(persisted.claim),
                let value = given.first(where: { $0.claim == persisted.claim })?.value
            else { return [] }
            let texts = value.listValue ?? value.text.map { [$0] } ?? []
            return texts.compactMap { text in
                guard !proved.contains(text.lowercased()),
                    let use = PolicyGoals.address(persisted.wireName, value: text)
                else { return nil }
                return RuleFinding(
                    rule: use == .contact ? .addressUnverified : .nameUnverified,
                    names: [policy[origin].id, persisted.wireName], location: persisted.location)
            }
        }
    }
}

extension PathEvidence.Origin {
    fileprivate mutating func take(_ key: ProfileClaim, of profile: TechnicalProfile, _ source: ClaimSource?) {
        self.key = key.claim
        self.source = source
    }
}
