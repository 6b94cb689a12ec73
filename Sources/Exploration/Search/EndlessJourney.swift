import Journeys

extension JourneyFailure {
    /// What apps get to read, and behind it what only the log has where the text says nothing of it: a journey that never
    /// stops.
    var told: String { detail.contains("without a stop") ? "\(text) (\(detail))" : text }
}
