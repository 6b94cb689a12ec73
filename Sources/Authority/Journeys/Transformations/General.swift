import JOSE
import TrustFramework

/// Transformations of any claim (Microsoft docs: general-transformations) and of numbers (integer-transformations).
enum General {
    static func copy(_ call: inout TransformationCall) {
        call.set("outputClaim", call.input("inputClaim"))
    }

    /// An empty collection counts as absent (inferred).
    static func exists(_ call: inout TransformationCall) {
        let value = call.input("inputClaim")
        call.set("outputClaim", flag: value != nil && value?.listValue?.isEmpty != true)
    }

    /// A stand-in: base64 of SHA-256 over text, salt and secret in this order. The service's own order is not documented.
    static func hash(_ call: inout TransformationCall) throws(ProfileFailure) {
        guard call.journey.environment.switches.hashesWithStandIn else {
            throw .notSimulated("claims transformation Hash", at: call.transformation.location)
        }
        let secret = call.parameter("randomizerSecret").map { call.journey.environment.secrets.secret($0) } ?? ""
        let text = (call.text("plaintext") ?? "") + (call.text("salt") ?? "") + secret
        call.set("hash", text: Base64.encode(SHA2.sha256(Array(text.utf8))))
    }

    static func clear(_ call: inout TransformationCall) {
        call.set("claim_to_null", nil)
    }
}

enum Numbers {
    /// An absent number counts as zero.
    static func adjust(_ call: inout TransformationCall) throws(ProfileFailure) {
        let value = call.input("inputClaim")?.integerValue ?? 0
        let isDecrement = sameID(call.parameter("Operator") ?? "INCREMENT", "DECREMENT")
        let (result, overflow) = isDecrement ? value.subtractingReportingOverflow(1) : value.addingReportingOverflow(1)
        if overflow { throw call.fault("the number is too large") }
        call.set("outputClaim", .integer(result))
    }

    /// Fails when the comparison is true, unless `throwError` is false: then it writes the result.
    static func assert(_ call: inout TransformationCall) throws(ProfileFailure) {
        guard let value = call.input("inputClaim")?.integerValue else { throw call.fault("inputClaim has no value") }
        let other = Int64(call.number("CompareToValue") ?? 0)
        let result: Bool
        switch (call.parameter("Operator") ?? "").lowercased() {
        case "lessthan": result = value < other
        case "greaterthan": result = value > other
        case "greaterthanorequal": result = value >= other
        case "lessthanorequal": result = value <= other
        case "equal": result = value == other
        case "notequal": result = value != other
        default: throw call.fault("Operator \"\(call.parameter("Operator") ?? "")\" is unknown")
        }
        guard call.flag("throwError", default: true) else { return call.set("outputClaim", flag: result) }
        if result { throw call.failed("AssertNumberError", "The number is not what it must be.") }
    }

    static func toText(_ call: inout TransformationCall) {
        call.set("outputClaim", text: call.input("inputClaim")?.integerValue.map(String.init))
    }
}
