import AzureSignIn
import Determinism
import HTTPMessages
import JSON

/// An answer of Microsoft Graph that is not a success.
public struct ServiceRefusal: Error, Hashable, Sendable {
    /// HTTP.
    public var status: Int
    /// `error.code`, such as `AADB2C95053`; `AADB2C` alone is common.
    public var code: String?
    /// `error.message` in one line without secrets, or what the answer is if it has no message.
    public var message: String
    /// The id by which Microsoft's support finds the request.
    public var correlation: String?
    public var retryAfter: TimeSpan?
    /// The request changes something, and the service may have done it all the same.
    public var isOutcomeUnknown: Bool
    /// How to fix it, in a sentence or two.
    public var remedy: String?

    public init(
        status: Int, code: String? = nil, message: String, correlation: String? = nil, retryAfter: TimeSpan? = nil,
        isOutcomeUnknown: Bool = false, remedy: String? = nil
    ) {
        self.status = status
        self.code = code
        self.message = message
        self.correlation = correlation
        self.retryAfter = retryAfter
        self.isOutcomeUnknown = isOutcomeUnknown
        self.remedy = remedy
    }

    /// Whether the app lacks a permission.
    public var isPermission: Bool { status == 403 }

    /// Whether another write to the same object is not finished yet.
    var isParallelWrite: Bool { code == "AADB2C95053" || message.contains("AADB2C95053") }

    /// Whether the admin interface limits requests. Its status is not documented.
    var isThrottled: Bool { code == "AADB2C95043" || message.contains("AADB2C95043") }

    /// Characters of a message at most: "Validation failed" lists every error of a policy.
    private static let mostCharacters = 64_000

    init(_ response: ResponseMessage, secrets: SentSecrets, now: Timestamp) {
        let json = response.json
        let error = json?["error"]
        let inner = error?["innerError"] ?? error?["innererror"]
        status = response.status
        retryAfter = response.retryAfter(at: now)
        isOutcomeUnknown = false
        code = error?["code"]?.stringValue.flatMap { $0.isEmpty ? nil : secrets.shown($0, most: 60) }
        correlation =
            (inner?["correlationId"]?.stringValue ?? inner?["request-id"]?.stringValue ?? response.headers["request-id"])
            .map { secrets.shown($0, most: 60) }
        var words = error?["message"]?.stringValue ?? json?["message"]?.stringValue
        // The text of another JSON answer may be inside the message.
        if let text = words, text.contains("{"), let nested = (try? JSONParser.parse(text))?["message"]?.stringValue {
            words = nested
        }
        let text = secrets.shown(words ?? "", most: Self.mostCharacters)
        if Self.isNoResource(text) {
            message =
                "the service answers \"No HTTP resource was found\", which is also its answer to a policy that it cannot process"
            remedy =
                "Check the XML of the policy: run b2c validate, and compare it with the last version that was uploaded. Then "
                + "check --api."
        } else if !text.isEmpty {
            message = text
        } else if json != nil {
            message = "the service gives no reason"
            remedy =
                "Try again. If it stays so, check the policy with b2c validate, and give Microsoft's support the request id."
        } else if response.isRedirect {
            let place = response.location.map { " to \(secrets.shown($0.authority))" } ?? ""
            message = "the answer is a redirect\(place), which is not followed"
            remedy = "Check --api: give the address of Microsoft Graph itself."
        } else if response.body.isEmpty {
            message = "the answer is empty"
        } else {
            let isPage = response.headers.mediaType?.contains("html") ?? false || response.text.prefix(64).contains("<")
            message = "the answer is \(isPage ? "a page" : "a text") and not one of Microsoft Graph"
            remedy = "A proxy or another server answers in its place: check --api, the network and https_proxy."
        }
        remedy = remedy ?? code.flatMap { Self.remedies[$0] }
    }

    /// ASP.NET's text for an address without a handler.
    private static func isNoResource(_ text: String) -> Bool { text.contains("No HTTP resource was found") }

    /// Whether a 404 says that there is no such object, and not that there is no such address.
    static func isNotFound(_ response: ResponseMessage) -> Bool {
        guard response.status == 404 else { return false }
        if response.body.isEmpty { return true }
        guard let error = response.json?["error"] else { return false }
        return !(error["message"]?.stringValue ?? "").contains("No HTTP resource was found")
    }

    /// Codes that the requests of this module can meet (Microsoft docs: error-codes).
    private static let remedies: [String: String] = [
        "AADB2C90063": "The service had a fault. Check what the tenant has now, and try again later.",
        "AADB2C90253": "Report this as a bug of b2c: the request lacks a parameter.",
        "AADB2C95024": "The file is too large: the limit is 1,024 KB. Divide it into a base and an extension.",
        "AADB2C95025": "Check the password of the .pfx file.",
        "AADB2C95026": "Check the form of the key: expected is a JSON Web Key.",
        "AADB2C95028": "Use the key set that exists, or another name.",
        "AADB2C95038": "Use the key set that exists, or another name.",
        "AADB2C95032": "A key set has RSA keys or secrets, not both. Use another key set.",
        "AADB2C95042": "A key set has signing or encryption keys, not both. Use another key set.",
        "AADB2C95043": "The service limits requests. Run the command again later.",
        "AADB2C95044":
            "Set TenantId of the policy to the tenant of AZURE_TENANT_ID, or sign in to the tenant that the policy names.",
        "AADB2C95052": "Create the key set before its first key.",
        "AADB2C95053": "Another write to the same object is not finished. Wait until it is, and run the command again.",
        "AADB2C95059": "Remove kid from the key: the service chooses it.",
        "AADB2C99006": "The tenant has no b2c-extensions-app. Restore it, or create a tenant with one.",
    ]
}

/// Why Microsoft Graph does not do what was asked.
public enum PolicyGraphProblem: Error, Hashable, Sendable {
    /// The sign-in, the network or the environment.
    case azure(AzureProblem)
    /// The service's answer.
    ///
    /// - Parameter what: What was asked, as in "uploading B2C_1A_SignIn".
    case refused(ServiceRefusal, what: String)

    /// Whether a write may have been done all the same: its answer was lost or is HTTP 5xx. Read the object before you
    /// write it again.
    public var isOutcomeUnknown: Bool {
        switch self {
        case .azure(let problem): problem.kind == .lost
        case .refused(let refusal, _): refusal.isOutcomeUnknown
        }
    }

    /// The service's answer, if there is one.
    public var refusal: ServiceRefusal? {
        if case .refused(let refusal, _) = self { refusal } else { nil }
    }
}

extension PolicyGraphProblem: CustomStringConvertible {
    /// Characters of the service's words at most.
    private static let mostCharacters = 2_000

    public var description: String {
        switch self {
        case .azure(let problem): return problem.description
        case .refused(let refusal, let what):
            let name = ["HTTP \(refusal.status)", refusal.code].compactMap { $0 }.joined(separator: ", ")
            var words = String(refusal.message.prefix(Self.mostCharacters))
            while let last = words.last, last.isWhitespace || last == "." { words.removeLast() }
            var text = "\(what) failed (\(name)): \(words)."
            if let remedy = refusal.remedy { text += " \(remedy)" }
            if refusal.isOutcomeUnknown {
                text += " The service may have acted. Check what it has before you repeat the command."
            }
            if let correlation = refusal.correlation { text += " Request id: \(correlation)" }
            return text
        }
    }
}
