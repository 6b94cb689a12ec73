import B2CProtocol
import Determinism
import TenantFiles
import TrustFramework

/// `AzureActiveDirectoryProvider`: reads, writes and deletes users (Microsoft docs: active-directory-technical-profile).
struct DirectoryHandler: ImmediateHandler {
    func run(
        _ call: ProfileCall, in tenancy: inout Tenancy, codes: inout OneTimeCodes, random: inout SeededGenerator
    ) throws(ProfileFailure) -> PartnerClaims {
        guard let input = call.inputs.entries.first else {
            let key = call.profile.inputClaims.first.map { call.journey.policy[$0.claim].id } ?? "the key"
            throw ProfileFailure(
                code: .c90037, message: "A required claim is missing: \(key)",
                detail: "input claim \(key) of \(call.profile.id) has no value")
        }
        guard let key = AccountKey(name: input.name, value: input.value) else {
            throw ProfileFailure(
                code: .c90037, message: "A directory call has a key that does not fit.",
                detail: "\(call.profile.id): the directory has no key \(input.name), or its value does not fit")
        }
        switch (call.profile.metadata["Operation"] ?? "").lowercased() {
        case "read": return try read(key, call, tenancy.directory)
        case "write": return try write(key, call, in: &tenancy.directory, random: &random)
        case "deleteclaims": return try deleteClaims(key, call, in: &tenancy.directory)
        case "deleteclaimsprincipal":
            guard let account = tenancy.directory.find(key) else { throw missing(call) }
            tenancy.sessions.end(of: account.objectID)
            tenancy.directory.delete(account.objectID)
            return PartnerClaims()
        default:
            throw .policyFault(
                .c99011, ["Operation", call.profile.id, call.journey.policy.id],
                detail: "\(call.profile.id): Operation is not one of the directory's")
        }
    }

    private func read(
        _ key: AccountKey, _ call: ProfileCall, _ directory: Directory
    ) throws(ProfileFailure) -> PartnerClaims {
        guard let account = directory.find(key) else {
            if call.profile.metadata.bool("RaiseErrorIfClaimsPrincipalDoesNotExist", default: false) {
                throw missing(call)
            }
            return PartnerClaims()
        }
        return try outputs(of: account, call, directory)
    }

    /// The account's attributes under the names that the output claims ask for.
    private func outputs(
        of account: Account, _ call: ProfileCall, _ directory: Directory
    ) throws(ProfileFailure) -> PartnerClaims {
        var returned = PartnerClaims()
        for output in call.profile.outputClaims where !output.alwaysUseDefaultValue {
            if !directory.hasExtensionsApp, output.wireName.lowercased().hasPrefix("extension_") {
                throw extensionsAppMissing(call)
            }
            let type = call.journey.policy[output.claim].dataType
            if let value = directory.value(output.wireName, of: account, as: type) {
                returned.append(output.wireName, value)
            }
        }
        return returned
    }

    private func write(
        _ key: AccountKey, _ call: ProfileCall, in directory: inout Directory, random: inout SeededGenerator
    ) throws(ProfileFailure) -> PartnerClaims {
        let metadata = call.profile.metadata
        let existing = directory.find(key)
        if existing != nil, metadata.bool("RaiseErrorIfClaimsPrincipalAlreadyExists", default: false) {
            throw exists(call)
        }
        if existing == nil, metadata.bool("RaiseErrorIfClaimsPrincipalDoesNotExist", default: false) {
            throw missing(call)
        }
        if existing == nil, case .objectID = key {
            // A policy cannot choose the id of a new account.
            throw missing(call)
        }
        var account = existing ?? Account(objectID: random.guid(), at: call.journey.now)
        do throws(Directory.DirectoryRefusal) {
            try fill(&account, call, in: &directory)
            if existing == nil { account = try directory.create(account) } else { try directory.replace(account) }
        } catch {
            throw refusal(error, call)
        }
        var returned = try outputs(of: account, call, directory)
        returned.append("newClaimsPrincipalCreated", .boolean(existing == nil))
        return returned
    }

    /// Writes the persisted claims. The password goes last: its rule depends on `passwordPolicies`.
    private func fill(
        _ account: inout Account, _ call: ProfileCall, in directory: inout Directory
    ) throws(Directory.DirectoryRefusal) {
        let entries = call.persisted.entries
        // Sign-in names are written together: a kind that is not among them goes (inferred).
        let kinds = entries.map { $0.name.lowercased() }.filter { $0.hasPrefix("signinnames.") }.map {
            $0.dropFirst(12)
        }
        if !kinds.isEmpty { account.signInNames.removeAll { !kinds.contains($0.type.lowercased()[...]) } }
        for entry in entries where !sameID(entry.name, "password") {
            let claim = call.profile.persistedClaims.first { $0.claim == entry.claim }
            if let claim, !claim.overwriteIfExists, account.stored(entry.name) != nil { continue }
            let isEmpty = entry.value.text?.isEmpty == true
            if isEmpty, UserFlowAttribute.refusesEmptyText(entry.name) { throw .emptyValue(entry.name) }
            // Any other attribute is removed by an empty text.
            let value: ClaimValue? = isEmpty ? nil : entry.value
            try directory.write(entry.name, value, to: &account, at: call.journey.now)
        }
        for entry in entries where sameID(entry.name, "password") {
            try directory.write(entry.name, entry.value, to: &account, at: call.journey.now)
        }
    }

    private func deleteClaims(
        _ key: AccountKey, _ call: ProfileCall, in directory: inout Directory
    ) throws(ProfileFailure) -> PartnerClaims {
        guard var account = directory.find(key) else { throw missing(call) }
        let keyClaim = call.profile.inputClaims.first?.claim
        do throws(Directory.DirectoryRefusal) {
            for persisted in call.profile.persistedClaims where persisted.claim != keyClaim {
                try directory.write(persisted.wireName, nil, to: &account, at: call.journey.now)
            }
            try directory.replace(account)
        } catch {
            throw refusal(error, call)
        }
        return PartnerClaims()
    }

    // MARK: Failures

    private func missing(_ call: ProfileCall) -> ProfileFailure {
        ProfileFailure(
            code: .c99002, messageKey: "UserMessageIfClaimsPrincipalDoesNotExist",
            message: "We can't seem to find your account.", oauthError: OAuthErrorName.serverError,
            detail: "\(call.profile.id): no such user")
    }

    private func exists(_ call: ProfileCall) -> ProfileFailure {
        var failure = ProfileFailure(
            code: .c99001, messageKey: "UserMessageIfClaimsPrincipalAlreadyExists",
            message: "A user with the specified ID already exists. Please choose a different one.",
            inserts: [call.profile.id],
            detail: "\(call.profile.id): the user exists already")
        // A policy's text for a page takes no values.
        failure.messageInserts = []
        return failure
    }

    private func extensionsAppMissing(_ call: ProfileCall) -> ProfileFailure {
        .policyFault(
            .c99006, [call.profile.metadata["ClientId"] ?? ""],
            detail: "\(call.profile.id): custom attributes need the extensions app, and it is gone")
    }

    private func refusal(_ refusal: Directory.DirectoryRefusal, _ call: ProfileCall) -> ProfileFailure {
        switch refusal {
        case .taken: return exists(call)
        case .noExtensionsApp: return extensionsAppMissing(call)
        case .weakPassword:
            return ProfileFailure(
                messageKey: "UserMessageIfInvalidPassword",
                message: "The password does not meet the directory's rules.",
                detail: "\(call.profile.id): the password is too weak")
        case .emptyValue(let name):
            // That the page says so, and its words, are inferred: what the service answers is not documented.
            return ProfileFailure(
                message: "\(name) cannot be empty.",
                detail: "\(call.profile.id): \(name) cannot be an empty text")
        case .badValue(let name):
            return ProfileFailure(
                code: .c90037, message: "A value does not fit the directory.",
                detail: "\(call.profile.id): the value of \(name) does not fit")
        case .notWritable(let name):
            return ProfileFailure(
                code: .c90037, message: "The directory cannot be written so.",
                detail: "\(call.profile.id): \(name) cannot be written")
        }
    }
}

extension Account {
    /// The same account under another id and name.
    init(adopting draft: Account, id: GUID, person: String) {
        self.init(objectID: id, at: draft.createdAt)
        self.person = person
        signInNames = draft.signInNames
        identities = draft.identities
        attributes = draft.attributes
        password = draft.password
        accountEnabled = draft.accountEnabled
        forcePasswordChange = draft.forcePasswordChange
        passwordChangedAt = draft.passwordChangedAt
        refreshTokensValidFrom = draft.refreshTokensValidFrom
        revision = draft.revision
    }
}
