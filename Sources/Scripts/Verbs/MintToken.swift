import Exchanges
import JSON
import Records

/// A token made to order.
package struct MintToken: ValueCall {
    package var value = MintOrder()

    package init() {}

    package init(_ order: MintOrder) { value = order }

    package static let name = "mintToken"
    package static let doc = "Makes a token: changed, expired, signed with another key or broken."
    package static let codec: Codec<MintOrder> = {
        var fields = MintOrder.settings.map(\.field)
        for index in fields.indices where fields[index].name == "from" { fields[index].shape = .ref("tokenText") }
        return Codec(
            shape: .object(ObjectShape(title: "call of `\(name)`", fields: fields)),
            decode: { value, cursor in MintOrder.filled(value, cursor)?.withLifetime }, encode: { .object($0.said) })
    }()

    package func needs(keys: [String]) -> [(capability: Capability, reason: String)] {
        let isOwn = value.key.map(keys.contains) ?? (value.algorithm != .none)
        return isOwn ? [(.mint, "signs with a key of the tenant")] : []
    }

    package struct Returned: ResultRecord {
        package var token: String

        package init(token: String) { self.token = token }

        package static let members: [ResultMember<Returned>] = {
            var table = ResultTable<Returned>()
            table.add("token", .text, "The minted token.") { $0.token }
            return table.members
        }()
    }

    package static let results: [any ResultRecord.Type] = [Returned.self]
}
