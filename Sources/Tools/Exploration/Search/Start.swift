import Determinism
import JSON
import Journeys

extension Explorer {
    /// Who comes, and to what.
    struct Start: Sendable {
        var person: TestPerson
        var tenancy: Tenancy
        var session: SessionID?
        /// The issue that this person comes after.
        var after: Int?
        var words: String
        var password: String?
        /// Who is signed in in the browser, where that is not the person who comes.
        var signedIn: TestPerson?
        /// Accounts of the person, and those of other people.
        var objectIDs: [GUID]
        var others: [GUID] = []
        /// The request that the sign-in begins with.
        var request = RequestClass()
        /// How the policy is asked: by a sign-in, a refresh token, a password.
        var entry = JourneyEntry.signIn
        /// What a refresh token stands for.
        var refresh: RefreshIdentity?
        /// What an administrator did since the person came last.
        var administered: Directory.AdministratorAct?
        /// The policy of the set that the session comes from, by id.
        var origin: String?
        /// The time when the person comes.
        var now: Timestamp
        /// Beside the plain ways: it is explored after them.
        var isExtra = false

        /// Whether it is one of the plain ways: a sign-in to which nothing was done before.
        var isUsual: Bool { !isExtra && entry == .signIn }

        /// The account of the refresh token does not exist any more.
        var isAccountGone: Bool { refresh.flatMap { GUID($0.identity) }.map { tenancy.directory[$0] == nil } ?? false }

        /// How many accounts there were.
        var count: Int { objectIDs.count + others.count }

        /// Whose account a token is of.
        func owner(of id: GUID?) -> Exploration.Owner {
            guard let id else { return .nobody }
            if objectIDs.contains(id) { return .own }
            return others.contains(id) ? .other : .new
        }

        /// An administrator acts on accounts of the person.
        mutating func administer(_ accounts: [Account], _ act: Directory.AdministratorAct) {
            for account in accounts { tenancy.directory.administer(account.objectID, act, at: now) }
            _ = tenancy.directory.drainTouched()
            administered = act
            if case .resetPassword(let password) = act {
                person.record["password"] = .string(password)
                self.password = password
            }
            if case .delete = act {
                objectIDs = []
                person.hasAccount = false
            }
        }

        /// The second person comes in place of the first.
        mutating func giveWay(to second: TestPerson, request: RequestClass) {
            signedIn = person
            person = second
            (objectIDs, others) = (others, objectIDs)
            password = second.text("password")
            self.request = request
        }

        /// What is known of the person when they come.
        var facts: PathFacts {
            var facts = PathFacts()
            if person.hasAccount, let email = person.text("email") { facts.proved.insert(email.lowercased()) }
            // What the directory has is known to be the person's; in a session it is that of the person who left the session.
            let known = objectIDs + (session == nil ? [] : others)
            for account in known.compactMap({ tenancy.directory[$0] }) {
                for text in account.texts where text.contains("@") { facts.proved.insert(text.lowercased()) }
            }
            // What the request itself causes says nothing about the policy.
            if request.isFaulty { facts.isFaulted = true }
            if request.hint != nil || entry != .signIn { facts.isProved = true }
            for text in (request.hint?.members ?? []).compactMap(\.value.stringValue) where text.contains("@") {
                facts.proved.insert(text.lowercased())
            }
            return facts
        }
    }
}

extension Account {
    /// The sign-in names and the texts of the attributes.
    var texts: [String] {
        signInNames.map(\.value) + attributes.flatMap { $0.value.listValue ?? [$0.value.text].compactMap(\.self) }
    }
}
