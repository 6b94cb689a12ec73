import B2CProtocol
import JSON

/// The names that somebody may use, for checks of what names them.
package protocol NameTable {
    /// The names of a kind with the word for it; `nil` for kinds that are checked elsewhere or not at all.
    func names(of kind: NameKind) -> (known: [String], plural: String)?
    /// Whether there is a name of a kind that has a list.
    func has(_ name: String, as kind: NameKind) -> Bool
    /// The known claim that a name is probably meant to be; `nil` for a known claim and for one that is near none.
    func claimNear(_ name: String) -> String?
    /// The entry that has a text as its id, address or other value, where its name is expected.
    func owner(of text: String, as kind: NameKind) -> (what: String, name: String)?
    /// Parameters and fields that the script adds to requests itself.
    var sent: Set<String> { get }
}
