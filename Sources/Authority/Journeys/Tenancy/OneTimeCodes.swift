import Determinism

/// The codes that a journey has sent, by purpose and address. They live and die with the journey.
public struct OneTimeCodes: Sendable, Hashable, Codable {
    /// What a code may do.
    public struct CodeRules: Sendable, Hashable {
        /// How long a code is good.
        public var lifetime: TimeSpan
        public var length: Int
        /// Wrong codes until no more are taken.
        public var maxTries: Int
        /// How often a code may be made for one address within a code's lifetime.
        public var maxGenerations: Int
        /// Soonest that a further code may be asked for.
        public var resendAfter: TimeSpan
        /// A further request within the lifetime gives the same code again.
        public var reusesSameCode: Bool
        /// Characters of a code.
        public var alphabet: [Character]

        public init(
            lifetime: TimeSpan = .minutes(20), length: Int = 6, maxTries: Int = 5, maxGenerations: Int = 10,
            resendAfter: TimeSpan = .zero, reusesSameCode: Bool = false, alphabet: [Character] = Array("0123456789")
        ) {
            self.lifetime = lifetime
            self.length = length
            self.maxTries = maxTries
            self.maxGenerations = maxGenerations
            self.resendAfter = resendAfter
            self.reusesSameCode = reusesSameCode
            self.alphabet = alphabet
        }
    }

    public enum Generated: Sendable, Hashable {
        case code(String)
        /// Asked again too soon.
        case throttled
        /// Asked too often.
        case tooMany
    }

    public enum Verified: Sendable, Hashable {
        case accepted
        /// Wrong; so many tries are left.
        case wrong(triesLeft: Int)
        /// Wrong, and no more tries are taken.
        case exhausted
        case expired
        /// No code was sent to this address, or it has been used.
        case missing
    }

    private struct Entry: Sendable, Hashable, Codable {
        var purpose: String
        var address: String
        var code: String
        var sentAt: Timestamp
        var expires: Timestamp
        var tries = 0
        var generations = 1
        var used = false
    }

    private var entries: [Entry] = []
    /// Key that an authenticator is being registered with, in base32; `nil` when the one on file counts.
    var authenticatorSecret: String?
    /// Wrong codes of an authenticator so far.
    var authenticatorFailures = 0
    var captchas = Captchas()

    public init() {}

    /// Makes a code for an address (compared ignoring case). An earlier code for it is no longer good.
    public mutating func generate(
        purpose: String, address: String, rules: CodeRules, at now: Timestamp, random: inout SeededGenerator
    ) -> Generated {
        let place = place(purpose, address)
        if let place {
            let entry = entries[place]
            if now - entry.sentAt < rules.resendAfter { return .throttled }
            let alive = now < entry.expires
            if alive, entry.generations >= rules.maxGenerations { return .tooMany }
            if alive, rules.reusesSameCode, !entry.used {
                entries[place].sentAt = now
                entries[place].generations += 1
                return .code(entry.code)
            }
        }
        var code = ""
        for _ in 0..<max(1, rules.length) {
            code.append(rules.alphabet.isEmpty ? "0" : rules.alphabet[random.below(rules.alphabet.count)])
        }
        var entry = Entry(
            purpose: purpose, address: address.lowercased(), code: code, sentAt: now, expires: now + rules.lifetime)
        if let place {
            if now < entries[place].expires { entry.generations = entries[place].generations + 1 }
            entries[place] = entry
        } else {
            entries.append(entry)
        }
        return .code(code)
    }

    /// Checks a code. A right one is used up.
    public mutating func verify(
        purpose: String, address: String, code: String, rules: CodeRules, at now: Timestamp
    ) -> Verified {
        guard let place = place(purpose, address), !entries[place].used else { return .missing }
        if entries[place].tries >= rules.maxTries { return .exhausted }
        if now >= entries[place].expires { return .expired }
        if entries[place].code == code.trimmingSpaces {
            entries[place].used = true
            return .accepted
        }
        entries[place].tries += 1
        let left = rules.maxTries - entries[place].tries
        return left > 0 ? .wrong(triesLeft: left) : .exhausted
    }

    /// The codes that can still be handed in, newest first, with the addresses that they are for.
    func living(at now: Timestamp) -> [(code: String, address: String)] {
        entries.filter { !$0.used && now < $0.expires }.sorted { $0.sentAt > $1.sentAt }.map { ($0.code, $0.address) }
    }

    /// The codes that were not handed in and are too old, newest first, with the addresses that they were for.
    func expired(at now: Timestamp) -> [(code: String, address: String)] {
        entries.filter { !$0.used && now >= $0.expires }.sorted { $0.sentAt > $1.sentAt }.map { ($0.code, $0.address) }
    }

    private func place(_ purpose: String, _ address: String) -> Int? {
        let wanted = address.lowercased()
        return entries.firstIndex { $0.purpose == purpose && $0.address == wanted }
    }
}
