import JSON

extension ReproductionBundle {
    /// Where the value of a secret that was given stands all the same, because somebody wrote it into a file or gave it as
    /// a variable too: such a bundle must not be handed on.
    ///
    /// - Parameter secrets: the secrets by their names.
    /// - Returns: The place and the name of the secret; `nil`: none of them is in the bundle.
    public func leak(of secrets: [Named]) -> (place: String, secret: String)? {
        for secret in secrets where !secret.value.isEmpty {
            // A short one is in many texts by chance; as a whole value it is not.
            let texts =
                secret.value.utf8.count < Self.shortest
                ? [JSONWriter.compact(.string(secret.value))]
                : [secret.value, String(JSONWriter.compact(.string(secret.value)).dropFirst().dropLast())]
            for file in files where texts.contains(where: { file.bytes.holds($0) }) {
                return ("the file \(file.path)", secret.name)
            }
            for (what, values) in [("the variable", variables), ("the environment's", environment)] {
                if let found = values.first(where: { $0.value == secret.value }) {
                    return ("\(what) \(found.name)", secret.name)
                }
            }
            for (name, bytes) in [(BundleEntry.report, report), (BundleEntry.trace, trace)]
            where secret.value.utf8.count >= Self.shortest && texts.contains(where: { bytes.holds($0) }) {
                return (name, secret.name)
            }
        }
        return nil
    }

    private static let shortest = 6
}

extension [UInt8] {
    /// Whether a text is in it.
    fileprivate func holds(_ text: String) -> Bool {
        let wanted = Array(text.utf8)
        guard let first = wanted.first, count >= wanted.count else { return false }
        return withUnsafeBufferPointer { bytes in
            var place = 0
            while place <= bytes.count - wanted.count {
                if bytes[place] == first, bytes[place..<(place + wanted.count)].elementsEqual(wanted) { return true }
                place += 1
            }
            return false
        }
    }
}
