import Determinism
import JOSE
import JSON
import MockAuthority

/// The body of a request that creates or uploads keys.
struct KeyRequestBody {
    let members: JSONObject

    /// - Parameter tenant: The tenant's domain, for the refusal.
    init(_ request: GraphManagementRequest, tenant: String) throws(GraphFault) {
        guard let object = request.message.json?.objectValue else {
            throw .badKeyDocument(tenant: tenant, "the body is not a JSON object")
        }
        members = object
    }

    init(_ members: JSONObject) {
        self.members = members
    }

    /// A text; `nil` if it is absent, null or empty.
    func text(_ name: String) throws(GraphFault) -> String? {
        guard let value = members[name], !value.isNull else { return nil }
        guard let text = value.stringValue else { throw .badKey("\(name) is not a text") }
        return text.isEmpty ? nil : text
    }

    func required(_ name: String) throws(GraphFault) -> String {
        guard let text = try text(name) else { throw .missingKeyParameter(name) }
        return text
    }

    /// Seconds since 1970. The documents show numbers both as numbers and as texts.
    func time(_ name: String) throws(GraphFault) -> Int64? {
        guard let value = members[name], !value.isNull else { return nil }
        guard let seconds = value.intValue ?? value.stringValue.flatMap({ Int64($0) }) else {
            throw .badKey("\(name) is not a number of seconds since 1970")
        }
        return seconds
    }

    func use() throws(GraphFault) -> String {
        let use = try required("use")
        guard ["sig", "enc"].contains(use) else { throw .badKeyUse(use) }
        return use
    }

    /// `RSA` or `oct`, in any letter case.
    func kind(ifMissing fault: GraphFault) throws(GraphFault) -> String {
        guard let kty = try text("kty") else { throw fault }
        switch kty.lowercased() {
        case "rsa": return "RSA"
        case "oct": return "oct"
        default: throw .badKeyType(kty)
        }
    }

    /// The bytes of a file, in base64.
    func file() throws(GraphFault) -> [UInt8] {
        guard let bytes = Base64.decode(try required("key")) else { throw .badKey("key is not base64") }
        return bytes
    }
}
