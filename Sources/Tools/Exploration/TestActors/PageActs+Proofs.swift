import B2CProtocol
import Journeys
import TrustFramework

/// Codes: asked for, handed in right, wrong and expired, again and again.
extension PageActs {
    // MARK: Fields and display controls

    /// A field or display control whose value is proved by a code.
    private struct CodeProof {
        var verifier: HostedForm.Verifier
        /// Of the field or control.
        var id: String
        /// What is typed beside the code, by field id.
        var typed: [String: String]
        /// The same for a script, without what cannot be typed.
        var filled: [(name: String, value: String)]
        var address: String
        var source: CodeFields.Source
    }

    private var proofs: [CodeProof] {
        form.verifiers.compactMap { verifier in
            let ids = form.proves(verifier)
            switch verifier {
            case .phone: return nil
            case .claim(let id): return proof(by: verifier, id, of: ids, source: .sent)
            case .control(let id):
                guard let control = policy.displayControl(id).map({ policy[$0] }), control.type == .verification else {
                    return nil
                }
                let called = control.action("VerifyCode")?.profiles.map(\.profile) ?? []
                let source = control.codeClaim.flatMap { cast.codes.source(of: $0, called: called) }
                return proof(by: verifier, id, of: ids, source: source ?? .service)
            }
        }
    }

    private func proof(
        by verifier: HostedForm.Verifier, _ id: String, of ids: [String], source: CodeFields.Source
    ) -> CodeProof {
        let fields = ids.compactMap { id in form.allFields.first { $0.id == id } }
        let values = fields.map { self.values.usual($0) }
        return CodeProof(
            verifier: verifier, id: id, typed: Dictionary(zip(fields.map(\.id), values)) { first, _ in first },
            filled: zip(fields, values).filter { !$0.0.isReadOnly }.map { ($0.id, $1) },
            address: values.first ?? "", source: source)
    }

    private func ask(
        _ proof: CodeProof, _ words: String, change: @escaping @Sendable (inout PathFacts) -> Void
    ) -> Act {
        Act(
            event: JourneyEvent(form.codeRequest(proof.verifier, proof.typed)), words: words, pending: .sent,
            change: change, script: [.fill(proof.filled, at: mark, press: .sendCode)])
    }

    private func check(_ code: String, of proof: CodeProof) -> JourneyEvent {
        var typed = proof.typed
        if let input = form.codeInput(of: proof.verifier) { typed[input] = code }
        return JourneyEvent(form.codeCheck(proof.verifier, typed))
    }

    /// Asking for a code, and handing in the right one and a wrong one.
    func verifications() -> [Act] {
        var acts: [Act] = []
        for proof in proofs {
            let sent = "sent \(proof.id)"
            guard place.facts.done.contains(sent) else {
                acts.append(ask(proof, "asks for a code for \(proof.id)") { $0.done.insert(sent) })
                continue
            }
            let verified = "verified \(proof.id)"
            guard !place.facts.done.contains(verified) else { continue }
            func hand(
                _ code: String, _ words: String, forged: AwaitedAnswer.Forgery? = nil, script: ScriptAct
            ) -> Act {
                Act(
                    event: check(code, of: proof), words: "\(words) for \(proof.id)",
                    pending: .verified(proof.address, field: proof.id, secret: code, forged: forged),
                    change: { if forged == nil { $0.done.insert(verified) } }, script: [script])
            }
            let right = cast.codes.code(proof.source, of: person, at: place)
            if let right { acts.append(hand(right, "hands in the code", script: .code(mark))) }
            let wrong = CodeFields.wrong(right)
            acts.append(hand(wrong, "hands in a wrong code", forged: .code, script: .wrongCode(wrong, at: mark)))
            if let expired = CodeFields.readable(place.journey.expiredCodes(at: now), by: person), expired != right {
                acts.append(hand(expired, "hands in the expired code", forged: .expired, script: .expiredCode))
            }
        }
        return acts
    }

    func verificationDetours() -> [Act] {
        var acts: [Act] = []
        for proof in proofs where place.facts.done.contains("sent \(proof.id)") {
            guard !place.facts.done.contains("verified \(proof.id)") else { continue }
            acts.append(ask(proof, "asks for another code for \(proof.id)") { $0.detour = .sentAgain })
            let wrong = CodeFields.wrong(cast.codes.code(proof.source, of: person, at: place))
            acts.append(
                Act(
                    event: check(wrong, of: proof), words: "hands in a wrong code for \(proof.id) \(Self.tries) times",
                    change: { $0.detour = .exhausted },
                    script: Array(repeating: .wrongCode(wrong, at: mark), count: Self.tries),
                    special: .repeated(Self.tries)))
        }
        return acts
    }

    // MARK: The phone page

    /// The number that is typed; `nil` where the page offers numbers to choose from.
    private var number: String? { form.phones.isEmpty ? person.text("phone") ?? "+442079460009" : nil }

    private func ask(
        calls: Bool, _ words: String, change: @escaping @Sendable (inout PathFacts) -> Void
    ) -> Act {
        let typed = number.map { [HostedForm.numberInput: $0] } ?? [:]
        return Act(
            event: JourneyEvent(form.codeRequest(.phone, typed, calls: calls)), words: words, pending: .sent,
            change: change,
            script: [.fill(number.map { [("phone", $0)] } ?? [], at: mark, press: calls ? .call : .sendCode)])
    }

    private func hand(_ code: String, forged: AwaitedAnswer.Forgery? = nil, script: [ScriptAct]) -> Act {
        let words = forged.map { "hands in \($0.rawValue)" } ?? "hands in the code"
        return Act(
            event: JourneyEvent(form.codeCheck(.phone, [HostedForm.phoneCodeInput: code])), words: words,
            pending: .leave(
                AwaitedAnswer.Leave(
                    proves: number ?? form.phones.first.map { "\($0.id)" }, forged: forged?.rawValue,
                    secret: forged == nil ? "" : code)),
            script: script)
    }

    func phone() -> [Act] {
        guard place.facts.done.contains("sent phone") else {
            if waitsForCaptcha { return [] }
            return [
                ask(calls: false, "asks for a code by SMS") { $0.done.formUnion(["sent phone", "onewaysms"]) },
                ask(calls: true, "asks to be called") { $0.done.formUnion(["sent phone", "dialphone"]) },
            ]
        }
        // A call is answered, whatever is handed in.
        if place.facts.done.contains("dialphone") { return [hand("", script: [])] }
        let right = CodeFields.readable(place.journey.livingCodes(at: now), by: person) ?? ""
        let wrong = CodeFields.wrong(right)
        var acts = [
            hand(right, script: [.code(mark)]),
            hand(wrong, forged: .code, script: [.wrongCode(wrong, at: mark)]),
        ]
        if let expired = CodeFields.readable(place.journey.expiredCodes(at: now), by: person) {
            acts.append(hand(expired, forged: .expired, script: [.expiredCode]))
        }
        return acts
    }

    func phoneDetours() -> [Act] {
        guard place.facts.done.contains("sent phone"), !place.facts.done.contains("dialphone") else { return [] }
        let wrong = CodeFields.wrong(CodeFields.readable(place.journey.livingCodes(at: now), by: person))
        var act = hand(
            wrong, forged: .code, script: Array(repeating: .wrongCode(wrong, at: mark), count: Self.tries))
        act.words = "hands in a wrong code \(Self.tries) times"
        act.change = { $0.detour = .exhausted }
        act.pending = .nothing
        act.special = .repeated(Self.tries)
        return [ask(calls: false, "asks for another code by SMS") { $0.detour = .sentAgain }, act]
    }
}
