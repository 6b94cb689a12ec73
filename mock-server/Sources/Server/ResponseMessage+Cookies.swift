import Determinism
import HTTPMessages

extension ResponseMessage {
    /// Moves the dates at which cookies end, for a browser whose clock is another than that of the world.
    mutating func moveCookies(by span: TimeSpan) {
        for index in headers.fields.indices where headers.fields[index].name.lowercased() == "set-cookie" {
            let parts = headers.fields[index].value.split(separator: ";", omittingEmptySubsequences: false).map {
                part in
                let pair = part.split(separator: "=", maxSplits: 1)
                guard pair.count == 2, pair[0].drop(while: { $0 == " " }).lowercased() == "expires",
                    let date = Timestamp(httpDate: String(pair[1]))
                else { return String(part) }
                return "\(pair[0])=\((date + span).httpDate)"
            }
            headers.fields[index].value = parts.joined(separator: ";")
        }
    }
}
