import AzureSignIn
import Determinism
import HTTPMessages

/// Where logs of the journey recorder are asked for, by the query APIs (Microsoft docs: Application Insights REST API, Log
/// Analytics API).
public struct LogSource: AzureResource, Hashable {
    public enum Kind: Sendable {
        /// A Log Analytics workspace: `/v1/workspaces/ID/query`, the table `AppTraces`.
        case workspace
        /// An Application Insights resource: `/v1/apps/ID/query`, the table `traces`.
        case app
    }

    public let kind: Kind
    /// The workspace ID or the application ID.
    public let id: String
    /// Without `/v1`.
    public let api: WebURL

    /// - Parameters:
    ///   - id: A GUID, as the service takes it.
    ///   - api: The address of the API; `nil`: the one of the public cloud.
    /// - Throws: ``AzureProblem`` if the id or the address cannot be one.
    public init(_ kind: Kind, id: String, api: String? = nil) throws(AzureProblem) {
        self.kind = kind
        self.id = id
        self.api = try Self.address(api, kind)
        guard GUID(id) != nil else {
            let option = kind == .workspace ? "--workspace" : "--app"
            let place =
                kind == .workspace
                ? "Copy the workspace ID of Log Analytics workspace > Overview, not the name or the resource ID."
                : "Copy the application ID of Application Insights > Configure > API Access, not the name, the resource ID or "
                    + "the instrumentation key."
            throw AzureProblem(.usage, "\(option) is \"\(id)\", expected a GUID", remedy: place)
        }
    }

    private static func address(_ text: String?, _ kind: Kind) throws(AzureProblem) -> WebURL {
        let standard = "https://" + publicHost(kind)
        return try AzureAddress.checked(
            text ?? standard,
            example: "Give one such as \(standard), https://api.loganalytics.us or http://localhost:9400.",
            content: "personal data", versions: ["/v1"])
    }

    private static func publicHost(_ kind: Kind) -> String {
        kind == .workspace ? "api.loganalytics.io" : "api.applicationinsights.io"
    }

    /// Where queries are sent.
    var queryURL: WebURL {
        var url = api
        url.path += "/v1/\(kind == .workspace ? "workspaces" : "apps")/\(id)/query"
        return url
    }

    public var audience: String {
        // The newer name of the public cloud has the tokens of the older one (Microsoft docs: Log Analytics API, access).
        if api.isLoopback || api.host == "api.loganalytics.azure.com" { return "https://" + Self.publicHost(kind) }
        return api.origin
    }

    public var tokenVariable: String { "B2C_LOG_TOKEN" }
    public var shown: String { "\(kind == .workspace ? "workspace" : "app") \(id)" }
    public var addressOption: String { "--api" }
    public var busyRemedy: String {
        "Run the command again later, or ask for less with --correlation or a shorter --since."
    }
    public var slowRemedy: String {
        "Try again; if it stays so, check the network and ask for a shorter time with --since and --until."
    }
    public var unknownRemedy: String {
        "The directory does not know the API. Check --api, and that the directory has an Azure subscription with logs."
    }

    public var directory: String { "the directory that owns the Azure subscription, which is not the B2C tenant" }

    // MARK: The table

    /// Names of a table that has the rows, and of its columns.
    struct LogTable {
        var name: String
        var time: String
        var message: String
        var dimensions: String
        /// Further columns that the reader understands, in order.
        var more: [String]
        /// The columns by which rows of the same time are ordered.
        var order: [String]
    }

    var table: LogTable {
        switch kind {
        case .app:
            LogTable(
                name: "traces", time: "timestamp", message: "message", dimensions: "customDimensions",
                more: ["cloud_RoleInstance", "operation_Id", "itemId", "itemCount"], order: ["itemId"])
        case .workspace:
            LogTable(
                name: "AppTraces", time: "TimeGenerated", message: "Message", dimensions: "Properties",
                more: ["AppRoleInstance", "OperationId", "ItemCount"], order: [])
        }
    }
}
