/// The candidate that `name` was probably meant to be, or `nil` when none is near.
///
/// Near means few insertions, deletions, substitutions and swaps of neighbours, letter case not counted: one for names
/// of up to four letters, about a third of the letters for longer ones. Of names that have as many words, such as `signIn`
/// and `signOut`, no word may differ in half of its letters. Of equally near candidates the first wins.
public func nearestName(_ name: String, among candidates: [String]) -> String? {
    let wanted = Array(name.lowercased().unicodeScalars)
    guard !wanted.isEmpty, wanted.count <= longestComparedName else { return nil }
    var best: (distance: Int, candidate: String)?
    for candidate in candidates {
        let letters = Array(candidate.lowercased().unicodeScalars)
        let longer = max(wanted.count, letters.count)
        guard longer <= longestComparedName, !letters.isEmpty else { continue }
        let limit = longer <= 4 ? 1 : (longer + 2) / 3
        guard abs(wanted.count - letters.count) <= limit else { continue }
        let distance = editDistance(wanted, letters)
        guard distance <= limit, distance < best?.distance ?? Int.max else { continue }
        if distance > 1, !haveLikeWords(name, candidate) { continue }
        best = (distance, candidate)
    }
    return best?.candidate
}

/// Whether a name is another one with a slip of the finger: at most two letters of at least five are wrong, missing, too
/// many or swapped. ``nearestName(_:among:)`` takes more for near, enough for a suggestion and too much for an error.
public func isSlip(_ name: String, of other: String) -> Bool {
    let a = Array(name.lowercased().unicodeScalars)
    let b = Array(other.lowercased().unicodeScalars)
    guard !a.isEmpty, !b.isEmpty, max(a.count, b.count) <= longestComparedName, a != b else { return false }
    let limit = max(a.count, b.count) < 5 ? 1 : 2
    return abs(a.count - b.count) <= limit && editDistance(a, b) <= limit
}

/// Names for a sentence: `a`, `a and b`, `a, b and c`; beyond `limit` names the rest are counted.
public func namesList(_ names: [String], limit: Int = 12) -> String {
    let limit = max(limit, 1)
    var shown = names.count > limit ? Array(names.prefix(limit)) : names
    if names.count > limit { shown.append("\(names.count - limit) more") }
    guard let last = shown.last, shown.count > 1 else { return shown.first ?? "" }
    return shown.dropLast().joined(separator: ", ") + " and " + last
}

/// Whether no word of one name differs in half of its letters from the word in its place in the other. Names of one word, and of
/// different numbers of words, are not compared so.
private func haveLikeWords(_ name: String, _ other: String) -> Bool {
    let (mine, others) = (words(of: name), words(of: other))
    guard mine.count == others.count, mine.count > 1 else { return true }
    return zip(mine, others).allSatisfy { 2 * editDistance($0, $1) < max($0.count, $1.count, 1) || $0 == $1 }
}

/// The words of a name, in small letters: a capital begins one, and so does what follows a mark.
private func words(of name: String) -> [[Unicode.Scalar]] {
    var words: [[Unicode.Scalar]] = []
    var isInside = false
    for character in name {
        guard character.isLetter || character.isNumber else {
            isInside = false
            continue
        }
        if !isInside || character.isUppercase { words.append([]) }
        isInside = true
        words[words.count - 1] += Array(character.lowercased().unicodeScalars)
    }
    return words
}

/// A longer name is a paste error, not a slip of the finger, and would cost quadratic time.
private let longestComparedName = 100

/// Optimal string alignment: Levenshtein's distance with swaps of neighbours.
private func editDistance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in 1...a.count {
        var row = [i]
        row.reserveCapacity(b.count + 1)
        for j in 1...b.count {
            let same = a[i - 1] == b[j - 1]
            var cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1))
            if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] { cost = min(cost, beforeLast[j - 2] + 1) }
            row.append(cost)
        }
        beforeLast = last
        last = row
    }
    return last[b.count]
}

/// Whether one letter too many, too few or another, or two swapped, is all that differs. For names that
/// are free to choose, where the intended name is further away. Names of three letters are all near one another.
public func isOneSlip(_ name: String, of other: String) -> Bool {
    var left = Array(name.lowercased().unicodeScalars)[...]
    var right = Array(other.lowercased().unicodeScalars)[...]
    guard left.count > 3 else { return false }
    while let first = left.first, first == right.first {
        left = left.dropFirst()
        right = right.dropFirst()
    }
    while let last = left.last, last == right.last {
        left = left.dropLast()
        right = right.dropLast()
    }
    if left.count == 2, right.count == 2 { return left.first == right.last && left.last == right.first }
    return left.count <= 1 && right.count <= 1
}
