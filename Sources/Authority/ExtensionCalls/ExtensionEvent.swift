/// An event at which the service calls a custom authentication extension (Microsoft docs: custom-extension-overview).
public enum ExtensionEvent: String, CaseIterable, Sendable {
    case tokenIssuanceStart, attributeCollectionStart, attributeCollectionSubmit, emailOtpSend, passwordSubmit
    /// Of account recovery in workforce tenants.
    case verifiedIdClaimValidation

    /// `type` of the call.
    public var type: String { "microsoft.graph.authenticationEvent.\(rawValue)" }

    /// `@odata.type` of the call's data.
    public var calloutDataType: String { "microsoft.graph.\(stem("on"))CalloutData" }

    /// `@odata.type` of the answer's data. That of a one-time code has a capital O.
    public var responseDataType: String { "microsoft.graph.\(stem(self == .emailOtpSend ? "On" : "on"))ResponseData" }

    private func stem(_ start: String) -> String {
        self == .emailOtpSend ? "\(start)OtpSend" : start + rawValue.prefix(1).uppercased() + rawValue.dropFirst()
    }

    /// The actions that an answer may have.
    public var actions: [ExtensionAction] {
        let prefix = self == .emailOtpSend ? "OtpSend." : "\(rawValue)."
        return ExtensionTableRow.table["actions"].filter { $0.id.hasPrefix(prefix) }.map { ExtensionAction(row: $0) }
    }

    /// Whether attributes of a sign-up are collected, so that there is no user yet.
    public var isCollecting: Bool { self == .attributeCollectionStart || self == .attributeCollectionSubmit }
}

/// What an answer asks the service to do.
public struct ExtensionAction: Sendable {
    let row: ExtensionTableRow

    /// `@odata.type` of the action.
    public var type: String { "microsoft.graph.\(row.id)" }
    /// The names of its members.
    public var members: [String] { row.members }
}
