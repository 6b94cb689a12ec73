import B2CProtocol
import Determinism
import Diagnostics
import HTTPMessages
import JSON

/// What a text that somebody pasted shows, and the reported bugs that it fits.
///
/// The text may be an error message, a code, an address with an error, a token, the body of an answer or a log. It is
/// read as far as the limit goes, once; what was not read is said. Nothing is concluded from what is not there: where
/// no cause fits, there is none.
package struct Diagnosis: Sendable {
    /// A cause and what speaks for it.
    package struct Likely: Sendable {
        package let cause: Cause
        /// The weights of what was seen together; 10 is enough to name the cause alone.
        package let score: Int
        /// Lines that speak for it, in their order.
        package let evidence: [Excerpt]
        /// What would speak for it too and was not seen: what distinguishes it from the others.
        package let lookFor: [String]
        package let certainty: Certainty
        /// Weights of what the text says, without a library that fits.
        fileprivate let found: Int
        /// Its place among others. What something in the text names comes before what only fits; more evidence for
        /// something likely can come before what is certain and explains less.
        fileprivate var rank: Int {
            switch certainty {
            case .certain: 1000 + found + Sign.strongWeight
            case .likely: (cause.isGeneral || cause.isCodeAlone ? 0 : 1000) + found
            case .possible: found
            }
        }
        /// Whether what was seen entails it.
        package var isSure: Bool { certainty == .certain }
    }

    /// How far the text proves a cause.
    package enum Certainty: String, Sendable {
        /// A code, a message or compared values entail it.
        case certain
        /// A sign names it, and another cause could have the same sign.
        case likely
        /// Only ordinary words or signs that several causes share speak for it.
        case possible
    }

    /// What the text is, in a few words.
    package let kind: String
    package let facts: [Fact]
    /// The causes that fit, the best first; at most ``mostCauses``.
    package let causes: [Likely]
    /// AADB2C, AADSTS, IDX and IDW codes in the order of the text.
    package let codes: [String]
    /// Numbers of MSAL for iOS and the system under it.
    package let numbers: [Int]
    package let oauthErrors: [String]
    /// What was not read, or is there in part.
    package let notes: [String]
    /// Header and claims of the tokens that could be read.
    package let tokens: [JSONValue]
    /// Why the text could not be read at all; `nil` when it was.
    package let refusal: String?

    /// So many bytes are read unless somebody says otherwise.
    package static let limit = 16 << 20
    package static let mostCauses = 5

    /// Whether anything was recognised in the text.
    package var hasFound: Bool { !causes.isEmpty || !facts.isEmpty || !codes.isEmpty || !oauthErrors.isEmpty }

    /// Looks a text through.
    ///
    /// - Parameters:
    ///   - bytes: the text, UTF-8, or UTF-16 with its mark.
    ///   - isCut: whether there is more of it that was not handed over.
    ///   - limit: how many bytes are read.
    ///   - now: the moment with which the times of tokens are compared.
    ///   - showsSecrets: leaves tokens, codes, secrets, passwords and cookies in the excerpts.
    package init(
        _ bytes: [UInt8], isCut: Bool = false, limit: Int = Diagnosis.limit, now: Timestamp, showsSecrets: Bool = false
    ) {
        let text = SymptomText(bytes, limit: limit, isCut: isCut)
        guard text.form == .text else {
            kind = ""
            facts = []
            causes = []
            codes = []
            numbers = []
            oauthErrors = []
            notes = []
            tokens = []
            refusal =
                text.form == .empty
                ? "there is nothing to explain: the text is empty" : Self.refusal(of: text.form)
            return
        }
        var seen = SymptomFacts(text, now: now)
        let places = Self.index.places(in: text.plain)
        Library.read(places, text, into: &seen)
        CodeMessages.read(places, text, into: &seen)
        MessageValues.read(places, text, into: &seen)
        ServiceCalls.read(places, text, into: &seen)
        SettingFacts.read(places, text, into: &seen)
        let masking = SymptomMask(text, showsSecrets: showsSecrets)
        let matcher = SymptomMatcher(text: text, places: places, facts: seen, masking: masking)
        causes = matcher.causes()
        kind = seen.kind
        codes = seen.codes.map(\.id)
        numbers = seen.numbers.map(\.number)
        oauthErrors = seen.oauthErrors.map(\.error)
        facts = Self.allFacts(seen).map { Fact($0.label, masking.masked($0.text), line: $0.line) }
        notes = (seen.notes + Self.unread(text, seen)).map { masking.masked($0) }
        tokens = seen.tokens.compactMap { Self.json($0, masking, showsSecrets) }
        refusal = nil
    }

    /// Every phrase of every sign, and what the readers of facts look for.
    private static let index: PhraseIndex = {
        var index = PhraseIndex()
        for cause in Cause.all {
            for sign in cause.signs { for phrase in sign.phrases { index.add(phrase) } }
        }
        for phrase in Library.phrases + CodeMessages.phrases + MessageValues.phrases + ServiceCalls.phrases
            + SettingFacts.phrases
        {
            index.add(phrase)
        }
        return index
    }()

    private static func refusal(of form: SymptomText.Form) -> String {
        guard case .binary(let why) = form else { return "" }
        return "this is not text: \(why). Give the log as plain text, UTF-8 or UTF-16."
    }

    // MARK: Facts

    private static func allFacts(_ seen: SymptomFacts) -> [Fact] {
        var facts = seen.facts
        for (id, at) in seen.codes { facts.append(Fact(id, meaning(of: id), line: at.line)) }
        for (number, at) in seen.numbers {
            if let text = LibraryReports.meaning(number) { facts.append(Fact(String(number), text, line: at.line)) }
        }
        let code = seen.codes.lazy.compactMap { B2CErrorCode.named($0.id) }.first
        if let error = seen.oauthErrors.first?.error {
            let isBody = seen.traits[.responseError] == nil
            if !isBody || seen.kind.contains("JSON") {
                facts += LibraryReports.facts(error: error, code: code, isBody: isBody)
            }
        }
        return facts
    }

    private static func meaning(of id: String) -> String {
        if let code = B2CErrorCode.named(id) { return "\(code.meaning) \(code.remedy)" }
        if let code = MessageCode.named(id) { return "\(code.meaning) \(code.remedy)" }
        return MessageCode.family(of: id)
    }

    private static func unread(_ text: SymptomText, _ seen: SymptomFacts) -> [String] {
        var notes: [String] = []
        if text.unread > 0 || text.isCut {
            let rest = text.isCut ? "more of them" : "\(text.unread) more"
            notes.append(
                "the first \(text.bytes.count) bytes were read (\(text.lineCount) lines) and there are \(rest);"
                    + " give the end with `tail -c \(text.bytes.count)` to have that read")
        }
        if seen.addressCount > SymptomFacts.mostOfAKind {
            notes.append(
                "\(seen.addressCount) different addresses were found, \(SymptomFacts.mostOfAKind) were taken apart")
        }
        if seen.tokens.count >= SymptomFacts.mostOfAKind {
            notes.append("only the first \(SymptomFacts.mostOfAKind) tokens were taken apart")
        }
        return notes
    }

    private static func json(_ token: TokenFacts, _ masking: SymptomMask, _ showsSecrets: Bool) -> JSONValue? {
        guard let header = token.header else { return nil }
        var object: JSONObject = [
            "line": .integer(Int64(token.line)), "kind": .string(token.kind), "whole": .bool(token.isWhole),
        ]
        object.append("header", .object(header))
        if let claims = token.claims { object.append("claims", .object(claims)) }
        return .object(object)
    }
}

/// Holds signs against what was seen.
private struct SymptomMatcher {
    let text: SymptomText
    let places: PhraseIndex.Places
    let facts: SymptomFacts
    let masking: SymptomMask
    private let lines = ShownLines()

    func causes() -> [Diagnosis.Likely] {
        var found: [(index: Int, likely: Diagnosis.Likely)] = []
        for (index, cause) in Cause.all.enumerated() {
            if let likely = likely(cause) { found.append((index, likely)) }
        }
        found.sort { left, right in
            if left.likely.rank != right.likely.rank { return left.likely.rank > right.likely.rank }
            if left.likely.score != right.likely.score { return left.likely.score > right.likely.score }
            if left.likely.cause.reach != right.likely.cause.reach {
                return left.likely.cause.reach.rank > right.likely.cause.reach.rank
            }
            return left.index < right.index
        }
        let best = found.map(\.likely.score).max() ?? 0
        let isNamed = found.contains { !$0.likely.cause.isGeneral && $0.likely.certainty != .possible }
        return found.filter { _, likely in
            (likely.isSure || likely.score * 5 >= best * 2) && !(isNamed && likely.cause.isGeneral)
        }.prefix(Diagnosis.mostCauses).map(\.likely)
    }

    private func likely(_ cause: Cause) -> Diagnosis.Likely? {
        var score = 0
        var carries = false
        var certainty = Diagnosis.Certainty.possible
        // Compared values stand whatever else the text says; a code or words do not.
        var isProven = false
        var isContradicted = false
        var evidence: [(weight: Int, seen: Excerpt)] = []
        var open: [String] = []
        for sign in cause.signs {
            if sign.isExclusion {
                if sighting(sign) != nil { return nil }
                continue
            }
            guard let seen = sighting(sign) else {
                if sign.weight >= Sign.fairWeight { open.append(sign.text) }
                continue
            }
            var weight = sign.weight
            var mayName = seen.isPresent
            if weight > 0, let code = seen.code, facts.words(behind: code, contradict: cause.cause) {
                // A code never decides against the words beside it.
                weight = min(weight, Sign.fairWeight)
                mayName = false
                isContradicted = true
            }
            score += weight
            if weight < 0 { isContradicted = true }
            if weight >= Sign.fairWeight { carries = true }
            if sign.isCertain, mayName {
                certainty = .certain
                if seen.isCompared { isProven = true }
            }
            if weight >= Sign.strongWeight, certainty == .possible, seen.isSpecific, mayName { certainty = .likely }
            if weight > 0 { evidence.append((weight, seen.place)) }
        }
        guard carries else { return nil }
        let fit = fit(cause)
        // A library that it was not seen in speaks against it; one that it was seen in only fits.
        let found = score + min(0, fit)
        score += fit
        guard score >= Sign.fairWeight else { return nil }
        if isContradicted, !isProven { certainty = certainty == .certain ? .likely : .possible }
        return Diagnosis.Likely(
            cause: cause, score: score, evidence: ordered(evidence), lookFor: Array(open.prefix(3)),
            certainty: certainty, found: found)
    }

    /// Whether the library that the text gives away is one in which it was seen.
    private func fit(_ cause: Cause) -> Int {
        let seen = facts.libraries.map(\.library) + facts.possibleLibraries
        guard !cause.libraries.isEmpty, !seen.isEmpty else { return 0 }
        return cause.libraries.contains { seen.contains($0) } ? 3 : -4
    }

    /// The lines that speak loudest, each once, in the order of the text.
    private func ordered(_ evidence: [(weight: Int, seen: Excerpt)]) -> [Excerpt] {
        var lines: Set<Int> = []
        // What only fits is omitted where something names the cause.
        let loudest = evidence.map(\.weight).max() ?? 0
        let told = evidence.filter { loudest < Sign.strongWeight || $0.weight >= Sign.fairWeight }
        let ranked = told.enumerated().sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }
        return ranked.map(\.element.seen).filter { lines.insert($0.line).inserted }.prefix(4)
            .sorted { $0.line < $1.line }
    }

    // MARK: Signs

    /// How a sign is seen.
    private struct Seen {
        var place: Excerpt
        /// Whether it names something specific.
        var isSpecific: Bool
        /// Whether the text is whole: what is absent proves nothing.
        var isPresent: Bool
        /// Whether it is the comparison of values, or the form of an address or token, and no words.
        var isCompared: Bool
        /// The code, in small letters, where nothing else is seen.
        var code: String?

        init(_ place: Excerpt, _ clues: [Sign.Clue]) {
            self.place = place
            isSpecific = clues.contains(where: \.isSpecific)
            isPresent = !clues.contains(where: \.isAbsence)
            isCompared = clues.allSatisfy { clue in if case .trait = clue { true } else { false } }
            if clues.count == 1, case .phrase(let phrase) = clues[0], MessageCode.isCode(phrase) { code = phrase }
        }

        /// How much it says; more is better.
        var value: Int { (isPresent ? 2 : 0) + (isSpecific ? 1 : 0) }
    }

    /// Where a sign is seen, by the alternative that says most; of equal ones by the first.
    private func sighting(_ sign: Sign) -> Seen? {
        var best: Seen?
        for alternative in sign.alternatives {
            guard let place = sighting(alternative) else { continue }
            let seen = Seen(place, alternative)
            if seen.value == 3 { return seen }
            if best.map({ $0.value < seen.value }) ?? true { best = seen }
        }
        return best
    }

    /// Ordinary words that belong to one message stand near one another; so many bytes at most.
    private static let near = 6000

    private func sighting(_ clues: [Sign.Clue]) -> Excerpt? {
        var first: Excerpt?
        let phrases = clues.compactMap { clue in if case .phrase(let phrase) = clue { phrase } else { nil } }
        if phrases.count > 1, clues.contains(where: \.isOrdinary) {
            guard let place = places.together(phrases, within: Self.near) else { return nil }
            let line = text.line(ofPlain: place)
            first = Excerpt(line, excerpt(line, phrases[0]))
        }
        for clue in clues {
            switch seen(clue) {
            case .no: return nil
            case .yes(let sighting): if first == nil { first = sighting }
            }
        }
        return first
    }

    private enum Answer {
        case no
        case yes(Excerpt?)
    }

    private func seen(_ clue: Sign.Clue) -> Answer {
        switch clue {
        case .phrase(let phrase):
            if let seen = facts.spokenCodes[phrase] { return .yes(Excerpt(seen.line, excerpt(seen.line, seen.text))) }
            guard let offset = places[phrase] else { return .no }
            let line = text.line(ofPlain: offset)
            return .yes(Excerpt(line, excerpt(line, phrase)))
        case .trait(let trait):
            guard let seen = facts.traits[trait] else { return .no }
            return .yes(Excerpt(seen.line, cut(masking.masked(seen.text), at: 0)))
        case .library(let library):
            guard let found = facts.libraries.first(where: { $0.library == library }) else { return .no }
            return .yes(Excerpt(found.seen.line, cut(masking.masked(found.seen.text), at: 0)))
        case .absent(let inner):
            if case .no = seen(inner) { return .yes(nil) }
            return .no
        }
    }

    private func excerpt(_ line: Int, _ phrase: String) -> String {
        let shown = shown(line)
        let word = Array((phrase.hasSuffix("*") ? String(phrase.dropLast()) : phrase).utf8)
        let place = word.withUnsafeBufferPointer { word in
            shown.lower.withUnsafeBufferPointer { ByteSearch.offset(of: word, in: $0) }
        }
        return cut(shown.masked, at: place < shown.lower.count ? place : 0)
    }

    private func shown(_ line: Int) -> ShownLines.Line {
        if let known = lines.shown[line] { return known }
        let whole = String(decoding: text.lineBytes(line).prefix(1 << 16), as: UTF8.self)
        let masked = masking.masked(PercentCoding.decode(whole, plusIsSpace: false))
        let shown = ShownLines.Line(masked: masked, lower: Array(masked.asciiLowercased.utf8))
        lines.shown[line] = shown
        return shown
    }

    /// Lines without secrets: hundreds of signs may be seen in one long line.
    private final class ShownLines {
        struct Line {
            let masked: String
            let lower: [UInt8]
        }

        var shown: [Int: Line] = [:]
    }

    private static let longest = 150

    /// One line around a place.
    private func cut(_ text: String, at place: Int) -> String {
        let bytes = Array(text.utf8)
        guard bytes.count > Self.longest else { return Self.oneLine(text) }
        let start = max(0, min(place - 40, bytes.count - Self.longest))
        let piece = String(decoding: bytes[start..<min(bytes.count, start + Self.longest)], as: UTF8.self)
        return (start > 0 ? "..." : "") + Self.oneLine(piece) + (start + Self.longest < bytes.count ? "..." : "")
    }

    private static func oneLine(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\t", "\r", "\n", "\u{fffd}": result += " "
            case _ where VisibleText.isHidden(scalar): result += VisibleText.spelt(scalar)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
