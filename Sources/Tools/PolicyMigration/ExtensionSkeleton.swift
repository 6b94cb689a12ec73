import Diagnostics
import ExtensionCalls
import JSON
import TrustFramework

/// Request and answer of the extension that replaces an element: a start for its endpoint and its tests.
package struct ExtensionSkeleton: Sendable {
    package let request: JSONValue
    package let answer: JSONValue

    /// - Parameters:
    ///   - inputs: What the element gets now.
    ///   - outputs: What it returns now.
    package init?(_ event: ExtensionEvent, inputs: [MigrationClaim], outputs: [MigrationClaim]) {
        guard let row = ExtensionEventRow.table.rows.first(where: { $0.id == event.rawValue }) else { return nil }
        var (request, answer) = (row.request, row.answer)
        if !row.inputsAt.isEmpty, let place = JSONPointer(row.inputsAt) {
            let sent = inputs.map { (Self.attribute($0.name), Self.sent($0)) }
            request.set(JSONValue.object(JSONObject(sent)), at: place)
        }
        if !row.outputsAt.isEmpty, let place = JSONPointer(row.outputsAt) {
            let returned = outputs.map { claim -> (String, JSONValue) in
                guard event == .tokenIssuanceStart else { return (Self.attribute(claim.name), Self.value(claim.type)) }
                return (claim.name, claim.type == .stringCollection ? ["text"] : "text")
            }
            answer.set(JSONValue.object(JSONObject(returned)), at: place)
        }
        (self.request, self.answer) = (request, answer)
    }

    /// The name of a custom attribute has the id of an app of the new tenant.
    private static func attribute(_ name: String) -> String {
        name.lowercased().hasPrefix("extension_") ? "extension_APPID_" + name.dropFirst("extension_".count) : name
    }

    private static func sent(_ claim: MigrationClaim) -> JSONValue {
        let type =
            switch claim.type {
            case .boolean: "boolean"
            case .int, .long: "int64"
            default: "string"
            }
        let isOwn = claim.name.lowercased().hasPrefix("extension_")
        return [
            "@odata.type": .string("microsoft.graph.\(type)DirectoryAttributeValue"), "value": value(claim.type),
            "attributeType": isOwn ? "directorySchemaExtension" : "builtIn",
        ]
    }

    /// A list is one text with commas.
    private static func value(_ type: DataType) -> JSONValue {
        switch type {
        case .boolean: true
        case .int, .long: 1
        case .stringCollection: "one,two"
        default: "text"
        }
    }
}
