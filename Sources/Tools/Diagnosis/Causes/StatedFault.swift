import HTTPMessages

/// What a message says is wrong with a thing, as far as its words say so.
///
/// A code is only as good as the words beside it: where a message says that something has expired, no code makes a
/// missing cookie of it.
enum StatedFault: Hashable, CaseIterable {
    case expired, early, missing, differs, malformed

    /// Words of messages. Each is plain: it is not said of anything else.
    private static let spoken: [(words: String, fault: StatedFault)] = [
        ("has expired", .expired), ("have expired", .expired), ("is expired", .expired), ("was expired", .expired),
        ("not yet valid", .early), ("not active yet", .early),
        ("is null", .missing), ("was null", .missing), ("are null", .missing), ("null or empty", .missing),
        ("is missing", .missing), ("was missing", .missing), ("not found", .missing), ("not contain", .missing),
        ("not present", .missing), ("not been specified", .missing),
        ("not match", .differs), ("mismatch", .differs), ("not equal", .differs), ("are different", .differs),
        ("not well formed", .malformed), ("malformed", .malformed), ("unable to decode", .malformed),
    ]

    /// Words of this project's own sentences. Such a sentence may also have the words of messages.
    private static let own: [(words: String, fault: StatedFault)] = [
        ("expire", .expired), ("ended", .expired), ("too old", .expired), ("older than", .expired),
        ("lifetime", .expired), ("24 hours", .expired), ("has passed", .expired),
        ("future", .early), ("not valid yet", .early), ("clock", .early),
        (" no ", .missing), ("missing", .missing), ("lack", .missing), ("without", .missing), ("empty", .missing),
        ("does not have", .missing), ("not exist", .missing), ("does not know", .missing), ("not known", .missing),
        ("neither", .missing), ("not come along", .missing), ("not there", .missing), ("none", .missing),
        ("not among", .missing), ("gone", .missing), ("not registered", .missing), ("unknown", .missing),
        ("not set", .missing), ("not come back", .missing), ("cannot be found", .missing),
        ("another", .differs), ("differ", .differs), ("not the ", .differs), ("does not fit", .differs),
        ("not fit", .differs), ("not belong", .differs), ("wrong", .differs), ("not one", .differs),
        ("not valid", .differs), ("contradict", .differs), ("not those", .differs), ("not have what", .differs),
        ("malformed", .malformed), ("not a token", .malformed), ("cannot be decoded", .malformed),
        ("not a jwt", .malformed), ("cannot be read", .malformed), ("not json", .malformed),
    ]

    /// What the words of a message say.
    static func spoken(in text: String) -> Set<StatedFault> {
        // "Does not contain a valid issuer" is about an issuer that is there.
        let lower = text.asciiLowercased.replacing("not contain a valid", with: "does not match a valid")
        return Set(spoken.filter { lower.contains($0.words) }.map(\.fault))
    }

    /// What a sentence of this project says.
    static func meant(by sentence: String) -> Set<StatedFault> {
        let lower = sentence.asciiLowercased
        return Set((spoken + own).filter { lower.contains($0.words) }.map(\.fault))
    }
}

extension SymptomFacts {
    /// Whether the words right behind a code say something else than a sentence that the code alone stands for.
    ///
    /// - Parameter code: in small letters.
    func words(behind code: String, contradict sentence: String) -> Bool {
        guard let seen = codes.first(where: { $0.id.asciiLowercased == code })?.seen else { return false }
        var text = PercentCoding.decode(seen.text, plusIsSpace: true).dropFirst(code.utf8.count)
        // What another code says is its own matter.
        for family in ["AADB2C", "AADSTS", "IDX", "IDW"] {
            if let next = text.firstRange(of: family) { text = text[..<next.lowerBound] }
        }
        let said = StatedFault.spoken(in: String(text))
        let meant = StatedFault.meant(by: sentence)
        return !said.isEmpty && !meant.isEmpty && said.isDisjoint(with: meant)
    }
}
