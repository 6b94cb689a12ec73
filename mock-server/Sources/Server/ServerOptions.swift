/// What a server was asked to be.
struct ServerOptions: Sendable {
    /// Path of the tenant file; nil: the embedded tenant is served.
    var tenant: String?
    var policies = ServedPolicies()
    var host = ListeningHost.usual
    /// 0 takes a free one.
    var port = 9400
    var alsoPorts: [Int] = []
    /// Port of the control API and the inspector page alone; 0 takes a free one.
    var controlPort = 0
    /// Whether a free port serves as well if that one is taken: nobody has asked for it.
    var controlPortMayDiffer = false
    var usesTLS = false
    /// What clients call the server behind a proxy.
    var outer = OuterAddress()
    /// Folder of the certificate authority; nil: the user's own.
    var certificateDirectory: String?
    var readyFile: String?
    /// Path of the file that keeps the default world over restarts.
    var state: String?
    /// Path of the file to which the journey recorder adds; nil: nothing is recorded.
    var journeyRecorder: String?
    /// Nil: drawn by the machine.
    var seed: UInt64?
    var logFormat = AccessLog.Format.text
    var isQuiet = false
    /// The process with whose end the server ends, too; `nil`: it stays.
    var parent: ParentWatch?
    /// REST stubs with `passThrough` call the real service.
    var allowsRealServices = false
    var controlToken: String?
    var limits = Limits()

    init(tenant: String? = nil) {
        self.tenant = tenant
    }
}
