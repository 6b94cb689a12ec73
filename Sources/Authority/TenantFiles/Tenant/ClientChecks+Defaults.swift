import B2CProtocol

extension PolicyType {
    /// The types that can run; the others are refused by name when a scenario uses them.
    public static let supported: [PolicyType] = [
        .signUpOrSignIn, .signIn, .signUp, .profileEditing, .passwordReset, .ropc, .custom,
    ]
}

extension RedirectURISets {
    /// All registered URIs with their platform types: native, single-page, web.
    public var all: [(uri: String, platform: RedirectPlatform)] {
        native.map { ($0, .native) } + spa.map { ($0, .spa) } + web.map { ($0, .web) }
    }

    /// The URIs of one platform type.
    public subscript(platform: RedirectPlatform) -> [String] {
        get {
            switch platform {
            case .native: native
            case .spa: spa
            case .web: web
            }
        }
        set {
            switch platform {
            case .native: native = newValue
            case .spa: spa = newValue
            case .web: web = newValue
            }
        }
    }
}
