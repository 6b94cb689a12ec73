import CommandKit
import Determinism
import Diagnosis
import Diagnostics
import JSON

/// What `b2c explain` was given: words to be looked up, or a text from a file or a pipe.
package struct Symptom {
    /// What is printed.
    package struct Answer {
        package var explanations: [Explanation]
        package var json: JSONObject
        /// The script that plays the first cause that has one.
        package var script: String?
        /// What is about the words.
        package var similar: SimilarText?

        /// What fits words by their meaning is added to what is known of them.
        mutating func add(_ similar: SimilarText) {
            self.similar = similar
            script = script ?? similar.script
            for (key, value) in similar.json.members { json.append(key, value) }
        }
    }

    private enum Source {
        case words([String])
        case text([UInt8], isCut: Bool, name: String)
    }

    private let source: Source
    /// Whether only recipes, scenarios and causes about the words are wanted.
    private let isLike: Bool
    /// The folder of the policies that a refused upload is about; `nil`: the current folder, if it has the policy.
    private let policies: String?

    package init(_ things: [String], file: String?, isLike: Bool, policies: String? = nil) throws {
        self.isLike = isLike
        self.policies = policies
        if isLike, file != nil || things == ["-"] {
            throw Failure.usage("--like searches for words, not for a text in a file: `b2c explain --like cancel`")
        }
        if let file {
            guard things.isEmpty else {
                throw Failure.usage("--file names the text that is explained; \"\(things[0])\" cannot be explained too")
            }
            source = try Self.read(file)
        } else if things == ["-"] {
            let input = Machine.readInputBytes(limit: Diagnosis.limit)
            source = .text(input.bytes, isCut: input.isCut, name: "the standard input")
        } else if !isLike, things.count == 1, FileSystem.kind(things[0]) == .file,
            (try? Explainer.explain(things)) == nil
        {
            source = try Self.read(things[0])
        } else if things.isEmpty {
            throw Failure.usage(
                "explain what? Such as `b2c explain AADB2C90118`, `b2c explain \"TEXT\"`, `b2c explain --file msal.log`"
            )
        } else {
            source = .words(things)
        }
    }

    /// A text that is explained as it is, whatever files there are.
    ///
    /// - Parameter policies: The folder of the policies that a refused upload is about.
    package init(text: String, policies: String?) {
        let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        source = .words(words.first?.lowercased() == "client" ? words : [text])
        isLike = false
        self.policies = policies
    }

    private static func read(_ path: String) throws -> Source {
        let bytes = try InputFile.read(path, limit: Diagnosis.limit)
        let isCut = bytes.count > Diagnosis.limit
        return .text(isCut ? Array(bytes[..<Diagnosis.limit]) : bytes, isCut: isCut, name: path)
    }

    /// A path that was mistyped is reported as one.
    private static func looksLikePath(_ words: [String]) -> Bool {
        guard words.count == 1, !words[0].contains(" "), !words[0].contains("://") else { return false }
        return words[0].contains("/") || [".log", ".txt", ".json", ".har"].contains { words[0].hasSuffix($0) }
    }

    /// What is known of it.
    ///
    /// - Throws: A failure that says that nothing was found, or why the text cannot be read.
    package func answer(now: Timestamp, showsSecrets: Bool) throws -> Answer {
        var answer = try whole(now, showsSecrets)
        if !isLike, let refusal = try RefusalExplanation(pasted, folder: policies) {
            answer.explanations.insert(contentsOf: refusal.explanations, at: 0)
            answer.json.append("refusal", .object(refusal.json))
        }
        return answer
    }

    /// The text that was given.
    private var pasted: String {
        switch source {
        case .words(let words): words.joined(separator: " ")
        case .text(let bytes, _, _): String(decoding: bytes.prefix(1 << 18), as: UTF8.self)
        }
    }

    private func whole(_ now: Timestamp, _ showsSecrets: Bool) throws -> Answer {
        switch source {
        case .words(let words): return try answer(words, now, showsSecrets)
        case .text(let bytes, let isCut, let name):
            if let log = JourneyLogHint(bytes, name: name) {
                let diagnosis = Diagnosis(log.failures, now: now, showsSecrets: showsSecrets)
                return diagnosis.hasFound ? Answer(log, diagnosis) : Answer([log.explanation])
            }
            let diagnosis = Diagnosis(bytes, isCut: isCut, now: now, showsSecrets: showsSecrets)
            if let refusal = diagnosis.refusal { throw Failure.input("\(name): \(refusal)") }
            let rules = RuleTable.rules(in: String(decoding: bytes.prefix(1 << 16), as: UTF8.self))
            guard diagnosis.hasFound || !rules.isEmpty else {
                throw Failure.usage("nothing in \(name) is known. `explain` searched for \(Diagnosis.lookedFor).")
            }
            return Answer(rules, diagnosis, withFacts: true)
        }
    }

    private func answer(_ words: [String], _ now: Timestamp, _ showsSecrets: Bool) throws -> Answer {
        let text = Self.code(words) ?? words.joined(separator: " ")
        if isLike {
            guard let answer = Self.similar(to: text) else {
                throw Failure.usage(
                    "no recipe, scenario or cause is about \"\(text)\": use other words, or read docs/recipes.md")
            }
            return answer
        }
        let known: Result<[Explanation], any Error> = Result { try Explainer.explain(words) }
        let explanations = (try? known.get()) ?? []
        if explanations.isEmpty, words.count == 1, let answer = Self.named(words[0]) { return answer }
        let isOwn = ["client", "rules"].contains(words[0].lowercased())
        let diagnosis = Diagnosis(Array((isOwn ? "" : text).utf8), now: now, showsSecrets: showsSecrets)
        guard diagnosis.hasFound else {
            if explanations.isEmpty, Self.looksLikePath(words) {
                throw Failure.input("there is no file \(words[0]), and as a text nothing is known of it")
            }
            if explanations.isEmpty, !isOwn, let answer = Self.similar(to: text) { return answer }
            return Answer(try known.get())
        }
        if explanations.isEmpty {
            // A code that nobody knows is shown with the codes next to it.
            if diagnosis.causes.isEmpty, diagnosis.kind == "a code" { return Answer(try known.get()) }
            var answer = Answer([], diagnosis, withFacts: true)
            if diagnosis.isOrdinaryWords { answer.add(SimilarText(Similar.to(text))) }
            return answer
        }
        // A key of a file is also a word of some report; only what names a bug by itself is shown with it.
        let isCode = !diagnosis.codes.isEmpty || !diagnosis.numbers.isEmpty || !diagnosis.oauthErrors.isEmpty
        if !isCode, diagnosis.causes.allSatisfy({ $0.certainty == .possible }), diagnosis.tokens.isEmpty {
            return Answer(explanations)
        }
        let isLookUp = words.allSatisfy { !$0.contains(" ") && !$0.contains("=") && !$0.contains(":") }
        return Answer(explanations, diagnosis, withFacts: !isLookUp)
    }

    /// The code of the service that a number of five digits is.
    private static func code(_ words: [String]) -> String? {
        guard words.count == 1, words[0].utf8.count == 5, words[0].hasPrefix("9"), Int(words[0]) != nil else {
            return nil
        }
        return "AADB2C\(words[0])"
    }

    /// What has this name: a cause, or a shipped scenario.
    private static func named(_ word: String) -> Answer? {
        if let cause = Cause.named(word) {
            var answer = Answer([Explanation(cause)])
            answer.script = cause.script
            return answer
        }
        guard let script = ShippedScript.named(word) else { return nil }
        let entry = script.entry ?? script.path[...]
        var answer = Answer([
            Explanation(
                title: "\(script.path)  a shipped scenario",
                facts: [
                    ("shows", script.name),
                    ("try it", "b2c explain \(entry) --write"), ("", "b2c run \(script.file)"),
                ])
        ])
        answer.script = script.file
        return answer
    }

    /// What is about somebody's words; `nil` where nothing is.
    private static func similar(to text: String) -> Answer? {
        let similar = Similar.to(text)
        if similar.isEmpty { return nil }
        var answer = Answer([])
        answer.add(SimilarText(similar))
        return answer
    }
}

extension Symptom.Answer {
    fileprivate init(_ explanations: [Explanation]) {
        self.explanations = explanations
        json = ["explanations": .array(explanations.map { .object($0.json) })]
    }

    /// A log, and what its journeys failed with.
    fileprivate init(_ log: JourneyLogHint, _ diagnosis: Diagnosis) {
        self.init([], diagnosis, withFacts: true)
        if explanations.first?.title == diagnosis.kind { explanations[0].title = "what a journey failed with" }
        explanations.insert(log.explanation, at: 0)
        json.append("explanations", .array([.object(log.explanation.json)]))
    }

    fileprivate init(_ known: [Explanation], _ diagnosis: Diagnosis, withFacts: Bool) {
        var explanations = known
        var first = known.map { String($0.title.prefix { $0 != " " }) }
        // What says only that the upload was refused adds nothing to the rule.
        if !known.isEmpty { first.append("upload-refused") }
        for section in diagnosis.sections(without: first) {
            let isFacts = section.title == diagnosis.kind
            guard withFacts || !isFacts else { continue }
            // What has an explanation of its own is not printed twice.
            let facts = section.facts.filter { !isFacts || !first.contains($0.label) }
            if facts.isEmpty { continue }
            let explanation = Explanation(title: section.title, facts: facts)
            if isFacts { explanations.insert(explanation, at: 0) } else { explanations.append(explanation) }
        }
        if diagnosis.causes.isEmpty, known.isEmpty, withFacts {
            explanations.append(
                Explanation(title: "no known cause fits", facts: [("looked for", Diagnosis.lookedFor)]))
        }
        // What a cause names is said before the rule, which says what is demanded in general.
        let isRules = known.allSatisfy { $0.title.hasPrefix("B2C-") }
        if isRules, let cause = diagnosis.causes.first, cause.certainty != .possible {
            let rules = explanations.filter { shown in known.contains { $0.title == shown.title } }
            explanations = explanations.filter { shown in !known.contains { $0.title == shown.title } } + rules
        }
        self.explanations = explanations
        script = diagnosis.causes.lazy.compactMap(\.cause.script).first
        json = diagnosis.json
        json.append("explanations", .array(known.map { .object($0.json) }))
    }
}

extension Explanation {
    /// A reported bug.
    fileprivate init(_ cause: Cause) {
        var facts: [(label: String, text: String)] = []
        for (index, check) in cause.checks.enumerated() { facts.append((index == 0 ? "check" : "", check)) }
        facts.append(("fix", cause.fix))
        if let script = cause.script {
            facts += [("try it", "b2c explain \(cause.id) --write"), ("", "b2c run \(script)")]
        }
        self.init(title: "\(cause.id)  \(cause.cause)", facts: facts)
    }

    /// For programs.
    package var json: JSONObject {
        [
            "title": .string(title),
            "facts": .array(facts.map { ["label": .string($0.label), "text": .string($0.text)] }),
        ]
    }
}
