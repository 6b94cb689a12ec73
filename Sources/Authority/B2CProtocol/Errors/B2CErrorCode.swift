import Records

/// One of the numbered errors of Azure AD B2C, with what it means and where it shows.
///
/// The numbers, the order of the inserted values and the OAuth errors are Microsoft's (Microsoft docs: error-codes, and
/// answers recorded from live tenants). Messages that clients, tests and logs compare are the service's own, to the
/// letter; all other texts are this project's own. Where nobody has recorded the OAuth error it is inferred from the kind
/// of the error.
///
/// A code costs nothing until something asks what it says: `Files/b2c-errors.json` is read then, once.
public enum B2CErrorCode: String, CaseIterable, Hashable, Sendable {
    case c90001, c90002, c90006, c90007, c90008, c90010, c90011, c90012, c90013, c90014, c90016, c90017, c90018,
        c90019, c90021, c90022, c90023, c90025, c90027, c90028, c90031, c90035, c90036, c90037, c90039, c90040,
        c90043, c90044, c90046, c90047, c90048, c90051, c90052, c90053, c90054, c90055, c90057, c90058, c90067,
        c90068, c90073, c90075, c90077, c90079, c90080, c90081, c90083, c90084, c90085, c90086, c90087, c90088,
        c90090, c90091, c90092, c90107, c90108, c90110, c90111, c90114, c90115, c90117, c90118, c90120, c90122,
        c90128, c90129, c90145, c90146, c90149, c90151, c90152, c90154, c90155, c90156, c90157, c90158, c90159,
        c90161, c90165, c90168, c90178, c90182, c90183, c90184, c90188, c90194, c90205, c90206, c90208, c90209,
        c90210, c90211, c90212, c90220, c90223, c90224, c90225, c90226, c90229, c90232, c90233, c90235, c90237,
        c90238, c90239, c90240, c90242, c90243, c90244, c90248, c90250, c90255, c90261, c90272, c90273, c90274,
        c90276, c90277, c90279, c90284, c90285, c90287, c90288, c90289, c90296, c99001, c99002, c99005, c99006,
        c99011, c99013, c99015, c99027, c99059

    /// Every code, by number.
    public static var all: [B2CErrorCode] { allCases }

    /// The digits after `AADB2C`, such as `90118`.
    public var number: String { String(rawValue.dropFirst()) }
    /// The code as messages write it, such as `AADB2C90118`.
    public var id: String { "AADB2C\(number)" }
    /// How many values the message takes.
    public var inserts: Int { row.inserts }
    /// The `error` of the OAuth answer (RFC 6749 section 4.1.2.1 and 5.2); `nil` for codes that only a page shows.
    public var oauthError: String? { row.oauthError }
    /// Where the error shows.
    public var delivery: B2CErrorDelivery { row.delivery }
    /// The message, with `{0}`, `{1}` ... where values go.
    public var template: String { row.template }
    /// Other messages of the same code, which the service sends in some cases.
    public var variants: [String] { row.variants }
    /// What the code says, one sentence.
    public var meaning: String { row.meaning }
    /// Its usual cause.
    public var cause: String { row.cause }
    /// What to do.
    public var remedy: String { row.remedy }
    /// Whether and where the mock authority produces it.
    public var production: B2CErrorProduction { row.production }

    private var row: B2CErrorRow { B2CErrorRow.byID[id] ?? B2CErrorRow() }

    /// What is wrong with the table: also cases without a row, and rows without a case.
    package static var tableProblems: [String] {
        let (cases, rows) = (Set(allCases.map(\.id)), Set(B2CErrorRow.byID.keys))
        return B2CErrorRow.table.problems + cases.symmetricDifference(rows).sorted().map { "\($0): no row, or no case" }
    }

    /// The message with the values in their places; places without a value stay empty.
    public func message(_ values: [String] = []) -> String { Self.fill(template, values) }

    /// The variant of the message at that place in `variants`, with the values in their places.
    public func message(variant: Int, _ values: [String]) -> String {
        Self.fill(variants.indices.contains(variant) ? variants[variant] : template, values)
    }

    private static func fill(_ template: String, _ values: [String]) -> String {
        var text = ""
        var rest = template[...]
        while let open = rest.firstIndex(of: "{") {
            text += rest[..<open]
            rest = rest[rest.index(after: open)...]
            guard let close = rest.firstIndex(of: "}"), let place = Int(rest[..<close]) else {
                text += "{"
                continue
            }
            if values.indices.contains(place) { text += values[place] }
            rest = rest[rest.index(after: close)...]
        }
        return text + rest
    }

    /// The code of that name: `AADB2C90118` or `90118`, in any letter case. `nil` when the table lacks it.
    public static func named(_ name: String) -> B2CErrorCode? {
        let upper = name.uppercased()
        return B2CErrorCode(rawValue: "c\(upper.hasPrefix("AADB2C") ? upper.dropFirst(6) : upper[...])")
    }
}

extension B2CErrorCode: CustomStringConvertible {
    public var description: String { id }
}

/// Whether and where the mock authority produces a code.
public enum B2CErrorProduction: Sendable, Hashable {
    /// By itself: the endpoint or page, and its cause.
    case mock(String)
    /// Never by itself, since what happens there has no setting; only where a fault rule asks for the code.
    case faultRule
    /// Never by itself, since recordings show another end of the same situation: which one. A fault rule may ask for
    /// the code.
    case elsewhere(String)
    /// It belongs to something that is not simulated: what.
    case notSimulated(String)

    /// One line for people.
    public var text: String {
        switch self {
        case .mock(let place): place
        case .faultRule: "by a fault rule only"
        case .elsewhere(let what): "by a fault rule only: \(what)"
        case .notSimulated(let what): "never: \(what) is not simulated"
        }
    }
}

/// Where an error of B2C shows.
public enum B2CErrorDelivery: String, SettingWord {
    case redirect, page, json, config

    package var doc: String {
        switch self {
        case .redirect: "At the app, in the parameters of the redirect URI."
        case .page: "On a page of the B2C host: the error page, or the page being filled in."
        case .json: "In the JSON of the token endpoint, HTTP status 400."
        case .config: "A fault of the policy: on the error page, or at the app as `server_error`."
        }
    }
}

/// The table of codes under the name the documentation uses.
public enum AADB2C {
    /// Every code, by number.
    public static var all: [B2CErrorCode] { B2CErrorCode.all }

    /// The code of that name: `AADB2C90118` or `90118`, in any letter case.
    public static func named(_ name: String) -> B2CErrorCode? { B2CErrorCode.named(name) }

    /// The first code that a text names, whether the table has it or not: `AADB2C90118`.
    public static func firstCode(in text: String) -> String? {
        let bytes = Array(text.utf8)
        let mark = Array("AADB2C".utf8)
        guard bytes.count > mark.count else { return nil }
        for start in 0...(bytes.count - mark.count) where bytes[start..<(start + mark.count)] == mark[...] {
            let digits = bytes[(start + mark.count)...].prefix { (48...57).contains($0) }
            if !digits.isEmpty { return "AADB2C" + String(decoding: digits, as: UTF8.self) }
        }
        return nil
    }
}
