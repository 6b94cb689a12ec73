import Determinism
import JOSE
import JSON

/// The anti-forgery value and the transaction parameter of a page.
///
/// Neither is kept: both follow from the transaction's id, the number of the page within it, its step and when it was
/// shown.
struct AntiForgery: Sendable {
    let texts: OpaqueText

    /// Base64 of four parts joined by `;`: 64 random bytes, the time, 16 random bytes, the orchestration step (decoded
    /// from recordings).
    func value(transaction: GUID, view: PageView) -> String {
        let number = UInt64(truncatingIfNeeded: view.number)
        let first = Base64.encode(texts.bytes(64, for: transaction, use: 0x6373_7266 &+ number << 32))
        let second = Base64.encode(texts.bytes(16, for: transaction, use: 0x7374_6570 &+ number << 32))
        return Base64.encode(
            Array("\(first);\(view.shownAt.rfc3339);\(second);{\"OrchestrationStep\":\(view.step)}".utf8))
    }
}

/// `StateProperties=` and the transaction's id: `tx` of page requests, `state` of a provider's round trip.
enum TransactionParameter {
    static let prefix = "StateProperties="

    static func text(_ id: GUID) -> String {
        prefix + Base64URL.encode(Array("{\"TID\":\"\(id)\"}".utf8))
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
        guard text.hasPrefix(prefix), let bytes = Base64URL.decode(String(text.dropFirst(prefix.count))) else {
            return nil
        }
        let mark = Array("\"\(name)\":\"".utf8)
        guard bytes.count > mark.count,
            let start = (0...(bytes.count - mark.count)).first(where: { bytes[$0..<$0 + mark.count] == mark[...] })
        else { return nil }
        let rest = bytes[(start + mark.count)...]
        return rest.firstIndex(of: UInt8(ascii: "\"")).map { String(decoding: rest[..<$0], as: UTF8.self) }
    }
}

/// The page that a transaction shows at present.
struct PageView: Sendable, Hashable {
    /// 1 for the first page of the transaction.
    var number: Int
    /// Order of the orchestration step.
    var step: Int
    var shownAt: Timestamp
}
