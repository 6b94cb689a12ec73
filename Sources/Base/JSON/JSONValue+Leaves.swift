extension JSONValue {
    /// The value with all in it changed that is neither a list nor an object.
    ///
    /// - Parameters:
    ///   - name: The name of the value; `change` gets that of the member it is in.
    ///   - kept: Names of members that stay as they are.
    package func mappingLeaves(
        of name: String = "", besides kept: Set<String> = [], _ change: (JSONValue, String) -> JSONValue
    ) -> JSONValue {
        switch self {
        case .array(let elements):
            .array(elements.map { $0.mappingLeaves(of: name, besides: kept, change) })
        case .object(let object):
            .object(
                JSONObject(
                    object.members.map { key, value in
                        (key, kept.contains(key) ? value : value.mappingLeaves(of: key, besides: kept, change))
                    }))
        case .string, .integer, .number, .bool, .null: change(self, name)
        }
    }
}
