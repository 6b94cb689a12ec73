import Browser
import Exploration
import TenantFiles

/// What a person does at the pages of a policy that is played without a script for them.
extension FormAnswers: PageAnswers {
    public func choice(at page: PageOffer, record: UserRecord) -> String? {
        choice(of: page.choices, orForm: page.isForm, orSignUp: page.hasSignUpLink, record: record)
    }
}
