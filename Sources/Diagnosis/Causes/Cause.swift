/// One bug that people met, and how it is known.
package struct Cause: Sendable {
    /// How far it reaches: what breaks ties.
    package enum Reach: Int, Sendable { case rare, occasional, common, veryCommon }

    /// The entry of docs/bugs.md: `B28` of the catalogue, `R03` of the further reports.
    package let id: String
    /// The name of its script, without the entry and `.json`.
    let slug: String
    package let reach: Reach
    /// Where it was seen; empty for anywhere.
    let libraries: [Library]
    /// What went wrong, one sentence.
    package let cause: String
    let signs: [Sign]
    /// What to look at.
    package let checks: [String]
    /// What to do.
    package let mend: String

    init(
        _ id: String, _ slug: String, _ reach: Reach, _ libraries: [Library] = [], _ cause: String, signs: [Sign],
        checks: [String], mend: String
    ) {
        self.id = id
        self.slug = slug
        self.reach = reach
        self.libraries = libraries
        self.cause = cause
        self.signs = signs
        self.checks = checks
        self.mend = mend
    }

    /// The script that plays it.
    package var script: String { "scenarios/\(id.hasPrefix("R") ? "reports" : "bugs")/\(id)-\(slug).json" }

    /// Every cause, in the order of the catalogue, then the further reports.
    package static let all: [Cause] =
        redirects + authorities + renewals + cancels + tokens + sessions + clocks + grants + networks + devices
        + policies + races + security + reports
}
