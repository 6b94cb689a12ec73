import Diagnostics
import JSON
import Journeys
import TrustFramework

/// Claims transformations turned round: from a value of an output to the input that gives it.
extension ValueClasses {
    /// An input of a transformation, with the texts that make an output have a value.
    typealias TransformationInput = (claim: ClaimTypeHandle, texts: [String])

    /// Transformations that hand on a value as it is, or in another type.
    static let passes: Set<String> = [
        "copyclaim", "copyclaimifpredicatematch", "convertnumbertostringclaim", "convertphonenumberclaimtostring",
        "changecase", "convertstringtophonenumberclaim", "getsingleitemfromstringcollection",
        "additemtostringcollection", "stringreplace", "stringsplit", "convertdatetodatetimeclaim",
        "convertdatetimetodateclaim",
    ]
    /// Transformations whose input cannot be found from what they give.
    static let opaque: Set<String> = [
        "hash", "formatstringmultipleclaims", "builduri", "xmlstringtojsonstring", "generatejson", "createjsonarray",
        "getmappedvaluefromlocalizedcollection", "formatlocalizedstring", "stringjoin",
    ]
    /// Transformations both of whose outcomes follow from the input's own classes.
    private static let decided: Set<String> = [
        "stringcollectioncontains", "stringcontains", "doesclaimexist", "compareclaims", "compareclaimtovalue",
        "andclaims", "orclaims", "notclaims", "comparebooleanclaimtovalue", "setclaimifbooleansmatch",
        "setclaimsifregexmatch", "setclaimsifstringsareequal", "setclaimsifstringsmatch", "assertnumber",
        "datetimecomparison", "istermsofuseconsentrequired", "getagegroupconsentprovidedandrequiresconsent",
        "getagegroupandconsentprovided", "stringcollectioncontainsclaim",
    ]

    /// Which input, with which texts, makes an output of a role have a value; `nil` where that cannot be said.
    static func inverse(of transformation: ClaimsTransformation, role: String, value: String) -> TransformationInput? {
        guard let input = transformation.inputClaims.first?.claim else { return nil }
        // A claim that is read into itself would grow without end.
        if transformation.output(role) == input { return (input, []) }
        let method = transformation.method.lowercased()
        if method == "additemtostringcollection" { return transformation.input("item").map { ($0, [value]) } }
        if decided.contains(method) { return (input, []) }
        let texts =
            texts(of: transformation, method, giving: value)
            ?? members(of: transformation, method, role: role, giving: value)
            ?? (passes.contains(method) ? [value] : nil)
        return texts.map { (input, $0) }
    }

    /// Inputs of transformations of texts, numbers and dates; `nil` for other methods.
    private static func texts(
        of transformation: ClaimsTransformation, _ method: String, giving value: String
    ) -> [String]? {
        switch method {
        case "convertdatetodatetimeclaim": return [String(value.prefix(10))]
        case "convertdatetimetodateclaim": return value.count == 10 ? [value + "T00:00:00Z"] : [value]
        case "parsedomain": return value.contains("@") || value.isEmpty ? [] : [local + "@" + value]
        case "formatstringclaim":
            let parts = (transformation.parameter("stringFormat") ?? "{0}").split(
                separator: "{0}", omittingEmptySubsequences: false)
            guard parts.count == 2, value.hasPrefix(parts[0]), value.hasSuffix(parts[1]),
                value.count >= parts[0].count + parts[1].count
            else { return [] }
            return [String(value.dropFirst(parts[0].count).dropLast(parts[1].count))]
        case "stringsubstring":
            let start = transformation.parameter("startIndex").flatMap { Int($0) } ?? 0
            let length = transformation.parameter("length").flatMap { Int($0) } ?? 0
            guard (0...64).contains(start), value.utf16.count == length else { return [] }
            return [String(repeating: "a", count: start) + value]
        case "adjustnumber":
            guard let number = Int64(value) else { return [] }
            let isUp = !sameID(transformation.parameter("Operator") ?? "INCREMENT", "DECREMENT")
            return ["\(isUp ? number &- 1 : number &+ 1)"]
        case "lookupvalue": return transformation.inputParameters.filter { $0.value == value }.map(\.id)
        default: return nil
        }
    }

    /// Inputs of transformations that take a part out of JSON or of a number; `nil` for other methods.
    private static func members(
        of transformation: ClaimsTransformation, _ method: String, role: String, giving value: String
    ) -> [String]? {
        switch method {
        case "getclaimfromjson", "getnumericclaimfromjson":
            guard let name = transformation.parameter("claimToExtract") else { return nil }
            let isNumber = method == "getnumericclaimfromjson"
            let member: JSONValue = isNumber ? Int64(value).map { .integer($0) } ?? .string(value) : .string(value)
            return [JSONWriter.compact(nested(name, member))]
        case "getsinglevaluefromjsonarray": return [JSONWriter.compact([.string(value)])]
        case "getsingleitemfromjson":
            let isKey = sameID(role, "key")
            return [JSONWriter.compact(isKey ? .object([value: "value"]) : ["key": .string(value)])]
        case "getclaimsfromjsonarray", "getclaimsfromjsonarrayv2":
            guard let key = transformation.parameter("jsonSourceKeyName"),
                let name = transformation.parameter("jsonSourceValueName")
            else { return nil }
            let item: JSONValue = .object([key: .string(role), name: .string(value)])
            return [JSONWriter.compact(method.hasSuffix("v2") ? item : [item])]
        case "getnationalnumberandcountrycodefromphonenumberstring":
            if sameID(role, "countryCode") {
                let code = value.hasPrefix("+") ? String(value.dropFirst()) : CallingCodes.code(of: value)
                return code.map { ["+\($0)2079460000"] } ?? []
            }
            return value.count >= 7 && value.allSatisfy(\.isNumber) ? ["+44" + value] : []
        default: return nil
        }
    }

    private static func nested(_ path: String, _ value: JSONValue) -> JSONValue {
        path.split(separator: ".").reversed().reduce(value) { .object([String($1): $0]) }
    }
}
