import JSON

/// The variables that libraries and templates of a stack read.
public enum EnvironmentPreset: String, Sendable, CaseIterable {
    case dotnet, node, python, spring

    /// The variables for an app that is configured with a server.
    public func variables(_ facts: ServedFacts) -> [(String, String)] {
        switch self {
        case .dotnet:
            // Templates call the section AzureAdB2C, and AzureAd where there is one alone.
            var settings = facts.appSettings
            settings["AzureAd"] = settings["AzureAdB2C"]
            return settings.members.flatMap { Self.variables($0.key, $0.value) }
        case .node:
            // As the B2C samples of MSAL Node name them: the library itself reads none.
            var list = [
                ("APP_CLIENT_ID", facts.clientID), ("SIGN_UP_SIGN_IN_POLICY_AUTHORITY", facts.authority),
                ("AUTHORITY_DOMAIN", facts.url),
            ]
            if let redirect = facts.redirectURI { list.append(("APP_REDIRECT_URI", redirect)) }
            return list
        case .python:
            // As the B2C samples of MSAL Python name their settings: the library itself reads none.
            return [
                ("CLIENT_ID", facts.clientID), ("AUTHORITY", facts.authority),
                ("SCOPE", facts.scopes.joined(separator: " ")), ("SIGNUPSIGNIN_USER_FLOW", facts.policy ?? ""),
            ]
        case .spring:
            // Spring Boot reads a property from a variable of this name too.
            return facts.springProperties.map { name, value in
                (name.replacing(".", with: "_").replacing("-", with: "_").uppercased(), value)
            }
        }
    }

    /// A member of `appsettings.json` as variables: names of sections and places in lists with `__` between them.
    private static func variables(_ name: String, _ value: JSONValue) -> [(String, String)] {
        if let section = value.objectValue {
            return section.members.flatMap { variables("\(name)__\($0.key)", $0.value) }
        }
        if let list = value.arrayValue {
            return list.enumerated().flatMap { variables("\(name)__\($0.offset)", $0.element) }
        }
        return [(name, value.stringValue ?? JSONWriter.compact(value))]
    }
}
