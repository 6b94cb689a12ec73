import CommandKit

/// Asks before something is written to a tenant.
package enum Confirmation {
    /// Returns if the answer is yes, or if nobody has to be asked.
    ///
    /// - Parameters:
    ///   - question: Such as "Create 2 keys in contoso.onmicrosoft.com?".
    ///   - isGiven: `--yes`.
    /// - Throws: ``Failure`` unless somebody agrees; nothing was written then.
    package static func ask(_ question: String, isGiven: Bool) throws {
        guard !isGiven else { return }
        Machine.error.write("\(question) [y/N] ")
        guard let answer = readLine() else {
            Machine.error.write("\n")
            throw Failure.usage("nothing was written: nobody answered. Add --yes where nobody can be asked")
        }
        guard ["y", "yes"].contains(answer.lowercased()) else {
            Machine.error.write("nothing was written\n")
            throw Failure.silent(.expectation)
        }
    }
}
