import Diagnostics
import JSON
import Verbs

/// Makes a scenario script and a tenant file of captured exchanges, so that what was seen can be played again against
/// the mock.
///
/// ```swift
/// let files = try CaptureImport.files(from: exchanges, CaptureImport.Options(source: "a proxy on port 8080"))
/// JSONWriter.pretty(.object(files.tenant))     // to FOLDER/tenants/NAME.json
/// JSONWriter.pretty(.object(files.scenario))   // to FOLDER/NAME.json
/// files.notes                                  // what could not be carried over, a sentence each
/// ```
///
/// Exchanges may come in any order and from any host; what has nothing to do with B2C is omitted and reported in
/// `notes`. Nothing secret and no personal data is in the result: see ``People``.
public enum CaptureImport {
    /// What is not in the exchanges.
    public struct Options: Sendable {
        /// The name of the two files; default: derived from the policies.
        public var name: String?
        /// Where the exchanges come from, for the description of the script: `sign-in.har`.
        public var source: String
        /// What was noticed before, such as by the reader of a file; it is put before the notes of the import.
        public var notes: [String]
        /// What became of steps that did not pass when the script was tried, by ``Files/origins``.
        public var attempts: [Int: Attempt]
        /// Places of sign-ins, as in ``SignIn/place``, whose causes the tenant file will have, such as the answers of a
        /// service: no rule makes the mock refuse there, and no sign-in is put before one that begins with a profile page.
        public var explained: Set<String> = []
        /// Ids of policies, in lower case, whose files take the place of the user flows that are written.
        public var given: Set<String> = []
        /// Values that stay as they are, in lower case: the policies compare with them.
        public var constants: Set<String> = []

        public init(name: String? = nil, source: String, notes: [String] = [], attempts: [Int: Attempt] = [:]) {
            self.name = name
            self.source = source
            self.notes = notes
            self.attempts = attempts
        }
    }

    /// What became of one step when it was tried.
    public struct Attempt: Sendable, Hashable {
        /// How much of the capture it is written with: less with each reason.
        public var fidelity: Fidelity { Fidelity(rawValue: reasons.count) ?? .omitted }
        /// Why it did not pass with more, the first try first.
        public private(set) var reasons: [String] = []
        /// What the mock does not do as the capture shows: it is taken out of the step, in this order, and is reported.
        public var unmet: [Unmet] = []

        /// - Parameters:
        ///   - reasons: Why it did not pass, once for each try.
        ///   - unmet: What does not hold in what is left.
        public init(because reasons: [String] = [], unmet: [Unmet] = []) {
            self.reasons = Array(reasons.prefix(Fidelity.omitted.rawValue))
            self.unmet = unmet
        }

        /// Writes the step with less, whole again apart from that.
        ///
        /// - Parameter reason: Why it did not pass.
        /// - Returns: Whether there is less.
        public mutating func reduce(because reason: String) -> Bool {
            guard fidelity < .omitted else { return false }
            reasons.append(reason)
            unmet = []
            return true
        }
    }

    /// Something of a step that does not hold against the mock.
    public struct Unmet: Sendable, Hashable {
        /// Its place in the step.
        public var pointer: JSONPointer
        /// What happened instead, in words.
        public var why: String

        public init(pointer: JSONPointer, why: String) {
            self.pointer = pointer
            self.why = why
        }
    }

    /// The two files, as values.
    public struct Files: Sendable {
        /// The name of both, without folder and ending: letters, digits and `-`.
        public var name: String
        /// The tenant file.
        public var tenant: JSONObject
        /// The script. It expects its tenant at ``tenantPath``.
        public var draft: ScenarioDraft
        /// What could not be carried over, in sentences. They are in the script's description as well.
        public var notes: [String]
        /// What was made of the capture: one line a step.
        public var steps: [String]
        /// For each step the number of what it was made of: a sign-in, a request for tokens, a sign-out, a call. Several
        /// steps may be made of one thing, the last of them is the thing itself.
        public var origins: [Int]
        /// The name of the person in the tenant file by the number of what they did, as in ``origins``.
        public var people: [Int: String] = [:]
        /// What replaces values of people in the files.
        public var standIns: StandIns
        /// What is written with less than was captured, a line each: the fidelity, the place in the capture, and what it means.
        public var reductions: [String]

        /// The script as a file holds it.
        public var scenario: JSONObject { draft.json }

        /// Path of the tenant file, seen from the script's folder.
        public var tenantPath: String { "tenants/\(name).json" }
    }

    /// Makes the files.
    ///
    /// - Throws: ``InvalidInput`` in one sentence where nothing of the capture went to B2C, naming the hosts that were
    ///   seen, or where what went there holds no step of a sign-in.
    public static func files(from exchanges: [CapturedExchange], _ options: Options) throws(InvalidInput) -> Files {
        try Reading(exchanges, source: options.source).files(options)
    }

    /// What happened in a capture. Reading its pages takes longer than writing the files, which may be written more than once.
    public struct Reading: Sendable {
        private let tenant: CapturedTenant

        /// Reads a capture.
        ///
        /// - Parameter source: What it was read from, for messages.
        /// - Throws: ``InvalidInput`` in one sentence where nothing of the capture went to B2C, naming the hosts that
        ///   were seen, or where what went there is not part of a sign-in.
        public init(_ exchanges: [CapturedExchange], source: String) throws(InvalidInput) {
            var traffic = Traffic(exchanges)
            guard !traffic.isEmpty else { throw InvalidInput(traffic.complaint(source)) }
            let story = CapturedFlow(&traffic)
            guard !story.items.isEmpty else {
                throw CaptureImport.noStep(
                    "\(source) has requests to \(traffic.authorityHosts.joined(separator: ", ")), but no authorization "
                        + "request, token request, sign-out or call of an API among them")
            }
            tenant = CapturedTenant(story, traffic)
        }

        /// The sign-ins of the capture, in their order.
        public var signIns: [CapturedSignIn] { tenant.story.signIns }

        /// Writes the files.
        ///
        /// - Throws: ``InvalidInput`` in one sentence where nothing of the capture can be written as a step.
        public func files(_ options: Options) throws(InvalidInput) -> Files {
            // What is known from elsewhere changes what is learnt: stand-ins are given while people are learnt.
            let given = CapturedTenant.Given(policies: options.given, constants: options.constants)
            let tenant =
                given == tenant.given ? tenant : CapturedTenant(tenant.story, tenant.traffic, given: given)
            let files = ScriptContext(tenant, options).files()
            guard !files.steps.isEmpty else {
                throw CaptureImport.noStep(
                    "nothing that \(options.source) has can be written as a step: " + files.notes.joined(separator: " ")
                )
            }
            return files
        }
    }

    static func fileName(_ text: String) -> String {
        var name = ""
        for character in text.lowercased() {
            let fits = character.isASCII && (character.isLetter || character.isNumber)
            if fits { name.append(character) } else if !name.isEmpty, name.last != "-" { name.append("-") }
        }
        while name.last == "-" { name.removeLast() }
        return name.isEmpty ? "imported" : name
    }

    private static func noStep(_ what: String) -> InvalidInput {
        InvalidInput(
            Diagnostic(
                rule: "B2C-IMPORT-006", what,
                remedy: "Begin the capture before the person presses sign in, and keep the log when the page changes."))
    }
}
