import Journeys

extension JourneyFailure {
    /// What apps get to read, and behind it what only the log has: which technical profile or claim it is about.
    var told: String {
        detail.isEmpty || text.contains(detail) || detail.contains(text) ? text : "\(text) (\(detail))"
    }
}
