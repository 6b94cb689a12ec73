import JSON

/// Why a query is not answered, with the place in it.
struct LogQueryFault: Error, Hashable {
    enum Kind: String {
        /// The text is not a query.
        case syntax = "SyntaxError"
        /// A name is not known, or something is not simulated.
        case semantic = "SemanticError"
    }

    var kind: Kind
    /// What is wrong, and what is understood.
    var message: String
    /// From 1.
    var line: Int
    /// Characters before it in its line.
    var position: Int
    /// What is there.
    var token: String

    /// `innererror` of the API's error (Microsoft docs: Log Analytics API errors; its own inner error was seen in public
    /// answers).
    var json: JSONObject {
        [
            "code": .string(kind.rawValue),
            "message": .string(
                kind == .syntax
                    ? "A recognition error occurred in the query." : "A semantic error occurred in the query."),
            "innererror": [
                "code": .string(kind == .syntax ? "SYN0002" : "SEM0100"),
                "message": .string("\(message) [line:position=\(line):\(position)]"),
                "line": .integer(Int64(line)), "pos": .integer(Int64(position)), "token": .string(token),
            ],
        ]
    }
}
