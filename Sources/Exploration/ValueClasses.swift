import Determinism
import Diagnostics
import JSON
import Journeys
import TrustFramework

/// Which values of each claim lead to different ways through a policy.
///
/// It starts from what the policy compares, matches and looks up, and goes back from there: through claims transformations
/// to the claims that they read, and from a claim to the claims that it is compared with. Who can give a claim its value
/// (somebody who types, a web API, a provider, the directory, the request) tries each class.
struct ValueClasses: Sendable {
    /// Stands for the part of an address before the `@`: the person's own.
    static let local = "{local}"
    /// The value of an attribute, or of an answer, that the policy compares with what somebody types.
    static let kept = "kept-1843"
    /// Values of a claim at most; further ones are listed as not tried.
    static let most = 12

    let reach: ReachableElements
    private var values: [ClaimTypeHandle: [String]] = [:]
    /// Claims that the policy compares with one another.
    private(set) var partners: [ClaimTypeHandle: [ClaimTypeHandle]] = [:]
    /// Claims of which the policy asks whether they exist.
    private(set) var presence: Set<ClaimTypeHandle> = []
    /// Claims whose values are drawn at random: codes that the policy makes itself.
    private(set) var secrets: Set<ClaimTypeHandle> = []
    /// Claims with more values than are tried.
    private var overfull: Set<ClaimTypeHandle> = []
    /// What cannot be turned round, and values beyond the limit.
    private(set) var untried: [Untried] = []

    /// - Parameter trims: The default `trimsPreconditionValues`.
    init(_ policy: ResolvedPolicy, now: Timestamp, trims: Bool) {
        reach = ReachableElements(policy)
        seed(policy, now, trims: trims)
        propagate(policy)
    }

    /// The values to try for a claim, in the order of the policy; empty where none makes a difference.
    func of(_ claim: ClaimTypeHandle) -> [String] { values[claim] ?? [] }

    /// The same with the person's own part of an address.
    func of(_ claim: ClaimTypeHandle, for person: String) -> [String] {
        of(claim).map { $0.replacing(Self.local, with: person) }
    }

    // MARK: What the policy distinguishes

    private mutating func add(_ value: String, to claim: ClaimTypeHandle) -> Bool {
        guard !(values[claim]?.containsText(value) ?? false) else { return false }
        guard values[claim]?.count ?? 0 < Self.most else {
            overfull.insert(claim)
            return false
        }
        values[claim, default: []].append(value)
        return true
    }

    private mutating func add(_ list: [String], to claim: ClaimTypeHandle?) {
        guard let claim else { return }
        for value in list { _ = add(value, to: claim) }
    }

    private mutating func link(_ a: ClaimTypeHandle?, _ b: ClaimTypeHandle?) {
        guard let a, let b, a != b else { return }
        if partners[a]?.contains(b) != true { partners[a, default: []].append(b) }
        if partners[b]?.contains(a) != true { partners[b, default: []].append(a) }
    }

    private mutating func seed(_ policy: ResolvedPolicy, _ now: Timestamp, trims: Bool) {
        for precondition in reach.preconditions(policy) {
            switch precondition.type {
            case .claimsExist: presence.formUnion(precondition.claims)
            case .claimEquals:
                if let claim = precondition.claims.first, let value = precondition.value(trimmed: trims) {
                    add([value] + Self.beside(value, policy[claim].dataType), to: claim)
                }
            }
        }
        for handle in reach.transformations { seed(policy[handle], policy, now) }
        for handle in reach.profiles {
            let profile = policy[handle]
            if let claim = profile.metadata["ClaimTypeOnWhichToEnable"].flatMap({ policy.claimType($0) }) {
                presence.insert(claim)
                add(profile.metadata["ClaimValueOnWhichToEnable"].map { [$0, "other"] } ?? [], to: claim)
            }
            if profile.handler == .directory || profile.handler == .passwordSignIn {
                for input in profile.inputClaims { add(Self.names(input, policy), to: input.claim) }
            }
            if profile.handler == .oneTimePassword,
                let code = profile.outputClaims.first(where: { sameID($0.wireName, "otpGenerated") })
            {
                secrets.insert(code.claim)
            }
        }
    }

    /// What somebody types into a field by which the policy looks up accounts, where neither its name nor its kind says so.
    private static func names(_ input: ProfileClaim, _ policy: ResolvedPolicy) -> [String] {
        let type = policy[input.claim]
        let id = type.id.lowercased()
        guard let kind = type.userInputType, kind != .emailBox, kind != .readonly,
            !["mail", "signinname", "logon", "login", "username", "phone", "number"].contains(where: { id.contains($0) }
            )
        else { return [] }
        switch input.wireName.lowercased() {
        case "signinnames.emailaddress", "username":
            return [local + "@example.test", Roster.second.text("email") ?? ""]
        case "signinnames.username": return [local + "lovelace", Roster.second.text("username") ?? ""]
        case "signinnames.phonenumber": return ["+442079460000", Roster.second.text("phone") ?? ""]
        default: return []
        }
    }

    /// A value on the other side of a comparison with a constant.
    private static func beside(_ value: String, _ type: DataType) -> [String] {
        switch type {
        case .boolean: []
        case .int, .long: Int64(value).map { ["\($0 &+ 1)"] } ?? []
        default: ["other"]
        }
    }

    private mutating func seed(_ transformation: ClaimsTransformation, _ policy: ResolvedPolicy, _ now: Timestamp) {
        func parameter(_ id: String) -> [String] { transformation.parameter(id).map { [$0] } ?? [] }
        let first = transformation.inputClaims.first?.claim
        switch transformation.method.lowercased() {
        case "comparebooleanclaimtovalue", "assertbooleanclaimisequaltovalue", "notclaims", "andclaims", "orclaims":
            for input in transformation.inputClaims { add(["true", "false"], to: input.claim) }
        case "setclaimifbooleansmatch": add(["true", "false"], to: first)
        case "compareclaimtovalue": add(parameter("compareTo") + ["other"], to: first)
        case "setclaimsifstringsareequal", "setclaimsifstringsmatch": add(parameter("matchTo") + ["other"], to: first)
        case "setclaimsifregexmatch":
            guard let pattern = transformation.parameter("matchTo") else { return }
            let (inside, outside) = Self.sides(of: pattern)
            add([inside, outside].compactMap(\.self), to: transformation.input("claimToMatch") ?? first)
            if inside == nil || outside == nil {
                let side = inside == nil ? "a text that matches" : "a text that does not match"
                untried.append(
                    Untried(
                        "claims transformation \(transformation.id)", "\(side) \(pattern)",
                        claims: outputs(transformation),
                        at: transformation.location))
            }
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
        case "assertdatetimeisgreaterthan":
            link(transformation.input("leftOperand"), transformation.input("rightOperand"))
            for role in ["leftOperand", "rightOperand"] {
                addDays([-365 * 20, 365 * 20], transformation.input(role), policy, now)
            }
        case "datetimecomparison":
            let seconds = transformation.parameter("timeSpanInSeconds").flatMap { Int64($0) } ?? 0
            let days = min(max(seconds / 86_400, -36_500), 36_500)  // bounded: a century
            addDays([-days - 2, -days + 2], transformation.input("firstDateTime"), policy, now)
            addDays([days - 2, days + 2], transformation.input("secondDateTime"), policy, now)
        case "istermsofuseconsentrequired":
            let updated = transformation.parameter("termsOfUseTextUpdateDateTime").flatMap(Self.instant) ?? now
            let claim = transformation.input("termsOfUseConsentDateTime") ?? first
            let offset = min(max((updated - now).wholeSeconds / 86_400, -36_500), 36_500)  // bounded: a century
            addDays([offset - 2, offset + 2], claim, policy, now)
        case "getagegroupconsentprovidedandrequiresconsent", "getagegroupandconsentprovided":
            addDays([-365 * 36, -365 * 17, -365 * 9], transformation.input("dateOfBirth"), policy, now)
            add(["GB", "KR", "DE"], to: transformation.input("countryCode"))
            add(["Granted", "Denied"], to: transformation.input("consentProvidedForMinor"))
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
        case "doesclaimexist": if let first { presence.insert(first) }
        case "compareclaims", "assertstringclaimsareequal":
            link(transformation.input("inputClaim1"), transformation.input("inputClaim2"))
        case "createrandomstring", "guidandrandomgenerator":
            if let output = transformation.outputClaims.first { secrets.insert(output.claim) }
        case "createstringclaim": break
        default: break
        }
    }

    private func outputs(_ transformation: ClaimsTransformation) -> [ClaimTypeHandle] {
        transformation.outputClaims.map(\.claim)
    }

    private mutating func addDays(
        _ days: [Int64], _ claim: ClaimTypeHandle?, _ policy: ResolvedPolicy, _ now: Timestamp
    ) {
        guard let claim else { return }
        for day in days {
            let text = (now + .days(day)).rfc3339
            add([policy[claim].dataType == .date ? String(text.prefix(10)) : text], to: claim)
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

    // MARK: Back to where values come from

    private mutating func propagate(_ policy: ResolvedPolicy) {
        var constants: [ClaimTypeHandle: [String]] = [:]
        for handle in reach.transformations {
            let transformation = policy[handle]
            if sameID(transformation.method, "CreateStringClaim"), let output = transformation.outputClaims.first,
                let value = transformation.parameter("value")
            {
                constants[output.claim, default: []].append(value)
            }
        }
        for handle in reach.profiles {
            let profile = policy[handle]
            for claim in profile.inputClaims + profile.outputClaims {
                if let value = claim.defaultValue, !value.contains("{") {
                    constants[claim.claim, default: []].append(value)
                }
            }
            // What the directory or a service gives and the policy compares with something else.
            guard profile.handler == .directory || profile.handler == .rest || profile.handler.isFederation else {
                continue
            }
            for output in profile.outputClaims
            where partners[output.claim] != nil && !Roster.isOwnAttribute(output.wireName, profile.handler) {
                if policy[output.claim].dataType == .string { add([Self.kept], to: output.claim) }
            }
        }
        // A chain is seldom longer than three transformations.
        for _ in 0..<6 {
            var isChanged = false
            for (claim, others) in partners.sorted(by: { $0.key < $1.key }) {
                for value in of(claim) + (constants[claim] ?? []) {
                    for other in others where !secrets.contains(other) {
                        if add(value, to: other) { isChanged = true }
                    }
                }
                // Both ways of a comparison need a value that differs.
                if !secrets.contains(claim), !of(claim).isEmpty, add("other", to: claim) { isChanged = true }
            }
            for handle in reach.transformations.reversed() {
                if propagate(policy[handle], policy) { isChanged = true }
            }
            if !isChanged { break }
        }
        for claim in overfull.sorted() {
            untried.append(
                Untried(
                    "claim \(policy[claim].id)", "more than \(Self.most) values that the policy distinguishes",
                    claims: [claim],
                    at: policy[claim].location))
        }
    }

    /// What the inputs of a transformation must be for its outputs to have the values that matter.
    private mutating func propagate(_ transformation: ClaimsTransformation, _ policy: ResolvedPolicy) -> Bool {
        var isChanged = false
        var isTurned = true
        for output in transformation.outputClaims {
            let wanted = of(output.claim)
            guard !wanted.isEmpty || presence.contains(output.claim) else { continue }
            if wanted.isEmpty {
                // Whether the output exists depends on whether the input does.
                if Self.passes.contains(transformation.method.lowercased()),
                    let input = transformation.inputClaims.first,
                    presence.insert(input.claim).inserted
                {
                    isChanged = true
                }
                continue
            }
            for value in wanted {
                guard let (claim, texts) = Self.inverse(transformation, output.role, value, policy) else {
                    isTurned = false
                    continue
                }
                for text in texts where add(text, to: claim) { isChanged = true }
            }
        }
        if !isTurned, Self.opaque.contains(transformation.method.lowercased()),
            !untried.contains(where: { $0.location == transformation.location })
        {
            untried.append(
                Untried(
                    "claims transformation \(transformation.id)",
                    "input for which \(transformation.method) gives the value that is compared",
                    claims: outputs(transformation), at: transformation.location))
        }
        return isChanged
    }

    /// Transformations that hand on a value as it is, or in another type.
    private static let passes: Set<String> = [
        "copyclaim", "copyclaimifpredicatematch", "convertnumbertostringclaim", "convertphonenumberclaimtostring",
        "changecase",
        "convertstringtophonenumberclaim", "getsingleitemfromstringcollection", "additemtostringcollection",
        "stringreplace",
        "stringsplit", "convertdatetodatetimeclaim", "convertdatetimetodateclaim",
    ]
    /// Transformations whose input cannot be found from what they give.
    private static let opaque: Set<String> = [
        "hash", "formatstringmultipleclaims", "builduri", "xmlstringtojsonstring", "generatejson", "createjsonarray",
        "getmappedvaluefromlocalizedcollection", "formatlocalizedstring", "stringjoin",
    ]

    /// Which input, with which texts, makes an output of a role have a value; `nil` where that cannot be said.
    private static func inverse(
        _ transformation: ClaimsTransformation, _ role: String, _ value: String, _ policy: ResolvedPolicy
    ) -> (claim: ClaimTypeHandle, texts: [String])? {
        guard let input = transformation.inputClaims.first?.claim else { return nil }
        // A claim that is read into itself would grow without end.
        if transformation.output(role) == input { return (input, []) }
        let method = transformation.method.lowercased()
        switch method {
        case "additemtostringcollection":
            return transformation.input("item").map { ($0, [value]) }
        case "convertdatetodatetimeclaim": return (input, [String(value.prefix(10))])
        case "convertdatetimetodateclaim": return (input, value.count == 10 ? [value + "T00:00:00Z"] : [value])
        case _ where passes.contains(method): return (input, [value])
        case "parsedomain": return value.contains("@") || value.isEmpty ? (input, []) : (input, [local + "@" + value])
        case "formatstringclaim":
            let parts = (transformation.parameter("stringFormat") ?? "{0}").split(
                separator: "{0}", omittingEmptySubsequences: false)
            guard parts.count == 2, value.hasPrefix(parts[0]), value.hasSuffix(parts[1]),
                value.count >= parts[0].count + parts[1].count
            else { return (input, []) }
            return (input, [String(value.dropFirst(parts[0].count).dropLast(parts[1].count))])
        case "stringsubstring":
            let start = transformation.parameter("startIndex").flatMap { Int($0) } ?? 0
            let length = transformation.parameter("length").flatMap { Int($0) } ?? 0
            guard (0...64).contains(start), value.utf16.count == length else { return (input, []) }
            return (input, [String(repeating: "a", count: start) + value])
        case "adjustnumber":
            guard let number = Int64(value) else { return (input, []) }
            let isUp = !sameID(transformation.parameter("Operator") ?? "INCREMENT", "DECREMENT")
            return (input, ["\(isUp ? number &- 1 : number &+ 1)"])
        case "lookupvalue":
            return (input, transformation.inputParameters.filter { $0.value == value }.map(\.id))
        case "getclaimfromjson", "getnumericclaimfromjson":
            guard let name = transformation.parameter("claimToExtract") else { return nil }
            let isNumber = method == "getnumericclaimfromjson"
            let member: JSONValue = isNumber ? Int64(value).map { .integer($0) } ?? .string(value) : .string(value)
            return (input, [JSONWriter.compact(nested(name, member))])
        case "getsinglevaluefromjsonarray": return (input, [JSONWriter.compact([.string(value)])])
        case "getsingleitemfromjson":
            let isKey = sameID(role, "key")
            return (input, [JSONWriter.compact(isKey ? .object([value: "value"]) : ["key": .string(value)])])
        case "getclaimsfromjsonarray", "getclaimsfromjsonarrayv2":
            guard let key = transformation.parameter("jsonSourceKeyName"),
                let name = transformation.parameter("jsonSourceValueName")
            else { return nil }
            let item: JSONValue = .object([key: .string(role), name: .string(value)])
            return (input, [JSONWriter.compact(method.hasSuffix("v2") ? item : [item])])
        case "getnationalnumberandcountrycodefromphonenumberstring":
            if sameID(role, "countryCode") {
                let code = value.hasPrefix("+") ? String(value.dropFirst()) : CallingCodes.code(of: value)
                return (input, code.map { ["+\($0)2079460000"] } ?? [])
            }
            return (input, value.count >= 7 && value.allSatisfy(\.isNumber) ? ["+44" + value] : [])
        case "stringcollectioncontains", "stringcontains", "doesclaimexist", "compareclaims", "compareclaimtovalue",
            "andclaims",
            "orclaims", "notclaims", "comparebooleanclaimtovalue", "setclaimifbooleansmatch", "setclaimsifregexmatch",
            "setclaimsifstringsareequal", "setclaimsifstringsmatch", "assertnumber", "datetimecomparison",
            "istermsofuseconsentrequired", "getagegroupconsentprovidedandrequiresconsent",
            "getagegroupandconsentprovided",
            "stringcollectioncontainsclaim":
            // Both outcomes follow from the input's own classes.
            return (input, [])
        default: return nil
        }
    }

    private static func nested(_ path: String, _ value: JSONValue) -> JSONValue {
        path.split(separator: ".").reversed().reduce(value) { .object([String($1): $0]) }
    }
}
