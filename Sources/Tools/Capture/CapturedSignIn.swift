import Determinism

extension CaptureImport {
    /// A sign-in of a capture, for programs that have another record of it, such as a log.
    public struct CapturedSignIn: Sendable {
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

extension CapturedFlow {
    /// The sign-ins at policies with pages, and by password grant.
    var signIns: [CaptureImport.CapturedSignIn] {
        items.indices.compactMap { index in
            let item = items[index]
            guard item.flow != nil || item.tokenCall?.grant == "password" else { return nil }
            let end: CaptureImport.CapturedSignIn.End =
                switch item.flow?.ending {
                case .code, .tokens: .answered
                case .error(_, let code), .page(let code): .failed(code: code)
                case nil where item.flow != nil: .open
                case nil: item.tokenCall?.isGood ?? false ? .answered : .failed(code: item.tokenCall?.b2cCode)
                }
            var ids = item.flow?.correlationIDs ?? []
            let exchanges = (item.flow?.acts.map(\.exchange) ?? []) + [item.tokenCall?.exchange].compactMap { $0 }
            for id in exchanges.flatMap({ CorrelationIDs.of($0) }) { ids.note(id) }
            return CaptureImport.CapturedSignIn(
                origin: index, place: item.place, policy: item.flow?.policy ?? item.tokenCall?.policy,
                tenant: item.flow?.tenant, started: item.started,
                ended: max(item.end, item.started + (item.flow?.duration ?? .zero)), correlationIDs: ids, end: end,
                providers: item.flow?.acts.compactMap(\.provider) ?? [], claims: item.idToken?.keys)
        }
    }
}
