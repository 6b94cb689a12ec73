/// A folder below one that was named.
package enum ProjectFolder {
    /// Folders of dependencies and build products: other people's files, or copies.
    private static let others: Set<String> = [
        "node_modules", "Pods", "Carthage", "DerivedData", "build", "bin", "obj", "dist", "vendor",
    ]

    /// Whether files in a folder of this name are looked at.
    package static func takes(_ name: String) -> Bool { !name.hasPrefix(".") && !others.contains(name) }
}
