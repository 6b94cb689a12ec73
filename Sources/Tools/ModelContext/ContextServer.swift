import Diagnostics
import JSON
import JSONRPC
import Synchronization

/// A server of the Model Context Protocol: messages in, messages out. It speaks every version: a request that names its
/// version in `_meta` is answered in that one, any other in the one that `initialize` agreed on.
///
/// Calls of tools run as tasks of their own; everything else is answered at once.
package final class ContextServer: Sendable {
    /// A call that is running.
    private struct Running {
        /// Distinguishes it from a later call with the same id.
        var number: Int
        var batch: Int?
        var lastProgress: Int?
        var task: Task<Void, Never>
    }

    /// The answers to an array of messages, which are one message.
    private struct Batch {
        var waiting: Int
        var answers: [JSONValue] = []
    }

    private struct State {
        /// What `initialize` has agreed on.
        var agreed: ContextVersion?
        var calls: [JSONValue: Running] = [:]
        var batches: [Int: Batch] = [:]
        /// Of the last call or batch.
        var number = 0
        /// Waits until no call runs.
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let responder: ContextResponder
    private let patience: (@Sendable () async -> Void)?
    private let send: @Sendable (String) -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - name: Of the program, for programs.
    ///   - title: The same for people.
    ///   - instructions: What a model should know before it calls a tool.
    ///   - patience: Returns when calls that run at the end of the input are to be cancelled; `nil`: they never are.
    ///   - send: Takes messages without a line break, from any thread, one at a time. It must not call the server.
    package init(
        name: String, title: String, version: String, instructions: String, catalog: ContextCatalog,
        patience: (@Sendable () async -> Void)? = nil, send: @escaping @Sendable (String) -> Void
    ) {
        responder = ContextResponder(
            name: name, title: title, version: version, instructions: instructions, catalog: catalog)
        self.patience = patience
        self.send = send
    }

    /// Takes a line, which may be anything, and waits for no tool. Called by one thread, in the order of the lines.
    package func receive(_ line: [UInt8]) {
        guard line.contains(where: { ![0x20, 0x09, 0x0D].contains($0) }) else { return }
        let value: JSONValue
        do throws(InvalidInput) {
            value = try JSONParser.parse(line)
        } catch {
            let finding = error.diagnostics.first
            let column = finding?.location?.column.map { "column \($0): " } ?? ""
            return finish(
                nil, RPCFault(code: -32700, message: "\(column)\(finding?.message ?? "")").answer(to: .null))
        }
        guard case .array(let messages) = value else { return take(value, nil) }
        let agreed = state.withLock { $0.agreed }
        guard agreed == .march2025, !messages.isEmpty else {
            let reason = messages.isEmpty ? "the array is empty" : "only version 2025-03-26 has arrays of messages"
            return finish(nil, RPCFault.request("\(reason). Send one message a line.").answer(to: .null))
        }
        let batch = state.withLock { state in
            state.number += 1
            state.batches[state.number] = Batch(waiting: messages.count)
            return state.number
        }
        for message in messages { take(message, batch) }
    }

    /// Answers a line that is too long.
    package func refuse(_ problem: ContextLines.Problem) {
        let reason = "the message has more than \(problem.limit) bytes. Send less at a time."
        finish(nil, RPCFault.request(reason).answer(to: .null))
    }

    /// Returns when no call runs any more: at the end of the input. Calls that patience does not cover are cancelled.
    package func finish() async {
        let limit = patience.map { patience in
            Task {
                await patience()
                for id in self.state.withLock({ Array($0.calls.keys) }) { self.cancel(id) }
            }
        }
        await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                if state.calls.isEmpty { return true }
                state.waiter = continuation
                return false
            }
            if isDone { continuation.resume() }
        }
        limit?.cancel()
    }

    private func take(_ value: JSONValue, _ batch: Int?) {
        do throws(RPCFault) {
            switch try RPCMessage(value) {
            case .request(let request): try take(request, batch)
            case .notification(let method, let params):
                let id = params["requestId"].flatMap { RPCMessage.identifier($0) }
                if method == "notifications/cancelled", let id { cancel(id) }
                finish(batch, .none)
            case .response: finish(batch, .none)
            }
        } catch {
            finish(batch, error.answer(to: RPCMessage.id(of: value)))
        }
    }

    private func take(_ request: RPCRequest, _ batch: Int?) throws(RPCFault) {
        let (agreed, isRunning) = state.withLock { ($0.agreed, $0.calls[request.id] != nil) }
        guard !isRunning else {
            throw .request("a request with the id \(request.id) is running. Give each request an id of its own.")
        }
        if request.isHandshake {
            guard batch == nil else { throw .request("`initialize` is not a part of an array") }
            let handshake = try responder.handshake(request)
            state.withLock { $0.agreed = handshake.version }
            return finish(nil, request.answer(.object(handshake.result)))
        }
        let version = try request.version(agreed: agreed)
        let token = try request.progressToken()
        guard request.method == "tools/call" else {
            return finish(batch, request.answer(.object(try responder.result(of: request, version))))
        }
        switch try responder.call(request, version) {
        case .answer(let result): finish(batch, request.answer(.object(result)))
        case .run(let tool, let arguments):
            start(request, batch) { call in
                self.responder.result(of: await tool.call(arguments, call), version)
            } progress: { done, total, message in
                guard let token else { return .none }
                var params: JSONObject = ["progressToken": token, "progress": .integer(Int64(done))]
                if let total { params["total"] = .integer(Int64(total)) }
                if version >= .march2025 { params["message"] = .string(message) }
                return ["jsonrpc": "2.0", "method": "notifications/progress", "params": .object(params)]
            }
        }
    }

    /// Runs a call as a task.
    ///
    /// - Parameter progress: The message that reports it; `nil`: nobody asked.
    private func start(
        _ request: RPCRequest, _ batch: Int?, _ body: @escaping @Sendable (ContextCall) async -> JSONObject,
        progress: @escaping @Sendable (Int, Int?, String) -> JSONValue?
    ) {
        state.withLock { state in
            state.number += 1
            let number = state.number
            let call = ContextCall { done, total, message in
                self.state.withLock { state in
                    guard let running = state.calls[request.id], running.number == number,
                        done > running.lastProgress ?? .min, let message = progress(done, total, message)
                    else { return }
                    state.calls[request.id]?.lastProgress = done
                    self.send(line(of: message))
                }
            } isCancelled: {
                self.state.withLock { $0.calls[request.id]?.number != number }
            }
            let task = Task {
                let result = await body(call)
                self.end(request.id, number: number) { request.answer(.object(result)) }
            }
            state.calls[request.id] = Running(number: number, batch: batch, task: task)
        }
    }

    /// Ends a call with an id: it is not running any more, and its answer is sent unless it was cancelled before.
    ///
    /// - Parameter number: Of the call; `nil`: of any call with that id.
    @discardableResult
    private func end(_ id: JSONValue, number: Int? = nil, answer: () -> JSONValue? = { .none }) -> Running? {
        let (ended, waiter) = state.withLock { state -> (Running?, CheckedContinuation<Void, Never>?) in
            guard let running = state.calls[id], number == nil || running.number == number else { return (nil, nil) }
            state.calls[id] = nil
            deliver(answer(), running.batch, &state)
            guard state.calls.isEmpty, let waiter = state.waiter else { return (running, nil) }
            state.waiter = nil
            return (running, waiter)
        }
        waiter?.resume()
        return ended
    }

    private func cancel(_ id: JSONValue) { end(id)?.task.cancel() }

    /// A message is answered, or needs no answer.
    private func finish(_ batch: Int?, _ answer: JSONValue?) {
        state.withLock { deliver(answer, batch, &$0) }
    }

    private func deliver(_ answer: JSONValue?, _ batch: Int?, _ state: inout State) {
        guard let batch, var open = state.batches[batch] else {
            if let answer { send(line(of: answer)) }
            return
        }
        open.waiting -= 1
        if let answer { open.answers.append(answer) }
        state.batches[batch] = open.waiting > 0 ? open : nil
        if open.waiting == 0, !open.answers.isEmpty { send(line(of: .array(open.answers))) }
    }
}

/// A message on one line for every reader: some end lines at U+0085, U+2028 and U+2029 as well.
private func line(of message: JSONValue) -> String {
    var line = String.UnicodeScalarView()
    for scalar in JSONWriter.compact(message).unicodeScalars {
        switch scalar {
        case "\u{85}": line.append(contentsOf: #"\u0085"#.unicodeScalars)
        case "\u{2028}": line.append(contentsOf: #"\u2028"#.unicodeScalars)
        case "\u{2029}": line.append(contentsOf: #"\u2029"#.unicodeScalars)
        default: line.append(scalar)
        }
    }
    return String(line)
}
