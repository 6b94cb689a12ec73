import AuthorityHosting
import Exchanges
import ExtensionCalls
import HTTPMessages
import Synchronization

/// Where a request goes: it is checked, its address as the client sees it is found, and then the page, the control API or the
/// world that answers it.
extension Front {
    /// Where a request goes.
    enum Route {
        case health
        /// - Parameter inspector: Where the inspector is.
        case start(ServerWorld, WebURL, inspector: StartPage.Inspector?)
        /// The end of a sign-in from the start page.
        case landing(ServerWorld, WebURL, inspector: StartPage.Inspector?)
        case control(RequestMessage, world: String)
        case world(ServerWorld, RequestMessage, WorldSelector?, LocalAddress?)
        case refusal(ResponseMessage)

        var worldName: String? {
            switch self {
            case .world(let world, _, _, _), .start(let world, _, inspector: _), .landing(let world, _, inspector: _):
                Worlds.label(of: world.name)
            case .control(_, let world): Worlds.label(of: world)
            case .health, .refusal: nil
            }
        }
    }

    /// A request that the server refuses itself.
    private struct Refused: Error {
        var answer: ResponseMessage

        init(_ status: Int, _ text: String, for incoming: IncomingRequest) {
            answer = Front.problem(status, text, for: incoming)
        }
    }

    /// A request that is well formed.
    private struct Asked {
        var incoming: IncomingRequest
        /// As a world answers it.
        var request: RequestMessage
        /// The address as the client sees it.
        var seen: OuterAddress.Seen
        var selector: WorldSelector?

        var url: WebURL { request.url }
    }

    func route(_ incoming: IncomingRequest) -> Route {
        do throws(Refused) {
            let (url, seen) = try address(of: incoming)
            try Self.checkMethod(of: incoming)
            let selector = try Self.selector(of: incoming)
            if !Self.isControl(url.path), let answer = WorldSelector.preflight(incoming) { return .refusal(answer) }
            let request = RequestMessage(
                // An answer to HEAD is that to GET without its body.
                method: incoming.method == "HEAD" ? "GET" : incoming.method, url: url, headers: incoming.headers,
                body: incoming.body)
            let asked = Asked(incoming: incoming, request: request, seen: seen, selector: selector)
            return incoming.isConsole ? try consoleRoute(asked) : worldRoute(asked)
        } catch {
            return .refusal(error.answer)
        }
    }

    // MARK: Checks

    /// The address that a request names, and how the client sees the server.
    private func address(of incoming: IncomingRequest) throws(Refused) -> (url: WebURL, seen: OuterAddress.Seen) {
        guard incoming.target.utf8.count <= limits.targetLength else {
            throw Refused(414, "the request target is longer than \(limits.targetLength) bytes", for: incoming)
        }
        guard HostName.isValid(incoming.host) else {
            throw Refused(400, "the Host field is missing or is not a host name", for: incoming)
        }
        let seen: OuterAddress.Seen
        do throws(OuterAddress.Malformed) {
            seen = try outer.address(of: incoming, in: worlds.world(named: nil))
        } catch {
            throw Refused(400, error.text, for: incoming)
        }
        guard incoming.target.hasPrefix("/"),
            let url = WebURL("\(seen.scheme)://\(seen.host)\(incoming.target)"), url.userInfo == nil,
            url.fragment == nil
        else {
            throw Refused(400, "the request target is not a path", for: incoming)
        }
        return (url, seen)
    }

    private static func checkMethod(of incoming: IncomingRequest) throws(Refused) {
        guard incoming.method == "TRACE" || incoming.method == "CONNECT" else { return }
        var refused = Refused(405, "\(incoming.method) is not taken here", for: incoming)
        refused.answer.headers.append("Allow", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS")
        throw refused
    }

    /// What the header `B2C-World` says; `nil`: the request has none.
    private static func selector(of incoming: IncomingRequest) throws(Refused) -> WorldSelector? {
        guard let text = incoming.headers[WorldSelector.header] else { return nil }
        guard let read = WorldSelector(text) else {
            throw Refused(400, "the header B2C-World is malformed", for: incoming)
        }
        guard read.world != Worlds.defaultName || !read.steers else {
            throw Refused(
                403,
                "the header B2C-World steers only worlds that a runner made; PATCH \(ControlAPI.prefix)/clock moves "
                    + "the clock of the default world", for: incoming)
        }
        return read
    }

    // MARK: Choices

    /// At the port of the console there are only the control API and the inspector page.
    private func consoleRoute(_ asked: Asked) throws(Refused) -> Route {
        let path = asked.url.path
        if path == "/health" { return .health }
        if path == "/" { return .refusal(.redirect(Self.inspector)) }
        if SiteIcon.isAsked(asked.request) { return .refusal(SiteIcon.answer) }
        guard Self.isControl(path) else {
            throw Refused(
                404, "only the control API and the inspector page (\(Self.inspector)) are at this port",
                for: asked.incoming)
        }
        return control(asked)
    }

    private func control(_ asked: Asked) -> Route {
        .control(asked.request, world: asked.selector?.world ?? Worlds.defaultName)
    }

    /// At the other ports there are a world's hosts, with pages of the server at those that are not a neighbour's.
    private func worldRoute(_ asked: Asked) -> Route {
        let selector = asked.selector
        let world = worlds.world(named: selector?.world)
        let place = (world ?? worlds.world(named: nil))?.place(of: asked.url.host ?? "") ?? .elsewhere
        if place != .neighbour {
            if asked.url.path == "/health" { return .health }
            if Self.isControl(asked.url.path) { return inspectorRedirect(asked) ?? control(asked) }
        }
        guard let world else {
            return .refusal(Self.problem(404, "there is no world \(selector?.world ?? "")"))
        }
        // A world that a runner made answers as it would in the runner's own process.
        if asked.request.method == "GET", world.isDefault, place != .neighbour,
            let route = pageRoute(asked, in: world)
        {
            return route
        }
        var request = asked.request
        request.headers[WorldSelector.header] = nil
        if let scheme = selector?.scheme { request.url.scheme = scheme }
        let local = world.local(asked.url)
        do throws(LocalAddress.Unknown) {
            try local?.lead(&request, in: world)
        } catch {
            return .refusal(Self.problem(404, error.text))
        }
        return .world(world, request, selector, local)
    }

    /// The inspector is not a page of the origin of the sign-in pages.
    private func inspectorRedirect(_ asked: Asked) -> Route? {
        guard asked.request.method == "GET", Self.inspector.hasPrefix(asked.url.path),
            let console = inspector(for: asked), !console.isElsewhere
        else { return nil }
        return .refusal(.redirect(console.address))
    }

    /// A page that the server has at the hosts of the default world; `nil`: the world answers.
    private func pageRoute(_ asked: Asked, in world: ServerWorld) -> Route? {
        if Self.isStart(asked.incoming.target) {
            return .start(world, asked.url, inspector: desk == nil ? nil : inspector(for: asked))
        }
        if asked.url.path == LandingPage.path {
            return .landing(world, asked.url, inspector: desk == nil ? nil : inspector(for: asked))
        }
        // Keys by which an extension verifies the tokens of `b2c extension`.
        if let answer = ExtensionIssuer.answer(asked.url.path, origin: asked.url) { return .refusal(answer) }
        return SiteIcon.isAsked(asked.request) ? .refusal(SiteIcon.answer) : nil
    }

    /// The inspector for somebody who reached the server at this address; `nil` until it listens. A proxy need not lead to
    /// its port.
    private func inspector(for asked: Asked) -> StartPage.Inspector? {
        guard let port = consolePort.withLock({ $0 }) else { return nil }
        let (url, seen) = (asked.url, asked.seen)
        let address =
            seen.isOuter
            ? "\(asked.incoming.scheme)://\(outer.ownHost):\(port)\(Self.inspector)"
            : WebURL(scheme: url.scheme, host: url.host, port: port, path: Self.inspector).description
        return StartPage.Inspector(address: address, isElsewhere: seen.isOuter)
    }
}
