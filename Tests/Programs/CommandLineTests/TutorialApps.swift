/// Small apps in the shape that the tutorials lead to, each without a finding. They share the tutorials' names and values
/// and nothing else.
enum TutorialApps {
    typealias Files = [(path: String, text: String)]

    static let client = "11111111-2222-3333-4444-555555555555"
    static let bundle = "com.microsoft.identitysample.MSALiOS"

    static func files(_ name: String) -> Files {
        switch name {
        case "graph": graph
        case "mac": mac
        case "b2c": b2c
        case "migrated": migrated
        default: mail
        }
    }

    private static func plist(_ body: String) -> String {
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\">\n<dict>\n\(body)\n</dict>\n</plist>\n"
    }

    private static func info(id: String, scheme: String) -> String {
        plist(
            """
            <key>CFBundleIdentifier</key><string>\(id)</string>
            <key>LSRequiresIPhoneOS</key><true/>
            <key>CFBundleURLTypes</key>
            <array><dict><key>CFBundleURLSchemes</key><array>
              <string>\(scheme)</string>
            </array></dict></array>
            <key>LSApplicationQueriesSchemes</key>
            <array>
              <string>msauthv2</string>
              <string>msauthv3</string>
            </array>
            """)
    }

    private static func entitlements(_ group: String, _ more: String = "") -> String {
        plist(
            "<key>keychain-access-groups</key>\n<array><string>$(AppIdentifierPrefix)\(group)</string></array>\n\(more)"
        )
    }

    private static let podfile = "use_frameworks!\n\ntarget 'MSALiOS' do\n  pod 'MSAL', '~> 2.0'\nend\n"

    private static let delegates: Files = [
        (
            "App/AppDelegate.swift",
            """
            import MSAL
            import UIKit
            class AppDelegate: UIResponder, UIApplicationDelegate {
                func application(_ a: UIApplication, open url: URL, options o: [UIApplication.OpenURLOptionsKey: Any]) -> Bool {
                    MSALPublicClientApplication.handleMSALResponse(url, sourceApplication: o[.sourceApplication] as? String)
                }
            }
            """
        ),
        (
            "App/SceneDelegate.swift",
            """
            import MSAL
            import UIKit
            class SceneDelegate: UIResponder, UIWindowSceneDelegate {
                func scene(_ scene: UIScene, openURLContexts all: Set<UIOpenURLContext>) {
                    guard let one = all.first else { return }
                    MSALPublicClientApplication.handleMSALResponse(one.url, sourceApplication: one.options.sourceApplication)
                }
            }
            """
        ),
    ]

    private static func registration(_ uris: String...) -> String {
        """
        { "appId": "\(client)", "signInAudience": "AzureADandPersonalMicrosoftAccount",
          "accessTokenAcceptedVersion": 2,
          "replyUrlsWithType": [ \(uris.map { "{ \"url\": \"\($0)\", \"type\": \"InstalledClient\" }" }.joined(separator: ", ")) ] }
        """
    }

    /// S0 on iOS.
    private static let graph: Files =
        [
            ("Podfile", podfile), ("App/Info.plist", info(id: bundle, scheme: "msauth.\(bundle)")),
            ("App/App.entitlements", entitlements("com.microsoft.adalcache")),
            ("registration.json", registration("msauth.\(bundle)://auth")),
            (
                "App/ViewController.swift",
                """
                import MSAL
                import UIKit
                let kClientID = "\(client)"
                let kAuthority = "https://login.microsoftonline.com/common"
                let kGraphEndpoint = "https://graph.microsoft.com/"
                let kScopes: [String] = ["user.read"]
                class ViewController: UIViewController {
                    var accessToken = String()
                    func start() throws {
                        let authority = try MSALAADAuthority(url: URL(string: kAuthority)!)
                        let config = MSALPublicClientApplicationConfig(clientId: kClientID, redirectUri: nil, authority: authority)
                        self.application = try MSALPublicClientApplication(configuration: config)
                        self.views = MSALWebviewParameters(authPresentationViewController: self)
                    }
                    func show() {
                        var request = URLRequest(url: URL(string: kGraphEndpoint + "v1.0/me/")!)
                        request.setValue("Bearer \\(self.accessToken)", forHTTPHeaderField: "Authorization")
                        URLSession.shared.dataTask(with: request) { data, response, error in
                            guard let data, (response as? HTTPURLResponse)?.statusCode == 200 else { return }
                            self.log(data)
                        }.resume()
                    }
                    func signOut() {
                        application.signout(with: account, signoutParameters: parameters) { _, _ in self.accessToken = "" }
                    }
                }
                """
            ),
        ] + delegates

    /// S0 on macOS.
    private static let mac: Files = [
        ("Cartfile", "github \"AzureAD/microsoft-authentication-library-for-objc\" ~> 2.0\n"),
        (
            "App/Info.plist",
            plist(
                "<key>CFBundleIdentifier</key><string>\(bundle)</string>\n<key>NSPrincipalClass</key><string>NSApplication</string>"
            )
        ),
        (
            "App/App.entitlements",
            entitlements(
                "com.microsoft.identity.universalstorage",
                """
                <key>com.apple.security.app-sandbox</key><true/>
                <key>com.apple.security.network.client</key><true/>
                """)
        ),
        (
            "App/ViewController.swift",
            """
            import Cocoa
            import MSAL
            let kClientID = "\(client)"
            class ViewController: NSViewController {
                func views() -> MSALWebviewParameters { MSALWebviewParameters(authPresentationViewController: self) }
            }
            """
        ),
    ]

    /// S2.
    private static let b2c: Files =
        [
            ("Podfile", podfile),
            ("App/Info.plist", info(id: "$(PRODUCT_BUNDLE_IDENTIFIER)", scheme: "msauth.\(bundle)")),
            ("App.xcodeproj/project.pbxproj", "\tPRODUCT_BUNDLE_IDENTIFIER = \(bundle);\n"),
            ("App/App.entitlements", entitlements("com.microsoft.adalcache")),
            ("registration.json", registration("msauth.\(bundle)://auth")),
            (
                "App/ViewController.swift",
                """
                import MSAL
                import UIKit
                class ViewController: UIViewController {
                    let kTenantName = "fabrikamb2c.onmicrosoft.com"
                    let kAuthorityHostName = "fabrikamb2c.b2clogin.com"
                    let kClientID = "\(client)"
                    let kRedirectUri = "msauth.\(bundle)://auth"
                    let kSignupOrSigninPolicy = "b2c_1_susi"
                    let kEditProfilePolicy = "b2c_1_edit_profile"
                    let kResetPasswordPolicy = "b2c_1_reset"
                    let kGraphURI = "https://fabrikamb2chello.azurewebsites.net/hello"
                    let kScopes: [String] = ["https://fabrikamb2c.onmicrosoft.com/helloapi/demo.read"]
                    let kEndpoint = "https://%@/tfp/%@/%@"
                    var accessToken: String?
                    func start() throws {
                        let signIn = try self.getAuthority(forPolicy: self.kSignupOrSigninPolicy)
                        let edit = try self.getAuthority(forPolicy: self.kEditProfilePolicy)
                        let reset = try self.getAuthority(forPolicy: self.kResetPasswordPolicy)
                        let config = MSALPublicClientApplicationConfig(clientId: kClientID, redirectUri: kRedirectUri, authority: signIn)
                        config.knownAuthorities = [signIn, edit, reset]
                        self.application = try MSALPublicClientApplication(configuration: config)
                    }
                    func getAuthority(forPolicy policy: String) throws -> MSALB2CAuthority {
                        try MSALB2CAuthority(url: URL(string: String(format: kEndpoint, kAuthorityHostName, kTenantName, policy))!)
                    }
                    func refresh(_ account: MSALAccount) {
                        let parameters = MSALSilentTokenParameters(scopes: kScopes, account: account)
                        application.acquireTokenSilent(with: parameters) { result, error in
                            guard let result else {
                                if (error as NSError?)?.code == MSALError.interactionRequired.rawValue {
                                    self.ask(account)
                                    return
                                }
                                self.log("no token: \\(String(describing: error))")
                                return
                            }
                            self.accessToken = result.accessToken
                        }
                    }
                    func signOut(_ account: MSALAccount) throws {
                        try application.remove(account)
                        accessToken = nil
                    }
                }
                """
            ),
        ] + delegates

    /// S3, in both languages.
    private static let migrated: Files = [
        ("Podfile", podfile), ("App/Info.plist", info(id: bundle, scheme: "msauth.\(bundle)")),
        ("App/App.entitlements", entitlements("com.microsoft.adalcache")),
        ("App.xcodeproj/project.pbxproj", "\tDEVELOPMENT_TEAM = AB12CD34EF;\n\tDEVELOPMENT_TEAM = AB12CD34EF;\n"),
        (
            "registration.json",
            registration(
                "msauth.\(bundle)://auth",
                "msauth://code/msauth.\(bundle)%3A%2F%2Fauth")
        ),
        (
            "App/AppDelegate.m",
            """
            #import <MSAL/MSAL.h>
            @implementation AppDelegate
            - (BOOL)application:(UIApplication *)app openURL:(NSURL *)url options:(NSDictionary *)options
            {
                return [MSALPublicClientApplication handleMSALResponse:url sourceApplication:nil];
            }
            @end
            """
        ),
        (
            "App/Tokens.swift",
            """
            import MSAL
            let kClientID = "\(client)"
            let kScopes: [String] = ["https://graph.microsoft.com/.default"]
            func same(_ a: MSALAccount, _ b: MSALAccount) -> Bool { a.identifier == b.identifier }
            func check(_ error: Error?) { if error == nil { assertionFailure("neither result nor error") } }
            """
        ),
    ]

    /// S4.
    private static let mail: Files = [
        ("Podfile", podfile), (".gitignore", "Pods/\nAuthSettings.plist\n"),
        ("App/Info.plist", info(id: "com.contoso.GraphTutorial", scheme: "msauth.$(PRODUCT_BUNDLE_IDENTIFIER)")),
        ("App/App.entitlements", entitlements("com.microsoft.adalcache")),
        (
            "App/AuthSettings.plist",
            plist(
                """
                <key>AppId</key><string>\(client)</string>
                <key>GraphScopes</key><array><string>User.Read</string><string>Calendars.Read</string></array>
                """)
        ),
        (
            "App/AppDelegate.m",
            """
            #import <MSAL/MSAL.h>
            @implementation AppDelegate
            - (BOOL)application:(UIApplication *)app openURL:(NSURL *)url options:(NSDictionary *)options {
                return [MSALPublicClientApplication handleMSALResponse:url sourceApplication:nil];
            }
            @end
            """
        ),
        (
            "App/AuthenticationManager.m",
            """
            #import <MSAL/MSAL.h>
            - (void)setUp {
                NSString *path = [NSBundle.mainBundle pathForResource:@"AuthSettings" ofType:@"plist"];
                NSError *error = nil;
                self.client = [[MSALPublicClientApplication alloc] initWithClientId:self.appId error:&error];
            }
            - (void)getTokenInteractively:(UIViewController *)parent {
                MSALWebviewParameters *views = [[MSALWebviewParameters alloc] initWithAuthPresentationViewController:parent];
                id parameters = [[MSALInteractiveTokenParameters alloc] initWithScopes:self.scopes webviewParameters:views];
                NSLog(@"asking for a token");
            }
            """
        ),
        (
            "App/SignInViewController.m",
            """
            #import "AuthenticationManager.h"
            - (void)signIn {
                [self.manager getTokenInteractively:self completion:^(NSString *token, NSError *error) {
                    if (error.code == MSALErrorUserCanceled) { return; }
                    if (error) { [self show:[UIAlertController alertControllerWithTitle:@"Sorry" message:nil preferredStyle:1]]; }
                }];
            }
            """
        ),
    ]
}
