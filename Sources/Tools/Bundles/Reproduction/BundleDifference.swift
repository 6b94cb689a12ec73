import JSON

extension ReproductionBundle {
    /// Where another run differs from this one: the first place, with both values. `nil`: not one byte differs.
    ///
    /// - Parameters:
    ///   - report: its JSON report, without secrets.
    ///   - trace: its JSON report with all outcomes, without secrets.
    public func difference(report: [UInt8], trace: [UInt8]) -> String? {
        for (name, then, now) in [
            (BundleEntry.report, self.report, report), (BundleEntry.trace, self.trace, trace),
        ] where then != now {
            guard let old = try? JSONParser.parse(then), let new = try? JSONParser.parse(now),
                let place = Self.first(old, new, [])
            else { return "\(name) has other bytes" }
            let pointer = JSONPointer(tokens: place.path).description
            return "\(name) at \(pointer.isEmpty ? "its root" : pointer) was \(Self.shown(place.old)), "
                + "and is \(Self.shown(place.new)) now"
        }
        return nil
    }

    private typealias Place = (path: [String], old: JSONValue?, new: JSONValue?)

    private static func first(_ old: JSONValue?, _ new: JSONValue?, _ path: [String]) -> Place? {
        switch (old, new) {
        case (.object(let left)?, .object(let right)?):
            for key in left.keys(with: right) {
                if let place = first(left[key], right[key], path + [key]) { return place }
            }
            return nil
        case (.array(let left)?, .array(let right)?):
            for index in 0..<max(left.count, right.count) {
                let (one, other) = (left.dropFirst(index).first, right.dropFirst(index).first)
                if let place = first(one, other, path + [String(index)]) { return place }
            }
            return nil
        default:
            return old == new ? nil : (path, old, new)
        }
    }

    private static func shown(_ value: JSONValue?) -> String {
        guard let value else { return "absent" }
        let text = JSONWriter.compact(value)
        return text.count > 120 ? String(text.prefix(120)) + "..." : text
    }
}
