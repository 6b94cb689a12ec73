// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "TasksApp",
    platforms: [.macOS(.v15)],
    dependencies: [
        // In your own package: .package(url: "https://github.com/OWNER/b2c-harness", from: "0.1.0")
        .package(name: "b2c-harness", path: "../.."),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    ],
    targets: [
        .target(name: "TasksApp", dependencies: [.product(name: "Crypto", package: "swift-crypto")]),
        .testTarget(
            name: "TasksAppTests", dependencies: ["TasksApp", .product(name: "B2CTesting", package: "b2c-harness")]),
    ])
