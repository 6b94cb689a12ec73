import CAssets
import Diagnostics
import JSON
import Markup

/// The pages that show what a run did. Each is one file that opens offline: its data is JSON in the page, drawn by scripts
/// that are in the page, and nothing is loaded. The inspector of mock-server loads `records` beside its own script.
public enum Viewer {
    /// What a page shows.
    public enum ViewerPage: Sendable {
        /// `b2c run --report-html`.
        case report
        /// `b2c policy trace --html`.
        case trace
        /// Findings about files, such as those that kept a run from starting.
        case findings
    }

    /// The script that draws records: sequences, pages, journeys. It declares one name, `records`.
    public static var records: String { asset_viewer_records().text }

    /// The style of what `records` draws. Colours are custom properties that the page sets: `--back`, `--text`, `--soft`,
    /// `--line`, `--card`, `--accent`, `--good`, `--bad`, `--warn`.
    public static var style: String { asset_viewer_records_style().text }

    /// A page as a text that ends in a line feed.
    ///
    /// - Parameters:
    ///   - title: Of the window.
    ///   - data: After redaction.
    ///   - hostedPages: A script that declares `hostedPages`, by which `records` shows a page of the authority as the person
    ///     saw it; without it, `records` shows what the record of a page says.
    public static func page(_ page: ViewerPage, title: String, data: JSONValue, hostedPages: String = "") -> String {
        // Characters that hide, or turn the direction of reading round, are spelt.
        let shown = HTMLEntities.escaped(VisibleText.of(title, keeping: []), .content)
        let parts = [
            "<!--TITLE-->": "<title>\(shown)</title>",
            "/*STYLE*/": asset_viewer_page_style().text + style,
            "/*DATA*/": JSONWriter.script(data),
            "/*RECORDS*/": hostedPages + records,
            "/*SCRIPT*/": script(of: page),
        ]
        // One pass: what is put in is not looked at again.
        var lines = asset_viewer_page().text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { line in parts[String(line)].map(trimmedEnd) ?? String(line) }
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func script(of page: ViewerPage) -> String {
        switch page {
        case .report: asset_viewer_report().text
        case .trace: asset_viewer_trace().text
        case .findings: asset_viewer_findings().text
        }
    }

    private static func trimmedEnd(_ text: String) -> String { text.hasSuffix("\n") ? String(text.dropLast()) : text }
}
