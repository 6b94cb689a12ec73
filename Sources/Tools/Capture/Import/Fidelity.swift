/// How much of a capture a step holds, from all of it to nothing. A step that does not pass against the mock is written
/// again with less.
public enum Fidelity: Int, CaseIterable, Comparable, Sendable {
    case asCaptured, withoutRequests, endOnly, accountGiven, omitted

    public static func < (one: Fidelity, other: Fidelity) -> Bool { one.rawValue < other.rawValue }

    /// What the script has at this fidelity.
    public var sentence: String {
        switch self {
        case .asCaptured: "The person does what they did, and what passed on the wire is expected."
        case .withoutRequests: "The person gets through the pages by themselves, and how the flow ended is expected."
        case .endOnly:
            "Whether the flow ended well is expected, or the service refuses at once with the code of the capture."
        case .accountGiven: "A person with an account signs in, or a page shows and nobody acts."
        case .omitted: "The step is not in the script."
        }
    }

    /// What the script does instead of playing the pages of a flow as they were captured.
    func replacement(for flow: Flow) -> String {
        if self >= .endOnly, let code = flow.knownCode {
            return "The script has the service refuse with \(code) at once, and expects that the flow ends so."
        }
        guard self >= .accountGiven else {
            return "The script lets the person go through them, and expects "
                + (self == .endOnly
                    ? "only whether the flow ended well." : "how the flow ended, not what passed on its pages.")
        }
        return flow.endsWell
            ? "A sign-in of one person replaces it, and the script expects only that it succeeds."
            : "The script begins the flow in a browser without a session, and expects no more than that a page is shown."
    }
}
