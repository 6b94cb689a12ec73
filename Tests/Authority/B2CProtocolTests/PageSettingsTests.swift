import B2CProtocol
import JSON
import Testing

struct PageSettingsTests {
    static let signIn = PageSettings(
        api: "CombinedSigninAndSignup", remoteResource: "https://h/static/tenant/templates/AzureBlue/unified.cshtml",
        retryLimit: 7, trimSpacesInPassword: true, csrf: "QUJD", transId: "StateProperties=eyJUSUQiOiIxIn0",
        pageViewId: "0f6cd20f", pageMode: 1, config: ["showSignupLink": "True", "operatingMode": "Email"],
        tenantPath: "/contoso.onmicrosoft.com/B2C_1_susi", policy: "B2C_1_susi", staticHost: "https://h/static/",
        language: "en", country: "US", tenantBranding: ["bannerLogoUrl": "https://h/l.png"],
        otherSettings: ["future": [1, 2]],
        fields: [
            PageField(
                id: "email", displayName: "E-mail </script><b>", inputType: .emailBox, isRequired: true, verify: true,
                prefilled: "ada@example.test", pattern: "^[a-z]+@x$", patternDescription: "an address", help: "help"),
            PageField(
                id: "country", displayName: "Country", inputType: .dropdownSingleSelect,
                options: [PageOption(value: "SE", display: "Sweden"), PageOption(value: "GB", display: "Britain")]),
            PageField(
                id: "newPassword", displayName: "New \u{2028}Password", inputType: .password, isRequired: true,
                inputValidation: PageInputValidation(groups: [
                    PagePredicateGroup(
                        id: "classes", help: "Three of:", matchAtLeast: 3,
                        predicates: [
                            PagePredicate(
                                id: "length", method: .isLengthRange,
                                parameters: [.init(name: "Minimum", value: "8"), .init(name: "Maximum", value: "64")],
                                help: "8 to 64")
                        ])
                ])),
            PageField(
                id: "emailVerificationControl", inputType: .displayControl,
                displayFields: [
                    PageField(id: "email", displayName: "E-mail", inputType: .emailBox, isRequired: true),
                    PageField(id: "verificationCode", displayName: "Code", isRequired: true),
                ], controlType: "VerificationControl"),
            PageField(id: "odd", inputType: PageInputType(rawValue: "HologramBox"), isReadOnly: true),
        ],
        providers: [
            PageChoice(id: "FacebookExchange", description: "Facebook"),
            PageChoice(id: "ForgotPassword", description: "Forgot?", displayType: "TextLink"),
        ],
        content: ["cancel_message": "The user said &quot;no&quot;", "heading": "Sign in"])

    static func page(_ script: String) -> String {
        "<!DOCTYPE html>\n<!-- Build: 1.1.22.0 -->\n<html><head><script data-container=\"true\" nonce=\"x\">\n\(script)"
            + "</script></head><body></body></html>"
    }

    static let variants: [PageSettings] = {
        var withSanitizer = signIn
        withSanitizer.hasSanitizerPolicy = true
        let phone = PageSettings(
            api: "Phonefactor", config: ["pollLimit": "20"],
            phones: [PagePhone(id: 1, maskedNumber: "XXX-XXX-1234")])
        let entry = PageSettings(api: "Phonefactor", phones: [])
        return [signIn, withSanitizer, phone, entry, PageSettings(api: "SelfAsserted", country: nil)]
    }()

    @Test(arguments: variants)
    func `settings are read as they were written`(_ settings: PageSettings) throws {
        let read = try #require(PageSettings.read(html: Self.page(settings.script())))
        #expect(read == settings)
    }

    @Test func `nothing ends the script element early`() {
        let script = Self.signIn.script()
        #expect(!script.contains("</"))
        #expect(!script.contains("\u{2028}"))
        let order = ["var CP", "var SA_FIELDS", "var CONTENT", "var SETTINGS"]
        let places = order.compactMap { name in script.utf8.count - (script.suffix(from: name)?.utf8.count ?? 0) }
        #expect(places == places.sorted() && places.count == order.count)
    }

    @Test func `settings with a sanitizer are not JSON`() {
        #expect(Self.variants[1].script().contains("function"))
        #expect(!Self.variants[0].script().contains("function"))
    }

    /// The shape of pages captured from live tenants: one line for each global, a JavaScript literal in SETTINGS.
    @Test func `a captured page is read`() throws {
        let html = """
            <!DOCTYPE html>
            <!-- Build: 1.1.20.0 -->
            <!-- StateVersion: 2.1.1 -->
            <html lang="en-US"><head>
            <script data-container="true" nonce="abc+/=">
            var CP = {"list":[]};var SA_FIELDS = {"AttributeFields":[{"UX_INPUT_TYPE":"TextBox","USER_INPUT_TYPE":"TextBox",\
            "IS_TEXT":true,"IS_EMAIL":false,"IS_PASSWORD":false,"ID":"signInName","DN":"Email Address","VERIFY":false,\
            "IS_REQ":true,"IS_RDO":false,"PAT":"^[a-zA-Z0-9.!#$%&amp;'^_`{}~-]+@[a-zA-Z0-9-]+$","OPTIONS":[{"VAL":1,"DISP":"One"}]}]};
            var CONTENT = {"forgotpassword_link":"Forgot your password?","divider_title":"OR"};
            var SETTINGS = {"remoteResource":"https://h/unified.cshtml","retryLimit":3,"trimSpacesInPassword":true,\
            "api":"CombinedSigninAndSignup","csrf":"Vm1==","transId":"StateProperties=eyJ9","pageViewId":"p",\
            "suppressElementCss":false,"isPageViewIdSentWithHeader":true,"allowAutoFocusOnPasswordField":true,"pageMode":0,\
            "config":{"showSignupLink":"True","enableRememberMe":"false"},\
            "sanitizerPolicy":{allowedTags:['a','p'],exclusiveFilter:function(f){return f.tag==='}';}},\
            "hosts":{"tenant":"/contoso.onmicrosoft.com/B2C_1_susi","policy":"B2C_1_susi","static":"https://h/static/"},\
            "locale":{"lang":"en"},"xhrSettings":{"retryEnabled":true}};
            </script>
            <script nonce="abc">window.staticHost = "https://h";</script></head><body></body></html>
            """
        let page = try #require(PageSettings.read(html: html))
        #expect(page.api == "CombinedSigninAndSignup" && page.csrf == "Vm1==" && page.hasSanitizerPolicy)
        #expect(page.tenantPath == "/contoso.onmicrosoft.com/B2C_1_susi" && page.policy == "B2C_1_susi")
        #expect(page.isPageViewIdSentWithHeader && page.locale == "en")
        #expect(page.isOn("showSignupLink") && !page.isOn("enableRememberMe") && !page.isOn("absent"))
        let field = try #require(page.fields.first)
        #expect(field.id == "signInName" && field.isRequired && !field.verify)
        #expect(field.options == [PageOption(value: "1", display: "One")])
        #expect(page.content["divider_title"] == "OR")
        #expect(page.phones == nil && page.providers.isEmpty)
    }

    @Test(arguments: [
        "", "<html></html>", "<script>var SETTINGS = 3;</script>", "<script>var SETTINGS = {\"csrf\":\"x\"};</script>",
        "<script>var SETTINGS = {", "<html><body><form id='auto'></form></body></html>",
    ])
    func `other pages have no settings`(_ html: String) {
        #expect(PageSettings.read(html: html) == nil)
    }
}

extension String {
    fileprivate func suffix(from text: String) -> Substring? {
        var index = startIndex
        while index < endIndex {
            if self[index...].hasPrefix(text) { return self[index...] }
            index = self.index(after: index)
        }
        return nil
    }
}

@Suite struct PageFieldTests {
    private func entry(_ field: PageField) throws -> JSONValue {
        let script = PageSettings(api: "SelfAsserted", fields: [field]).script()
        let line = try #require(script.split(separator: "\n").first { $0.hasPrefix("var SA_FIELDS = ") })
        let text = line.dropFirst("var SA_FIELDS = ".count).dropLast()
        return try #require(try JSONParser.parse(Array(text.utf8))["AttributeFields"]?.arrayValue?.first)
    }

    private func field(_ entry: String) -> PageField? {
        let html =
            "<script>var SA_FIELDS = {\"AttributeFields\":[\(entry)]};\nvar SETTINGS = {\"api\":\"SelfAsserted\"};</script>"
        return PageSettings.read(html: html)?.fields.first
    }

    /// Entries have all members; a reader that gets them makes the same field of them.
    @Test func `a date has its members`() throws {
        let born = PageField(id: "born", displayName: "Born", inputType: .dateTimeDropdown, prefilled: "1990-05-06")
        let object = try entry(born)
        #expect(object["DAY_PRE"] == "6" && object["MONTH_PRE"] == "5" && object["YEAR_PRE"] == "1990")
        #expect(object["IS_DATE"] == .bool(true) && object["IS_TEXT"] == .bool(false))
        #expect(field(JSONWriter.compact(object)) == born)
        let none = try entry(PageField(id: "born", inputType: .dateTimeDropdown, prefilled: "soon"))
        #expect(none["YEAR_PRE"] == "0")
    }

    /// Live pages write the kind of a display control where other fields have their own kind.
    @Test func `the display control of a live page is read`() throws {
        let control = try #require(
            field(
                """
                {"UX_INPUT_TYPE":"VerificationControl","USER_INPUT_TYPE":"DisplayControl","ID":"emailControl",
                "DISPLAY_FIELDS":[{"UX_INPUT_TYPE":"TextBox","USER_INPUT_TYPE":"TextBox","ID":"newEmail","U_HELP":""}]}
                """))
        #expect(control.inputType == .displayControl && control.controlType == "VerificationControl")
        #expect(control.displayFields.map(\.id) == ["newEmail"] && control.displayFields.first?.help == nil)
    }
}
