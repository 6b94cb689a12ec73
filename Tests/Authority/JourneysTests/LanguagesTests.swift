import Journeys
import Testing

/// Languages of a browser.
@Suite struct LanguagesTests {
    @Test(
        arguments: [
            ("de", ["de"]), ("fr;q=0.9, de;q=0.8, en;q=0.85", ["fr", "en", "de"]), ("de;q=0, en", ["en"]),
            ("en;q=0.5, de;q=9223372036854775807", ["de", "en"]),
            ("en;q=0.5, de;q=99999999999999999999999999", ["de", "en"]),
            ("en;q=0.5, de;q=9223372036854775807.9223372036854775807", ["de", "en"]),
            ("de;q=-9223372036854775808, en", ["en"]), ("de;q=0.-9, en", ["en"]), ("de;q=.5, en;q=.6", ["en", "de"]),
            ("de;q=, en", ["en"]), ("de;q=NaN, en;q=1e308", []), ("de;q=0.0009, en;q=0.1", ["en"]),
            ("de;q=1.000, en;q=1", ["de", "en"]), ("*;q=1, de", ["de"]),
        ] as [(String, [String])])
    func `tags come by weight, whatever number a page sends`(header: String, tags: [String]) {
        #expect(Languages.wanted(uiLocales: nil, acceptLanguage: header) == tags)
    }
}
