import JSON

/// The settings of an app that signs people in at a server, as text to paste into a file of its stack.
public enum SettingsForm: String, Sendable, CaseIterable {
    case msalBrowser = "msal-browser"
    case appsettings, spring, env

    /// The file that usually has them.
    public var file: String {
        switch self {
        case .msalBrowser: "authConfig.js"
        case .appsettings: "appsettings.json"
        case .spring: "application.properties"
        case .env: ".env"
        }
    }

    /// The text, with a line feed at its end; `nil` for a tenant without policies.
    ///
    /// - Parameter origin: Scheme, host and port of the server, as the app reaches it.
    public func text(for tenant: CompiledTenant, at origin: String) -> String? {
        ServedFacts(tenant, at: origin, kind: self == .msalBrowser ? .msalBrowser : nil).map { text($0) }
    }

    private func text(_ facts: ServedFacts) -> String {
        switch self {
        case .msalBrowser:
            let isPlain = facts.url.hasPrefix("http:")
            let hint = isPlain ? "// MSAL for browsers takes https authorities only: serve with --tls.\n" : ""
            let request: JSONObject = ["scopes": .array(facts.scopes.map { .string($0) })]
            return hint + "export const msalConfig = \(JSONWriter.pretty(.object(facts.browserSettings)));\n"
                + "export const loginRequest = \(JSONWriter.pretty(.object(request)));\n"
        case .appsettings:
            return JSONWriter.pretty(.object(facts.appSettings)) + "\n"
        case .spring:
            return facts.springProperties.map { "\($0)=\($1)\n" }.joined()
        case .env:
            return facts.variables.map { "\($0)=\($1.contains(" ") ? "\"\($1)\"" : $1)\n" }.joined()
        }
    }
}
