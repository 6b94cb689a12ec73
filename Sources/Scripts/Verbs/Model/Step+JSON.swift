import JSON

extension Step {
    /// A step that a program makes. Its place is known once a script contains it.
    ///
    /// - Parameter call: What it does, as a record. Not for groups, whose steps are read from the text.
    package init(
        _ call: some VerbRecord, id: String? = nil, name: String? = nil, client: String? = nil,
        user: [UserMove] = [], faults: JSONValue? = nil, expect: JSONValue? = nil
    ) {
        self.init(
            id: id, name: name, description: nil, pointer: .root, verb: Verb(type(of: call)),
            parameters: call.parameters,
            client: client, user: user.isEmpty ? nil : .array(user.map(\.json)), faults: faults, expect: expect,
            expectIn: [], only: nil, then: [], repeatCount: nil, copies: nil, steps: [])
    }

    /// The step as a script writes it.
    public var json: JSONObject {
        var step = JSONObject()
        step["name"] = name.map { .string($0) }
        step["description"] = description.map { .string($0) }
        step["client"] = client.map { .string($0) }
        step["id"] = id.map { .string($0) }
        step[verb.rawValue] = verb.isGroup ? .array(steps.map { .object($0.json) }) : parameters
        step["user"] = user
        step["faults"] = faults
        step["repeat"] = repeatCount
        step["copies"] = copies
        step["only"] = only.map { .array($0.map { .string($0) }) }
        step["expect"] = expect
        if !expectIn.isEmpty { step["expectIn"] = .object(JSONObject(expectIn.map { ($0.caseName, $0.expectation) })) }
        if !then.isEmpty { step["then"] = .array(then.map { .object($0.json) }) }
        return step
    }
}
