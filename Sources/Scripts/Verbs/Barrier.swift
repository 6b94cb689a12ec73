import JSON
import Records

/// A place where branches wait for one another.
package struct Barrier: ValueCall {
    package var value = ""

    package init() {}

    package static let name = "barrier"
    package static let doc = "Waits until every branch that names this barrier has come."
    package static let traits: VerbTraits = [.planned, .failing]
    package static let codec = Codec<String>.text.shaped(.nonEmptyString)
}
