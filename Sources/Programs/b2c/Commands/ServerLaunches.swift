import ArgumentParser

/// `b2c serve`.
struct ServeLaunch: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serves a tenant on the network, for apps, SDKs and browsers: starts mock-server.",
        discussion: """
            It takes the options of mock-server and hands them over as they are:

              b2c serve                    an embedded tenant at http://localhost:9400
              b2c serve contoso.json       the tenant of a file, which may change
              b2c serve contoso.json --tls https at port 9443
              b2c serve --help             all options
            """,
        helpNames: [])

    @Argument(parsing: .captureForPassthrough, help: "Options of mock-server.")
    var arguments: [String] = []

    func run() throws { try MockServerLauncher.become(["serve"] + arguments) }
}

/// `b2c record`.
struct RecordLaunch: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Records the session of an app that is pointed at a proxy into a script: starts mock-server.",
        discussion: """
              b2c record --target http://localhost:9400    before a mock-server
              b2c record --target targets/live.json        before a real tenant
              b2c record --help                            all options
            """,
        helpNames: [])

    @Argument(parsing: .captureForPassthrough, help: "Options of mock-server record.")
    var arguments: [String] = []

    func run() throws { try MockServerLauncher.become(["record"] + arguments) }
}

/// `b2c certificate`.
struct CertificateLaunch: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "certificate",
        abstract: "Makes and explains the local certificate authority that `b2c serve --tls` signs with.",
        discussion: """
              b2c certificate create    makes it, if there is none
              b2c certificate path      prints the PEM file; with --spki its hash
              b2c certificate trust     says how to trust it; with --install does it
            """,
        helpNames: [])

    @Argument(parsing: .captureForPassthrough, help: "create, path or trust, and its options.")
    var arguments: [String] = []

    func run() throws { try MockServerLauncher.become(["certificate"] + arguments) }
}
