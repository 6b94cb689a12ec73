import HTTPMessages
import JSON

extension TargetSettings {
    /// The routes of `connectTo`, and for a mock-server the one that leads all hosts to it. The first that fits counts.
    public var routes: [ConnectionRoute] {
        var routes: [ConnectionRoute] = []
        for (host, value) in connectTo.members {
            guard let to = value.stringValue.flatMap({ TargetFile.place($0) }) else { continue }
            let from = TargetFile.place(host)
            routes.append(
                ConnectionRoute(host: from?.host ?? host, port: from?.port, toHost: to.host, toPort: to.port))
        }
        if kind == .mockServer, let base = url.flatMap({ WebURL($0) }), let host = base.host {
            routes.append(ConnectionRoute(host: nil, port: nil, toHost: host, toPort: base.effectivePort))
        }
        return routes
    }

    /// The hosts that `connectTo` reaches without TLS, on this machine.
    public var plainHosts: Set<String> {
        Set(
            connectTo.members.filter { TargetFile.isPlain($0.value.stringValue ?? "") }.map {
                (TargetFile.place($0.key)?.host ?? $0.key).lowercased()
            })
    }
}
