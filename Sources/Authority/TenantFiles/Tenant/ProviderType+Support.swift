extension ProviderType {
    /// Why the type is refused when used; `nil` when it works.
    package var notBuiltYet: String? { self == .saml ? "SAML providers" : nil }
}
