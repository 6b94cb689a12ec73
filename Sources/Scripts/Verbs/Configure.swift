import JSON
import Records

/// A change of settings.
package struct Configure: ValueCall {
    /// A merge patch (RFC 7396) over the tenant file.
    package var value = JSONObject()

    package init() {}

    package static let name = "configure"
    package static let doc = "Changes settings: a merge patch over the tenant file."
    package static let codec = Codec<JSONObject>.object.shaped(.ref("tenantPatch"))

    package var needsClient: Bool { value["device"] != nil || value["browser"] != nil }
}
