import Foundation
import TrustFramework

/// Policy files: how long they take to read, merge and link, and what a sign-in through one costs.
///
/// Without `--corpus` the repository's own policies are read. Published policies, such as Microsoft's starter packs, are
/// no part of it: name the folder they lie in.
enum PolicyBenchmark {
    /// A folder with policy files in memory: the disk is not what is measured.
    private struct Pack {
        var folder: String
        var files: [(file: String, bytes: [UInt8])]
        /// Ids of the policies that an app can call.
        var relyingParties: [String]

        var size: Int { files.reduce(0) { $0 + $1.bytes.count } }

        /// Reads, merges and links one policy with its parents. What the folder lacks comes from another pack.
        func link(_ id: String, fallback: Pack? = nil) -> Bool {
            if (try? PolicyLibrary.link(policyID: id, among: files)) != nil { return true }
            guard let fallback, fallback.folder != folder else { return false }
            let ids = Set(files.compactMap { PolicyReader.policyID(bytes: $0.bytes)?.uppercased() })
            let more = fallback.files.filter { file in
                PolicyReader.policyID(bytes: file.bytes).map { !ids.contains($0.uppercased()) } ?? false
            }
            return (try? PolicyLibrary.link(policyID: id, among: files + more)) != nil
        }
    }

    static func run(corpus: String?, seconds: Double, _ targets: inout Targets) {
        let root = corpus ?? "scenarios/policies"
        let packs = packs(in: root)
        guard !packs.isEmpty else {
            Benchmarks.line("policies", "no policy files in \(root)")
            return
        }
        let starter = packs.first { $0.folder.hasSuffix("starterpack/SocialAndLocalAccounts") }
        let clock = ContinuousClock()
        var linked = 0
        var refused = 0
        var playable: [(pack: Pack, policy: String)] = []
        let all = clock.measure {
            for pack in packs {
                for id in pack.relyingParties {
                    if pack.link(id, fallback: starter) {
                        linked += 1
                        playable.append((pack, id))
                    } else {
                        refused += 1
                    }
                }
            }
        }
        Benchmarks.line(
            "all policies of \(root)", "\(Benchmarks.number(1000 * (all / .seconds(1)))) ms",
            "\(linked) linked with their parents, \(refused) refused "
                + targets.wanted("all policies under 2000 ms", all < .seconds(2)))
        // A folder of many small policies says nothing here: the starter pack whose chain takes longest is the largest.
        let starters = playable.filter { $0.pack.folder.contains("starterpack") }
        let times = (starters.isEmpty ? playable : starters).map { candidate in
            (candidate, clock.measure { _ = candidate.pack.link(candidate.policy) })
        }
        if let largest = times.max(by: { $0.1 < $1.1 })?.0 {
            let times = (0..<20).map { _ in clock.measure { _ = largest.pack.link(largest.policy) } }.sorted()
            let median = times[times.count / 2] / .milliseconds(1)
            Benchmarks.line(
                "largest pack, median of 20", "\(Benchmarks.number(median, digits: 1)) ms",
                "\(largest.policy) of \(largest.pack.folder.split(separator: "/").last ?? ""), "
                    + "\(largest.pack.size / 1024) KB " + targets.wanted("largest pack under 10 ms", median < 10))
        }
        signIn(packs, seconds: seconds, &targets)
    }

    /// A sign-in through a starter pack beside one through a built-in flow, in turns.
    private static func signIn(_ packs: [Pack], seconds: Double, _ targets: inout Targets) {
        let name = "custom policy, of a built-in flow's time"
        guard
            let pack = packs.first(where: {
                $0.folder.hasSuffix("/SocialAndLocalAccounts") && $0.relyingParties.contains("B2C_1A_signup_signin")
            })
        else {
            Benchmarks.line(name, "no starter pack here: --corpus FOLDER")
            return
        }
        guard var builtIn = try? SignInWorld(seed: 1), (try? builtIn.signIn()) != nil else { return }
        var custom: SignInWorld
        do {
            custom = try SignInWorld(seed: 1, customPolicies: pack.files)
            try custom.signIn()
        } catch {
            Benchmarks.line(name, "the sign-in does not work: \(error)")
            return
        }
        let rounds = 8
        var ratios: [Double] = []
        for _ in 0..<rounds {
            let flow = SignInBenchmark.rate(seconds: seconds / Double(rounds)) { _ = try? builtIn.signIn() }
            let own = SignInBenchmark.rate(seconds: seconds / Double(rounds)) { _ = try? custom.signIn() }
            ratios.append(flow / own)
        }
        let ratio = SignInBenchmark.median(ratios)
        Benchmarks.line(
            name, Benchmarks.number(ratio, digits: 2),
            targets.wanted("a custom policy at most 1.15 times a flow", ratio <= 1.15))
    }

    /// Folders with policies, by path in byte order.
    private static func packs(in root: String) -> [Pack] {
        let names = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
        var packs: [String: Pack] = [:]
        for name in names.sorted() where name.hasSuffix(".xml") {
            guard let data = FileManager.default.contents(atPath: "\(root)/\(name)") else { continue }
            let bytes = [UInt8](data)
            guard let id = PolicyReader.policyID(bytes: bytes) else { continue }
            let path = name.split(separator: "/")
            let folder = ([root] + path.dropLast().map(String.init)).joined(separator: "/")
            let file = path.last.map(String.init) ?? name
            packs[folder, default: Pack(folder: folder, files: [], relyingParties: [])].files.append((file, bytes))
            if data.range(of: Data("<RelyingParty".utf8)) != nil { packs[folder]?.relyingParties.append(id) }
        }
        return packs.keys.sorted().compactMap { packs[$0] }
    }
}
