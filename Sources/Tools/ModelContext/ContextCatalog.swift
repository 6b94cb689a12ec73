import JSON

/// All that a server offers.
package struct ContextCatalog: Sendable {
    /// In the order of the list.
    package var tools: [ContextTool]
    package var prompts: [ContextPrompt]
    package var templates: [ContextTemplate]
    /// Asked at each request: resources come and go.
    package var resources: @Sendable () -> [ContextResource]
    /// The contents behind a URI; `nil`: there is no such resource.
    package var read: @Sendable (String) -> ContextContents?
    /// Values that complete what was typed; the reference is the name of a prompt or the URI of a template.
    package var complete: @Sendable (_ reference: String, _ argument: String, _ typed: String) -> [String]

    package init(
        tools: [ContextTool], prompts: [ContextPrompt], templates: [ContextTemplate],
        resources: @escaping @Sendable () -> [ContextResource], read: @escaping @Sendable (String) -> ContextContents?,
        complete: @escaping @Sendable (_ reference: String, _ argument: String, _ typed: String) -> [String]
    ) {
        (self.tools, self.prompts, self.templates, self.resources) = (tools, prompts, templates, resources)
        (self.read, self.complete) = (read, complete)
    }
}

/// Something that a model can call.
package struct ContextTool: Sendable {
    /// What a client may know before it asks a person for permission.
    package struct Annotations: Sendable {
        /// It changes nothing.
        package var isReadOnly: Bool
        /// It may remove or replace something.
        package var isDestructive: Bool
        /// A second call with the same arguments changes nothing more.
        package var isIdempotent: Bool
        /// It reaches services beyond this machine.
        package var isOpenWorld: Bool

        package init(isReadOnly: Bool, isDestructive: Bool, isIdempotent: Bool, isOpenWorld: Bool) {
            (self.isReadOnly, self.isDestructive, self.isIdempotent) = (isReadOnly, isDestructive, isIdempotent)
            self.isOpenWorld = isOpenWorld
        }
    }

    package var name: String
    package var title: String
    package var description: String
    /// JSON Schema of the arguments, an object; with the keywords that ``ContextSchema`` checks.
    package var input: JSONValue
    /// JSON Schema of ``ContextAnswer/structured``.
    package var output: JSONValue
    package var annotations: Annotations
    /// Gets arguments that fit ``input``.
    package var call: @Sendable (JSONObject, ContextCall) async -> ContextAnswer

    package init(
        name: String, title: String, description: String, input: JSONValue, output: JSONValue,
        annotations: Annotations, call: @escaping @Sendable (JSONObject, ContextCall) async -> ContextAnswer
    ) {
        (self.name, self.title, self.description, self.input, self.output) = (name, title, description, input, output)
        (self.annotations, self.call) = (annotations, call)
    }
}

/// One call that is running.
package struct ContextCall: Sendable {
    private let progress: @Sendable (_ done: Int, _ total: Int?, _ message: String) -> Void
    private let cancelled: @Sendable () -> Bool

    /// - Parameters:
    ///   - progress: Takes what ``report(_:of:_:)`` gets.
    ///   - isCancelled: Whether nobody waits for the answer.
    package init(
        progress: @escaping @Sendable (_ done: Int, _ total: Int?, _ message: String) -> Void = { _, _, _ in },
        isCancelled: @escaping @Sendable () -> Bool = { Task.isCancelled }
    ) {
        self.progress = progress
        cancelled = isCancelled
    }

    /// Shows progress to a client that asked for it. A number that is not greater than the last one is not sent.
    package func report(_ done: Int, of total: Int? = nil, _ message: String) { progress(done, total, message) }

    /// Whether the client has cancelled the call; in the call's own task `Task.isCancelled` is true then, too.
    package var isCancelled: Bool { cancelled() }
}

/// What a tool returns.
package struct ContextAnswer: Sendable {
    package var structured: JSONObject
    /// Whether the call failed. A check that finds something has not failed.
    package var isError: Bool
    /// Resources with more.
    package var links: [ContextLink]

    package init(_ structured: JSONObject, isError: Bool = false, links: [ContextLink] = []) {
        (self.structured, self.isError, self.links) = (structured, isError, links)
    }
}

/// A reference to a resource in an answer.
package struct ContextLink: Sendable {
    package var uri: String
    package var name: String
    package var description: String?
    package var mimeType: String?

    package init(uri: String, name: String, description: String? = nil, mimeType: String? = nil) {
        (self.uri, self.name, self.description, self.mimeType) = (uri, name, description, mimeType)
    }
}

/// A resource as the list shows it.
package struct ContextResource: Sendable {
    package var uri: String
    package var name: String
    package var title: String
    package var description: String?
    package var mimeType: String?
    /// Bytes.
    package var size: Int?

    package init(
        uri: String, name: String, title: String, description: String? = nil, mimeType: String? = nil, size: Int? = nil
    ) {
        (self.uri, self.name, self.title, self.description, self.mimeType) = (uri, name, title, description, mimeType)
        self.size = size
    }
}

/// Resources whose URIs have a part that varies, such as `b2c://rules/{id}`.
package struct ContextTemplate: Sendable {
    package var uriTemplate: String
    package var name: String
    package var title: String
    package var description: String?
    package var mimeType: String?

    package init(uriTemplate: String, name: String, title: String, description: String? = nil, mimeType: String? = nil)
    {
        (self.uriTemplate, self.name, self.title, self.description) = (uriTemplate, name, title, description)
        self.mimeType = mimeType
    }
}

/// The text of a resource.
package struct ContextContents: Sendable {
    package var uri: String
    package var mimeType: String
    package var text: String

    package init(uri: String, mimeType: String, text: String) {
        (self.uri, self.mimeType, self.text) = (uri, mimeType, text)
    }
}

/// A prompt that a person can choose: one message of the user.
package struct ContextPrompt: Sendable {
    package struct Argument: Sendable {
        package var name: String
        package var description: String
        package var isRequired: Bool

        package init(name: String, description: String, isRequired: Bool) {
            (self.name, self.description, self.isRequired) = (name, description, isRequired)
        }
    }

    package var name: String
    package var title: String
    package var description: String
    package var arguments: [Argument]
    /// The message, with the values of the arguments that were given.
    package var text: @Sendable ([String: String]) -> String

    package init(
        name: String, title: String, description: String, arguments: [Argument],
        text: @escaping @Sendable ([String: String]) -> String
    ) {
        (self.name, self.title, self.description, self.arguments) = (name, title, description, arguments)
        self.text = text
    }
}
