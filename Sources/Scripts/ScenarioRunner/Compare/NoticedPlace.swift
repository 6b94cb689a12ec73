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
        case account, idToken, accessToken, tokenResponse, error

        fileprivate var text: String {
            switch self {
            case .page(let name): "page \(name)"
            case .message(let kind): "message \(kind)"
            case .call(let request): request
            case .account: "account"
            case .idToken: "ID token"
            case .accessToken: "access token"
            case .tokenResponse: "token response"
            case .error: "error"
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

        /// The words of all details of its kind, and its own.
        fileprivate var words: (kind: String, own: String) {
            switch self {
            case .member(let name): ("", name)
            case .field(let id, let member): ("field \(id), ", member)
            case .parameter(let name, let part): ("\(part) ", name)
            case .attribute(let name): ("attribute ", name)
            case .claim(let name): ("claim ", name)
            case .header(let name): ("header ", name)
            case .lifetime: ("seconds until it expires", "")
            case .template: ("", "template")
            case .layout: ("page layout", "")
            case .keepMeSignedIn: ("keep me signed in", "")
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
        case .detail(let detail, let owner): "\(owner.text), \(detail.words.kind)\(detail.words.own)"
        }
    }

    /// What details of one kind have in common, such as all claims of an ID token; `nil`: it is not a detail.
    public var group: [String]? {
        if case .detail(let detail, let owner) = self { [owner.text, detail.words.kind] } else { nil }
    }

    /// Who notices a change there.
    public var party: NoticedChange.Observer {
        switch self {
        case .pages, .messages, .detail(_, of: .page), .detail(_, of: .message): .person
        case .calls, .detail(_, of: .call): .service
        case .writes, .detail(_, of: .account): .directory
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
