import Crypto
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Why there is no token.
enum SignInError: Error, Equatable {
    /// Only the person can go on: show the sign-in pages again.
    case interactionRequired
    /// The service refused, with its error code.
    case refused(String)
    /// The callback belongs to another sign-in.
    case notAsked
    /// The service does not answer.
    case unavailable
}

/// Signs people in by the authorization code flow with PKCE (RFC 6749, RFC 7636), and keeps their tokens fresh.
public actor SignIn {
    private struct Tokens {
        var access: String
        var refresh: String
        var ends: Date
    }

    private let authority: URL
    private let clientID: String
    private let redirectURI: String
    private let scopes: [String]
    private let session: URLSession
    private let now: @Sendable () -> Date
    private var pending: (state: String, verifier: String)?
    private var tokens: Tokens?

    /// - Parameters:
    ///   - session: Reaches the service; tests give another one.
    ///   - now: The time, by which access tokens end.
    public init(
        authority: URL, clientID: String, redirectURI: String, scopes: [String], session: URLSession = .shared,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.authority = authority
        self.clientID = clientID
        self.redirectURI = redirectURI
        self.scopes = scopes
        self.session = session
        self.now = now
    }

    /// The address to open in a browser.
    public func address() -> URL {
        let state = UUID().uuidString
        let verifier = Self.base64URL(Data((0..<32).map { _ in UInt8.random(in: .min ... .max) }))
        pending = (state, verifier)
        let challenge = Self.base64URL(Data(SHA256.hash(data: Data(verifier.utf8))))
        var parts = URLComponents(
            url: authority.appendingPathComponent("oauth2/v2.0/authorize"), resolvingAgainstBaseURL: false)!
        parts.queryItems = [
            URLQueryItem(name: "client_id", value: clientID), URLQueryItem(name: "redirect_uri", value: redirectURI),
            URLQueryItem(name: "response_type", value: "code"), URLQueryItem(name: "scope", value: scope),
            URLQueryItem(name: "state", value: state), URLQueryItem(name: "code_challenge", value: challenge),
            URLQueryItem(name: "code_challenge_method", value: "S256"),
        ]
        return parts.url!
    }

    /// Takes the address at which the browser came back.
    public func finish(_ callback: URL) async throws {
        let items = URLComponents(url: callback, resolvingAgainstBaseURL: false)?.queryItems ?? []
        func value(_ name: String) -> String? { items.first { $0.name == name }?.value }
        guard let asked = pending, value("state") == asked.state else { throw SignInError.notAsked }
        pending = nil
        guard let code = value("code") else { throw SignInError.refused(Self.code(of: value("error_description"))) }
        try await redeem(["grant_type": "authorization_code", "code": code, "code_verifier": asked.verifier])
    }

    /// A token for the API, fresh if need be.
    public func accessToken() async throws -> String {
        guard let tokens else { throw SignInError.interactionRequired }
        if tokens.ends > now().addingTimeInterval(60) { return tokens.access }
        do {
            try await redeem(["grant_type": "refresh_token", "refresh_token": tokens.refresh])
        } catch SignInError.refused {
            self.tokens = nil
            throw SignInError.interactionRequired
        }
        return self.tokens?.access ?? ""
    }

    private var scope: String { (["openid", "offline_access"] + scopes).joined(separator: " ") }

    private func redeem(_ grant: [String: String]) async throws {
        var request = URLRequest(url: authority.appendingPathComponent("oauth2/v2.0/token"))
        request.httpMethod = "POST"
        request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
        let form = grant.merging(["client_id": clientID, "redirect_uri": redirectURI, "scope": scope]) { own, _ in own }
        var allowed = CharacterSet.alphanumerics
        allowed.insert(charactersIn: "-._~")
        let body = form.map { "\($0)=\($1.addingPercentEncoding(withAllowedCharacters: allowed) ?? "")" }
        request.httpBody = Data(body.joined(separator: "&").utf8)
        let data: Data
        let response: URLResponse
        do {
            (data, response) = try await session.data(for: request)
        } catch is URLError {
            throw SignInError.unavailable
        }
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        let answer = (try? JSONSerialization.jsonObject(with: data)) as? [String: Any] ?? [:]
        if status >= 500 { throw SignInError.unavailable }
        guard let access = answer["access_token"] as? String, let refresh = answer["refresh_token"] as? String else {
            throw SignInError.refused(Self.code(of: answer["error_description"] as? String))
        }
        tokens = Tokens(
            access: access, refresh: refresh, ends: now().addingTimeInterval(answer["expires_in"] as? Double ?? 0))
    }

    private static func code(of description: String?) -> String {
        description.map { String($0.prefix { $0 != ":" }) } ?? "no reason"
    }

    private static func base64URL(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
