import B2CProtocol
import Diagnostics
import JSON
import TenantFiles

/// Checks what tenant files say of apps: their redirect URIs, and whether app and registration agree. And of lifetimes,
/// which the service limits. That the files
/// are well written is the business of `b2c check`, whose findings are next to these.
enum TenantSubject {
    static func findings(_ project: Project) -> [Finding] {
        project.files(.tenant).flatMap(findings(of:))
    }

    private static func findings(of file: ProjectFile) -> [Finding] {
        guard let document = file.document, let tenant = try? Tenant(json: document.root) else { return [] }
        var all = LifetimeLimits.findings(in: document.root).map { finding in
            Finding(
                LifetimeLimits.rule, finding.message, remedy: finding.remedy,
                at: document.location(of: finding.pointer))
        }
        for app in tenant.apps {
            let base = JSONPointer(tokens: ["apps", app.name])
            let uris = base.appending("registration").appending("redirectUris")
            let isWritten = document.root.value(at: uris) != nil
            var placed: [PlacedURI] = []
            for platform in RedirectPlatform.allCases {
                for (index, uri) in app.registration.redirectUris[platform].enumerated() {
                    let own = uris.appending(platform.rawValue).appending(index)
                    let location = isWritten ? document.location(of: own) : nil
                    placed.append(PlacedURI(uri: uri, platform: platform, location: location))
                }
            }
            if isWritten { all += RedirectURIs.findings(placed, clientID: app.client.clientId) }
            let sent = base.appending("client").appending("redirectUri")
            if document.root.value(at: sent) != nil {
                let location = document.location(of: sent)
                let own = PlacedURI(
                    uri: app.client.redirectUri, platform: app.client.kind.traits.platformType, location: location)
                all += RedirectURIs.findings(of: own, clientID: app.client.clientId)
                if isWritten {
                    all += RedirectURIs.agreement(
                        sent: app.client.redirectUri, at: location, registered: placed,
                        where: "the registration of \(app.name)")
                }
            }
        }
        return all
    }
}
