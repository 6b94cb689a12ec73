import Determinism
import JSON
import Records

/// Where scenarios run, other than inside this process: what a target file says, all defaults filled in.
public struct TargetSettings: TenantRecord {
    /// Title in reports; empty: the file's name.
    public var name = ""
    public var kind = TargetKind.mockServer
    /// mock-server: the address of the server.
    public var url: String?
    /// mock-server: what its control API asks for when it is not on this machine.
    public var controlToken: String?
    /// A tenant file that takes the place of the scripts' own.
    public var tenant: String?
    /// The certificate authorities that are believed, and no others (PEM).
    public var caFile: String?
    /// Host, or `host:port`, to the address and port where it is.
    public var connectTo = JSONObject()
    /// Which proxy requests go through; nil: none.
    public var proxy: String?
    /// HTTP/2 where TLS negotiates it.
    public var http2 = false
    /// How long a connection may take.
    public var connectTimeout = TimeSpan.seconds(10)
    public var timeout = TimeSpan.seconds(60)
    /// live: hosts that may be contacted besides those of the tenant file.
    public var hosts: [String] = []
    public var pacing = PacingSettings()
    /// live: where codes come from.
    public var inbox: InboxSettings?
    /// live: its owner agrees that scenarios change the tenant.
    public var live = false

    public init() {}

    package static let title = "target file"
    package static let summary = "Where scenarios run: a mock-server, or a real tenant."
    package static let settings: [Setting<TargetSettings>] = {
        var table = SettingsTable<TargetSettings>()
        table.add("$schema", \.schema, .optionalText, "Path or URL of the schema, for editors.")
        table.add("name", \.name, .text, "Title in reports.", default: "the file's name")
        table.add("kind", \.kind, .word(), "What is at the other end.", required: true)
        table.add(
            "url", \.url, .optionalURL,
            "mock-server: address of the server, such as `https://127.0.0.1:9443`. All hosts of a scenario are reached "
                + "there under their own names.")
        table.add(
            "controlToken", \.controlToken, .optionalText,
            "mock-server: the token of its control API, where it was started with one; `{{secret/NAME}}` or "
                + "`{{env/NAME}}`.")
        table.add(
            "tenant", \.tenant, .optionalText,
            "A tenant file that takes the place of the scripts' own; the names of policies, apps and people stay. A "
                + "live target needs one.")
        table.add(
            "caFile", \.caFile, .optionalText,
            "File with the certificate authorities that are believed, and no others (PEM).",
            default: "the system's authorities")
        table.add(
            "connectTo", \.connectTo, .textMap,
            "Host, or `host:port`, to the `address:port` where connections for it go. URL, Host field, SNI and cookies "
                + "keep the name. `http://127.0.0.1:PORT` leaves TLS out, on this machine only.",
            default: "as the name service says")
        table.add(
            "proxy", \.proxy, .optionalText,
            "URL of a proxy, or `environment`: the one of `https_proxy`, `http_proxy` and `no_proxy`.", default: "none")
        table.add("http2", \.http2, .bool, "HTTP/2 where TLS negotiates it, else HTTP/1.1.")
        table.add("connectTimeout", \.connectTimeout, .span, "How long a connection may take, TLS included.")
        table.add("timeout", \.timeout, .span, "How long an exchange may take.")
        table.add(
            "hosts", \.hosts, .texts,
            "live: hosts that may be contacted besides those that the tenant file names for the authority and its APIs. "
                + "Requests to others fail.")
        table.add("pacing", \.pacing, .record(), "live: how fast requests may follow one another.")
        table.add("inbox", \.inbox, .optionalRecord(), "live: where codes sent by e-mail or SMS come from.")
        table.add(
            "live", \.live, .bool,
            "live: the owner agrees that scenarios change the tenant (people who sign up, edit and reset). "
                + "`--allow-live-changes` has to say so too.")
        return table.rows
    }()

    private var schema: String?
}

/// What a target is.
public enum TargetKind: String, SettingWord {
    case mockServer = "mock-server"
    case live

    /// What it means, one sentence.
    public var doc: String {
        switch self {
        case .mockServer: "A mock-server: each scenario gets a world of its own there."
        case .live: "A real tenant: nothing about it is made up, and little of it can be changed."
        }
    }
}

/// How fast requests to a live tenant may follow one another.
public struct PacingSettings: TenantRecord {
    public var requests = 10
    public var per = TimeSpan.seconds(1)

    public init() {}

    package static let title = "pacing"
    package static let summary = "How fast requests may follow one another."
    package static let settings: [Setting<PacingSettings>] = {
        var table = SettingsTable<PacingSettings>()
        table.add("requests", \.requests, .integer(1...10_000), "So many requests ...")
        table.add("per", \.per, .span, "... in this time.")
        return table.rows
    }()
}
