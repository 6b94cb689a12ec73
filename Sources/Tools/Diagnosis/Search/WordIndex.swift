/// Finds documents by words: the rarer a word, the more it counts, and what has more of the words comes first (BM25).
struct WordIndex {
    /// A part of a document, and how much its words count.
    struct Part {
        var text: String
        var weight: Double
    }

    struct Hit {
        var document: Int
        var score: Double
        /// The share of the question that the document is about, from 0 to 1, by the weight of its words.
        var coverage: Double
        /// How many different words of the question it has.
        var words = 0
    }

    private let reader = WordReader()
    /// By word: which documents have it, and how often.
    private var places: [String: [(document: Int, count: Double)]] = [:]
    private var lengths: [Double] = []
    private var total = 0.0

    init() {}

    mutating func add(_ parts: [Part]) {
        var counts: [String: Double] = [:]
        for part in parts {
            for word in reader.words(part.text) {
                counts[word.meaning, default: 0] += part.weight
                for other in word.others { counts[other, default: 0] += part.weight }
            }
        }
        // In an order of its own, so that sums have the same rounding in each run.
        for (word, count) in counts.sorted(by: { $0.key < $1.key }) {
            places[word, default: []].append((lengths.count, count))
        }
        let length = parts.reduce(0) { $0 + $1.weight * Double($1.text.utf8.count) }
        lengths.append(length)
        total += length
    }

    /// So many different words of a question are looked up.
    private static let mostWords = 64
    /// What the same word, or a part of it, counts for besides its meaning.
    private static let besides = 0.4

    /// The documents about a question, the best first.
    func search(_ question: String) -> [Hit] {
        var asked: [WordReader.Word] = []
        for word in reader.words(question) where !asked.contains(word) && asked.count < Self.mostWords {
            asked.append(word)
        }
        var hits: [Int: Hit] = [:]
        var whole = 0.0
        for word in asked {
            let rarity = rarity(of: word.meaning)
            whole += rarity
            for (document, part) in parts(word.meaning) {
                hits[document, default: Hit(document: document, score: 0, coverage: 0)].score += rarity * part
                hits[document]?.coverage += rarity
                hits[document]?.words += 1
            }
            for other in word.others {
                for (document, part) in parts(other) { hits[document]?.score += rarity * part * Self.besides }
            }
        }
        return hits.values.map { hit in
            let coverage = hit.coverage / whole
            return Hit(document: hit.document, score: hit.score * coverage, coverage: coverage, words: hit.words)
        }.sorted { ($1.score, $0.document) < ($0.score, $1.document) }
    }

    /// More for a word that few documents have: near the logarithm that is usual here. A word that none has may be anything.
    private func rarity(of word: String) -> Double {
        guard let count = places[word]?.count else { return 2.4 }
        return (Double(lengths.count + 1) / Double(count + 1)).squareRoot().squareRoot() - 0.9
    }

    /// How much a document is about a word, from 0 to 2.2: each further place of it counts less, and so does one in a long
    /// document.
    private func parts(_ word: String) -> [(document: Int, part: Double)] {
        let average = total / Double(max(lengths.count, 1))
        return (places[word] ?? []).map { document, count in
            let norm: Double = 0.6 + 0.6 * lengths[document] / average
            return (document, count * 2.2 / (count + norm))
        }
    }
}
