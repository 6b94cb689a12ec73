import ArgumentParser
import CLibcurl

@main
struct B2C: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "b2c")
}
