/// Errors that reach an app without the library's converter: an app that compares the domain first is right to.
public enum UnconvertedErrorTable {
    /// Every row.
    public static let rows: [FailureRow] = [
        row("U1.scheme", "MSALAADAuthority of an http URL", .foreign("MSIDErrorDomain", -51100)),
        row("U1.path", "MSALAADAuthority of a URL without tenant", .foreign("MSIDErrorDomain", -51100)),
        row("U1.tfp", "MSALAADAuthority of a URL with /tfp/", .foreign("MSIDErrorDomain", -51112)),
        row("U2", "creating the client with an ADFS authority", .foreign("MSIDErrorDomain", -51114)),
        row("U3", "accounts by a blank user name", .foreign("MSIDErrorDomain", -51111)),
        row("U4.accounts", "account enumeration, keychain denied", .foreign("NSOSStatusErrorDomain", -34018)),
        row("U4.current", "current account, keychain denied", .foreign("NSOSStatusErrorDomain", -34018)),
        row("U4.silent", "silent call, keychain denied", .foreign("NSOSStatusErrorDomain", -34018)),
        row("U5", "the team id cannot be read", .msal(-50000, -42008), note: "when the client is created; converted"),
    ]
}
