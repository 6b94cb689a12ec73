extension ProviderType {
    /// Why the type is refused when used; `nil` when it works.
    var notBuiltYet: String? { self == .saml ? "SAML providers" : nil }
}
