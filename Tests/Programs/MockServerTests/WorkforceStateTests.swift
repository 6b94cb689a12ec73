import B2CProtocol
import Foundation
import HTTPMessages
import JSON
import MockAuthority
import MockServerCore
import TenantFiles
import Testing

/// What a plain directory tenant keeps over restarts.
@Suite struct WorkforceStateTests {
    private static let clientID = "11111111-2222-4333-8444-555555555555"
    private static let redirect = "msauth.com.contoso.graph://auth"

    private static let tenant: JSONValue = [
        "name": "contoso", "kind": "workforce",
        "apps": [
            "graph": [
                "registration": [
                    "clientId": .string(clientID), "redirectUris": ["native": [.string(redirect)]],
                    "scopes": ["User.Read"], "consent": "user",
                ],
                "client": ["kind": "msal-ios"],
            ]
        ],
        "users": [
            "ada": ["email": "ada@contoso.test", "password": "Analytical-1843", "displayName": "Ada"],
            "bob": ["email": "bob@contoso.test", "password": "Builder-1999", "displayName": "Bob"],
        ],
    ]

    /// A server with a browser in front of it.
    private struct Visit {
        let stage: StateStage

        func send(_ method: String, _ target: String, _ form: FormItems? = nil) async throws -> ResponseMessage {
            try #require(
                await stage.send(method, target, host: "login.microsoftonline.com", body: form?.encoded ?? ""))
        }

        func authorize(_ prompt: String? = nil) async throws -> ResponseMessage {
            var items: FormItems = [
                "client_id": clientID, "response_type": "code", "redirect_uri": redirect,
                "scope": "User.Read openid profile offline_access",
                "code_challenge": PKCE.challenge(StateStage.verifier), "code_challenge_method": "S256", "state": "s",
            ]
            if let prompt { items["prompt"] = prompt }
            return try await send("GET", "/common/oauth2/v2.0/authorize?" + items.encoded)
        }

        /// The text that ties a page's form to its sign-in.
        func context(_ page: ResponseMessage) throws -> String {
            let start = try #require(page.text.range(of: "name=\"ctx\" value=\""), "\(page.text)")
            return String(page.text[start.upperBound...].prefix { $0 != "\"" })
        }

        func login(_ page: ResponseMessage, _ name: String, _ password: String) async throws -> ResponseMessage {
            try await send(
                "POST", "/common/login",
                ["ctx": try context(page), "username": name, "password": password, "action": "accept"])
        }

        func code(_ answer: ResponseMessage) throws -> String {
            let target = try #require(answer.headers["Location"].flatMap { WebURL($0) }, "\(answer.text)")
            return try #require(target.queryItems["code"], "\(target)")
        }

        func token(_ items: FormItems) async throws -> ResponseMessage {
            var form: FormItems = ["client_id": clientID]
            form.append(contentsOf: items)
            return try await send("POST", "/common/oauth2/v2.0/token", form)
        }

        func redeem(_ code: String) async throws -> ResponseMessage {
            try await token([
                "grant_type": "authorization_code", "code": code, "redirect_uri": redirect,
                "code_verifier": StateStage.verifier,
            ])
        }

        func refresh(_ text: String) async throws -> ResponseMessage {
            try await token(["grant_type": "refresh_token", "refresh_token": text])
        }

        /// Signs Ada in and lets her allow the app what it asks for.
        func signIn() async throws -> String {
            let consent = try await login(try await authorize(), "ada@contoso.test", "Analytical-1843")
            #expect(consent.text.contains("action=\"/common/consent\""), "\(consent.text)")
            return try code(
                try await send("POST", "/common/consent", ["ctx": try context(consent), "action": "accept"]))
        }
    }

    @Test func `session, consent, codes and refresh tokens are there after a restart`() async throws {
        let stage = try await StateStage(tenant: Self.tenant)
        let visit = Visit(stage: stage)
        let redeemed = try await visit.signIn()
        let tokens = try await visit.redeem(redeemed)
        let refresh = try #require(tokens.json?["refresh_token"]?.stringValue, "\(tokens.text)")
        let open = try visit.code(try await visit.authorize("none"))
        try await stage.restart()
        let silent = try visit.code(try await visit.authorize("none"))
        #expect(silent != open && silent != redeemed)
        #expect(try await visit.redeem(open).json?["access_token"] != nil)
        #expect(try await visit.redeem(redeemed).json?["error"] == "invalid_grant")
        #expect(try await visit.refresh(refresh).json?["access_token"] != nil)
        // Without the cookie there is a page, and after it no question what the app may do.
        stage.cookies = [:]
        #expect(
            try visit.code(try await visit.login(try await visit.authorize(), "ada@contoso.test", "Analytical-1843"))
                != "")
    }

    @Test func `lockouts and revocations are there after a restart`() async throws {
        let stage = try await StateStage(tenant: Self.tenant)
        let visit = Visit(stage: stage)
        let refresh = try #require(try await visit.redeem(try await visit.signIn()).json?["refresh_token"]?.stringValue)
        stage.cookies = [:]
        stage.clock.time.advance(by: .seconds(5))
        for _ in 0..<10 { _ = try await visit.login(try await visit.authorize(), "bob@contoso.test", "wrong") }
        try await stage.control("PATCH", "/tenant", ["patch": ["users": ["ada": ["password": "Difference-1822"]]]])
        try await stage.restart()
        let locked = try await visit.login(try await visit.authorize(), "bob@contoso.test", "Builder-1999")
        #expect(locked.status == 200 && locked.headers["Location"] == nil, "\(locked.text)")
        #expect(try await visit.refresh(refresh).json?["error"] == "invalid_grant")
        let changed = try await visit.login(try await visit.authorize(), "ada@contoso.test", "Difference-1822")
        #expect(try visit.code(changed) != "")
    }

    @Test func `a reset is one after a restart too, and so is a new beginning`() async throws {
        let stage = try await StateStage(tenant: Self.tenant)
        let visit = Visit(stage: stage)
        for body in [[:], ["to": "start"]] as [JSONValue] {
            let refresh = try #require(
                try await visit.redeem(try await visit.signIn()).json?["refresh_token"]?.stringValue)
            try await stage.control("POST", "/reset", body, expect: 204)
            try await stage.restart()
            #expect(try await visit.refresh(refresh).json?["error"] == "invalid_grant")
            let silent = try #require(try await visit.authorize("none").headers["Location"])
            #expect(
                silent.contains("error=login_required") || silent.contains("error=interaction_required"), "\(silent)")
            stage.cookies = [:]
        }
    }

    @Test func `a row that cannot be read is refused, one of a B2C tenant too`() async throws {
        func takes(_ kind: TenantKind, _ table: RowChange.TableName, _ key: String, _ json: JSONValue) -> Bool {
            var kept = KeptState(run: 2, kind: kind)
            return kept.add(table, key: key, json)
        }
        #expect(takes(.workforce, .consents, "a b", ["scopes": []]))
        #expect(!takes(.workforce, .consents, "a b", ["scopes": [["name": "x"]]]))
        #expect(!takes(.workforce, .sessions, "x", ["accounts": []]))
        #expect(!takes(.workforce, .accounts, "x", .null))
        #expect(!takes(.workforce, .standings, "ada", ["failures": "many"]))
        #expect(!takes(.b2c, .consents, "a b", ["scopes": []]))
    }
}
