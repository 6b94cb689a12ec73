import JSON

/// Where a change is noticed.
public enum NoticedPlace: Sendable, Hashable {
    /// Which records there are, in their order.
    case pages, messages, calls, writes
    /// How the step ends.
    case end
    case detail(Detail, of: Owner)

    /// What a detail belongs to.
    public enum Owner: Sendable, Hashable {
        /// By its name and technical profile.
        case page(String)
        /// By its kind.
        case message(String)
        /// By its method and URL.
        case call(String)
        case write, idToken, accessToken, tokenResponse, error

        /// What a list of records shows.
        var name: String {
            switch self {
            case .page(let name), .message(let name), .call(let name): name
            case .write: "write"
            case .idToken: "ID token"
            case .accessToken: "access token"
            case .tokenResponse: "token response"
            case .error: "error"
            }
        }

        fileprivate var text: String {
            switch self {
            case .page: "page \(name)"
            case .message: "message \(name)"
            case .write: "account"
            default: name
            }
        }
    }

    /// One fact of an owner.
    public enum Detail: Sendable, Hashable {
        case member(String)
        case field(id: String, member: String)
        /// Of the `query`, `json` or `form` of a call.
        case parameter(String, in: String)
        case attribute(String)
        case claim(String)
        case header(String)
        /// The seconds until a token expires.
        case lifetime
        /// What a page shows and its record does not have.
        case template, layout, keepMeSignedIn

        fileprivate var text: String {
            switch self {
            case .member(let name): name
            case .field(let id, let member): "field \(id), \(member)"
            case .parameter(let name, let part): "\(part) \(name)"
            case .attribute(let name): "attribute \(name)"
            case .claim(let name): "claim \(name)"
            case .header(let name): "header \(name)"
            case .lifetime: "seconds until it expires"
            case .template: "template"
            case .layout: "page layout"
            case .keepMeSignedIn: "keep me signed in"
            }
        }

        /// The detail without its own name.
        fileprivate var kind: Detail {
            switch self {
            case .member, .template: .member("")
            case .field(let id, _): .field(id: id, member: "")
            case .parameter(_, let part): .parameter("", in: part)
            case .attribute: .attribute("")
            case .claim: .claim("")
            case .header: .header("")
            case .lifetime, .layout, .keepMeSignedIn: self
            }
        }
    }

    /// Such as `page signUp, field city, label` or `ID token, claim email`.
    public var text: String {
        switch self {
        case .pages: "pages"
        case .messages: "messages"
        case .calls: "calls"
        case .writes: "writes"
        case .end: "end"
        case .detail(let detail, let owner): "\(owner.text), \(detail.text)"
        }
    }

    /// What details of one kind have in common, such as all claims of an ID token; `nil`: it is not a detail.
    public var group: NoticedPlace? {
        guard case .detail(let detail, let owner) = self else { return nil }
        return .detail(detail.kind, of: owner)
    }

    /// Who notices a change there.
    public var party: NoticedChange.Party {
        switch self {
        case .pages, .messages, .detail(_, of: .page), .detail(_, of: .message): .person
        case .calls, .detail(_, of: .call): .service
        case .writes, .detail(_, of: .write): .directory
        case .end, .detail: .app
        }
    }
}

/// Facts by place, in the order in which they were found.
struct NoticedFacts {
    private(set) var places: [NoticedPlace] = []
    private var values: [NoticedPlace: JSONValue] = [:]

    subscript(place: NoticedPlace) -> JSONValue? {
        get { values[place] }
        set {
            guard let newValue else { return }
            if values.updateValue(newValue, forKey: place) == nil { places.append(place) }
        }
    }
}
