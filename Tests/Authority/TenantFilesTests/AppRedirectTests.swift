import JSON
import TenantFiles
import Testing

/// Which redirect URI an app uses.
struct AppRedirectTests {
    /// The settings of an app in a tenant file, what its library sends, and where it gets its answers: a URI with what it
    /// comes from, or a part of the reason why there is none.
    struct Row: CustomTestStringConvertible {
        var kind: ClientKind
        var name: String
        var app: JSONValue
        var sent: AppRedirect
        var used: Result<AppRedirect, NoRedirect>

        var testDescription: String { "\(kind.rawValue), \(name)" }
    }

    private static let standards: [ClientKind: String] = [
        .msalIOS: "msauth.com.contoso.a://auth", .msalMacOS: "msauth.com.contoso.a://auth",
        .msalAndroid: "msauth://com.contoso.a/aGFzaA%3D%3D", .msalBrowser: "https://a.contoso.test/",
        .appAuth: "com.contoso.a://oauth/callback", .web: "https://a.contoso.test/auth/callback",
        .msalDotNet: "http://localhost",
    ]

    private static func rows(_ kind: ClientKind) -> [Row] {
        let standard = standards[kind] ?? ""
        let own = "https://own.test/callback"
        let (first, second) = ("https://first.test/", "https://second.test/")
        let platform = kind.traits.platformType.rawValue
        let other = kind.traits.platformType == .web ? "native" : "web"
        let script = "javascript:alert(1)"
        func row(
            _ name: String, _ redirectURI: String? = nil, _ registered: JSONValue? = nil,
            _ used: Result<(String, AppRedirect.Source), NoRedirect>
        ) -> Row {
            var client: JSONObject = ["kind": .string(kind.rawValue)]
            client["redirectUri"] = redirectURI.map { .string($0) }
            var app: JSONObject = ["client": .object(client)]
            if kind == .msalAndroid { app["platform"] = ["signatureHash": "aGFzaA=="] }
            app["registration"] = registered.map { ["redirectUris": $0] }
            let isLibrarys = redirectURI == nil || redirectURI == standard
            return Row(
                kind: kind, name: name, app: .object(app),
                sent: AppRedirect(uri: redirectURI ?? standard, source: isLibrarys ? .library : .code),
                used: used.map { AppRedirect(uri: $0.0, source: $0.1) })
        }
        let empty = Result<(String, AppRedirect.Source), NoRedirect>.failure(
            NoRedirect("add one to `registration.redirectUris.\(platform)`"))
        let texts: (String...) -> JSONValue = { .array($0.map { .string($0) }) }
        return [
            row("nothing said", nil, nil, .success((standard, .library))),
            row("named by the code", own, nil, .success((own, .code))),
            row("named and registered", own, [platform: texts(first, own)], .success((own, .code))),
            row("named, another registered", own, [platform: texts(first)], .success((own, .code))),
            row("named, none registered", own, [platform: []], .success((own, .code))),
            row(
                "the library's behind another", nil, [platform: texts(first, standard)], .success((standard, .library))),
            row("the library's for another platform", nil, [other: texts(standard)], .success((standard, .library))),
            row("others registered", nil, [platform: texts(first, second)], .success((first, .registration))),
            row(
                "others, of two platforms", nil, [other: texts(second), platform: texts(first)],
                .success((first, .registration))),
            row("one of another platform", nil, [other: texts(second)], .success((second, .registration))),
            row(
                "the library's named, another registered", standard, [platform: texts(first)],
                .success((first, .registration))),
            row("none registered", nil, [platform: []], empty),
            row("a script before another", nil, [platform: texts(script, first)], .success((first, .registration))),
            row("a script alone", nil, [platform: texts(script)], empty),
            row("a script named", script, [platform: texts(script, first)], .failure(NoRedirect("would run script"))),
        ]
    }

    private static func app(_ app: JSONValue) throws -> AppSettings {
        let tenant = try Tenant(
            json: ["name": "contoso", "policies": ["susi": ["type": "signUpOrSignIn"]], "apps": ["a": app]])
        return try #require(tenant.app(named: "a"))
    }

    @Test(arguments: ClientKind.allCases.flatMap(rows))
    func `code, library and registration give the value, in this order, or there is a reason`(row: Row) throws {
        let app = try Self.app(row.app)
        #expect(app.sentRedirect == .success(row.sent))
        switch (app.redirect, row.used) {
        case (.success(let found), .success(let wanted)):
            #expect(found == wanted && app.redirectURI == wanted.uri)
        case (.failure(let found), .failure(let part)):
            #expect(found.reason.contains(part.reason) && found.reason.contains("`a`"), "\(found)")
            #expect(app.redirectURI == nil)
        default: Issue.record("\(app.redirect)")
        }
    }

    /// The URL schemes of Info.plist, and what MSAL for Apple systems makes of them.
    @Test(
        arguments: [
            (ClientKind.msalIOS, nil, "msauth.com.contoso.a://auth"),
            (.msalIOS, ["msauth.com.contoso.a", "msalabc"], "msauth.com.contoso.a://auth"),
            (.msalIOS, ["MSALabc"], "msalabc://auth"),
            // Its own check refuses this one.
            (.msalIOS, ["other"], "msauth.com.contoso.a://auth"), (.msalIOS, [], "msauth.com.contoso.a://auth"),
            (.msalMacOS, ["msalabc"], "msauth.com.contoso.a://auth"),
            (.appAuth, ["msalabc"], "com.contoso.a://oauth/callback"),
        ] as [(ClientKind, [String]?, String)])
    func `MSAL for iOS looks which of its schemes the app registers, on macOS it does not`(
        kind: ClientKind, schemes: [String]?, uri: String
    ) throws {
        var platform = JSONObject()
        platform["urlSchemes"] = schemes.map { .array($0.map { .string($0) }) }
        let app = try Self.app([
            "client": ["kind": .string(kind.rawValue)], "registration": ["clientId": "abc"],
            "platform": .object(platform),
        ])
        #expect(app.sentRedirect == .success(AppRedirect(uri: uri, source: .library)))
        #expect(app.redirect == .success(AppRedirect(uri: uri, source: .library)))
        #expect(app.client.redirectUri == uri)
        #expect(app.registration.redirectUris.native == [uri])
    }

    @Test func `without a tenant file, the reason says what Info.plist lacks`() throws {
        let app = AppSettings {
            $0.client = ClientSettings { $0.clientId = "abc" }
            $0.platform = PlatformSettings {
                $0.bundleId = "com.contoso.a"
                $0.urlSchemes = ["x"]
            }
        }
        let none = NoRedirect("Info.plist registers neither the scheme msauth.com.contoso.a nor msalabc")
        #expect(app.sentRedirect == .failure(none))
    }
}
