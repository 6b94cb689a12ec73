import Synchronization

/// A value that is made when something first asks for it, once however many ask.
public final class Deferred<Value: Sendable>: Sendable {
    @usableFromInline
    enum State: Sendable {
        case pending(@Sendable () -> Value)
        case made(Value)
    }

    @usableFromInline let state: Mutex<State>

    @inlinable
    public init(_ make: @escaping @Sendable () -> Value) {
        state = Mutex(.pending(make))
    }

    /// The value. Others who ask meanwhile wait until it is made.
    @inlinable public var value: Value {
        state.withLock { state in
            switch state {
            case .made(let value): return value
            case .pending(let make):
                let value = make()
                state = .made(value)
                return value
            }
        }
    }
}
