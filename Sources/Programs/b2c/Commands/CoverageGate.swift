import CommandKit
import Diagnostics
import Markup
import Reports
import ScenarioRunner

/// How much of custom policies has to run (`--coverage-min`), of everything or of what changed since a git revision
/// (`--coverage-changed`).
struct CoverageGate {
    /// Percent.
    private let minimum: Double
    /// The minimum as it was written.
    private let text: String
    /// `nil`: everything counts.
    private let revision: String?

    /// `nil`: no gate was asked for.
    init?(_ options: ReportOptions) throws {
        let given = options.coverageMin ?? Machine.environment("B2C_COVERAGE_MIN")
        revision = options.coverageChanged ?? Machine.environment("B2C_COVERAGE_CHANGED")
        guard given != nil || revision != nil else { return nil }
        text = given ?? "100"
        guard let minimum = Double(text.hasSuffix("%") ? String(text.dropLast()) : text), (0...100).contains(minimum)
        else {
            throw Failure.usage("--coverage-min \(text): expected a percentage from 0 to 100, such as 80")
        }
        self.minimum = minimum
        if let revision, revision.hasPrefix("-") {
            throw Failure.usage("--coverage-changed \(revision): expected a git revision, such as origin/main")
        }
    }

    /// Checks the revision before anything runs.
    func check() async throws {
        guard let revision else { return }
        // --end-of-options: a revision is never taken for an option.
        switch await Subprocess.output(of: [
            "git", "rev-parse", "--verify", "--quiet", "--end-of-options", "\(revision)^{commit}",
        ]) {
        case .success: return
        case .failure(let problem):
            throw Failure.usage(
                "--coverage-changed \(revision): git does not know this revision here (\(problem.text)). In CI, "
                    + "fetch it first: checkouts often hold one commit only.")
        }
    }

    /// Whether enough ran, and a text for people that ends in a line feed.
    func verdict(on coverage: CoverageReport) async throws -> (isGood: Bool, text: String) {
        var items: [(file: String, item: CoverageReport.Item)] = []
        for file in coverage.files { items += file.items.map { (file.path, $0) } }
        var scope = "custom policies"
        if let revision {
            let changed = try await changedLines(in: coverage.files.map(\.path), since: revision)
            var elements: [String: ElementLines] = [:]
            for file in changed.keys { elements[file] = ElementLines((try? FileSystem.read(file)) ?? []) }
            items = items.filter { file, item in
                guard let lines = changed[file] else { return false }
                let range = elements[file]?.range(from: item.line) ?? item.line...item.line
                return lines.contains { $0.overlaps(range) }
            }
            scope = "what changed in custom policies since \(revision)"
        }
        guard !items.isEmpty else {
            guard revision == nil else {
                return (true, "coverage: nothing changed in custom policies since \(revision ?? "")\n")
            }
            return (false, "coverage: no scenario ran a custom policy, and --coverage-min is \(text)\n")
        }
        let covered = items.count(where: \.item.isCovered)
        let share = Double(covered) * 100 / Double(items.count)
        let isGood = share >= minimum
        // Rounded down, so that 79.96 is not shown as the 80 that it fails to be.
        let shown = Double(Int(share * 10)) / 10
        var lines = [
            "coverage of \(scope): \(shown) % (\(covered) of \(items.count) parts), at least \(text) % required"
        ]
        if !isGood {
            let missed = items.filter { !$0.item.isCovered }
            lines += missed.prefix(20).map {
                "  not exercised: \($0.file):\($0.item.line) \($0.item.kind.rawValue) \($0.item.id)"
            }
            if missed.count > 20 { lines.append("  and \(missed.count - 20) more; --coverage-text FILE lists all") }
        }
        return (isGood, lines.joined(separator: "\n") + "\n")
    }

    /// Lines that differ from the revision, by file. A file that git does not track is new as a whole.
    private func changedLines(in files: [String], since revision: String) async throws -> [String: [ClosedRange<Int>]] {
        guard !files.isEmpty else { return [:] }
        let here = Machine.currentFolder
        var names: [String: String] = [:]
        for file in files {
            let name = FilePath.normalised(file.hasPrefix("/") ? FilePath.relative(file, to: here) : file)
            names[name] = file
        }
        let paths = names.keys.sorted()
        let difference = try await git(
            [
                "diff", "--unified=0", "--no-color", "--no-ext-diff", "--relative", "--src-prefix=a/",
                "--dst-prefix=b/", revision, "--",
            ]
                + paths)
        let untracked = try await git(["ls-files", "--others", "--exclude-standard", "-z", "--"] + paths)
        var changed: [String: [ClosedRange<Int>]] = [:]
        for (name, lines) in Self.additions(difference) {
            if let file = names[name] { changed[file, default: []] += lines }
        }
        for name in untracked.split(separator: "\0") {
            if let file = names[String(name)] { changed[file] = [1...Int.max] }
        }
        return changed
    }

    private func git(_ arguments: [String]) async throws -> String {
        switch await Subprocess.output(of: ["git", "-c", "core.quotePath=false"] + arguments) {
        case .success(let text): return text
        case .failure(let problem):
            throw Failure.machine("--coverage-changed: \(problem.text)")
        }
    }

    /// Lines of the new side of a difference without context, by file. Where lines were only removed, the lines around
    /// the gap count.
    static func additions(_ difference: String) -> [String: [ClosedRange<Int>]] {
        var changed: [String: [ClosedRange<Int>]] = [:]
        var file: String?
        // Lines of a hunk that are still to come: they are text of the file, whatever they look like.
        var text = 0
        for line in difference.split(separator: "\n", omittingEmptySubsequences: false) {
            if text > 0 {
                if !line.hasPrefix("\\") { text -= 1 }
            } else if line.hasPrefix("+++ ") {
                file = line.hasPrefix("+++ b/") ? String(line.dropFirst(6).prefix { $0 != "\t" }) : nil
            } else if line.hasPrefix("@@ "), let hunk = Hunk(line) {
                text = hunk.lines
                if let file { changed[file, default: []].append(hunk.new) }
            }
        }
        return changed
    }

    /// The head of a hunk: `@@ -12,3 +12,4 @@`.
    private struct Hunk {
        /// How many lines follow.
        var lines: Int
        /// Lines of the new side.
        var new: ClosedRange<Int>

        init?(_ line: Substring) {
            let sides = line.split(separator: " ")
            guard sides.count > 2, let old = Self.side(sides[1], "-"), let new = Self.side(sides[2], "+") else {
                return nil
            }
            lines = old.count + new.count
            self.new = new.count == 0 ? max(new.first, 1)...(new.first + 1) : new.first...(new.first + new.count - 1)
        }

        private static func side(_ text: Substring, _ sign: Character) -> (first: Int, count: Int)? {
            guard text.first == sign else { return nil }
            let numbers = text.dropFirst().split(separator: ",").map { Int($0) }
            let bounds = 0...1_000_000_000
            guard let first = numbers.first ?? nil, let count = numbers.count > 1 ? numbers[1] : 1,
                bounds.contains(first),
                bounds.contains(count)
            else { return nil }
            return (first, count)
        }
    }
}

/// Where the elements of an XML file end.
struct ElementLines {
    /// The last line of the first element that starts on a line; empty if the file is not well-formed any more.
    private var ends: [Int: Int] = [:]

    /// - Parameter bytes: The file.
    init(_ bytes: [UInt8]) {
        let source = SourceText(file: "", bytes: bytes)
        let form = XMLForm(rule: "", documentTypeRemedy: "")
        for tag in (try? TagIndex(source, as: form))?.tags ?? [] {
            let line = source.position(at: tag.start).line
            if ends[line] == nil { ends[line] = source.position(at: tag.end - 1).line }
        }
    }

    /// The lines of the element that starts on a line; that line alone if none does.
    func range(from line: Int) -> ClosedRange<Int> { line...max(line, ends[line] ?? line) }
}
