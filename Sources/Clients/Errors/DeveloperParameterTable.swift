/// What a developer can pass wrongly.
public enum DeveloperParameterTable {
    /// Every row.
    public static let rows: [FailureRow] = [
        row("P1.openid", "scope openid", .msal(-50000, -42000), note: "the library adds it itself"),
        row("P1.profile", "scope profile", .msal(-50000, -42000), note: "the library adds it itself"),
        row("P1.offline", "scope offline_access", .msal(-50000, -42000), note: "the library adds it itself"),
        row("P1.email", "scope email", .success, note: "not reserved"),
        row("P2.aad", "the client id as scope, directory tenant", .msal(-50000, -42000)),
        row("P2.b2c", "the client id as scope, B2C", .success),
        row("P3", "no scopes at all", .success, note: "the request carries the reserved ones"),
        row("P4", "authority of another class than the client's", .msal(-50000, -42000)),
        row("P5.none", "no view controller", .msal(-50000, -42000), note: "version 2, both systems"),
        row(
            "P5.window", "view controller whose view has no window", .msal(-50000, -42000),
            note: "version 2, both systems"),
        row("P5.v1", "no view controller on macOS, version 1", .success),
        row("P6", "claims both as claimsRequest and as extra query parameter", .msal(-50000, -42000)),
        row("P7.browser", "sign-out from the browser without view controller", .msal(-50000, -42000)),
        row("P7.account", "sign-out without account", .msal(-50000, -42000)),
        row("P7.client", "empty client id", .msal(-50000, -42000), note: "when the client is created"),
    ]
}
