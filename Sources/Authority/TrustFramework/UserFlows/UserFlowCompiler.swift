import Determinism
import Diagnostics
import TenantFiles

/// Compiles the settings of a user flow to a policy.
///
/// The settings become one policy file laid over the built-in base, and that file goes through inheritance and linker as
/// any other: there is no second mechanism. What cannot be said in a policy is in the `Personality`.
public enum UserFlowCompiler {
    /// The base and its texts, read once a process.
    private static let files = read([.base, .texts])

    /// The captcha, which few flows have.
    private static let captchaFile = read([.captcha])

    private static func read(_ policies: [BuiltInPolicy]) -> Result<[PolicyDocument], InvalidInput> {
        do throws(InvalidInput) {
            var documents: [PolicyDocument] = []
            for policy in policies { documents.append(try policy.document()) }
            return .success(documents)
        } catch {
            return .failure(error)
        }
    }

    /// The base with its texts, merged once a process.
    private static let base = files.map { PolicyInheritance.merge($0) }

    /// The same with what captchas need.
    private static let captchaBase = files.flatMap { files in
        captchaFile.map { PolicyInheritance.merge(files + $0) }
    }

    /// Reads the base now: the first user flow that is compiled later need not wait for it.
    public static func prepare() { _ = base }

    /// A file of the base by its policy id, in any letter case: `B2C_1A_HarnessBase`, `B2C_1A_HarnessTexts` that lies
    /// over it, or `B2C_1A_HarnessCaptcha` over both. A custom policy may inherit from any without having its file.
    public static func builtIn(_ policyID: String) throws(InvalidInput) -> PolicyDocument? {
        guard let known = BuiltInPolicy.all.first(where: { sameID($0.policyID, policyID) }) else { return nil }
        let files = known.policyID == BuiltInPolicy.captcha.policyID ? captchaFile : files
        return try files.get().first { $0.policyID == known.policyID }
    }

    /// The texts of the base in all its languages.
    static func builtInTexts() throws(InvalidInput) -> [LocalizedResourcesElement] {
        try captchaBase.get().buildingBlocks.localization?.resources ?? []
    }

    /// A policy file that lays text packs over the base, for custom policies that inherit from it. It comes between the
    /// base and the policy's own files, whose texts win.
    static func texts(
        _ packs: [TextPack], over base: PolicyDocument, at location: SourceLocation
    ) throws(InvalidInput) -> PolicyDocument {
        var document = PolicyDocument(policyID: base.policyID, location: location)
        document.basePolicy = base.basePolicy
        let builtIn = try builtInTexts()
        TextPackOverlay(packs: packs, location: location).add(
            to: &document, pages: FlowOverlay.contentDefinitions, builtIn: builtIn)
        // Pages are in these languages as well, unless the policy's own files name the languages.
        document.buildingBlocks.localization?.supportedLanguages = SupportedLanguagesElement(
            location: location, defaultLanguage: nil, mergeBehavior: .append, languages: packs.map(\.language))
        document.contentHash = StableHash.fnv1a(PolicyWriter.xml(document))
        return document
    }

    /// The policy that runs a user flow. Settings that contradict each other or name what does not exist are all
    /// reported; a custom policy is refused: it is a file, not a user flow.
    ///
    /// - Parameter packs: What the files of `texts` hold; see ``PolicyShelf/compile(_:tenant:folder:)``.
    public static func compile(
        _ settings: PolicySettings, tenant: Tenant, packs: [TextPack] = []
    ) throws(InvalidInput) -> ResolvedPolicy {
        try compile(settings, in: FlowSurroundings(of: tenant), packs: packs)
    }

    /// The same in a tenant of which only that is known which a user flow depends on.
    static func compile(
        _ settings: PolicySettings, in surroundings: FlowSurroundings, packs: [TextPack]
    ) throws(InvalidInput) -> ResolvedPolicy {
        ResolvedPolicy(try linked(settings, in: surroundings, packs: packs))
    }

    /// What the policy of a user flow consists of.
    static func linked(
        _ settings: PolicySettings, in surroundings: FlowSurroundings, packs: [TextPack]
    ) throws(InvalidInput) -> LinkedPolicy {
        let document = try document(settings, in: surroundings, packs: packs)
        let parent = document.basePolicy?.policyID == BuiltInPolicy.captcha.policyID ? captchaBase : base
        let merged = PolicyInheritance.merge([try parent.get(), document])
        return try PolicyLinker.linked(merged, personality: personality(settings))
    }

    /// The policy file that the settings become, without its base.
    public static func document(
        _ settings: PolicySettings, tenant: Tenant, packs: [TextPack] = []
    ) throws(InvalidInput) -> PolicyDocument {
        try document(settings, in: FlowSurroundings(of: tenant), packs: packs)
    }

    private static func document(
        _ settings: PolicySettings, in surroundings: FlowSurroundings, packs: [TextPack]
    ) throws(InvalidInput) -> PolicyDocument {
        var flow = FlowOverlay(settings, tenant: surroundings)
        flow.packs = packs
        flow.build()
        guard flow.findings.isEmpty else { throw InvalidInput(diagnostics: flow.findings) }
        var document = flow.document
        if !packs.isEmpty {
            let overlay = TextPackOverlay(packs: packs, location: flow.make("texts").location)
            overlay.add(to: &document, pages: FlowOverlay.contentDefinitions, builtIn: try builtInTexts())
        }
        document.contentHash = StableHash.fnv1a(PolicyWriter.xml(document))
        return document
    }

    /// The behavior of this flow that a policy cannot express.
    static func personality(_ settings: PolicySettings) -> Personality {
        var personality = Personality.userFlow
        let mfa = settings.mfa
        personality.mfaCodes = .init(lifetime: mfa.codeLifetime, maxTries: mfa.maxTries, resendAfter: mfa.resendAfter)
        if let keySet = settings.tokens.keySet { personality.keySet = keySet }
        if settings.tokens.policyClaim == .acr {
            personality.discoveryClaims.removeAll { $0 == "tfp" }
        }
        return personality
    }
}
