import HTTPMessages
import JSON

/// What a policy sends to a service that delivers its mail or text messages: who gets the message, and the code in it.
struct ServiceMail {
    /// Texts with their names, in the order of the body.
    private var texts: [(name: String, text: String)] = []

    /// - Parameter body: JSON or a form; `nil` where there is nothing in it.
    init?(body: [UInt8]) {
        guard !body.isEmpty else { return nil }
        if let json = try? JSONParser.parse(body) {
            collect(json, name: "")
        } else {
            texts = FormItems(parsing: body).items.map { ($0.name, $0.value) }
        }
        if texts.isEmpty { return nil }
    }

    private mutating func collect(_ value: JSONValue, name: String) {
        switch value {
        case .object(let object): for member in object.members { collect(member.value, name: member.key) }
        case .array(let elements): for element in elements { collect(element, name: name) }
        case .string(let text): texts.append((name, text))
        case .integer(let number): texts.append((name, String(number)))
        case .number, .bool, .null: break
        }
    }

    private static let names = ["code", "otp", "pin", "passcode"]
    /// Names that contain such a word but do not name a code.
    private static let others = ["country", "postal", "zip", "opinion", "shipping", "language"]

    /// The code, where one of the addresses is in the message: the text of that name, else a number of usual length.
    func code(to addresses: [String]) -> String? {
        let wanted = addresses.map { $0.lowercased() }
        let mails = texts.filter { text in wanted.contains { text.text.lowercased().contains($0) } }
        guard !mails.isEmpty else { return nil }
        let named = texts.first { entry in
            let name = entry.name.lowercased()
            return Self.names.contains { name.contains($0) } && !Self.others.contains { name.contains($0) }
                && !entry.text.isEmpty && entry.text.count <= 12 && !entry.text.contains(where: \.isWhitespace)
        }
        if let named { return named.text }
        for entry in texts {
            let words = entry.text.split { !($0.isLetter || $0.isNumber || $0 == "@" || $0 == "+" || $0 == ".") }
            // A full stop may end a sentence, and stands within numbers of versions.
            let numbers = words.map { $0.last == "." ? $0.dropLast() : $0 }.filter {
                (4...8).contains($0.count) && $0.allSatisfy { ("0"..."9").contains($0) }
            }
            if let number = numbers.first { return String(number) }
        }
        return nil
    }
}
