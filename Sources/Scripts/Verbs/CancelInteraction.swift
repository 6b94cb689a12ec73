/// The end of an interactive call by program.
package struct CancelInteraction: BareCall {
    package init() {}

    package static let name = "cancelInteraction"
    package static let doc = "The app ends its running interactive request by program."
    package static let traits = VerbTraits.app

    package struct Returned: ResultRecord {
        package var cancelled: Bool

        package init(cancelled: Bool) { self.cancelled = cancelled }

        package static let members: [ResultMember<Returned>] = {
            var table = ResultTable<Returned>()
            table.add("cancelled", .flag, "Whether there was a call to cancel.") { $0.cancelled }
            return table.members
        }()
    }

    package static let results: [any ResultRecord.Type] = [Returned.self]
}
