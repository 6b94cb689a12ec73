import Determinism
import TrustFramework

/// One run of a claims transformation.
struct TransformationCall {
    let transformation: ClaimsTransformation
    let profile: TechnicalProfile
    let page: ProfileHandle?
    var bag: ClaimsBag
    let journey: JourneyCall
    var random: SeededGenerator
}

enum Transformations {
    static func run(_ call: inout TransformationCall) throws(ProfileFailure) {
        throw .notSimulated("claims transformation \(call.transformation.method)", at: call.transformation.location)
    }
}
