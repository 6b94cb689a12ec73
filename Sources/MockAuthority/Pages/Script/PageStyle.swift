extension StaticAssets {
    /// The look of all pages. What stands under `.harness-page` is for the service's own page templates alone; the rest
    /// holds in custom templates too and does no more than keep the drawn elements usable.
    static let pageStyle = """
        #api ul { list-style: none; margin: 0; padding: 0; }
        #api fieldset { border: 0; margin: 0; padding: 0; min-width: 0; }
        #api .error { color: #b00020; }
        #api .highlightError { border-color: #b00020; outline-color: #b00020; }
        #api svg { display: block; width: 200px; height: 200px; max-width: 100%; background: #fff; }
        #api .requirements .met { color: #0b6a0b; }

        .harness-page { --accent: #1b64b0; --accent-dark: #154e8a; --accent-pale: #eaf2fb; --line: #605e5c; --round: .5rem; \
        --tall: 3rem; position: relative; z-index: 0; margin: 0; min-height: 100vh; background: #e8eef5; color: #1b1b1b; \
        color-scheme: light; \
        font: 16px/1.45 "Segoe UI", SegoeUI, system-ui, -apple-system, Roboto, "Helvetica Neue", Arial, sans-serif; }
        .harness-page .panel { box-sizing: border-box; background: #fff; }
        .harness-page .panel-body, .harness-page .inner_container { box-sizing: border-box; padding: 2rem 1.25rem; }
        .harness-page .companyLogo { display: block; height: 40px; max-width: 100%; margin: 0 0 1.25rem; }
        .harness-page #background_branding_container { position: fixed; z-index: -1; inset: 0; overflow: hidden; }
        .harness-page #background_branding_container img { display: block; width: 100%; height: 100%; object-fit: cover; }
        .harness-page .container { display: flex; min-height: 100vh; }
        .harness-page .row { width: 100%; display: flex; align-items: stretch; justify-content: center; }
        .harness-page .col-lg-6 { width: 100%; max-width: 470px; display: flex; }
        .harness-page .panel-default { width: 100%; }

        .harness-page h1 { font-size: 1.5rem; font-weight: 600; line-height: 1.25; margin: 0 0 .75rem; }
        .harness-page h1, .harness-page label, .harness-page legend, .harness-page button { overflow-wrap: anywhere; \
        hyphens: auto; }
        .harness-page h2 { font-size: 1rem; font-weight: 400; margin: 0 0 .75rem; color: #444; }
        .harness-page p { margin: 0 0 1rem; overflow-wrap: anywhere; }
        .harness-page a { color: var(--accent); }
        .harness-page label, .harness-page legend { display: block; padding: 0; margin-bottom: .25rem; font-weight: 600; }
        .harness-page .choice { display: flex; gap: .5rem; align-items: center; min-height: 2rem; }
        .harness-page .choice label { margin: 0; font-weight: 400; }
        .harness-page .choice input { width: 1.15rem; height: 1.15rem; margin: 0; flex: none; }
        .harness-page .entry-item, .harness-page .attrEntry, .harness-page .phoneNumber, .harness-page #codeVerification, \
        .harness-page .verificationCode, .harness-page .rememberMe { margin-bottom: 1rem; }
        .harness-page .attrEntry .attrEntry:last-child { margin-bottom: .75rem; }
        .harness-page .password-label { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; }
        .harness-page .password-label a { font-size: .9rem; }
        .harness-page input:not([type=checkbox]):not([type=radio]), .harness-page select { width: 100%; \
        box-sizing: border-box; min-height: var(--tall); padding: .5rem .75rem; border: 1px solid var(--line); \
        border-radius: var(--round); background: #fff; color: inherit; font: inherit; }
        .harness-page input::placeholder { color: #6a6a6a; opacity: 1; }
        .harness-page input[readonly]:not([type=checkbox]):not([type=radio]) { background: #f1f3f5; color: #444; }
        .harness-page fieldset[data-choices=date] { display: grid; grid-template-columns: 1fr 1.6fr 1.2fr; gap: 0 .5rem; }
        .harness-page fieldset[data-choices=date] legend { grid-column: 1 / -1; }
        .harness-page :focus-visible { outline: 3px solid #4f9be8; outline-offset: 1px; }
        .harness-page button { box-sizing: border-box; min-height: var(--tall); max-width: 100%; margin: 0 .5rem .5rem 0; \
        padding: .5rem 1.1rem; border: 1px solid var(--accent); border-radius: var(--round); background: var(--accent); \
        color: #fff; font: inherit; cursor: pointer; }
        .harness-page button:hover { background: var(--accent-dark); }
        .harness-page button.secondary { background: #fff; color: var(--accent); }
        .harness-page button.secondary:hover { background: var(--accent-pale); }
        .harness-page #continue[aria-disabled=true] { opacity: .45; }
        .harness-page button.textButton { min-height: 0; padding: .4rem 0; border: 0; background: none; \
        color: var(--accent); text-decoration: underline; }
        .harness-page #next, .harness-page .accountButton { width: 100%; margin-right: 0; }
        .harness-page .accountButton { padding-left: 3.25rem; border-color: var(--line); color: #1b1b1b; text-align: left; \
        background: #fff url(idp/other.svg) .8rem 50% / 1.5rem no-repeat; }
        .harness-page .accountButton:hover { background-color: var(--accent-pale); }
        \(providerStyle)
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
        .harness-page .qrCodeControlContent > a { display: block; overflow-wrap: anywhere; }
        .harness-page .verify { margin-top: .75rem; }
        .harness-page .verificationControlContent { padding: 0 0 .5rem; margin-bottom: 1.25rem; border-bottom: 1px solid #e1e4e8; }
        .harness-page [id$=-picture] { display: inline-block; border: 1px solid #e1e4e8; margin-bottom: .5rem; }
        .harness-page .authenticatorInfoContent .value { font-family: ui-monospace, monospace; overflow-wrap: anywhere; }
        .harness-page .captchaControlContent { margin-bottom: 1rem; }
        .harness-page .captchaPicture img { display: block; max-width: 100%; margin-bottom: .5rem; border: 1px solid #e1e4e8; }
        .harness-page .verify > .working { height: .25rem; margin-bottom: .5rem; border-radius: .25rem; \
        background: linear-gradient(90deg, #fff, var(--accent), #fff); }
        .harness-page .busy { opacity: .65; cursor: progress; }
        .harness-page .busy button { cursor: progress; }
        .harness-page .error-page-messagedetails { font-size: .9rem; color: #444; overflow-wrap: anywhere; }
        .harness-page .error-page-messagedetails div { margin-bottom: .4rem; }
        .harness-page .error-page-detail { color: #b00020; }

        .ocean-blue .companyLogo { margin: 0 auto 1.25rem; }
        .ocean-blue .heading { text-align: center; }

        .slate-gray { --accent: #0b5c9e; --accent-dark: #084878; --accent-pale: #e9eff5; --round: 2px; --tall: 2.5rem; }
        .slate-gray .accountButton { border-color: #eceff2; background-color: #eceff2; }
        .slate-gray input:not([type=checkbox]):not([type=radio]) { border-width: 0 0 1px; border-color: #4a5560; \
        padding-left: .15rem; }

        .classic { --accent: #2b5c80; --accent-dark: #1f4560; --accent-pale: #e8f0f5; --line: #8a9299; --round: 0; \
        --tall: 2.5rem; background: #fff; }
        .classic #panel { position: relative; width: 100%; min-height: 100vh; margin-left: auto; }
        .classic .panel_layout { width: 100%; border-collapse: collapse; table-layout: fixed; }
        .classic .panel_layout_row > td { padding: 0; }
        .classic #panel_left, .classic #panel_right { width: 0; }
        .classic h1 { font-weight: 400; font-size: 1.75rem; }

        @media (min-width: 30rem) {
        .harness-page .panel-body, .harness-page .inner_container { padding: 2.25rem; }
        .harness-page .row { align-items: center; padding: 2rem 0; }
        .harness-page .panel-default { border-radius: var(--round); box-shadow: 0 4px 24px rgba(10, 30, 60, .28); }
        .slate-gray .panel-default { box-shadow: 0 2px 6px rgba(40, 50, 60, .3); }
        .classic #panel { width: 30rem; box-shadow: 0 0 12px rgba(20, 40, 60, .3); }
        .classic .inner_container { padding: 4rem 2.5rem 2rem; }
        }
        """
}
