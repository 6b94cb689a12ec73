import Determinism
import Foundation

extension WallClock {
    /// Now as certificates want it.
    func date() -> Date { Date(timeIntervalSince1970: Double(now().milliseconds) / 1000) }
}
