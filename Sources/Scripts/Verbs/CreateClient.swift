import JSON
import Records

/// A new start of a client, with changed settings.
package struct CreateClient: ValueCall {
    /// A merge patch (RFC 7396) over the settings of the client.
    package var value = JSONObject()

    package init() {}

    package static let name = "createClient"
    package static let doc = """
        Creates the client with changed settings; implied at first use, written to test start-up or a changed \
        configuration.
        """
    package static let traits = VerbTraits.app
    package static let codec = Codec<JSONObject>.object.shaped(.ref("clientPatch"))
}
