import AuthorityHosting
import Browser
import Diagnostics
import JSON
import Scenarios
import TenantFiles

/// What the settings of a world are by now: the tenant with everything that steps have patched over it.
struct WorldSettings: Sendable {
    /// The tenant as patched so far.
    private(set) var tenant: CompiledTenant
    /// What `configure` with a `client` says about one device or browser, over the tenant file's settings.
    private var devices: [String: JSONValue] = [:]
    private var browsers: [String: JSONValue] = [:]
    /// Settings written in `createClient`, for this client only.
    private var clients: [String: JSONValue] = [:]

    init(tenant: CompiledTenant) {
        self.tenant = tenant
    }

    // MARK: Reading

    /// The app of a client.
    func app(of client: ClientDeclaration) throws(StepProblem) -> AppSettings {
        let name = client.app
        guard var app = tenant.tenant.app(named: name) else {
            throw StepProblem("there is no app `\(name)`; the tenant has \(namesList(tenant.tenant.apps.map(\.name)))")
        }
        if let patch = clients[client.name] {
            let setting: JSONValue = ["apps": [name: ["client": patch]]]
            let changed = tenant.json.merging(patch: setting)
            do throws(InvalidInput) {
                let whole = try Tenant(json: changed)
                try TenantFile.refuseMisplaced(setting, whole: changed, in: whole)
                guard let other = whole.app(named: name) else { return app }
                app.client = other.client
            } catch {
                throw StepProblem(error.diagnostics.map(\.message).joined(separator: "; "))
            }
        }
        return app
    }

    /// The tenant as a client sees it: `configure` with a `client` changes the settings of that client's browser.
    func surroundings(of client: ClientDeclaration) throws(StepProblem) -> Tenant {
        var tenant = tenant.tenant
        tenant.browser = try browser(client.browser)
        return tenant
    }

    /// The settings of a device.
    func device(_ name: String) throws(StepProblem) -> DeviceSettings {
        try patched(devices[name], of: "device").device
    }

    /// The settings of a browser.
    func browser(_ name: String) throws(StepProblem) -> BrowserSettings {
        try patched(browsers[name], of: "browser").browser
    }

    private func patched(_ patch: JSONValue?, of key: String) throws(StepProblem) -> Tenant {
        guard let patch else { return tenant.tenant }
        do throws(InvalidInput) {
            return try Tenant(json: tenant.json.merging(patch: .object(JSONObject([(key, patch)]))))
        } catch {
            throw StepProblem(error.diagnostics.map(\.message).joined(separator: "; "))
        }
    }

    /// A person of the tenant file.
    func person(_ name: String) throws(StepProblem) -> Person {
        guard let record = tenant.tenant.user(named: name) else {
            throw StepProblem(
                "there is no person `\(name)`; the tenant has \(namesList(tenant.tenant.users.map(\.name)))")
        }
        return Person(record: record)
    }

    // MARK: Changes

    /// Lays a patch over the tenant file.
    ///
    /// - Parameter client: The client whose device and browser the patch changes; `nil`: those of all.
    /// - Returns: The part that changes the tenant; `nil` where the patch is about the client's device and browser alone.
    mutating func patch(
        _ patch: JSONValue, for client: ClientDeclaration?
    ) throws(StepProblem) -> JSONValue? {
        guard case .object(var rest) = patch else { throw StepProblem("`configure` takes an object") }
        if let client {
            if let device = rest["device"] {
                devices[client.device] = (devices[client.device] ?? [:]).merging(patch: device)
                rest["device"] = nil
            }
            if let browser = rest["browser"] {
                browsers[client.browser] = (browsers[client.browser] ?? [:]).merging(patch: browser)
                rest["browser"] = nil
            }
        }
        guard !rest.isEmpty else { return nil }
        do throws(InvalidInput) {
            tenant = try tenant.patched(.object(rest))
        } catch {
            throw StepProblem(StepProblem.sentence(error))
        }
        return .object(rest)
    }

    /// Settings of `createClient`, for this client from now on.
    mutating func patch(client name: String, by patch: JSONValue) {
        guard patch.objectValue?.isEmpty == false else { return }
        clients[name] = (clients[name] ?? [:]).merging(patch: patch)
    }

    /// A page accepted what a person set there: their record follows.
    mutating func follow(_ changes: [RecordChange]) {
        for change in changes {
            let record = JSONObject([(change.member, .string(change.value))])
            let users = JSONObject([(change.person, .object(record))])
            if let changed = try? tenant.patched(.object(JSONObject([("users", .object(users))]))) { tenant = changed }
        }
    }
}
