import Diagnostics

extension SecretKind {
    /// Below this many characters a secret is masked only where one is expected, not wherever the same text occurs.
    var shortestEverywhere: Int { self == .code ? 4 : 6 }
}
