import Foundation

/// Measures what the design promises and prints each figure as a ratio to a limit measured in the same run.
///
/// Build it in release: `make bench`. Figures of a debug build say nothing.
@main
struct Benchmarks {
    static func main() {
        let options = Options(Array(CommandLine.arguments.dropFirst()))
        if let server = options.growth {
            var targets = Targets()
            GrowthBenchmark.run(server: server, signIns: options.signIns ?? 200_000, &targets)
            targets.report()
            if options.enforces, !targets.missed.isEmpty { exit(4) }
            return
        }
        if let peer = options.peer {
            PeerBenchmark.run(peer, seconds: options.seconds, count: options.signIns)
            return
        }
        if let count = options.signIns {
            SignInBenchmark.loop(count)
            return
        }
        var targets = Targets()
        if let server = options.loopback {
            LoopbackBenchmark.run(server: server, seconds: options.seconds, &targets)
            targets.report()
            if options.enforces, !targets.missed.isEmpty { exit(4) }
            return
        }
        // First, since Linux counts this process's own memory into that of the commands it starts.
        CommandBenchmark.run(&targets)
        SignInBenchmark.run(seconds: options.seconds, &targets)
        PolicyBenchmark.run(corpus: options.corpus, seconds: options.seconds, &targets)
        ValidationBenchmark.run(&targets)
        targets.report()
        if options.enforces, !targets.missed.isEmpty { exit(4) }
    }

    static func line(_ name: String, _ value: String, _ note: String = "") {
        let padding = String(repeating: " ", count: max(1, 44 - name.count))
        print(name + padding + value + (note.isEmpty ? "" : "  " + note))
    }

    static func number(_ value: Double, digits: Int = 0) -> String {
        String(format: "%.\(digits)f", value)
    }
}

/// What the arguments ask for.
private struct Options {
    /// How long each rate is measured.
    var seconds = 2.0
    /// Exit 4 when a target is missed.
    var enforces = false
    /// Folder with policy files to read instead of the repository's own.
    var corpus: String?
    /// Only so many sign-ins and nothing printed: something for a profiler to look at.
    var signIns: Int?

    /// The program mock-server, to be measured over loopback instead.
    var loopback: String?

    /// The program mock-server, to be measured after many sign-ins.
    var growth: String?

    /// A server that runs already.
    var peer: PeerBenchmark.Request?

    init(_ arguments: [String]) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--enforce": enforces = true
            case "--corpus":
                guard let folder = rest.popFirst() else { Self.usage() }
                corpus = folder
            case "--loopback":
                guard let path = rest.popFirst() else { Self.usage() }
                loopback = path
            case "--growth":
                guard let path = rest.popFirst() else { Self.usage() }
                growth = path
            case "--peer":
                guard rest.count >= 4, let server = rest.popFirst(), let url = rest.popFirst(),
                    let keysPath = rest.popFirst(), let clients = rest.popFirst().flatMap({ Int($0) }), clients > 0
                else { Self.usage() }
                peer = PeerBenchmark.Request(server: server, url: url, keysPath: keysPath, clients: clients)
            case "--session":
                guard let cookies = rest.popFirst() else { Self.usage() }
                peer?.session = cookies
            case "--sign-ins":
                guard let count = rest.popFirst().flatMap({ Int($0) }), count >= 0 else { Self.usage() }
                signIns = count
            default:
                guard let number = Double(argument), number > 0 else { Self.usage() }
                seconds = number
            }
        }
    }

    private static func usage() -> Never {
        print(
            """
            usage: Benchmarks [SECONDS] [--enforce] [--corpus FOLDER] [--sign-ins COUNT] [--loopback PROGRAM]

            SECONDS           how long each rate is measured; 2 if not given
            --enforce         exit 4 when a target is missed
            --corpus FOLDER   policy files to read instead of those in scenarios/policies
            --loopback PROGRAM  measure this mock-server over loopback instead
            --growth PROGRAM  measure what this mock-server keeps of sign-ins
            --sign-ins COUNT  make so many sign-ins and nothing else, for a profiler; with --growth so many, not 200,000
            --peer SERVER URL KEYS CLIENTS  sign-ins at a server that runs already, for peers/peers.py; with --sign-ins at
                              most so many, with --session COOKIES as a person who is signed in
            """)
        exit(1)
    }
}

/// The targets of a run and which of them were missed.
struct Targets {
    private(set) var missed: [String] = []

    /// Notes one target; returns the words to print beside the figure.
    mutating func wanted(_ words: String, _ isMet: Bool) -> String {
        if !isMet { missed.append(words) }
        return "(wanted: \(words)\(isMet ? "" : "; MISSED"))"
    }

    func report() {
        print(missed.isEmpty ? "every target is met" : "missed: \(missed.joined(separator: "; "))")
    }
}
