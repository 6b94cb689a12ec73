import ModelContext
import Synchronization

/// The last whole reports of tools, which answers link to.
package final class AgentReports: Sendable {
    /// A report without secrets.
    struct Report: Sendable {
        var title: String
        var mimeType: String
        var text: String

        init(title: String, mimeType: String = "application/json", text: String) {
            self.title = title
            self.mimeType = mimeType
            self.text = text
        }
    }

    /// Reports that are kept.
    static let most = 20

    private let state = Mutex<(count: Int, kept: [(uri: String, report: Report)])>((0, []))

    package init() {}

    /// Keeps a report, and returns its address.
    func keep(_ report: Report) -> String {
        state.withLock { state in
            state.count += 1
            let uri = "b2c://report/\(state.count)"
            state.kept = state.kept.suffix(Self.most - 1) + [(uri, report)]
            return uri
        }
    }

    /// The report of an address; `nil`: it is not kept any more, or never was.
    func read(_ uri: String) -> ContextContents? {
        state.withLock { $0.kept }.first { $0.uri == uri }.map { uri, report in
            ContextContents(uri: uri, mimeType: report.mimeType, text: report.text)
        }
    }

    /// The reports that are kept, oldest first.
    var resources: [ContextResource] {
        state.withLock { $0.kept }.map { uri, report in
            ContextResource(
                uri: uri, name: String(uri.dropFirst("b2c://".count)), title: report.title, mimeType: report.mimeType,
                size: report.text.utf8.count)
        }
    }
}
