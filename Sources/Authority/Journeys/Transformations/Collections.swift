import TrustFramework

/// Transformations of string collections (Microsoft docs: stringcollection-transformations).
enum Collections {
    static func join(_ call: inout TransformationCall) {
        let delimiter = call.parameter("delimiter") ?? ","
        call.set("outputClaim", text: call.input("inputClaim")?.listValue?.joined(separator: delimiter))
    }

    static func split(_ call: inout TransformationCall) {
        guard let text = call.text("inputClaim") else { return call.set("outputClaim", nil) }
        let delimiter = call.parameter("delimiter") ?? ","
        call.set("outputClaim", .list(Strings.split(text, delimiter)))
    }

    /// Added unless it is there already.
    static func add(_ call: inout TransformationCall) {
        var items = call.input("collection")?.listValue ?? []
        if let item = call.text("item"), !items.contains(item) { items.append(item) }
        call.set("collection", items.isEmpty ? nil : .list(items))
    }

    static func addParameter(_ call: inout TransformationCall) {
        var items = call.input("collection")?.listValue ?? []
        if let item = call.parameter("item"), !items.contains(item) { items.append(item) }
        call.set("collection", items.isEmpty ? nil : .list(items))
    }

    static func first(_ call: inout TransformationCall) {
        call.set("extractedItem", text: call.input("collection")?.listValue?.first)
    }

    static func containsValue(_ call: inout TransformationCall) {
        let items = call.input("inputClaim")?.listValue ?? []
        call.set("outputClaim", flag: contains(call.parameter("item"), items, call.ignoresCase))
    }

    static func containsClaim(_ call: inout TransformationCall) {
        let items = call.input("collection")?.listValue ?? []
        call.set("outputClaim", flag: contains(call.text("item"), items, call.ignoresCase))
    }

    private static func contains(_ item: String?, _ items: [String], _ ignoresCase: Bool) -> Bool {
        guard let item else { return false }
        return items.contains { Strings.equal($0, item, ignoresCase) }
    }
}
