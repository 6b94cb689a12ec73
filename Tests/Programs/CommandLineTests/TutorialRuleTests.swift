import Foundation
import JSON
import TestSupport
import Testing

/// Every pair of a tutorial's row and a rule: an app in a folder, typed wrong and typed right.
@Suite(.blocking) struct TutorialRuleTests {
    struct Edit: Sendable {
        var file: String
        /// `nil`: the file is new, or replaced whole.
        var old: String?
        /// `nil`: the file is taken away.
        var new: String?
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var row: String
        var rule: String
        var app: String
        var bad: [Edit]
        /// Another right form than the app's own.
        var good: [Edit] = []
        var tenant: String?
        var testDescription: String { "\(row) \(rule)" }
    }

    private static func edit(_ file: String, _ old: String, _ new: String) -> Edit {
        Edit(file: file, old: old, new: new)
    }
    private static func whole(_ file: String, _ text: String?) -> Edit { Edit(file: file, old: nil, new: text) }
    private static let view = "App/ViewController.swift"
    private static let plist = "App/Info.plist"
    private static let id = TutorialApps.bundle
    private static let adal = "use_frameworks!\ntarget 'MSALiOS' do\n  pod 'MSAL', '~> 2.0'\n"

    static let cases: [Case] = graph + b2c + migrated + mail

    private static let graph: [Case] = [
        Case(
            row: "C02", rule: "URI-007", app: "graph",
            bad: [edit("registration.json", "InstalledClient", "Web")]),
        Case(
            row: "C02", rule: "URI-013", app: "graph",
            bad: [edit("registration.json", "msauth.\(id)", "msauth.com.contoso.other")]),
        Case(
            row: "C02", rule: "REG-002", app: "graph",
            bad: [edit("registration.json", "AzureADandPersonalMicrosoftAccount", "AzureADMyOrg")]),
        Case(row: "C03", rule: "APP-011", app: "graph", bad: [edit("Podfile", "MSALiOS", "<your-target-here>")]),
        Case(row: "C03", rule: "APP-011", app: "graph", bad: [edit("Podfile", "use_frameworks!", "")]),
        Case(row: "C03", rule: "APP-009", app: "graph", bad: [edit("Podfile", "pod 'MSAL', '~> 2.0'", "")]),
        Case(
            row: "C04", rule: "APP-009", app: "mac", bad: [whole("Podfile", adal + "end\n")],
            good: [whole("Cartfile", nil), whole("Podfile", adal + "end\n")]),
        Case(
            row: "C04", rule: "APP-010", app: "mac", bad: [edit("Cartfile", "~> 2.0", "\"master\"")],
            good: [edit("Cartfile", "~> 2.0", "\"2.1.0\"")]),
        Case(row: "C05", rule: "APP-001", app: "graph", bad: [edit(view, "import MSAL\n", "")]),
        Case(row: "C05", rule: "APP-001", app: "graph", bad: [edit("App/AppDelegate.swift", "import MSAL\n", "")]),
        Case(row: "C05", rule: "APP-001", app: "graph", bad: [edit("App/SceneDelegate.swift", "import MSAL\n", "")]),
        Case(
            row: "C06", rule: "APP-002", app: "graph",
            bad: [edit(view, TutorialApps.client, "Your_Application_Id_Here")]),
        Case(row: "C06", rule: "APP-002", app: "graph", bad: [edit(view, TutorialApps.client, "1234")]),
        Case(
            row: "C06", rule: "APP-014", app: "graph", bad: [edit(view, "\"user.read\"", "\"user.read\", \"profile\"")],
            good: [edit(view, "\"user.read\"", "\"user.read\", \"calendars.read\"")]),
        Case(
            row: "C06", rule: "APP-031", app: "graph",
            bad: [edit(view, "microsoftonline.com/common", "microsoftonline.com")],
            good: [edit(view, "microsoftonline.com/common", "microsoftonline.com/contoso.onmicrosoft.com")]),
        Case(row: "C06", rule: "APP-031", app: "graph", bad: [edit(view, "https://login", "http://login")]),
        Case(
            row: "C06", rule: "APP-031", app: "graph",
            bad: [
                edit(
                    view, "login.microsoftonline.com/common", "contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/b2c_1_a"
                )
            ]
        ),
        Case(
            row: "C06", rule: "APP-015", app: "graph",
            bad: [edit(view, "login.microsoftonline.com/common", "contoso.b2clogin.com/tfp/contoso")]),
        Case(
            row: "C06", rule: "REG-001", app: "graph",
            bad: [edit("registration.json", TutorialApps.client, "Your_Application_Id_Here")]),
        Case(
            row: "C07", rule: "APP-006", app: "graph",
            bad: [edit("App/App.entitlements", "adalcache", "identity.universalstorage")]),
        Case(
            row: "C07", rule: "APP-006", app: "mac",
            bad: [edit("App/App.entitlements", "identity.universalstorage", "adalcache")]),
        Case(row: "C07", rule: "APP-006", app: "graph", bad: [whole("App/App.entitlements", nil)]),
        Case(
            row: "C08", rule: "APP-003", app: "graph",
            bad: [edit(plist, "<string>msauth.\(id)", "<string>msauth.[BUNDLE_ID]")]),
        Case(
            row: "C08", rule: "APP-003", app: "graph",
            bad: [edit(plist, "<string>msauth.\(id)", "<string>msauth.\(id.lowercased())")]),
        Case(
            row: "C08", rule: "URI-009", app: "graph",
            bad: [edit(view, "redirectUri: nil", "redirectUri: \"msauth.\(id.lowercased())://auth\"")],
            good: [edit(view, "redirectUri: nil", "redirectUri: \"msauth.\(id)://auth\"")]),
        Case(row: "C09", rule: "APP-005", app: "graph", bad: [edit(plist, "  <string>msauthv3</string>\n", "")]),
        Case(row: "C09", rule: "APP-005", app: "graph", bad: [edit(plist, "  <string>msauthv2</string>\n", "")]),
        Case(
            row: "C10", rule: "APP-007", app: "mac",
            bad: [edit("App/App.entitlements", "<key>com.apple.security.network.client</key><true/>", "")]),
        Case(
            row: "C11", rule: "APP-008", app: "graph",
            bad: [
                whole("App/SceneDelegate.swift", nil), edit("App/AppDelegate.swift", "handleMSALResponse", "forget"),
            ],
            good: [whole("App/SceneDelegate.swift", nil)]),
        Case(
            row: "C11", rule: "APP-008", app: "graph",
            bad: [edit("App/SceneDelegate.swift", "MSALPublicClientApplication.handleMSALResponse", "forget")]),
        Case(
            row: "C11", rule: "APP-008", app: "graph",
            bad: [edit("App/SceneDelegate.swift", "openURLContexts", "other")]),
        Case(
            row: "S1", rule: "APP-041", app: "graph",
            bad: [whole("App/Other.swift", "import MSAL\nlet kScopes: [String] = [\"mail.read\"]\n")],
            good: [whole("App/Other.swift", "import MSAL\nlet kScopes: [String] = [\"user.read\"]\n")]),
        Case(
            row: "R06", rule: "APP-026", app: "mac",
            bad: [edit(view, "MSALWebviewParameters(authPresentationViewController: self)", "MSALWebviewParameters()")]),
        Case(
            row: "R20", rule: "APP-032", app: "graph",
            bad: [edit(view, "https://graph.microsoft.com/", "http://graph.microsoft.com/")],
            good: [edit(view, "https://graph.microsoft.com/", "https://graph.microsoft.com")]),
        Case(
            row: "R20", rule: "APP-032", app: "graph",
            bad: [edit(view, "https://graph.microsoft.com/", "https://graph.microsoft.com/v1.0/")]),
        Case(
            row: "R21", rule: "APP-033", app: "graph",
            bad: [edit(view, ", (response as? HTTPURLResponse)?.statusCode == 200", "")]),
        Case(row: "R21", rule: "APP-034", app: "graph", bad: [edit(view, "self.log(data)", "self.log(data!)")]),
    ]

    private static let b2c: [Case] = [
        Case(
            row: "B01", rule: "APP-003", app: "b2c",
            bad: [edit("App.xcodeproj/project.pbxproj", id, "contoso.com.MSALiOS")]),
        Case(
            row: "B01", rule: "APP-004", app: "b2c",
            bad: [edit(plist, "<string>msauth.\(id)", "<string>msauth.contoso.com.MSALiOS")],
            good: [edit(plist, "<string>msauth.\(id)", "<string>msauth.$(PRODUCT_BUNDLE_IDENTIFIER)")]),
        Case(
            row: "B01", rule: "URI-009", app: "b2c",
            bad: [edit("App.xcodeproj/project.pbxproj", id, "contoso.com.MSALiOS")]),
        Case(row: "B02", rule: "APP-011", app: "b2c", bad: [edit("Podfile", "MSALiOS", "<your-target-here>")]),
        Case(row: "B02", rule: "APP-009", app: "b2c", bad: [edit("Podfile", "pod 'MSAL', '~> 2.0'", "# pods")]),
        Case(
            row: "B03", rule: "APP-003", app: "b2c",
            bad: [edit(plist, "<string>msauth.\(id)", "<string>msauth.\(id.lowercased())")]),
        Case(
            row: "B03", rule: "APP-004", app: "b2c",
            bad: [edit(plist, "<string>msauth.\(id)", "<string>fabrikam")]),
        Case(row: "B03", rule: "APP-005", app: "b2c", bad: [edit(plist, "msauthv3", "msauthv33")]),
        Case(row: "B03", rule: "URI-008", app: "b2c", bad: [edit(view, "\(id)://auth", "\(id):auth")]),
        Case(row: "B03", rule: "URI-009", app: "b2c", bad: [edit(view, "\(id)://auth", "\(id.lowercased())://auth")]),
        Case(row: "B03", rule: "URI-013", app: "b2c", bad: [edit("registration.json", "://auth", "://auth/")]),
        Case(
            row: "B04", rule: "APP-015", app: "b2c",
            bad: [edit(view, "https://%@/tfp/%@/%@", "https://%@/tfp/%@")]),
        Case(row: "B04", rule: "APP-015", app: "b2c", bad: [edit(view, "https://%@/tfp/%@/%@", "https://%@/%@/%@")]),
        Case(
            row: "B04", rule: "APP-016", app: "b2c",
            bad: [edit(view, "https://fabrikamb2c.onmicrosoft.com/helloapi/demo.read", "demo.read")]),
        Case(
            row: "B04", rule: "APP-030", app: "b2c",
            bad: [edit(view, "\"b2c_1_susi\"", "\"b2c_1_sussi\"")], tenant: tenant),
        Case(
            row: "B04", rule: "APP-035", app: "b2c",
            bad: [edit(view, "    let kClientID = \"\(TutorialApps.client)\"\n", "")]),
        Case(
            row: "B04", rule: "APP-035", app: "b2c",
            bad: [edit(view, "\"fabrikamb2c.b2clogin.com\"", "\"https://fabrikamb2c.b2clogin.com\"")],
            good: [edit(view, "\"fabrikamb2c.b2clogin.com\"", "\"login.fabrikam.example\"")]),
        Case(
            row: "B04", rule: "APP-035", app: "b2c",
            bad: [edit(view, "\"fabrikamb2c.onmicrosoft.com\"", "\"fabrikamb2c\"")]),
        Case(row: "B04", rule: "APP-035", app: "b2c", bad: [edit(view, "\"b2c_1_reset\"", "\"reset\"")]),
        Case(row: "B06", rule: "APP-017", app: "b2c", bad: [edit(view, ", reset]", "]")]),
        Case(
            row: "B09", rule: "APP-025", app: "b2c",
            bad: [edit(view, "String(describing: error)", "error ?? \"none\" as! Error")]),
        Case(
            row: "B17", rule: "APP-018", app: "b2c",
            bad: [edit(view, "account: account)\n", "account: account)\n        parameters.loginHint = \"username\"\n")]
        ),
        Case(
            row: "B18", rule: "APP-029", app: "b2c",
            bad: [edit(view, "self.ask(account)\n                    return", "self.ask(account)")]),
        Case(
            row: "B21", rule: "APP-025", app: "b2c",
            bad: [
                edit(
                    view, "accessToken = nil", "accessToken = nil\n        log(\"\\(error ?? \"no data\" as! Error)\")")
            ]),
        Case(row: "B23", rule: "APP-036", app: "b2c", bad: [edit(view, "accessToken = nil", "log(\"signed out\")")]),
    ]

    private static let tenant = """
        { "name": "fabrikam",
          "policies": { "susi": { "id": "b2c_1_susi" }, "edit": { "id": "b2c_1_edit_profile", "type": "profileEditing" },
                        "reset": { "id": "b2c_1_reset", "type": "passwordReset" } },
          "apps": { "ios": { "client": { "kind": "msal-ios", "clientId": "\(TutorialApps.client)",
                                         "redirectUri": "msauth.\(id)://auth" } } } }
        """

    private static let migrated: [Case] = [
        Case(
            row: "M03", rule: "APP-020", app: "migrated",
            bad: [edit("App/Tokens.swift", "https://graph.microsoft.com/.default", "<your-resource-here>/.default")],
            good: [
                edit(
                    "App/Tokens.swift", "https://graph.microsoft.com/.default", "https://graph.microsoft.com//.default")
            ]),
        Case(
            row: "M04", rule: "APP-019", app: "migrated",
            bad: [edit("App/Tokens.swift", "import MSAL\n", "import MSAL\nlet old = UIWebView()\n")],
            good: [edit("App/Tokens.swift", "import MSAL\n", "import MSAL\nlet new = WKWebView()\n")]),
        Case(
            row: "M07", rule: "APP-023", app: "migrated",
            bad: [
                edit(
                    "App/Tokens.swift", "a.identifier == b.identifier",
                    "a.homeAccountId?.objectId.hasSuffix(policy) == true")
            ]),
        Case(
            row: "M11", rule: "APP-003", app: "migrated",
            bad: [edit(plist, "<string>msauth.\(id)</string>", "<string>contoso</string>")]),
        Case(
            row: "M11", rule: "APP-004", app: "migrated",
            bad: [edit("App/Tokens.swift", "let kScopes", "let kRedirectUri = \"contoso://auth\"\nlet kScopes")]),
        Case(row: "M11", rule: "APP-005", app: "migrated", bad: [edit(plist, "  <string>msauthv2</string>\n", "")]),
        Case(
            row: "M11", rule: "APP-008", app: "migrated",
            bad: [edit("App/AppDelegate.m", "handleMSALResponse", "forget")]),
        Case(
            row: "M12", rule: "APP-013", app: "migrated",
            bad: [whole("Other/Podfile", "use_frameworks!\ntarget 'Other' do\n  pod 'ADAL', '~> 2.6.0'\nend\n")],
            good: [whole("Other/Podfile", "use_frameworks!\ntarget 'Other' do\n  pod 'ADAL', '~> 2.7.1'\nend\n")]),
        Case(
            row: "M12", rule: "APP-013", app: "migrated",
            bad: [whole("X/X.csproj", xamarin("Microsoft.Identity.Client", "2.3.1"))],
            good: [whole("X/X.csproj", xamarin("Microsoft.Identity.Client", "2.4.0"))]),
        Case(
            row: "M12", rule: "APP-013", app: "migrated",
            bad: [whole("X/X.csproj", xamarin("Microsoft.IdentityModel.Clients.ActiveDirectory", "3.19.8"))],
            good: [whole("X/X.csproj", xamarin("Microsoft.IdentityModel.Clients.ActiveDirectory", "4.4.2"))]),
        Case(
            row: "M12", rule: "APP-037", app: "migrated",
            bad: [
                edit("App.xcodeproj/project.pbxproj", "DEVELOPMENT_TEAM = AB12CD34EF", "DEVELOPMENT_TEAM = ZZ99ZZ99ZZ")
            ]),
        Case(
            row: "M13", rule: "APP-013", app: "migrated",
            bad: [whole("Podfile", adal + "  pod 'IntuneMAMSwift', '~> 11.0'\nend\n")],
            good: [whole("Podfile", adal + "  pod 'IntuneMAMSwift', '~> 11.1.2'\nend\n")]),
        Case(
            row: "M14", rule: "APP-012", app: "migrated",
            bad: [whole("Podfile", adal + "  pod 'ADAL', '~> 2.7'\nend\n")]),
        Case(
            row: "M14", rule: "APP-012", app: "migrated",
            bad: [whole("Podfile", adal + "  pod 'ADAL', '2.6.10'\nend\n")]),
        Case(
            row: "M15", rule: "URI-011", app: "migrated",
            bad: [edit("registration.json", "%3A%2F%2Fauth", "://auth")]),
        Case(
            row: "M15", rule: "URI-011", app: "migrated",
            bad: [edit("registration.json", "code/msauth.\(id)", "code/msauth.com.contoso.other")]),
        Case(
            row: "M15", rule: "URI-013", app: "migrated",
            bad: [edit("registration.json", "\"msauth.\(id)://auth\"", "\"contoso://auth\"")]),
        Case(
            row: "M16", rule: "APP-003", app: "migrated",
            bad: [edit(plist, "<string>msauth.\(id)", "<string>msauth.<app.bundle.id>")]),
        Case(
            row: "M16", rule: "APP-003", app: "migrated",
            bad: [
                edit(
                    plist, "<key>CFBundleURLTypes</key>\n<array><dict><key>CFBundleURLSchemes</key><array>",
                    "<key>CFBundleURLSchemes</key><array>"),
                edit(plist, "</array></dict></array>", "</array>"),
            ]),
        Case(row: "M16", rule: "APP-005", app: "migrated", bad: [edit(plist, "msauthv3", "msauthv4")]),
        Case(
            row: "M16", rule: "APP-008", app: "migrated",
            bad: [whole("App/SceneDelegate.m", sceneDelegate("forget"))],
            good: [whole("App/SceneDelegate.m", sceneDelegate("handleMSALResponse"))]),
        Case(
            row: "M16", rule: "APP-038", app: "migrated",
            bad: [edit("App/AppDelegate.m", "options:(NSDictionary *)options", "options:(NSDictionary *)options`")]),
        Case(
            row: "M17", rule: "APP-006", app: "migrated",
            bad: [edit("App/App.entitlements", "com.microsoft.adalcache", "com.contoso.cache")]),
        Case(
            row: "M20", rule: "APP-027", app: "migrated",
            bad: [edit("App/Tokens.swift", "assertionFailure(", "assert(true, ")]),
    ]

    private static func xamarin(_ package: String, _ version: String) -> String {
        """
        <Project><ItemGroup><Reference Include="Xamarin.iOS" />
        <PackageReference Include="\(package)" Version="\(version)" /></ItemGroup></Project>
        """
    }

    private static func sceneDelegate(_ method: String) -> String {
        """
        #import <MSAL/MSAL.h>
        - (void)scene:(UIScene *)scene openURLContexts:(NSSet<UIOpenURLContext *> *)all
        {
            [MSALPublicClientApplication \(method):all.anyObject.URL sourceApplication:nil];
        }
        """
    }

    private static let manager = "App/AuthenticationManager.m"

    private static let mail: [Case] = [
        Case(
            row: "G01", rule: "APP-002", app: "mail",
            bad: [edit("App/AuthSettings.plist", TutorialApps.client, "YOUR_APP_ID_HERE")]),
        Case(
            row: "G01", rule: "APP-021", app: "mail",
            bad: [
                edit(
                    "App/AuthSettings.plist",
                    "<array><string>User.Read</string><string>Calendars.Read</string></array>",
                    "<string>User.Read Calendars.Read</string>")
            ]),
        Case(row: "G01", rule: "APP-021", app: "mail", bad: [whole("App/AuthSettings.plist", nil)]),
        Case(row: "G01", rule: "APP-022", app: "mail", bad: [whole(".gitignore", "Pods/\n")]),
        Case(row: "G01", rule: "APP-022", app: "mail", bad: [whole(".gitignore", nil)]),
        Case(
            row: "G02", rule: "APP-003", app: "mail",
            bad: [edit(plist, "msauth.$(PRODUCT_BUNDLE_IDENTIFIER)", "contoso")]),
        Case(
            row: "G02", rule: "APP-006", app: "mail",
            bad: [edit("App/App.entitlements", "$(AppIdentifierPrefix)", "")]),
        Case(
            row: "G02", rule: "APP-008", app: "mail", bad: [edit("App/AppDelegate.m", "handleMSALResponse", "forget")]),
        Case(row: "G03", rule: "APP-028", app: "mail", bad: [edit(manager, "error:&error", "error:nil")]),
        Case(
            row: "G04", rule: "APP-039", app: "mail",
            bad: [edit(manager, "initWithAuthPresentationViewController", "initWithParentViewController")]),
        Case(
            row: "G08", rule: "APP-024", app: "mail",
            bad: [edit(manager, "NSLog(@\"asking for a token\")", "NSLog(@\"Got token: %@\", result.accessToken)")]),
        Case(
            row: "G11", rule: "APP-040", app: "mail",
            bad: [edit("App/SignInViewController.m", "if (error.code == MSALErrorUserCanceled) { return; }", "")]),
    ]

    // MARK: Validating

    /// Rules of the findings for an app after some edits, each as `APP-001`.
    private func judge(_ app: String, _ edits: [Edit], tenant: String?) throws -> [String] {
        let tool = try Tool()
        defer { tool.remove() }
        var files = TutorialApps.files(app)
        for edit in edits {
            if let old = edit.old {
                let index = try #require(files.firstIndex { $0.path == edit.file }, "no file \(edit.file)")
                let parts = files[index].text.components(separatedBy: old)
                try #require(parts.count > 1, "\(edit.file) does not hold \(old)")
                files[index].text = parts[0] + (edit.new ?? "") + parts.dropFirst().joined(separator: old)
            } else {
                files.removeAll { $0.path == edit.file }
                if let new = edit.new { files.append((edit.file, new)) }
            }
        }
        for file in files { try tool.write(file.text, to: "app/\(file.path)") }
        var arguments = ["validate", "app", "--format", "json"]
        if let tenant {
            try tool.write(tenant, to: "tenant.json")
            arguments += ["--tenant", "tenant.json"]
        }
        let outcome = try tool.run(arguments)
        let report = try JSONParser.parse(Array(outcome.out.utf8))
        return try #require(report["findings"]?.arrayValue, "\(outcome.error)").map { finding in
            String((finding["rule"]?.stringValue ?? "").dropFirst("B2C-".count))
        }
    }

    @Test(arguments: cases)
    func `wrong is found, right is not`(_ one: Case) throws {
        let bad = try judge(one.app, one.bad, tenant: one.tenant)
        #expect(bad.contains(one.rule), "found: \(bad)")
        guard !one.good.isEmpty else { return }
        let good = try judge(one.app, one.good, tenant: one.tenant)
        #expect(good.isEmpty, "\(good)")
    }

    @Test(arguments: ["graph", "mac", "b2c", "migrated", "mail"])
    func `the apps as they should be have no findings`(app: String) throws {
        let found = try judge(app, [], tenant: app == "b2c" ? Self.tenant : nil)
        #expect(found.isEmpty, "\(found)")
    }

    /// The table in docs and the cases name the same pairs.
    @Test func `every row of the document is tried`() throws {
        let text = String(decoding: try TestFiles.bytes("docs/tutorial-rules.md"), as: UTF8.self)
        var documented: Set<String> = []
        for line in text.split(separator: "\n") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 3, cells[2].hasPrefix("[") else { continue }
            for part in cells[2].components(separatedBy: "[B2C-").dropFirst() {
                documented.insert("\(cells[0]) \(part.prefix { $0 != "]" })")
            }
        }
        #expect(documented.count > 50)
        #expect(documented == Set(Self.cases.map(\.testDescription)))
    }
}
