import JSON
import MockAuthority
import Viewer

/// A sign-in at a policy as one HTML page that opens offline: its steps with claims in and out, the drawing of the
/// journeys, requests and pages, and the XML that each step comes from.
public struct TraceHTML: Sendable {
    /// An element of a policy file.
    public struct ElementSource: Sendable {
        /// `TechnicalProfile`, `ClaimsTransformation`, `ContentDefinition`, `OrchestrationStep`.
        public var kind: String
        /// Its id; of a step, the journey's id and the order: `SignUpOrSignIn 3`.
        public var id: String
        public var file: String
        /// From 1.
        public var line: Int
        /// As the file has it, secrets masked.
        public var text: String

        public init(kind: String, id: String, file: String, line: Int, text: String) {
            self.kind = kind
            self.id = id
            self.file = file
            self.line = line
            self.text = text
        }
    }

    /// What the page is about: title, and facts under it.
    public var title: String
    public var facts: [(name: String, value: String)]
    /// Claims of the token; `nil` when none was issued.
    public var token: JSONObject?
    /// Why there is none.
    public var failure: String?
    /// A drawing of the journeys, SVG; the group of a step has `data-journey` and `data-step`.
    public var drawing: String?
    /// The elements that took part, by their files from the policy's own to its oldest ancestor.
    public var sources: [ElementSource]
    /// Of a session of a log: where the simulator differs from it first, as `b2c policy log --format json` says it, and
    /// `stepsBefore`, how many steps were the same.
    public var difference: JSONValue?

    public init(
        title: String, facts: [(name: String, value: String)] = [], token: JSONObject? = nil, failure: String? = nil,
        drawing: String? = nil, sources: [ElementSource] = []
    ) {
        self.title = title
        self.facts = facts
        self.token = token
        self.failure = failure
        self.drawing = drawing
        self.sources = sources
    }

    /// The page.
    ///
    /// - Parameters:
    ///   - outcome: Of the step that signs in, with its logs, after redaction.
    ///   - version: Of the program that writes it.
    public func text(_ outcome: JSONValue, version: String) -> String {
        var data = JSONObject()
        data["version"] = .string(version)
        data["title"] = .string(title)
        data["facts"] = .array(facts.map { [.string($0.name), .string($0.value)] })
        data["token"] = token.map { .object($0) }
        data["difference"] = difference
        data["failure"] = failure.map { .string($0) }
        data["drawing"] = drawing.map { .string($0) }
        data["sources"] = .array(
            sources.map { source in
                [
                    "kind": .string(source.kind), "id": .string(source.id), "file": .string(source.file),
                    "line": .integer(Int64(source.line)), "text": .string(source.text),
                ]
            })
        data["outcome"] = outcome
        return Viewer.page(.trace, title: title, data: .object(data), hostedPages: HostedPages.script)
    }
}
