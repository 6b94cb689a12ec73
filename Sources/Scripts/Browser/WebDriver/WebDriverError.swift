import HTTPMessages
import JSON

/// Why a WebDriver command failed.
public enum WebDriverError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The driver answered with an error (W3C WebDriver, section 6.6): its code, such as `no such element`, and its
    /// message.
    case refused(code: String, message: String)
    /// The driver could not be reached.
    case transport(TransportError)
    /// The driver answered with something else than an answer of a WebDriver.
    case malformed(String)

    /// The error code of the driver, if it answered.
    public var code: String? {
        if case .refused(let code, _) = self { return code }
        return nil
    }

    public var description: String {
        switch self {
        case .refused(let code, let message): Self.sentence(code, message)
        case .transport(let error): "the WebDriver server cannot be reached: \(error.word)"
        case .malformed(let what): "the WebDriver server answered with \(what)"
        }
    }

    /// The first line of the message: drivers append a stack. Where a browser and its driver do not go together, the
    /// second names the browser's version.
    private static func sentence(_ code: String, _ message: String) -> String {
        let lines = message.split(whereSeparator: \.isNewline).map(String.init)
        var text = lines.first ?? ""
        if !text.hasPrefix(code) { text = "\(code): \(text)" }
        if let version = lines.dropFirst().first(where: { $0.hasPrefix("Current browser version") }) {
            text += "; " + version.prefix(1).lowercased() + version.dropFirst()
        }
        if code == "session not created" {
            text +=
                ". The WebDriver server and the browser have to be of one kind and version: --browser-driver names another"
        }
        return text
    }
}
