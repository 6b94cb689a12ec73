import Diagnostics
import JOSE
import JSON
import Scenarios
import TenantFiles
import Verbs

/// One sign-in, played in a world of its own: a person, a policy and a tenant, without a script of text. ``play(options:)``
/// returns how it ended.
public struct SignIn: Sendable {
    /// The tenant, the app and the settings of the world. Its steps come before the sign-in.
    public var stage: ScenarioDraft
    /// What asks for the token: the app's call, with what the person does, or a password grant.
    public var step: Step
    /// What comes after the sign-in.
    public var after: [Step]
    /// The file in findings; paths of the tenant start from its folder. Random values depend on its name.
    public var file: String

    public init(_ step: Step, on stage: ScenarioDraft, after: [Step] = [], file: String = "sign-in.json") {
        self.stage = stage
        self.step = step
        self.after = after
        self.file = file
    }

    /// A sign-in in the way that the policy has: a resource owner flow takes the password from the app; otherwise the person
    /// goes through the pages, and signs up where there is no account yet.
    ///
    /// - Parameters:
    ///   - policy: `nil` for a plain directory tenant.
    ///   - scopes: Empty: those of the app, see `scopes` of `acquireToken`.
    public init(
        person: UserRecord, policy: PolicySettings?, scopes: [String] = [], on stage: ScenarioDraft,
        file: String = "sign-in.json"
    ) {
        let step: Step
        if let policy, policy.type == .ropc {
            step = .passwordGrant(policy: policy.name, person: person, scopes: scopes)
        } else {
            let signsUp = !person.registered && policy?.type == .signUpOrSignIn
            step = .acquireToken(
                policy: policy?.name, scopes: scopes, user: (signsUp ? [.press("signUp")] : []) + [.person(person.name)]
            )
        }
        self.init(step, on: stage, file: file)
    }

    /// The step's id, by which later steps name its outcome.
    public static let id = "signIn"

    /// A `{{...}}` that becomes a token of the sign-in in a later step.
    public func reference(to kind: TokenKind) -> String {
        step.verb == .http
            ? "{{\(Self.id)/result/json/\(kind.wireName)}}" : "{{\(Self.id)/result/\(kind.rawValue)}}"
    }

    /// What is played, as a scenario.
    public var draft: ScenarioDraft {
        var draft = stage
        var step = step
        if !after.isEmpty { step.id = Self.id }
        draft.steps += [step] + after
        return draft
    }

    /// Plays the sign-in.
    ///
    /// - Parameter options: The seed, the files that the tenant names, and what people do at pages of which no script speaks.
    ///   The outcomes of all steps are kept.
    /// - Throws: ``InvalidInput`` with everything that is wrong with the tenant or the settings.
    public func play(options: RunOptions) async throws(InvalidInput) -> Outcome {
        let tenants = TenantLibrary(files: options.readFile, policies: options.policies)
        let scenario = try draft.scenario(file: file, tenants: tenants)
        var options = options
        options.keepOutcomes = true
        let report = await Runner.run(scenario, options: options)
        return Outcome(report: report, tenant: scenario.tenant.tenant, preparations: stage.steps.count)
    }

    /// Which token of an answer.
    public enum TokenKind: String, Sendable {
        case idToken, accessToken

        /// The member of a token endpoint's answer (RFC 6749 section 5.1, OpenID Connect Core 1.0 section 3.1.3.3).
        var wireName: String { self == .idToken ? "id_token" : "access_token" }
    }
}

extension SignIn {
    /// How a sign-in ended.
    public struct Outcome: Sendable {
        /// The whole run, with the steps before and after the sign-in.
        public let report: RunReport
        /// The tenant in which it was played, before patches.
        public let tenant: Tenant
        /// The outcomes of the sign-in and of the steps after it, as far as they were played.
        public let steps: [JSONValue]
        private let preparations: Int
        /// The same with tokens as they are.
        private let whole: [JSONValue]

        init(report: RunReport, tenant: Tenant, preparations: Int) {
            self.report = report
            self.tenant = tenant
            self.preparations = preparations
            steps = Self.steps(report, preparations)
            whole = steps
        }

        private init(_ outcome: Outcome, shown report: RunReport) {
            self.report = report
            tenant = outcome.tenant
            preparations = outcome.preparations
            steps = Self.steps(report, preparations)
            whole = outcome.whole
        }

        private static func steps(_ report: RunReport, _ preparations: Int) -> [JSONValue] {
            (report.scenarios.first?.steps ?? []).dropFirst(preparations).compactMap(\.outcome)
        }

        /// The same outcome as it is shown, with secrets masked. Tokens and their claims stay.
        public func shown(as report: RunReport) -> Outcome { Outcome(self, shown: report) }

        /// The pages that the person saw, in their order.
        public var pages: [JSONValue] { steps.first?["pages"]?.arrayValue ?? [] }

        /// What the policy did, in its order.
        public var trace: [JSONValue] { steps.first?["trace"]?.arrayValue ?? [] }

        /// The requests of the sign-in, in their order.
        public var requests: [JSONValue] { steps.first?["requests"]?.arrayValue ?? [] }

        /// What the library or the token endpoint returned; `nil` where there is no result.
        public var result: JSONValue? { steps.first.map { $0["result", "json"] ?? $0["result"] ?? .null } }

        /// A token of the sign-in, as it was issued.
        public func token(_ kind: TokenKind) -> String? {
            guard let result = whole.first?["result"] else { return nil }
            let text = result[kind.rawValue, "raw"] ?? result[kind.rawValue] ?? result["json", kind.wireName]
            return text?.stringValue
        }

        /// The claims of a token.
        ///
        /// - Parameter step: 0 for the sign-in, then the steps after it.
        public func claims(_ kind: TokenKind, step: Int = 0) -> JSONObject? {
            guard whole.indices.contains(step) else { return nil }
            if let claims = whole[step]["result", kind.rawValue, "claims"]?.objectValue { return claims }
            // A token endpoint's answer holds them as texts.
            return whole[step]["result", "json", kind.wireName]?.stringValue.flatMap { JWS(compact: $0)?.claims }
        }

        /// The words of the error in which the sign-in ended: what the service says, else the kind of error.
        public var errorText: String? {
            guard let outcome = steps.first, let error = outcome["error"], !error.isNull else { return nil }
            let said = error["description"]?.stringValue
            // A library may hand the words over undecoded, with `+` for blanks. The callback has them decoded, so a `+`
            // that the service wrote stays.
            if let said, !said.contains(" "), said.contains("+") {
                for part in ["query", "fragment", "form"] {
                    if let text = outcome["callback", part, "error_description"]?.stringValue { return text }
                }
                return said.replacing("+", with: " ")
            }
            return said ?? error["kind"]?.stringValue ?? "the sign-in failed"
        }

        /// Why no token came, in a sentence; `nil`: one came.
        public var failure: String? {
            guard let first = steps.first else { return "the sign-in did not start" }
            if let text = errorText {
                // Of its lines the first says what is wrong.
                let line = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? text
                guard let code = first["error", "b2cCode"]?.stringValue, !line.contains(code) else { return line }
                return "\(code): \(line)"
            }
            if let pending = first["pending"] { return Self.reason(of: pending) }
            if let status = first["result", "status"]?.intValue, status >= 400 {
                let parts = ["b2cCode", "b2cMessage"].compactMap { first["result", $0]?.stringValue }
                return parts.isEmpty ? "status \(status)" : parts.joined(separator: ": ")
            }
            if claims(.idToken) == nil, claims(.accessToken) == nil { return problem ?? "no token was issued" }
            return nil
        }

        /// The first thing that kept a step from being carried out.
        public var problem: String? { report.scenarios.first?.failedStep?.problems.first }

        private static func reason(of pending: JSONValue) -> String {
            let page = pending["page"]
            let name = page?["name"]?.stringValue ?? pending["reason"]?.stringValue ?? ""
            if let error = page?["error"]?.stringValue {
                return "the sign-in stops at the page \(name), saying \"\(error)\""
            }
            guard let page, isLast(page) else { return "the sign-in stops at the page \(name)" }
            let texts = (page["fields"]?.objectValue?.members ?? []).compactMap { $0.value["value"]?.stringValue }
                .filter { !$0.isEmpty }.map { " It shows \"\($0)\"." }
            return "the sign-in ends at the page \(name): it has no button to continue.\(texts.first ?? "")"
        }

        /// Whether a page is the last by its design: nothing on it goes on.
        private static func isLast(_ page: JSONValue) -> Bool {
            guard let buttons = page["buttons"]?.arrayValue else { return false }
            return buttons.allSatisfy { $0.stringValue == "cancel" }
        }
    }
}
