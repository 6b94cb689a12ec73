import Verbs

extension DeviceInformation: RunnableVerb {
    func run(_ call: StepCall) async throws -> StepResult { StepResult(await (try call.client()).deviceInformation()) }
}
