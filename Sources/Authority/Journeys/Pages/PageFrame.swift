import TrustFramework

/// Place of an orchestration step in its journey's list.
struct StepLocation: Sendable, Hashable, Codable {
    var journey: JourneyHandle
    var step: Int
}

/// A page of ours that is showing, or being checked.
struct PageFrame: Sendable, Hashable, Codable {
    /// The state of the page.
    enum Phase: Sendable, Hashable, Codable {
        /// Nothing has been shown yet.
        case opening
        case showing
        /// Validation profiles run.
        case validating
        /// Profiles of a display control's action run: control and action by their places.
        case acting(DisplayControlHandle, Int)
        /// The last submit was accepted; `confirmed` may come.
        case accepted
        /// Too many submits failed; only the end may come.
        case exhausted
    }

    /// The profile of the page: self-asserted, phone factor, or the local form of a combined page. `nil` for a provider
    /// selection.
    var profile: ProfileHandle?
    /// The selection step, for a combined page and a provider selection.
    var selection: StepLocation?
    var phase = Phase.opening
    /// The bag before the last submit.
    var before = ClaimsBag()
    var failures = 0
    /// What has been proved by a code on this page: claim and value.
    var verified: [ProvedClaim] = []
    var phone = PhoneState()
    /// A captcha was solved and has not let a post through yet.
    var hasSolvedCaptcha = false
    /// The bag when the page was first shown. What is written inside the page and is not its output goes back to it.
    /// `nil` in a journey that was stored before there was one: then everything goes on.
    var opened: ClaimsBag?
    /// Defaults of input claims that are in the bag while the page is open.
    var held: [HeldClaim] = []

    init(profile: ProfileHandle) { self.profile = profile }

    init(selection: StepLocation) { self.selection = selection }
}

/// A claim whose value was proved by a code.
struct ProvedClaim: Sendable, Hashable, Codable {
    var claim: ClaimTypeHandle
    var value: String
}

/// What the phone page has done so far.
struct PhoneState: Sendable, Hashable, Codable {
    /// The number in use.
    var number: String?
    /// Whether the person typed it.
    var isNew = false
    /// A call was made and not answered yet.
    var isCalling = false
    /// How often the page has asked whether the call was answered.
    var polls = 0
    var failures = 0
}
