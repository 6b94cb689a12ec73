import TrustFramework

/// Transformations of boolean claims (Microsoft docs: boolean-transformations).
enum Booleans {
    /// An absent claim counts as false (inferred).
    static func and(_ call: inout TransformationCall) {
        let a = call.input("inputClaim1")?.booleanValue ?? false
        let b = call.input("inputClaim2")?.booleanValue ?? false
        call.set("outputClaim", flag: a && b)
    }

    static func or(_ call: inout TransformationCall) {
        let a = call.input("inputClaim1")?.booleanValue ?? false
        let b = call.input("inputClaim2")?.booleanValue ?? false
        call.set("outputClaim", flag: a || b)
    }

    /// Nothing of nothing (inferred).
    static func not(_ call: inout TransformationCall) {
        call.set("outputClaim", call.input("inputClaim")?.booleanValue.map { .boolean(!$0) })
    }

    /// An absent claim equals no value (inferred).
    static func compare(_ call: inout TransformationCall) {
        let wanted = call.flag("valueToCompareTo", default: false)
        call.set("compareResult", flag: call.input("inputClaim")?.booleanValue == wanted)
    }

    static func assertEqual(_ call: inout TransformationCall) throws(ProfileFailure) {
        let wanted = call.flag("valueToCompareTo", default: true)
        guard call.input("inputClaim")?.booleanValue == wanted else {
            let claim = call.transformation.input("inputClaim").map { call.journey.policy[$0].id } ?? "inputClaim"
            throw call.failed(
                "UserMessageIfClaimsTransformationBooleanValueIsNotEqual",
                "Boolean claim value comparison failed for claim type \"\(claim)\".")
        }
    }

    static func setIfMatch(_ call: inout TransformationCall) throws(ProfileFailure) {
        guard let value = call.input("claimToMatch")?.booleanValue else {
            throw call.fault("claimToMatch has no value")
        }
        guard value == call.flag("matchTo", default: true) else { return }
        call.set("outputClaim", text: call.parameter("outputClaimIfMatched"))
    }
}
