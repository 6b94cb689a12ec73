import Determinism
import Diagnostics
import JSON

/// A row of the table `traces`: a message of the journey recorder, or a piece of one.
public struct RecorderRow: Hashable, Sendable {
    /// When the service received it.
    public var time: RecorderTime
    /// A ``RecorderMessage`` as JSON text, or a piece of it.
    public var message: String
    /// `customDimensions`.
    public var dimensions: RecorderDimensions
    /// `cloud_RoleInstance`: the machine that wrote it.
    public var roleInstance: String?
    /// `operation_Id`.
    public var operationID: String?
    /// `itemId`: another for each row.
    public var itemID: String?
    /// `itemCount`: for how many rows this one stands; more than 1 if the log was sampled.
    public var itemCount: Int

    public init(
        time: RecorderTime, message: String, dimensions: RecorderDimensions, roleInstance: String? = nil,
        operationID: String? = nil, itemID: String? = nil, itemCount: Int = 1
    ) {
        self.time = time
        self.message = message
        self.dimensions = dimensions
        self.roleInstance = roleInstance
        self.operationID = operationID
        self.itemID = itemID
        self.itemCount = itemCount
    }

    /// Application Insights keeps at most so many characters of a message (UTF-16 units). The rest follows in rows of its
    /// own.
    public static let characterLimit = 32_768

    /// A text in pieces of at most `limit` UTF-16 units. No piece ends within a character outside the basic plane.
    ///
    /// - Precondition: `limit` is at least 2.
    public static func pieces(of text: String, limit: Int = characterLimit) -> [String] {
        guard text.utf16.count > limit else { return [text] }
        var pieces: [String] = []
        var piece = String.UnicodeScalarView()
        var length = 0
        for scalar in text.unicodeScalars {
            let width = UTF16.width(scalar)
            if length + width > limit {
                pieces.append(String(piece))
                piece = String.UnicodeScalarView()
                length = 0
            }
            piece.append(scalar)
            length += width
        }
        pieces.append(String(piece))
        return pieces
    }
}

/// The custom dimensions of a row.
public struct RecorderDimensions: Hashable, Sendable {
    public var correlationID: String?
    /// `Journey Recorder Event v1.0.0`.
    public var eventName: String?
    /// `contoso.onmicrosoft.com`.
    public var tenant: String?
    /// Id of the policy.
    public var userJourney: String?
    /// `1.0.0`.
    public var version: String?

    /// How the name of a recorder's event begins.
    public static let eventPrefix = "Journey Recorder Event"

    public init(
        correlationID: String?, eventName: String? = eventPrefix + " v1.0.0", tenant: String?, userJourney: String?,
        version: String? = "1.0.0"
    ) {
        self.correlationID = correlationID
        self.eventName = eventName
        self.tenant = tenant
        self.userJourney = userJourney
        self.version = version
    }

    /// Reads the column: an object, or its JSON in a text.
    public init(_ value: JSONValue) {
        var object = value.objectValue ?? JSONObject()
        if let text = value.stringValue {
            if let parsed = try? JSONParser.parse(text), let read = parsed.objectValue {
                object = read
            } else if text.hasPrefix("@{"), text.hasSuffix("}") {
                // As PowerShell shows an object.
                for member in text.dropFirst(2).dropLast().split(separator: ";") {
                    let parts = member.split(separator: "=", maxSplits: 1).map { String($0).trimmingWhitespace }
                    if parts.count == 2 { object[parts[0]] = .string(parts[1]) }
                }
            }
        }
        // Letters differ between exports.
        func text(_ name: String) -> String? {
            (object[name] ?? object.members.first { $0.key.lowercased() == name.lowercased() }?.value)?.stringValue
        }
        self.init(
            correlationID: text("CorrelationId"), eventName: text("EventName"), tenant: text("Tenant"),
            userJourney: text("UserJourney"), version: text("Version"))
    }

    /// The column as an object.
    public var json: JSONObject {
        var object = JSONObject()
        object["CorrelationId"] = correlationID.map { .string($0) }
        object["EventName"] = eventName.map { .string($0) }
        object["Tenant"] = tenant.map { .string($0) }
        object["UserJourney"] = userJourney.map { .string($0) }
        object["Version"] = version.map { .string($0) }
        return object
    }

    /// Whether another program than the journey recorder wrote the row.
    public var isForeign: Bool { eventName.map { !$0.hasPrefix("Journey Recorder") } ?? false }

    /// Whether the row says that the journey recorder wrote it.
    var isOfRecorder: Bool { eventName != nil ? !isForeign : correlationID != nil && userJourney != nil }
}

/// A moment with the ten millionths of a second that Application Insights has.
public struct RecorderTime: Hashable, Comparable, Sendable {
    public var timestamp: Timestamp
    /// Ten millionths of a second after the millisecond, 0 to 9999.
    public var rest: Int

    public init(_ timestamp: Timestamp, rest: Int = 0) {
        self.timestamp = timestamp
        self.rest = rest
    }

    /// Reads `2026-11-02T09:10:11.1234567Z`, and the forms of the portal's CSV: a blank in place of `T`, no offset (UTC),
    /// and `11/2/2026, 9:10:11.123 AM` (month first).
    public init?(_ text: String) {
        let text = text.trimmingWhitespace
        guard let timestamp = Self.standard(text) ?? Self.american(text) else { return nil }
        self.timestamp = timestamp
        rest = 0
        if let point = text.firstIndex(of: ".") {
            let digits = text[text.index(after: point)...].prefix { $0.isASCII && $0.isNumber }
            let tail = digits.dropFirst(3).prefix(4)
            rest = Int(tail + String(repeating: "0", count: 4 - tail.count)) ?? 0
        }
    }

    private static func standard(_ text: String) -> Timestamp? {
        if let timestamp = Timestamp(rfc3339: text) { return timestamp }
        return Timestamp(rfc3339: text + "Z")
    }

    private static func american(_ text: String) -> Timestamp? {
        let parts = text.split(whereSeparator: { $0 == " " || $0 == "," || $0 == "\u{202F}" })
        guard parts.count == 2 || parts.count == 3 else { return nil }
        let date = parts[0].split(separator: "/").map { Int($0) }
        let clock = parts[1].split(separator: ".", maxSplits: 1)
        let time = (clock.first ?? "").split(separator: ":").map { Int($0) }
        guard date.count == 3, time.count == 3, let month = date[0], let day = date[1], let year = date[2],
            var hour = time[0], let minute = time[1], let second = time[2]
        else { return nil }
        if parts.count == 3 {
            guard (1...12).contains(hour), ["AM", "PM"].contains(parts[2].uppercased()) else { return nil }
            hour = hour % 12 + (parts[2].uppercased() == "PM" ? 12 : 0)
        }
        let fraction = clock.count == 2 ? String(clock[1].prefix(3)) : ""
        let padded = fraction + String(repeating: "0", count: 3 - fraction.count)
        guard let millisecond = Int(padded) else { return nil }
        return Timestamp(
            CivilTime(
                year: year, month: month, day: day, hour: hour, minute: minute, second: second,
                millisecond: millisecond))
    }

    /// With seven digits of a second: `2026-11-02T09:10:11.1234567Z`.
    public var text: String { timestamp.dotNetRoundTrip(rest: rest) }

    public static func < (left: RecorderTime, right: RecorderTime) -> Bool {
        (left.timestamp, left.rest) < (right.timestamp, right.rest)
    }
}
