import CommandFiles
import CommandKit
import Diagnostics
import JourneyLogs

/// Reads logs of the journey recorder, for every command that has one.
package enum LogReading {
    /// Reads files, after what the service returned. All of them are one log. Findings are printed.
    ///
    /// - Parameter files: Paths; `-` is the standard input.
    /// - Throws: ``Failure`` if a file cannot be read or is not a log.
    package static func log(_ files: [String], after fetched: (file: String, bytes: [UInt8])? = nil) throws
        -> RecorderLog
    {
        var read = fetched.map { [$0] } ?? []
        for file in files {
            read.append((file, try InputFile.read(file == "-" ? "/dev/stdin" : file, limit: RecorderLog.limit)))
        }
        do throws(InvalidInput) {
            let log = try RecorderLog(files: read)
            report(log.findings)
            return log
        } catch {
            report(error.diagnostics)
            throw Failure.silent(.input) as any Error
        }
    }

    /// Prints findings. They have places in files that may hold personal data, so their lines are not repeated.
    package static func report(_ findings: [Diagnostic]) {
        if let collector = FindingCollector.current { return collector.add(findings) }
        for finding in findings { Machine.error.write(VisibleText.of(finding.description, keeping: []) + "\n") }
    }
}
