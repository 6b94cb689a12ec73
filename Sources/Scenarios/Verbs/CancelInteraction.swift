/// The end of an interactive call by program.
package struct CancelInteraction: BareCall {
    package init() {}

    package static let name = "cancelInteraction"
    package static let doc = "The app ends its running interactive request by program."
    package static let traits = VerbTraits.app

    package var resultMembers: [String]? { ["cancelled"] }
}
