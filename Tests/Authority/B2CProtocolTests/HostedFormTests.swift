import B2CProtocol
import JSON
import Testing

/// What a hosted page sends, byte for byte.
struct HostedFormTests {
    static let typed = [
        "email": "ada@example.test", "password": " Password-1843 ", "country": "GB", "email_ver_input": "123456",
        "mail": "bob@example.test", "number": "+442079460000", "verificationCode": "654321",
    ]

    static let fields = [
        PageField(id: "country", inputType: .dropdownSingleSelect, options: [PageOption(value: "GB", display: "GB")]),
        PageField(id: "email", inputType: .emailBox, isRequired: true, verify: true),
        PageField(id: "password", inputType: .password),
        PageField(id: "note", inputType: .paragraph),
        PageField(id: "shown", isReadOnly: true, prefilled: "as it is"),
        PageField(id: "empty", isReadOnly: true),
        PageField(
            id: "control", inputType: .displayControl,
            displayFields: [PageField(id: "mail"), PageField(id: "verificationCode")],
            controlType: "VerificationControl"),
        PageField(id: "captchaControl", inputType: .displayControl, controlType: "CaptchaControl"),
    ]

    static func form(_ kind: HostedForm.Kind, phones: [PagePhone] = []) -> HostedForm {
        HostedForm(kind, fields: kind == .phone ? [] : fields, phones: phones, controls: [.keepSignedIn])
    }

    static let page = form(.selfAsserted)
    static let known = form(.phone, phones: [PagePhone(id: 1, maskedNumber: "XXX")])

    static let posts: [(post: HostedPost, path: String, body: String)] = [
        (
            page.submission(typed), "SelfAsserted",
            "email=ada%40example.test&password=Password-1843&shown=as+it+is&mail=bob%40example.test"
                + "&verificationCode=654321&captchaControl=&country=GB&request_type=RESPONSE"
        ),
        (
            HostedForm(.signIn, fields: [fields[1]], controls: []).submission(typed), "SelfAsserted",
            "request_type=RESPONSE&email=ada%40example.test"
        ),
        (
            page.codeRequest(.claim("email"), typed), "SelfAsserted",
            "&request_type=VERIFICATION_REQUEST&claim_id=email&claim_value=ada%40example.test"
        ),
        (
            page.codeCheck(.claim("email"), typed), "SelfAsserted",
            "&request_type=VALIDATION_REQUEST&claim_id=email&claim_value=ada%40example.test&user_input=123456"
        ),
        (
            page.codeRequest(.control("control"), typed), "SelfAsserted/DisplayControlAction/vbeta/control/SendCode",
            "mail=bob%40example.test"
        ),
        (
            page.codeCheck(.control("control"), typed), "SelfAsserted/DisplayControlAction/vbeta/control/VerifyCode",
            "mail=bob%40example.test&verificationCode=654321"
        ),
        (
            form(.phone).codeRequest(.phone, typed), "Phonefactor/verify",
            "request_type=VERIFICATION_REQUEST&auth_type=onewaysms&id=UserAsserted&number=%2B442079460000"
        ),
        (
            known.codeRequest(.phone, typed, calls: true), "Phonefactor/verify",
            "request_type=VERIFICATION_REQUEST&auth_type=dialphone&id=1"
        ),
        (
            known.codeCheck(.phone, typed), "Phonefactor/verify",
            "request_type=VALIDATION_REQUEST&verification_code=654321"
        ),
        (known.callCheck, "Phonefactor/verify", "request_type=VALIDATION_REQUEST"),
        (
            page.pictureCheck(of: fields[7], challenge: "c1", text: "ABC", region: "weu"),
            "SelfAsserted/DisplayControlAction/vbeta/captchaControl/VerifyChallenge",
            "challengeId=c1&captchaEntered=ABC&challengeType=Visual&azureRegion=weu"
        ),
    ]

    @Test(arguments: posts)
    func `a page posts what was typed in the form of the wire`(
        _ row: (post: HostedPost, path: String, body: String)
    ) {
        #expect(row.post.path == row.path)
        #expect(row.post.body == row.body)
    }

    @Test func `only what can be typed is open, and each code has its own input`() {
        #expect(Self.page.openFields.map(\.id) == ["country", "email", "password", "mail", "verificationCode"])
        #expect(Self.page.verifiers == [.claim("email"), .control("control")])
        #expect(Self.page.codeInput(of: .claim("email")) == "email_ver_input")
        #expect(Self.page.codeInput(of: .control("control")) == "verificationCode")
        #expect(Self.page.proves(.control("control")) == ["mail"])
        #expect(Self.page.extraInputs == ["rememberMe", "email_ver_input"])
        #expect(Self.form(.phone).extraInputs == ["rememberMe", "number", "verificationCode"])
        #expect(Self.known.extraInputs == ["rememberMe", "verificationCode"])
    }

    /// A policy can call the code's field as it likes.
    @Test func `a policy says which field of a display control the code goes into`() {
        let form = HostedForm(.selfAsserted, fields: Self.fields, controls: [], codeInputs: ["control": "mail"])
        #expect(form.codeRequest(.control("control"), Self.typed).body == "verificationCode=654321")
    }

    @Test(
        arguments: [
            ("CombinedSigninAndSignup", [:], [.signUp, .forgotPassword]),
            (
                "combinedsigninandsignup",
                ["showSignupLink": "False", "forgotPasswordLinkLocation": "None", "enableRememberMe": "True"],
                [.keepSignedIn]
            ),
            ("SelfAsserted", [:], [.continueButton, .cancel]),
            ("SelfAsserted", ["showContinueButton": "false", "showCancelButton": "False"], []),
            ("Phonefactor", [:], [.cancel]), ("ClaimsProviderSelection", [:], []),
        ] as [(String, JSONObject, HostedForm.Controls)])
    func `settings show and hide links and buttons`(
        _ api: String, _ config: JSONObject, _ controls: HostedForm.Controls
    ) {
        #expect(HostedForm(PageSettings(api: api, config: config)).controls == controls)
    }
}
