extension InspectorFiles {
    /// Its style sheet.
    // swift-format-ignore
    static let style = ##"""
        :root {
          color-scheme: light dark;
          --back: #f6f7f9; --card: #ffffff; --text: #16202c; --soft: #4d5b6a; --line: #d4dae1; --accent: #0b5cad;
          --on: #ffffff; --good: #146c2e; --bad: #a8190f; --warn: #7a4d00; --mark: #e6f0fb; --code: #eef1f5;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --back: #12171d; --card: #1b222b; --text: #e6ebf1; --soft: #a5b2c0; --line: #36424f; --accent: #7db8f5;
            --on: #0c1117; --good: #7bd391; --bad: #ff9c92; --warn: #f0c071; --mark: #22364c; --code: #242d38;
          }
        }
        * { box-sizing: border-box; }
        html { font: 15px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
        body { margin: 0; background: var(--back); color: var(--text); display: flex; flex-direction: column; min-height: 100vh; }
        .skip { position: absolute; left: -99rem; }
        .skip:focus { left: .5rem; top: .5rem; background: var(--card); padding: .5rem; z-index: 2; }
        header, nav { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; padding: .5rem 1rem; background: var(--card); border-bottom: 1px solid var(--line); }
        h1 { font-size: 1.1rem; margin: 0; }
        h2 { font-size: 1.15rem; margin: 0 0 .5rem; overflow-wrap: anywhere; }
        h3 { font-size: .95rem; margin: 1.1rem 0 .35rem; }
        header label { display: flex; gap: .4rem; align-items: center; }
        #clock { font-variant-numeric: tabular-nums; }
        #link::before { content: "\25CF  "; }
        #link.live { color: var(--good); }
        #link.lost { color: var(--bad); }
        .switch { margin-left: auto; }
        .group { display: flex; flex-wrap: wrap; gap: .35rem; }
        button, select, input, textarea { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: .3rem .65rem; min-height: 2.1rem; }
        button { cursor: pointer; }
        button:hover { border-color: var(--accent); }
        button:focus-visible, input:focus-visible, select:focus-visible, textarea:focus-visible, [tabindex]:focus-visible, summary:focus-visible { outline: 3px solid var(--accent); outline-offset: 1px; }
        button[aria-pressed="true"] { background: var(--accent); color: var(--on); border-color: var(--accent); }
        button.danger { color: var(--bad); }
        #message { margin: 0; padding: .45rem 1rem; background: var(--mark); border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
        #message.bad { color: var(--bad); }
        main { flex: 1; display: grid; grid-template-columns: minmax(20rem, 27rem) minmax(0, 1fr); min-height: 0; }
        #side { border-right: 1px solid var(--line); display: flex; flex-direction: column; min-width: 0; min-height: 0; }
        .bar { display: flex; flex-wrap: wrap; gap: .4rem; padding: .5rem; border-bottom: 1px solid var(--line); }
        .tabs { display: flex; }
        .tabs button { border-radius: 0; margin-left: -1px; }
        .tabs button:first-child { border-radius: 6px 0 0 6px; margin: 0; }
        .tabs button:last-child { border-radius: 0 6px 6px 0; }
        .tabs button[aria-selected="true"] { background: var(--accent); color: var(--on); border-color: var(--accent); }
        #filter { flex: 1 1 6rem; min-width: 0; }
        #list { overflow: auto; flex: 1; min-height: 0; }
        #list ul { list-style: none; margin: 0; padding: 0; }
        .journey > h3 { margin: 0; padding: .45rem .7rem; background: var(--code); border-bottom: 1px solid var(--line); font-weight: 600; display: flex; gap: .5rem; justify-content: space-between; }
        .journey > h3 span:last-child { font-weight: 400; text-align: right; }
        .row { display: grid; grid-template-columns: 2.8rem 1fr auto; gap: .1rem .5rem; width: 100%; text-align: left; border: 0; border-bottom: 1px solid var(--line); border-radius: 0; padding: .4rem .7rem; background: var(--card); }
        .row[aria-current="true"] { background: var(--mark); box-shadow: inset 4px 0 0 var(--accent); }
        .row .number { color: var(--soft); font-variant-numeric: tabular-nums; }
        .row .what { overflow-wrap: anywhere; }
        .row .why { grid-column: 2 / -1; color: var(--bad); font-size: .9rem; overflow-wrap: anywhere; }
        .row .note { grid-column: 2 / -1; color: var(--soft); font-size: .9rem; overflow-wrap: anywhere; }
        .good { color: var(--good); } .bad { color: var(--bad); } .warn { color: var(--warn); } .soft, .hint { color: var(--soft); }
        .status { font-variant-numeric: tabular-nums; font-weight: 600; }
        #detail { padding: 1rem; overflow: auto; min-width: 0; }
        .reason { border-left: 4px solid var(--bad); background: var(--card); padding: .5rem .8rem; margin: .5rem 0; overflow-wrap: anywhere; }
        table { border-collapse: collapse; width: 100%; background: var(--card); }
        th, td { text-align: left; vertical-align: top; padding: .25rem .5rem; border: 1px solid var(--line); overflow-wrap: anywhere; }
        th { color: var(--soft); font-weight: 600; }
        td.name { width: 13rem; color: var(--soft); }
        .scroll { overflow-x: auto; }
        code { overflow-wrap: anywhere; }
        code, pre, textarea { font: 13px/1.45 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
        pre { background: var(--code); padding: .6rem; border-radius: 6px; overflow: auto; max-height: 26rem; white-space: pre-wrap; overflow-wrap: anywhere; margin: .35rem 0; }
        details { margin: .3rem 0; }
        summary { cursor: pointer; }
        .trace { list-style: none; margin: 0; padding: 0; }
        .trace > li { border-left: 3px solid var(--line); padding: .2rem 0 .2rem .7rem; margin-left: .2rem; }
        .trace > li.ran { border-color: var(--good); } .trace > li.skipped { opacity: .85; } .trace > li.failed { border-color: var(--bad); }
        .tag { display: inline-block; border: 1px solid currentColor; border-radius: 4px; padding: 0 .35rem; font-size: .82rem; margin-right: .3rem; }
        .token { background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: .6rem .8rem; margin: .5rem 0; }
        .mask { color: var(--soft); font-style: italic; }
        .tools { display: flex; flex-wrap: wrap; gap: .4rem; margin: .5rem 0; }
        dialog { background: var(--card); color: var(--text); border: 1px solid var(--line); border-radius: 10px; width: min(40rem, 94vw); }
        dialog::backdrop { background: rgb(0 0 0 / 45%); }
        dialog label { display: block; margin: .5rem 0; }
        dialog label input, dialog label select, dialog textarea { width: 100%; display: block; margin-top: .15rem; }
        dialog textarea { min-height: 11rem; }
        .buttons { display: flex; gap: .5rem; justify-content: flex-end; margin-top: .8rem; }
        #dialog-ok { background: var(--accent); color: var(--on); border-color: var(--accent); }
        #dialog-findings { color: var(--bad); overflow-wrap: anywhere; }
        @media (min-width: 56.01rem) { body { height: 100vh; overflow: hidden; } }
        @media (max-width: 56rem) {
          main { display: block; }
          #side { border: 0; }
          #list { max-height: 55vh; border-bottom: 1px solid var(--line); }
          #detail { max-height: none; }
          .switch { margin-left: 0; }
          button { min-height: 2.6rem; }
          td.name { width: 8rem; }
        }
        @media (prefers-reduced-motion: no-preference) { .row.new { animation: fresh 1.2s; } }
        @keyframes fresh { from { background: var(--mark); } }

        """##
}
