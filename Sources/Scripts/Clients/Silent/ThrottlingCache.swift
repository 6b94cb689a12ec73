import Determinism
import HTTPMessages
import JOSE

/// Holds back refresh requests that would only fail again (MSIDThrottlingService.m). It lives in the memory of one
/// process; interactive requests and failures of the network never come here.
struct ThrottlingCache: Sendable {
    /// What a request was refused for.
    enum Kind: String, Sendable, Hashable {
        /// HTTP 429, HTTP 5xx, or any answer with `Retry-After`.
        case serverDelay = "429"
        /// Any OAuth error, and errors that want the person.
        case uiRequired
    }

    struct Record: Sendable, Hashable {
        var kind: Kind
        var error: LibraryError
        var since: Timestamp
        var until: Timestamp
    }

    /// The most requests remembered; the one longest unused goes first.
    static let limit = 1000
    /// How long without `Retry-After`.
    static let serverDelay = TimeSpan.seconds(60 as Int64)
    /// How long errors that want the person hold.
    static let uiRequiredDelay = TimeSpan.seconds(120 as Int64)
    /// `Retry-After` beyond this is cut to `cappedDelay`: the library compares with twice the ceiling it intends.
    static let ceiling = TimeSpan.seconds(7200 as Int64)
    static let cappedDelay = TimeSpan.seconds(3600 as Int64)

    /// Least recently used first.
    private var entries: [(key: String, record: Record)] = []

    /// Why the request is held back; `nil` when it may go.
    ///
    /// - Parameter lastRefresh: Device time of the last successful interactive request, which releases requests that
    ///   wanted the person.
    mutating func holdBack(_ form: FormItems, now: Timestamp, lastRefresh: Int64?) -> Record? {
        for kind in [Kind.serverDelay, .uiRequired] {
            let key = Self.thumbprint(form, kind)
            guard let place = entries.firstIndex(where: { $0.key == key }) else { continue }
            let entry = entries.remove(at: place)
            let released =
                kind == .uiRequired && (lastRefresh.map { $0 > entry.record.since.secondsSinceEpoch } ?? false)
            if now >= entry.record.until || released { continue }
            entries.append(entry)
            return entry.record
        }
        return nil
    }

    /// Remembers a failed request, where its failure is of a kind that holds back the next.
    mutating func learn(_ error: LibraryError, _ form: FormItems, now: Timestamp) {
        guard let (kind, delay) = Self.classify(error, now) else { return }
        let key = Self.thumbprint(form, kind)
        entries.removeAll { $0.key == key }
        if entries.count >= Self.limit { entries.removeFirst() }
        entries.append((key, Record(kind: kind, error: error, since: now, until: now + delay)))
    }

    private static func classify(_ error: LibraryError, _ now: Timestamp) -> (Kind, TimeSpan)? {
        if error.domain == .http, error.httpStatus == 429 || error.serverUnavailable || error.retryAfterText != nil {
            let asked = error.retryAfterText.flatMap { delay($0, now) } ?? serverDelay
            return (.serverDelay, asked > ceiling ? cappedDelay : asked)
        }
        guard let code = error.identityCoreCode else { return nil }
        let wantsPerson =
            error.oauthError.map { !$0.isEmpty } ?? false
            || [.interactionRequired, .serverDeclinedScopes, .serverProtectionPoliciesRequired].contains(code)
        return wantsPerson ? (.uiRequired, uiRequiredDelay) : nil
    }

    /// Reads `Retry-After`: whole seconds, or a date as `yyyy-MM-dd HH:mm:ss.SSSS`. HTTP dates are not understood.
    private static func delay(_ text: String, _ now: Timestamp) -> TimeSpan? {
        if let seconds = Int64(text) { return seconds > 0 ? .seconds(seconds) : nil }
        let parts = text.split(separator: " ")
        guard parts.count == 2, parts[1].contains("."), let date = Timestamp(rfc3339: "\(parts[0])T\(parts[1])Z"),
            date > now
        else { return nil }
        return date - now
    }

    /// Which requests count as the same: for server delays client, refresh token and scope, for errors that want the
    /// person every parameter but `grant_type`.
    private static func thumbprint(_ form: FormItems, _ kind: Kind) -> String {
        let names = ["client_id", "refresh_token", "scope"]
        let items = form.items
            .filter { kind == .serverDelay ? names.contains($0.name) : $0.name != "grant_type" }
            .sorted { $0.name < $1.name }
        let text = kind.rawValue + items.map { "\n\($0.name)=\($0.value)" }.joined()
        return Base64URL.encode(SHA2.sha256(Array(text.utf8)))
    }
}
