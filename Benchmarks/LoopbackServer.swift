import Foundation

/// A mock-server that runs for as long as it is measured.
final class LoopbackServer {
    let url: String
    let startMilliseconds: Double
    private let process = Process()
    private let folder: String

    init?(_ path: String) {
        folder = NSTemporaryDirectory() + "b2c-loopback-\(UUID().uuidString)"
        let tenant = folder + "/tenant.json"
        guard
            (try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)) != nil,
            (try? Data(LoopbackBenchmark.tenantText.utf8).write(to: URL(fileURLWithPath: tenant))) != nil
        else { return nil }
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = ["--tenant", tenant, "--port", "0", "--quiet"]
        let output = Pipe()
        process.standardOutput = output
        let clock = ContinuousClock()
        let start = clock.now
        guard (try? process.run()) != nil else { return nil }
        // One line, once it is ready.
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        startMilliseconds = (clock.now - start) / .milliseconds(1)
        guard let address = line.split(separator: " ").last else { return nil }
        url = address.trimmingCharacters(in: .newlines)
    }

    /// The time that cores have given it, in all its threads; nil where the system does not say.
    var coreSeconds: Double? {
        guard let status = try? String(contentsOfFile: "/proc/\(process.processIdentifier)/stat", encoding: .utf8),
            let end = status.lastIndex(of: ")")
        else { return nil }
        // Behind the name stand the state and ten numbers, and then the ticks in and for the process (proc(5)).
        let fields = status[end...].split(separator: " ")
        guard fields.count > 13, let own = Double(fields[12]), let system = Double(fields[13]) else { return nil }
        return (own + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// Memory that it occupies; nil where the system does not say.
    var residentMegabytes: Double? {
        guard let status = try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmRSS:") }),
            let kilobytes = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap({
                Double($0)
            })
        else { return nil }
        return kilobytes / 1024
    }

    func stop() {
        process.terminate()
        process.waitUntilExit()
        try? FileManager.default.removeItem(atPath: folder)
    }
}
