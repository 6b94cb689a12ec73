import JSON

/// Journal entries as server-sent events (WHATWG HTML, section 9.2).
enum EventStream {
    /// Between two signs of life on a silent stream, so that a reader that is gone is noticed.
    static let silence = Duration.seconds(15)

    /// The bytes of a stream: what a reader should wait before it comes again, then each entry, and a comment when
    /// nothing happens for long.
    static func chunks(
        _ entries: AsyncStream<Journal.Entry>,
        _ describe: @escaping @Sendable (Journal.Entry) -> (id: Int, type: String, data: JSONValue)
    ) -> AsyncStream<[UInt8]> {
        let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self, bufferingPolicy: .bufferingNewest(6000))
        continuation.yield(Array("retry: 1000\n\n".utf8))
        let writer = Task {
            for await entry in entries {
                let (id, type, data) = describe(entry)
                continuation.yield(bytes(id: id, type: type, data: data))
            }
            continuation.finish()
        }
        let pulse = Task {
            while !Task.isCancelled {
                do { try await Task.sleep(for: silence) } catch { return }
                continuation.yield(Array(": still here\n\n".utf8))
            }
        }
        continuation.onTermination = { _ in
            writer.cancel()
            pulse.cancel()
        }
        return stream
    }

    /// One event. Compact JSON has no line ends, so one data line is enough.
    static func bytes(id: Int, type: String, data: JSONValue) -> [UInt8] {
        var bytes = Array("id: \(id)\nevent: \(type)\ndata: ".utf8)
        bytes += JSONWriter.compactBytes(data)
        bytes += [10, 10]
        return bytes
    }
}
