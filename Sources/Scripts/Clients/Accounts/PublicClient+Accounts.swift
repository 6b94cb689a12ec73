import B2CProtocol
import Determinism
import HTTPMessages
import JSON
import Verbs

/// Which accounts an enumeration wants (MSALAccountEnumerationParameters); what is not said does not matter.
public struct AccountFilter: Sendable, Hashable {
    /// The whole identifier, letter case ignored.
    public var identifier: String?
    /// The user name, letter case ignored.
    public var username: String?
    /// The policy, by its name in the tenant file.
    public var policy: String?

    /// A filter of these parts.
    public init(identifier: String? = nil, username: String? = nil, policy: String? = nil) {
        self.identifier = identifier
        self.username = username
        self.policy = policy
    }
}

extension PublicClient {
    /// `allAccounts()` and its filtered relatives: `{accounts}`. The library's order is undefined; here it is that of
    /// arrival.
    public func accounts(_ filter: AccountFilter = AccountFilter()) -> ClientOutcome {
        var events = EventLog()
        if configuration.isSingleAccount {
            return failed(
                .notOffered(by: "MSAL for Android", "account_mode SINGLE has currentAccount, and no list"), events,
                queue: .caller)
        }
        if case .failure(let error) = started(&events) { return failed(error, events, queue: .caller) }
        if let username = filter.username, username.allSatisfy(\.isWhitespace) {
            // account(forUsername:) has no converter.
            let error = LibraryError(.invalidInternalParameter, "The user name is blank.")
            return failed(
                thrown(ErrorConverter.unconverted(error, kind: .configuration)), events, queue: .caller)
        }
        do throws(LibraryError) {
            let letterCaseCounts = has(.comparesIdentifierCase)
            let found = try signedInAccounts(&events) { filter.fits($0, letterCaseCounts: letterCaseCounts) }
            return succeeded(Accounts.Returned(accounts: found.map(\.result)), events, queue: .caller)
        } catch {
            return failed(thrown(ErrorConverter.convert(error, correlationID: nil)), events, queue: .caller)
        }
    }

    /// `getCurrentAccount(with:completionBlock:)`: `{current, previous}`.
    ///
    /// The account reported last is remembered in the account metadata. With more than one account signed in, as after
    /// signing in through two policies, the call fails.
    public func currentAccount() -> ClientOutcome {
        var events = EventLog()
        if let problem = library.currentAccountProblem(configuration) {
            return failed(problem, events, queue: .background)
        }
        if case .failure(let error) = started(&events) { return failed(error, events, queue: .background) }
        do throws(LibraryError) {
            let all = try signedInAccounts(&events)
            guard all.count < 2 else {
                throw LibraryError(
                    .cacheMultipleUsers,
                    "\(all.count) accounts are signed in: \(all.map(\.identifier).joined(separator: ", ")).")
            }
            let record = try cache.metadata(&events)
            let previous = try principal(record, &events)
            let current = all.first
            if record?.principalHomeAccountID != current?.identifier {
                _ = cache.changeMetadata(&events) { record in
                    record.principalHomeAccountID = current?.identifier
                    record.principalUsername = current?.username
                    record.principalEnvironment = current?.environment
                }
            }
            return succeeded(
                CurrentAccount.Returned(current: current?.result, previous: previous?.result), events,
                queue: .background)
        } catch {
            return failed(ErrorConverter.convert(error, correlationID: nil), events, queue: .background)
        }
    }

    /// `remove(_:)`: the account's tokens of this app go, its record stays and counts as signed out. Nothing is sent,
    /// and the browser's session lives on. Without an account nothing happens.
    public func removeAccount(_ choice: AccountChoice) -> ClientOutcome {
        var events = EventLog()
        if case .failure(let error) = started(&events) { return failed(error, events, queue: .caller) }
        switch resolve(choice, unsaidMeansOnly: true, &events) {
        case .failure(let error): return failed(thrown(error), events, queue: .caller)
        case .success(nil): return succeeded(NoResult(), events, queue: .caller)
        case .success(let account?):
            do throws(LibraryError) {
                try removeLocally(
                    account, ofAllClients: false, wipesAccount: library.forgetsRemovedAccounts, &events)
                return succeeded(NoResult(), events, queue: .caller)
            } catch {
                return failed(thrown(ErrorConverter.convert(error, correlationID: nil)), events, queue: .caller)
            }
        }
    }

    /// `getDeviceInformation(with:)`: `{deviceMode}`. Apps that cannot use a broker, as all of B2C, are refused.
    public func deviceInformation() -> ClientOutcome {
        var events = EventLog()
        switch started(&events) {
        case .failure(let error): return failed(error, events, queue: .background)
        case .success(let redirect):
            guard redirect.isBrokerCapable, configuration.authorityKind == .aad else {
                var error = ClientError(
                    .configuration, domain: MSALErrorTable.domain, code: .number(MSALErrorTable.catchAll),
                    name: MSALErrorTable.entry(MSALErrorTable.catchAll)?.name,
                    description: "Device information needs a redirect URI that a broker can answer to.")
                error.internalCode = -42714
                error.internalName = MSALInternalErrorTable.name(-42714)
                return failed(error, events, queue: .background)
            }
            return succeeded(
                DeviceInformation.Returned(deviceMode: device.settings.mode.rawValue), events, queue: .background)
        }
    }

    // MARK: Helpers

    /// The error of a call without completion handler: `allAccounts()`, `remove(_:)` and their relatives throw in Swift.
    private func thrown(_ error: ClientError) -> ClientError {
        library.throwsInCalls ? error.asThrown() : error
    }

    /// The accounts enumeration gives, with the claims of their ID tokens. The library looks up the ID token of each account;
    /// it is read for those alone that are given.
    ///
    /// - Parameters:
    ///   - withClaims: `false` where nothing of the claims is asked.
    ///   - fits: Which accounts are given. It sees them without claims.
    func signedInAccounts(
        _ events: inout EventLog, withClaims: Bool = true, where fits: (MSALAccount) -> Bool = { _ in true }
    ) throws(LibraryError) -> [MSALAccount] {
        var accounts: [MSALAccount] = []
        for record in try cache.accounts(includingSignedOut: false, &events) {
            let token = try idToken(of: record, &events)
            let account = processor.account(record, claims: nil)
            guard fits(account) else { continue }
            accounts.append(withClaims ? processor.account(record, claims: Self.claims(token)) : account)
        }
        return accounts
    }

    private func account(_ record: AccountItem, _ events: inout EventLog) throws(LibraryError) -> MSALAccount {
        let token = try idToken(of: record, &events)
        return processor.account(record, claims: Self.claims(token))
    }

    private func idToken(of record: AccountItem, _ events: inout EventLog) throws(LibraryError) -> IDTokenItem? {
        try cache.idToken(
            home: record.homeAccountID, environments: [record.environment], realm: record.realm, &events)
    }

    private static func claims(_ token: IDTokenItem?) -> JSONObject? {
        token.flatMap { TokenProcessor.claims(of: $0.secret) }
    }

    /// The account reported last, also when it has been signed out since.
    private func principal(_ record: AccountMetadataItem?, _ events: inout EventLog) throws(LibraryError)
        -> MSALAccount?
    {
        guard let home = record?.principalHomeAccountID else { return nil }
        if let item = try cache.accountRecords(home: home, &events).first { return try account(item, &events) }
        var known = MSALAccount(
            identifier: home, environment: record?.principalEnvironment ?? "", username: record?.principalUsername)
        known.policy = configuration.policyName(ofObjectID: known.objectID)
        return known
    }

    /// The account a call means.
    ///
    /// - Parameter unsaidMeansOnly: Whether saying nothing means the client's only account, or none.
    func resolve(
        _ choice: AccountChoice, unsaidMeansOnly: Bool, _ events: inout EventLog
    ) -> Result<MSALAccount?, ClientError> {
        do throws(LibraryError) {
            switch choice {
            case .none: return .success(nil)
            case .object(let account): return .success(account)
            case .identifier(let identifier):
                let home = identifier.lowercased()
                if let item = try cache.accountRecords(home: home, &events).first {
                    return .success(try account(item, &events))
                }
                let environment = (try? configuration.ownAuthority().get().environment) ?? ""
                return .success(MSALAccount(identifier: home, environment: environment))
            case .unsaid:
                guard unsaidMeansOnly else { return .success(nil) }
                return only(try signedInAccounts(&events), "The call names no account")
            case .selected(let policy, let username, let objectID):
                let filter = AccountFilter(username: username, policy: policy)
                let fitting = try signedInAccounts(&events) { account in
                    filter.fits(account)
                        && (objectID.map { account.objectID.hasPrefix($0.lowercased()) } ?? true)
                }
                return only(fitting, "The selection does not name one account")
            }
        } catch {
            return .failure(ErrorConverter.convert(error, correlationID: nil))
        }
    }

    private func only(_ accounts: [MSALAccount], _ problem: String) -> Result<MSALAccount?, ClientError> {
        guard accounts.count > 1 else { return .success(accounts.first) }
        let names = accounts.map { account in
            account.policy.map { "\(account.identifier) (policy \($0))" } ?? account.identifier
        }
        return .failure(
            ClientError(
                .noAccount, domain: "b2c", code: "ambiguousAccount",
                description: "\(problem), and \(accounts.count) are signed in: \(names.joined(separator: ", "))."))
    }

    /// Removes an account from the cache and marks it signed out.
    func removeLocally(
        _ account: MSALAccount, ofAllClients: Bool, wipesAccount: Bool, _ events: inout EventLog
    ) throws(LibraryError) {
        let home = account.identifier.lowercased()
        try cache.removeCredentials(home: home, ofAllClients: ofAllClients, wipeAccounts: wipesAccount, &events)
        markSignedOut(home, &events)
    }

    /// Marks an account signed out and forgets which authorities its tokens lived under.
    func markSignedOut(_ home: String, _ events: inout EventLog) {
        _ = cache.changeMetadata(&events) { record in
            record.change(home) { entry in
                entry.state = .signedOut
                entry.urlMap = []
            }
        }
    }
}

extension AccountFilter {
    func fits(_ account: MSALAccount, letterCaseCounts: Bool = false) -> Bool {
        func same(_ wanted: String?, _ found: String?) -> Bool {
            wanted == nil || wanted?.lowercased() == found?.lowercased()
        }
        if letterCaseCounts, let identifier, identifier != account.identifier { return false }
        return same(identifier, account.identifier) && same(username, account.username)
            && (policy == nil || policy == account.policy)
    }
}
