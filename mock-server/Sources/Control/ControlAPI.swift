import Diagnostics
import HTTPMessages
import JSON

/// Answers below `/_b2c`: the control interface under `/_b2c/v1`, and the inspector page.
///
/// Who may call has been checked when a request comes here.
struct ControlAPI: ControlDesk {
    static let prefix = "/_b2c/v1"

    let worlds: Worlds

    func answer(_ request: RequestMessage, world: String) async -> ServerAnswer {
        let path = request.url.path
        if path == Self.prefix || path.hasPrefix(Self.prefix + "/") {
            do throws(ControlFault) {
                return Self.message(try await carryOut(request, world: world))
            } catch {
                return .message(error.answer)
            }
        }
        if let page = InspectorFiles.answer(request) { return .message(page) }
        return .message(
            ControlFault(.notFound, "nothing is at \(path); the inspector is /_b2c/, the control API \(Self.prefix)")
                .answer)
    }

    private func carryOut(_ request: RequestMessage, world: String) async throws(ControlFault) -> ControlResult {
        let rest = request.url.path.dropFirst(Self.prefix.count)
        let segments = rest.split(separator: "/", omittingEmptySubsequences: true).map {
            PercentCoding.decode(String($0), plusIsSpace: false)
        }
        let found = ControlRoutes.all.compactMap { route in route.match(segments).map { (route, $0) } }
        guard !found.isEmpty else { throw Self.unknown(String(rest)) }
        guard let (route, parameters) = found.first(where: { $0.0.method == request.method }) else {
            var fault = ControlFault(
                .wrongMethod,
                "\(Self.prefix)\(rest) takes \(found.map(\.0.method).joined(separator: ", ")), not \(request.method)")
            fault.allow = found.map(\.0.method)
            throw fault
        }
        try checkQuery(request, route)
        let document = try body(request, route)
        let call = ControlCall(
            request: request, worlds: worlds, worldName: world, parameters: parameters,
            body: document?.root.objectValue ?? JSONObject(), document: document)
        return try await route.run(call)
    }

    private static func unknown(_ rest: String) -> ControlFault {
        let known = ControlRoutes.all.map(\.path)
        let near = nearestName(rest, among: known).map { "; did you mean \(prefix)\($0)?" } ?? "."
        return ControlFault(
            .notFound, "there is no \(prefix)\(rest.prefix(100))\(near) All calls are listed at \(prefix)/openapi.json")
    }

    private func checkQuery(_ request: RequestMessage, _ route: ControlRoute) throws(ControlFault) {
        let items = request.url.queryItems.items
        for (name, value) in items {
            guard let query = route.query.first(where: { $0.name == name }) else {
                let near = nearestName(name, among: route.query.map(\.name)).map { "; did you mean `\($0)`?" } ?? ""
                throw ControlFault(
                    .malformed, "\(route.method) \(route.path) has no parameter `\(name.prefix(60))`\(near)")
            }
            if case .oneOf(let words) = query.kind, !words.contains(value) {
                throw ControlFault(
                    .malformed,
                    "`\(name)` is \(words.map { "`\($0)`" }.joined(separator: " or ")), not `\(value.prefix(60))`")
            }
        }
        for query in route.query where query.isRequired && !items.contains(where: { $0.name == query.name }) {
            throw ControlFault(.malformed, "the query needs `\(query.name)`")
        }
    }

    /// The body of a call that has one, checked against the route's shape.
    private func body(_ request: RequestMessage, _ route: ControlRoute) throws(ControlFault) -> JSONDocument? {
        guard let shape = route.body else {
            guard request.body.isEmpty || request.json?.objectValue?.isEmpty == true else {
                throw ControlFault(.malformed, "\(route.method) \(route.path) takes no body")
            }
            return nil
        }
        guard request.headers.mediaType == "application/json" else {
            throw ControlFault(.notJSON, "send the body with `Content-Type: application/json`, `{}` if it says nothing")
        }
        do throws(InvalidInput) {
            let document = try JSONDocument(file: "body", bytes: request.body)
            let checker = ShapeChecker(
                document: document, named: ControlShapes.named, allowTemplates: false, rulePrefix: "B2C-CTL")
            let findings = checker.check(document.root, at: .root, as: .object(shape))
            guard findings.isEmpty else { throw InvalidInput(diagnostics: findings) }
            return document
        } catch {
            var fault = ControlFault(error)
            fault.code = .malformed
            fault.message = error.diagnostics.first?.message ?? fault.message
            throw fault
        }
    }

    // MARK: Answers

    private static func message(_ result: ControlResult) -> ServerAnswer {
        switch result {
        case .json(let status, let value):
            .message(.json(status, value, headers: ControlFault.headers))
        case .nothing:
            .message(ResponseMessage(status: 204, headers: ControlFault.headers))
        case .events(let chunks):
            .stream(
                status: 200,
                headers: ["Content-Type": "text/event-stream; charset=utf-8", "Cache-Control": "no-store"],
                chunks: chunks)
        }
    }
}
