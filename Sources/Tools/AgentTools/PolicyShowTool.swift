import Diagnostics
import JSON
import ModelContext
import PolicyTools
import TenantFiles
import TrustFramework

/// `policy_show`: the policies of a folder, or the steps of a journey.
struct PolicyShowTool {
    static func tool(_ context: AgentContext) -> ContextTool {
        ContextTool(
            name: "policy_show", title: "Show policies",
            description: """
                Lists the policies of a folder with their parents and journeys. With a policy: the steps of its journey in
                order, when each is skipped, and the technical profiles with their claims, all with file and line.
                The report is the policy merged with its parents, as XML.
                """,
            input: AgentSchema.arguments(
                [
                    "folder": AgentSchema.folder, "policy": AgentSchema.text("The policy's id. Default: list all."),
                    "journey": AgentSchema.text("A journey of it. Default: that of the relying party."),
                    "environment": AgentSchema.environment,
                ], required: ["folder"]),
            output: AgentSchema.answer([
                "policies": AgentSchema.list("Without a policy: id, parents and journeys of each."),
                "policy": AgentSchema.text("Its id."), "journey": AgentSchema.text("The journey that is shown."),
                "journeys": AgentSchema.list("Ids of all its journeys.", of: ["type": "string"]),
                "steps": AgentSchema.list("When each is skipped, and its exchanges with claims."),
            ]),
            annotations: .reading,
            call: { arguments, _ in
                await AgentAnswer.of(context.reports) {
                    let found = try context.policies(arguments)
                    let journey = arguments["journey"]?.stringValue
                    return found.wanted == nil && journey == nil ? list(found) : try steps(found, journey)
                }
            })
    }

    // MARK: The list

    private static func list(_ found: PlacedPolicies) -> AgentAnswer {
        var broken: [Diagnostic] = []
        let policies = found.tenant.policies.map { settings -> JSONValue in
            var problem = settings.unsupported
            var (policy, parents): (ResolvedPolicy?, [String]) = (nil, [])
            if settings.type == .custom, problem == nil {
                do throws(InvalidInput) {
                    parents = try found.shelf.parents(of: settings, tenant: found.tenant, folder: found.folder)
                    policy = try found.shelf.policy(settings, tenant: found.tenant, folder: found.folder)
                } catch {
                    problem = "does not link"
                    broken += error.diagnostics.filter { $0.severity == .error && !broken.contains($0) }
                }
            }
            return AgentFact.object(
                [
                    "id": .string(settings.id), "name": settings.name == settings.id ? .none : .text(settings.name),
                    "type": .string(settings.type.rawValue), "parents": .texts(parents),
                    "journeys": .texts(policy?.callable ?? []), "problem": .text(problem),
                ], at: policy?.relyingParty.location)
        }
        let parents = found.files.filter { !$0.isCallable }.map { file in
            AgentFact.object(
                [
                    "id": .string(file.id), "problem": "no relying party: others inherit from it",
                    "file": .text(file.path),
                ])
        }
        var facts: JSONObject = ["policies": .array(policies + parents)]
        if !broken.isEmpty { facts["findings"] = AgentFact.findings(broken) }
        return AgentAnswer(
            "\(found.shown) has \(policies.count) \(policies.count == 1 ? "policy" : "policies") that apps can call"
                + (broken.isEmpty ? "." : "; see the findings of those that do not link."), facts, quotesOthers: true)
    }

    // MARK: One policy

    private static func steps(_ found: PlacedPolicies, _ name: String?) throws -> AgentAnswer {
        let policy = try found.linked(try found.settings())
        let ids = policy.journeys.map(\.id)
        let usual = policy[policy.relyingParty.defaultJourney]
        guard let journey = name.map({ name in policy.journeys.first { sameID($0.id, name) } }) ?? usual else {
            throw AgentRefusal("\(policy.id) has no journey \(name ?? ""). It has \(namesList(ids))")
        }
        return AgentAnswer(
            "\(policy.id), journey \(journey.id): \(journey.steps.count) steps.",
            [
                "policy": .string(policy.id), "journey": .string(journey.id), "journeys": .texts(ids),
                "steps": .array(journey.steps.map { step($0, of: policy) }),
            ],
            whole: AgentReports.Report(
                title: "\(policy.id), merged with its parents", mimeType: "application/xml",
                text: PolicyWriter.show(policy)), quotesOthers: true)
    }

    private static func step(_ step: OrchestrationStep, of policy: ResolvedPolicy) -> JSONValue {
        let local = step.localSelection.map { [($0.id, $0.profile)] } ?? []
        return AgentFact.object(
            [
                "order": .number(step.order), "type": .string(step.type.rawValue),
                "skippedIf": .texts(step.preconditions.map { $0.words(in: policy) }),
                "choices": .texts(step.selections.map { "\($0.id): \(policy[$0.profile].id)" }),
                "exchanges": .array(
                    (local + step.exchanges.map { ($0.id, $0.profile) }).map { profile(policy[$1], of: policy, $0) }),
                "subJourneys": .texts(step.subJourneys.map { policy[$0].id }),
                "issuer": step.issuer.map { .string(policy[$0].id) },
            ], at: step.location)
    }

    private static func profile(_ profile: TechnicalProfile, of policy: ResolvedPolicy, _ exchange: String? = nil)
        -> JSONValue
    {
        func claims(_ claims: [ProfileClaim]) -> JSONValue { .texts(claims.map { policy[$0.claim].id }) }
        let shown = profile.displayClaims.compactMap { line -> String? in
            if case .claim(let claim) = line.target { policy[claim].id } else { nil }
        }
        let changes = profile.inputTransformations + profile.outputTransformations
        return AgentFact.object(
            [
                "exchange": .text(exchange), "profile": .string(profile.id), "handler": .string(profile.handler.name),
                "claimsIn": claims(profile.inputClaims), "claimsShown": .texts(shown),
                "claimsWritten": claims(profile.persistedClaims), "claimsOut": claims(profile.outputClaims),
                "transformations": .texts(changes.map { policy[$0].id }),
                "validation": .array(
                    profile.validationProfiles.map { Self.profile(policy[$0.profile], of: policy) }),
            ], at: profile.location)
    }
}

extension ResolvedPolicy {
    /// Ids of the journeys that an app gets, with the endpoints of those behind one.
    fileprivate var callable: [String] {
        [self[relyingParty.defaultJourney].id] + relyingParty.endpoints.map { "\(self[$0.journey].id) (\($0.id))" }
    }
}
