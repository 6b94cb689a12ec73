import LanguageService
import Testing

/// The numbers of the steps of a journey.
struct RenumberTests {
    private static func policy(_ id: String, base: String?, _ orders: [Int]) -> String {
        let steps = orders.map { #"        <OrchestrationStep Order="\#($0)" Type="ClaimsExchange" />"# }
        let journey = """
              <UserJourneys>
                <UserJourney Id="\(id == "B2C_1A_Low" ? "SIGNIN" : "SignIn")">
                  <OrchestrationSteps>
            \(steps.joined(separator: "\n"))
                  </OrchestrationSteps>
                </UserJourney>
              </UserJourneys>
            """
        return ActionWorld.policy(id, base: base, orders.isEmpty ? "" : journey)
    }

    private static func orders(_ text: String) -> [Int] { text.matches(of: /Order="(\d+)"/).compactMap { Int($0.1) } }

    @Test(
        arguments: [
            // A step that was written before another of its number; files below meet the same steps as before.
            ([], [1, 2, 2, 3], [2, 4], [1, 2, 3, 4], [3, 5]),
            // Gaps close, and what follows behind the last step follows again.
            ([], [1, 2, 5], [5, 6, 9], [1, 2, 3], [3, 4, 7]),
            ([], [3, 1, 2], [], [1, 2, 3], []),
            // Steps that override keep their numbers; new ones follow.
            ([1, 2, 3], [2, 2, 9], [1, 9], [2, 4, 5], [1, 5]),
        ] as [([Int], [Int], [Int], [Int], [Int])])
    func `steps are numbered in the order of the text`(
        _ above: [Int], _ own: [Int], _ below: [Int], _ expected: [Int], _ expectedBelow: [Int]
    ) throws {
        let world = ActionWorld([
            "Base.xml": Self.policy("B2C_1A_Base", base: nil, above),
            "Low.xml": Self.policy("B2C_1A_Low", base: "B2C_1A_Own", below),
            "Own.xml": Self.policy("B2C_1A_Own", base: "B2C_1A_Base", own),
        ])
        let place = try world.range(of: "<OrchestrationStep Order", in: "Own.xml")
        let actions = world.workspace.actions(at: place, findings: [])
        let action = try #require(actions.first { $0.title == "Renumber the steps of SignIn" })
        let after = world.after(action.edits)
        #expect(Self.orders(after.text("Own.xml")) == expected)
        #expect(Self.orders(after.text("Low.xml")) == expectedBelow)
        #expect(Self.orders(after.text("Base.xml")) == above)
        let again = try after.workspace.actions(
            at: after.range(of: "<OrchestrationStep Order", in: "Own.xml"), findings: [])
        #expect(!again.contains { $0.title.hasPrefix("Renumber") })
    }

    @Test(
        arguments: [
            ([1, 2, 3], []), ([1, 2, 4], [3]), ([0, 2], [-1]), ([2_000_000, 1], []),
        ] as [([Int], [Int])])
    func `what is numbered well, or has a step of a file below in a gap, stays`(_ own: [Int], _ below: [Int]) throws {
        let world = ActionWorld([
            "Low.xml": Self.policy("B2C_1A_Low", base: "B2C_1A_Own", below),
            "Own.xml": Self.policy("B2C_1A_Own", base: nil, own),
        ])
        let place = try world.range(of: "<OrchestrationStep Order", in: "Own.xml")
        #expect(!world.workspace.actions(at: place, findings: []).contains { $0.title.hasPrefix("Renumber") })
    }
}
