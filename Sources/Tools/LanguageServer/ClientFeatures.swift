import JSON

/// What a client can do, from the parameters of `initialize`.
struct ClientFeatures: Sendable {
    var snippets = false
    /// It shows a file when the server asks it to.
    var showsDocuments = false
    /// It shows the reports of commands itself.
    var showsReports = false
    /// It watches files that the server names.
    var watchesFiles = false
    /// It reports files that change, because it is asked to or by itself.
    var reportsFiles = false
    /// Symbols of a document as a tree.
    var symbolTrees = false
    /// Edits with the version of the document.
    var versionedEdits = false
    /// Fixes with edits instead of commands.
    var codeActions = false
    /// It asks what a name is before it renames it.
    var preparesRenames = false
    /// It indents the lines of a completion as the line is that they begin in.
    var indentsCompletions = false
    /// Markdown in hovers, and in the documentation of completions.
    var markdownHovers = true
    var markdownCompletions = true
    /// Values for `{Settings:NAME}`: a settings file, and an environment of it.
    var settings: String?
    var environment: String?

    init() {}

    init(_ params: JSONObject) {
        let capabilities = params["capabilities"] ?? [:]
        func has(_ pointer: JSONPointer) -> Bool { capabilities.value(at: pointer)?.boolValue ?? false }
        snippets = has("/textDocument/completion/completionItem/snippetSupport")
        showsDocuments = has("/window/showDocument/support")
        watchesFiles = has("/workspace/didChangeWatchedFiles/dynamicRegistration")
        symbolTrees = has("/textDocument/documentSymbol/hierarchicalDocumentSymbolSupport")
        versionedEdits = has("/workspace/workspaceEdit/documentChanges")
        codeActions = capabilities.value(at: "/textDocument/codeAction/codeActionLiteralSupport")?.objectValue != nil
        preparesRenames = has("/textDocument/rename/prepareSupport")
        func lists(_ value: JSONValue, at pointer: JSONPointer) -> Bool? {
            capabilities.value(at: pointer)?.arrayValue?.contains(value)
        }
        indentsCompletions =
            lists(2, at: "/textDocument/completion/completionItem/insertTextModeSupport/valueSet") ?? false
        // Without a list it takes any.
        markdownHovers = lists("markdown", at: "/textDocument/hover/contentFormat") ?? true
        markdownCompletions =
            lists("markdown", at: "/textDocument/completion/completionItem/documentationFormat") ?? true
        let options = params["initializationOptions"]
        showsReports = options?["reports"]?.boolValue ?? false
        reportsFiles = watchesFiles || options?["watchesFiles"]?.boolValue ?? false
        settings = options?["settings"]?.stringValue.flatMap { $0.isEmpty ? nil : $0 }
        environment = options?["environment"]?.stringValue.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The folders of the client as absolute paths; of a client without folders none.
    static func folders(_ params: JSONObject) -> [String] {
        if let folders = params["workspaceFolders"]?.arrayValue {
            return folders.compactMap { $0["uri"]?.stringValue.flatMap { FileAddresses.path(of: $0) } }
        }
        if let uri = params["rootUri"]?.stringValue { return [FileAddresses.path(of: uri)].compactMap { $0 } }
        return [params["rootPath"]?.stringValue].compactMap { $0 }
    }
}
