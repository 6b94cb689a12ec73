import Records

/// When an API reads the signing keys.
public enum KeyReading: String, SettingWord {
    case onUnknown, atStart, everyTime

    public var doc: String {
        switch self {
        case .onUnknown: "At the first token, again when their life is over, and when a token names an unknown key."
        case .atStart: "Once."
        case .everyTime: "For every token."
        }
    }
}
