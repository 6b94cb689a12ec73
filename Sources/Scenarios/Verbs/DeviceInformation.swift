/// A question for the mode of the device.
package struct DeviceInformation: BareCall {
    package init() {}

    package static let name = "deviceInformation"
    package static let doc = "The app asks how the device is shared."
    package static let traits: VerbTraits = [.app, .then]

    package var resultMembers: [String]? { ["deviceMode"] }
}
