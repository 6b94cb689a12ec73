import Determinism
import LanguageService
import Testing

/// Renaming in policies.
struct RenameTests {
    typealias P = PolicyWorkspace

    private func apply(_ edits: [TextEdit], to workspace: LanguageWorkspace) -> LanguageWorkspace {
        var result = workspace
        for (path, edits) in Dictionary(grouping: edits, by: \.file) {
            guard let file = workspace.file(path) else { continue }
            result.set(
                LanguageFile(path: path, bytes: TextEdit.apply(edits, to: file.source.bytes), known: file.kind))
        }
        return result
    }

    private func texts(_ workspace: LanguageWorkspace) -> [String: [UInt8]] {
        workspace.files.mapValues(\.source.bytes)
    }

    /// A name in three spellings, over three files.
    private var family: LanguageWorkspace {
        P.of([
            "Base.xml": P.policy("Base", P.claims("email", "other") + P.profile("Read", claim: "Email")),
            "One.xml": P.policy("One", base: "Base", P.profile("Read", claim: "EMAIL")),
            "Two.xml": P.policy("Two", base: "Base", P.claims("second") + P.profile("B", claim: "second")),
        ])
    }

    private func refusal(_ text: String, in path: String, to name: String, _ workspace: LanguageWorkspace) -> String? {
        do throws(RenameRefusal) {
            _ = try Renaming().edits(at: workspace.place(of: text, in: path), to: name, in: workspace)
            return nil
        } catch {
            return error.text
        }
    }

    @Test func `there and back each place has its own letter case again`() throws {
        let renaming = Renaming()
        let there = try renaming.edits(at: family.place(of: "EMAIL", in: "One.xml"), to: "mail", in: family)
        #expect(there.map(\.file) == ["Base.xml", "Base.xml", "One.xml"])
        #expect(there.allSatisfy { $0.replacement == "mail" })
        let renamed = apply(there, to: family)
        #expect(renamed.names(of: .claimType, seenFrom: "One.xml") == ["mail", "other"])
        let back = try renaming.edits(at: renamed.place(of: "mail", in: "Base.xml"), to: "Email", in: renamed)
        #expect(texts(apply(back, to: renamed)) == texts(family))
        // Nothing is known to another one: it writes the name as it is given.
        let plain = try Renaming().edits(at: renamed.place(of: "mail", in: "Base.xml"), to: "Email", in: renamed)
        #expect(plain.allSatisfy { $0.replacement == "Email" })
    }

    @Test func `a place that came since gets the name as it is given`() throws {
        let renaming = Renaming()
        let there = try renaming.edits(at: family.place(of: "email", in: "Base.xml"), to: "mail", in: family)
        var renamed = apply(there, to: family)
        renamed.set(P.file("One.xml", P.policy("One", base: "Base", P.claims("mail") + P.profile("R", claim: "mail"))))
        let back = try renaming.edits(at: renamed.place(of: "mail", in: "Base.xml"), to: "email", in: renamed)
        #expect(back.map(\.replacement) == ["email", "Email", "email", "email"])
    }

    @Test func `only the letter case may change`() throws {
        let edits = try Renaming().edits(at: family.place(of: "email", in: "Base.xml"), to: "Email", in: family)
        #expect(edits.map(\.file) == ["Base.xml", "One.xml"])
    }

    @Test(arguments: [
        ["Email", "EMAIL"], ["mail", "Email"], ["EMAIL", "Email"], ["email", "Email"], ["a", "b", "eMail"],
    ])
    func `a spelling that no place had is written everywhere`(_ names: [String]) throws {
        var workspace = P.of(["a.xml": P.policy("A", P.claims("email") + P.profile("Read", claim: "email"))])
        let place = workspace.place(of: "email", in: "a.xml")
        let renaming = Renaming()
        for name in names {
            workspace = apply(try renaming.edits(at: place, to: name, in: workspace), to: workspace)
        }
        let claims = workspace.file("a.xml")?.occurrences.filter { $0.kind == .claimType }.map(\.name)
        let last = try #require(names.last)
        #expect(claims == [last, last])
    }

    @Test func `a rename of a claim says what sees its new name outside`() throws {
        let handler = EditedPolicies.provider + "RestfulProvider" + EditedPolicies.assembly
        let base = EditedPolicies.policy(
            "Base",
            P.claims("email", "other")
                + EditedPolicies.profiles(
                    """
                    <TechnicalProfile Id="Rest">
                    <DisplayName>REST</DisplayName>
                    <Protocol Name="Proprietary" Handler="\(handler)" />
                    <OutputClaims><OutputClaim ClaimTypeReferenceId="email" /></OutputClaims>
                    </TechnicalProfile>
                    """))
        let party = """
            <RelyingParty><TechnicalProfile Id="PolicyProfile"><OutputClaims>
            <OutputClaim ClaimTypeReferenceId="email" />
            <OutputClaim ClaimTypeReferenceId="other" PartnerClaimType="o" />
            </OutputClaims></TechnicalProfile></RelyingParty>
            """
        let workspace = P.of(["Base.xml": base, "One.xml": P.policy("One", base: "Base", party)])
        func symbol(_ name: String, in workspace: LanguageWorkspace) throws -> PlacedOccurrence {
            try #require(workspace.symbol(at: workspace.place(of: "\"\(name)\"", in: "Base.xml").behind(1)))
        }
        let renaming = Renaming()
        let email = try symbol("email", in: workspace)
        #expect(
            renaming.warning(for: email, to: "mail", in: workspace)
                == "A claim without PartnerClaimType has its id as its name outside. These use \"mail\" now instead of "
                + "\"email\": Rest and the token of One. To keep the name there, add PartnerClaimType=\"email\".")
        #expect(renaming.warning(for: email, to: "EMAIL", in: workspace) == nil)
        #expect(renaming.warning(for: try symbol("other", in: workspace), to: "x", in: workspace) == nil)
        // A claim may have names for protocols.
        var named = workspace
        let names = "<DefaultPartnerClaimTypes><Protocol Name=\"OpenIdConnect\" PartnerClaimType=\"e\"/>"
        named.set(
            P.file(
                "Base.xml",
                base.replacing(
                    "<ClaimType Id=\"email\" />",
                    with: "<ClaimType Id=\"email\"><DisplayName>E</DisplayName><DataType>string</DataType>\(names)"
                        + "</DefaultPartnerClaimTypes></ClaimType>")))
        let warning = renaming.warning(for: try symbol("email", in: named), to: "mail", in: named)
        #expect(warning?.contains("instead of \"email\": Rest. To keep") == true)
        let place = workspace.place(of: "email", in: "Base.xml")
        let renamed = apply(try renaming.edits(at: place, to: "mail", in: workspace), to: workspace)
        #expect(renaming.warning(for: try symbol("mail", in: renamed), to: "email", in: renamed) == nil)
    }

    @Test(
        arguments: [
            ("email", "Base.xml", "other", "There is already a claim type \"other\": Base.xml:4."),
            ("email", "Base.xml", "SECOND", "There is already a claim type \"SECOND\": Two.xml:3."),
            ("second", "Two.xml", "Other", "There is already a claim type \"Other\": Base.xml:4."),
            ("email", "Base.xml", "", "A name has at least one character, and no blanks around it."),
            ("email", "Base.xml", " a", "A name has at least one character, and no blanks around it."),
            ("email", "Base.xml", "a b", "The name of a claim type cannot have blanks or control characters."),
            ("email", "Base.xml", "a\u{1}b", "The name of a claim type cannot have blanks or control characters."),
            ("email", "Base.xml", "a<b", "The name of a claim type cannot have <."),
            ("email", "Base.xml", "a}", "The name of a claim type cannot have }."),
            ("xmlns", "Base.xml", "a", "Nothing here has a name that can be changed."),
            (
                "Base</", "One.xml", "a",
                "Change the id of a policy by hand: its file name, its PublicPolicyUri and every app that calls it change "
                    + "with it."
            ),
        ])
    func `what cannot be renamed is refused with the reason`(
        _ text: String, _ path: String, _ name: String, _ expected: String
    ) {
        #expect(refusal(text, in: path, to: name, family) == expected)
    }

    @Test(arguments: ["Tenant", "environment", "Filename", "PolicyFilename"])
    func `a setting that is filled without an entry keeps its name`(_ name: String) {
        let workspace = P.of(["a.xml": P.policy("A", "<Item Key=\"k\">{Settings:\(name)}</Item>")])
        #expect(
            refusal(name, in: "a.xml", to: "Other", workspace)
                == "{Settings:\(name)} has its name from the tool that fills it.")
    }

    @Test func `of two files with one policy id none is renamed in`() {
        let workspace = P.of([
            "Base - Copy.xml": P.policy("Base", P.claims("email")), "Base.xml": P.policy("BASE", P.claims("email")),
            "One.xml": P.policy("One", base: "Base", P.profile("A", claim: "email")),
            "x/Base.xml": P.policy("Base", P.claims("email")),
        ])
        for path in ["Base - Copy.xml", "Base.xml", "One.xml"] {
            #expect(
                refusal("email", in: path, to: "mail", workspace)
                    == "Base - Copy.xml and Base.xml have the same policy id. Remove one of them, or give it another PolicyId."
            )
        }
        #expect(refusal("email", in: "x/Base.xml", to: "mail", workspace) == nil)
        // Nothing inherits from these, so each is renamed in.
        let copied = P.of([
            "Base.xml": P.policy("Base", P.claims("email")),
            "One copy.xml": P.policy("One", base: "Base", P.profile("A", claim: "email")),
            "One.xml": P.policy("One", base: "Base", P.profile("A", claim: "email")),
            "untitled:Untitled-1": P.policy("Base", P.claims("email")),
        ])
        #expect(refusal("email", in: "Base.xml", to: "mail", copied) == nil)
        #expect(refusal("email", in: "One.xml", to: "mail", copied) == nil)
    }

    @Test func `a name that another policy has is free`() {
        #expect(refusal("second", in: "Two.xml", to: "read", family) == nil)
        let apart = P.of(["a.xml": P.policy("A", P.claims("x")), "b.xml": P.policy("B", P.claims("y"))])
        #expect(refusal("x\" />", in: "a.xml", to: "y", apart) == nil)
    }

    @Test func `what the built-in policies declare keeps its name`() throws {
        let workspace = try P.shipped("Base")
        let path = "scenarios/policies/Base.xml"
        #expect(
            refusal("objectId", in: path, to: "oid", workspace)
                == "\"objectId\" is declared in the built-in policy B2C_1A_HarnessBase, which cannot be changed.")
        #expect(refusal("SignUpWithLogonEmailExchange", in: path, to: "SignUp", workspace) == nil)
    }

    @Test func `a broken file is edited where it can be read`() throws {
        var workspace = family
        workspace.set(
            P.file("One.xml", P.policy("One", base: "Base", "<InputClaim ClaimTypeReferenceId=\"Email\" <Other")))
        let edits = try Renaming().edits(at: workspace.place(of: "email", in: "Base.xml"), to: "mail", in: workspace)
        #expect(edits.map(\.file) == ["Base.xml", "Base.xml", "One.xml"])
    }

    @Test func `on shipped policies there and back gives the same bytes`() throws {
        let workspace = try P.shipped("Base", "ProviderSelection", "ProviderStays", "SubJourneyCall", "Preconditions")
        let renaming = Renaming()
        var renames = 0
        for (path, file) in workspace.files.sorted(by: { $0.key < $1.key }) {
            for found in file.occurrences {
                let place = TextPlace(file: path, offset: found.range.lowerBound)
                guard let there = try? renaming.edits(at: place, to: "SomethingElse", in: workspace) else { continue }
                renames += 1
                let renamed = apply(there, to: workspace)
                let moved = there.filter { $0.file == path && $0.range.lowerBound < place.offset }
                    .reduce(0) { $0 + $1.replacement.utf8.count - $1.range.count }
                let back = try renaming.edits(at: place.behind(moved), to: found.name, in: renamed)
                #expect(texts(apply(back, to: renamed)) == texts(workspace))
            }
        }
        #expect(renames > 50)
    }

    @Test func `after any edit names are in order and inside of the text`() throws {
        let path = "scenarios/policies/ProviderSelection.xml"
        let bytes = try #require(try P.shipped("ProviderSelection").file(path)).source.bytes
        let typed = ["<", ">", "\"", "</", "<!--", "<![CDATA[", "Id=\"", "/>", "{Claim:", "\r\n", "&", "\u{1F600}"]
        var random = SeededGenerator(seed: 57)
        for _ in 0..<300 {
            var changed = bytes
            let at = random.below(bytes.count)
            changed.replaceSubrange(
                at..<min(at + random.below(8), bytes.count), with: Array(typed[random.below(typed.count)].utf8))
            var workspace = LanguageWorkspace()
            let file = LanguageFile(path: path, bytes: changed, known: .policy)
            workspace.set(file)
            let ranges = file.occurrences.map(\.range)
            #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound })
            #expect(ranges.allSatisfy { $0.upperBound <= changed.count })
            // An edit loses what it is in, not the rest.
            #expect(file.occurrences.count > 20)
            for symbol in workspace.outline(of: path) { #expect(symbol.whole.upperBound <= changed.count) }
            for place in stride(from: 0, through: changed.count, by: 499) {
                _ = file.markup?.spot(at: place)
                _ = workspace.definitions(at: TextPlace(file: path, offset: place))
            }
        }
    }
}
