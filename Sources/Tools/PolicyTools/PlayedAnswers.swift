import B2CProtocol
import Browser
import Determinism
import Exploration
import TenantFiles

/// What a person does at the pages of a policy that is played without a script for them.
struct PlayedAnswers: PageAnswers {
    let answers: FormAnswers

    func values(
        for fields: [PageField], isSignIn: Bool, usual: [String: String], record: UserRecord, attempt: Int,
        at now: Timestamp
    ) -> [String: String] {
        answers.values(
            for: fields, isSignIn: isSignIn, usual: usual, record: record, attempt: attempt, at: now)
    }

    func choice(at page: PageOffer, record: UserRecord) -> String? {
        answers.choice(of: page.choices, orForm: page.isForm, orSignUp: page.hasSignUpLink, record: record)
    }

    func phone(of record: UserRecord, attempt: Int) -> String { answers.phone(of: record, attempt: attempt) }

    func code(ofControl id: String) -> String? { answers.code(ofControl: id) }
}
