import CAssets
import Determinism
import Diagnostics
import Synchronization

/// A pool of RSA keys of 2048 bits that ship with the program.
///
/// They are published with its source, so that a test does not spend 50 to 120 ms making each key and has the same
/// tokens every time. Nothing may ever trust them but a test.
public enum TestKeys {
    /// A key that is parsed when it is first wanted.
    private final class Slot: Sendable {
        /// The lines of the key, below that of its name.
        private let text: ArraySlice<UInt8>
        private let material = Mutex<SigningKey.Material?>(nil)

        init(text: ArraySlice<UInt8>) { self.text = text }

        var value: SigningKey.Material {
            material.withLock { material in
                if let material { return material }
                do throws(JOSEError) {
                    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
                    let pem = lines.dropFirst().joined(separator: "\n")
                    let parsed = try SigningKey.Material(pem: pem, provider: SignatureProvider.selected)
                    material = parsed
                    return parsed
                } catch {
                    // The text is part of this program; a test parses all of them.
                    preconditionFailure("a shipped test key cannot be read: \(error)")
                }
            }
        }
    }

    /// A line with a number sign and a name is before each key of the file.
    private static let slots = asset_test_keys().data.split(separator: UInt8(ascii: "#")).dropFirst().map {
        Slot(text: $0)
    }

    public static var count: Int { slots.count }

    /// The key of a number, counted from 0; numbers beyond the last begin again.
    public static func key(_ index: Int) -> SigningKey {
        let position = ((index % count) + count) % count
        return SigningKey(name: "test\(position + 1)", material: slots[position].value)
    }

    /// The names that scripts and tenants use most have a key each; the rest of the pool serves all others.
    private static let reserved = ["k1", "k2", "k3", "k4", "service", "tenant"]

    /// The key of a name: the same on every run and machine.
    ///
    /// - Parameter taken: Key identifiers that must not come out, such as those a tenant publishes; they are passed
    ///   over as long as the pool has others.
    public static func named(_ name: String, avoiding taken: [String] = []) -> SigningKey {
        let first = position(of: name)
        for step in 0..<count {
            let material = slots[(first + step) % count].value
            if !taken.contains(material.kid) { return SigningKey(name: name, material: material) }
        }
        return SigningKey(name: name, material: slots[first].value)
    }

    private static func position(of name: String) -> Int {
        if let position = reserved.firstIndex(of: name) { return position }
        let others = UInt64(count - reserved.count)
        return reserved.count + Int(StableHash.mix(StableHash.fnv1a(name)) % others)
    }
}
