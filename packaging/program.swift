// `b2c` and `mock-server` in one file, for packages: most of either is Swift's libraries. packaging/link.py links both with this.

// The compiler names the libraries that these modules need, which were compiled for shared ones.
import Foundation
import FoundationXML

typealias Arguments = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

@_silgen_name("b2c_main") func b2c(_ count: Int32, _ arguments: Arguments) -> Int32
@_silgen_name("MockServer_main") func mockServer(_ count: Int32, _ arguments: Arguments) -> Int32

// packaging/mock-server.c sets it. What this program starts must not see it.
let isServer = getenv("B2C_PROGRAM").map { strcmp($0, "mock-server") == 0 } ?? false
unsetenv("B2C_PROGRAM")
exit((isServer ? mockServer : b2c)(CommandLine.argc, CommandLine.unsafeArgv))
