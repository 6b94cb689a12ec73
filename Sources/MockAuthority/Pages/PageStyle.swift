extension StaticAssets {
    static let pageStyle = """
        body { margin: 0; min-height: 100vh; background: #e8eef5; color: #1b1b1b; font: 16px/1.4 system-ui, sans-serif; }
        .panel, .error-page-content { max-width: 24rem; margin: 0 auto; padding: 2rem 1.5rem; background: #fff; \
        min-height: 100vh; box-sizing: border-box; }
        h1.heading { font-size: 1.4rem; font-weight: 600; margin: 0 0 1rem; }
        .entry, .attr { margin: 0 0 1rem; }
        label { display: block; margin-bottom: .25rem; font-weight: 500; }
        label.inline { display: inline; font-weight: 400; }
        input:not([type=checkbox]):not([type=radio]), select { width: 100%; box-sizing: border-box; padding: .5rem; \
        border: 1px solid #7a7a7a; border-radius: 2px; font: inherit; }
        input[readonly] { background: #f0f0f0; }
        button { font: inherit; padding: .5rem 1rem; margin: 0 .5rem .5rem 0; border: 1px solid #0b5cad; \
        border-radius: 2px; background: #fff; color: #0b5cad; cursor: pointer; }
        button#next, button#continue { background: #0b5cad; color: #fff; }
        .error { color: #b00020; margin: 0 0 .75rem; }
        .error[hidden] { display: none; }
        .accountButton { display: block; width: 100%; }
        .helpText { font-size: .85rem; color: #555; }
        """
}
