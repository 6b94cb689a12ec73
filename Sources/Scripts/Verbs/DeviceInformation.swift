/// A question for the mode of the device.
package struct DeviceInformation: BareCall {
    package init() {}

    package static let name = "deviceInformation"
    package static let doc = "The app asks how the device is shared."
    package static let traits: VerbTraits = [.app, .then]

    package struct Returned: ResultRecord {
        package var deviceMode: String

        package init(deviceMode: String) { self.deviceMode = deviceMode }

        package static let members: [ResultMember<Returned>] = {
            var table = ResultTable<Returned>()
            table.add("deviceMode", .text, "How the device is shared.") { $0.deviceMode }
            return table.members
        }()
    }

    package static let results: [any ResultRecord.Type] = [Returned.self]
}
