import Determinism

/// The captcha pictures that a journey has shown, and what they say. They live and die with the journey.
///
/// Four to eight letters and digits were seen at live tenants; how long a picture is good, that it takes one answer and
/// that letter case does not matter is inferred.
public struct Captchas: Sendable, Hashable, Codable {
    /// What became of an answer, in the words of `VerifyChallenge` (seen in published sign-in scripts).
    public enum AnswerVerdict: String, Sendable, Hashable, CaseIterable {
        case solved = "Solved"
        case wrongAnswer = "WrongAnswer"
        /// No such picture, or it has expired or been answered.
        case noChallengeSession = "NoChallengeSession"
    }

    /// One picture.
    struct Challenge: Sendable, Hashable, Codable {
        var id: String
        var text: String
        var expires: Timestamp
        var isAnswered = false
    }

    static let lifetime = TimeSpan.minutes(5)
    static let length = 5
    /// Pictures kept; asking for ever more of them must not make a journey grow.
    private static let limit = 20

    private var challenges: [Challenge] = []
    /// The picture that was answered rightly last.
    private(set) var solved: String?

    public init() {}

    /// A new picture. Those that nobody has answered stay good: a page may be open twice.
    mutating func make(at now: Timestamp, random: inout SeededGenerator) -> Challenge {
        let characters = CaptchaPicture.characters
        var text = ""
        for _ in 0..<Self.length { text.append(characters[random.below(characters.count)]) }
        let challenge = Challenge(id: random.guid().description, text: text, expires: now + Self.lifetime)
        challenges.append(challenge)
        if challenges.count > Self.limit { challenges.removeFirst() }
        return challenge
    }

    /// The newest picture that is good and has not been answered.
    func open(at now: Timestamp) -> (id: String, text: String)? {
        challenges.last { !$0.isAnswered && now < $0.expires }.map { ($0.id, $0.text) }
    }

    /// Takes an answer. Whatever it is, the picture is used up.
    mutating func answer(_ id: String, _ text: String, at now: Timestamp) -> AnswerVerdict {
        guard let place = challenges.firstIndex(where: { $0.id == id }), !challenges[place].isAnswered,
            now < challenges[place].expires
        else { return .noChallengeSession }
        challenges[place].isAnswered = true
        guard challenges[place].text == text.trimmingSpaces.uppercased() else { return .wrongAnswer }
        solved = id
        return .solved
    }
}
