import Foundation

/// libFuzzer, which the linker adds.
@_silgen_name("LLVMFuzzerRunDriver")
private func runLibFuzzer(
    _ count: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ run: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

/// The name under which libFuzzer's own `main` would look for it.
@_cdecl("LLVMFuzzerTestOneInput")
public func tryOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    Main.target?.run(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}

/// `Fuzz list`, `Fuzz seeds TARGET FOLDER` and `Fuzz run TARGET ARGUMENTS-OF-LIBFUZZER`.
@main enum Main {
    /// The target of this process.
    nonisolated(unsafe) fileprivate static var target: FuzzTarget?

    static func main() {
        let arguments = CommandLine.arguments
        switch arguments.dropFirst().first {
        case "list" where arguments.count == 2:
            for target in FuzzTarget.all { print(target.name, target.longest, separator: "\t") }
        case "seeds" where arguments.count == 4: writeSeeds(chosen(arguments[2]), arguments[3])
        case "run" where arguments.count >= 3: exit(run(chosen(arguments[2])))
        default: complain("usage: Fuzz list, Fuzz seeds TARGET FOLDER, or Fuzz run TARGET [ARGUMENT ...]")
        }
    }

    private static func chosen(_ name: String) -> FuzzTarget {
        guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
            complain("there is no target \(name); targets are \(FuzzTarget.all.map(\.name).joined(separator: ", "))")
        }
        return target
    }

    private static func complain(_ text: String) -> Never {
        FileHandle.standardError.write(Data("\(text)\n".utf8))
        exit(2)
    }

    /// Writes the seeds and the dictionary of a target.
    private static func writeSeeds(_ target: FuzzTarget, _ folder: String) {
        do {
            try FileManager.default.createDirectory(atPath: folder + "/seeds", withIntermediateDirectories: true)
            for (number, seed) in target.seeds().enumerated() {
                try Data(seed.prefix(target.longest)).write(to: URL(fileURLWithPath: "\(folder)/seeds/\(number)"))
            }
            let lines = target.words.map { word in
                "\"" + word.utf8.map { byte in "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
                    + "\"\n"
            }
            try Data(lines.joined().utf8).write(to: URL(fileURLWithPath: "\(folder)/words"))
        } catch {
            complain("seeds cannot be written: \(error)")
        }
    }

    /// Hands over to libFuzzer, with the arguments behind the target's name.
    private static func run(_ target: FuzzTarget) -> Int32 {
        self.target = target
        var arguments = CommandLine.unsafeArgv + 2
        var count = CommandLine.argc - 2
        return runLibFuzzer(&count, &arguments) { tryOneInput($0, $1) }
    }
}
