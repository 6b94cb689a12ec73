import Determinism
import HTTPMessages
import JOSE
import JSON

/// A session with a WebDriver server such as chromedriver (W3C WebDriver, JSON over HTTP). Pure protocol: requests go
/// through whatever transport is given, and nothing waits here.
public struct WebDriverSession: Sendable {
    /// Address of the server, such as `http://127.0.0.1:9515`.
    public let server: WebURL
    public let id: String
    /// What the server says the session can do.
    public let capabilities: JSONObject
    private let transport: any Transport
    private let context: ExchangeContext
    private var headers: [(name: String, value: String)] = []

    /// The name under which the protocol hands out elements (section 12.2).
    static let elementKey = "element-6066-11e4-a52e-4f735466cecf"

    /// Opens a browser.
    ///
    /// - Parameters:
    ///   - capabilities: What `alwaysMatch` holds, for instance of ``ChromiumOptions``.
    ///   - timeout: How long a command may take; a page may load slowly.
    /// - Throws: ``WebDriverError``.
    public static func open(
        at server: WebURL, capabilities: JSONObject, transport: any Transport,
        timeout: TimeSpan = .seconds(60)
    ) async throws(WebDriverError) -> WebDriverSession {
        let context = ExchangeContext(from: .browser, timeout: timeout)
        let value = try await command(
            "POST", "/session", body: ["capabilities": ["alwaysMatch": .object(capabilities)]], at: server,
            through: transport, in: context)
        guard let id = value["sessionId"]?.stringValue else { throw .malformed("a session without an id") }
        return WebDriverSession(
            server: server, id: id, capabilities: value["capabilities"]?.objectValue ?? JSONObject(),
            transport: transport, context: context, headers: [])
    }

    /// Asks a server whether it is there (section 8.3): whether a session can be opened is not what counts, drivers of one
    /// session say no while one is open.
    ///
    /// - Throws: ``WebDriverError`` where no WebDriver server answers.
    public static func look(at server: WebURL, transport: any Transport) async throws(WebDriverError) {
        let value = try await command(
            "GET", "/status", at: server, through: transport,
            in: ExchangeContext(from: .browser, timeout: .seconds(20)))
        guard value["ready"] != nil else { throw .malformed("no status") }
    }

    /// An element of the page that shows.
    public struct ElementReference: Sendable, Hashable {
        let id: String

        /// As an argument of a script.
        public var json: JSONValue { .object(JSONObject([(WebDriverSession.elementKey, .string(id))])) }
    }

    /// How an element is looked for (section 12.1).
    public enum Locator: Sendable, Hashable {
        case css(String), xpath(String), linkText(String)

        /// The element with this id, whatever characters it has.
        public static func id(_ id: String) -> Locator {
            .css("[id=\"" + id.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\"]")
        }

        var json: JSONObject {
            switch self {
            case .css(let text): ["using": "css selector", "value": .string(text)]
            case .xpath(let text): ["using": "xpath", "value": .string(text)]
            case .linkText(let text): ["using": "link text", "value": .string(text)]
            }
        }
    }

    // MARK: The session

    /// Ends the session and closes its browser.
    public func quit() async throws(WebDriverError) { _ = try await call("DELETE", "") }

    /// How long the driver itself waits (section 9): for scripts, for pages to load, for elements to come up.
    public func setTimeouts(
        script: TimeSpan, pageLoad: TimeSpan, implicit: TimeSpan = .zero
    ) async throws(WebDriverError) {
        _ = try await call(
            "POST", "/timeouts",
            [
                "script": .integer(script.milliseconds), "pageLoad": .integer(pageLoad.milliseconds),
                "implicit": .integer(implicit.milliseconds),
            ])
    }

    // MARK: Navigation

    /// Loads an address and waits until it is loaded.
    public func navigate(to url: String) async throws(WebDriverError) {
        _ = try await call("POST", "/url", ["url": .string(url)])
    }

    /// The address that shows.
    public func url() async throws(WebDriverError) -> String {
        try await call("GET", "/url").stringValue ?? ""
    }

    public func title() async throws(WebDriverError) -> String {
        try await call("GET", "/title").stringValue ?? ""
    }

    public func back() async throws(WebDriverError) { _ = try await call("POST", "/back", [:]) }
    public func refresh() async throws(WebDriverError) { _ = try await call("POST", "/refresh", [:]) }

    /// The page as it stands now, as text.
    public func source() async throws(WebDriverError) -> String {
        try await call("GET", "/source").stringValue ?? ""
    }

    // MARK: Elements

    /// The first element of that kind; nil where there is none.
    public func find(_ locator: Locator) async throws(WebDriverError) -> ElementReference? {
        do throws(WebDriverError) {
            return element(try await call("POST", "/element", locator.json))
        } catch {
            if error.code == "no such element" { return nil }
            throw error
        }
    }

    public func findAll(_ locator: Locator) async throws(WebDriverError) -> [ElementReference] {
        (try await call("POST", "/elements", locator.json).arrayValue ?? []).compactMap(element)
    }

    public func click(_ element: ElementReference) async throws(WebDriverError) {
        _ = try await call("POST", "/element/\(element.id)/click", [:])
    }

    public func clear(_ element: ElementReference) async throws(WebDriverError) {
        _ = try await call("POST", "/element/\(element.id)/clear", [:])
    }

    /// Types into an element, as keys.
    public func type(_ text: String, into element: ElementReference) async throws(WebDriverError) {
        _ = try await call("POST", "/element/\(element.id)/value", ["text": .string(text)])
    }

    /// The text that a person sees.
    public func text(of element: ElementReference) async throws(WebDriverError) -> String {
        try await call("GET", "/element/\(element.id)/text").stringValue ?? ""
    }

    public func attribute(_ name: String, of element: ElementReference) async throws(WebDriverError) -> String? {
        try await call("GET", "/element/\(element.id)/attribute/\(PercentCoding.encodeComponent(name))").stringValue
    }

    public func property(_ name: String, of element: ElementReference) async throws(WebDriverError) -> JSONValue {
        try await call("GET", "/element/\(element.id)/property/\(PercentCoding.encodeComponent(name))")
    }

    /// Whether a person sees it.
    public func isDisplayed(_ element: ElementReference) async throws(WebDriverError) -> Bool {
        try await call("GET", "/element/\(element.id)/displayed").boolValue ?? false
    }

    public func isEnabled(_ element: ElementReference) async throws(WebDriverError) -> Bool {
        try await call("GET", "/element/\(element.id)/enabled").boolValue ?? false
    }

    // MARK: Scripts

    /// The value that the body of a function returns.
    public func execute(_ script: String, _ arguments: [JSONValue] = []) async throws(WebDriverError) -> JSONValue {
        try await call("POST", "/execute/sync", ["script": .string(script), "args": .array(arguments)])
    }

    /// The same for a body that calls its last argument when it is done.
    public func executeAsync(_ script: String, _ arguments: [JSONValue] = []) async throws(WebDriverError) -> JSONValue
    {
        try await call("POST", "/execute/async", ["script": .string(script), "args": .array(arguments)])
    }

    // MARK: Windows, cookies, pictures

    public func windows() async throws(WebDriverError) -> [String] {
        (try await call("GET", "/window/handles").arrayValue ?? []).compactMap(\.stringValue)
    }

    public func currentWindow() async throws(WebDriverError) -> String {
        try await call("GET", "/window").stringValue ?? ""
    }

    public func switchTo(window: String) async throws(WebDriverError) {
        _ = try await call("POST", "/window", ["handle": .string(window)])
    }

    /// Opens a tab and gives its handle; the session stays with the one it has.
    public func newWindow() async throws(WebDriverError) -> String {
        guard let handle = try await call("POST", "/window/new", ["type": "tab"])["handle"]?.stringValue else {
            throw .malformed("a window without a handle")
        }
        return handle
    }

    /// Closes the tab; what is left open.
    @discardableResult
    public func closeWindow() async throws(WebDriverError) -> [String] {
        (try await call("DELETE", "/window").arrayValue ?? []).compactMap(\.stringValue)
    }

    /// Sets the size of the window in CSS pixels.
    public func resize(width: Int, height: Int) async throws(WebDriverError) {
        _ = try await call(
            "POST", "/window/rect", ["width": .integer(Int64(width)), "height": .integer(Int64(height))])
    }

    /// The cookies that the page which shows would be sent (section 14).
    public func cookies() async throws(WebDriverError) -> [JSONObject] {
        (try await call("GET", "/cookie").arrayValue ?? []).compactMap(\.objectValue)
    }

    public func deleteCookies() async throws(WebDriverError) { _ = try await call("DELETE", "/cookie") }

    /// What shows, as PNG.
    public func screenshot() async throws(WebDriverError) -> [UInt8] {
        guard let text = try await call("GET", "/screenshot").stringValue, let bytes = Base64.decode(text) else {
            throw .malformed("a picture that is not base64")
        }
        return bytes
    }

    // MARK: What only Chromium has

    /// Entries of one of chromedriver's logs since the last call, such as `performance`.
    public func log(_ kind: String) async throws(WebDriverError) -> [JSONValue] {
        try await call("POST", "/se/log", ["type": .string(kind)]).arrayValue ?? []
    }

    /// A command of the DevTools protocol.
    public func devTools(_ method: String, _ parameters: JSONObject = JSONObject()) async throws(WebDriverError)
        -> JSONValue
    {
        try await call("POST", "/goog/cdp/execute", ["cmd": .string(method), "params": .object(parameters)])
    }

    /// Sends these fields with every request of the tab from now on; other tabs send them after ``repeatHeaders()``.
    public mutating func setHeaders(_ headers: [(name: String, value: String)]) async throws(WebDriverError) {
        self.headers = headers
        try await repeatHeaders()
    }

    /// Sends the fields of ``setHeaders(_:)`` with every request of the tab that the session is at, too.
    public func repeatHeaders() async throws(WebDriverError) {
        guard !headers.isEmpty else { return }
        _ = try await devTools("Network.enable")
        let fields = JSONObject(headers.map { ($0.name, JSONValue.string($0.value)) })
        _ = try await devTools("Network.setExtraHTTPHeaders", ["headers": .object(fields)])
    }

    // MARK: The wire

    private func element(_ value: JSONValue) -> ElementReference? {
        value[Self.elementKey]?.stringValue.map { ElementReference(id: $0) }
    }

    private func call(_ method: String, _ path: String, _ body: JSONObject? = nil) async throws(WebDriverError)
        -> JSONValue
    {
        try await Self.command(
            method, "/session/\(id)\(path)", body: body, at: server, through: transport, in: context)
    }

    /// One command (section 6): the member `value` of the answer.
    private static func command(
        _ method: String, _ path: String, body: JSONObject? = nil, at server: WebURL,
        through transport: any Transport, in context: ExchangeContext
    ) async throws(WebDriverError) -> JSONValue {
        guard let url = WebURL(server.origin + trimmed(server.path) + path) else {
            throw .malformed("an address that is none: \(path)")
        }
        let request =
            body.map { RequestMessage.post(url, json: .object($0)) } ?? RequestMessage(method: method, url: url)
        let response: ResponseMessage
        do throws(TransportError) {
            response = try await transport.send(request, context)
        } catch {
            throw .transport(error)
        }
        guard let answer = response.json ?? (try? JSONParser.parse(response.body)), let value = answer["value"] else {
            throw .malformed("HTTP \(response.status) and no value")
        }
        if let code = value["error"]?.stringValue, response.status >= 400 {
            throw .refused(code: code, message: value["message"]?.stringValue ?? "")
        }
        guard response.status < 400 else { throw .malformed("HTTP \(response.status)") }
        return value
    }

    /// A base address may have a path (`/wd/hub`), with or without a slash at its end.
    private static func trimmed(_ path: String) -> String {
        var path = path
        while path.hasSuffix("/") { path.removeLast() }
        return path
    }
}
