import CAssets
import Diagnostics
import JSON
import Records

/// One bug that people met, and how it is known: a row of `Files/causes.json`.
package struct Cause: TableRow {
    /// How far it reaches: what breaks ties.
    package enum Reach: String, SettingWord {
        case rare, occasional, common, veryCommon

        package var doc: String { "Seen \(rawValue)." }
        /// More for what more people met.
        var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    /// The entry of docs/bugs.md: `B28` of the catalogue, `R03` of the further reports. A code such as `AADSTS7000215`,
    /// or a name in small letters such as `nonce-cookie-missing`, for what no script plays.
    package private(set) var id = ""
    /// The name of its script, without the entry and `.json`; `nil` where there is none.
    private(set) var slug: String?
    package private(set) var reach = Reach.occasional
    /// Where it was seen; empty for anywhere.
    private(set) var libraries: [Library] = []
    /// Whether it says only that something failed, and where to read how. It is dropped where another cause is named.
    private(set) var isGeneral = false
    /// What went wrong, one sentence.
    package private(set) var cause = ""
    private(set) var signs: [Sign] = []
    /// What to look at.
    package private(set) var checks: [String] = []
    /// What to do.
    package private(set) var fix = ""

    package init() {}

    /// What a code says by itself.
    init(_ id: String, libraries: [Library] = [], _ cause: String, signs: [Sign], fix: String) {
        self.id = id
        self.libraries = libraries
        self.cause = cause
        self.signs = signs
        self.fix = fix
    }

    package static let title = "a cause"
    package static let summary = "One bug that people met, and how it is known."
    package static let settings: [Setting<Cause>] = {
        var table = SettingsTable<Cause>()
        table.add("id", \.id, .nonEmpty, "The entry of docs/bugs.md, or a name in small letters.", required: true)
        table.add("script", \.slug, .optionalText, "The name of the script that plays it.")
        table.add("reach", \.reach, .word(), "How many people met it.")
        table.add("libraries", \.libraries, Codec<Library>.word().list(), "Where it was seen; default: anywhere.")
        table.add("isGeneral", \.isGeneral, .bool, "Whether it says only that something failed.")
        table.add("cause", \.cause, .nonEmpty, "What went wrong, one sentence.", required: true)
        table.add("signs", \.signs, Sign.codec.list(), "How it is known.", required: true)
        table.add("checks", \.checks, Codec<String>.nonEmpty.list(), "What to look at.", required: true)
        table.add("fix", \.fix, .nonEmpty, "What to do.", required: true)
        return table.rows
    }()

    /// Whether it repeats what a code says by itself, where the code has several causes.
    var isCodeAlone: Bool { signs.count == 1 && !signs[0].isCertain && id.first?.isUppercase == true && checks.isEmpty }

    /// The script that plays it; `nil` where there is none.
    package var script: String? {
        slug.map { "scenarios/\(id.hasPrefix("R") ? "reports" : "bugs")/\(id)-\($0).json" }
    }

    /// The file; a test expects that nothing is wrong with it.
    package static let table = RecordTable<Cause>(asset_causes().data)

    /// The causes that a script plays, in the order of the catalogue, then the further reports.
    package static let played = table.rows.filter { $0.slug != nil }

    /// Every cause: those with a script, errors around B2C, then what codes say by themselves.
    package static let all: [Cause] = {
        let known = table.rows + libraryCodes
        return known + codes(besides: known)
    }()
}
