import Determinism
import JOSE
import JSON

/// Names and texts of the service's cookies.
enum StateCookies {
    static let antiForgery = "x-ms-cpim-csrf"
    static let transactions = "x-ms-cpim-trans"
    static let relayPrefix = "x-ms-cpim-rc:"
    static let slice = "x-ms-cpim-slice"
    static let dataCenter = "x-ms-cpim-dc"
    static let region = "x-ms-cpim-geo"

    /// The journey's state: a pipe before the id, which is the transaction's GUID in .NET byte order, base64url in lower
    /// case (recorded; the documentation writes a colon).
    static func journeyName(_ transaction: GUID) -> String {
        "x-ms-cpim-cache|" + Base64URL.encode(transaction.dotNetBytes).lowercased() + "_0"
    }

    /// A single sign-on session: its scope is a tenant, or tenant and policy or app.
    static func sessionName(scope: String) -> String { "x-ms-cpim-sso:\(scope)_0" }
}

/// The cookies of a request, values byte for byte.
struct RequestCookies: Sendable {
    private struct Item: Sendable {
        var name: Range<Int>
        var value: Range<Int>
    }

    private var bytes: [UInt8] = []
    private var items: [Item] = []

    init(_ header: String?) {
        guard let header else { return }
        bytes = Array(header.utf8)
        items = bytes.withUnsafeBufferPointer { bytes in
            var items: [Item] = []
            var start = 0
            while start < bytes.count {
                let end = ByteSearch.offset(of: UInt8(ascii: ";"), in: bytes, from: start)
                let first = bytes[start] == UInt8(ascii: " ") ? start + 1 : start
                if first < end {
                    let equals = ByteSearch.offset(of: UInt8(ascii: "="), in: bytes, first..<end)
                    if equals < end { items.append(Item(name: first..<equals, value: equals + 1..<end)) }
                }
                start = end + 1
            }
            return items
        }
    }

    subscript(name: String) -> String? {
        items.first { isNamed(name, $0) }.map { String(decoding: bytes[$0.value], as: UTF8.self) }
    }

    /// What `read` makes of the bytes of a cookie, which need not become a text; `nil` where there is none.
    func read<Result>(_ name: String, _ read: (UnsafeBufferPointer<UInt8>) -> Result) -> Result? {
        guard let item = items.first(where: { isNamed(name, $0) }) else { return nil }
        return bytes.withUnsafeBufferPointer { read(UnsafeBufferPointer(rebasing: $0[item.value])) }
    }

    private func isNamed(_ name: String, _ item: Item) -> Bool {
        guard item.name.count == name.utf8.count else { return false }
        var name = name
        return name.withUTF8 { wanted in
            bytes.withUnsafeBufferPointer { ByteSearch.areEqual(UnsafeBufferPointer(rebasing: $0[item.name]), wanted) }
        }
    }

    /// A cookie of the service came back in quotes: requests of libraries that do so are always refused (seen in bug
    /// reports).
    var hasQuotedValue: Bool {
        items.contains { item in
            item.value.first.map { bytes[$0] == 0x22 } ?? false && bytes[item.name].starts(with: "x-ms-cpim-".utf8)
        }
    }
}

/// One transaction of the browser, as the `x-ms-cpim-trans` cookie lists it.
struct ListedTransaction: Sendable, Hashable {
    var id: GUID
    /// Domain name of the tenant.
    var tenant: String
    /// Policy in lower case.
    var policy: String
    var client: String
    /// Counts state changes: 1 after authorize.
    var stateCount: Int

    fileprivate func write(to text: inout ByteText) {
        text.write("{\"I\":\"")
        text.write(id.description)
        text.write("\",\"T\":\"")
        text.write(tenant)
        text.write("\",\"P\":\"")
        text.write(policy)
        text.write("\",\"C\":\"")
        text.write(client)
        text.write("\",\"S\":")
        text.write(stateCount)
        text.write(",\"M\":{},\"D\":0,\"E\":\"\"}")
    }
}

/// The `x-ms-cpim-trans` cookie: base64 of the browser's open transactions and which one is current.
struct TransactionList: Sendable, Hashable {
    var listed: [ListedTransaction]
    var current: GUID

    /// The most transactions that one browser's cookie lists; older ones fall out.
    static let limit = 10

    var text: String {
        var json = ByteText(capacity: 64 + 240 * listed.count)
        json.write("{\"T_DIC\":[")
        for index in listed.indices {
            if index > 0 { json.write(",") }
            listed[index].write(to: &json)
        }
        json.write("],\"C_ID\":\"")
        json.write(current.description)
        json.write("\"}")
        return Base64.encode(json.bytes)
    }

    init(listed: [ListedTransaction], current: GUID) {
        self.listed = listed
        self.current = current
    }

    /// Reads a cookie; `nil` when it is not one of ours.
    init?(cookie: String) {
        guard let bytes = Base64.decode(cookie), let json = try? JSONParser.parse(bytes),
            let current = json["C_ID"]?.stringValue.flatMap({ GUID($0) }), let list = json["T_DIC"]?.arrayValue
        else { return nil }
        var listed: [ListedTransaction] = []
        for item in list {
            guard let id = item["I"]?.stringValue.flatMap({ GUID($0) }) else { return nil }
            listed.append(
                ListedTransaction(
                    id: id, tenant: item["T"]?.stringValue ?? "", policy: item["P"]?.stringValue ?? "",
                    client: item["C"]?.stringValue ?? "", stateCount: Int(item["S"]?.intValue ?? 0)))
        }
        self.init(listed: listed, current: current)
    }

    /// The list with this transaction as the current one.
    mutating func add(_ transaction: ListedTransaction) {
        listed.removeAll { $0.id == transaction.id }
        listed.append(transaction)
        if listed.count > Self.limit { listed.removeFirst(listed.count - Self.limit) }
        current = transaction.id
    }

    func contains(_ id: GUID) -> Bool { listed.contains { $0.id == id } }
}
