import Capture
import CommandKit
import Diagnostics
import Exchanges
import JSON
import Reports
import ScenarioRunner
import Scenarios
import TrustFramework
import Verbs

/// Plays what is made of a capture before it is written. Captures lack this and that, and a guess may not hold: a step that
/// fails is written again with less, and what fails all the same is said.
package struct ImportRehearsal {
    package let reading: CaptureImport.Reading
    package var options: CaptureImport.Options
    /// What the capture does not have, for the tenant file.
    var supplement = LogSupplement()
    /// The folder that the files will be in: paths of policy files start from there.
    package var folder = "."
    private let shelf = PolicyShelf(files: .disk)

    package init(_ reading: CaptureImport.Reading, _ options: CaptureImport.Options) {
        self.reading = reading
        self.options = options
    }

    /// The files as they are to be written. ``options`` then says what was written with less.
    ///
    /// - Parameter rounds: Counts how often the script was played.
    /// - Throws: ``InvalidInput`` where nothing can be made of the capture.
    package mutating func files(rounds: inout Int) async throws(InvalidInput) -> CaptureImport.Files {
        var files = supplement.files(try reading.files(options))
        var repeated: (shape: String, rounds: Int) = ("", 0)
        // Each round takes something out of a script that is no longer than this, so there is an end.
        for _ in 0...(100 * files.steps.count) {
            rounds += 1
            let failures = await failures(of: files)
            guard let failure = failures.first else { return files }
            guard let remedy = Self.remedy(for: failure, in: files, options) else {
                options.notes.append("The script does not pass as it stands: \(failure.why)")
                return supplement.files(try reading.files(options))
            }
            // What fails later for the same reason is written with less at once: a round for each of them takes quadratic
            // time. What fails otherwise may only follow from the first, unless the first was played to its end: what a
            // step expects changes nothing that comes after it.
            var less = options
            less.attempts[remedy.origin] = remedy.attempt
            var done: Set = [remedy.origin]
            var isExpectation = remedy.isExpectation
            let shape = failure.shape
            repeated = (shape, shape == repeated.shape ? repeated.rounds + 1 : 1)
            // What does not go away with the first again and again did not follow from it: twice as many go with each round.
            var trusted = repeated.rounds > Self.mostSingly ? 1 << min(repeated.rounds - Self.mostSingly, 30) : 0
            for later in failures.dropFirst() where !(files.origin(of: later.step).map(done.contains) ?? false) {
                var isAlike = later.shape == shape
                if isAlike, Self.mayFollow(later, in: files) {
                    isAlike = trusted > 0
                    trusted -= 1
                }
                guard isAlike || isExpectation, let remedy = Self.remedy(for: later, in: files, less) else { continue }
                if !remedy.isExpectation { isExpectation = false }
                guard isAlike || remedy.isExpectation else { continue }
                done.insert(remedy.origin)
                less.attempts[remedy.origin] = remedy.attempt
            }
            guard let fewer = try? reading.files(less), !fewer.steps.isEmpty else {
                options.notes.append("The script does not pass as it stands: \(failure.why)")
                return supplement.files(try reading.files(options))
            }
            options = less
            files = supplement.files(fewer)
        }
        return files
    }

    /// How much of a sign-in is written.
    func fidelity(_ signIn: CaptureImport.CapturedSignIn) -> Fidelity {
        options.attempts[signIn.origin]?.fidelity ?? .asCaptured
    }

    /// A step that failed.
    private struct FailedStep {
        var step: Int?
        var why: String
        /// The step, in words.
        var title: String
        /// The expectations that did not hold, where the step could be played.
        var mismatches: [Mismatch] = []
        /// Whether its call was left open, at a page that the capture does not have.
        var isOpen = false

        /// The reason without numbers, ids and quoted values: the same guess fails alike wherever it was made.
        var shape: String {
            let words = why.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
            return words.filter { $0.offset.isMultiple(of: 2) }.flatMap { $0.element.split(separator: " ") }
                .filter { !$0.contains(where: \.isNumber) }.joined(separator: " ")
        }
    }

    /// Whether a page may have shown only because an earlier sign-in failed and left the browser without a session. Where a
    /// person acts, the app asks for a new sign-in, or the script itself takes the session away, the page shows all the same.
    private static func mayFollow(_ failure: FailedStep, in files: CaptureImport.Files) -> Bool {
        guard failure.isOpen, let index = failure.step, files.draft.steps.indices.contains(index) else { return false }
        let step = files.draft.steps[index]
        let isWiped =
            index > 0 && files.draft.steps[index - 1].call(Restart.self)?.wipe?.contains(.cookies) ?? false
        return step.user == nil && step.call(AcquireToken.self)?.prompt != .login && !isWiped
    }

    /// How something of the capture is written with less.
    private struct Remedy {
        /// Its number in ``CaptureImport/Files/origins``.
        var origin: Int
        var attempt: CaptureImport.Attempt
        /// Whether only what its step expects changes.
        var isExpectation: Bool
    }

    /// How to write the script with less; `nil` where there is no less.
    private static func remedy(
        for failure: FailedStep, in files: CaptureImport.Files, _ options: CaptureImport.Options
    ) -> Remedy? {
        guard let index = failure.step, files.origins.indices.contains(index) else { return nil }
        let origin = files.origins[index]
        let step = files.draft.steps[index]
        var attempt = options.attempts[origin] ?? CaptureImport.Attempt()
        // A step before the thing itself, such as a sign-in that it needs, has nothing to take out.
        let isItself = index + 1 == files.origins.count || files.origins[index + 1] != origin
        let unmet =
            isItself && (step.verb != .acquireToken || attempt.fidelity >= .endOnly) ? unmet(failure, in: step) : []
        if !unmet.isEmpty {
            attempt.unmet += unmet
        } else if !attempt.reduce(because: failure.why) {
            return nil
        }
        return Remedy(
            origin: origin, attempt: attempt,
            isExpectation: !unmet.isEmpty && unmet.allSatisfy { $0.pointer.tokens.first == "expect" })
    }

    /// What in a step does not hold: the expectations, or the rules where the step was not played to its end. Empty where how
    /// the step ends does not hold.
    private static func unmet(_ failure: FailedStep, in step: Step) -> [CaptureImport.Unmet] {
        guard let first = failure.mismatches.first else {
            return step.faults == nil
                ? [] : [CaptureImport.Unmet(pointer: JSONPointer(tokens: ["faults"]), why: failure.why)]
        }
        let missing = failure.mismatches.filter { $0.pointer.tokens == ["requests"] }
        let together = missing.count > mostSingly ? missingRequests(missing, failure, in: step) : []
        guard together.isEmpty else { return together }
        guard let place = place(of: first, in: step) else { return [] }
        var unmet = [CaptureImport.Unmet(pointer: place, why: failure.why)]
        // The element of a list is removed alone: the places of those behind it change. Requests come in an order, so where
        // one is missing others may seem to be.
        for mismatch in failure.mismatches.dropFirst() {
            guard !isElement(place), let other = Self.place(of: mismatch, in: step), !isElement(other),
                other.tokens[1] != "requests" || !unmet.contains(where: { $0.pointer.tokens[1] == "requests" }),
                !unmet.contains(where: { other.tokens.starts(with: $0.pointer.tokens) })
            else { continue }
            unmet.append(CaptureImport.Unmet(pointer: other, why: failure.title + short(mismatch.text)))
        }
        return unmet
    }

    /// So many things of one kind are taken out one after the other, with a round each. Of more, as where a session is in the
    /// capture again and again, many go at once.
    private static let mostSingly = 16

    /// The elements of requests that did not come, the last one first: the places of those before it stay.
    private static func missingRequests(
        _ missing: [Mismatch], _ failure: FailedStep, in step: Step
    ) -> [CaptureImport.Unmet] {
        let elements = step.expect?["requests"]?.arrayValue ?? []
        var unmet: [CaptureImport.Unmet] = []
        var end = elements.count
        for mismatch in missing.reversed() {
            // Of equal elements the last ones are missing.
            guard let index = elements[..<end].lastIndex(of: mismatch.wanted) else { continue }
            end = index
            unmet.append(
                CaptureImport.Unmet(
                    pointer: JSONPointer(tokens: ["expect", "requests", String(index)]),
                    why: failure.title + short(mismatch.text)))
        }
        return unmet
    }

    private static func isElement(_ place: JSONPointer) -> Bool { place.tokens.last.flatMap { Int($0) } != nil }

    /// The place of an expectation that did not hold; `nil` for how the step ends.
    private static func place(of mismatch: Mismatch, in step: Step) -> JSONPointer? {
        let expected = step.expect ?? .null
        if mismatch.pointer.tokens == ["requests"], let elements = expected["requests"]?.arrayValue,
            let index = elements.firstIndex(of: mismatch.wanted)
        {
            // Of a request that came otherwise the rest still holds.
            let inner = mismatch.found.flatMap { Matcher.mismatches($0, expected: elements[index]).first }
            let path = inner.map { deepest(elements[index], $0.pointer.tokens) } ?? []
            return JSONPointer(
                tokens: ["expect", "requests", String(index)] + (path == ["endpoint"] || path.isEmpty ? [] : path))
        }
        var path = deepest(expected, mismatch.pointer.tokens)
        // A list without one of its elements does not hold either.
        if path.first != "requests",
            expected.value(at: JSONPointer(tokens: Array(path.dropLast())))?.arrayValue != nil
        {
            path.removeLast()
        }
        // How a step ends is what it is about.
        guard let name = path.first, path.count > 1 || !["result", "error", "pending"].contains(name) else {
            return nil
        }
        return JSONPointer(tokens: ["expect"] + path)
    }

    /// As much of a path as a value has.
    private static func deepest(_ value: JSONValue, _ tokens: [String]) -> [String] {
        var path: [String] = []
        var value = value
        for token in tokens {
            guard let next = value.value(at: JSONPointer(tokens: [token])) else { break }
            path.append(token)
            value = next
        }
        return path
    }

    /// The steps that fail, each with why; none: the script passes. The check of the files reports what cannot be read.
    private func failures(of files: CaptureImport.Files) async -> [FailedStep] {
        guard let played = await play(files, seed: 1), !played.status.isGood else { return [] }
        let failures = played.steps.indices.filter { played.steps[$0].status == .failed }.map {
            Self.failure(played, $0)
        }
        return failures.isEmpty
            ? [FailedStep(step: nil, why: played.reason ?? "it ended as \(played.status.rawValue)", title: "")]
            : failures
    }

    /// Runs the script as it will be in its folder; `nil` where it cannot be read.
    package func play(_ files: CaptureImport.Files, seed: UInt64, keepsOutcomes: Bool = false) async -> ScenarioReport?
    {
        let path = FilePath.join(folder, "\(files.name).json")
        let tenant = FilePath.join(folder, files.tenantPath)
        let bytes = Array(JSONWriter.pretty(.object(files.tenant)).utf8)
        let read: @Sendable (String) -> [UInt8]? = { $0 == tenant ? bytes : try? FileSystem.read($0) }
        let tenants = TenantLibrary(files: read, policies: shelf)
        guard let scenario = try? files.draft.scenario(file: path, tenants: tenants) else { return nil }
        var run = RunOptions(seed: seed, keepOutcomes: keepsOutcomes, readFile: read, policies: shelf)
        run.goesOnAfterFailures = true
        return Redaction().redacted(await Runner.run(scenario, options: run)).scenarios.first
    }

    private static func failure(_ played: ScenarioReport, _ index: Int) -> FailedStep {
        let step = played.steps[index]
        let failed = step.failedStep ?? step
        let why = failed.problems.first ?? failed.mismatches.first?.text ?? "it failed"
        let title = "step \(index + 1), \(step.title): "
        // The folder says whose machine it was, and notes are in the script.
        let file = step.location.file
        let said = file.isEmpty ? why : why.replacing(file, with: FilePath.name(file))
        return FailedStep(
            // What belongs to no step, such as a tenant that cannot run, is not better with less of a step.
            step: step.verb == "scenario" ? nil : index,
            why: title + Self.short(said), title: title,
            mismatches: failed.problems.isEmpty ? failed.mismatches : [],
            isOpen: failed.outcome?["pending"] != nil)
    }

    /// One line of a reason; the whole of it is what a run shows.
    private static func short(_ text: String) -> String {
        let line = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? text
        return line.count > 240 ? line.prefix(240) + "..." : line
    }
}

extension CaptureImport.Files {
    /// What a step was made of; `nil` where there is no such step.
    fileprivate func origin(of step: Int?) -> Int? {
        step.flatMap { origins.indices.contains($0) ? origins[$0] : nil }
    }
}
