import TrustFramework

/// What a claims transformation takes and gives: its input claims, parameters and output claims by name and type
/// (Microsoft docs: claimstransformations and its articles by type). It is in the transformations' own table, so that the
/// checks cannot differ from what runs.
public struct TransformationSignature: Sendable, Hashable {
    /// One input claim, parameter or output claim.
    public struct Slot: Sendable, Hashable {
        /// `TransformationClaimType` of a claim, `Id` of a parameter.
        public var name: String
        /// Data types it may have; empty: any.
        public var types: [DataType]
        /// Whether it is required.
        public var isRequired: Bool
        /// The only texts it may have, compared without regard to case; empty: any.
        public var words: [String]

        /// The types in words, such as `string`.
        public var typeNames: String { types.map(\.rawValue).joined(separator: " or ") }
    }

    /// One of the three lists.
    public struct List: Sendable, Hashable {
        public var slots: [Slot] = []
        /// Begins of further names that are allowed; the empty text allows any name.
        public var open: [String] = []
        /// Types of the further ones; empty: any.
        public var openTypes: [DataType] = []

        /// The slot of a name, compared without regard to case.
        public func slot(_ name: String) -> Slot? { slots.first { sameID($0.name, name) } }

        /// Whether a name that has no slot is allowed.
        public func allows(_ name: String) -> Bool {
            open.contains { name.lowercased().hasPrefix($0.lowercased()) }
        }
    }

    /// As the table spells it.
    public var method: String
    public var inputClaims: List
    public var parameters: List
    public var outputClaims: List

    /// The signature of a method, by name without regard to case; `nil` where there is no such method.
    public static func of(_ method: String) -> TransformationSignature? { byName[method.lowercased()] }

    /// The names of all methods, in the order of the table.
    public static let methods: [String] = Transformations.methods

    /// For look-ups only; never iterated.
    private static let byName: [String: TransformationSignature] = Dictionary(
        Transformations.signatures.map { ($0.method.lowercased(), TransformationSignature($0.method, $0.text)) },
        uniquingKeysWith: { first, _ in first })
}

extension TransformationSignature {
    /// Reads the table's short form: `inputs | parameters | outputs`, each a list of `name:types`, `-` for none. Types are
    /// letters joined by `/` (`*`: any); `?` ends what may be left out; `=A,B` lists the words of a parameter with `_` for a
    /// blank; a name that ends in `...` stands for any number of names that begin so.
    init(_ method: String, _ text: String) {
        self.method = method
        let parts = text.split(separator: "|").map { Self.list($0) }
        inputClaims = parts.first ?? List()
        parameters = parts.count > 1 ? parts[1] : List()
        outputClaims = parts.count > 2 ? parts[2] : List()
    }

    private static let letters: [Substring: DataType] = [
        "b": .boolean, "s": .string, "i": .int, "l": .long, "d": .date, "dt": .dateTime, "sc": .stringCollection,
        "ph": .phoneNumber, "ui": .userIdentity, "uic": .userIdentityCollection,
        "asc": .alternativeSecurityIdCollection,
    ]

    private static func list(_ text: Substring) -> List {
        var list = List()
        for item in text.split(separator: " ") where item != "-" {
            var rest = item
            let isOptional = rest.hasSuffix("?")
            if isOptional { rest = rest.dropLast() }
            let halves = rest.split(separator: ":", maxSplits: 1)
            guard halves.count == 2 else { continue }
            let typesAndWords = halves[1].split(separator: "=", maxSplits: 1)
            let types = typesAndWords.first?.split(separator: "/").compactMap { letters[$0] } ?? []
            let words =
                typesAndWords.count > 1
                ? typesAndWords[1].split(separator: ",").map { String($0).replacing("_", with: " ") } : []
            if halves[0].hasSuffix("...") {
                list.open.append(String(halves[0].dropLast(3)))
                list.openTypes = types
            } else {
                list.slots.append(
                    Slot(name: String(halves[0]), types: types, isRequired: !isOptional, words: words))
            }
        }
        return list
    }

    /// The short form of the table, for a test that nothing of it was passed over.
    var text: String {
        [inputClaims, parameters, outputClaims].map(Self.text).joined(separator: " | ")
    }

    private static func text(_ list: List) -> String {
        func types(_ types: [DataType]) -> String {
            types.isEmpty
                ? "*" : types.compactMap { type in letters.first { $0.value == type }?.key }.joined(separator: "/")
        }
        var items = list.slots.map { slot in
            let words = slot.words.isEmpty ? "" : "=" + slot.words.joined(separator: ",").replacing(" ", with: "_")
            return "\(slot.name):\(types(slot.types))\(words)\(slot.isRequired ? "" : "?")"
        }
        items += list.open.map { "\($0)...:\(types(list.openTypes))" }
        return items.isEmpty ? "-" : items.joined(separator: " ")
    }
}
