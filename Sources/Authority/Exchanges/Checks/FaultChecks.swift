import B2CProtocol
import JSON

/// Checks lists of fault rules.
package struct FaultChecks {
    private let findings: Findings
    private let names: (any NameTable)?

    /// - Parameter names: The names that the script knows; `nil` outside of scripts, such as in a control call.
    package init(_ findings: Findings, names: (any NameTable)? = nil) {
        self.findings = findings
        self.names = names
    }

    /// Checks the list at a place.
    package func check(_ list: JSONValue?, at pointer: JSONPointer) {
        guard let rules = list?.arrayValue else { return }
        var always: [JSONValue: Int] = [:]
        for (index, rule) in rules.enumerated() {
            guard let object = rule.objectValue else { continue }
            let place = pointer.appending(index)
            let keys = object.keys
            if !keys.contains(where: FaultWords.effects.contains) {
                findings.add(
                    .faultWithoutEffect, "the rule has no effect",
                    remedy: "Add one of \(FaultWords.effects.map { "`\($0)`" }.joined(separator: ", ")).", at: place)
            }
            effects(object, at: place)
            if let match = object["match"] {
                Patterns.check(match, at: place.appending("match"), findings)
                MatcherChecks(findings, names: names).check(match, as: "request", at: place.appending("match"))
            }
            checkCode(object["b2cError"], at: place.appending("b2cError"))
            guard object["times"] == nil, object["skip"] == nil, object["rate"] == nil else { continue }
            let match = (object["match"] ?? .object(JSONObject())).ordered
            if let earlier = always[match] {
                let line = findings.document.location(of: pointer.appending(earlier)).line ?? 0
                findings.add(
                    .contradictoryFaults,
                    "this rule and the one on line \(line) match the same exchanges, so it never fires",
                    remedy: "Give the earlier one `times`, or make one rule of both.", at: place)
            } else {
                always[match] = index
            }
        }
    }

    /// A code that the mock does not know has no OAuth error and no way to the app.
    private func checkCode(_ refusal: JSONValue?, at pointer: JSONPointer) {
        let written = refusal?.stringValue ?? refusal?["code"]?.stringValue
        guard let code = written, !Template.mayHoldReference(code), AADB2C.named(code) == nil else { return }
        findings.add(
            .unknownCode, "`\(code)` is not a known AADB2C code", remedy: "`b2c explain CODE` explains a known one.",
            at: refusal?.objectValue == nil ? pointer : pointer.appending("code"))
    }

    /// Effects that keep one another from happening, or have no hold on the endpoint that the match names.
    private func effects(_ rule: JSONObject, at place: JSONPointer) {
        // The shape already allows only one of these.
        let exclusive = ["network", "respond", "b2cError"]
        let clash = FaultWords.clashes.first { kept, keeper in
            rule[kept] != nil && rule[keeper] != nil && !exclusive.contains(kept)
        }
        if let (kept, keeper) = clash {
            findings.add(.faultsCancelOut, FaultWords.clash(kept, keeper), at: place.appending(kept), key: true)
        }
        for name in FaultWords.effects where rule[name] != nil {
            guard let problem = FaultWords.misplaced(name, match: rule["match"]) else { continue }
            findings.add(.faultWithoutEffect, problem, at: place.appending(name), key: true)
        }
        if let rate = rule["rate"]?.doubleValue, rate <= 0 || rate > 1 {
            findings.add(
                .faultWithoutEffect, "`rate` is a probability: a number above 0 and up to 1",
                at: place.appending("rate"))
        }
        if rule["copies"]?.intValue == 0, !FaultRule.isForCallbacks(rule["match"]) {
            findings.add(
                .faultWithoutEffect, "`copies` can be 0 for the callback only: that loses it",
                remedy: "Use `network` to lose a request.", at: place.appending("copies"))
        }
    }
}

/// Checks the regular expressions inside matchers.
package enum Patterns {
    package static func check(_ matcher: JSONValue, at pointer: JSONPointer, _ findings: Findings) {
        switch matcher {
        case .array(let elements):
            for (index, element) in elements.enumerated() { check(element, at: pointer.appending(index), findings) }
        case .object(let object):
            for (name, value) in object.members where name != MatcherTest.equals.rawValue {
                let place = pointer.appending(name)
                guard name == MatcherTest.matches.rawValue, case .string(let source) = value else {
                    check(value, at: place, findings)
                    continue
                }
                guard !Template.mayHoldReference(source) else { continue }
                do throws(PatternError) {
                    _ = try Pattern(source)
                } catch {
                    let position = error.offset.map { " (at character \($0 + 1))" } ?? ""
                    findings.add(.regularExpression, error.message + position, at: place)
                }
            }
        default:
            break
        }
    }
}
