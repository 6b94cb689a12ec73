extension InspectorFiles {
    /// The page.
    // swift-format-ignore
    static let page = ##"""
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>b2c inspector</title>
        <link rel="icon" href="data:,">
        <link rel="stylesheet" href="/_b2c/inspector.css">
        </head>
        <body>
        <a class="skip" href="#detail">Skip to the details</a>
        <header>
          <h1>b2c inspector</h1>
          <label>World <select id="world"></select></label>
          <output id="clock" aria-label="World time">&#8230;</output>
          <output id="link" role="status">connecting</output>
          <label class="switch"><input type="checkbox" id="secrets"> Show secrets</label>
        </header>
        <nav aria-label="Actions">
          <div class="group" role="group" aria-label="Clock">
            <button type="button" data-advance="PT5M">+5 min</button>
            <button type="button" data-advance="PT1H">+1 h</button>
            <button type="button" data-advance="P1D">+1 day</button>
            <button type="button" id="freeze" aria-pressed="false">Freeze clock</button>
          </div>
          <div class="group" role="group" aria-label="Tenant">
            <button type="button" id="add-user">Add user&#8230;</button>
            <button type="button" id="rotate">Rotate keys&#8230;</button>
            <button type="button" id="end-sessions">End sessions</button>
            <button type="button" id="fault">Faults&#8230;</button>
            <button type="button" id="reset" class="danger">Reset&#8230;</button>
          </div>
        </nav>
        <p id="message" role="status" hidden></p>
        <main>
          <section id="side" aria-label="What happened">
            <div class="bar">
              <div class="tabs" role="tablist" aria-label="Lists">
                <button type="button" role="tab" id="tab-requests" aria-controls="list" aria-selected="true">Journeys</button>
                <button type="button" role="tab" id="tab-inbox" aria-controls="list" aria-selected="false" tabindex="-1">Inbox</button>
                <button type="button" role="tab" id="tab-users" aria-controls="list" aria-selected="false" tabindex="-1">Users</button>
              </div>
              <input id="filter" type="search" placeholder="Filter" aria-label="Filter the list">
            </div>
            <div id="list" role="tabpanel" aria-labelledby="tab-requests" tabindex="0"></div>
          </section>
          <section id="detail" tabindex="-1" aria-label="Details"><p class="hint">Choose a request to see why it was answered as it was.</p></section>
        </main>
        <dialog id="dialog" aria-labelledby="dialog-title"><form method="dialog">
          <h2 id="dialog-title"></h2>
          <div id="dialog-body"></div>
          <div id="dialog-findings" role="alert"></div>
          <div class="buttons"><button type="button" id="dialog-cancel">Cancel</button><button type="submit" id="dialog-ok">OK</button></div>
        </form></dialog>
        <noscript><p>The inspector needs JavaScript. The same is at <a href="/_b2c/v1/requests">/_b2c/v1/requests</a> and <a href="/_b2c/v1/events">/_b2c/v1/events</a>.</p></noscript>
        <script src="/_b2c/inspector.js"></script>
        </body>
        </html>

        """##
}
