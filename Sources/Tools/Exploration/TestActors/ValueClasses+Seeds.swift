import Determinism
import Journeys
import TrustFramework

/// What claims transformations distinguish by themselves.
extension ValueClasses {
    mutating func seed(_ transformation: ClaimsTransformation, _ policy: ResolvedPolicy, _ now: Timestamp) {
        let method = transformation.method.lowercased()
        seedComparison(transformation, method)
        seedTimes(transformation, method, of: policy, at: now)
        seedTexts(transformation, method)
    }

    /// Both sides of comparisons, and the claims that are compared with one another.
    private mutating func seedComparison(_ transformation: ClaimsTransformation, _ method: String) {
        func parameter(_ id: String) -> [String] { transformation.parameter(id).map { [$0] } ?? [] }
        let first = transformation.inputClaims.first?.claim
        switch method {
        case "comparebooleanclaimtovalue", "assertbooleanclaimisequaltovalue", "notclaims", "andclaims", "orclaims":
            for input in transformation.inputClaims { add(["true", "false"], to: input.claim) }
        case "setclaimifbooleansmatch": add(["true", "false"], to: first)
        case "compareclaimtovalue": add(parameter("compareTo") + ["other"], to: first)
        case "setclaimsifstringsareequal", "setclaimsifstringsmatch": add(parameter("matchTo") + ["other"], to: first)
        case "setclaimsifregexmatch": seedPattern(transformation)
        case "stringcontains":
            let part = transformation.parameter("contains") ?? ""
            add(part.isEmpty ? [] : ["text\(part)text", "other"], to: first)
        case "stringcollectioncontains":
            add(parameter("item") + ["other"], to: transformation.input("inputClaim") ?? first)
        case "stringcollectioncontainsclaim":
            link(transformation.input("item"), transformation.input("collection"))
        case "assertnumber":
            guard let number = transformation.parameter("CompareToValue").flatMap({ Int64($0) }) else { return }
            add(["\(number &- 1)", "\(number)", "\(number &+ 1)"], to: first)
        case "lookupvalue":
            let keys = transformation.inputParameters.map(\.id).filter { !sameID($0, "errorOnFailedLookup") }
            add(Array(keys.prefix(3)) + ["other"], to: first)
        case "doesclaimexist": if let first { presence.insert(first) }
        case "compareclaims", "assertstringclaimsareequal":
            link(transformation.input("inputClaim1"), transformation.input("inputClaim2"))
        case "createrandomstring", "guidandrandomgenerator":
            if let output = transformation.outputClaims.first { secrets.insert(output.claim) }
        default: break
        }
    }

    private mutating func seedPattern(_ transformation: ClaimsTransformation) {
        guard let pattern = transformation.parameter("matchTo") else { return }
        let (inside, outside) = Self.sides(of: pattern)
        let first = transformation.inputClaims.first?.claim
        add([inside, outside].compactMap(\.self), to: transformation.input("claimToMatch") ?? first)
        if inside == nil || outside == nil {
            let side = inside == nil ? "a text that matches" : "a text that does not match"
            untried.append(
                Untried(
                    "claims transformation \(transformation.id)", "\(side) \(pattern)",
                    claims: outputs(transformation), at: transformation.location))
        }
    }

    /// Days on both sides of a limit, and the ages and countries that consent depends on.
    private mutating func seedTimes(
        _ transformation: ClaimsTransformation, _ method: String, of policy: ResolvedPolicy, at now: Timestamp
    ) {
        func add(days: [Int64], to claim: ClaimTypeHandle?) {
            guard let claim else { return }
            for day in days {
                let text = (now + .days(day)).rfc3339
                self.add([policy[claim].dataType == .date ? String(text.prefix(10)) : text], to: claim)
            }
        }
        switch method {
        case "assertdatetimeisgreaterthan":
            link(transformation.input("leftOperand"), transformation.input("rightOperand"))
            for role in ["leftOperand", "rightOperand"] {
                add(days: [-365 * 20, 365 * 20], to: transformation.input(role))
            }
        case "datetimecomparison":
            let seconds = transformation.parameter("timeSpanInSeconds").flatMap { Int64($0) } ?? 0
            let days = min(max(seconds / 86_400, -36_500), 36_500)  // bounded: a century
            add(days: [-days - 2, -days + 2], to: transformation.input("firstDateTime"))
            add(days: [days - 2, days + 2], to: transformation.input("secondDateTime"))
        case "istermsofuseconsentrequired":
            let updated = transformation.parameter("termsOfUseTextUpdateDateTime").flatMap(Self.instant) ?? now
            let claim = transformation.input("termsOfUseConsentDateTime") ?? transformation.inputClaims.first?.claim
            let offset = min(max((updated - now).wholeSeconds / 86_400, -36_500), 36_500)  // bounded: a century
            add(days: [offset - 2, offset + 2], to: claim)
        case "getagegroupconsentprovidedandrequiresconsent", "getagegroupandconsentprovided":
            add(days: [-365 * 36, -365 * 17, -365 * 9], to: transformation.input("dateOfBirth"))
            self.add(["GB", "KR", "DE"], to: transformation.input("countryCode"))
            self.add(["Granted", "Denied"], to: transformation.input("consentProvidedForMinor"))
        default: break
        }
    }

    /// Texts of the form that a transformation reads, and of another one.
    private mutating func seedTexts(_ transformation: ClaimsTransformation, _ method: String) {
        let first = transformation.inputClaims.first?.claim
        switch method {
        case "convertstringtophonenumberclaim":
            add(["+442079460000", "2079460000", "12"], to: transformation.input("phoneNumberString"))
            add(["GB", "other"], to: transformation.input("country"))
        case "getnationalnumberandcountrycodefromphonenumberstring":
            add(["+442079460000", "2079460000"], to: transformation.input("phoneNumber") ?? first)
        case "stringsubstring":
            let start = min(max(transformation.parameter("startIndex").flatMap { Int($0) } ?? 0, 0), 64)  // bounded: 64
            let length = min(max(transformation.parameter("length").flatMap { Int($0) } ?? 0, 0), 64)  // bounded: 64
            guard start + length > 0 else { return }
            add([String(repeating: "a", count: start + length), "a"], to: first)
        case "parsedomain":
            add([Self.local + "@example.test", "other"], to: transformation.input("emailAddress") ?? first)
        default: break
        }
    }

    private static func instant(_ text: String) -> Timestamp? {
        Timestamp(rfc3339: text) ?? Timestamp(rfc3339: text.prefix(10) + "T00:00:00Z")
    }

    /// A text that a pattern matches, and one that it does not; `nil` where none was found.
    static func sides(of pattern: String) -> (inside: String?, outside: String?) {
        guard let rule = try? TextPattern(pattern) else { return (nil, nil) }
        let inside = (TextPattern.examples(of: pattern) + ["text", "\(local)@example.test", "7"]).first {
            rule.matches($0)
        }
        let outside = ["other", "7", "+442079460000", "\(local)@example.test", "~"].first { !rule.matches($0) }
        return (inside, outside)
    }
}
