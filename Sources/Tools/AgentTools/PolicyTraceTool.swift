import JSON
import ModelContext
import PolicyTools
import Reports
import ScenarioRunner

/// `policy_trace`: one sign-in, step by step.
struct PolicyTraceTool {
    static func tool(_ context: AgentContext) -> ContextTool {
        ContextTool(
            name: "policy_trace", title: "Trace a sign-in",
            description: """
                Signs a person in once, in the simulator, and shows each step: whether it ran and why, pages, claims with
                what put them there, calls of REST services, and the token's claims or why there is none.
                People of a folder: ada has an account, nina has none, sam and kay come from identity providers.
                """,
            input: AgentSchema.arguments(
                [
                    "folder": AgentSchema.folder, "policy": AgentSchema.policy,
                    "person": [
                        "type": ["string", "object"],
                        "description":
                            "A name, or a record such as { \"email\": ... }. Default: a person the policy suits.",
                    ],
                    "inputs": inputs,
                    "rest": AgentSchema.object("Answers of REST services: stubs by name, as in `configure.rest`."),
                    "makeUpServices": [
                        "type": "boolean", "description": "Answer REST services without a stub with made-up values.",
                    ],
                    "environment": AgentSchema.environment,
                ], required: ["folder"]),
            output: AgentSchema.answer([
                "policy": AgentSchema.text("Its id."), "person": AgentSchema.text("Who signed in."),
                "token": AgentSchema.object("Its claims."), "failure": AgentSchema.text("Why there is no token."),
                "next": AgentSchema.text("What to do about it."), "pages": AgentSchema.list("Pages in their order."),
                "calls": AgentSchema.list("Calls of REST services: what was sent and received."),
                "steps": AgentSchema.list("Whether each ran and why, what it did, and its claims with their origin."),
                "madeUp": AgentSchema.list("Answers that were made up.", of: ["type": "string"]),
            ]),
            annotations: .reading,
            call: { arguments, _ in await AgentAnswer.of(context.reports) { try await trace(arguments, context) } })
    }

    private static let inputs: JSONValue = [
        "type": "object", "additionalProperties": false,
        "description": "What the sign-in is played with.",
        "properties": [
            "request": AgentSchema.object("Parameters of acquireToken; id_token_hint: claims."),
            "user": ["description": "Actions of the person on the pages."],
            "configure": AgentSchema.object("A patch over the tenant: users, rest, policyKeys ..."),
            "clock": ["description": "When the sign-in happens."], "faults": ["description": "What fails on the way."],
        ],
    ]

    private static func trace(_ arguments: JSONObject, _ context: AgentContext) async throws -> AgentAnswer {
        let found = try context.policies(arguments)
        var inputs = PlayInputs(json: arguments["inputs"]?.objectValue ?? [:])
        if let rest = arguments["rest"] {
            inputs[.configure] = (inputs[.configure] ?? [:]).merging(patch: ["rest": rest])
        }
        let workspace = context.workspace
        var play = PlaySettings(
            user: arguments["person"].map { $0.stringValue ?? JSONWriter.compact($0) }, inputs: .value(inputs),
            makesUpServices: arguments["makeUpServices"]?.boolValue ?? false)
        play.read = { workspace.read($0) }
        let playing = try PolicyPlay(of: found, play)
        let (outcome, person, madeUp) = try await playing.perform()
        let model = TraceModel(outcome: outcome.steps.first ?? .null)
        let policy = playing.policy.id
        let token = outcome.claims(.idToken) ?? outcome.claims(.accessToken)
        let isGood = outcome.failure == nil && outcome.report.isGood
        let next = isGood ? nil : AgentAnswer.withoutOptions(outcome.account(Style(usesColor: false)))
        let walked = model.journeys.flatMap { journey in journey.steps.map { (journey: journey.name, step: $0) } }
        let items = walked.flatMap(\.step.items) + model.unfinished
        let facts = AgentFact.object([
            "policy": .string(policy), "person": .string(person), "token": token.map { .object($0) },
            "failure": .text(outcome.failure), "next": .text(next),
            "pages": .array(
                outcome.pages.map { page in
                    AgentFact.object([
                        "name": page["name"], "technicalProfile": page["technicalProfile"], "step": page["step"],
                        "error": page["error"],
                    ])
                }),
            "calls": .array(items.compactMap { item in item.call.map { call($0, of: item.name) } }),
            "steps": .array(walked.map { step($0.step, of: $0.journey) } + unfinished(model)),
            "madeUp": .texts(madeUp),
        ])
        let end =
            isGood
            ? "gets a token with \(token?.keys.count ?? 0) claims"
            : "gets no token: \(outcome.failure ?? outcome.problem ?? "a step failed")"
        return AgentAnswer(
            "\(policy): \(person) \(end). \(walked.count { $0.step.ran }) of \(walked.count) steps ran.",
            facts.objectValue ?? [:], quotesOthers: true)
    }

    // MARK: Steps

    private static func step(_ step: TraceModel.TracedStep, of journey: String) -> JSONValue {
        AgentFact.object([
            "journey": .string(journey), "order": .number(step.number), "type": .string(step.type),
            "ran": .bool(step.ran), "because": .text(step.because), "pages": .texts(step.pages.map(\.name)),
            "did": .array(step.items.map(item)),
            "changes": .array(
                step.changes.filter { !$0.isShown }.map { change in
                    .object(JSONObject([("kind", .string("\(change.kind)"))] + members(change.claim)))
                }),
            "issued": claims(step.issued),
        ])
    }

    /// What ran in a step that a journey did not finish.
    private static func unfinished(_ model: TraceModel) -> [JSONValue] {
        guard !model.unfinished.isEmpty || !model.unfinishedPages.isEmpty else { return [] }
        return [
            AgentFact.object([
                "order": .number(model.unfinishedStep), "ran": true, "because": "it was not finished",
                "pages": .texts(model.unfinishedPages.map(\.name)), "did": .array(model.unfinished.map(item)),
            ])
        ]
    }

    private static func item(_ item: TraceModel.Item) -> JSONValue {
        AgentFact.object([
            item.isTransformation ? "transformation" : "profile": .string(item.name), "kind": .text(item.kind),
            "validation": item.isValidation ? true : .none, "skipped": .text(item.skipped),
            "error": .text(item.error), "claimsIn": claims(item.input), "claimsOut": claims(item.output),
        ])
    }

    private static func claims(_ claims: [TraceModel.Claim]) -> JSONValue {
        .array(claims.map { .object(JSONObject(members($0))) })
    }

    /// A claim under its own name, so that one that is named like a secret is masked.
    private static func members(_ claim: TraceModel.Claim) -> [(String, JSONValue)] {
        [(claim.name, claim.value)] + (claim.from.map { [("from", .string($0.words))] } ?? [])
    }

    private static func call(_ call: TraceModel.APICall, of profile: String) -> JSONValue {
        AgentFact.object([
            "profile": .string(profile), "method": .string(call.method), "url": .string(call.url),
            "answer": .string(call.answer), "sent": call.sent, "received": call.received,
        ])
    }
}
