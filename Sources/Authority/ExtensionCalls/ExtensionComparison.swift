import Determinism
import HTTPMessages
import JOSE
import JSON

/// The answer of a REST technical profile's service beside that of the extension which is to replace it.
public struct ExtensionComparison: Sendable {
    /// How the values of a claim differ.
    public enum Kind: String, Sendable {
        case equal, onlyProfile, onlyExtension, value
        /// The same value in another type: extensions return texts.
        case type
    }

    /// A claim with both values.
    public struct Row: Sendable {
        public let claim: String
        public let kind: Kind
        public let profile: JSONValue?
        public let replacement: JSONValue?

        /// Without values, which can be personal.
        public var message: String {
            switch kind {
            case .equal: "\(claim) is equal."
            case .onlyProfile: "\(claim) is missing in the answer of the extension."
            case .onlyExtension: "\(claim) is missing in the answer of the REST service."
            case .value: "\(claim) has another value."
            case .type:
                "\(claim) has the same value, \(profile?.typeName ?? "") before, \(replacement?.typeName ?? "") now."
            }
        }
    }

    /// The claims of both, in the order of the profile.
    public let rows: [Row]
    /// The answer of the REST service; `nil`: none.
    public let profile: ExtensionAttempt
    public let outcome: ExtensionOutcome

    /// No claim is missing or has another value, and both were answered.
    public var isEqual: Bool {
        profile.response != nil && outcome.errors.isEmpty && rows.allSatisfy { $0.kind == .equal || $0.kind == .type }
    }

    /// Sends the same person to both.
    ///
    /// - Parameter profile: The call of the technical profile: a POST of its input claims under their partner names.
    /// - Throws: ``JOSEError/unsupportedKey(_:)`` if a password cannot be encrypted.
    public static func run(
        _ profile: RequestMessage, beside call: ExtensionCall, over transport: any Transport, clock: any WallClock,
        using generator: SeededGenerator
    ) async throws(JOSEError) -> ExtensionComparison {
        // B2C waits up to 10 seconds for a REST service.
        let attempt = await ExtensionAttempt(profile, over: transport, clock: clock, limit: .seconds(10))
        let outcome = try await call.send(over: transport, clock: clock, using: generator)
        return ExtensionComparison(profile: attempt, outcome: outcome)
    }

    init(profile: ExtensionAttempt, outcome: ExtensionOutcome) {
        self.profile = profile
        self.outcome = outcome
        var before = profile.response?.json?.objectValue ?? [:]
        var after = outcome.claims
        if let status = profile.response?.status, status >= 400 {
            // A refusal: B2C shows userMessage, the service shows the message of the action.
            before = before["userMessage"].map { ["userMessage": $0] } ?? [:]
        }
        if let message = outcome.members["message"] { after["userMessage"] = message }
        rows = before.keys(with: after).map { name in
            let kind = Self.kind(before[name], after[name])
            return Row(claim: name, kind: kind, profile: before[name], replacement: after[name])
        }
    }

    private static func kind(_ before: JSONValue?, _ after: JSONValue?) -> Kind {
        guard let before else { return .onlyExtension }
        guard let after else { return before.isNull ? .equal : .onlyProfile }
        if before.sameValue(as: after) { return .equal }
        guard before.typeName != after.typeName else { return .value }
        return text(before) == text(after) ? .type : .value
    }

    /// The value as an extension has to write it.
    private static func text(_ value: JSONValue) -> String {
        if let values = value.arrayValue { return values.map(text).joined(separator: ",") }
        return value.stringValue ?? value.description
    }
}
