import ArgumentParser

/// How both programs begin and end.
package enum Program {
    /// The arguments without the program's name. The process ends where they cannot be read.
    package static func arguments(of program: String) -> [String] {
        _ = Machine.firstParentID
        Machine.surviveFailedWrites()
        if let problem = Machine.argumentsProblem {
            Machine.error.write("\(program): \(problem)\n")
            Machine.exit(.machine)
        }
        return Machine.arguments
    }

    /// Runs the command that the arguments name, and prints why it did not succeed.
    ///
    /// - Parameters:
    ///   - called: The program as the person has called it, which is another one if that has started this one.
    ///   - check: What is checked before the arguments are parsed.
    ///   - help: Changes help that was asked for.
    ///   - improve: Changes what the parser says of arguments that it cannot read, by the help of the command.
    package static func run<Root: ParsableCommand>(
        _ root: Root.Type, _ arguments: [String], as program: String, called: String? = nil,
        check: ([String]) throws -> Void = { _ in }, help: (String) -> String = { $0 },
        improve: (_ message: String, _ help: String) -> String = { message, _ in message }
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
            var message = root.fullMessage(for: error)
            if root.exitCode(for: error) != .success { message = improve(message, self.help(of: root, arguments)) }
            let text = HelpText.folded(message, naming: (own: program, called: called ?? program))
            // Help on request is not an error; ArgumentParser's own number for the rest would be 64.
            if root.exitCode(for: error) == .success {
                Machine.out.write(data: text.isEmpty ? "" : help(text) + "\n")
                return .success
            }
            Machine.error.write(asOurs(text, of: program) + "\n")
            return .usage
        }
    }

    /// The parser's "Error: Missing expected argument" as this program's own errors begin.
    private static func asOurs(_ text: String, of program: String) -> String {
        guard text.hasPrefix("Error: ") else { return text }
        let said = text.dropFirst("Error: ".count)
        return "\(program): \(said.prefix(1).lowercased())\(said.dropFirst())"
    }

    /// The help of the command that arguments begin with.
    private static func help<Root: ParsableCommand>(of root: Root.Type, _ arguments: [String]) -> String {
        var command: any ParsableCommand.Type = root
        for word in arguments {
            guard let inner = command.configuration.subcommands.first(where: { $0._commandName == word }) else { break }
            command = inner
        }
        return root.helpMessage(for: command)
    }
}
