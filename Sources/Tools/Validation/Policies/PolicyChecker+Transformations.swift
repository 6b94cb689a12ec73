import Diagnostics
import Journeys
import TrustFramework

extension PolicyChecker {
    /// A transformation against its signature (B2C-POL-043 to B2C-POL-046).
    mutating func check(_ element: ClaimsTransformationElement) {
        guard let signature = TransformationSignature.of(element.method) else {
            let near = nearestName(element.method, among: TransformationSignature.methods)
            return report(
                "B2C-POL-043", "there is no transformation method \"\(element.method)\"",
                remedy: didYouMean(near) ?? "See the list of methods.", at: element.location, corrected: near)
        }
        claims(of: element, element.inputClaims, against: signature.inputClaims, kind: "input claim")
        claims(of: element, element.outputClaims, against: signature.outputClaims, kind: "output claim")
        parameters(element, signature)
        special(element)
    }

    private mutating func claims(
        of element: ClaimsTransformationElement, _ claims: [TransformationClaimElement],
        against list: TransformationSignature.List, kind: String
    ) {
        func name(_ claim: TransformationClaimElement) -> String { claim.role ?? claim.claim }
        let missing = list.slots.filter { slot in slot.isRequired && !claims.contains { sameID(name($0), slot.name) } }
        let unknown = claims.filter { list.slot(name($0)) == nil && !list.allows(name($0)) }
        for claim in unknown {
            let near =
                nearestName(name(claim), among: missing.map(\.name))
                ?? (missing.count == 1 ? missing.first?.name : nil)
                ?? nearestName(name(claim), among: list.slots.map(\.name))
            let known = list.slots.map(\.name)
            let what =
                claim.role.map { "\(element.method) has no \(kind) \"\($0)\"" }
                ?? "the \(kind) \(claim.claim) has no TransformationClaimType"
            report(
                "B2C-POL-044", "\(what) (transformation \(element.id))",
                remedy: near.map { "Did you mean TransformationClaimType=\"\($0)\"?" }
                    ?? (known.isEmpty ? "It takes no \(kind)s." : "It has \(namesList(known))."), at: claim.location,
                corrected: claim.role == nil ? nil : near)
        }
        // A misspelt name and the one it stands for are one mistake.
        for slot in missing.dropFirst(min(unknown.count, missing.count)) {
            report(
                "B2C-POL-044",
                "\(element.method) needs the \(kind) \"\(slot.name)\"\(slot.types.isEmpty ? "" : " (\(slot.typeNames))")",
                remedy: "Add it to transformation \(element.id).", at: element.location,
                severity: kind == "output claim" && !claims.isEmpty ? .warning : .error)
        }
        for claim in claims {
            let types = list.slot(name(claim))?.types ?? (list.allows(name(claim)) ? list.openTypes : [])
            guard !types.isEmpty, let type = claimType(claim.claim)?.dataType, !types.contains(type) else { continue }
            let wanted = types.map(\.rawValue)
            report(
                "B2C-POL-045",
                "\(claim.claim) is a \(type.rawValue); \"\(name(claim))\" of \(element.method) must be \(wanted.joined(separator: " or "))",
                remedy: "Use a claim of that type, or change its DataType.", at: claim.location)
        }
    }

    private mutating func parameters(
        _ element: ClaimsTransformationElement, _ signature: TransformationSignature
    ) {
        let list = signature.parameters
        let given = element.inputParameters
        let missing = list.slots.filter { slot in slot.isRequired && !given.contains { sameID($0.id, slot.name) } }
        let unknown = given.filter { list.slot($0.id) == nil && !list.allows($0.id) }
        var explained: [String] = []
        for parameter in unknown {
            let left = missing.map(\.name).filter { !explained.contains($0) }
            let absent = list.slots.map(\.name).filter { name in !given.contains { sameID($0.id, name) } }
            let near =
                nearestName(parameter.id, among: left) ?? nearestName(parameter.id, among: absent)
                ?? (left.count == 1 ? left.first : nil)
            if let near { explained.append(near) }
            // What a method does not know it passes over, unless it stands for what is missing.
            let isMeant = near.map { left.contains($0) || isSlip(parameter.id, of: $0) } ?? false
            report(
                "B2C-POL-044", "\(element.method) has no parameter \"\(parameter.id)\"",
                remedy: didYouMean(near, quoted: true) ?? "It is passed over.", at: parameter.location,
                severity: isMeant ? .error : .warning, corrected: isMeant ? near : nil)
        }
        for slot in missing where !explained.contains(slot.name) {
            report(
                "B2C-POL-044", "\(element.method) needs the parameter \"\(slot.name)\" (\(slot.typeNames))",
                remedy: "Add it to transformation \(element.id).", at: element.location)
        }
        for parameter in given {
            value(of: parameter, list.slot(parameter.id), element)
        }
    }

    private mutating func value(
        of parameter: InputParameterElement, _ slot: TransformationSignature.Slot?,
        _ element: ClaimsTransformationElement
    ) {
        if let slot, !slot.types.isEmpty, !slot.types.contains(parameter.dataType) {
            return report(
                "B2C-POL-044",
                "the parameter \"\(parameter.id)\" of \(element.method) is a \(parameter.dataType.rawValue); it must be \(slot.typeNames)",
                remedy: "Write DataType=\"\(slot.types.first?.rawValue ?? "string")\".", at: parameter.location)
        }
        if let problem = Self.unreadable(parameter.value, as: parameter.dataType) {
            return report(
                "B2C-POL-046", "parameter \"\(parameter.id)\" is \"\(parameter.value)\", \(problem)",
                at: parameter.location)
        }
        guard let words = slot?.words, !words.isEmpty, !isFilledLater(parameter.value),
            !words.contains(where: { sameID($0, parameter.value) })
        else { return }
        let near = nearestName(parameter.value, among: words)
        report(
            "B2C-POL-046", "parameter \"\(parameter.id)\" of \(element.method) is \"\(parameter.value)\"",
            remedy: didYouMean(near) ?? "It is one of \(namesList(words)).", at: parameter.location, corrected: near)
    }

    /// What only one method asks for.
    private mutating func special(_ element: ClaimsTransformationElement) {
        func parameter(_ id: String) -> InputParameterElement? {
            element.inputParameters.first { sameID($0.id, id) }
        }
        switch element.method.lowercased() {
        case "copyclaim":
            guard let from = element.inputClaims.first, let into = element.outputClaims.first,
                let type = claimType(from.claim)?.dataType, let other = claimType(into.claim)?.dataType, type != other
            else { return }
            report(
                "B2C-POL-045", "CopyClaim copies a \(type.rawValue) into a \(other.rawValue)",
                remedy: "Both claims need one DataType.", at: into.location, severity: .warning)
        case "setclaimsifregexmatch":
            guard let pattern = parameter("matchTo") else { return }
            check(pattern: pattern.value, "matchTo of \(element.id)", at: pattern.location)
        case "hash":
            guard let key = parameter("randomizerSecret"), !Self.isKeyName(key.value) else { return }
            report(
                "B2C-POL-026", "randomizerSecret \"\(key.value)\" is not the name of a policy key",
                remedy: "Names of policy keys begin with B2C_1A_.", at: key.location, severity: .warning)
        case "formatstringclaim", "formatstringmultipleclaims":
            guard let format = parameter("stringFormat"), !format.value.contains("{0}") else { return }
            report(
                "B2C-POL-046", "stringFormat \"\(format.value)\" has no {0}, so the claim leaves no trace",
                at: format.location, severity: .warning)
        case "copyclaimifpredicatematch":
            guard let into = element.outputClaims.first, let type = claimType(into.claim),
                type.predicateValidation == nil
            else { return }
            report(
                "B2C-POL-044", "\(into.claim) has no PredicateValidationReference, so nothing is checked",
                remedy: "Give the output claim a predicate validation.", at: into.location, severity: .warning)
        default: break
        }
    }

    static func patternProblem(_ pattern: String) -> String? {
        do throws(TextPatternError) {
            _ = try TextPattern(pattern)
            return nil
        } catch {
            // What the engine here does not know may be a pattern of .NET all the same.
            return error.message.contains("not simulated") ? nil : error.message
        }
    }

    static func isKeyName(_ name: String) -> Bool { name.uppercased().hasPrefix("B2C_1A_") || isFilledLater(name) }

    /// Why a literal is not a value of a type; `nil` if it is one, or if a tool fills it in.
    static func unreadable(_ text: String, as type: DataType) -> String? {
        guard !isFilledLater(text) else { return nil }
        let value = text.split(separator: " ").joined(separator: " ")
        switch type {
        case .boolean:
            return ["true", "false"].contains(value.lowercased()) ? nil : "which is neither true nor false"
        case .int: return Int32(value) == nil ? "which is not a whole number" : nil
        case .long: return Int64(value) == nil ? "which is not a whole number" : nil
        case .date:
            return isDate(value) ? nil : "which is not a date such as 2026-01-31"
        case .dateTime:
            return isDate(String(value.prefix(10))) ? nil : "which is not a time such as 2026-01-31T12:00:00Z"
        default: return nil
        }
    }

    /// `yyyy-mm-dd`.
    private static func isDate(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].count == 4, let month = Int(parts[1]), let day = Int(parts[2]) else {
            return false
        }
        return Int(parts[0]) != nil && (1...12).contains(month) && (1...31).contains(day)
    }
}
