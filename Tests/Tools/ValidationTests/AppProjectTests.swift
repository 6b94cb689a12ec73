import TenantFiles
import Testing

@testable import Validation

struct AppProjectTests {
    private static let plist = """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0">
        <dict>
            <key>CFBundleIdentifier</key><string>com.contoso.app</string>
            <key>LSRequiresIPhoneOS</key><true/>
            <key>CFBundleURLTypes</key>
            <array><dict><key>CFBundleURLSchemes</key><array>
                <string>msauth.com.contoso.app</string>
            </array></dict></array>
            <key>LSApplicationQueriesSchemes</key>
            <array>
                <string>msauthv2</string>
                <string>msauthv3</string>
            </array>
        </dict>
        </plist>
        """
    private static let podfile = "use_frameworks!\ntarget 'App' do\n  pod 'MSAL'\nend\n"
    private static let entitlements = """
        <plist version="1.0"><dict>
        <key>keychain-access-groups</key>
        <array><string>$(AppIdentifierPrefix)com.microsoft.adalcache</string></array>
        </dict></plist>
        """
    private static let delegate = """
        import MSAL
        import UIKit
        class AppDelegate: UIResponder, UIApplicationDelegate {
            func application(_ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]) -> Bool {
                return MSALPublicClientApplication.handleMSALResponse(url, sourceApplication: nil)
            }
        }
        """
    private static let controller = """
        import MSAL
        class ViewController: UIViewController {
            let kClientID = "11111111-2222-3333-4444-555555555555"
            let kRedirectUri = "msauth.com.contoso.app://auth"
            let kSignIn: String = "B2C_1_susi"
            let kEndpoint = "https://%@/tfp/%@/%@"
            let kScopes: [String] = ["https://contoso.onmicrosoft.com/demo/demo.read"]
            func start() throws {
                let signIn = try self.getAuthority(forPolicy: self.kSignIn)
                let config = MSALPublicClientApplicationConfig(clientId: kClientID, redirectUri: kRedirectUri, authority: signIn)
                config.knownAuthorities = [signIn]
            }
        }
        """

    /// The good app with some of its files replaced, or taken out by an empty text.
    private func judge(_ changes: [(String, String)] = []) -> [String] {
        var files = [
            ("Podfile", Self.podfile), ("App/Info.plist", Self.plist), ("App/App.entitlements", Self.entitlements),
            ("App/AppDelegate.swift", Self.delegate), ("App/ViewController.swift", Self.controller),
        ]
        for (name, text) in changes {
            files.removeAll { $0.0 == name }
            if !text.isEmpty { files.append((name, text)) }
        }
        let project = Project(
            files: files.map { ProjectFile(path: $0.0, bytes: Array($0.1.utf8)) }, now: noon)
        return placed(Validator.validate(project))
    }

    @Test func `a good app has no findings`() {
        #expect(judge().isEmpty)
    }

    private func plist(_ old: String, _ new: String) -> (String, String) {
        ("App/Info.plist", Self.plist.replacing(ascii: old, with: new))
    }
    private func controller(_ old: String, _ new: String) -> (String, String) {
        ("App/ViewController.swift", Self.controller.replacing(ascii: old, with: new))
    }

    @Test func `property lists`() {
        #expect(
            judge([plist("msauth.com.contoso.app<", "msauth.[BUNDLE_ID]<")]) == [
                "B2C-APP-003@8", "B2C-APP-004@4",
            ])
        #expect(judge([plist("msauth.com.contoso.app<", "msauth.com.contoso.App<")]) == ["B2C-APP-003@8"])
        #expect(judge([plist("msauth.com.contoso.app<", "msauth.$(PRODUCT_BUNDLE_IDENTIFIER)<")]).isEmpty)
        #expect(judge([plist("<string>msauthv3</string>", "<string>msauthv33</string>")]) == ["B2C-APP-005@11"])
        #expect(judge([plist("<string>msauthv3</string>", "<string>msauthv3</strin>")]) == ["B2C-APP-001@13"])
        let type =
            "<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">"
        #expect(judge([plist("<plist version", "\(type)<plist version")]).isEmpty)
        #expect(
            judge([plist("<plist version", "<!DOCTYPE plist [<!ENTITY a \"b\">]><plist version")]) == ["B2C-APP-001@1"])
        #expect(
            judge([plist("<true/>", "<true></true><!-- </dict> --><key>a&#98;&amp;</key><string>&lt;</string>")])
                .isEmpty)
        // What Xcode does not read.
        #expect(
            judge([plist("<true/>", "<true/><key>URL</key><string>https://a.test?b&c</string>")]) == ["B2C-APP-001@5"])
        #expect(judge([plist("<true/>", "<string>a<b/></string>")]) == ["B2C-APP-001@5"])
        #expect(judge([plist("<true/>", "")]) == ["B2C-APP-001@5"])
        #expect(judge([plist("<true/>", "<true/><true/>")]) == ["B2C-APP-001@5"])
        #expect(judge([plist("</plist>", "<dict/></plist>")]) == ["B2C-APP-001@16"])
        #expect(judge([plist("<dict>", "<dct>")]).first == "B2C-APP-001@3")
    }

    @Test func `entitlements must have the keychain group`() {
        let other = Self.entitlements.replacing(ascii: "adalcache", with: "identity.universalstorage")
        #expect(judge([("App/App.entitlements", other)]) == ["B2C-APP-006@3"])
        let bare = Self.entitlements.replacing(ascii: "$(AppIdentifierPrefix)", with: "")
        #expect(judge([("App/App.entitlements", bare)]) == ["B2C-APP-006@3"])
        let team = Self.entitlements.replacing(ascii: "$(AppIdentifierPrefix)", with: "AB12CD34EF.")
        #expect(judge([("App/App.entitlements", team)]).isEmpty)
        let sandbox = """
            <plist><dict><key>com.apple.security.app-sandbox</key><true/>
            <key>keychain-access-groups</key>
            <array><string>$(AppIdentifierPrefix)com.microsoft.identity.universalstorage</string></array></dict></plist>
            """
        #expect(judge([("App/App.entitlements", sandbox)]) == ["B2C-APP-007@1"])
    }

    @Test func `the way back into the app`() {
        let mute = Self.delegate.replacing(ascii: "MSALPublicClientApplication.handleMSALResponse", with: "other")
        #expect(judge([("App/AppDelegate.swift", mute)]) == ["B2C-APP-008@3"])
        let scene = "import UIKit\nclass SceneDelegate: UIResponder, UIWindowSceneDelegate {}\n"
        #expect(judge([("App/SceneDelegate.swift", scene)]) == ["B2C-APP-008@2"])
        let keeps = scene + "func scene(_ scene: UIScene, openURLContexts c: Set<UIOpenURLContext>) { }\n"
        #expect(judge([("App/SceneDelegate.swift", keeps)]) == ["B2C-APP-008@3"])
        let full = keeps.replacing(
            ascii: "{ }",
            with: "{ MSALPublicClientApplication.handleMSALResponse(c.first!.url, sourceApplication: nil) }")
        #expect(judge([("App/SceneDelegate.swift", "import MSAL\n" + full)]).isEmpty)
    }

    static let lines: [(String, String, [String])] = [
        ("11111111-2222-3333-4444-555555555555", "Your_Application_Id_Here", ["B2C-APP-002@3"]),
        ("msauth.com.contoso.app://auth", "msauth.com.contoso.App://auth", ["B2C-URI-009@4"]),
        ("msauth.com.contoso.app://auth", "https://contoso.example/", ["B2C-URI-019@4"]),
        ("msauth.com.contoso.app://auth", "contoso://auth", ["B2C-APP-004@4"]),
        ("import MSAL\n", "\n", ["B2C-APP-001@10"]),
        ("https://%@/tfp/%@/%@", "http://%@/tfp/%@/%@", ["B2C-APP-015@6"]),
        ("https://%@/tfp/%@/%@", "https://x.b2clogin.com/tfp/x", ["B2C-APP-015@6"]),
        ("https://%@/tfp/%@/%@", "https://x.b2clogin.com/x.onmicrosoft.com/B2C_1_susi", ["B2C-APP-015@6"]),
        (
            "\"https://contoso.onmicrosoft.com/demo/demo.read\"", "\"demo.read\", \"openid\"",
            ["B2C-APP-016@7", "B2C-APP-014@7"]
        ),
        ("https://contoso.onmicrosoft.com/demo/demo.read", "<your-resource-here>/.default", ["B2C-APP-020@7"]),
        ("        config.knownAuthorities = [signIn]\n", "", ["B2C-APP-017@10"]),
        ("let config", "let reset = try self.getAuthority(forPolicy: self.kReset)\nlet config", ["B2C-APP-017@10"]),
        ("let config", "print(\"token \\(result.accessToken)\")\nlet config", ["B2C-APP-024@10"]),
        ("let config", "let w = UIWebView()\nlet config", ["B2C-APP-019@10"]),
        ("let config", "let w = MSALWebviewParameters()\nlet config", ["B2C-APP-026@10"]),
        (
            "let config", "let p = MSALSilentTokenParameters(scopes: s, account: a)\np.loginHint = \"u\"\nlet config",
            ["B2C-APP-018@11"]
        ),
        ("let config", "log(\"\\(error ?? \"none\" as! Error)\")\nlet config", ["B2C-APP-025@10"]),
        ("let config", "assert(true, \"no\")\nlet config", ["B2C-APP-027@10"]),
        ("let config", "if account.homeAccountId?.objectId.hasSuffix(p) == true { }\nlet config", ["B2C-APP-023@10"]),
        (
            "let config", "if code == MSALError.interactionRequired.rawValue { signIn() }\nlog(error)\nlet config",
            ["B2C-APP-029@10"]
        ),
        (
            "let config",
            "if code == MSALError.interactionRequired.rawValue { signIn(); return }\nlog(error)\nlet config", []
        ),
    ]

    @Test(arguments: lines)
    func `a line of code has its findings`(old: String, new: String, wanted: [String]) {
        #expect(judge([controller(old, new)]) == wanted)
    }

    @Test(arguments: [
        ("pod 'MSAL'", "pod 'MSAL'\n  pod 'ADAL', '~> 2.7'", ["B2C-APP-012@4"]),
        ("pod 'MSAL'", "pod 'MSAL'\n  pod 'ADAL', '2.6.10'", ["B2C-APP-012@4"]),
        ("pod 'MSAL'", "pod 'MSAL'\n  pod 'IntuneMAMSwift', '~> 11.0'", ["B2C-APP-013@4"]),
        ("use_frameworks!", "# use_frameworks!", ["B2C-APP-011@1"]),
        ("'App'", "'<your-target-here>'", ["B2C-APP-011@2"]),
    ])
    func `the Podfile`(old: String, new: String, wanted: [String]) {
        #expect(judge([("Podfile", Self.podfile.replacing(ascii: old, with: new))]) == wanted)
    }

    @Test func `one way in, by version`() {
        let cartfile = "github \"AzureAD/microsoft-authentication-library-for-objc\" \"master\"\n"
        #expect(judge([("Cartfile", cartfile)]).sorted() == ["B2C-APP-009@1", "B2C-APP-010@1"])
        #expect(judge([("Cartfile", cartfile), ("Podfile", "")]).sorted() == ["B2C-APP-010@1"])
    }

    @Test func `Objective-C and AuthSettings`() {
        let manager = """
            #import <MSAL/MSAL.h>
            self.client = [[MSALPublicClientApplication alloc] initWithClientId:self.appId error:nil];
            NSLog(@"Got token: %@", result.accessToken);
            """
        let settings = """
            <plist><dict><key>AppId</key><string>YOUR_APP_ID_HERE</string>
            <key>GraphScopes</key><string>User.Read</string></dict></plist>
            """
        #expect(
            judge([
                ("App/AuthenticationManager.m", manager), ("App/AuthSettings.plist", settings), (".gitignore", "*.o\n"),
            ])
                == [
                    "B2C-APP-022@1", "B2C-APP-002@1", "B2C-APP-021@2", "B2C-APP-028@2", "B2C-APP-024@3",
                ])
    }

    @Test func `a project without MSAL is left alone`() {
        let project = project(
            ("Info.plist", "<plist><dict><key>CFBundleIdentifier</key><string>a</string></dict></plist>"),
            ("A.swift", "let clientId = \"x\""))
        #expect(Validator.validate(project).findings.isEmpty)
    }

    @Test func `an app is held against the tenant file`() throws {
        let tenant = try Tenant(
            json: [
                "name": "contoso", "policies": ["susi": ["type": "signUpOrSignIn"]],
                "apps": [
                    "ios": [
                        "client": ["clientId": "11111111-2222-3333-4444-555555555555"],
                        "registration": ["redirectUris": ["native": ["msauth.com.contoso.app2://auth"]]],
                    ]
                ],
            ])
        let source = Self.controller.replacing(
            ascii: "kSignIn: String = \"B2C_1_susi\"", with: "kPolicy = \"B2C_1_sussi\"")
        var project = project(
            ("App/Info.plist", Self.plist), ("App/App.entitlements", Self.entitlements),
            ("App/ViewController.swift", source))
        project.tenant = tenant
        #expect(placed(Validator.validate(project)) == ["B2C-URI-013@4", "B2C-APP-030@5"])
    }
}
