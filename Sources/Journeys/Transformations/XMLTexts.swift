import JSON
import TrustFramework

/// XML texts as JSON (Microsoft docs: json-transformations).
enum XMLTexts {
    /// The element tree: an element with text alone is that text, repeated elements are an array, attributes are members
    /// that begin with `@` beside a member `#text` (the shape of the usual .NET converter; inferred).
    static func toJSON(_ call: inout TransformationCall) throws(ProfileFailure) {
        guard let text = call.text("xml") else { return call.set("json", nil) }
        var reader = Reader(Array(text.unicodeScalars))
        guard let (name, value) = reader.document() else { throw call.fault("the claim is not XML that can be read") }
        call.set("json", text: JSONWriter.compact(.object(JSONObject([(name, value)]))))
    }

    /// Reads elements, attributes, text, CDATA and comments. No DOCTYPE, so no entities but the five of XML and numbers.
    private struct Reader {
        private let text: [Unicode.Scalar]
        private var place = 0
        private static let depthLimit = 64

        init(_ text: [Unicode.Scalar]) { self.text = text }

        mutating func document() -> (String, JSONValue)? {
            skipMisc()
            guard let element = element(depth: 0) else { return nil }
            skipMisc()
            return place == text.count ? element : nil
        }

        private func at(_ word: String) -> Bool {
            let wanted = Array(word.unicodeScalars)
            return place + wanted.count <= text.count && Array(text[place..<(place + wanted.count)]) == wanted
        }

        private mutating func take(_ word: String) -> Bool {
            guard at(word) else { return false }
            place += word.unicodeScalars.count
            return true
        }

        private mutating func until(_ word: String) -> String? {
            var taken = String.UnicodeScalarView()
            while place < text.count {
                if take(word) { return String(taken) }
                taken.append(text[place])
                place += 1
            }
            return nil
        }

        private mutating func skipSpace() {
            while place < text.count, text[place].properties.isWhitespace { place += 1 }
        }

        private mutating func skipMisc() {
            while true {
                skipSpace()
                if take("<?") {
                    guard until("?>") != nil else { return }
                } else if take("<!--") {
                    guard until("-->") != nil else { return }
                } else {
                    return
                }
            }
        }

        private mutating func name() -> String? {
            var name = String.UnicodeScalarView()
            while place < text.count {
                let scalar = text[place]
                if scalar.properties.isWhitespace || "<>/=\"'&".unicodeScalars.contains(scalar) { break }
                name.append(scalar)
                place += 1
            }
            return name.isEmpty ? nil : String(name)
        }

        private mutating func element(depth: Int) -> (String, JSONValue)? {
            guard depth < Self.depthLimit, take("<"), let name = name() else { return nil }
            var members: [(key: String, value: JSONValue)] = []
            while true {
                skipSpace()
                if take("/>") { return (name, members.isEmpty ? .null : .object(JSONObject(members))) }
                if take(">") { break }
                guard let attribute = self.name() else { return nil }
                skipSpace()
                guard take("=") else { return nil }
                skipSpace()
                let quote = take("\"") ? "\"" : take("'") ? "'" : nil
                guard let quote, let value = until(quote), let plain = Self.unescaped(value) else { return nil }
                members.append(("@" + attribute, .string(plain)))
            }
            var content = ""
            var children: [(key: String, value: JSONValue)] = []
            while !at("</") {
                guard place < text.count else { return nil }
                if take("<!--") {
                    guard until("-->") != nil else { return nil }
                } else if take("<![CDATA[") {
                    guard let data = until("]]>") else { return nil }
                    content += data
                } else if at("<") {
                    guard let child = element(depth: depth + 1) else { return nil }
                    children.append((child.0, child.1))
                } else {
                    var piece = String.UnicodeScalarView()
                    while place < text.count, text[place] != "<" {
                        piece.append(text[place])
                        place += 1
                    }
                    guard let plain = Self.unescaped(String(piece)) else { return nil }
                    content += plain
                }
            }
            guard take("</"), self.name() == name else { return nil }
            skipSpace()
            guard take(">") else { return nil }
            if members.isEmpty, children.isEmpty { return (name, .string(content)) }
            let isBlank = content.allSatisfy(\.isWhitespace)
            if !isBlank { members.append(("#text", .string(content))) }
            for child in children where !members.contains(where: { $0.key == child.key }) {
                let same = children.filter { $0.key == child.key }.map(\.value)
                members.append((child.key, same.count == 1 ? same[0] : .array(same)))
            }
            return (name, .object(JSONObject(members)))
        }

        private static func unescaped(_ text: String) -> String? {
            guard text.contains("&") else { return text }
            var result = ""
            var rest = text[...]
            while let open = rest.firstIndex(of: "&") {
                result += rest[..<open]
                guard let end = rest[open...].firstIndex(of: ";") else { return nil }
                let name = rest[rest.index(after: open)..<end]
                switch name {
                case "lt": result += "<"
                case "gt": result += ">"
                case "amp": result += "&"
                case "quot": result += "\""
                case "apos": result += "'"
                default:
                    let digits = name.hasPrefix("#x") ? name.dropFirst(2) : name.dropFirst(1)
                    guard name.hasPrefix("#"), let code = UInt32(digits, radix: name.hasPrefix("#x") ? 16 : 10),
                        let scalar = Unicode.Scalar(code)
                    else { return nil }
                    result.unicodeScalars.append(scalar)
                }
                rest = rest[rest.index(after: end)...]
            }
            return result + rest
        }
    }
}
