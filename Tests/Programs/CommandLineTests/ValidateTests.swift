import Testing

@Suite(.blocking) struct ValidateTests {
    private let registration = """
        { "appId": "11111111-2222-3333-4444-555555555555",
          "signInAudience": "AzureADMyOrg", "web": {} }
        """

    private func withTool(_ body: (Tool) throws -> Void) throws {
        let tool = try Tool()
        defer { tool.remove() }
        try body(tool)
    }

    @Test func `findings have their place and remedy, and decide how it ends`() throws {
        try withTool { tool in
            try tool.write(registration, to: "app.json")
            let calm = try tool.run("validate")
            #expect(calm.status == 0 && calm.out.contains("app.json:2:21: warning:"))
            #expect(calm.out.contains("1 app registration: 1 warning"))
            #expect(try tool.run("validate", "--fail-on", "warning").status == 4)
            #expect(try tool.run("validate", "nowhere").status == 2)
        }
    }

    @Test(arguments: ["json", "sarif", "github", "junit"])
    func `every format names rule and file`(format: String) throws {
        try withTool { tool in
            try tool.write(registration, to: "app.json")
            let outcome = try tool.run("validate", "--format", format)
            #expect(outcome.out.contains("B2C-REG-002") && outcome.out.contains("app.json"), "\(outcome.out)")
        }
    }

    @Test func `safe fixes are shown first and applied on demand`() throws {
        try withTool { tool in
            let plist = """
                <plist><dict><key>CFBundleIdentifier</key><string>com.contoso.app</string>
                <key>CFBundleURLTypes</key><array><dict><key>CFBundleURLSchemes</key>
                <array><string>msauth.[BUNDLE_ID]</string></array></dict></array>
                <key>LSApplicationQueriesSchemes</key>
                <array><string>msauthv2</string><string>msauthv3</string></array></dict></plist>
                """
            try tool.write(plist, to: "Info.plist")
            let diff = try tool.run("validate", "--diff")
            #expect(diff.status == 4 && diff.error.contains("+<array><string>msauth.com.contoso.app</string>"))
            #expect(try tool.read("Info.plist") == plist)
            let fixed = try tool.run("validate", "--fix")
            #expect(fixed.error.contains("+<array><string>msauth.com.contoso.app</string>"))
            #expect(fixed.error.contains("1 fix applied"))
            #expect(fixed.status == 0 && fixed.out == "1 Info.plist: all good\n", "\(fixed.out)")
            #expect(try tool.run("validate").status == 0)
        }
    }

    @Test func `a baseline keeps old findings out`() throws {
        try withTool { tool in
            try tool.write(registration, to: "app.json")
            #expect(try tool.run("validate", "--write-baseline", "b.json").status == 0)
            let later = try tool.run("validate", "app.json", "--baseline", "b.json", "--fail-on", "advice")
            #expect(later.status == 0 && later.out.contains("1 suppressed"))
            try tool.write("{}", to: "b.json")
            #expect(try tool.run("validate", "app.json", "--baseline", "b.json").status == 2)
        }
    }

    @Test func `a token is checked and never printed`() throws {
        try withTool { tool in
            try tool.write("m1.opaque-refresh-token", to: "token.txt")
            let outcome = try tool.run("validate", "--token", "token.txt")
            #expect(outcome.status == 4 && outcome.out.contains("FAIL B2C-TOK-001"))
            #expect(!outcome.out.contains("opaque-refresh-token") && !outcome.error.contains("opaque-refresh-token"))
        }
    }
}
