import JSON

/// Makes steps of what is there. The shape has been checked, so what does not fit is passed over.
package enum StepBuilder {
    /// The steps of a list, also those within others; none for anything else.
    ///
    /// - Parameter pointer: The place of the list in the script.
    package static func steps(_ value: JSONValue?, at pointer: JSONPointer) -> [Step] {
        (value?.arrayValue ?? []).enumerated().compactMap { index, element in
            step(element, at: pointer.appending(index))
        }
    }

    private static func step(_ value: JSONValue, at pointer: JSONPointer) -> Step? {
        guard let object = value.objectValue, let verb = object.keys.lazy.compactMap(Verb.init(rawValue:)).first,
            let parameters = object[verb.rawValue]
        else { return nil }
        return Step(
            id: object["id"]?.stringValue, name: object["name"]?.stringValue,
            description: object["description"]?.stringValue, pointer: pointer, verb: verb, parameters: parameters,
            client: object["client"]?.stringValue, user: object["user"], faults: object["faults"],
            expect: object["expect"],
            expectIn: (object["expectIn"]?.objectValue?.members ?? []).map { ($0.key, $0.value) },
            only: object["only"]?.arrayValue?.compactMap(\.stringValue),
            then: steps(object["then"], at: pointer.appending("then")), repeatCount: object["repeat"],
            copies: object["copies"],
            steps: verb.isGroup ? steps(parameters, at: pointer.appending(verb.rawValue)) : [])
    }
}
