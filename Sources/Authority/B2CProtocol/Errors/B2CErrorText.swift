import Determinism

/// The text of `error_description` as B2C lays it out: three lines, each ending in CR LF.
///
///     AADB2C90118: {message}
///     Correlation ID: {guid}
///     Timestamp: 2026-01-15 12:00:00Z
public struct B2CErrorText: Hashable, Sendable {
    /// The code, when the table has it.
    public var code: B2CErrorCode?
    /// The code as written, also when the table lacks it; `nil` for `AADB2C:` without a number.
    public var codeText: String?
    /// The text after the code on the first line.
    public var message: String
    /// The id under which the service logged the request.
    public var correlationID: GUID?
    /// When it happened, to the second.
    public var timestamp: Timestamp?

    public init(
        code: B2CErrorCode?, codeText: String? = nil, message: String, correlationID: GUID? = nil,
        timestamp: Timestamp? = nil
    ) {
        self.code = code
        self.codeText = codeText ?? code?.id
        self.message = message
        self.correlationID = correlationID
        self.timestamp = timestamp
    }

    /// The text of a code with its values.
    public init(_ code: B2CErrorCode, _ values: [String] = [], correlationID: GUID, at time: Timestamp) {
        self.init(code: code, message: code.message(values), correlationID: correlationID, timestamp: time)
    }

    /// Reads a description; `nil` when it does not begin with `AADB2C`. Lines may end in LF alone, and the second and
    /// third may be missing.
    public init?(parsing text: String) {
        guard text.hasPrefix("AADB2C") else { return nil }
        var lines = text.split(omittingEmptySubsequences: false) { $0 == "\r\n" || $0 == "\n" || $0 == "\r" }
        let head = lines.removeFirst()
        let digits = head.dropFirst(6).prefix { $0.isASCII && $0.isNumber }
        codeText = digits.isEmpty ? nil : "AADB2C" + digits
        code = codeText.flatMap(B2CErrorCode.named)
        var rest = head.dropFirst(6 + digits.count)
        if rest.first == ":" { rest = rest.dropFirst() }
        message = String(rest.drop { $0 == " " })
        for line in lines {
            if let value = Self.value(of: "Correlation ID:", in: line) {
                correlationID = GUID(value)
            } else if let value = Self.value(of: "Timestamp:", in: line) {
                timestamp = Timestamp(rfc3339: value.replacingFirst(" ", with: "T"))
            } else if !line.isEmpty, correlationID == nil {
                // A message of several lines.
                message += "\n" + line
            }
        }
    }

    private static func value(of label: String, in line: Substring) -> String? {
        guard line.hasPrefix(label) else { return nil }
        return String(line.dropFirst(label.count).drop { $0 == " " })
    }

    /// The layout on the wire.
    public var text: String {
        var text = "\(codeText ?? "AADB2C"): \(message)\r\n"
        if let correlationID { text += "Correlation ID: \(correlationID)\r\n" }
        if let timestamp { text += "Timestamp: \(timestamp.b2cText)\r\n" }
        return text
    }
}

extension String {
    fileprivate func replacingFirst(_ character: Character, with other: Character) -> String {
        guard let index = firstIndex(of: character) else { return self }
        return self[..<index] + String(other) + self[self.index(after: index)...]
    }
}
