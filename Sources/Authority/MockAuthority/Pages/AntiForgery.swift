import Determinism
import JOSE
import JSON

/// The anti-forgery value and the transaction parameter of a page.
///
/// Both follow from the transaction's id, the number of the page within it, its step and when it was shown.
struct AntiForgery: Sendable {
    let texts: OpaqueText

    /// A page of a transaction with its value.
    func view(_ number: Int, step: Int, of transaction: GUID, at now: Timestamp) -> PageView {
        PageView(
            number: number, step: step,
            antiForgery: value(transaction: transaction, number: number, step: step, shownAt: now))
    }

    /// Base64 of four parts joined by `;`: 64 random bytes, the time, 16 random bytes, the orchestration step (decoded
    /// from recordings).
    private func value(transaction: GUID, number: Int, step: Int, shownAt: Timestamp) -> String {
        let number = UInt64(truncatingIfNeeded: number)
        var text = ByteText(capacity: 192)
        text.write(Base64.encode(texts.bytes(64, for: transaction, use: 0x6373_7266 &+ number << 32)))
        text.write(";")
        // Seven digits of the second (recorded). What is beyond the clock's millisecond is made up.
        let rest = texts.bytes(2, for: transaction, use: 0x7469_636b &+ number << 32)
        text.write(shownAt.dotNetRoundTrip(rest: (Int(rest[0]) << 8 | Int(rest[1])) % 10_000))
        text.write(";")
        text.write(Base64.encode(texts.bytes(16, for: transaction, use: 0x7374_6570 &+ number << 32)))
        text.write(";{\"OrchestrationStep\":")
        text.write(step)
        text.write("}")
        return Base64.encode(text.bytes)
    }
}

/// `StateProperties=` and the transaction's id: `tx` of page requests, `state` of a provider's round trip.
enum TransactionParameter {
    static let prefix = "StateProperties="

    static func text(_ id: GUID) -> String {
        var json = ByteText(capacity: 48)
        json.write("{\"TID\":\"")
        json.write(id.description)
        json.write("\"}")
        return prefix + Base64URL.encode(json.bytes)
    }

    /// The id in a `tx` or `state`; `nil` when it is none.
    static func read(_ text: String) -> GUID? {
        member("TID", of: text).flatMap { GUID($0) }
    }

    /// Name of the cookie that marks a round trip to a provider, from the `state` of that: `x-ms-cpim-rc:{guid}`.
    static func relayName(_ state: String) -> String? {
        member("SID", of: state).flatMap { $0.hasPrefix(StateCookies.relayPrefix) ? $0 : nil }
    }

    /// Its value; what live tenants write there is sealed.
    static func relayValue(_ transaction: GUID) -> String { Base64URL.encode(transaction.dotNetBytes) }

    /// A text member of the small object behind the prefix.
    private static func member(_ name: String, of text: String) -> String? {
        var text = text
        let decoded = text.withUTF8 { text -> [UInt8]? in
            let length = prefix.utf8.count
            guard text.count >= length, text[..<length].elementsEqual(prefix.utf8) else { return nil }
            // Clients that write the parameter themselves leave the padding of ordinary base64.
            let end = text.lastIndex { $0 != UInt8(ascii: "=") }.map { $0 + 1 } ?? length
            return Base64URL.decode(UnsafeBufferPointer(rebasing: text[length..<max(length, end)]))
        }
        guard let bytes = decoded else { return nil }
        let mark = Array("\"\(name)\":\"".utf8)
        return bytes.withUnsafeBufferPointer { bytes in
            let start = mark.withUnsafeBufferPointer { ByteSearch.offset(of: $0, in: bytes) } + mark.count
            guard start < bytes.count else { return nil }
            let end = ByteSearch.offset(of: UInt8(ascii: "\""), in: bytes, from: start)
            guard end < bytes.count else { return nil }
            return String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<end]), as: UTF8.self)
        }
    }
}

/// The page that a transaction shows at present.
struct PageView: Sendable, Hashable {
    /// 1 for the first page of the transaction.
    var number: Int
    /// Order of the orchestration step.
    var step: Int
    /// What its posts must bring.
    var antiForgery: String
}
