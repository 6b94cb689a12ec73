import HTTPMessages
import JSON

/// Why a WebDriver command failed.
public enum WebDriverError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The driver answered with an error (W3C WebDriver, section 6.6): its code, such as `no such element`, and its
    /// message.
    case refused(code: String, message: String)
    /// The driver could not be reached.
    case transport(TransportError)
    /// The driver answered with something that is no answer of a WebDriver.
    case malformed(String)

    /// The error code of the driver, if it answered.
    public var code: String? {
        if case .refused(let code, _) = self { return code }
        return nil
    }

    public var description: String {
        switch self {
        case .refused(let code, let message):
            // The first line: drivers append the browser's version and a stack.
            "\(code): \(message.split(separator: "\n").first.map(String.init) ?? "")"
        case .transport(let error): "the WebDriver server cannot be reached: \(error.word)"
        case .malformed(let what): "the WebDriver server answered with \(what)"
        }
    }
}
