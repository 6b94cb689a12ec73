import CAssets
import Diagnostics

/// A policy file of the program's own, which user flows are laid over. It is read, merged and linked as any policy file is.
struct BuiltInPolicy {
    /// What messages call it.
    let file: String
    let policyID: String
    /// Without the line feed at its end.
    let bytes: [UInt8]

    /// Claims, transformations, pages and technical profiles; no journey.
    ///
    /// The ids of claims that are asked for are those that pages of real user flows post; profiles have the names that
    /// published policies use for the same purpose, so that a trace of a user flow reads like one of a custom policy.
    static let base = BuiltInPolicy("built-in base policy", "B2C_1A_HarnessBase", asset_harness_base())

    /// The texts of the pages in English and German, in our own wording: over the base, as a localization file is between
    /// base and extensions in published policies.
    static let texts = BuiltInPolicy("built-in texts", "B2C_1A_HarnessTexts", asset_harness_texts())

    /// What the captcha of user flows needs, over the base and its texts: a file of its own, so that flows without one have
    /// nothing of it. Ids are those of Microsoft's documentation (add-captcha, captcha-technical-profile) and of recorded
    /// pages.
    static let captcha = BuiltInPolicy("built-in captcha", "B2C_1A_HarnessCaptcha", asset_harness_captcha())

    /// The display control of ``captcha``, whose id pages post.
    static let captchaControl = "captchaControlChallengeCode"

    private init(_ file: String, _ policyID: String, _ asset: CAsset) {
        self.file = file
        self.policyID = policyID
        bytes = Array(asset.data.dropLast())
    }

    /// All of them, each before those that lie over it.
    static let all = [base, texts, captcha]

    func document() throws(InvalidInput) -> PolicyDocument { try PolicyReader.builtIn(file: file, bytes: bytes) }
}
