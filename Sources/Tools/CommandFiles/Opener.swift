import CommandKit

/// Shows a file in the person's browser.
package enum Opener {
    /// The programs to try: the one that the environment names, as other tools do, then the system's.
    private static var programs: [String] {
        let named = Machine.environment("BROWSER").map { [String($0.prefix { $0 != ":" })] } ?? []
        return named + ["open", "xdg-open", "wslview", "sensible-browser"]
    }

    /// Starts the browser and does not wait for it.
    ///
    /// - Returns: Why the file is not shown; `nil`: a program was started.
    package static func show(_ file: String) -> String? {
        let path = file.hasPrefix("/") ? file : FilePath.join(Machine.currentFolder, file)
        for program in programs {
            let started = Subprocess.start([program, path], ownGroup: true, isQuiet: true, isSilent: true)
            if case .success = started { return nil }
        }
        return "no program was found that shows a page"
    }
}
