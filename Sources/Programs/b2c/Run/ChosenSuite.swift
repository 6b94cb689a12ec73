import JOSE
import Scenarios

/// The scenarios that run, and what they are a part of.
package struct ChosenSuite {
    /// What runs here.
    package private(set) var scenarios: [Scenario]
    /// How many scenarios and cases the whole suite has, of which a shard runs some.
    package let total: Int
    /// The places in the whole suite of those that run, from 0.
    package private(set) var places: [Int]
    /// A digest of the whole suite: names, cases and the texts of scripts and tenant files.
    package let digest: String
    /// A seed that every machine with this suite has.
    package let seed: UInt64

    package init(_ scenarios: [Scenario]) {
        self.scenarios = scenarios
        let variants = scenarios.flatMap { CaseExpansion.variants(of: $0) }
        total = variants.count
        places = Array(variants.indices)
        var text: [UInt8] = []
        var seen: Set<String> = []
        func add(_ file: String, _ bytes: [UInt8]) {
            guard seen.insert(file).inserted else { return }
            text += Array("\(file)\n\(bytes.count)\n".utf8) + bytes
        }
        for scenario in scenarios {
            add(scenario.file, scenario.document.source.bytes)
            add(scenario.tenant.document.source.file, scenario.tenant.document.source.bytes)
        }
        for variant in variants { text += Array("\(variant.scenario.file)\n\(variant.caseName ?? "")\n".utf8) }
        let hash = SHA2.sha256(text)
        digest = Base64URL.encode(hash)
        // Nine digits are easy to repeat.
        seed = hash.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } % 1_000_000_000
    }

    /// Keeps the part of one machine.
    mutating func keep(_ shard: Shard, of timings: Timings?) {
        let variants = scenarios.flatMap { CaseExpansion.variants(of: $0) }
        let owners = shard.owners(of: variants.map { timings?.milliseconds(of: $0.scenario.file, $0.caseName) })
        places = owners.indices.filter { owners[$0] == shard.index }
        var number = -1
        scenarios = scenarios.keeping { _, _ in
            number += 1
            return owners[number] == shard.index
        }
    }
}
