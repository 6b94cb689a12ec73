import B2CProtocol
import Determinism
import Diagnostics
import HTTPMessages
import JSON

/// Everything that a text shows by form: codes, addresses, tokens, answers, the heads of log lines.
struct SymptomFacts {
    /// So many addresses, tokens and answers are looked at; the rest are counted.
    static let mostOfAKind = 200

    let text: SymptomText
    let now: Timestamp
    /// What was recognised, in the order in which it is shown.
    private(set) var facts: [Fact] = []
    private(set) var traits: [Trait: Excerpt] = [:]
    /// The libraries that the text gives away, with where.
    private(set) var libraries: [(library: Library, seen: Excerpt)] = []
    /// Libraries that share a class name with the one that is taken for it.
    private(set) var possibleLibraries: [Library] = []
    /// AADB2C codes in the order of the text, each once.
    private(set) var codes: [(id: String, seen: Excerpt)] = []
    /// Codes, in small letters, whose message is in the text without the number; the sighting has its words.
    private(set) var spokenCodes: [String: Excerpt] = [:]
    /// `error` of answers and bodies.
    private(set) var oauthErrors: [(error: String, seen: Excerpt)] = []
    /// Numbers of MSAL for iOS.
    private(set) var numbers: [(number: Int, seen: Excerpt)] = []
    /// What the text is as a whole.
    private(set) var kind = "text"
    private(set) var notes: [String] = []
    private(set) var tokens: [TokenFacts] = []
    private(set) var addressCount = 0

    private var heads: [Library: LogHead] = [:]
    private var headCounts: [Library: Int] = [:]
    private var policies: [String] = []
    private var loginHosts: [String] = []
    /// What was met already: a text may have a code, an error or a note a hundred thousand times.
    private var met: Set<Met> = []

    private enum Met: Hashable {
        case fact(Fact)
        case note(String)
        case code(String)
        case error(String)
        case number(Int)
        case address(String)
        case token(String)
    }

    /// Whether something is met for the first time.
    private mutating func isNew(_ thing: Met) -> Bool { met.insert(thing).inserted }

    init(_ text: SymptomText, now: Timestamp) {
        self.text = text
        self.now = now
        readLines()
        readWholeJSON()
        nameKind()
        noteRepetitions()
    }

    mutating func add(_ trait: Trait, _ line: Int, _ excerpt: String) {
        if traits[trait] == nil { traits[trait] = Excerpt(line, excerpt) }
    }

    mutating func add(_ label: String, _ value: String, line: Int? = nil) {
        let fact = Fact(label, value)
        guard !value.isEmpty, isNew(.fact(fact)) else { return }
        facts.append(Fact(label, value, line: line))
    }

    mutating func note(_ text: String) {
        if isNew(.note(text)) { notes.append(text) }
    }

    mutating func addPolicy(_ policy: String, _ line: Int) {
        guard !policies.contains(where: { $0.equalsIgnoringASCIICase(policy) }) else { return }
        policies.append(policy)
        add("policy", policy, line: line)
        let lower = policy.asciiLowercased
        if lower.contains("ropc") || lower.contains("resourceowner") { add(.passwordPolicy, line, policy) }
        if policies.count == 2 { add(.twoPolicies, line, policies.joined(separator: ", ")) }
    }

    /// Compares what addresses of policies say with one another and within each.
    mutating func addLoginAddress(host: String, tenant: String, _ line: Int) {
        let host = host.asciiLowercased
        let tenant = tenant.asciiLowercased
        if host.hasSuffix(".b2clogin.com"), tenant.hasSuffix(".onmicrosoft.com") {
            let (left, right) = (host.prefix { $0 != "." }, tenant.prefix { $0 != "." })
            if left != right {
                add(.tenantOfOtherHost, line, "the host names \(left), the path \(right)")
                add("compare", "the host names the tenant \(left), the path \(right)", line: line)
            }
        }
        guard !host.isEmpty, !loginHosts.contains(host) else { return }
        loginHosts.append(host)
        if loginHosts.count == 2 {
            add(.twoLoginHosts, line, loginHosts.joined(separator: ", "))
            add("compare", "addresses of two login hosts: \(loginHosts.joined(separator: ", "))", line: line)
        }
    }

    mutating func addError(_ error: String, _ line: Int) {
        guard !error.isEmpty, error.utf8.count < 60, isNew(.error(error)) else { return }
        oauthErrors.append((error, Excerpt(line, error)))
    }

    mutating func addLibrary(_ library: Library, _ seen: Excerpt) {
        if !libraries.contains(where: { $0.library == library }) { libraries.append((library, seen)) }
    }

    func hasLibrary(_ library: Library) -> Bool { libraries.contains { $0.library == library } }

    mutating func addPossibleLibrary(_ library: Library) { possibleLibraries.append(library) }

    /// A code whose message the text has without the number.
    mutating func addSpokenCode(_ id: String, _ seen: Excerpt) {
        guard isNew(.code(id)) else { return }
        codes.append((id, Excerpt(seen.line, "\(id): \(seen.text)")))
        spokenCodes[id.asciiLowercased] = seen
    }

    // MARK: Lines

    /// A line longer than this is looked at up to here only: nothing that people read is longer.
    private static let longestLine = 1 << 16

    private mutating func readLines() {
        for number in 1...max(1, text.lineCount) where text.lineCount > 0 {
            var bytes = text.lineBytes(number)
            if bytes.count > Self.longestLine {
                note(
                    "line \(number) has \(bytes.count) characters; only its first \(Self.longestLine) were taken apart")
                bytes = bytes.prefix(Self.longestLine)
            }
            readHead(bytes, number)
            readCodes(bytes, number)
            readAddresses(bytes, number)
            readPolicies(bytes, number)
            readTokens(bytes, number)
            readMembers(bytes, number)
        }
    }

    private mutating func readHead(_ bytes: ArraySlice<UInt8>, _ number: Int) {
        // The marks of all heads hold one of these.
        guard bytes.prefix(600).contains(where: { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "@") || $0 == 0x2C })
        else {
            return
        }
        guard let head = LogHead.read(String(decoding: bytes.prefix(600), as: UTF8.self)) else { return }
        headCounts[head.library, default: 0] += 1
        if let known = heads[head.library] {
            if known.correlationID == nil, let id = head.correlationID {
                heads[head.library]?.correlationID = id
                add("correlation id", id, line: number)
            }
            return
        }
        heads[head.library] = head
        addLibrary(head.library, Excerpt(number, String(decoding: bytes.prefix(160), as: UTF8.self)))
        let name = [head.library.name, head.version, head.platform].compactMap { $0 }.joined(separator: " ")
        add("library", name, line: number)
        if let time = head.time { add("log begins", time, line: number) }
        if let id = head.correlationID { add("correlation id", id, line: number) }
    }

    // MARK: Codes and numbers

    private static let aadb2c = Array("AADB2C".utf8)
    private static let aadsts = Array("AADSTS".utf8)
    /// Microsoft.IdentityModel and Microsoft.Identity.Web: five digits, and nothing before the letters.
    private static let identityModel = [Array("IDX".utf8), Array("IDW".utf8)]

    private mutating func readCodes(_ bytes: ArraySlice<UInt8>, _ number: Int) {
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            if byte | 0x20 == UInt8(ascii: "a"), matches(bytes, index, Self.aadb2c) {
                index = readCode("AADB2C", in: bytes, at: index, line: number)
            } else if byte | 0x20 == UInt8(ascii: "a"), matches(bytes, index, Self.aadsts) {
                index = readCode("AADSTS", in: bytes, at: index, line: number)
            } else if byte | 0x20 == UInt8(ascii: "i"), index == bytes.startIndex || !isWord(bytes[index - 1]),
                let prefix = Self.identityModel.first(where: { matches(bytes, index, $0) })
            {
                index = readIdentityModelCode(
                    String(decoding: prefix, as: UTF8.self), in: bytes, at: index, line: number)
            } else if byte == UInt8(ascii: "-"), index + 5 < bytes.endIndex {
                let digits = bytes[(index + 1)...].prefix { (0x30...0x39).contains($0) }
                let isAlone = index == bytes.startIndex || !isWord(bytes[index - 1])
                if isAlone, let value = Int(String(decoding: digits, as: UTF8.self)), isErrorNumber(value),
                    isNew(.number(-value))  // bounded: digits alone, no sign
                {
                    numbers.append((-value, Excerpt(number, String(-value))))
                }
                index += 1 + digits.count
            } else {
                index += 1
            }
        }
    }

    private mutating func readCode(_ prefix: String, in bytes: ArraySlice<UInt8>, at index: Int, line number: Int)
        -> Int
    {
        let start = index + 6
        let digits = bytes[start...].prefix { (0x30...0x39).contains($0) }
        guard !digits.isEmpty, digits.count < 9 else { return start }
        let id = prefix + String(decoding: digits, as: UTF8.self)
        if digits.count < 5, start + digits.count >= bytes.endIndex {
            note("the code at the end of line \(number) is cut: \(id)")
        } else if isNew(.code(id)) {
            codes.append((id, Excerpt(number, String(decoding: bytes[index...].prefix(200), as: UTF8.self))))
        }
        return start + digits.count
    }

    private mutating func readIdentityModelCode(
        _ prefix: String, in bytes: ArraySlice<UInt8>, at index: Int, line number: Int
    ) -> Int {
        let digits = bytes[(index + 3)...].prefix { (0x30...0x39).contains($0) }
        let id = prefix + String(decoding: digits, as: UTF8.self)
        if digits.count == 5, !MessageCode.informational.contains(id), isNew(.code(id)) {
            codes.append((id, Excerpt(number, String(decoding: bytes[index...].prefix(200), as: UTF8.self))))
        }
        return index + 3 + digits.count
    }

    /// MSAL's, IdentityCore's, the keychain's and those of NSURLErrorDomain.
    private func isErrorNumber(_ value: Int) -> Bool {
        switch value {
        case 42_000...42_799, 50_000...50_008, 50_142, 51_100...51_899, 34_018, 1_001, 1_003...1_006, 1_009, 1_011,
            1_200...1_206, 1_020, 3_840:
            true
        default: false
        }
    }

    private func matches(_ bytes: ArraySlice<UInt8>, _ index: Int, _ wanted: [UInt8]) -> Bool {
        guard index + wanted.count <= bytes.endIndex else { return false }
        for offset in wanted.indices {
            let byte = bytes[index + offset]
            let upper = (0x61...0x7A).contains(byte) ? byte & 0xDF : byte
            guard upper == wanted[offset] else { return false }
        }
        return true
    }

    private func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "-"): true
        default: false
        }
    }

    // MARK: Policies

    private static let policyStart = Array("B2C_1".utf8)

    /// Names of policies anywhere in the line, such as in the message of AADB2C90088.
    private mutating func readPolicies(_ bytes: ArraySlice<UInt8>, _ number: Int) {
        var index = bytes.startIndex
        while index + 6 < bytes.endIndex, policies.count < 20 {
            guard bytes[index] | 0x20 == UInt8(ascii: "b"), matches(bytes, index, Self.policyStart),
                index == bytes.startIndex || !isWord(bytes[index - 1])
            else {
                index += 1
                continue
            }
            let name = bytes[index...].prefix { isWord($0) }
            index += name.count
            guard name.count > 6, name.count < 80 else { continue }
            let policy = String(decoding: name, as: UTF8.self)
            addPolicy(policy, number)
            let lower = policy.asciiLowercased
            if lower.contains("reset") { add(.resetPolicy, number, policy) }
            if lower.contains("edit") { add(.editPolicy, number, policy) }
        }
    }

    // MARK: Addresses

    private mutating func readAddresses(_ bytes: ArraySlice<UInt8>, _ number: Int) {
        var index = bytes.startIndex
        while index < bytes.endIndex {
            guard bytes[index] == UInt8(ascii: ":"), index + 2 < bytes.endIndex, bytes[index + 1] == 0x2F,
                bytes[index + 2] == 0x2F
            else {
                index += 1
                continue
            }
            var start = index
            while start > bytes.startIndex, isScheme(bytes[start - 1]) { start -= 1 }
            var end = index + 3
            while end < bytes.endIndex, !endsAddress(bytes[end]) { end += 1 }
            index = end
            while end > start, [0x2C, 0x29, 0x5D, 0x7D, 0x3B, 0x2E].contains(bytes[end - 1]),
                !(bytes[end - 1] == 0x2E && end >= start + 3 && bytes[end - 2] == 0x2E)
            {
                end -= 1
            }
            guard start < end, bytes[start] != UInt8(ascii: ":") else { continue }
            readAddress(String(decoding: bytes[start..<end], as: UTF8.self), number)
        }
        // Only the query or fragment of an answer was pasted.
        if bytes.contains(UInt8(ascii: "=")), text.lineCount <= 50 || bytes.contains(UInt8(ascii: "&")) {
            readLooseParameters(bytes, number)
        }
    }

    private mutating func readAddress(_ address: String, _ number: Int) {
        guard isNew(.address(address)) else { return }
        addressCount += 1
        guard addressCount <= Self.mostOfAKind else { return }
        AddressReader.read(address, line: number, into: &self)
    }

    private mutating func readLooseParameters(_ bytes: ArraySlice<UInt8>, _ number: Int) {
        for run in bytes.split(whereSeparator: { endsAddress($0) }) {
            guard run.contains(UInt8(ascii: "=")), run.contains(UInt8(ascii: "&")) || run.count < 400,
                !run.contains(UInt8(ascii: ":")) || run.first == UInt8(ascii: "#") || run.first == UInt8(ascii: "?")
                    || !contains(run, "://")
            else { continue }
            var text = Substring(String(decoding: run, as: UTF8.self))
            while let first = text.first, "#?/&".contains(first) { text = text.dropFirst() }
            guard AddressReader.isParameters(text) else { continue }
            AddressReader.read(parameters: FormItems(parsing: String(text)), line: number, into: &self)
        }
    }

    private func contains(_ bytes: ArraySlice<UInt8>, _ wanted: String) -> Bool {
        String(decoding: bytes, as: UTF8.self).contains(wanted)
    }

    private func isScheme(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "."), UInt8(ascii: "-"): true
        default: false
        }
    }

    private func endsAddress(_ byte: UInt8) -> Bool {
        switch byte {
        case 0...0x20, UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "`"),
            UInt8(ascii: "\\"), UInt8(ascii: "|"):
            true
        default: false
        }
    }

    // MARK: Tokens

    private mutating func readTokens(_ bytes: ArraySlice<UInt8>, _ number: Int) {
        var index = bytes.startIndex
        while index + 20 < bytes.endIndex {
            guard bytes[index] == UInt8(ascii: "e"), bytes[index + 1] == UInt8(ascii: "y"),
                bytes[index + 2] == UInt8(ascii: "J"),
                index == bytes.startIndex || !SecretShape.isTokenByte(bytes[index - 1])
            else {
                index += 1
                continue
            }
            var end = index
            while end < bytes.endIndex, SecretShape.isTokenByte(bytes[end]) { end += 1 }
            readToken(String(decoding: bytes[index..<end], as: UTF8.self), number)
            index = end
        }
    }

    private mutating func readToken(_ text: String, _ number: Int) {
        guard tokens.count < Self.mostOfAKind, isNew(.token(text)),
            let token = TokenFacts(text, line: number, now: now)
        else { return }
        tokens.append(token)
        for (label, value) in token.facts { add(label, value, line: number) }
        for trait in token.traits { add(trait, number, token.excerpt) }
        if let policy = token.policy { addPolicy(policy, number) }
        for text in token.notes { note(text) }
    }

    // MARK: Members and labels

    private static let members: [(name: String, label: String)] = [
        ("correlation id", "correlation id"), ("correlationid", "correlation id"), ("correlation_id", "correlation id"),
        ("msalcorrelationidkey", "correlation id"), ("timestamp", "time of the service"),
    ]

    /// `"error":"..."` of bodies, `Correlation ID: ...`, `Timestamp: ...`, HTTP states.
    private mutating func readMembers(_ bytes: ArraySlice<UInt8>, _ number: Int) {
        guard bytes.contains(UInt8(ascii: ":")) || bytes.contains(UInt8(ascii: "=")) else { return }
        let line = String(decoding: bytes, as: UTF8.self)
        let lower = line.asciiLowercased
        if lower.contains("correlation") {
            for name in ["correlation id", "correlationid", "correlation_id", "msalcorrelationidkey"] {
                guard let mark = lower.firstRange(of: name),
                    let id = LogHead.guid(in: lower[mark.upperBound...].prefix(60))
                else { continue }
                add("correlation id", id, line: number)
                break
            }
        }
        if let mark = lower.firstRange(of: "timestamp: ") {
            let value = line[mark.upperBound...].prefix(20)
            if value.first?.isNumber == true { add("time of the service", String(value), line: number) }
        }
        for name in [
            "\"error\":", "\"error\" :", "msaloautherrorkey=", "msaloautherrorkey\" :", "error code:", "errorcode:",
        ] {
            guard let mark = lower.firstRange(of: name) else { continue }
            let value = lower[mark.upperBound...].drop { " \\\"'".contains($0) }
                .prefix { $0.isLetter || $0.isNumber || $0 == "_" }
            if value.contains("_"), value != "null" { addError(String(value), number) }
        }
        for name in ["httpstatus", "http status", "statuscode", "status code", "msalhttpresponsecodekey", "status:"] {
            guard let mark = lower.firstRange(of: name) else { continue }
            let value = lower[mark.upperBound...].drop { !$0.isNumber && $0 != "\n" }.prefix { $0.isNumber }
            if value.count == 3, let status = Int(value), (300...599).contains(status) {
                add("HTTP status", String(status), line: number)
            }
        }
    }

    // MARK: Wholes

    private mutating func readWholeJSON() {
        guard text.form == .text, text.bytes.count < 1 << 20,
            let first = text.bytes.first(where: { $0 > 0x20 }), first == UInt8(ascii: "{"),
            let root = try? JSONParser.parse(text.bytes)
        else { return }
        AnswerReader.read(root, into: &self)
    }

    mutating func setKind(_ kind: String) { self.kind = kind }

    private mutating func nameKind() {
        guard kind == "text" else { return }
        let logged = headCounts.values.reduce(0, +)
        let ordered = Library.allCases.filter { headCounts[$0] != nil }
        if let main = ordered.max(by: { (headCounts[$0] ?? 0) < (headCounts[$1] ?? 0) }) {
            kind = "a log of \(main.name), \(logged) of \(text.lineCount) lines with its head"
            return
        }
        let whole = text.lineCount == 1 ? text.line(1) : ""
        let isOneWord = !whole.isEmpty && !whole.contains(" ")
        if isOneWord, tokens.count == 1, addressCount == 0 {
            kind = tokens[0].isWhole ? "a token" : "a token that was cut"
        } else if isOneWord, addressCount == 1 {
            kind =
                traits[.responseError] != nil
                ? "an answer at a redirect URI, with an error"
                : traits[.responseCode] != nil ? "an answer at a redirect URI" : "an address"
        } else if isOneWord, codes.count == 1 || numbers.count == 1 {
            kind = "a code"
        } else if text.lineCount > 1 {
            kind = "a text of \(text.lineCount) lines"
        } else {
            kind = "an error text"
        }
    }

    /// The same failing line over and over.
    private mutating func noteRepetitions() {
        guard text.lineCount >= 20 else { return }
        var counts: [String: (count: Int, line: Int)] = [:]
        for number in 1...text.lineCount {
            let bytes = text.lineBytes(number)
            guard bytes.count < 4000 else { continue }
            let line = String(decoding: bytes, as: UTF8.self).asciiLowercased
            guard
                line.contains("oauth2/v2.0/token") || line.contains("invalid_grant")
                    || line.contains("400 (bad request)")
            else { continue }
            // Without figures, so that times and ids do not make each line another.
            let key = String(line.filter { !$0.isNumber }.suffix(120))
            counts[key] = ((counts[key]?.count ?? 0) + 1, counts[key]?.line ?? number)
        }
        guard let most = counts.values.max(by: { ($0.count, $1.line) < ($1.count, $0.line) }), most.count >= 10 else {
            return
        }
        add(.manyFailures, most.line, "\(most.count) times: \(text.line(most.line))")
    }
}
