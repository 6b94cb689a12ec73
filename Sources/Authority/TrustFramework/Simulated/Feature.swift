/// Something that a policy can ask for, and how much of it is carried out here. `FeatureTable` names them all.
public struct Feature: Sendable, Hashable {
    /// What kind of thing it is: the chapters of the table.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case element = "Elements and attributes"
        case stepType = "Orchestration step types"
        case dataType = "Data types"
        case inputType = "User input types"
        case predicate = "Predicate methods"
        case mask = "Masks"
        case displayControl = "Display controls"
        case transformation = "Claims transformations"
        case profileKind = "Technical profile kinds"
        case metadata = "Metadata"
        case cryptographicKey = "Cryptographic keys"
        case resolver = "Claims resolvers"
        case textKind = "Localised texts (ElementType)"
        case text = "Localised texts (StringId)"
    }

    /// How much of it is carried out.
    public enum Extent: Sendable, Hashable {
        /// As documented, as far as the documentation says.
        case simulated
        /// Carried out, though not in every detail: what differs.
        case approximated(String)
        /// Legal, read and kept, but nothing here depends on it: why.
        case inert(String)
        /// Not simulated: a journey that comes there fails by name.
        case refused(String)

        /// The word that the table prints.
        public var word: String {
            switch self {
            case .simulated: "simulated"
            case .approximated: "approximated"
            case .inert: "no effect"
            case .refused: "refused"
            }
        }

        /// How, or why.
        public var note: String {
            switch self {
            case .simulated: ""
            case .approximated(let note), .inert(let note), .refused(let note): note
            }
        }
    }

    public let kind: Kind
    /// What it belongs to: the profile kind of a metadata key, else empty.
    public let owner: String
    /// As a policy writes it. A trailing `*` stands for any ending.
    public let name: String
    public let extent: Extent
    /// What names begin with that it stands for, where its own ends in `*`; as `covers` compares them.
    let stem: String?

    /// Metadata keys are exact, everything else ignores letter case.
    var isExact: Bool { kind == .metadata }

    init(_ kind: Kind, _ name: String, _ extent: Extent = .simulated, of owner: String = "") {
        self.kind = kind
        self.owner = owner
        self.name = name
        self.extent = extent
        let before = name.hasSuffix("*") ? String(name.dropLast()) : nil
        stem = kind == .metadata ? before : before?.lowercased()
    }

    /// Whether a name in a policy is this one.
    func covers(_ other: String) -> Bool {
        if let stem { return (isExact ? other : other.lowercased()).hasPrefix(stem) }
        return isExact ? name == other : sameID(name, other)
    }
}
