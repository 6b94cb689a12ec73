import Exploration
import Foundation
import JSON
import JourneyLogs
import Journeys
import MockAuthority
import Synchronization
import Testing
import TrustFramework

@testable import AuthorityHosting

/// Whatever a journey does, the journey recorder's message says the same: steps, technical profiles, transformations and
/// claims of every turn on every way through the policies.
struct RecordedJourneyTests {
    /// Turns of a policy that are compared; later ones repeat what earlier ones have shown.
    private static let limits = ExplorationLimits(states: 200, moves: 600)

    @Test(arguments: ShippedPolicies.leaves)
    func `the log of a shipped policy has what its journey did`(_ file: String) throws {
        try Self.compare(try ShippedPolicies.link(file))
    }

    @Test(.enabled(if: Corpus.isThere), arguments: Corpus.starterPolicies)
    func `the log of a starter pack has what its journey did`(_ path: String) throws {
        try Self.compare(try CorpusChain(files: [path], base: Corpus.folder(ofFile: path)).link())
    }

    private static func compare(_ policy: ResolvedPolicy) throws {
        let passwords = HiddenTexts.passwordClaims(of: policy)
        var turns = 0
        var faults: [String] = []
        let lines = Mutex("")
        let recorder = JourneyRecorder { text in lines.withLock { $0 += text } }
        var written: [RecorderMessage] = []
        var waiting: [JourneyTurn] = []
        _ = try Explorer.explore(
            policy, tenant: "yourtenant", limits: limits,
            watch: { turn in
                turns += 1
                // A request is over when its calls are.
                var request = [turn]
                if case .finished = turn.event { request = waiting + request }
                if case .callout = turn.stop {
                    waiting = request
                    return
                }
                guard faults.count < 3 else { return }
                var hidden = HiddenTexts()
                for turn in request { hidden.note(turn, passwords: passwords) }
                let message = RecorderMessage(of: request, passwords: passwords, hiding: hidden)
                if let fault = difference(message, request, hidden) { faults.append(fault) }
                if written.count < mostWritten {
                    for turn in request { recorder.note([RecordedTurn(exchange: "\(turns)", turn: turn)]) }
                    written.append(message)
                }
            })
        #expect(turns > 0)
        #expect(faults == [])
        // A password of an earlier turn is hidden from the recorder, too.
        recorder.flush()
        let log = try RecorderLog(files: [(file: "journeys.jsonl", bytes: lines.withLock { Array($0.utf8) })])
        let read = log.entries.flatMap { log.session($0).requests }
        #expect(log.findings.map(\.description) == [])
        #expect(read.map { $0.message.clips.count } == written.map(\.clips.count))
        #expect(read.map { MessageTurn($0.message).steps } == written.map { MessageTurn($0).steps })
        #expect(read.map { MessageTurn($0.message).profiles } == written.map { MessageTurn($0).profiles })
    }

    /// Messages of a policy that go through a file.
    private static let mostWritten = 200

    /// What the message says differently from the turn.
    private static func difference(
        _ message: RecorderMessage, _ turns: [JourneyTurn], _ hidden: HiddenTexts
    ) -> String? {
        let text = JSONWriter.compact(message.json)
        guard let parsed = try? JSONParser.parse(text), RecorderMessage(parsed) == message else {
            return "the message is not read as it was written: \(text)"
        }
        let told = MessageTurn(message)
        let done = DoneTurn(turns, hidden)
        if told.steps != done.steps { return "steps \(told.steps) for \(done.steps) in \(text)" }
        if told.profiles != done.profiles { return "profiles \(told.profiles) for \(done.profiles) in \(text)" }
        if told.transformations != done.transformations {
            return "transformations \(told.transformations) for \(done.transformations) in \(text)"
        }
        if told.claims != done.claims { return "claims \(told.claims) for \(done.claims) in \(text)" }
        if told.hasFailed != done.hasFailed { return "failed \(told.hasFailed) for \(done.hasFailed) in \(text)" }
        for password in hidden.texts where password.count >= 8 && text.contains(password) {
            return "a password is in \(text)"
        }
        return nil
    }
}

/// What a message says of a turn, read from its clips alone.
private struct MessageTurn {
    var steps: [String] = []
    var profiles: [String] = []
    var transformations: [String] = []
    var claims = JSONObject()
    var hasFailed = false

    init(_ message: RecorderMessage) {
        var handler = ""
        var step = 0
        for clip in message.clips {
            switch clip {
            case .predicate(let name), .action(let name): handler = RecorderHandler.short(name)
            case .transition(let transition): hasFailed = hasFailed || transition.isFailure
            case .fatalException: hasFailed = true
            case .handlerResult(let result):
                if let claims = result.statebag?.claims { self.claims = claims }
                read(result, of: handler, step: &step)
            case .headers, .unknown: break
            }
        }
        transformations.sort()
    }

    private mutating func read(_ result: RecorderResult, of handler: String, step: inout Int) {
        let record = result.record ?? RecorderRecord()
        switch handler {
        case "OrchestrationManager": step = result.statebag?.step ?? 0
        case "ShouldOrchestrationStepBeInvokedHandler":
            if case .plain(.integer(let order))? = record.first("PreconditionList")?.entries.last?.value {
                steps.append("skips \(order)")
            } else if let disabled = record.first("EnabledForUserJourneysFalse") {
                for entry in disabled.entries where entry.key == "TechnicalProfileEnabled" {
                    profiles.append("skips \(entry.value["TechnicalProfile"]?.stringValue ?? "")")
                }
            } else {
                steps.append("runs \(step)")
            }
        case "SSOSessionHandler":
            profiles.append("skips \(result.statebag?["CTP"]?.split(separator: ":").first ?? "")")
        case "SelfAssertedMessageValidationHandler":
            for entry in record.first("Validation")?.entries ?? [] where entry.key == "ValidationTechnicalProfile" {
                readProfile(entry.value.entries)
            }
        case "SendDisplayControlActionResponseHandler":
            for value in result.record?.first("DisplayControlAction")?.elements ?? [] {
                if let record = RecorderRecord(reading: value) { readProfile(record.entries) }
            }
        default: break
        }
        for entry in record.entries {
            if entry.key == "GettingClaims", let exchange = entry.value.entries.first?.value {
                profiles.append("runs \(exchange["TechnicalProfileId"]?.stringValue ?? "")")
            }
            readTransformations(entry)
        }
    }

    private mutating func readProfile(_ entries: [RecorderRecord.Entry]) {
        guard case .plain(.string(let id))? = entries.first?.value else { return }
        profiles.append((entries.contains { $0.key == "TechnicalProfileEnabled" } ? "skips " : "runs ") + id)
        for entry in entries { readTransformations(entry) }
    }

    private mutating func readTransformations(_ entry: RecorderRecord.Entry) {
        guard entry.key.hasSuffix("ClaimsTransformation") else { return }
        for inner in entry.value.entries where inner.key == "ClaimsTransformation" {
            transformations.append(inner.value["Id"]?.stringValue ?? "")
        }
    }
}

extension RecorderRecord.Value {
    fileprivate var elements: [JSONValue] {
        guard case .plain(let value) = self else { return [] }
        return value.arrayValue ?? []
    }
}

extension RecorderRecord {
    /// A record within a list, which the model keeps as JSON.
    fileprivate init?(reading value: JSONValue) {
        let content: JSONValue = ["Kind": "HandlerResult", "Content": ["RecorderRecord": value]]
        guard case .handlerResult(let result) = RecorderClip(content), let record = result.record else { return nil }
        self = record
    }
}

/// What a turn did.
private struct DoneTurn {
    var steps: [String] = []
    var profiles: [String] = []
    var transformations: [String] = []
    var claims = JSONObject()
    var hasFailed = false

    init(_ turns: [JourneyTurn], _ hidden: HiddenTexts) {
        for turn in turns { add(turn) }
        transformations.sort()
        if let last = turns.last { end(last, hidden) }
    }

    private mutating func add(_ turn: JourneyTurn) {
        let policy = turn.call.policy
        var begun = turn.begun[...]
        for place in 0...turn.trace.count {
            while let next = begun.first, next.entries <= place {
                steps.append("runs \(policy[next.journey].steps[next.place].order)")
                begun = begun.dropFirst()
            }
            guard place < turn.trace.count else { break }
            switch turn.trace[place] {
            case .step(let step): if !step.ran { steps.append("skips \(step.step)") }
            case .profile(let trace):
                let isPage = policy.profile(trace.profile).map { policy[$0].handler.showsPage } ?? false
                if trace.skipped != nil {
                    profiles.append("skips \(trace.profile)")
                } else if !isPage || trace.validation {
                    profiles.append("runs \(trace.profile)")
                }
            case .transformation(let trace): transformations.append(trace.transformation)
            }
        }
    }

    private mutating func end(_ turn: JourneyTurn, _ hidden: HiddenTexts) {
        let policy = turn.call.policy
        let secret = HiddenTexts.passwordClaims(of: policy)
        for traced in turn.after.claims {
            let (claim, value) = (traced.claim, traced.value)
            let type = policy[claim]
            let json: JSONValue =
                value.text.map { .string(hidden.masked($0)) }
                ?? .array((value.listValue ?? []).map { .string(hidden.masked($0)) })
            claims[type.id] = secret.contains(claim) ? "***" : json
        }
        if case .failed = turn.stop { hasFailed = true }
    }
}

/// The policies under `scenarios`.
enum ShippedPolicies {
    private static let folder: URL = {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { root.deleteLastPathComponent() }
        return root.appendingPathComponent("scenarios/policies")
    }()

    private static let files: [(file: String, bytes: [UInt8])] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.sorted().filter { $0.hasSuffix(".xml") }.compactMap { name in
            (try? Data(contentsOf: folder.appendingPathComponent(name))).map { (name, [UInt8]($0)) }
        }
    }()

    /// Files that have a relying party, with the ids of their policies.
    private static let parties: [String: String] = {
        var parties: [String: String] = [:]
        for (file, bytes) in files {
            guard let document = try? PolicyReader.read(file: file, bytes: bytes), document.relyingParty != nil
            else { continue }
            parties[file] = document.policyID
        }
        return parties
    }()

    static let leaves = parties.keys.sorted()

    /// Values for `{Settings:NAME}`, from the file beside the policies.
    private static let settings: [String: String] = {
        guard let data = try? Data(contentsOf: folder.appendingPathComponent("appsettings.json")),
            let json = try? JSONParser.parse([UInt8](data))
        else { return [:] }
        let members = (json["Environments"]?.arrayValue ?? []).flatMap {
            $0["PolicySettings"]?.objectValue?.members ?? []
        }
        return Dictionary(members.map { ($0.key, $0.value.stringValue ?? "") }, uniquingKeysWith: { first, _ in first })
    }()

    /// A policy with those that it inherits from.
    static func link(_ file: String) throws -> ResolvedPolicy {
        let text = String(decoding: files.first { $0.file == file }?.bytes ?? [], as: UTF8.self)
        let settings = Set(text.matches(of: #/\{Settings:(\w+)\}/#).map { String($0.output.1) })
        let values = settings.sorted().map { (name: $0, value: Self.settings[$0] ?? "Sample") }
        var id = try #require(parties[file])
        for (name, value) in values { id = id.replacing("{Settings:\(name)}", with: value) }
        return try PolicyLibrary.link(policyID: id, among: files, settings: values)
    }
}

extension Corpus {
    /// The policies of the starter packs that have a relying party and, in their folder, all that they inherit from.
    static let starterPolicies = files.filter { path in
        guard path.hasPrefix("starterpack/"), case .success(let document) = documents[path] else { return false }
        return document.relyingParty != nil && CorpusChain(files: [path], base: folder(ofFile: path)).isComplete
    }

    /// The folder of a file.
    static func folder(ofFile path: String) -> String {
        path.split(separator: "/").dropLast().joined(separator: "/")
    }
}
