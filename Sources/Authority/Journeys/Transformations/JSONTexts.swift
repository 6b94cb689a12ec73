import JSON
import TrustFramework

/// Transformations of JSON texts (Microsoft docs: json-transformations).
enum JSONTexts {
    static func array(_ call: inout TransformationCall) {
        let text = call.text("inputClaim")
        call.set("outputClaim", text: text.map { JSONWriter.compact(.array([.string($0)])) })
    }

    /// Nested objects from dotted paths; whole-number parts are places of an array. Claims are written before parameters.
    static func generate(_ call: inout TransformationCall) throws(ProfileFailure) {
        let names = call.transformation.inputClaims.map(\.role) + call.transformation.inputParameters.map(\.id)
        if names.contains(where: { $0.utf8.count { $0 == UInt8(ascii: ".") } > 64 }) {
            throw call.fault("a path is deeper than 64 levels")
        }
        var tree = Tree.object([])
        for claim in call.transformation.inputClaims {
            guard let value = call.bag[claim.claim] else { continue }
            let json = value.json(as: call.journey.policy[claim.claim].dataType)
            tree.set(json, at: claim.role.split(separator: ".").map(String.init)[...])
        }
        for parameter in call.transformation.inputParameters {
            let text = call.parameter(parameter.id) ?? parameter.value
            let json = ClaimValue(text, as: parameter.dataType)?.json(as: parameter.dataType) ?? .string(text)
            tree.set(json, at: parameter.id.split(separator: ".").map(String.init)[...])
        }
        call.set("outputClaim", text: JSONWriter.compact(tree.json))
    }

    /// A JSON document while it is being put together.
    private indirect enum Tree {
        case leaf(JSONValue)
        case object([(key: String, value: Tree)])

        mutating func set(_ value: JSONValue, at path: ArraySlice<String>) {
            guard let key = path.first else {
                self = .leaf(value)
                return
            }
            var members: [(key: String, value: Tree)] = []
            if case .object(let old) = self { members = old }
            var child = Tree.object([])
            let place = members.firstIndex { $0.key == key }
            if let place { child = members[place].value }
            child.set(value, at: path.dropFirst())
            if let place { members[place].value = child } else { members.append((key, child)) }
            self = .object(members)
        }

        /// An object whose keys are 0, 1, 2 ... is an array.
        var json: JSONValue {
            switch self {
            case .leaf(let value): return value
            case .object(let members):
                let isArray =
                    !members.isEmpty && members.enumerated().allSatisfy { String($0.offset) == $0.element.key }
                if isArray { return .array(members.map(\.value.json)) }
                return .object(JSONObject(members.map { ($0.key, $0.value.json) }))
            }
        }
    }

    private static func parsed(_ call: TransformationCall, _ role: String) throws(ProfileFailure) -> JSONValue? {
        guard let text = call.text(role) else { return nil }
        do throws(InvalidJSON) { return try read(text) } catch { throw call.fault("\(role) is not JSON") }
    }

    private struct InvalidJSON: Error {}

    private static func read(_ text: String) throws(InvalidJSON) -> JSONValue {
        guard let value = try? JSONParser.parse(text) else { throw InvalidJSON() }
        return value
    }

    private static func text(_ value: JSONValue?) -> String? {
        guard let value, !value.isNull else { return nil }
        return value.stringValue ?? JSONWriter.compact(value)
    }

    static func claim(_ call: inout TransformationCall) throws(ProfileFailure) {
        let json = try parsed(call, "inputJson")
        call.set("extractedClaim", text: text(json?[call.parameter("claimToExtract") ?? ""]))
    }

    static func number(_ call: inout TransformationCall) throws(ProfileFailure) {
        let json = try parsed(call, "inputJson")
        let value = json?[call.parameter("claimToExtract") ?? ""]
        call.set("extractedClaim", value?.intValue.map(ClaimValue.integer))
    }

    static func firstMember(_ call: inout TransformationCall) throws(ProfileFailure) {
        let member = try parsed(call, "inputJson")?.objectValue?.members.first
        call.set("key", text: member?.key)
        call.set("value", text: text(member?.value))
    }

    static func firstElement(_ call: inout TransformationCall) throws(ProfileFailure) {
        let json = try parsed(call, "inputJsonClaim")
        call.set("extractedClaim", text: text(json?.arrayValue?.first))
    }

    /// Items of an array (or a collection of JSON texts) whose key is the name of an output claim.
    static func claims(_ call: inout TransformationCall) throws(ProfileFailure) {
        var items: [JSONValue] = []
        if let list = (call.input("jsonSource") ?? call.input("jsonSourceClaim"))?.listValue {
            for text in list {
                guard let item = try? JSONParser.parse(text) else {
                    throw call.fault("an item of jsonSource is not JSON")
                }
                items.append(item)
            }
        } else {
            let role = call.transformation.input("jsonSource") != nil ? "jsonSource" : "jsonSourceClaim"
            items = try parsed(call, role)?.arrayValue ?? []
        }
        let keyName = call.parameter("jsonSourceKeyName") ?? "key"
        let valueName = call.parameter("jsonSourceValueName") ?? "value"
        let missingIsError = call.flag("errorOnMissingClaims", default: false)
        let takesEmpty = call.flag("includeEmptyClaims", default: false)
        for output in call.transformation.outputClaims {
            let type = call.journey.policy[output.claim]
            guard let item = items.first(where: { sameID($0[keyName]?.stringValue ?? "", type.id) }) else {
                if missingIsError { throw call.fault("jsonSource has no item \(type.id)") }
                continue
            }
            let value = item[valueName] ?? .null
            if value.isNull || value.stringValue?.isEmpty == true {
                if takesEmpty { call.bag[output.claim] = type.dataType == .string ? .text("") : nil }
                continue
            }
            guard let claim = ClaimValue(value, as: type.dataType) else {
                throw call.fault("the item \(type.id) of jsonSource does not fit the claim's type")
            }
            call.bag[output.claim] = claim
        }
    }
}
