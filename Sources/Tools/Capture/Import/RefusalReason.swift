/// Why a page's post was refused, as far as B2C's codes and texts show (Microsoft docs: error-codes,
/// localization-string-ids). The English texts are the service's own, and a policy may have others.
enum RefusalReason {
    case unknownUser, wrongPassword, locked, disabled, wrongCode, other

    init(_ code: String?, _ message: String?) {
        switch code {
        case "AADB2C90053", "AADB2C99002": self = .unknownUser
        case "AADB2C90054", "AADB2C90225": self = .wrongPassword
        case "AADB2C90114": self = .locked
        case "AADB2C90111": self = .disabled
        default:
            let text = (code ?? "").lowercased() + " " + (message ?? "").lowercased()
            if text.contains("seem to find your account") || text.contains("principaldoesnotexist")
                || text.contains("could not be found")
            {
                self = .unknownUser
            } else if text.contains("password is incorrect") || text.contains("password is wrong")
                || text.contains("invalidpassword") || text.contains("invalid username or password")
            {
                self = .wrongPassword
            } else if text.contains("locked") {
                self = .locked
            } else if text.contains("disabled") {
                self = .disabled
            } else if text.contains("code") && (text.contains("incorrect") || text.contains("wrong")) {
                self = .wrongCode
            } else {
                self = .other
            }
        }
    }
}
