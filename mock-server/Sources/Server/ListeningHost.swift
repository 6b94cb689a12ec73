import CommandKit
import NIOCore

/// What `--host` means: where to listen, and how addresses of the server are written.
struct ListeningHost: Sendable, Equatable {
    /// As it was given, an IPv6 address without brackets.
    let text: String
    /// Where to listen. The first is required; others are left where the system does not have them.
    let addresses: [String]

    /// The usual one: loopback, which `localhost` names by one address or the other as the client's system has it.
    ///
    /// Addresses say `localhost`, because redirect URIs of apps on this machine do (Microsoft docs: reply-url), and because
    /// 127.0.0.1 is another site for their pages, whose hidden frames would send no cookies.
    static let usual = ListeningHost(text: "localhost", addresses: ["127.0.0.1", "::1"])

    private init(text: String, addresses: [String]) {
        self.text = text
        self.addresses = addresses
    }

    /// Reads `--host`: a name, an IPv4 address, or an IPv6 address with or without brackets.
    init(_ given: String) {
        let isBracketed = given.hasPrefix("[") && given.hasSuffix("]")
        let text = isBracketed ? String(given.dropFirst().dropLast()) : given
        self.init(
            text: text, addresses: text.lowercased() == "localhost" ? Self.usual.addresses : [text])
    }

    /// Whether only this machine can reach it.
    var isLoopback: Bool { text.lowercased() == "localhost" || HTTPEdge.isLoopback(text) }

    /// Whether it stands for all addresses of the machine. Clients cannot open it.
    var isWildcard: Bool {
        text == "0.0.0.0" || (text.contains(":") && text.allSatisfy { $0 == ":" || $0 == "0" })
    }

    /// For an address that somebody at this machine opens.
    var shown: String { isWildcard ? "localhost" : written }

    /// As it was given, for a URL or a message with a port.
    var written: String { Self.bracketed(text) }

    /// The host in addresses for somebody at the server's machine, whatever clients call it.
    var own: String { isLoopback || isWildcard ? "localhost" : shown }

    /// The addresses of this machine that lead to a wildcard, written for a URL; none for another host.
    ///
    /// - Parameter devices: All addresses of the machine.
    func reachable(_ devices: [String]) -> [String] {
        guard isWildcard else { return [] }
        var reachable: [String] = []
        for address in devices {
            let isIPv6 = address.contains(":")
            // Without the name of a device an address of its link leads nowhere.
            let isOfALink = address.lowercased().hasPrefix("fe80:")
            guard !HTTPEdge.isLoopback(address), !isOfALink, !isIPv6 || text != "0.0.0.0" else { continue }
            let shown = Self.bracketed(address)
            if !reachable.contains(shown) { reachable.append(shown) }
        }
        return reachable
    }

    private static func bracketed(_ text: String) -> String { text.contains(":") ? "[\(text)]" : text }
}

extension Machine {
    /// The addresses of this machine's network devices.
    static var networkAddresses: [String] {
        ((try? System.enumerateDevices()) ?? []).compactMap { $0.address?.ipAddress }
    }
}
