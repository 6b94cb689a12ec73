import JSON

/// What the value of a claim says of a person. The raw value is its name in the record of a person.
package enum ClaimPurpose: String, Sendable {
    case email, phone, username, displayName, givenName, surname, city, country, postalCode, jobTitle
    /// A name of any kind that an account signs in with.
    case signInName
    /// What an identity provider distinguishes its users by.
    case subject
    case birthDate
    /// A number of a kind that nothing says.
    case number

    /// The member of a person's record that has the value. An address signs in where a name of any kind does.
    package var key: String { self == .signInName ? Self.email.rawValue : rawValue }

    /// The purpose of an attribute of the directory; `nil` for one that says nothing that somebody would type.
    package init?(attribute name: String) {
        let name = name.lowercased()
        if name.hasSuffix("phonenumber") || name == "mobilephone" {
            self = .phone
        } else if name.contains("email") || name == "othermails" {
            self = .email
        } else if name == "signinnames" {
            self = .signInName
        } else if name.hasPrefix("signinnames.") {
            self = .username
        } else if let purpose = Self.personal.first(where: { sameID($0.rawValue, name) }) {
            self = purpose
        } else {
            return nil
        }
    }

    /// The purpose of a claim under the name that a protocol or a service has for it, such as `given_name`.
    package init?(partner name: String) {
        guard let purpose = Self.protocolName(name) ?? Self(spelled: name) else { return nil }
        self = purpose
    }

    /// The name of a claim on the wire as it is compared: the last part of one that is an address, as in older tokens of
    /// Entra, in lower case without punctuation.
    package static func plain(_ name: String) -> String {
        (name.split(separator: "/").last ?? "").lowercased().filter { $0.isLetter || $0.isNumber }
    }

    /// What the protocols and the providers themselves define.
    package static func protocolName(_ name: String) -> ClaimPurpose? {
        switch plain(name) {
        case "email", "emails", "mail", "emailaddress", "verifiedemail": .email
        case "upn", "preferredusername", "uniquename", "username", "login", "signinname": .signInName
        case "name", "displayname", "fullname": .displayName
        case "givenname", "firstname", "given": .givenName
        case "familyname", "lastname", "surname", "sn": .surname
        case "birthdate", "dateofbirth", "birthday", "dob": .birthDate
        case "phonenumber", "mobile", "phone", "mobilenumber", "telephonenumber": .phone
        case "city": .city
        case "country": .country
        case "postalcode": .postalCode
        case "sub", "oid", "id", "userid", "uid", "nameid", "objectidentifier", "personid", "pid": .subject
        // Numbers of people, as national identity providers give them.
        case "ssn", "cpr", "hetu", "personnummer", "nin": .number
        default: nil
        }
    }

    /// What the id of a claim lets a reader guess. Ids are the policy's own and mean nothing to it, so this comes last, for
    /// claims that the policy only shows, passes on and puts into a token: with nothing else to go by, a person at the page
    /// reads the name too.
    init?(spelled id: String) {
        let id = id.lowercased()
        guard let found = Self.spellings.first(where: { id.contains($0.part) }) else { return nil }
        self = found.purpose
    }

    /// Purposes that do not say what form the value has: an address, a number or another text.
    static let vague: Set<ClaimPurpose> = [.signInName, .subject, .number]

    private static let personal: [ClaimPurpose] = [
        .displayName, .givenName, .surname, .city, .country, .postalCode, .jobTitle,
    ]

    /// The first that fits counts.
    private static let spellings: [(part: String, purpose: ClaimPurpose)] =
        [
            ("issueruserid", .subject), ("socialidpuserid", .subject), ("numericuserid", .subject), ("mail", .email),
            ("phone", .phone), ("mobile", .phone), ("nationalnumber", .phone), ("username", .username),
            ("userid", .username), ("nickname", .username), ("login", .username), ("signinname", .signInName),
            ("logonidentifier", .signInName), ("number", .number),
        ] + personal.map { ($0.rawValue.lowercased(), $0) }
}

extension DataType {
    /// A value of the type, for what services make up; `nil` where it is a text or a list.
    package var example: JSONValue? {
        switch self {
        case .boolean: true
        case .int, .long: 1
        case .date: "1990-05-17"
        case .dateTime: "1990-05-17T00:00:00Z"
        default: .none
        }
    }
}
