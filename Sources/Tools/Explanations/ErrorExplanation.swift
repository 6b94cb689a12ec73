import B2CProtocol
import Clients
import ExtensionCalls

/// Explanations of errors, out of the tables that the mock authority and the clients themselves use.
enum ErrorExplanation {
    // MARK: B2C

    /// A code of Azure AD B2C.
    static func b2c(_ code: B2CErrorCode) -> Explanation {
        var facts: [(label: String, text: String)] = [
            ("means", code.meaning), ("cause", code.cause), ("do", code.remedy),
            ("OAuth error", code.oauthError ?? "none: only a page shows it"),
            ("shows", shows(code.delivery)),
        ]
        if let error = code.oauthError, code.delivery != .page { facts += msal(error, code) }
        facts.append(("in the mock", code.production.text))
        return Explanation(title: "\(code.id)  Azure AD B2C", facts: facts)
    }

    private static func shows(_ delivery: B2CErrorDelivery) -> String {
        switch delivery {
        case .redirect: "at the app, in the parameters of its redirect URI"
        case .page: "on a page of the B2C host; the app hears nothing"
        case .json: "in the JSON of the token endpoint, status 400"
        case .config: "a fault of the policy: on the error page, or at the app as server_error"
        }
    }

    /// How MSAL reports an OAuth error from that place.
    private static func msal(_ error: String, _ code: B2CErrorCode) -> [(label: String, text: String)] {
        let places = code.delivery == .json ? ["token endpoint", "refresh"] : ["redirect"]
        let rows = FailureTables.all.filter { row in
            places.contains { row.input.hasPrefix($0) } && words(row.input).contains(error)
                && !row.input.contains("suberror") && AADB2C.firstCode(in: row.input).map { $0 == code.id } ?? true
        }
        return rows.prefix(4).enumerated().map { index, row in
            (index == 0 ? "MSAL reports" : "", line(row))
        }
    }

    /// Every code that a text names.
    static func codes(in text: String) -> [Explanation] {
        var found: [Explanation] = []
        var seen: Set<String> = []
        var rest = Substring(text.uppercased())
        while let code = AADB2C.firstCode(in: String(rest)) {
            if let known = B2CErrorCode.named(code), seen.insert(known.id).inserted { found.append(b2c(known)) }
            guard let place = position(of: code, in: rest) else { break }
            rest = rest[rest.index(place, offsetBy: code.count)...]
        }
        return found
    }

    private static func position(of piece: String, in text: Substring) -> Substring.Index? {
        var place = text.startIndex
        while place < text.endIndex {
            if text[place...].hasPrefix(piece) { return place }
            place = text.index(after: place)
        }
        return nil
    }

    // MARK: MSAL

    /// An error number of MSAL, of IdentityCore under it, or of the system.
    static func number(_ number: Int) -> [Explanation] {
        var found: [Explanation] = []
        if let entry = MSALErrorTable.entry(number) { found.append(msal(entry)) }
        if let entry = MSALInternalErrorTable.entry(number) { found.append(msal(entry)) }
        if let code = IdentityCoreCode(rawValue: number), MSALErrorTable.entry(number) == nil {
            found.append(identityCore(code))
        }
        if let row = ExtensionFinding.serviceTable.first(where: { $0.code == number }) { found.append(self.row(row)) }
        if found.isEmpty {
            let rows = FailureTables.rows(endingIn: number)
            if !rows.isEmpty {
                found.append(
                    Explanation(
                        title: "\(number)  not MSAL's own: passed on as it is",
                        facts: rows.enumerated().map { ($0 == 0 ? "comes from" : "", line($1)) }))
            }
        }
        return found
    }

    /// A row of the service's table about extensions.
    private static func row(_ row: (code: Int, name: String, meaning: String)) -> Explanation {
        let rules = ExtensionRule.all.filter { $0.code == row.code }
        return Explanation(
            title: "\(row.code)  custom authentication extension",
            facts: [("name", row.name), ("means", row.meaning), ("appears", "in the sign-in log of the tenant")]
                + rules.enumerated().map { ($0 == 0 ? "rules" : "", "\($1.id)  \($1.demand)") })
    }

    private static func msal(_ entry: MSALErrorEntry) -> Explanation {
        var facts: [(label: String, text: String)] = [
            ("name", "\(entry.objectiveCName), in Swift .\(entry.name)"), ("means", entry.meaning),
            (
                "appears",
                entry.appearsAsCode
                    ? "as the error's code, domain \(MSALErrorTable.domain)"
                    : "only behind MSALInternalErrorCodeKey of a -50000"
            ),
        ]
        facts += rows(endingIn: entry.number)
        return Explanation(title: "\(entry.number)  MSAL for iOS and macOS", facts: facts)
    }

    private static func msal(_ entry: MSALInternalErrorEntry) -> Explanation {
        var facts: [(label: String, text: String)] = [
            ("name", entry.objectiveCName), ("means", entry.trigger),
            ("appears", "behind MSALInternalErrorCodeKey of a \(MSALErrorTable.catchAll)"),
        ]
        if !entry.reachableWithB2C { facts.append(("with B2C", "never: it belongs to brokers and managed devices")) }
        facts += rows(endingIn: entry.number)
        return Explanation(title: "\(entry.number)  MSAL for iOS and macOS, internal code", facts: facts)
    }

    private static func identityCore(_ code: IdentityCoreCode) -> Explanation {
        let entry = IdentityCoreErrorTable.entry(code)
        let name =
            MSALErrorTable.entry(entry.mapped)?.objectiveCName
            ?? MSALInternalErrorTable.entry(entry.mapped)?.objectiveCName ?? ""
        return Explanation(
            title: "\(code.rawValue)  IdentityCore, the library under MSAL",
            facts: [
                ("name", "\(code)"), ("reaches the app", "as \(entry.mapped) \(name)"),
                ("kind", entry.kind.rawValue),
            ])
    }

    private static func rows(endingIn number: Int) -> [(label: String, text: String)] {
        let rows = FailureTables.rows(endingIn: number)
        var facts = rows.prefix(12).enumerated().map { index, row in
            (label: index == 0 ? "comes from" : "", text: line(row))
        }
        if rows.count > 12 { facts.append(("", "and \(rows.count - 12) more")) }
        return facts
    }

    private static func line(_ row: FailureRow) -> String {
        let silent = row.id.hasPrefix("Q") ? "silent call: " : ""
        return "\(silent)\(row.input) -> \(row.outcome)" + (row.note.map { " (\($0))" } ?? "")
    }

    // MARK: Names

    /// An error by a name: MSAL's, an OAuth error, or a key of `userInfo`.
    static func named(_ name: String) -> [Explanation] {
        var found: [Explanation] = []
        var word = name
        if word.hasPrefix(".") { word.removeFirst() }
        if let entry = MSALErrorTable.entry(named: word) { found.append(msal(entry)) }
        if let entry = MSALInternalErrorTable.entry(named: word) { found.append(msal(entry)) }
        if found.isEmpty,
            let code = IdentityCoreCode.allCases.first(where: { "\($0)".lowercased() == word.lowercased() })
        {
            found.append(identityCore(code))
        }
        if let row = ExtensionFinding.serviceTable.first(where: { $0.name.lowercased() == word.lowercased() }) {
            found.append(self.row(row))
        }
        let oauth = word.lowercased()
        let codes = B2CErrorCode.all.filter { $0.oauthError == oauth }
        if !codes.isEmpty || OAuthErrorTable.all.contains(where: { $0.error.lowercased() == oauth }) {
            found.append(self.oauth(oauth, codes))
        }
        if let key = ErrorUserInfoKeys.all.first(where: { $0.name.lowercased() == word.lowercased() }) {
            var facts: [(label: String, text: String)] = [("type", key.type), ("there when", key.filled)]
            if let member = key.member { facts.append(("in scripts", "expect.error.\(member)")) }
            found.append(Explanation(title: "\(key.name)  userInfo of an MSAL error", facts: facts))
        }
        return found
    }

    private static func oauth(_ error: String, _ codes: [B2CErrorCode]) -> Explanation {
        var facts: [(label: String, text: String)] = []
        for (index, row) in FailureTables.all.filter({ words($0.input).contains(error) }).enumerated() {
            facts.append((index == 0 ? "MSAL reports" : "", line(row)))
        }
        for (index, code) in codes.enumerated() {
            facts.append((index == 0 ? "codes of B2C" : "", "\(code.id)  \(code.meaning)"))
        }
        return Explanation(title: "\(error)  OAuth error", facts: facts)
    }

    private static func words(_ text: String) -> [String] {
        text.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
    }
}
