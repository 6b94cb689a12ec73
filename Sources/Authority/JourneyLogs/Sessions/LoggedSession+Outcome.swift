import JSON

extension LoggedSession {
    /// The session in the form of a step's outcome of `b2c run`: trace records, pages and errors, for those who show
    /// traces.
    public var outcome: JSONValue {
        var records: [JSONValue] = []
        var pages: [JSONValue] = []
        for step in steps {
            for item in step.items { records.append(.object(item.record(step: step.order))) }
            if let definition = step.contentDefinition {
                pages.append([
                    "name": .string(definition), "contentDefinition": .string(definition),
                    "technicalProfile": .string(step.page ?? step.items.first?.id ?? ""),
                    "step": .integer(Int64(step.order)),
                ])
            }
            guard step.isFinished else { continue }
            var record: JSONObject = [
                "journey": .string(step.journey), "step": LoggedSession.Item.order(step.order) ?? .null,
                "stepType": step.invokesSubJourney ? "InvokeSubJourney" : "", "ran": .bool(step.ran),
            ]
            if !step.because.isEmpty { record["because"] = .string(step.because) }
            record["claims"] = .object(step.claims)
            records.append(.object(record))
        }
        return ["trace": .array(records), "pages": .array(pages), "requests": []]
    }
}

extension LoggedSession.Item {
    /// The order of a step, which a log that begins within a journey does not have.
    fileprivate static func order(_ step: Int) -> JSONValue? { step > 0 ? .integer(Int64(step)) : nil }

    fileprivate func record(step: Int) -> JSONObject {
        var object = JSONObject()
        switch kind {
        case .transformation:
            object["transformation"] = .string(id)
            object["method"] = .string(handler)
        case .profile, .validation:
            object["step"] = Self.order(step)
            object["profile"] = .string(id)
            object["handler"] = .string(handler)
            object["validation"] = .bool(kind == .validation)
        }
        object["in"] = .object(input)
        object["out"] = .object(output)
        if let error { object["error"] = .string(error.text) }
        return object
    }
}
