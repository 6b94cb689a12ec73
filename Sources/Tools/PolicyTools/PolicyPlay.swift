import AuthorityHosting
import Browser
import CommandFiles
import CommandKit
import Diagnostics
import Exchanges
import Exploration
import JOSE
import JSON
import Reports
import ScenarioRunner
import TenantFiles
import TrustFramework
import Verbs

/// One sign-in at a policy, played.
package struct PolicyPlay {
    package let policies: PlacedPolicies
    package let settings: PolicySettings
    package let policy: ResolvedPolicy
    package let play: PlaySettings

    /// - Throws: ``Failure`` if the policies cannot be read or the policy does not link.
    package init(_ source: PolicySource, _ play: PlaySettings) throws {
        try self.init(of: try source.read(), play)
    }

    package init(of policies: PlacedPolicies, _ play: PlaySettings) throws {
        self.policies = policies
        settings = try policies.settings()
        policy = try policies.linked(settings)
        self.play = play
        let pages = PageFiles(policies.tenant, folder: policies.folder, read: play.read)
        var missing: [String] = []
        for definition in policy.contentDefinitions {
            guard let path = pages.missing(for: definition.loadURI), !missing.contains(path) else { continue }
            missing.append(path)
            FindingCollector.warn("the template of \(definition.id) is \(path), which does not exist")
        }
    }

    // MARK: Playing

    /// Plays the sign-in, and returns how it ended with secrets masked, the name of the person, and what services without a
    /// stub said, a line each.
    package func perform() async throws -> (outcome: SignIn.Outcome, person: String, madeUp: [String]) {
        let inputs = try readInputs()
        let first = try await perform(as: try person(inputs), inputs)
        guard isFree(inputs), !Self.hasToken(first.outcome) else { return first }
        // Nobody has said who signs in: perhaps the policy suits another of the people, or one with an attribute.
        var others = policies.tenant.users.map { (name: $0.name, record: JSONValue.object($0.json)) }
        let local = others.first { $0.name == DemoPeople.local }
        others.removeAll { $0.name == first.person }
        for attribute in policy.distinguishedAttributes(at: Machine.clock.now()).prefix(Self.mostAttributes) {
            guard let local else { break }
            others.append((local.name, local.record.patched(person: [attribute.name: .string(attribute.value)])))
        }
        for person in others {
            let other = try await perform(as: person, inputs)
            if Self.hasToken(other.outcome) { return other }
        }
        return first
    }

    /// So many attributes are tried, one after another.
    private static let mostAttributes = 8

    /// Whether the command may choose the person.
    private func isFree(_ inputs: PlayInputs) -> Bool {
        play.user == nil && play.press.isEmpty && policies.isFolder && inputs[.user] == nil && !isPasswordGrant
    }

    private static func hasToken(_ outcome: SignIn.Outcome) -> Bool {
        outcome.token(.idToken) != nil || outcome.token(.accessToken) != nil
    }

    private func perform(
        as person: (name: String, record: JSONValue), _ inputs: PlayInputs
    ) async throws -> (outcome: SignIn.Outcome, person: String, madeUp: [String]) {
        let signIn = try signIn(inputs, person)
        var run = RunOptions(seed: play.seed, readFile: play.read, policies: policies.shelf)
        run.services = play.services
        // A user with a script for the pages wants to see where it does not fit.
        if inputs[.user] == nil { run.answers = answers }
        let outcome: SignIn.Outcome
        do throws(InvalidInput) {
            outcome = try await signIn.play(options: run)
        } catch {
            let text = JSONWriter.pretty(.object(signIn.draft.json))
            let known = [
                FoundFile(path: signIn.file, content: .scenario, bytes: Array(text.utf8), step: nil)
            ]
            FindingsPrinter(sources: Scripts.sources(of: error.diagnostics, known: known)).print(error.diagnostics)
            throw Failure.silent(.input) as any Error
        }
        if let complaint = SignatureProvider.complaint { FindingCollector.warn(complaint) }
        let known = KnownSecret.secrets(of: outcome.tenant)
        let report = Redaction(known: known, showsSecrets: play.showsSecrets).redacted(outcome.report)
        let shown = outcome.shown(as: report)
        guard play.makesUpServices, let first = shown.steps.first else { return (shown, person.name, []) }
        return (shown, person.name, MadeUpServices(policy, person: person.record).lines(for: first))
    }

    private func readInputs() throws -> PlayInputs {
        let path: String
        switch play.inputs {
        case nil: return PlayInputs()
        case .value(let inputs): return inputs
        case .file(let name): path = name
        }
        let bytes = try InputFile.read(path)
        do throws(InvalidInput) {
            return try Self.inputs(path, bytes)
        } catch {
            PlacedPolicies.report(error.diagnostics)
            throw Failure.silent(.input) as any Error
        }
    }

    private static func inputs(_ path: String, _ bytes: [UInt8]) throws(InvalidInput) -> PlayInputs {
        let document = try JSONDocument(file: path, bytes: bytes)
        let known = PlayInputs.Member.allCases.map(\.rawValue)
        for key in document.root.objectValue?.keys ?? [] where !known.contains(key) {
            let near = nearestName(key, among: known).map { "Did you mean \($0)?" }
            throw InvalidInput(
                Diagnostic(
                    rule: "B2C-CLI-004", "`\(key)` is not an input", remedy: near ?? "Inputs are \(namesList(known)).",
                    at: document.location(of: JSONPointer(tokens: [key]))))
        }
        return PlayInputs(json: document.root.objectValue ?? JSONObject())
    }

    // MARK: The script

    /// The scenario that ``perform()`` runs. Its last step signs in.
    package func script() throws -> ScenarioDraft {
        let inputs = try readInputs()
        return try signIn(inputs, try person(inputs)).draft
    }

    /// The person: a name of the tenant, or a record that was written on the command line.
    private func person(_ inputs: PlayInputs) throws -> (name: String, record: JSONValue) {
        var users = JSONObject()
        for user in policies.tenant.users { users[user.name] = .object(user.json) }
        if case .object(let more)? = inputs[.configure]?["users"] {
            for (name, record) in more.members { users[name] = (users[name] ?? [:]).patched(person: record) }
        }
        if let written = play.user, written.hasPrefix("{") {
            guard let record = try? JSONParser.parse(written), record.objectValue != nil else {
                throw Failure.usage("--user: this is not a JSON object: \(written)")
            }
            let ground = policies.isFolder ? DemoPeople.json["ada"] ?? [:] : [:]
            return ("user", ground.patched(person: record))
        }
        let providersOnly = selectionStep.map { !$0.offersLocalAccounts(policy) } ?? beginsAtProvider
        // A person who signs in at a provider for the first time must be able to get an account.
        let social = policy.makesAccounts ? DemoPeople.stranger : DemoPeople.linked
        let local = policy.opensAccountsOnly ? DemoPeople.newcomer : users.keys.first
        let standard = policies.isFolder ? (providersOnly ? social : local) : users.keys.first
        // Inputs that say what is done on the pages need no record of a person.
        if play.user == nil, standard == nil, inputs[.user] != nil { return ("nobody", [:]) }
        guard let name = play.user ?? standard else {
            throw Failure.usage("\(policies.shown) has no people: write one as --user '{\"email\": ...}'")
        }
        guard let record = users[name] else {
            let near = nearestName(name, among: users.keys).map { "Did you mean \($0)?" }
            let hint = near ?? (policies.isFolder ? DemoPeople.explanation : "People are \(namesList(users.keys)).")
            throw Failure.usage("\(policies.shown) has no person \(name). \(hint)")
        }
        return (name, record)
    }

    private func signIn(_ inputs: PlayInputs, _ person: (name: String, record: JSONValue)) throws -> SignIn {
        var configure: JSONValue = [:]
        if policies.tenant.user(named: person.name).map({ .object($0.json) }) != person.record {
            configure = ["users": .object(JSONObject([(person.name, person.record)]))]
        }
        var app = play.app
        if policies.isFolder {
            let name = app ?? "app"
            app = name
            configure = configure.followed(by: folderSettings(app: name))
        }
        configure = configure.followed(by: inputs[.configure] ?? [:])
        if play.makesUpServices {
            configure = configure.followed(by: MadeUpServices(policy, person: person.record).configuration)
        }
        guard let app = app ?? policies.tenant.apps.first?.name else {
            throw Failure.usage("\(policies.shown) has no app")
        }
        var stage = ScenarioDraft(name: "policy play", tenant: tenantOfScript(person, inputs), app: app)
        stage.clock = inputs[.clock]
        stage.faults = inputs[.faults]
        var grantee = user(person)
        grantee.password = person.record["password"]?.stringValue
        var signIn = SignIn(
            .passwordGrant(
                policy: settings.name, person: grantee,
                scopes: ["{{apps/\(app)/registration/clientId}}", "offline_access"]),
            on: stage, file: "policy-play.json")
        if !isPasswordGrant {
            var request = (inputs[.request] ?? [:])
            if let hint = try hint(request, person, inputs) {
                signIn.stage.steps += hint.steps
                request = request.merging(
                    patch: ["extraQueryParameters": .object([HintToken.parameter: .string(hint.value)])])
                configure = hint.configure.followed(by: configure)
            }
            request = request.merging(patch: .object([HintToken.parameter: .null]))
            signIn.step = .acquireToken(policy: settings.name, request: request, user: acts(person))
            if let written = inputs[.user] { signIn.step.user = written }
            if play.refresh { signIn.after.append(.refresh(policy: settings.name)) }
        }
        if configure != [:] { signIn.stage.configure = configure }
        return signIn
    }

    /// The hint that the policy reads, unless the request brings one or goes without.
    private func hint(
        _ request: JSONValue, _ person: (name: String, record: JSONValue), _ inputs: PlayInputs
    ) throws -> HintToken.Parts? {
        let given = request[HintToken.parameter]
        if let text = given?.stringValue { return HintToken.Parts(value: text) }
        if given == .null || request["extraQueryParameters", HintToken.parameter] != nil { return nil }
        guard given == nil || given?.objectValue != nil else {
            throw Failure.usage(
                "\(play.inputs?.name ?? "--inputs"): `request.\(HintToken.parameter)` is \(given?.typeName ?? ""), expected an "
                    + "object of claims, a token, or null")
        }
        guard let hint = HintToken(policy, person: user(person), given: given ?? [:]) else {
            guard given != nil else { return nil }
            throw Failure.usage(
                "\(play.inputs?.name ?? "--inputs"): `request.\(HintToken.parameter)` has no effect: the default journey of "
                    + "\(policy.id) has no GetClaims step. Remove it.")
        }
        let tenant = policies.tenant
        return hint.parts { name in
            let keys = inputs[.configure]?["policyKeys"]?.objectValue?.members ?? []
            return keys.first { sameID($0.key, name) }?.value["secret"]?.stringValue
                ?? tenant.secret(ofPolicyKey: name)
        }
    }

    /// What is known of a person, as far as values for claims need it.
    private func user(_ person: (name: String, record: JSONValue)) -> UserRecord {
        let record = person.record
        return UserRecord {
            $0.name = person.name
            $0.email = record["email"]?.stringValue
            $0.username = record["username"]?.stringValue
            $0.phone = record["phone"]?.stringValue
            $0.attributes = record.objectValue ?? JSONObject()
        }
    }

    /// A tenant in place must have everything that the script names.
    private func tenantOfScript(_ person: (name: String, record: JSONValue), _ inputs: PlayInputs)
        -> ScenarioDraft.TenantSource
    {
        guard policies.isFolder else { return policies.source }
        let tenant = policies.played(settings, inputs: inputs).merging(patch: folderSettings(app: play.app ?? "app"))
        // A person who is described in part has ada's other names and numbers, and takes her place: no two share them.
        guard play.user?.hasPrefix("{") == true else { return .inPlace(tenant) }
        return .inPlace(tenant.merging(patch: ["users": ["ada": nil]]))
    }

    private var isPasswordGrant: Bool {
        settings.type == .ropc || policy[policy.relyingParty.defaultJourney].nonInteractive
    }

    private func folderSettings(app: String) -> JSONValue {
        FolderWorld.settings(app: app, policy: settings.name, for: [policy])
    }

    /// What the person does: presses what the settings name, and then gets through the pages as they come.
    private func acts(_ person: (name: String, record: JSONValue)) -> [UserMove] {
        play.press.map { .press($0) } + [.person(person.name)]
    }

    /// The journey's first step that involves the person, where it lets them choose.
    private var selectionStep: OrchestrationStep? { firstStep.flatMap { $0.type.isSelection ? $0 : nil } }

    /// The step at which the person first has something to do.
    private var firstStep: OrchestrationStep? {
        policy[policy.relyingParty.defaultJourney].steps.first { step in
            step.type.isSelection
                || step.exchanges.contains {
                    let handler = policy[$0.profile].handler
                    return handler.showsPage || handler.isFederation
                }
        }
    }

    /// Whether the journey goes to an identity provider before it shows a page.
    private var beginsAtProvider: Bool {
        firstStep.map { $0.exchanges.contains { policy[$0.profile].handler.isFederation } } ?? false
    }

    /// What the person does at pages that neither a script nor their record describes.
    private var answers: PlayedAnswers {
        let federation = ProviderAddresses.federation(of: policy)
        let (tenant, isFolder) = (policies.tenant, policies.isFolder)
        return PlayedAnswers(
            answers: FormAnswers(policy: policy) { profile in
                if isFolder { return FolderWorld.providerName(profile) }
                let exchanges = federation.first { $0.profile.handle == profile.handle }?.exchanges
                return ProviderAddresses.provider(of: profile, exchanges: exchanges ?? [], in: tenant)?.name
            })
    }
}

extension SignIn.Outcome {
    /// What went wrong and what to do about it, for a person. The script that was played is not a file, so its places and
    /// the command that repeats it are omitted.
    package func account(_ style: Style) -> String {
        let step = report.scenarios.first?.failedStep
        let problems = step?.problems ?? []
        // A person who is sent back to the page calls again.
        var calls: [UnmatchedCall] = []
        for call in problems.compactMap(UnmatchedCall.init(text:))
        where !calls.contains(where: { $0.entry == call.entry }) {
            calls.append(call)
        }
        func saved(_ call: UnmatchedCall) -> String {
            var inputs = PlayInputs()
            inputs[.configure] = ["rest": .object(call.entry)]
            return JSONWriter.pretty(.object(inputs.json))
        }
        var lines: [String] = []
        // A call that nothing answers is reported below, with the remedy.
        if calls.isEmpty, let failure { lines.append("\(style.heading("no token:")) \(failure)") }
        for call in calls {
            lines.append("\(style.heading("no token:")) \(call.complaint)")
            lines.append("To see the rest with made-up answers first, add --make-up-services.")
            lines.append(
                "To answer it, save this, change \"json\" to what the service would say, and name it by --inputs:")
            lines.append(saved(call))
        }
        if calls.isEmpty,
            let call = (steps.first?["requests"]?.arrayValue ?? []).compactMap(UnmatchedCall.init(refused:)).last
        {
            lines.append(
                "The simulated directory gave that answer to a call of the policy. A stub comes before it: save this, "
                    + "with what the service would say as \"json\", and name it by --inputs:")
            lines.append(saved(call))
        }
        for problem in problems where UnmatchedCall(text: problem) == nil && problem != failure {
            lines.append("  " + problem)
        }
        var told: [String] = []
        for exchange in step?.tellingExchanges ?? [] {
            guard calls.isEmpty, let why = exchange["refusal"]?.stringValue, !told.contains(why) else { continue }
            told.append(why)
            lines.append("  why: \(why)")
        }
        if lines.contains(where: { $0.contains("not simulated: ") }) {
            lines.append("  What is not simulated, and how many policies need it: docs/custom-policies.md, section 5.")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension ResolvedPolicy {
    /// Whether the default journey can create an account: it writes one by another key than the object id.
    fileprivate var makesAccounts: Bool {
        let exchanged = self[relyingParty.defaultJourney].steps.flatMap { $0.exchanges.map(\.profile) }
        let called = exchanged.flatMap { self[$0].validationProfiles.map(\.profile) }
        return (exchanged + called).contains { self[$0].makesAccounts }
    }
}

extension ResolvedPolicy {
    /// Whether the default journey makes an account and has no way in for somebody who has one.
    fileprivate var opensAccountsOnly: Bool {
        let steps = self[relyingParty.defaultJourney].steps
        guard !steps.contains(where: { $0.type.isSelection }) else { return false }
        let exchanged = steps.flatMap { $0.exchanges.map { self[$0.profile] } }
        let called = exchanged.flatMap { $0.validationProfiles.map { self[$0.profile] } }
        // A page that checks a password, or a provider, lets people in.
        if called.contains(where: { $0.handler == .openIdConnectProvider }) { return false }
        if exchanged.contains(where: { $0.handler.isFederation }) { return false }
        return (exchanged + called).contains { profile in
            profile.makesAccounts
                && profile.metadata["RaiseErrorIfClaimsPrincipalDoesNotExist"]?.lowercased() != "true"
        }
    }
}

extension OrchestrationStep {
    /// Whether one of the choices is an account of the tenant itself.
    fileprivate func offersLocalAccounts(_ policy: ResolvedPolicy) -> Bool {
        localSelection != nil || selections.contains { policy[$0.profile].handler.showsPage }
    }
}

extension JSONValue {
    /// One patch that does what this patch and then another do (RFC 7396): unlike in a document, `null` stays in it.
    fileprivate func followed(by patch: JSONValue) -> JSONValue {
        guard case .object(var all) = self, case .object(let changes) = patch else { return patch }
        for (key, change) in changes.members { all[key] = all[key].map { $0.followed(by: change) } ?? change }
        return .object(all)
    }
}
