import Verbs

extension DeviceInformation: RunnableVerb {
    func run(_ call: StepCall) async throws -> Yield { Yield(await (try call.client()).deviceInformation()) }
}
