/// Where a technical profile, a claims transformation or an orchestration step has the value of a claim from; ``meaning``
/// says what each is.
public enum ClaimOrigin: String, Sendable, Hashable, CaseIterable {
    case answer, page, `default`, session, hint, bag

    /// What it means, for references.
    public var meaning: String {
        switch self {
        case .answer: "what the handler returned or the transformation made"
        case .page: "what the person entered on the page"
        case .default: "the default value in the policy"
        case .session: "what the session kept"
        case .hint: "a claim of the `id_token_hint`"
        case .bag: "the claims bag: the claim is handed on unchanged"
        }
    }
}
