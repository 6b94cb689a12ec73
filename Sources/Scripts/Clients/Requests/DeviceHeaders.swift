import HTTPMessages

/// What a library says about itself and the device, in queries and headers.
struct DeviceIdentity: Sendable {
    typealias Pairs = [(name: String, value: String)]

    /// In the query of requests by the browser.
    var query: Pairs = []
    /// In headers of requests that the library sends itself, which then also name the call.
    var headers: Pairs = []
    /// `haschrome=1`: the page is shown with buttons of its own.
    var hasChrome = false
    /// Authorization requests name the account besides `login_hint`: `login_req` and `domain_req`.
    var namesAccount = false
    /// They also have `X-AnchorMailbox`.
    var sendsMailbox = false
    /// Authorization requests ask for the id of the call in the answer.
    var wantsCallID = true

    /// Nothing.
    static let silent = DeviceIdentity()

    /// MSAL of a phone or of macOS, in the library's spelling (MSIDDeviceId.m).
    ///
    /// - Parameters:
    ///   - version: The version of MSAL whose behaviour this client has.
    ///   - model: The device model; macOS sends none.
    static func native(
        sku: String, version: String = "2.13.0", osVersion: String, model: String? = nil, appName: String
    ) -> DeviceIdentity {
        var pairs: Pairs = [
            ("x-client-SKU", sku), ("x-client-Ver", version), ("x-client-OS", osVersion), ("x-client-CPU", "64"),
        ]
        if let model { pairs.append(("x-client-DM", model)) }
        pairs.append(("x-app-name", appName))
        pairs.append(("x-app-ver", "1.0"))
        return DeviceIdentity(query: pairs, headers: pairs, hasChrome: true, namesAccount: true, sendsMailbox: true)
    }

    /// A script, which says nothing of the device and nothing in headers.
    static func page(sku: String, version: String) -> DeviceIdentity {
        DeviceIdentity(query: [("x-client-SKU", sku), ("x-client-VER", version)])
    }

    /// The headers of every request that the library sends itself.
    func headers(correlationID: String) -> Headers {
        var all = Headers()
        all.append("Accept", "application/json")
        guard !headers.isEmpty else { return all }
        for pair in headers { all.append(pair.name, pair.value) }
        all.append("return-client-request-id", "true")
        all.append("client-request-id", correlationID)
        return all
    }
}
