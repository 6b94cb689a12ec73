import Diagnostics
import JSON

extension PolicyNeeds {
    /// For pipelines. Has no values of settings and no secrets.
    public var json: JSONObject {
        [
            "keys": .array(keys.map { .object($0.json) }), "apps": .array(apps.map { .object($0.json) }),
            "extensionAttributes": .array(attributes.map { .object($0.json(named: "name")) }),
            "settings": .array(settings.map { .object($0.json) }),
            "addresses": .array(addresses.map { .object($0.json) }),
            "pages": .array(pages.map { .object($0.json(named: "url")) }),
        ]
    }
}

extension SourceLocation {
    /// File and line.
    var json: JSONValue {
        var object: JSONObject = ["file": .string(file)]
        if let line { object["line"] = .integer(Int64(line)) }
        return .object(object)
    }
}

extension [String] {
    fileprivate var json: JSONValue { .array(map { .string($0) }) }
}

extension [SourceLocation] {
    fileprivate var json: JSONValue { .array(map(\.json)) }
}

extension KeyRequirement {
    fileprivate var json: JSONValue {
        var object: JSONObject = ["type": .string(form.rawValue)]
        if let use { object["use"] = .string(use.rawValue) }
        return .object(object)
    }
}

extension KeyNeed {
    fileprivate var json: JSONObject {
        let references = references.map { reference -> JSONValue in
            var object: JSONObject = [
                "element": .string(reference.element), "technicalProfile": .string(reference.profile),
                "place": reference.location.json,
            ]
            if let requirement = reference.requirement { object["requires"] = requirement.json }
            return .object(object)
        }
        return ["name": .string(name), "references": .array(references), "policies": policies.json]
    }
}

extension AppNeed {
    fileprivate var json: JSONObject {
        [
            "app": .string(role.rawValue), (identifier == .client ? "clientId" : "objectId"): .string(value),
            "places": places.json, "policies": policies.json,
        ]
    }
}

extension NamedNeed {
    fileprivate func json(named key: String) -> JSONObject {
        [key: .string(name), "places": places.json, "policies": policies.json]
    }
}

extension SettingNeed {
    fileprivate var json: JSONObject {
        [
            "name": .string(name),
            "environments": .object(JSONObject(environments.map { ($0.name, .bool($0.isSet)) })),
            "places": places.json, "policies": policies.json,
        ]
    }
}

extension AddressNeed {
    fileprivate var json: JSONObject {
        let items = items.map { item -> JSONValue in
            ["key": .string(item.key), "technicalProfile": .string(item.profile), "place": item.location.json]
        }
        return [
            "url": .string(url), "host": host.map { .string($0) } ?? .null, "items": .array(items),
            "policies": policies.json,
        ]
    }
}

extension NeedProblem {
    /// For pipelines.
    public var json: JSONObject {
        var object: JSONObject = [
            "kind": .string(kind.rawValue), "severity": .string(severity.rawValue), "name": .string(name),
            "message": .string(sentence), "policies": policies.json,
        ]
        if let remedy { object["remedy"] = .string(remedy) }
        if let location { object["place"] = location.json }
        return object
    }
}
