import Determinism
import TrustFramework

/// Age gating (in published policies only: neither the method nor the countries' ages are documented; inferred).
enum AgeGroups {
    /// From the date of birth and the country: `Minor` below the country's age of consent, `NotAdult` below 18, else
    /// `Adult`. A minor needs a parent's consent unless it has been granted.
    static func classify(_ call: inout TransformationCall) throws(ProfileFailure) {
        let given = call.text("consentProvidedForMinor")
        guard let born = birthday(call) else {
            call.set("ageGroup", nil)
            call.set("requiresParentalConsent", nil)
            call.set("consentProvidedForMinor", text: given)
            return
        }
        let age = years(from: born, to: call.journey.now)
        let isMinor = age < consentAge(call.text("countryCode") ?? "")
        let needsConsent = isMinor && !sameID(given ?? "", "Granted")
        call.set("ageGroup", text: isMinor ? "Minor" : age < 18 ? "NotAdult" : "Adult")
        call.set("requiresParentalConsent", flag: needsConsent)
        call.set("consentProvidedForMinor", text: given ?? (isMinor ? nil : "NotRequired"))
    }

    private static func birthday(_ call: TransformationCall) -> Timestamp? {
        call.input("dateOfBirth")?.dateTimeValue
    }

    /// Whole years between two days.
    private static func years(from born: Timestamp, to now: Timestamp) -> Int {
        let birth = born.civil
        let today = now.civil
        let hadBirthday = (today.month, today.day) >= (birth.month, birth.day)
        return today.year - birth.year - (hadBirthday ? 0 : 1)
    }

    /// The age below which a parent must consent.
    static func consentAge(_ country: String) -> Int {
        let code = country.uppercased()
        if europeanUnion.contains(code) { return 16 }
        return code == "KR" ? 14 : 13
    }

    private static let europeanUnion = [
        "AT", "BE", "BG", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "GR", "HR", "HU", "IE", "IT", "LT", "LU",
        "LV", "MT", "NL", "PL", "PT", "RO", "SE", "SI", "SK",
    ]
}
