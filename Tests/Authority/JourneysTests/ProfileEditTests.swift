import JSON
import Testing

@testable import Journeys

@Suite struct ProfileEditTests {
    @Test func `what the account has is edited`() throws {
        let world = try World(
            flow: [
                "type": "profileEditing", "attributes": ["displayName", "city"], "claims": ["displayName", "city"],
            ])
        let run = world.begin()
        run.fill(["email": "ada@example.test", "password": "Analytical-1843"])
        let page = try #require(run.page)
        #expect(page.contentDefinition == "api.selfasserted.profileupdate")
        #expect(page.fields.map(\.id) == ["displayName", "city"])
        #expect(page.fields.map(\.prefilled) == ["Ada", "London"])
        run.fill(["displayName": "Countess", "city": "Ockham"])
        #expect(run.claims["name"] == "Countess")
        #expect(world.tenancy.directory.account(of: "ada")?.stored("city") == .text("Ockham"))
    }

    @Test func `an emptied field empties the attribute`() throws {
        let world = try World(flow: ["type": "profileEditing", "attributes": ["city"], "claims": ["city"]])
        let run = world.begin()
        run.fill(["email": "ada@example.test", "password": "Analytical-1843"])
        run.fill(["city": ""])
        #expect(run.claims["city"] == nil)
        #expect(world.tenancy.directory.account(of: "ada")?.stored("city") == nil)
    }

    /// The directory has no empty display name: the page stays, and nothing is written.
    @Test func `an emptied display name is refused`() throws {
        let world = try World(flow: ["type": "profileEditing", "attributes": ["displayName", "city"]])
        let run = world.begin()
        run.fill(["email": "ada@example.test", "password": "Analytical-1843"])
        run.submit(["displayName": "", "city": "Ockham"])
        #expect(run.status == "400")
        #expect(run.answerStop?.message == "displayName cannot be empty.")
        let account = try #require(world.tenancy.directory.account(of: "ada"))
        #expect(account.stored("displayName") == .text("Ada") && account.stored("city") == .text("London"))
        run.fill(["displayName": "Countess", "city": "Ockham"])
        #expect(run.issuance != nil)
    }

    @Test func `a session skips the sign-in page`() throws {
        let world = try World([
            "policies": ["flow": [:], "edit": ["type": "profileEditing", "attributes": ["displayName"]]]
        ])
        let first = world.begin()
        first.fill(["email": "ada@example.test", "password": "Analytical-1843"])
        let run = world.begin("edit", session: first.issuance?.session?.id)
        #expect(run.page?.contentDefinition == "api.selfasserted.profileupdate")
        run.tell(.cancelled(code: nil, description: nil))
        #expect(run.failure?.code?.id == "AADB2C90091")
    }
}
