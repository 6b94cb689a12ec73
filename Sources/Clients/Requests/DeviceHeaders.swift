import HTTPMessages

/// What the library says about itself and the device, in queries and headers (MSIDDeviceId.m).
struct DeviceIdentity: Sendable, Hashable {
    /// `MSAL.iOS` or `MSAL.OSX`.
    var sku: String
    /// The version of MSAL whose behaviour this client has.
    var version = "2.13.0"
    var osVersion: String
    /// Device model; iOS alone sends it.
    var model: String?
    var appName: String
    var appVersion = "1.0"

    /// The pairs in the library's spelling.
    var pairs: [(name: String, value: String)] {
        if sku.isEmpty { return [] }
        if osVersion.isEmpty { return [("x-client-SKU", sku), ("x-client-VER", version)] }
        var pairs: [(name: String, value: String)] = [
            ("x-client-SKU", sku), ("x-client-Ver", version), ("x-client-OS", osVersion), ("x-client-CPU", "64"),
        ]
        if let model { pairs.append(("x-client-DM", model)) }
        pairs.append(("x-app-name", appName))
        pairs.append(("x-app-ver", appVersion))
        return pairs
    }

    /// The headers of every request the library sends itself.
    func headers(correlationID: String) -> Headers {
        var headers = Headers()
        headers.append("Accept", "application/json")
        // Scripts and other libraries say nothing of the device in headers.
        if osVersion.isEmpty { return headers }
        for pair in pairs { headers.append(pair.name, pair.value) }
        headers.append("return-client-request-id", "true")
        headers.append("client-request-id", correlationID)
        return headers
    }
}
