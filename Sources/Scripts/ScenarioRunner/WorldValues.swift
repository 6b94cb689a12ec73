import B2CProtocol
import Browser
import Determinism
import Exchanges
import JOSE
import JSON
import Scenarios

/// Reads codes for a browser out of the hub's log of messages.
struct HubMailbox: Mailbox {
    let hub: ExchangeHub
    /// Also reads codes that a service of the policy's own is asked to send.
    var readsServiceMail = false

    func newestCode(to addresses: [String]) async -> String? {
        if let code = await hub.newestMessage(to: addresses)?["code"]?.stringValue { return code }
        return readsServiceMail ? await hub.newestServiceMail(to: addresses) : nil
    }

    func captcha(of challenge: String) async -> String? {
        await hub.knownMessage(to: [challenge])?["code"]?.stringValue
    }
}

/// What `{{now}}`, `{{tenant/...}}`, `{{inbox/...}}` and `{{keys/...}}` read.
struct WorldValues: LiveValues {
    let world: World

    func now() async -> Timestamp { world.time.now }
    func tenant() async -> JSONValue { await world.tenant.filled }

    func newestMessage(to person: String) async -> JSONValue? {
        guard let record = await world.tenant.tenant.user(named: person) else { return nil }
        return await world.hub.newestMessage(to: [record.email, record.phone].compactMap { $0 })
    }

    func key(named name: String) async -> JSONValue? {
        guard case .value(let sets) = await world.command(.inspect(.keys)) else { return nil }
        for set in sets.objectValue?.members ?? [] {
            for entry in set.value["publish"]?.arrayValue ?? [] where entry["name"]?.stringValue == name {
                return Self.value(of: TestKeys.named(name), kid: entry["kid"], jwk: entry["jwk"])
            }
        }
        return nil
    }

    /// What `{{keys/NAME}}` stands for.
    ///
    /// - Parameters:
    ///   - kid: As the authority publishes it; `nil`: the key's own.
    ///   - jwk: The same.
    static func value(of key: SigningKey, kid: JSONValue? = nil, jwk: JSONValue? = nil) -> JSONValue {
        let jwk = jwk ?? .object(key.jwk.json)
        return [
            "kid": kid ?? .string(key.kid), "jwk": jwk, "jwks": ["keys": [jwk]], "pem": .string(key.publicKeyPEM),
        ]
    }
}
