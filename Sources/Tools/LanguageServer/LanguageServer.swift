import CommandFiles
import CommandKit
import Determinism
import Diagnostics
import JSON
import JSONRPC
import LanguageService
import Synchronization
import Validation

/// A server of the Language Server Protocol 3.17: bytes in, messages out.
///
/// One thread reads. It takes changes and answers questions about texts at once, on the texts as they are then; what plays
/// sign-ins runs as a task of its own, and so does the search for findings, which begins again with every change.
package final class LanguageServer: Sendable {
    /// How the conversation ended.
    package enum Ending: Sendable {
        /// The client said `shutdown` before.
        case asked
        case unasked
    }

    enum Phase { case waiting, running, shutDown }

    struct State {
        var phase = Phase.waiting
        var client = ClientFeatures()
        var addresses = FileAddresses(folders: [])
        let files = WorkspaceFiles(roots: [])
        /// The number of the look at the disk whose files `workspace` has.
        var look = 0
        /// Values for `{Settings:NAME}`.
        var values: PolicyValueSource
        var findings: WorkspaceFindings
        var workspace = LanguageWorkspace()
        /// Versions of documents that are open, by path.
        var versions: [String: Int64] = [:]
        /// Expectations that the last run did not meet, by path, with the text that ran.
        var failures: [String: (text: SourceText, found: [FailedExpectation])] = [:]
        /// The text of which findings were published last, by path, and the address.
        var published: [String: (file: LanguageFile?, uri: String)] = [:]
        /// The list of scenarios that the client has, as text.
        var scenarios = ""
        /// Counts changes of texts; the search for findings belongs to one.
        var change = 0
        var focus: String?
        var isSearching = false
        /// The conversation has ended, so nobody waits for findings.
        var isEnding = false
        /// Requests that run as tasks, each with a number that a later request with the same id does not have.
        var running: [JSONValue: (number: Int64, task: Task<Void, Never>)] = [:]
        var requests: Int64 = 0
        var waiter: CheckedContinuation<Void, Never>?
    }

    let state: Mutex<State>
    let renaming = Renaming()
    let uses = ScriptUses()
    private let pages: RulePages
    private let clock: any WallClock
    private let root: String?
    private let version: String
    private let enter: @Sendable (_ folder: String) -> String?
    private let watchClient: @Sendable (_ process: Int32) -> Void
    let writeFile: @Sendable (_ name: String, _ text: String) -> String?
    private let sendBytes: @Sendable ([UInt8]) -> Void
    private let frames = Mutex(MessageFrames())

    /// - Parameters:
    ///   - root: The folder, whatever the client opens; `nil`: the client's folders.
    ///   - values: Values for `{Settings:NAME}`, if the client names none.
    ///   - version: Of the program.
    ///   - enter: Makes a folder of the client the one that paths are seen from; returns why it cannot.
    ///   - watchClient: Ends the program when the process of the client has ended, which it may have already.
    ///   - writeFile: Writes a page about a rule, or a report for a client that shows none; returns its path, `nil` if it
    ///     cannot.
    ///   - send: Takes bytes for the client, from any thread.
    package init(
        root: String?, values: PolicyValueSource, version: String, clock: any WallClock,
        enter: @escaping @Sendable (_ folder: String) -> String?,
        watchClient: @escaping @Sendable (_ process: Int32) -> Void,
        writeFile: @escaping @Sendable (_ name: String, _ text: String) -> String?,
        send: @escaping @Sendable ([UInt8]) -> Void
    ) {
        (self.root, self.version, self.clock) = (root, version, clock)
        (self.enter, self.watchClient, self.writeFile, sendBytes) = (enter, watchClient, writeFile, send)
        pages = RulePages(write: writeFile)
        state = Mutex(State(values: values, findings: WorkspaceFindings(values: values, clock: clock)))
    }

    // MARK: Messages

    /// Takes bytes, which may be anything. Called by one thread.
    ///
    /// - Returns: How the conversation ended; `nil`: it goes on.
    package func receive(_ bytes: ArraySlice<UInt8>) -> Ending? {
        var rest = bytes
        while let item = frames.withLock({ $0.next(&rest) }) {
            switch item {
            case .fault(let reason): send(RPCFault.text(reason).answer(to: .null))
            case .message(let body): if let ending = take(body) { return ending }
            }
        }
        return nil
    }

    /// Returns when nothing runs any more. What runs is cancelled.
    package func finish() async {
        let running = state.withLock { state in
            state.isEnding = true
            return state.running.values.map(\.task)
        }
        for task in running { task.cancel() }
        await settle()
    }

    /// Returns when every request is answered and all findings are published.
    package func settle() async {
        await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                if state.running.isEmpty, !state.isSearching { return true }
                state.waiter = continuation
                return false
            }
            if isDone { continuation.resume() }
        }
    }

    private func take(_ body: [UInt8]) -> Ending? {
        var value: JSONValue
        do throws(InvalidInput) {
            // A message with a large text is not refused as a file would be.
            let isLarge = body.count > JSONLimits.bytes
            value = isLarge ? JSONOutline(SourceText(file: "", bytes: body)).json() : try JSONParser.parse(body)
        } catch {
            send(RPCFault.text(error.diagnostics.first?.message ?? "the message is not JSON").answer(to: .null))
            frames.withLock { $0.reread(body) }
            return nil
        }
        // Clients in languages where an empty list and an empty map are one write either.
        if value["params"] == [] { value = value.merging(patch: ["params": [:]]) }
        do throws(RPCFault) {
            switch try RPCMessage(value) {
            case .request(let request): try answer(request)
            case .notification("exit", _):
                return state.withLock { $0.phase } == .shutDown ? .asked : .unasked
            case .notification(let method, let params): notice(method, params)
            case .response: break
            }
        } catch {
            send(error.answer(to: RPCMessage.id(of: value)))
        }
        return nil
    }

    func send(_ message: JSONValue) {
        let body = JSONWriter.compactBytes(message)
        sendBytes(Array("Content-Length: \(body.count)\r\n\r\n".utf8) + body)
    }

    func notify(_ method: String, _ params: JSONValue) {
        send(["jsonrpc": "2.0", "method": .string(method), "params": params])
    }

    /// Asks the client for something whose answer does not matter.
    func ask(_ method: String, _ params: JSONValue) {
        let number = state.withLock { state in
            state.requests += 1
            return state.requests
        }
        send(["jsonrpc": "2.0", "id": .string("b2c-\(number)"), "method": .string(method), "params": params])
    }

    /// Requests whose answers have places in files that are not open.
    private static let reaching = ["textDocument/definition", "textDocument/references", "workspace/symbol"]

    private func answer(_ request: RPCRequest) throws(RPCFault) {
        let phase = state.withLock { $0.phase }
        switch (request.method, phase) {
        case ("initialize", .waiting):
            send(request.answer(try initialize(request.params)))
            if let id = request.params["processId"]?.intValue.flatMap({ Int32(exactly: $0) }), id > 0 {
                watchClient(id)
            }
            return
        case ("initialize", _): throw .request("`initialize` was sent before")
        case (_, .waiting): throw RPCFault(code: -32002, message: "send `initialize` first")
        case (_, .shutDown): throw .request("the server has shut down: send `exit`")
        case ("shutdown", .running):
            state.withLock { $0.phase = .shutDown }
            return send(request.answer(.null))
        default: break
        }
        guard state.withLock({ $0.running[request.id] }) == nil else {
            throw .request("a request with the id \(request.id) is running. Give each request an id of its own.")
        }
        // A rename with the places of an older text destroys a file, and a client may report changes late.
        let looks =
            request.method == "textDocument/rename"
            || Self.reaching.contains(request.method) && !state.withLock { $0.client.reportsFiles }
        if looks { refresh() }
        if takeFiles(), looks { search() }
        if let long = try longRequest(request) { return start(request, long) }
        send(request.answer(try result(of: request)))
    }

    // MARK: Tasks

    private func start(_ request: RPCRequest, _ body: @escaping @Sendable () async throws -> JSONValue) {
        state.withLock { state in
            state.requests += 1
            let number = state.requests
            let task = Task {
                let answer: JSONValue
                do {
                    answer = request.answer(try await body())
                } catch let fault as RPCFault {
                    answer = fault.answer(to: request.id)
                } catch let refusal as LanguageRefusal {
                    answer = RPCFault(code: -32803, message: refusal.text).answer(to: request.id)
                } catch {
                    answer = RPCFault(code: -32803, message: "\(error)").answer(to: request.id)
                }
                self.end(request.id, number: number, answer)
            }
            state.running[request.id] = (number, task)
        }
    }

    /// A request is not running any more. Its answer is sent unless it was cancelled before.
    private func end(_ id: JSONValue, number: Int64, _ answer: JSONValue) {
        let wasRunning = state.withLock { state in
            guard state.running[id]?.number == number else { return false }
            state.running[id] = nil
            return true
        }
        if wasRunning { send(answer) }
        wakeWaiter()
    }

    func wakeWaiter() {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.running.isEmpty, !state.isSearching else { return nil }
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }

    func cancel(_ id: JSONValue) {
        guard let (number, task) = state.withLock({ $0.running[id] }) else { return }
        task.cancel()
        end(id, number: number, RPCFault(code: -32800, message: "the request was cancelled").answer(to: id))
    }

    // MARK: Beginning

    private func initialize(_ params: JSONObject) throws(RPCFault) -> JSONValue {
        let client = ClientFeatures(params)
        // Texts that are open have facts without a folder, too, with the policies beside them.
        let folders = root.map { [FilePath.absolute($0)] } ?? ClientFeatures.folders(params)
        if let first = folders.first, let reason = enter(first) {
            notify("window/showMessage", ["type": 2, "message": .string("\(first) cannot be used: \(reason)")])
        }
        var values = state.withLock { $0.values }
        values.settings = client.settings ?? values.settings
        values.environment = client.environment ?? values.environment
        let addresses = FileAddresses(folders: folders)
        state.withLock { state in
            state.phase = .running
            state.client = client
            state.addresses = addresses
            state.files.setRoots(addresses.shownRoots)
            state.values = values
            state.findings = WorkspaceFindings(values: values, clock: clock)
        }
        return [
            "serverInfo": ["name": "b2c", "version": .string(version)],
            "capabilities": [
                "positionEncoding": "utf-16",
                "textDocumentSync": ["openClose": true, "change": 2, "save": true],
                "hoverProvider": true, "definitionProvider": true, "referencesProvider": true,
                "documentHighlightProvider": true, "documentSymbolProvider": true, "workspaceSymbolProvider": true,
                "foldingRangeProvider": true, "documentLinkProvider": ["resolveProvider": false],
                "renameProvider": client.preparesRenames ? ["prepareProvider": true] : true,
                "completionProvider": [
                    "triggerCharacters": ["<", "\"", "'", "{", "/", " "], "resolveProvider": false,
                ],
                "codeActionProvider": client.codeActions
                    ? ["codeActionKinds": ["quickfix", "refactor.rewrite"]] : true,
                "codeLensProvider": ["resolveProvider": true],
                "executeCommandProvider": ["commands": .array(Self.commands.map { .string($0) })],
                "workspace": ["workspaceFolders": ["supported": true, "changeNotifications": true]],
            ],
        ]
    }

    // MARK: Changes

    private func notice(_ method: String, _ params: JSONObject) {
        // `$/cancelRequest` may come at any time.
        if method == "$/cancelRequest", let id = params["id"].flatMap({ RPCMessage.identifier($0) }) {
            return cancel(id)
        }
        guard state.withLock({ $0.phase }) == .running else { return }
        let document = params["textDocument"]
        switch method {
        case "initialized":
            if state.withLock({ $0.client.watchesFiles }) { watchFiles() }
            readDisk()
        case "textDocument/didOpen":
            guard let uri = document?["uri"]?.stringValue, let text = document?["text"]?.stringValue else { return }
            change(uri, Array(text.utf8), version: document?["version"]?.intValue)
        case "textDocument/didChange":
            guard let uri = document?["uri"]?.stringValue, let changes = params["contentChanges"]?.arrayValue else {
                return
            }
            guard let bytes = changed(uri, changes) else { return }
            change(uri, bytes, version: document?["version"]?.intValue)
        case "textDocument/didClose":
            guard let uri = document?["uri"]?.stringValue else { return }
            close(uri)
        case "textDocument/didSave": readDisk()
        case "workspace/didChangeWatchedFiles":
            if params["changes"]?.arrayValue?.contains(where: concerns) ?? true { readDisk() }
        case "workspace/didChangeWorkspaceFolders": changeFolders(params["event"])
        default: break
        }
    }

    private func watchFiles() {
        ask(
            "client/registerCapability",
            [
                "registrations": [
                    [
                        "id": "b2c-files", "method": "workspace/didChangeWatchedFiles",
                        "registerOptions": ["watchers": [["globPattern": "**/*"]]],
                    ]
                ]
            ])
    }

    /// The text of an open document after changes; `nil` if it is not open.
    private func changed(_ uri: String, _ changes: [JSONValue]) -> [UInt8]? {
        let file = state.withLock { state in
            let path = state.addresses.shown(uri)
            return state.versions[path] == nil ? nil : state.workspace.file(path)
        }
        guard var bytes = file?.source.bytes, var lines = file?.lines else { return nil }
        for change in changes {
            guard let text = change["text"]?.stringValue else { continue }
            if let range = change["range"]?.objectValue {
                let start = Self.offset(range["start"], in: lines)
                let end = max(Self.offset(range["end"], in: lines), start)
                bytes.replaceSubrange(start..<end, with: Array(text.utf8))
            } else {
                bytes = Array(text.utf8)
            }
            lines = EditorLines(bytes, countsMark: true)
        }
        return bytes
    }

    static func offset(_ position: JSONValue?, in lines: EditorLines) -> Int {
        func number(_ name: String) -> Int { Int(clamping: position?[name]?.intValue ?? 0) }
        return lines.offset(line: number("line"), unit: number("character"))
    }

    private func change(_ uri: String, _ bytes: [UInt8], version: Int64?) {
        state.withLock { state in
            let path = state.addresses.open(uri)
            let known = state.workspace.file(path)?.kind
            state.workspace.set(LanguageFile(path: path, bytes: bytes, known: known, isSent: true))
            state.versions[path] = version ?? 0
            if FileAddresses.path(of: uri) != nil { state.files.open(path, bytes) }
            state.focus = path
        }
        search()
    }

    private func close(_ uri: String) {
        state.withLock { state in
            let path = state.addresses.shown(uri)
            state.versions[path] = nil
            // Nothing is on the disk of a text that was never saved.
            if FileAddresses.path(of: uri) == nil { state.workspace.remove(path) }
            state.files.open(path, nil)
        }
        search()
    }

    /// Whether a file or a folder that changed on the disk is one that is looked at: builds write thousands of others.
    private func concerns(_ change: JSONValue) -> Bool {
        guard let uri = change["uri"]?.stringValue else { return true }
        return state.withLock { state in
            let path = state.addresses.shown(uri)
            let names = state.addresses.namesBelowRoot(path)
            guard state.workspace.file(path) == nil, let name = names.last else { return true }
            guard names.dropLast().allSatisfy({ ProjectFinder.takes(folder: $0) }) else { return false }
            if ProjectFinder.takes(file: name) { return true }
            // A folder may come and go without its files being named.
            guard ProjectFinder.takes(folder: name) else { return false }
            if FileSystem.kind(path) == .folder { return true }
            return state.workspace.files.keys.contains { $0.hasPrefix(path + "/") }
        }
    }

    private func readDisk() {
        refresh()
        search()
    }

    /// The disk is looked at again before the next answer and the next search.
    private func refresh() {
        let (files, current) = state.withLock { ($0.files, $0.addresses.current) }
        // A folder that was removed and made again, as by `git checkout`, is another one.
        if FileSystem.identity(".") != FileSystem.identity(current) { _ = enter(current) }
        files.refresh()
    }

    /// Takes the files as they are, those that are open excepted: what has names is what has findings.
    ///
    /// - Returns: Whether one has changed.
    @discardableResult
    private func takeFiles() -> Bool {
        let (files, last) = state.withLock { ($0.files, $0.look) }
        guard let (found, look) = files.files(since: last) else { return false }
        return state.withLock { state in
            guard look > state.look else { return false }
            state.look = look
            return state.take(found)
        }
    }

    private func changeFolders(_ event: JSONValue?) {
        guard root == nil else { return }
        func paths(_ name: String) -> [String] {
            (event?[name]?.arrayValue ?? []).compactMap {
                $0["uri"]?.stringValue.flatMap { FileAddresses.path(of: $0) }
            }
        }
        let removed = paths("removed")
        state.withLock { state in
            let kept = state.addresses.roots.map(\.written).filter { !removed.contains($0) }
            state.addresses.setRoots(kept + paths("added"))
            state.files.setRoots(state.addresses.shownRoots)
        }
        readDisk()
    }

    // MARK: Findings

    /// Searches for findings in the texts as they are now. A search that runs begins again.
    private func search() {
        let mustStart = state.withLock { state in
            state.change += 1
            defer { state.isSearching = true }
            return !state.isSearching
        }
        guard mustStart else { return }
        Task.detached { self.searchAll() }
    }

    private func searchAll() {
        while true {
            takeFiles()
            let (change, files, findings, focus, facts) = state.withLock {
                ($0.change, $0.files, $0.findings, $0.focus, self.facts($0))
            }
            findings.update(
                files, focus: focus, isCancelled: { self.state.withLock { $0.change != change || $0.isEnding } },
                publish: { file, findings in
                    guard file.isEmpty else { return self.publish(file, findings, in: facts) }
                    // What is wrong with how the server was started.
                    for message in findings.map(\.diagnostic.message) {
                        self.notify("window/showMessage", ["type": 2, "message": .string(message)])
                    }
                })
            // A text may have the findings of the one before it: its version and what a run found in it differ.
            for path in state.withLock({ $0.change == change && !$0.isEnding ? $0.unpublished : [] }).sorted() {
                publish(path, findings.findings(of: path), in: facts)
            }
            let isDone = state.withLock { state in
                guard state.change == change || state.isEnding else { return false }
                state.isSearching = false
                return true
            }
            guard isDone else { continue }
            announceScenarios()
            return wakeWaiter()
        }
    }

    /// - Parameter facts: The texts in which the findings were found.
    func publish(_ path: String, _ findings: [Finding], in facts: ServerFacts) {
        let (uri, old, failures) = state.withLock { state in
            let uri = state.addresses.uri(path)
            let old = state.published.updateValue((facts.workspace.file(path), uri), forKey: path)?.uri
            return (uri, old, state.failures(of: path, in: facts.workspace))
        }
        // The client has opened it under another spelling since.
        if let old, old != uri {
            notify("textDocument/publishDiagnostics", ["uri": .string(old), "diagnostics": []])
        }
        var params: JSONObject = [
            "uri": .string(uri),
            "diagnostics": .array(findings.map { facts.diagnostic($0) } + failures.map { facts.diagnostic($0) }),
        ]
        params["version"] = facts.versions[path].map { .integer($0) }
        notify("textDocument/publishDiagnostics", .object(params))
    }

    func facts(_ state: borrowing State) -> ServerFacts {
        ServerFacts(
            workspace: state.workspace, addresses: state.addresses, client: state.client, versions: state.versions,
            pages: pages)
    }
}

extension LanguageServer.State {
    /// Documents that are open or ran, and whose text is not the one of which findings were published last.
    var unpublished: Set<String> {
        Set(versions.keys).union(failures.keys).filter { published[$0]?.file !== workspace.file($0) }
    }

    /// Expectations that the last run of a file did not meet; none where the workspace has another text of it.
    func failures(of path: String, in workspace: LanguageWorkspace) -> [FailedExpectation] {
        guard let run = failures[path], workspace.file(path)?.source.bytes == run.text.bytes else { return [] }
        return run.found
    }

    /// Takes all files that there are, those that are open excepted.
    ///
    /// - Returns: Whether one has changed.
    mutating func take(_ files: [ProjectFile]) -> Bool {
        var found: Set<String> = []
        var hasChanged = false
        for file in files {
            found.insert(file.path)
            let known = workspace.file(file.path)
            guard versions[file.path] == nil, known?.source.bytes != file.source.bytes else { continue }
            workspace.set(LanguageFile(path: file.path, bytes: file.source.bytes, known: known?.kind))
            hasChanged = true
        }
        for known in workspace.files.keys where !found.contains(known) && versions[known] == nil {
            workspace.remove(known)
            hasChanged = true
        }
        return hasChanged
    }
}
