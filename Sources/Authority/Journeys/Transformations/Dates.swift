import Determinism
import TrustFramework

/// Transformations of dates and times (Microsoft docs: date-transformations).
enum Dates {
    /// Passes when the left instant is later than the right. Both are text claims.
    static func assertGreater(_ call: inout TransformationCall) throws(ProfileFailure) {
        let message = "Claim value comparison failed: The provided left operand is greater than the right operand."
        guard let left = call.input("leftOperand")?.dateTimeValue else {
            throw call.fault("leftOperand is not an instant")
        }
        guard let right = call.input("rightOperand")?.dateTimeValue else {
            let passes = call.flag("AssertIfRightOperandIsNotPresent", default: false)
            let switched = call.journey.environment.switches.assertPassesWithoutRightOperand
            if passes == switched { return }
            throw call.failed("DateTimeGreaterThan", message)
        }
        let window = TimeSpan.milliseconds(
            Int64(
                call.number("TreatAsEqualIfWithinMillseconds") ?? call.number("TreatAsEqualIfWithinMilliseconds") ?? 0))
        let difference = left - right
        if difference <= window, difference >= .zero - window {
            if call.flag("AssertIfEqualTo", default: true) { throw call.failed("DateTimeGreaterThan", message) }
            return
        }
        if difference < .zero { throw call.failed("DateTimeGreaterThan", message) }
    }

    static func toDate(_ call: inout TransformationCall) {
        let instant = call.input("inputClaim")?.dateTimeValue
        call.set("outputClaim", text: instant.map { String($0.rfc3339.prefix(10)) })
    }

    static func toDateTime(_ call: inout TransformationCall) {
        call.set("outputClaim", call.text("inputClaim").flatMap(ClaimText.instant).map(ClaimValue.dateTime))
    }

    /// (first + time span) against second; an absent second is now.
    static func compare(_ call: inout TransformationCall) throws(ProfileFailure) {
        guard let first = call.input("firstDateTime")?.dateTimeValue else {
            throw call.fault("firstDateTime has no value")
        }
        let second = call.input("secondDateTime")?.dateTimeValue ?? call.journey.now
        let moved = first + .seconds(Int64(call.number("timeSpanInSeconds") ?? 0))
        let operation = (call.parameter("operator") ?? "").lowercased()
        let result: Bool
        switch operation {
        case "same": result = moved == second
        case "later than":
            result =
                moved > second || (moved == second && call.journey.environment.switches.laterThanIncludesEqual)
        case "earlier than": result = moved < second
        default: throw call.fault("operator \"\(operation)\" is none of same, later than, earlier than")
        }
        call.set("result", flag: result)
    }

    static func now(_ call: inout TransformationCall) {
        call.set("currentDateTime", .dateTime(call.journey.now))
    }

    static func needsConsent(_ call: inout TransformationCall) {
        let given = call.input("termsOfUseConsentDateTime")?.dateTimeValue
        let updated = call.parameter("termsOfUseTextUpdateDateTime").flatMap(ClaimText.instant)
        guard let given else { return call.set("result", flag: true) }
        call.set("result", flag: updated.map { given < $0 } ?? false)
    }
}
