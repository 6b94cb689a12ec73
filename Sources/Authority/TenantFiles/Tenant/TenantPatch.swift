import JSON

extension JSONValue {
    /// A tenant file with a merge patch over it. `null` removes a member. As a claim of an identity provider it stays: the
    /// provider does not send that claim.
    public func patched(tenant patch: JSONValue) -> JSONValue {
        merging(patch: patch)
            .keepingNulls(of: patch, at: ["users", "*", "providers", "*"])
            .keepingNulls(of: patch, at: ["providers", "*", "claims"])
    }

    /// The same for the record of one person.
    public func patched(person patch: JSONValue) -> JSONValue {
        merging(patch: patch).keepingNulls(of: patch, at: ["providers", "*"])
    }

    /// - Parameter path: Names of members that lead to objects; `*` is any name.
    private func keepingNulls(of patch: JSONValue, at path: ArraySlice<String>) -> JSONValue {
        guard case .object(let changes) = patch, case .object(var result) = self else { return self }
        for (key, change) in changes.members {
            guard let next = path.first else {
                if change.isNull { result[key] = JSONValue.null }
                continue
            }
            guard next == "*" || next == key, let inner = result[key] else { continue }
            result[key] = inner.keepingNulls(of: change, at: path.dropFirst())
        }
        return .object(result)
    }
}
