import Diagnostics

/// The end of a command that did not succeed.
package struct Failure: Error {
    /// The exit code.
    package var status: Status
    /// What is printed to the error output; `nil` when everything has been said.
    package var text: String?
    /// What is wrong with files, for reports: it has been printed.
    package private(set) var findings: [Diagnostic] = []
    /// Whether the program's name precedes the text.
    private var namesProgram: Bool

    private init(_ status: Status, _ text: String?, namesProgram: Bool = true) {
        self.status = status
        self.text = text
        self.namesProgram = namesProgram
    }

    /// The command was not used as it can be.
    package static func usage(_ text: String) -> Failure { Failure(.usage, text) }

    /// A file cannot be read or is wrong.
    package static func input(_ text: String) -> Failure { Failure(.input, text) }

    /// It could not run.
    package static func machine(_ text: String) -> Failure { Failure(.machine, text) }

    /// An expectation was not met.
    package static func expectation(_ text: String) -> Failure { Failure(.expectation, text) }

    /// Everything has been said.
    package static func silent(_ status: Status) -> Failure { Failure(status, nil) }

    /// Files are wrong, and all of it has been printed.
    package static func found(_ findings: [Diagnostic]) -> Failure {
        var failure = Failure(.input, nil)
        failure.findings = findings
        return failure
    }

    /// A text that is printed as it is, such as a finding that begins with its file.
    package static func whole(_ status: Status, _ text: String) -> Failure {
        Failure(status, text, namesProgram: false)
    }

    /// What a program of this name prints; `nil` when everything has been said.
    package func printed(by program: String) -> String? {
        text.map { (namesProgram ? "\(program): \($0)" : $0) + "\n" }
    }
}
