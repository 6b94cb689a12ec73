import Foundation

/// A thread for a body that blocks.
final class LoopbackThread: Sendable {
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
        self.body = body
    }

    func start() {
        let thread = Thread { [body] in body() }
        thread.stackSize = 1 << 20
        thread.start()
    }
}
