import ArgumentParser

/// How both programs begin and end.
package enum Program {
    /// The arguments without the program's name. The process ends where they cannot be read.
    package static func arguments(of program: String) -> [String] {
        Machine.surviveFailedWrites()
        if let problem = Machine.argumentsProblem {
            Machine.error.write("\(program): \(problem)\n")
            Machine.exit(.machine)
        }
        return Machine.arguments
    }

    /// Runs the command that the arguments name, and prints why it did not succeed.
    ///
    /// - Parameter check: What is checked before the arguments are parsed.
    package static func run<Root: ParsableCommand>(
        _ root: Root.Type, _ arguments: [String], as program: String, check: ([String]) throws -> Void = { _ in }
    ) async -> Status {
        do {
            try check(arguments)
            var command = try root.parseAsRoot(arguments)
            if var command = command as? AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            return .success
        } catch let failure as Failure {
            if let text = failure.printed(by: program) { Machine.error.write(text) }
            return failure.status
        } catch {
            let text = root.fullMessage(for: error)
            // Help on request is not an error; ArgumentParser's own number for the rest would be 64.
            if root.exitCode(for: error) == .success {
                Machine.out.write(data: text.isEmpty ? "" : text + "\n")
                return .success
            }
            Machine.error.write(text + "\n")
            return .usage
        }
    }
}
