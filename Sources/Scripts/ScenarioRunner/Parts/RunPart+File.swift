import Determinism
import Diagnostics
import Exchanges
import JSON

/// The file of a part.
extension RunPart {
    /// Raised when a reader of this version could not read a newer file.
    private static let version: Int64 = 1

    // MARK: Writing

    /// The file's text, which ends in a line feed.
    public var text: String {
        var lines: [JSONObject] = []
        var head: JSONObject = [
            "b2cPart": .integer(Self.version), "tool": .string(tool), "index": .integer(Int64(index)),
            "count": .integer(Int64(count)), "suite": .string(suite), "total": .integer(Int64(total)),
            "seed": .string(String(report.seed)), "target": .string(report.target),
            "wall": .integer(wall.milliseconds), "hasTrace": .bool(hasTrace), "hasCoverage": .bool(coverage != nil),
        ]
        if report.drawsOrder { head["drawsOrder"] = true }
        if report.usesRealTime { head["usesRealTime"] = true }
        lines.append(head)
        for ((scenario, place), time) in zip(zip(report.scenarios, places), times) {
            var line = Self.json(scenario)
            line["place"] = .integer(Int64(place))
            line["wall"] = .integer(time.milliseconds)
            lines.append(line)
        }
        for file in coverage?.files ?? [] {
            lines.append(["coverage": .string(file.path), "items": .array(file.items.map(Self.json))])
        }
        lines.append(["end": .integer(Int64(lines.count))])
        return lines.map { JSONWriter.compact(.object($0)) + "\n" }.joined()
    }

    private static func json(_ scenario: ScenarioReport) -> JSONObject {
        var object: JSONObject = [
            "file": .string(scenario.file), "name": .string(scenario.name),
            "tags": .array(scenario.tags.map(JSONValue.string)), "status": .string(scenario.status.rawValue),
            "started": .integer(scenario.started.milliseconds), "elapsed": .integer(scenario.elapsed.milliseconds),
            "exchanges": .integer(Int64(scenario.exchanges)), "steps": .array(scenario.steps.map { .object(json($0)) }),
        ]
        object["case"] = scenario.caseName.map(JSONValue.string)
        object["reason"] = scenario.reason.map(JSONValue.string)
        if !scenario.log.isEmpty { object["log"] = .array(scenario.log) }
        return object
    }

    private static func json(_ step: StepReport) -> JSONObject {
        var object: JSONObject = [
            "title": .string(step.title), "verb": .string(step.verb), "location": .object(json(step.location)),
            "status": .string(step.status.rawValue), "at": .integer(step.at.milliseconds),
            "elapsed": .integer(step.elapsed.milliseconds),
        ]
        object["id"] = step.id.map(JSONValue.string)
        object["client"] = step.client.map(JSONValue.string)
        if !step.mismatches.isEmpty { object["mismatches"] = .array(step.mismatches.map { .object(json($0)) }) }
        if !step.problems.isEmpty { object["problems"] = .array(step.problems.map(JSONValue.string)) }
        object["outcome"] = step.outcome
        if !step.tellingExchanges.isEmpty { object["exchanges"] = .array(step.tellingExchanges) }
        if !step.steps.isEmpty { object["steps"] = .array(step.steps.map { .object(json($0)) }) }
        object["source"] = step.source.map { .object($0.json) }
        object["expectation"] = step.expectation.map { .object(json($0)) }
        return object
    }

    private static func json(_ location: SourceLocation) -> JSONObject {
        var object: JSONObject = ["file": .string(location.file), "length": .integer(Int64(location.length))]
        object["line"] = location.line.map { .integer(Int64($0)) }
        object["column"] = location.column.map { .integer(Int64($0)) }
        object["pointer"] = location.pointer.map(JSONValue.string)
        return object
    }

    private static func json(_ mismatch: Mismatch) -> JSONObject {
        var object: JSONObject = [
            "pointer": .string(mismatch.pointer.description), "text": .string(mismatch.text),
            "wanted": mismatch.wanted,
        ]
        object["found"] = mismatch.found
        object["note"] = mismatch.note.map { .string($0) }
        object["record"] = mismatch.record.map { .integer(Int64($0)) }
        if mismatch.isInapplicable { object["isInapplicable"] = true }
        return object
    }

    private static func json(_ item: CoverageReport.Item) -> JSONValue {
        var object: JSONObject = [
            "kind": .string(item.kind.rawValue), "id": .string(item.id), "line": .integer(Int64(item.line)),
            "hits": .integer(Int64(item.hits)),
        ]
        if let branches = item.branches {
            object["skipped"] = .integer(Int64(branches.skipped))
            object["passed"] = .integer(Int64(branches.passed))
        }
        return .object(object)
    }

    // MARK: Shards that did not begin

    /// The file of a shard that did not begin, with what kept it from that.
    package static func text(notRunBecauseOf findings: [Diagnostic]) -> String {
        let findings = findings.map { finding -> JSONValue in
            var object: JSONObject = [
                "severity": .string(finding.severity.rawValue), "rule": .string(finding.rule),
                "message": .string(finding.message),
            ]
            object["remedy"] = finding.remedy.map { .string($0) }
            object["location"] = finding.location.map { .object(json($0)) }
            return .object(object)
        }
        return JSONWriter.compact(["b2cPart": .integer(version), "findings": .array(findings)]) + "\n"
    }

    /// What kept a shard from beginning; `nil`: it ran.
    package static func findings(in bytes: [UInt8]) -> [Diagnostic]? {
        let lines = bytes.split(separator: UInt8(ascii: "\n"))
        guard let head = lines.first.flatMap(object), head["b2cPart"]?.intValue == version else { return nil }
        return head["findings"]?.arrayValue?.compactMap { value in
            guard let rule = value["rule"]?.stringValue, let message = value["message"]?.stringValue else { return nil }
            return Diagnostic(
                value["severity"]?.stringValue.flatMap(Severity.init) ?? .error, rule: rule, message,
                remedy: value["remedy"]?.stringValue,
                at: value["location"]?.objectValue.flatMap(PartReader.location))
        }
    }

    // MARK: Reading

    /// Reads the file of a part.
    ///
    /// - Throws: ``Problem`` that names the file and says what is wrong with it: not a part, cut off, of another format.
    public init(_ bytes: [UInt8], file: String) throws(Problem) {
        let lines = bytes.split(separator: UInt8(ascii: "\n"))
        guard let first = lines.first, let head = Self.object(first), let version = head["b2cPart"]?.intValue else {
            throw Problem("\(file) is not a part: `b2c run --shard 1/5 --part FILE` writes one")
        }
        guard version == Self.version else {
            throw Problem(
                "\(file) has the format \(version), and this b2c reads \(Self.version): use one version everywhere")
        }
        let damaged = Problem("\(file) is not as b2c wrote it: run that shard again")
        guard bytes.last == UInt8(ascii: "\n"), let last = Self.object(lines[lines.count - 1]),
            let end = last["end"]?.intValue
        else { throw Problem("\(file) was cut off: its last line is missing; run that shard again") }
        guard end == Int64(lines.count - 1), let reader = PartReader(head), reader.index >= 1,
            reader.count >= reader.index,
            (0...10_000_000).contains(reader.total)
        else { throw damaged }
        tool = reader.tool
        index = reader.index
        count = reader.count
        suite = reader.suite
        total = reader.total
        wall = TimeSpan(milliseconds: reader.wall)
        hasTrace = reader.hasTrace
        places = []
        times = []
        var scenarios: [ScenarioReport] = []
        var files: [CoverageReport.File] = []
        for line in lines.dropFirst().dropLast() {
            guard let object = Self.object(line) else { throw damaged }
            if let path = object["coverage"]?.stringValue {
                guard let items = object["items"]?.arrayValue?.map(PartReader.item),
                    !items.contains(where: { $0 == nil })
                else { throw damaged }
                files.append(CoverageReport.File(path: path, items: items.compactMap { $0 }))
                continue
            }
            guard let scenario = PartReader.scenario(object),
                let place = object["place"]?.intValue.flatMap(Int.init(exactly:)),
                place >= 0, place < reader.total, let time = object["wall"]?.intValue
            else { throw damaged }
            scenarios.append(scenario)
            places.append(place)
            times.append(TimeSpan(milliseconds: time))
        }
        report = RunReport(
            seed: reader.seed, target: reader.target, scenarios: scenarios, drawsOrder: reader.drawsOrder,
            usesRealTime: reader.usesRealTime)
        coverage = reader.hasCoverage ? CoverageReport(files: files) : nil
    }

    private static func object(_ line: ArraySlice<UInt8>) -> JSONObject? {
        try? JSONParser.parse(Array(line)).objectValue
    }
}

/// Reads the lines of a part; `nil` is what b2c did not write.
private struct PartReader {
    var tool: String
    var index: Int
    var count: Int
    var suite: String
    var total: Int
    var seed: UInt64
    var target: String
    var wall: Int64
    var hasTrace: Bool
    var hasCoverage: Bool
    var drawsOrder: Bool
    var usesRealTime: Bool

    init?(_ head: JSONObject) {
        guard let tool = head["tool"]?.stringValue, let index = Self.int(head["index"]),
            let count = Self.int(head["count"]), let suite = head["suite"]?.stringValue,
            let total = Self.int(head["total"]), let seed = head["seed"]?.stringValue.flatMap({ UInt64($0) }),
            let target = head["target"]?.stringValue, let wall = head["wall"]?.intValue,
            let hasTrace = head["hasTrace"]?.boolValue, let hasCoverage = head["hasCoverage"]?.boolValue
        else { return nil }
        self.tool = tool
        self.index = index
        self.count = count
        self.suite = suite
        self.total = total
        self.seed = seed
        self.target = target
        self.wall = wall
        self.hasTrace = hasTrace
        self.hasCoverage = hasCoverage
        drawsOrder = head["drawsOrder"]?.boolValue ?? false
        usesRealTime = head["usesRealTime"]?.boolValue ?? false
    }

    private static func int(_ value: JSONValue?) -> Int? { value?.intValue.flatMap { Int(exactly: $0) } }

    private static func strings(_ value: JSONValue?) -> [String]? {
        guard let value else { return [] }
        guard let array = value.arrayValue else { return nil }
        let texts = array.compactMap(\.stringValue)
        return texts.count == array.count ? texts : nil
    }

    /// An absent list is empty; `nil`: one of its values is not readable.
    private static func list<Element>(_ value: JSONValue?, _ read: (JSONObject) -> Element?) -> [Element]? {
        guard let value else { return [] }
        guard let array = value.arrayValue else { return nil }
        let elements = array.compactMap { $0.objectValue.flatMap(read) }
        return elements.count == array.count ? elements : nil
    }

    static func scenario(_ object: JSONObject) -> ScenarioReport? {
        guard let file = object["file"]?.stringValue, let name = object["name"]?.stringValue,
            let tags = strings(object["tags"]), let status = object["status"]?.stringValue.flatMap(RunStatus.init),
            let started = object["started"]?.intValue, let elapsed = object["elapsed"]?.intValue,
            let exchanges = int(object["exchanges"]), let steps = list(object["steps"], step)
        else { return nil }
        return ScenarioReport(
            file: file, name: name, caseName: object["case"]?.stringValue, tags: tags, status: status,
            reason: object["reason"]?.stringValue, steps: steps, started: Timestamp(milliseconds: started),
            elapsed: TimeSpan(milliseconds: elapsed), exchanges: exchanges, log: object["log"]?.arrayValue ?? [])
    }

    private static func step(_ object: JSONObject) -> StepReport? {
        guard let title = object["title"]?.stringValue, let verb = object["verb"]?.stringValue,
            let location = object["location"]?.objectValue.flatMap(location),
            let status = object["status"]?.stringValue.flatMap(RunStatus.init), let at = object["at"]?.intValue,
            let elapsed = object["elapsed"]?.intValue, let mismatches = list(object["mismatches"], mismatch),
            let problems = strings(object["problems"]), let steps = list(object["steps"], step)
        else { return nil }
        return StepReport(
            id: object["id"]?.stringValue, title: title, verb: verb, location: location,
            client: object["client"]?.stringValue, status: status, mismatches: mismatches, problems: problems,
            at: Timestamp(milliseconds: at), elapsed: TimeSpan(milliseconds: elapsed), outcome: object["outcome"],
            tellingExchanges: object["exchanges"]?.arrayValue ?? [], steps: steps,
            source: object["source"]?.objectValue.flatMap { SourceExcerpt(json: $0) },
            expectation: object["expectation"]?.objectValue.flatMap { Self.location($0) })
    }

    static func location(_ object: JSONObject) -> SourceLocation? {
        guard let file = object["file"]?.stringValue, let length = int(object["length"]) else { return nil }
        return SourceLocation(
            file: file, line: int(object["line"]), column: int(object["column"]), length: length,
            pointer: object["pointer"]?.stringValue)
    }

    private static func mismatch(_ object: JSONObject) -> Mismatch? {
        guard let pointer = object["pointer"]?.stringValue.flatMap({ JSONPointer($0) }),
            let text = object["text"]?.stringValue, let wanted = object["wanted"]
        else { return nil }
        return Mismatch(
            pointer: pointer, wanted: wanted, found: object["found"], text: text, note: object["note"]?.stringValue,
            record: int(object["record"]), isInapplicable: object["isInapplicable"]?.boolValue ?? false)
    }

    static func item(_ value: JSONValue) -> CoverageReport.Item? {
        guard let object = value.objectValue, let id = object["id"]?.stringValue, let line = int(object["line"]),
            let kind = object["kind"]?.stringValue.flatMap(CoverageReport.Kind.init), let hits = int(object["hits"])
        else { return nil }
        var branches: CoverageReport.Branches?
        if let skipped = int(object["skipped"]), let passed = int(object["passed"]) {
            branches = CoverageReport.Branches(skipped: skipped, passed: passed)
        }
        return CoverageReport.Item(kind: kind, id: id, line: line, hits: hits, branches: branches)
    }
}
