extension Shape {
    /// The shape of a merge patch (RFC 7396) over a value of this shape: every member is optional, `null` removes it,
    /// and arrays are given whole. Named shapes are referred to under their patch names; see ``patches(of:)``.
    public var asPatch: Shape {
        switch self {
        case .map(let shape, let keyHint, let keys):
            return .map(of: .nullable(shape.asPatch), keyHint: keyHint, keys: keys)
        case .object(let object):
            var patch = object
            patch.fields = object.fields.map { field in
                var field = field
                field.required = false
                field.shape = .nullable(field.shape.asPatch)
                return field
            }
            patch.open = object.open.map { .nullable($0.asPatch) }
            patch.exactlyOneOf = []
            patch.atMostOneOf = []
            return .object(patch)
        case .anyOf(let shapes): return .anyOf(shapes.map(\.asPatch))
        case .nullable(let shape): return .nullable(shape.asPatch)
        case .ref(let name): return .ref(Self.patchName(name))
        default: return self
        }
    }

    /// The named shapes together with the patch of each, under its name with "Patch" behind it.
    public static func patches(of named: [String: Shape]) -> [String: Shape] {
        var result = named
        for name in named.keys.sorted() { result[patchName(name)] = named[name]?.asPatch }
        return result
    }

    private static func patchName(_ name: String) -> String { name + "Patch" }
}
