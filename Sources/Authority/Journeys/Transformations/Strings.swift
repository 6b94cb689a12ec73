import HTTPMessages
import JOSE
import JSON
import TrustFramework

/// Transformations of texts (Microsoft docs: string-transformations). An absent text leaves the output absent and is no
/// error, unless the documentation says otherwise (inferred).
enum Strings {
    static func equal(_ a: String, _ b: String, _ ignoresCase: Bool) -> Bool {
        ignoresCase ? sameText(a.lowercased(), b.lowercased()) : sameText(a, b)
    }

    static func split(_ text: String, _ delimiter: String) -> [String] {
        guard !delimiter.isEmpty else { return [text] }
        var parts: [String] = []
        var rest = text[...]
        while let place = find(delimiter, in: rest) {
            parts.append(String(rest[..<place]))
            rest = rest[rest.index(place, offsetBy: delimiter.count)...]
        }
        parts.append(String(rest))
        return parts
    }

    private static func find(_ part: String, in text: Substring) -> String.Index? {
        var place = text.startIndex
        while place < text.endIndex {
            if text[place...].hasPrefix(part) { return place }
            place = text.index(after: place)
        }
        return nil
    }

    private static func comparesIgnoringCase(_ call: TransformationCall) -> Bool {
        sameID(call.parameter("stringComparison") ?? "", "OrdinalIgnoreCase")
    }

    static func assertEqual(_ call: inout TransformationCall) throws(ProfileFailure) {
        let ignores = comparesIgnoringCase(call)
        let a = call.text("inputClaim1")
        let b = call.text("inputClaim2")
        let same = a == nil && b == nil || a.flatMap { a in b.map { equal(a, $0, ignores) } } == true
        guard same else {
            throw call.failed(
                "UserMessageIfClaimsTransformationStringsAreNotEqual",
                "Claim value comparison failed using StringComparison \"\(ignores ? "OrdinalIgnoreCase" : "Ordinal")\"."
            )
        }
    }

    /// Scheme, host, path and query from claims and parameters.
    static func uri(_ call: inout TransformationCall) {
        let scheme = call.parameter("scheme") ?? "https"
        let host = call.parameter("host") ?? ""
        var items: [(name: String, value: String)] = []
        for claim in call.transformation.inputClaims where claim.role.lowercased().hasPrefix("query.") {
            if let value = call.bag[claim.claim]?.text {
                items.append((String(claim.role.dropFirst(6)), value))
            }
        }
        for parameter in call.transformation.inputParameters
        where parameter.id.lowercased().hasPrefix("query.") {
            items.append(
                (String(parameter.id.dropFirst(6)), call.parameter(parameter.id) ?? parameter.value))
        }
        var text = "\(scheme)://\(host)"
        if var path = call.text("path") ?? call.parameter("path"), !path.isEmpty {
            // An authenticator reads "issuer:account" from the path.
            if scheme.lowercased() == "otpauth",
                let issuer = items.first(where: { sameID($0.name, "issuer") })?.value,
                !path.contains(":")
            {
                path = "\(issuer):\(path)"
            }
            text += "/" + pathEncoded(path)
        }
        if !items.isEmpty { text += "?" + FormItems(items).encoded }
        call.set("outputClaim", text: text)
    }

    /// Spaces and whatever a path cannot hold; `:`, `@` and `/` stay.
    private static func pathEncoded(_ path: String) -> String {
        path.split(separator: "/", omittingEmptySubsequences: false).map { segment in
            PercentCoding.encodeComponent(String(segment)).replacing("%3A", with: ":").replacing(
                "%40", with: "@")
        }.joined(separator: "/")
    }

    static func changeCase(_ call: inout TransformationCall) throws(ProfileFailure) {
        let text = call.text("inputClaim1") ?? call.text("inputClaim")
        switch (call.parameter("toCase") ?? "").uppercased() {
        case "LOWER": call.set("outputClaim", text: text?.lowercased())
        case "UPPER": call.set("outputClaim", text: text?.uppercased())
        default: throw call.fault("toCase is neither LOWER nor UPPER")
        }
    }

    static func compareClaims(_ call: inout TransformationCall) throws(ProfileFailure) {
        try compare(&call, call.text("inputClaim1"), call.text("inputClaim2"))
    }

    static func compareToValue(_ call: inout TransformationCall) throws(ProfileFailure) {
        try compare(&call, call.text("inputClaim1"), call.parameter("compareTo"))
    }

    /// Two absent values are equal (inferred).
    private static func compare(_ call: inout TransformationCall, _ a: String?, _ b: String?)
        throws(ProfileFailure)
    {
        let ignores = call.ignoresCase
        let same: Bool
        if let a, let b { same = equal(a, b, ignores) } else { same = a == nil && b == nil }
        switch (call.parameter("operator") ?? "").lowercased() {
        case "equal": call.set("outputClaim", flag: same)
        case "not equal": call.set("outputClaim", flag: !same)
        default: throw call.fault("operator is neither EQUAL nor NOT EQUAL")
        }
    }

    /// Copies a value that the output claim's predicate validation accepts.
    static func copyIfValid(_ call: inout TransformationCall) throws(ProfileFailure) {
        guard let text = call.text("inputClaim"), let output = call.transformation.output("outputClaim")
        else { return }
        let policy = call.journey.policy
        if let handle = policy[output].validation,
            try !Predicates.holds(policy[handle], text, in: policy, now: call.journey.now)
        {
            return
        }
        call.set("outputClaim", text: text)
    }

    /// Sixteen characters of base32 in lower case.
    static func otpSecret(_ call: inout TransformationCall) {
        let text = Base32.encode(call.random.bytes(10)).lowercased().filter { $0 != "=" }
        call.set("outputClaim", text: text)
    }

    static func random(_ call: inout TransformationCall) throws(ProfileFailure) {
        var text: String
        switch (call.parameter("randomGeneratorType") ?? "").uppercased() {
        case "GUID": text = call.random.guid().description
        case "INTEGER":
            let most = min(max(call.number("maximumNumber") ?? 1000, 0), Int(Int32.max))
            text = String(call.random.below(most + 1))
        default: throw call.fault("randomGeneratorType is neither GUID nor INTEGER")
        }
        if let format = call.parameter("stringFormat") { text = try filled(format, [text], call) }
        if call.flag("base64", default: false) { text = Base64.encode(Array(text.utf8)) }
        call.set("outputClaim", text: text)
    }

    static func constant(_ call: inout TransformationCall) {
        call.set("createdClaim", text: call.parameter("value"))
    }

    static func format(_ call: inout TransformationCall) throws(ProfileFailure) {
        guard let text = call.text("inputClaim") else { return call.set("outputClaim", nil) }
        call.set("outputClaim", text: try filled(call.parameter("stringFormat") ?? "{0}", [text], call))
    }

    static func formatTwo(_ call: inout TransformationCall) throws(ProfileFailure) {
        let texts = [call.text("inputClaim1") ?? "", call.text("inputClaim2") ?? ""]
        call.set(
            "outputClaim", text: try filled(call.parameter("stringFormat") ?? "{0}{1}", texts, call))
    }

    /// .NET's composite format with plain places; doubled braces are literal. At most 4,000 characters.
    static func filled(_ format: String, _ values: [String], _ call: TransformationCall)
        throws(ProfileFailure)
        -> String
    {
        var result = ""
        var place = format.startIndex
        while place < format.endIndex {
            let character = format[place]
            let next = format.index(after: place)
            if character == "{" || character == "}" {
                if next < format.endIndex, format[next] == character {
                    result.append(character)
                    place = format.index(after: next)
                    continue
                }
                guard character == "{", let close = format[next...].firstIndex(of: "}"),
                    let index = Int(format[next..<close].prefix { $0 != ":" && $0 != "," }),
                    values.indices.contains(index)
                else { throw call.fault("the format \"\(format)\" is not well formed") }
                result += values[index]
                place = format.index(after: close)
                continue
            }
            result.append(character)
            place = next
        }
        return String(result.prefix(4000))
    }

    static func lookUp(_ call: inout TransformationCall) throws(ProfileFailure) {
        let key = call.text("inputParameterId")
        let found = call.transformation.inputParameters.first { parameter in
            parameter.id.lowercased() != "erroronfailedlookup"
                && key.map { sameID($0, parameter.id) } == true
        }
        if found == nil, call.flag("errorOnFailedLookup", default: false) {
            throw call.failed("LookupNotFound", "The value was not found.")
        }
        call.set("outputClaim", text: found?.value)
    }

    static func domain(_ call: inout TransformationCall) {
        guard let text = call.text("emailAddress") else { return call.set("domain", nil) }
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        call.set("domain", text: parts.count == 2 ? String(parts[1]) : "")
    }

    static func setIfPatternMatches(_ call: inout TransformationCall) throws(ProfileFailure) {
        let expression = call.transformation.parameter("matchTo") ?? ""
        let pattern = try TextPattern.inPolicy(expression, at: call.transformation.location)
        let outcome = pattern.firstMatch(in: call.text("claimToMatch") ?? "")
        if case .exhausted = outcome {
            throw TextPattern.tooLong(expression, at: call.transformation.location)
        }
        guard case .match(let match) = outcome, call.text("claimToMatch") != nil else {
            call.set("outputClaim", nil)
            call.set("regexCompareResultClaim", flag: false)
            return
        }
        if let text = call.parameter("outputClaimIfMatched") { call.set("outputClaim", text: text) }
        call.set("regexCompareResultClaim", flag: true)
        if call.flag("extractGroups", default: false) {
            for group in match.groups { call.set(group.name, text: group.text) }
        }
    }

    static func setIfEqual(_ call: inout TransformationCall) {
        let same =
            call.text("inputClaim").map {
                equal($0, call.parameter("matchTo") ?? "", comparesIgnoringCase(call))
            } ?? false
        call.set("stringCompareResultClaim", flag: same)
        guard same else { return }
        call.set("outputClaim1", text: call.parameter("stringMatchMsg"))
        call.set("outputClaim2", text: call.parameter("stringMatchMsgCode"))
    }

    static func setIfMatch(_ call: inout TransformationCall) {
        let same =
            call.text("claimToMatch").map {
                equal($0, call.parameter("matchTo") ?? "", comparesIgnoringCase(call))
            } ?? false
        call.set("stringCompareResultClaim", flag: same)
        if same, let text = call.parameter("outputClaimIfMatched") {
            call.set("outputClaim", text: text)
        }
    }

    static func contains(_ call: inout TransformationCall) {
        var text = call.text("inputClaim") ?? ""
        var part = call.parameter("contains") ?? ""
        if call.ignoresCase {
            text = text.lowercased()
            part = part.lowercased()
        }
        call.set("outputClaim", flag: part.isEmpty || find(part, in: text[...]) != nil)
    }

    /// .NET's `Substring`, which counts UTF-16 code units: out of range is an error.
    static func substring(_ call: inout TransformationCall) throws(ProfileFailure) {
        guard let text = call.text("inputClaim") else { return call.set("outputClaim", nil) }
        let start = call.number("startIndex") ?? 0
        let units = Array(text.utf16)
        guard start >= 0 else { throw call.fault("startIndex and length do not lie within the text") }
        let length = call.number("length") ?? max(0, units.count - start)
        guard length >= 0, start <= units.count, length <= units.count - start else {
            throw call.fault("startIndex and length do not lie within the text")
        }
        call.set("outputClaim", text: String(decoding: units[start..<(start + length)], as: UTF16.self))
    }

    static func replace(_ call: inout TransformationCall) {
        let text = call.text("inputClaim")
        call.set(
            "outputClaim",
            text: text?.replacing(
                call.parameter("oldValue") ?? "", with: call.parameter("newValue") ?? ""))
    }
}
