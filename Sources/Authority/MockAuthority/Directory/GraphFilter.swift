import Determinism
import JSON
import Journeys
import TrustFramework

/// A `$filter` over people (OData 4.01 URL conventions, 5.1.1), as far as the directory takes it (Microsoft docs:
/// aad-advanced-queries).
indirect enum GraphFilter: Sendable, Hashable {
    case both(GraphFilter, GraphFilter)
    case either(GraphFilter, GraphFilter)
    case not(GraphFilter)
    case compare(String, ComparisonOperator, JSONValue)
    case among(String, [JSONValue])
    case starts(String, String)
    case ends(String, String)
    /// `identities/any(...)` with both members.
    case identity(issuer: String, id: String)
    /// `otherMails/any(x:x eq '...')`.
    case anyText(String, TextTest, String)

    enum ComparisonOperator: String, Sendable {
        case eq, ne, ge, le, gt, lt
    }

    enum TextTest: Sendable {
        case equals, starts, ends
    }

    /// The first part that needs an advanced query, in words; `nil` where none does.
    var advancedPart: String? {
        switch self {
        case .both(let one, let two), .either(let one, let two): one.advancedPart ?? two.advancedPart
        case .not: "Operator 'not'"
        case .ends, .anyText(_, .ends, _): "Operator 'endsWith'"
        case .compare(_, .ne, _): "Operator 'NotEqualsMatch'"
        case .compare(_, _, .null): "Filter by null"
        default: nil
        }
    }

    /// Whether it holds for an account. Texts are compared ignoring case.
    func holds(for account: Account, _ users: GraphUsers, in directory: Directory) -> Bool {
        func value(_ name: String) -> JSONValue { users.value(name, of: account, in: directory) ?? .null }
        func text(_ name: String) -> String { value(name).stringValue?.lowercased() ?? "" }
        switch self {
        case .both(let one, let two):
            return one.holds(for: account, users, in: directory) && two.holds(for: account, users, in: directory)
        case .either(let one, let two):
            return one.holds(for: account, users, in: directory) || two.holds(for: account, users, in: directory)
        case .not(let inner): return !inner.holds(for: account, users, in: directory)
        case .compare(let name, let comparison, let wanted): return Self.compare(value(name), comparison, wanted)
        case .among(let name, let list): return list.contains { Self.compare(value(name), .eq, $0) }
        case .starts(let name, let start): return text(name).hasPrefix(start.lowercased())
        case .ends(let name, let end): return text(name).hasSuffix(end.lowercased())
        case .identity(let issuer, let id):
            // A user principal name finds nobody (Microsoft docs: user-list).
            let isLocal =
                sameID(issuer, users.tenant.domain)
                && account.signInNames.contains { $0.value.lowercased() == id.lowercased() }
            return isLocal
                || account.identities.contains { sameID($0.issuer, issuer) && $0.graphID == id }
        case .anyText(let name, let test, let wanted):
            let wanted = wanted.lowercased()
            return (value(name).arrayValue ?? []).contains { element in
                let text = element.stringValue?.lowercased() ?? ""
                return switch test {
                case .equals: text == wanted
                case .starts: text.hasPrefix(wanted)
                case .ends: text.hasSuffix(wanted)
                }
            }
        }
    }

    private static func compare(_ value: JSONValue, _ comparison: ComparisonOperator, _ wanted: JSONValue) -> Bool {
        switch comparison {
        case .eq: return isEqual(value, wanted)
        case .ne: return !isEqual(value, wanted)
        default: break
        }
        guard let order = order(value, wanted) else { return false }
        return switch comparison {
        case .ge: order >= 0
        case .le: order <= 0
        case .gt: order > 0
        default: order < 0
        }
    }

    private static func isEqual(_ value: JSONValue, _ wanted: JSONValue) -> Bool {
        if let order = order(value, wanted) { return order == 0 }
        return value == wanted
    }

    /// Negative where the first comes first; `nil` for values of different types.
    private static func order(_ one: JSONValue, _ two: JSONValue) -> Int? {
        if let one = one.intValue, let two = two.intValue { return one < two ? -1 : one == two ? 0 : 1 }
        guard let one = one.stringValue, let two = two.stringValue else { return nil }
        if let one = Timestamp(rfc3339: one), let two = Timestamp(rfc3339: two) {
            return one < two ? -1 : one == two ? 0 : 1
        }
        let (left, right) = (one.lowercased(), two.lowercased())
        return left < right ? -1 : left == right ? 0 : 1
    }
}

/// Reads a `$filter`.
struct GraphFilterReader {
    private enum Token: Equatable {
        case word(String)
        case text(String)
        case mark(Character)
    }

    private var tokens: [Token]
    private var place = 0
    private var depth = 0
    private let users: GraphUsers

    /// - Throws: What is wrong with the text, or what the directory does not take.
    static func read(_ text: String, _ users: GraphUsers) throws(GraphFault) -> GraphFilter {
        guard text.utf8.count <= 8192 else { throw .badFilter("the clause is longer than 8192 bytes.") }
        var reader = GraphFilterReader(tokens: try tokens(text), users: users)
        let filter = try reader.either()
        guard reader.place == reader.tokens.count else { throw reader.unexpected() }
        return filter
    }

    private init(tokens: [Token], users: GraphUsers) {
        self.tokens = tokens
        self.users = users
    }

    private static func tokens(_ text: String) throws(GraphFault) -> [Token] {
        var tokens: [Token] = []
        var rest = text[...]
        while let first = rest.first {
            if first == " " {
                rest.removeFirst()
            } else if "(),:/".contains(first) {
                tokens.append(.mark(first))
                rest.removeFirst()
            } else if first == "'" {
                rest.removeFirst()
                var value = ""
                while true {
                    guard let end = rest.firstIndex(of: "'") else {
                        throw .badFilter("there is an unterminated string literal.")
                    }
                    value += rest[..<end]
                    rest = rest[rest.index(after: end)...]
                    // Two quotes are one in the text.
                    guard rest.first == "'" else { break }
                    value += "'"
                    rest.removeFirst()
                }
                tokens.append(.text(value))
            } else {
                // A time has colons, a lambda variable is a word before one.
                let isTime = first.isNumber
                let end = rest.firstIndex { " (),/'".contains($0) || (!isTime && $0 == ":") } ?? rest.endIndex
                guard end > rest.startIndex else { throw .badFilter("'\(first)' is not expected.") }
                tokens.append(.word(String(rest[..<end])))
                rest = rest[end...]
            }
        }
        return tokens
    }

    // MARK: Grammar

    private mutating func either() throws(GraphFault) -> GraphFilter {
        depth += 1
        defer { depth -= 1 }
        guard depth <= 32 else { throw .badFilter("it is nested more than 32 levels deep.") }
        var filter = try both()
        while takeWord("or") { filter = .either(filter, try both()) }
        return filter
    }

    private mutating func both() throws(GraphFault) -> GraphFilter {
        var filter = try unary()
        while takeWord("and") { filter = .both(filter, try unary()) }
        return filter
    }

    private mutating func unary() throws(GraphFault) -> GraphFilter {
        depth += 1
        defer { depth -= 1 }
        guard depth <= 64 else { throw .badFilter("it is nested more than 32 levels deep.") }
        if takeWord("not") { return .not(try unary()) }
        if take("(") {
            let filter = try either()
            try expect(")")
            return filter
        }
        guard case .word(let name)? = next else { throw unexpected() }
        place += 1
        if take("(") { return try call(name) }
        if take("/") { return try lambda(over: name) }
        return try comparison(of: name)
    }

    private mutating func call(_ function: String) throws(GraphFault) -> GraphFilter {
        let name = try word()
        try expect(",")
        let text = try textLiteral()
        try expect(")")
        switch function.lowercased() {
        case "startswith": return .starts(try property(name), text)
        case "endswith": return .ends(try property(name), text)
        default:
            throw .unsupportedQuery("Unsupported Query.", why: "the directory has no function \(function) in filters")
        }
    }

    private mutating func comparison(of name: String) throws(GraphFault) -> GraphFilter {
        let property = try property(name)
        let word = try word()
        if word.lowercased() == "in" {
            try expect("(")
            var values = [try literal()]
            while take(",") { values.append(try literal()) }
            try expect(")")
            return .among(property, values)
        }
        guard let comparison = GraphFilter.ComparisonOperator(rawValue: word.lowercased()) else {
            throw .badFilter("'\(word)' is not an operator.")
        }
        return .compare(property, comparison, try literal())
    }

    /// `identities/any(c:c/issuerAssignedId eq 'x' and c/issuer eq 'y')`, `otherMails/any(x:x eq 'y')`.
    private mutating func lambda(over name: String) throws(GraphFault) -> GraphFilter {
        guard takeWord("any") else { throw unexpected() }
        try expect("(")
        let variable = try word()
        try expect(":")
        let property = try property(name, isList: true)
        guard property == "identities" else {
            let filter = try element(of: property, variable)
            try expect(")")
            return filter
        }
        var members: [String: String] = [:]
        repeat {
            guard takeWord(variable) else {
                throw GraphFault(
                    400, "Request_BadRequest",
                    "Unsupported property or property value or combination of property and operation occured",
                    why: "identities are found by issuer and issuerAssignedId, each with eq")
            }
            try expect("/")
            let member = try word()
            guard takeWord("eq") else { throw .unsupportedQuery("Unsupported query on property 'ObjectIdentity'.") }
            members[member.lowercased()] = try textLiteral()
        } while takeWord("and")
        try expect(")")
        guard members.count == 2, let issuer = members["issuer"], let id = members["issuerassignedid"] else {
            throw .unsupportedQuery(
                "Unsupported query on property 'ObjectIdentity'.",
                why: "identities are found by issuer and issuerAssignedId together")
        }
        return .identity(issuer: issuer, id: id)
    }

    private mutating func element(of property: String, _ variable: String) throws(GraphFault) -> GraphFilter {
        if takeWord(variable) {
            guard takeWord("eq") else {
                throw .unsupportedQuery(
                    "Unsupported or invalid query filter clause specified for property '\(property)' of resource 'User'."
                )
            }
            return .anyText(property, .equals, try textLiteral())
        }
        let function = try word()
        try expect("(")
        guard takeWord(variable) else { throw unexpected() }
        try expect(",")
        let text = try textLiteral()
        try expect(")")
        switch function.lowercased() {
        case "startswith": return .anyText(property, .starts, text)
        case "endswith": return .anyText(property, .ends, text)
        default:
            throw .unsupportedQuery("Unsupported Query.", why: "the directory has no function \(function) in filters")
        }
    }

    // MARK: Parts

    /// The property in Graph's spelling.
    private func property(_ name: String, isList: Bool = false) throws(GraphFault) -> String {
        if let extended = GraphExtension(name) {
            guard users.attribute(extended) != nil, !isList else {
                throw .unsupportedQuery(
                    GraphFault.unknownProperty(name).message, why: "no app of the tenant has the id in \(name)")
            }
            return name
        }
        guard let property = GraphUserProperty.named(name) else {
            throw .unsupportedQuery(GraphFault.unknownProperty(name).message)
        }
        let takesLambda = property.kind == .texts || property.name == "identities"
        guard property.isFilterable, takesLambda == isList else {
            throw .unsupportedQuery(
                "Unsupported or invalid query filter clause specified for property '\(property.name)' of resource 'User'."
            )
        }
        return property.name
    }

    private mutating func literal() throws(GraphFault) -> JSONValue {
        if case .text(let text)? = next {
            place += 1
            return .string(text)
        }
        let word = try word()
        switch word.lowercased() {
        case "true": return true
        case "false": return false
        case "null": return .null
        default: break
        }
        if let number = Int64(word) { return .integer(number) }
        if Timestamp(rfc3339: word) != nil || GUID(word) != nil { return .string(word) }
        throw .badFilter("'\(word)' is not a value; texts are written in quotes.")
    }

    private mutating func textLiteral() throws(GraphFault) -> String {
        guard case .text(let text)? = next else { throw unexpected() }
        place += 1
        return text
    }

    private var next: Token? { place < tokens.count ? tokens[place] : nil }

    private mutating func word() throws(GraphFault) -> String {
        guard case .word(let word)? = next else { throw unexpected() }
        place += 1
        return word
    }

    private mutating func takeWord(_ wanted: String) -> Bool {
        guard case .word(let word)? = next, sameID(word, wanted) else { return false }
        place += 1
        return true
    }

    private mutating func take(_ mark: Character) -> Bool {
        guard next == .mark(mark) else { return false }
        place += 1
        return true
    }

    private mutating func expect(_ mark: Character) throws(GraphFault) {
        guard take(mark) else { throw unexpected() }
    }

    private func unexpected() -> GraphFault {
        switch next {
        case .word(let word)?: .badFilter("'\(word)' is not expected here.")
        case .text(let text)?: .badFilter("the text '\(text)' is not expected here.")
        case .mark(let mark)?: .badFilter("'\(mark)' is not expected here.")
        case nil: .badFilter("it ends too early.")
        }
    }
}
