import Diagnostics
import JSON

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
        /// What did not pass when the script was tried, by ``Files/origins``, with why, once for each try. A sign-in is
        /// written again with less each time: first the person goes through the pages by themselves and only the end
        /// of the flow is expected; then the kind of end alone, or the service refuses at once with the code that the
        /// capture shows; then a sign-in without detours, or a page that is left as it is. The fourth time it is left
        /// out, and everything else is the first time.
        public var tried: [Int: [String]]
        /// What the mock does not do as the capture shows, by ``Files/origins``: it is taken out of the step, in this
        /// order, and are reported.
        public var unmet: [Int: [Unmet]]

        public init(
            name: String? = nil, source: String, notes: [String] = [], tried: [Int: [String]] = [:],
            unmet: [Int: [Unmet]] = [:]
        ) {
            self.name = name
            self.source = source
            self.notes = notes
            self.tried = tried
            self.unmet = unmet
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
        public var scenario: JSONObject
        /// What could not be carried over, in sentences. They are in the script's description as well.
        public var notes: [String]
        /// What was made of the capture: one line a step.
        public var steps: [String]
        /// For each step the number of what it was made of: a sign-in, a request for tokens, a sign-out, a call. Several
        /// steps may be made of one thing, the last of them is the thing itself.
        public var origins: [Int]

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
        private let traffic: Traffic
        private let story: Story

        /// Reads a capture.
        ///
        /// - Parameter source: What it was read from, for messages.
        /// - Throws: ``InvalidInput`` in one sentence where nothing of the capture went to B2C, naming the hosts that
        ///   were seen, or where what went there is not part of a sign-in.
        public init(_ exchanges: [CapturedExchange], source: String) throws(InvalidInput) {
            var traffic = Traffic(exchanges)
            guard !traffic.isEmpty else { throw InvalidInput(traffic.complaint(source)) }
            story = Story(&traffic)
            self.traffic = traffic
            guard !story.items.isEmpty else {
                throw CaptureImport.noStep(
                    "\(source) has requests to \(traffic.authorityHosts.joined(separator: ", ")), but no authorization "
                        + "request, token request, sign-out or call of an API among them")
            }
        }

        /// Writes the files.
        ///
        /// - Throws: ``InvalidInput`` in one sentence where nothing of the capture can be written as a step.
        public func files(_ options: Options) throws(InvalidInput) -> Files {
            let files = Writing(traffic: traffic, story: story, options: options).files()
            guard !files.steps.isEmpty else {
                throw CaptureImport.noStep(
                    "nothing that \(options.source) has can be written as a step: " + files.notes.joined(separator: " ")
                )
            }
            return files
        }
    }

    private static func noStep(_ what: String) -> InvalidInput {
        InvalidInput(
            Diagnostic(
                rule: "B2C-IMPORT-006", what,
                remedy: "Begin the capture before the person presses sign in, and keep the log when the page changes."))
    }
}
