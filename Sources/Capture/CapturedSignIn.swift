import Determinism

extension CaptureImport {
    /// A sign-in of a capture, for programs that have another record of it, such as a log.
    public struct SignIn: Sendable {
        /// How it ended, as far as the capture shows.
        public enum End: Sendable, Hashable {
            /// The app got a code or tokens.
            case answered
            /// The app got an error, or a page showed one; with its code of B2C if it has one.
            case failed(code: String?)
            /// The capture does not show the end.
            case open
        }

        /// Its number in ``Files/origins`` and ``Files/people``.
        public var origin: Int
        /// Its place in the capture: `entry 12`.
        public var place: String
        /// Id of the policy in lower case.
        public var policy: String?
        /// The tenant as the address has it: `contoso.onmicrosoft.com`, or a GUID.
        public var tenant: String?
        public var started: Timestamp
        /// When the last request of it left.
        public var ended: Timestamp
        /// Ids under which a log may have it, in lower case, the service's own before that of the app.
        public var correlationIDs: [String]
        public var end: End
        /// Claims exchanges of identity providers that the person chose.
        public var providers: [String]
        /// Names of the claims of the ID token; `nil` if the capture does not show the token.
        public var claims: [String]?
    }
}

extension Story {
    /// The sign-ins at policies with pages, and by password grant.
    var signIns: [CaptureImport.SignIn] {
        items.indices.compactMap { index in
            switch items[index] {
            case .flow(let flow): signIn(flow, index)
            case .token(let call) where call.grant == "password": signIn(call, index)
            case .token, .logout, .api, .userInfo: nil
            }
        }
    }

    private func signIn(_ flow: Flow, _ index: Int) -> CaptureImport.SignIn {
        let end: CaptureImport.SignIn.End =
            switch flow.ending {
            case .code, .tokens: .answered
            case .error(_, let code), .page(let code): .failed(code: code)
            case nil: .open
            }
        var ids = flow.correlationIDs
        for exchange in flow.acts.map(\.exchange) + (flow.token.map { [$0.exchange] } ?? []) {
            for id in CorrelationIDs.of(exchange) where !ids.contains(id) { ids.append(id) }
        }
        return CaptureImport.SignIn(
            origin: index, place: flow.place, policy: flow.policy, tenant: flow.tenant, started: flow.started,
            ended: max(items[index].end, flow.duration.map { flow.started + $0 } ?? flow.started),
            correlationIDs: ids, end: end,
            providers: flow.acts.compactMap { if case .provider(let exchange) = $0.kind { exchange } else { nil } },
            claims: flow.idToken?.keys)
    }

    private func signIn(_ call: TokenCall, _ index: Int) -> CaptureImport.SignIn {
        CaptureImport.SignIn(
            origin: index, place: call.exchange.place, policy: call.policy, tenant: nil,
            started: call.exchange.started, ended: call.exchange.started,
            correlationIDs: CorrelationIDs.of(call.exchange),
            end: call.isGood ? .answered : .failed(code: call.b2cCode),
            providers: [], claims: call.claims("id_token")?.keys)
    }
}
