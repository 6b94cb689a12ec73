import Determinism
import HTTPMessages
import JSON

/// Instance discovery: which hosts belong to Microsoft's clouds. It has one answer for the whole world, whichever the
/// tenant is (Microsoft docs and recorded answers of `/common/discovery/instance`).
public enum InstanceDiscovery {
    /// The host of the world-wide cloud.
    public static let host = "login.microsoftonline.com"

    /// All names of the world-wide cloud.
    public static let publicCloud = [
        "login.microsoftonline.com", "login.windows.net", "login.microsoft.com", "sts.windows.net",
    ]

    private struct Cloud {
        var network: String
        var cache: String
        var aliases: [String]
    }

    private static let clouds = [
        Cloud(network: host, cache: "login.windows.net", aliases: publicCloud),
        Cloud(
            network: "login.partner.microsoftonline.cn", cache: "login.partner.microsoftonline.cn",
            aliases: ["login.partner.microsoftonline.cn", "login.chinacloudapi.cn"]),
        Cloud(
            network: "login.microsoftonline.de", cache: "login.microsoftonline.de",
            aliases: ["login.microsoftonline.de"]),
        Cloud(
            network: "login.microsoftonline.us", cache: "login.microsoftonline.us",
            aliases: ["login.microsoftonline.us", "login.usgovcloudapi.net"]),
        Cloud(
            network: "login-us.microsoftonline.com", cache: "login-us.microsoftonline.com",
            aliases: ["login-us.microsoftonline.com"]),
    ]

    /// The answer to a request for instance discovery; nil for any other request.
    public static func draft(
        for request: RequestMessage, random: inout SeededGenerator, at now: Timestamp
    ) -> WorkforceDraft? {
        guard let name = request.url.host, publicCloud.contains(name),
            request.url.path.lowercased() == "/common/discovery/instance"
        else { return nil }
        let call = WorkforceCall(request: request, exchange: ExchangeID(""), now: now, random: &random)
        guard let asked = call.query["authorization_endpoint"].flatMap({ WebURL($0) }),
            let host = asked.host, clouds.contains(where: { $0.aliases.contains(host) }), asked.port == nil
        else {
            let error = WorkforceError(
                50049, "invalid_instance", "Unknown or invalid instance.",
                detail: call.query["authorization_endpoint"] ?? "no authorization_endpoint")
            return WorkforceDraft(
                status: 400, headers: WorkforceDraft.documentFields(call), body: .json(error.json(call)),
                refusal: error.why)
        }
        let tenant = asked.path.split(separator: "/").first.map(String.init) ?? "common"
        var document = JSONObject()
        document["tenant_discovery_endpoint"] = .string(
            "https://\(host)/\(tenant)/v2.0/.well-known/openid-configuration")
        document["api-version"] = .string(call.query["api-version"] ?? "1.1")
        document["metadata"] = .array(
            clouds.map { cloud in
                [
                    "preferred_network": .string(cloud.network), "preferred_cache": .string(cloud.cache),
                    "aliases": .array(cloud.aliases.map { .string($0) }),
                ]
            })
        return WorkforceDraft(headers: WorkforceDraft.documentFields(call), body: .json(document))
    }
}
