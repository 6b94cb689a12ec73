import Testing

/// The folders of `Exploration` keep to their part: a search that knew rules would find what they look for and nothing else.
struct RoomTests {
    @Test(arguments: [
        (room: "Search", words: ["ExplorationRule", ".note(", "Found(", "HostedForm("]),
        (room: "TestActors", words: ["ExplorationRule", ".note(", "Found(", "PathRules", "PlaceKey", "request_type"]),
        (room: "Rules", words: ["PlaceKey", "PageActs", "ServiceActs"]),
    ])
    func `a folder of Exploration knows nothing of another one's part`(_ row: (room: String, words: [String])) {
        let files = Boundaries.sources.filter { $0.path.hasPrefix("Sources/Tools/Exploration/\(row.room)/") }
        #expect(files.count > 5)
        let places = files.flatMap { file in
            file.code.filter { line in row.words.contains { line.line.contains($0) } }.map {
                "\(file.path):\($0.number)"
            }
        }
        #expect(places == [])
    }
}
