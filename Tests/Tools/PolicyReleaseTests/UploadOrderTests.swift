import PolicyRelease
import Testing

/// Orders of uploads without a broken state.
struct UploadOrderTests {
    private typealias Upload = UploadOrder.Upload

    /// Base, extensions and sign-in, all in the tenant.
    private static let chain = [
        Upload(id: "Base", base: nil, exists: true), Upload(id: "Extensions", base: "base", exists: true),
        Upload(id: "SignIn", base: "Extensions", exists: true),
    ]

    @Test func `parents come first where nothing is broken`() {
        #expect(UploadOrder(Self.chain).unbroken { _ in false } == ["Base", "Extensions", "SignIn"])
    }

    @Test func `a child comes before its parent where the parent would break it`() {
        // The old sign-in does not fit the new base.
        let order = UploadOrder(Self.chain).unbroken { $0.contains(0) && !$0.contains(2) }
        #expect(order == ["Extensions", "SignIn", "Base"])
    }

    @Test func `a policy is created after its parent, whatever is broken`() {
        var uploads = Self.chain
        for place in uploads.indices { uploads[place].exists = false }
        #expect(UploadOrder(uploads).unbroken { $0.contains(0) && !$0.contains(2) } == nil)
    }

    @Test func `there may be no order`() {
        #expect(UploadOrder(Self.chain).unbroken { !$0.isEmpty } == nil)
        #expect(UploadOrder([]).unbroken { _ in true } == [])
        #expect(UploadOrder([Self.chain[0]]).unbroken { _ in true } == ["Base"])
    }

    @Test func `one order of siblings is found among many`() {
        let uploads = (0..<6).map { Upload(id: "P\($0)", base: nil, exists: true) }
        // Whole only if the last ones are first.
        let order = UploadOrder(uploads).unbroken { state in !(0..<6).suffix(state.count).allSatisfy(state.contains) }
        #expect(order == ["P5", "P4", "P3", "P2", "P1", "P0"])
    }

    @Test func `no more states are looked at than the limit`() {
        let uploads = (0..<24).map { Upload(id: "P\($0)", base: nil, exists: true) }
        var asked = 0
        let order = UploadOrder(uploads).unbroken { state in
            asked += 1
            return state.count > 12
        }
        #expect(order == nil)
        #expect(asked <= UploadOrder.mostStates)
    }
}
