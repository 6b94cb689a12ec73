import AuthorityHosting
import Determinism
import Diagnostics
import Dispatch
import HTTPMessages
import JSON

@testable import MockServerCore

extension FuzzTarget {
    static let control = FuzzTarget(
        name: "control", meaning: "calls of the control interface of mock-server, and their bodies",
        longest: 2048,
        words: [
            "GET /", "POST /", "PATCH /", "PUT /", "DELETE /", "users", "users/ada", "tenant", "clock", "faults",
            "faults/effects",
            "tokens", "state", "keys/signing/rotate", "inbox", "events?since=0", "requests?limit=1", "worlds", "reset",
            "sessions",
            "?secrets=show", "\n{", "{\"by\":\"PT5M\"}", "\"seed\":", "\"P9999999999D\"", "9223372036854775807", "null",
        ],
        seeds: {
            var calls = ControlRoutes.all.map { route in
                "\(route.method) \(route.path)\n" + (route.example.map { JSONWriter.compact($0) } ?? "")
            }
            calls += [
                "PATCH /clock\n{\"advance\": \"PT1H\"}", "GET /users?secrets=show&limit=10",
                "PATCH /tenant\n{\"users\": {\"ada\": null}}",
                "PATCH /users/ada\n{\"displayName\": \"A\"}",
            ]
            return calls.map { Array($0.utf8) }
        },
        run: { bytes in
            let parts = bytes.split(separator: 10, maxSplits: 1, omittingEmptySubsequences: false)
            let head = String(decoding: parts[0], as: UTF8.self).split(separator: " ", maxSplits: 1)
            guard head.count == 2, let tenant = starter,
                let url = WebURL("http://localhost:9400" + ControlAPI.prefix + String(head[1]))
            else { return }
            var request = RequestMessage(method: String(head[0]), url: url)
            if parts.count == 2, !parts[1].isEmpty {
                request.headers.append("Content-Type", "application/json")
                request.body = Array(parts[1])
            }
            let message = request
            let done = DispatchSemaphore(value: 0)
            Task.detached {
                let world = await ServerWorld(
                    name: Worlds.defaultName, seed: SeededGenerator(seed: 1), tenant: tenant,
                    time: WorldTime(frozenAt: StandingClock().now(), system: StandingClock()))
                let worlds = Worlds(default: world, drawSecret: { "0" })
                checkAnswer(await ControlAPI(worlds: worlds).answer(message, world: Worlds.defaultName))
                // A world that nobody ends stays in memory.
                for name in worlds.names { worlds.world(named: name)?.dissolve() }
                done.signal()
            }
            done.wait()
        })

    private static func checkAnswer(_ answer: ServerAnswer) {
        guard case .message(let message) = answer else { return }
        check((200...599).contains(message.status), "an answer has a status")
        check(message.headers.problem == nil, "an answer's header can be sent")
        guard message.status >= 400, let error = message.json?["error"] else {
            check(message.status < 400, "a refusal has an error")
            return
        }
        check(error["message"]?.stringValue?.isEmpty == false, "a refusal has a message")
        let code = error["code"]?.stringValue.flatMap(ControlFault.Code.init(rawValue:))
        check(code?.status == message.status, "a refusal has the code of its status")
        for finding in error["findings"]?.arrayValue ?? [] {
            check(finding["message"]?.stringValue?.isEmpty == false, "a finding of a refusal has a message")
        }
    }
}
