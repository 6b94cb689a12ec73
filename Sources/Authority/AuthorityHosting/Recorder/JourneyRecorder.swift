import Determinism
import JSON
import JourneyLogs
import Journeys
import MockAuthority
import Synchronization
import TrustFramework

/// Writes what the journey recorder of the service writes to Application Insights, for the journeys of custom policies.
///
/// A host hands over the turns of journeys while it decides, which costs next to nothing; they become rows when somebody
/// has time for it, outside of the host's lock. User flows are not recorded, as in the service.
public final class JourneyRecorder: Sendable {
    fileprivate struct State {
        var waiting: [RecordedTurn] = []
        /// Turns of exchanges that wait for a call.
        var unfinished: [String: [JourneyTurn]] = [:]
        /// What journeys under way have seen of passwords, oldest first.
        var hidden: [(id: GUID, texts: Set<String>)] = []
        /// The claim types that hold passwords, by policy.
        var passwords: [String: Set<ClaimTypeHandle>] = [:]
        /// How many rows were made.
        var made = 0
        var last = RecorderTime(Timestamp(milliseconds: 0))
    }

    /// The name of the machine that writes, `cloud_RoleInstance`.
    static let roleInstance = "b2c-mock-0"
    /// Passwords of so many journeys are known at a time.
    fileprivate static let mostJourneys = 10_000

    private let state = Mutex(State())
    private let write: @Sendable (String) -> Void

    /// - Parameter write: Takes the rows of a request as lines of JSON, each with its end.
    public init(write: @escaping @Sendable (String) -> Void) { self.write = write }

    /// Forgets everything: the world begins again.
    public func reset() { state.withLock { $0 = State() } }

    /// Takes turns in the order of decisions.
    func note(_ turns: [RecordedTurn]) { state.withLock { $0.waiting += turns } }

    /// Makes rows of the turns so far.
    func flush() {
        state.withLock { state in
            guard !state.waiting.isEmpty else { return }
            var turns: [RecordedTurn] = []
            swap(&turns, &state.waiting)
            var lines = ""
            for recorded in turns {
                let earlier = state.unfinished.removeValue(forKey: recorded.exchange) ?? []
                guard !recorded.waitsForCall else {
                    state.unfinished[recorded.exchange] = earlier + [recorded.turn]
                    continue
                }
                for row in state.record(earlier + [recorded.turn]) {
                    lines += JSONWriter.compact(.object(row.line)) + "\n"
                }
            }
            // Under the lock, so that rows are in the file in the order in which they were made.
            if !lines.isEmpty { write(lines) }
        }
    }
}

extension JourneyRecorder.State {
    /// The rows of a request.
    fileprivate mutating func record(_ turns: [JourneyTurn]) -> [RecorderRow] {
        guard let last = turns.last else { return [] }
        let policy = last.call.policy
        let facts = last.call.request
        let claims = passwords[policy.fingerprint] ?? HiddenTexts.passwordClaims(of: policy)
        passwords[policy.fingerprint] = claims
        let place = hidden.firstIndex { $0.id == facts.correlationID }
        var texts = HiddenTexts(place.map { hidden[$0].texts } ?? [])
        for turn in turns { texts.note(turn, passwords: claims) }
        remember(texts.texts, of: facts.correlationID, at: place, isOver: last.stop.isEnd)
        let message = RecorderMessage(of: turns, passwords: claims, hiding: texts)
        let dimensions = RecorderDimensions(
            correlationID: facts.correlationID.description, tenant: last.call.environment.tenantDomain,
            userJourney: policy.id)
        return RecorderRow.pieces(of: JSONWriter.compact(message.json)).map { piece in
            made += 1
            self.last = time(at: last.call.now)
            return RecorderRow(
                time: self.last, message: piece, dimensions: dimensions, roleInstance: JourneyRecorder.roleInstance,
                operationID: facts.correlationID.description.filter { $0 != "-" },
                itemID: GUID.derived(from: "row \(made) of the journey recorder, \(facts.correlationID)").description)
        }
    }

    private mutating func remember(_ texts: Set<String>, of id: GUID, at place: Int?, isOver: Bool) {
        if let place { hidden.remove(at: place) }
        guard !isOver, !texts.isEmpty else { return }
        hidden.append((id, texts))
        if hidden.count > JourneyRecorder.mostJourneys { hidden.removeFirst() }
    }

    /// The time of the next row: a microsecond after the one before if virtual time stands still, so that rows ordered by
    /// their time are in order.
    private func time(at now: Timestamp) -> RecorderTime {
        let time = RecorderTime(now)
        guard time <= last else { return time }
        let rest = last.rest + 10
        return rest < 10_000
            ? RecorderTime(last.timestamp, rest: rest)
            : RecorderTime(last.timestamp + .milliseconds(1), rest: rest - 10_000)
    }
}

extension RecorderRow {
    /// The row as one line of a file: an object with the columns of the table `traces` that the row fills.
    fileprivate var line: JSONObject {
        var object: JSONObject = [
            "timestamp": .string(time.text), "message": .string(message), "severityLevel": 1, "itemType": "trace",
            "customDimensions": .object(dimensions.json),
        ]
        object["operation_Id"] = operationID.map { .string($0) }
        object["cloud_RoleInstance"] = roleInstance.map { .string($0) }
        object["itemId"] = itemID.map { .string($0) }
        object["itemCount"] = .integer(Int64(itemCount))
        return object
    }
}
