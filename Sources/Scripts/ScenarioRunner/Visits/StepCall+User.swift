import B2CProtocol
import Browser
import Exchanges
import HTTPMessages
import JSON
import Verbs

/// The person at the browser, as a step has it.
extension StepCall {
    func userScript() async throws(StepProblem) -> UserScript? {
        guard let user = step.user else { return nil }
        let scope = await world.scope(index: context.index)
        let plan: UserPlan
        do throws(UserPlanError) {
            plan = try await UserPlan.read(user, in: scope)
        } catch {
            switch error {
            case .value(let value): throw StepProblem("user\(value.pointer): \(value.description)")
            case .malformed(let malformed): throw StepProblem("user\(malformed.pointer): \(malformed.message)")
            }
        }
        var entries: [UserScript.Entry] = []
        for move in plan.actions {
            switch move {
            case .person(let name): entries.append(.person(try await world.person(name)))
            case .action(let action):
                let person: Person?
                if let name = action.person { person = try await world.person(name) } else { person = nil }
                entries.append(.action(self.action(action, person)))
            }
        }
        return UserScript(entries)
    }

    private func action(_ action: PageAction, _ person: Person?) -> UserAction {
        let (world, index) = (world, context.index)
        return action.userAction(as: person) {
            guard !action.fill.isEmpty else { return .values([]) }
            do throws(ValueError) {
                let filled = try await Interpolation.resolve(.object(action.fill), in: await world.scope(index: index))
                return .values((filled.objectValue?.members ?? []).map { ($0.key, $0.value) })
            } catch {
                return .problem("fill\(error.pointer): \(error.description)")
            }
        }
    }

    /// The actions that the person had to do and did not, each with its place and how the flow ended instead. A person's
    /// name is not an action: it says who sits there.
    ///
    /// - Parameter ending: What kept the flow from coming to them.
    func undone(_ user: UserScript?, _ progress: UserProgress, because ending: String) -> [String] {
        var found: [String] = []
        for (index, entry) in (user?.entries ?? []).enumerated() {
            guard case .action(let action) = entry, !action.optional else { continue }
            let done = progress[index]
            let wanted = max(1, action.repeatCount)
            guard done.rounds < wanted else { continue }
            let pointer = step.pointer.appending("user").appending(index)
            var what = "the action at \(world.variant.scenario.location(of: pointer))"
            if let page = action.onText { what += " (on \(page))" }
            if done.endedBeforeWindow {
                what += " did not come to its `window`"
            } else if done.rounds > 0 {
                what += " was done \(done.rounds) of \(wanted) times"
            } else {
                what += " was not reached"
            }
            found.append("\(what): \(ending); mark it \"optional\": true if it need not be")
        }
        return found
    }

    /// How a visit ended, for a person who still had something to do.
    ///
    /// - Parameter page: The last that showed.
    static func ending(_ end: BrowseEnd, after page: PageRecord?) -> String {
        let last = page.map { "after the page \"\($0.name)\"" } ?? "without showing a page"
        switch end {
        case .callback(var url, _):
            url.query = nil
            url.fragment = nil
            return "the flow ended \(last), at the redirect URI \(url)"
        case .userClosed: return "the window was closed \(last)"
        case .pending(let pending): return "the flow stopped \(last) (\(pending.reason))"
        case .failed(let error): return "the flow ended \(last), as a page could not be loaded (\(error.word))"
        case .nonHTTPS(let url): return "the flow ended \(last), as the web view does not go to \(url.origin)"
        case .blocked(let reason): return "the flow ended \(last), as the browser does not show the answer (\(reason))"
        case .scriptDoesNotFit(let text): return text
        }
    }
}
