extension StaticAssets {
    /// The look of all pages. What stands under `.harness-page` is for the built-in templates alone; the rest holds in
    /// custom templates too and does no more than keep the drawn elements usable.
    static let pageStyle = """
        #api ul { list-style: none; margin: 0; padding: 0; }
        #api fieldset { border: 0; margin: 0; padding: 0; }
        #api .error { color: #b00020; }
        #api .highlightError { border-color: #b00020; outline-color: #b00020; }
        #api svg { display: block; width: 200px; height: 200px; background: #fff; }
        #api .requirements .met { color: #0b6a0b; }

        .harness-page { margin: 0; min-height: 100vh; background: #e8eef5; color: #1b1b1b; color-scheme: light; \
        font: 16px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
        .harness-page .panel { box-sizing: border-box; max-width: 27rem; margin: 0 auto; padding: 2rem 1.5rem; \
        background: #fff; min-height: 100vh; }
        @media (min-width: 30rem) { .harness-page .panel { min-height: 0; margin: 4vh auto; padding: 2.25rem 2.25rem 2rem; \
        border-radius: 6px; box-shadow: 0 2px 12px rgba(20, 40, 70, .15); } }
        .harness-page h1 { font-size: 1.5rem; font-weight: 600; line-height: 1.25; margin: 0 0 .75rem; }
        .harness-page h2 { font-size: 1rem; font-weight: 400; margin: 0 0 .75rem; color: #444; }
        .harness-page p { margin: 0 0 1rem; overflow-wrap: anywhere; }
        .harness-page a { color: #0b5cad; }
        .harness-page label, .harness-page legend { display: block; padding: 0; margin-bottom: .25rem; font-weight: 500; }
        .harness-page .choice { display: flex; gap: .5rem; align-items: center; min-height: 2rem; }
        .harness-page .choice label { margin: 0; font-weight: 400; }
        .harness-page .choice input { width: 1.15rem; height: 1.15rem; margin: 0; flex: none; }
        .harness-page .entry-item, .harness-page .attrEntry, .harness-page .phoneNumber, .harness-page #codeVerification, \
        .harness-page .verificationCode, .harness-page .rememberMe { margin-bottom: 1rem; }
        .harness-page .attrEntry .attrEntry:last-child { margin-bottom: .75rem; }
        .harness-page .password-label { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; }
        .harness-page .password-label a { font-size: .9rem; }
        .harness-page input:not([type=checkbox]):not([type=radio]), .harness-page select { width: 100%; \
        box-sizing: border-box; min-height: 2.75rem; padding: .5rem .6rem; border: 1px solid #767676; border-radius: 4px; \
        background: #fff; color: inherit; font: inherit; }
        .harness-page input::placeholder { color: #6b6b6b; opacity: 1; }
        .harness-page input[readonly]:not([type=checkbox]):not([type=radio]) { background: #f1f3f5; color: #444; }
        .harness-page fieldset[data-choices=date] { display: grid; grid-template-columns: 1fr 1.6fr 1.2fr; gap: 0 .5rem; }
        .harness-page fieldset[data-choices=date] legend { grid-column: 1 / -1; }
        .harness-page :focus-visible { outline: 3px solid #4f9be8; outline-offset: 1px; }
        .harness-page button { box-sizing: border-box; min-height: 2.75rem; margin: 0 .5rem .5rem 0; padding: .5rem 1.1rem; \
        border: 1px solid #0b5cad; border-radius: 4px; background: #0b5cad; color: #fff; font: inherit; cursor: pointer; }
        .harness-page button:hover { background: #094a8c; }
        .harness-page button.secondary, .harness-page .accountButton { background: #fff; color: #0b5cad; }
        .harness-page button.secondary:hover, .harness-page .accountButton:hover { background: #eaf2fb; }
        .harness-page button.textButton { min-height: 0; padding: .4rem 0; border: 0; background: none; color: #0b5cad; \
        text-decoration: underline; }
        .harness-page #next, .harness-page .accountButton { width: 100%; margin-right: 0; }
        .harness-page .accountButton { border-color: #767676; color: #1b1b1b; }
        .harness-page .buttons:last-child button { margin-bottom: 0; }
        .harness-page .divider { display: flex; align-items: center; gap: .75rem; margin: .75rem 0; }
        .harness-page .divider::before, .harness-page .divider::after { content: ""; flex: 1; border-top: 1px solid #c8ccd1; }
        .harness-page .divider h2 { margin: 0; font-size: .85rem; }
        .harness-page .create { margin-top: 1.25rem; }
        .harness-page .create p { margin: 0; }
        .harness-page .error.pageLevel { margin: 0 0 1rem; padding: .6rem .75rem; border-left: 4px solid #b00020; \
        background: #fdecee; }
        .harness-page .error p { margin: 0; }
        .harness-page .error.itemLevel { margin: 0 0 .25rem; font-size: .9rem; }
        .harness-page .help, .harness-page .requirements { font-size: .85rem; margin-top: .25rem; }
        .harness-page .helpText, .harness-page .requirements, .harness-page .verificationInfoText { color: #505050; }
        .harness-page .requirements li::before { content: "\\2022\\00a0"; }
        .harness-page .requirements .met::before { content: "\\2713\\00a0"; }
        .harness-page .verificationSuccessText { color: #0b6a0b; }
        .harness-page .verificationInfoText > div, .harness-page .verificationSuccessText > div, \
        .harness-page .verificationErrorText > div, .harness-page #dialing_blurb { margin-bottom: .75rem; }
        .harness-page .qrCodeControlContent > a { display: block; }
        .harness-page .verify { margin-top: .75rem; }
        .harness-page .verificationControlContent { padding: 0 0 .5rem; margin-bottom: 1.25rem; border-bottom: 1px solid #e1e4e8; }
        .harness-page [id$=-picture] { display: inline-block; border: 1px solid #e1e4e8; margin-bottom: .5rem; }
        .harness-page .authenticatorInfoContent .value { font-family: ui-monospace, monospace; overflow-wrap: anywhere; }
        .harness-page .captchaControlContent { margin-bottom: 1rem; }
        .harness-page .captchaPicture img { display: block; max-width: 100%; margin-bottom: .5rem; border: 1px solid #e1e4e8; }
        .harness-page .busy { opacity: .65; cursor: progress; }
        .harness-page .busy button { cursor: progress; }
        .harness-page .error-page-messagedetails { font-size: .9rem; color: #444; overflow-wrap: anywhere; }
        .harness-page .error-page-messagedetails div { margin-bottom: .4rem; }
        .harness-page .error-page-detail { color: #b00020; }
        """
}
