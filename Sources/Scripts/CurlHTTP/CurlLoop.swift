import CLibcurl
import HTTPMessages
import Synchronization

/// The thread on which libcurl works, and the way in.
///
/// One multi handle holds the connections. Tasks leave orders in a box and wake the thread; nothing of libcurl is used
/// from elsewhere but `curl_multi_wakeup`, which is made for that.
final class CurlLoop: Sendable {
    typealias Answer = Result<ResponseMessage, CurlFailure>

    private enum Message {
        case start(CurlOrder, CurlTicket, CheckedContinuation<Answer, Never>)
        case cancel(CurlTicket)
    }

    /// A pointer of libcurl's, which is used under the rules above.
    private struct Multi: @unchecked Sendable {
        var pointer: UnsafeMutableRawPointer
    }

    private struct Box {
        var messages: [Message] = []
        /// There is while the thread runs.
        var multi: Multi?
        var isStopped = false
    }

    private let options: CurlOptions
    private let box = Mutex(Box())
    private let opened = Atomic<Int>(0)

    init(_ options: CurlOptions) {
        self.options = options
    }

    var connectionsOpened: Int { opened.load(ordering: .relaxed) }

    func start(_ order: CurlOrder, _ ticket: CurlTicket, _ continuation: CheckedContinuation<Answer, Never>) {
        post(.start(order, ticket, continuation))
    }

    func cancel(_ ticket: CurlTicket) {
        ticket.cancel()
        post(.cancel(ticket))
    }

    /// Ends the thread; what is under way is cancelled.
    func stop() {
        box.withLock { box in
            box.isStopped = true
            if let multi = box.multi { b2c_curl_multi_wakeup(multi.pointer) }
        }
    }

    private func post(_ message: Message) {
        let begins = box.withLock { box in
            box.messages.append(message)
            if let multi = box.multi {
                b2c_curl_multi_wakeup(multi.pointer)
                return false
            }
            guard !box.isStopped, case .start = message else { return false }
            box.multi = LibCurl.problem == nil ? b2c_curl_multi_init().map { Multi(pointer: $0) } : nil
            return true
        }
        guard begins else { return }
        let hasStarted = SystemThread.start { [self] in run() }
        if !hasStarted { run(failing: "the system gives no thread") }
    }

    // MARK: On the thread

    private func run(failing reason: String? = nil) {
        guard reason == nil, let multi = box.withLock({ $0.multi })?.pointer else {
            for case .start(_, _, let continuation) in takeMessages() {
                let reason = reason ?? LibCurl.problem ?? "libcurl cannot be started"
                continuation.resume(returning: .failure(CurlFailure(.other(reason), reason)))
            }
            return
        }
        b2c_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, max(32, options.connectionsPerHost * 4))
        var work = CurlWork(multi: multi, options: options)
        while !box.withLock({ $0.isStopped }) {
            for message in takeMessages() {
                switch message {
                case .start(let order, let ticket, let continuation): work.start(order, ticket, continuation)
                case .cancel(let ticket): work.cancel(ticket)
                }
            }
            opened.add(work.perform(), ordering: .relaxed)
            // Waits for the network, a wake-up, or libcurl's own next deadline.
            b2c_curl_multi_wait(multi, 60_000)
        }
        // From here on nobody wakes this handle.
        let left = box.withLock { box in
            box.multi = nil
            defer { box.messages = [] }
            return box.messages
        }
        for case .start(_, _, let continuation) in left {
            continuation.resume(returning: .failure(CurlFailure(.cancelled, "the connection was given up")))
        }
        work.close()
        b2c_curl_multi_cleanup(multi)
    }

    private func takeMessages() -> [Message] {
        box.withLock { box in
            defer { box.messages = [] }
            return box.messages
        }
    }
}

/// What the thread has in hand.
private struct CurlWork {
    let multi: UnsafeMutableRawPointer
    let options: CurlOptions
    private var running: [UnsafeMutableRawPointer: CurlTransfer] = [:]
    private var idle: [UnsafeMutableRawPointer] = []
    /// Exchanges under way, by host and port, and those that wait for one of them to end. The count is kept here and not
    /// by libcurl: its own limit now and then leaves the last waiting ones asleep until a time-out.
    private var busy: [String: Int] = [:]
    private var waiting: [String: Deque] = [:]

    /// First in, first out; what was taken is dropped when half of the room is empty.
    private struct Deque {
        private var transfers: [CurlTransfer] = []
        private var first = 0

        var isEmpty: Bool { first == transfers.count }
        var all: ArraySlice<CurlTransfer> { transfers[first...] }

        mutating func append(_ transfer: CurlTransfer) { transfers.append(transfer) }

        mutating func popFirst() -> CurlTransfer? {
            guard !isEmpty else { return nil }
            defer {
                first += 1
                if first * 2 > transfers.count {
                    transfers.removeFirst(first)
                    first = 0
                }
            }
            return transfers[first]
        }

        mutating func remove(_ ticket: CurlTicket) -> CurlTransfer? {
            transfers.removeFirst(first)
            first = 0
            return transfers.firstIndex { $0.ticket === ticket }.map { transfers.remove(at: $0) }
        }
    }

    init(multi: UnsafeMutableRawPointer, options: CurlOptions) {
        self.multi = multi
        self.options = options
    }

    mutating func start(
        _ order: CurlOrder, _ ticket: CurlTicket, _ continuation: CheckedContinuation<CurlLoop.Answer, Never>
    ) {
        if ticket.isCancelled {
            continuation.resume(returning: .failure(CurlFailure(.cancelled, "\(order.host): given up")))
            return
        }
        let transfer = CurlTransfer(
            order, ticket, continuation, limits: (options.maxBodyBytes, options.maxHeaderBytes),
            mayRepeat: options.version == .http2)
        guard busy[order.host, default: 0] < options.connectionsPerHost else {
            waiting[order.host, default: Deque()].append(transfer)
            return
        }
        busy[order.host, default: 0] += 1
        add(transfer)
    }

    private mutating func add(_ transfer: CurlTransfer) {
        guard let handle = idle.popLast() ?? b2c_curl_easy_init() else {
            return finish(transfer, .failure(CurlFailure(.other("no memory"), "libcurl gives no handle")))
        }
        let code = transfer.prepare(handle, options)
        guard code == CURLE_OK else {
            let failure = CurlFailure.of(
                code, host: transfer.order.host, hasBegun: false, systemError: 0, words: transfer.said)
            release(handle)
            return finish(transfer, .failure(failure))
        }
        running[handle] = transfer
        guard b2c_curl_multi_add(multi, handle) == CURLM_OK else {
            running[handle] = nil
            release(handle)
            return finish(transfer, .failure(CurlFailure(.other("libcurl refuses"), "libcurl refuses the request")))
        }
    }

    mutating func cancel(_ ticket: CurlTicket) {
        guard let (handle, transfer) = running.first(where: { $0.value.ticket === ticket }) else {
            for host in Array(waiting.keys) {
                guard let transfer = waiting[host]?.remove(ticket) else { continue }
                if waiting[host]?.isEmpty == true { waiting[host] = nil }
                transfer.continuation.resume(returning: .failure(CurlFailure(.cancelled, "\(host): given up")))
                return
            }
            return
        }
        running[handle] = nil
        b2c_curl_multi_remove(multi, handle)
        release(handle)
        finish(transfer, .failure(CurlFailure(.cancelled, "\(transfer.order.host): given up")))
    }

    /// Lets libcurl work and hands out what has finished.
    ///
    /// - Returns: How many connections the finished exchanges have opened.
    mutating func perform() -> Int {
        var opened = 0
        var count: Int32 = 0
        repeat {
            b2c_curl_multi_perform(multi, &count)
            var result = CURLE_OK
            while let handle = b2c_curl_multi_finished(multi, &result) {
                opened += done(handle, result)
            }
            // A repeated exchange has just been added and wants its first push.
        } while count < running.count
        return opened
    }

    private mutating func done(_ handle: UnsafeMutableRawPointer, _ result: CURLcode) -> Int {
        var opened = 0
        b2c_curl_get_long(handle, CURLINFO_NUM_CONNECTS, &opened)
        var systemError = 0
        b2c_curl_get_long(handle, CURLINFO_OS_ERRNO, &systemError)
        b2c_curl_multi_remove(multi, handle)
        guard let transfer = running.removeValue(forKey: handle) else { return opened }
        release(handle)
        if result == CURLE_HTTP2, transfer.mayRepeat {
            transfer.mayRepeat = false
            transfer.rewind()
            add(transfer)
            return opened
        }
        if result == CURLE_OK {
            finish(transfer, .success(transfer.response))
        } else if let refusal = transfer.refusal {
            finish(
                transfer,
                .failure(CurlFailure(.other(refusal), "\(transfer.order.host): \(refusal)", code: result.rawValue)))
        } else {
            finish(
                transfer,
                .failure(
                    .of(
                        result, host: transfer.order.host, hasBegun: transfer.hasBegun, systemError: systemError,
                        words: transfer.said)))
        }
        return opened
    }

    /// Hands out the answer and lets the next exchange with the host begin.
    private mutating func finish(_ transfer: CurlTransfer, _ answer: CurlLoop.Answer) {
        transfer.continuation.resume(returning: answer)
        let host = transfer.order.host
        if let next = waiting[host]?.popFirst() {
            if waiting[host]?.isEmpty == true { waiting[host] = nil }
            add(next)
        } else {
            busy[host, default: 1] -= 1
            if busy[host] == 0 { busy[host] = nil }
        }
    }

    private mutating func release(_ handle: UnsafeMutableRawPointer) {
        guard idle.count < 32 else { return b2c_curl_easy_cleanup(handle) }
        b2c_curl_easy_reset(handle)
        idle.append(handle)
    }

    mutating func close() {
        let cancelled = Array(running.values) + waiting.values.flatMap(\.all)
        for handle in running.keys {
            b2c_curl_multi_remove(multi, handle)
            b2c_curl_easy_cleanup(handle)
        }
        for handle in idle { b2c_curl_easy_cleanup(handle) }
        (running, waiting, busy, idle) = ([:], [:], [:], [])
        for transfer in cancelled {
            transfer.continuation.resume(
                returning: .failure(CurlFailure(.cancelled, "\(transfer.order.host): given up")))
        }
    }
}

extension CurlTransfer {
    /// What libcurl wrote about a failure.
    var said: String { String(cString: words) }
}

/// libcurl as a whole, loaded and started once.
enum LibCurl {
    /// Why it cannot be used; `nil` if it can.
    static let problem = b2c_curl_load().map {
        "libcurl cannot be loaded: \(String(cString: $0)). Install it, on Debian and Ubuntu with `apt-get install libcurl4`."
    }
}
