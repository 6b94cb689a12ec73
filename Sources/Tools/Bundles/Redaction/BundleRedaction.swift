import Diagnostics
import JSON

/// Takes the secrets that somebody wrote into scripts, tenant files and policies out of a bundle: each is replaced by a
/// stand-in, the same one everywhere. Whether the run is still the same only the run can say; see ``difference(_:_:)``.
public struct BundleRedaction: Sendable {
    /// How much is replaced.
    public enum Reach: Sendable {
        /// Every secret, everywhere.
        case everywhere
        /// Those that are words like any other only where a secret is expected.
        case wordsAtTheirPlaces
    }

    /// What was found, in the order of the files.
    public let secrets: [WrittenSecret]
    private let bundle: ReproductionBundle
    private let standIns: [String]
    private let spots: [String: [Int: [SecretFinder.Spot]]]
    private let textSpots: [String: [SecretFinder.Spot]]
    private let strings: [String: [JSONString]]

    /// Looks for secrets.
    ///
    /// - Parameters:
    ///   - bundle: the bundle as the run made it.
    ///   - redactsPeople: Takes people's addresses, names and numbers for secrets too.
    /// - Throws: ``BundleProblem`` where no stand-in differs from what it stands for.
    public init(_ bundle: ReproductionBundle, redactsPeople: Bool = false) throws(BundleProblem) {
        self.bundle = bundle
        var finder = SecretFinder(bundle.files, findsPeople: redactsPeople)
        for value in bundle.variables { finder.look(atValue: value.value, named: value.name, of: "--variable") }
        for value in bundle.environment { finder.look(atValue: value.value, named: value.name, of: "environment") }
        guard let standIns = StandInMaker.standIns(of: finder.secrets, seed: bundle.seed) else {
            throw BundleProblem("there is nothing that could stand for \(namesList(finder.secrets.map(\.place)))")
        }
        secrets = finder.secrets
        self.standIns = standIns
        spots = finder.spots
        textSpots = finder.textSpots
        strings = finder.strings
    }

    /// The secrets that are words like any other.
    public var words: [WrittenSecret] { secrets.filter(\.isWord) }

    // MARK: Replacing

    /// The bundle with stand-ins. Report and trace are those of the first run: what is written is that of a run of this.
    ///
    /// - Parameter only: replaces this secret alone.
    public func redacted(_ reach: Reach = .everywhere, only: WrittenSecret? = nil) -> ReproductionBundle {
        let chosen = zip(secrets, standIns).filter { only == nil || $0.0 == only }
            .map { StandInMask.Pair(secret: $0.0, standIn: $0.1) }
        let wide = StandInMask(chosen.filter { reach == .everywhere || !$0.secret.isWord })
        // The name of a member is the name of something.
        let names = StandInMask(chosen.filter { !$0.secret.isOrdinary && !$0.secret.isShort })
        let byValue = Dictionary(chosen.map { ($0.secret.value, $0.standIn) }) { first, _ in first }
        var result = bundle
        for (index, file) in bundle.files.enumerated() {
            result.files[index].bytes = redacted(file, wide, names, byValue)
        }
        func given(_ values: [ReproductionBundle.Named]) -> [ReproductionBundle.Named] {
            values.map { ReproductionBundle.Named($0.name, byValue[$0.value] ?? wide.replaced($0.value)) }
        }
        result.variables = given(bundle.variables)
        result.environment = given(bundle.environment)
        result.replaced = chosen.map { $0.secret.place }
        return result
    }

    private func redacted(
        _ file: ReproductionBundle.File, _ wide: StandInMask, _ names: StandInMask, _ byValue: [String: String]
    ) -> [UInt8] {
        guard let strings = strings[file.path] else {
            var bytes = file.bytes
            for spot in textSpots[file.path] ?? [] { Self.put(spot, in: &bytes, byValue) }
            _ = wide.replace(&bytes)
            return bytes
        }
        let spots = spots[file.path] ?? [:]
        return JSONStrings.rewritten(file.bytes, strings) { index, string in
            if string.isKey { return names.replaced(string.text) }
            guard let here = spots[index] else { return wide.replaced(string.text) }
            var bytes = Array(string.text.utf8)
            for spot in here { Self.put(spot, in: &bytes, byValue) }
            _ = wide.replace(&bytes)
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    private static func put(_ spot: SecretFinder.Spot, in bytes: inout [UInt8], _ byValue: [String: String]) {
        guard let standIn = byValue[spot.value], spot.range.upperBound <= bytes.count, !spot.range.isEmpty else {
            return
        }
        if spot.isBasic {
            let text = String(decoding: bytes[spot.range], as: UTF8.self)
            guard let new = BasicAuthentication.changed(text, password: spot.value, to: standIn) else { return }
            bytes.replaceSubrange(spot.range, with: new.utf8)
        } else if bytes[spot.range].elementsEqual(spot.value.utf8), standIn.utf8.count == spot.range.count {
            bytes.replaceSubrange(spot.range, with: standIn.utf8)
        }
    }

    // MARK: Comparing

    /// Where the run of a redacted bundle differs from the first one in more than the stand-ins; `nil`: nowhere.
    ///
    /// - Parameters:
    ///   - report: the JSON report of that run, without secrets.
    ///   - trace: its JSON report with all outcomes, without secrets.
    public func difference(report: [UInt8], trace: [UInt8]) -> String? {
        // Reports mask most secrets themselves, so that both are mostly the same.
        guard report != bundle.report || trace != bundle.trace else { return nil }
        let mask = StandInMask(zip(secrets, standIns).map { StandInMask.Pair(secret: $0, standIn: $1) })
        func settled(_ bytes: [UInt8]) -> [UInt8] {
            guard let strings = JSONStrings.all(of: bytes) else { return bytes }
            return JSONStrings.rewritten(bytes, strings) { mask.replaced($1.text) }
        }
        var first = bundle
        func compared(_ then: [UInt8], _ now: [UInt8]) -> (then: [UInt8], now: [UInt8]) {
            guard let old = try? JSONParser.parse(settled(then)), let new = try? JSONParser.parse(settled(now)) else {
                return (then, now)
            }
            return (JSONWriter.compactBytes(old), JSONWriter.compactBytes(Self.aligned(new, to: old)))
        }
        let reports = compared(bundle.report, report)
        let traces = compared(bundle.trace, trace)
        first.report = reports.then
        first.trace = traces.then
        return first.difference(report: reports.now, trace: traces.now)
    }

    /// A document with the hashes and signatures of another, where it has some of the same length: they follow from what
    /// was replaced, as `at_hash` does from a token with another name in it.
    private static func aligned(_ new: JSONValue, to old: JSONValue) -> JSONValue {
        switch (new, old) {
        case (.object(let object), .object(let other)):
            return .object(
                JSONObject(
                    object.members.map { key, value in (key, other[key].map { aligned(value, to: $0) } ?? value) }))
        case (.array(let elements), .array(let others)) where elements.count == others.count:
            return .array(zip(elements, others).map { aligned($0, to: $1) })
        case (.string(let text), .string(let other)) where text.utf8.count == other.utf8.count:
            return isDerived(text) && isDerived(other) ? old : new
        default:
            return new
        }
    }

    private static func isDerived(_ text: String) -> Bool {
        text.utf8.count >= 22 && text.utf8.allSatisfy { StandInMask.isBase64($0) || $0 == UInt8(ascii: "=") }
    }

    /// Where a secret is in a bundle all the same, and which; `nil`: nowhere. Words that were replaced only at their
    /// places are not looked for.
    public func leak(in redacted: ReproductionBundle, _ reach: Reach) -> (place: String, secret: WrittenSecret)? {
        let sought = secrets.filter { !$0.isShort && (reach == .everywhere || !$0.isWord) }
        let all = Sought(sought)
        let texts =
            redacted.files.map { ("the file \($0.path)", $0.bytes) }
            + (redacted.variables + redacted.environment).map { ($0.name, Array($0.value.utf8)) }
            + [(BundleEntry.report, redacted.report), (BundleEntry.trace, redacted.trace)]
        for (place, bytes) in texts where all.stand(in: bytes) {
            for secret in sought where Sought([secret]).stand(in: bytes) { return (place, secret) }
        }
        return nil
    }

    /// Secrets that must not be in a file.
    private struct Sought {
        private let everywhere: StandInMask
        /// For names of members, which may be ordinary words.
        private let inNames: StandInMask

        init(_ secrets: [WrittenSecret]) {
            func mask(_ secrets: [WrittenSecret]) -> StandInMask {
                StandInMask(secrets.map { StandInMask.Pair(secret: $0, standIn: $0.value) })
            }
            everywhere = mask(secrets)
            inNames = mask(secrets.filter { !$0.isOrdinary })
        }

        func stand(in bytes: [UInt8]) -> Bool {
            guard !everywhere.isEmpty else { return false }
            var bytes = bytes
            guard let strings = JSONStrings.all(of: bytes) else { return everywhere.replace(&bytes) }
            return strings.contains { string in
                var text = Array(string.text.utf8)
                return (string.isKey ? inNames : everywhere).replace(&text)
            }
        }
    }
}
