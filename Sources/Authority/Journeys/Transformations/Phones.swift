import TrustFramework

/// Transformations of phone numbers (Microsoft docs: phone-number-claims-transformations).
enum Phones {
    static func toText(_ call: inout TransformationCall) {
        call.set("phoneNumberString", text: call.text("phoneNumber"))
    }

    /// With a country the national number gets its calling code (a leading zero stays, as the documentation's example
    /// has it); without, the text must begin with a plus sign.
    static func fromText(_ call: inout TransformationCall) throws(ProfileFailure) {
        guard let text = call.text("phoneNumberString") else { return call.set("outputClaim", nil) }
        let digits = text.filter { $0.isASCII && $0.isNumber }
        let code = call.text("country").flatMap { country in
            callingCodes.first { sameID($0.country, country) }?.code
        }
        let number: String
        if text.trimmingSpaces.hasPrefix("+") {
            number = digits
        } else if let code {
            number = code + digits
        } else {
            throw invalid(call)
        }
        guard (7...17).contains(number.count) else { throw invalid(call) }
        call.set("outputClaim", text: "+" + number)
    }

    private static func invalid(_ call: TransformationCall) -> ProfileFailure {
        call.failed("UserMessageIfClaimsTransformationInvalidPhoneNumber", "The phone number is not valid.")
    }

    static func split(_ call: inout TransformationCall) throws(ProfileFailure) {
        let text = call.text("phoneNumber") ?? ""
        let digits = text.filter { $0.isASCII && $0.isNumber }
        let isInternational = text.trimmingSpaces.hasPrefix("+")
        // The longest calling code that fits; of countries that share one the first of the table.
        let row = callingCodes.filter { digits.hasPrefix($0.code) }.max { $0.code.count < $1.code.count }
        guard isInternational, let row, digits.count > row.code.count else {
            if call.flag("throwExceptionOnFailure", default: false) {
                throw call.failed("UserMessageIfPhoneNumberParseFailure", "The phone number cannot be read.")
            }
            // A number that is read into its own claim stays as it is (inferred from the starter packs, which read numbers
            // of either form that way).
            for role in ["nationalNumber", "countryCode"]
            where call.transformation.output(role) != call.transformation.input("phoneNumber") {
                call.set(role, nil)
            }
            return
        }
        call.set("nationalNumber", text: String(digits.dropFirst(row.code.count)))
        let isCalling = sameID(call.parameter("countryCodeType") ?? "ISO3166", "CallingCode")
        call.set("countryCode", text: isCalling ? "+" + row.code : row.country)
    }

    /// Calling codes (ITU-T E.164 assignments) by ISO 3166 country; the main country of a shared code first.
    static let callingCodes: [(country: String, code: String)] = [
        ("US", "1"), ("CA", "1"), ("RU", "7"), ("KZ", "7"), ("EG", "20"), ("ZA", "27"), ("GR", "30"), ("NL", "31"),
        ("BE", "32"), ("FR", "33"), ("ES", "34"), ("HU", "36"), ("IT", "39"), ("VA", "39"), ("RO", "40"), ("CH", "41"),
        ("AT", "43"), ("GB", "44"), ("GG", "44"), ("IM", "44"), ("JE", "44"), ("DK", "45"), ("SE", "46"), ("NO", "47"),
        ("SJ", "47"), ("PL", "48"), ("DE", "49"), ("PE", "51"), ("MX", "52"), ("CU", "53"), ("AR", "54"), ("BR", "55"),
        ("CL", "56"), ("CO", "57"), ("VE", "58"), ("MY", "60"), ("AU", "61"), ("ID", "62"), ("PH", "63"), ("NZ", "64"),
        ("SG", "65"), ("TH", "66"), ("JP", "81"), ("KR", "82"), ("VN", "84"), ("CN", "86"), ("TR", "90"), ("IN", "91"),
        ("PK", "92"), ("AF", "93"), ("LK", "94"), ("MM", "95"), ("IR", "98"), ("MA", "212"), ("DZ", "213"),
        ("TN", "216"), ("LY", "218"), ("SN", "221"), ("CI", "225"), ("GH", "233"), ("NG", "234"), ("CM", "237"),
        ("CD", "243"), ("AO", "244"), ("RW", "250"), ("ET", "251"), ("KE", "254"), ("TZ", "255"), ("UG", "256"),
        ("MZ", "258"), ("ZM", "260"), ("MG", "261"), ("ZW", "263"), ("NA", "264"), ("BW", "267"), ("GI", "350"),
        ("PT", "351"), ("LU", "352"), ("IE", "353"), ("IS", "354"), ("AL", "355"), ("MT", "356"), ("CY", "357"),
        ("FI", "358"), ("BG", "359"), ("LT", "370"), ("LV", "371"), ("EE", "372"), ("MD", "373"), ("AM", "374"),
        ("BY", "375"), ("AD", "376"), ("MC", "377"), ("SM", "378"), ("UA", "380"), ("RS", "381"), ("ME", "382"),
        ("XK", "383"), ("HR", "385"), ("SI", "386"), ("BA", "387"), ("MK", "389"), ("CZ", "420"), ("SK", "421"),
        ("LI", "423"), ("GT", "502"), ("SV", "503"), ("HN", "504"), ("NI", "505"), ("CR", "506"), ("PA", "507"),
        ("HT", "509"), ("BO", "591"), ("GY", "592"), ("EC", "593"), ("PY", "595"), ("SR", "597"), ("UY", "598"),
        ("TL", "670"), ("BN", "673"), ("PG", "675"), ("FJ", "679"), ("HK", "852"), ("MO", "853"), ("KH", "855"),
        ("LA", "856"), ("BD", "880"), ("TW", "886"), ("MV", "960"), ("LB", "961"), ("JO", "962"), ("SY", "963"),
        ("IQ", "964"), ("KW", "965"), ("SA", "966"), ("YE", "967"), ("OM", "968"), ("PS", "970"), ("AE", "971"),
        ("IL", "972"), ("BH", "973"), ("QA", "974"), ("BT", "975"), ("MN", "976"), ("NP", "977"), ("TJ", "992"),
        ("TM", "993"), ("AZ", "994"), ("GE", "995"), ("KG", "996"), ("UZ", "998"),
    ]
}
