#if os(Linux)
    import Testing

    /// Which libraries the command needs, and when.
    @Suite(.blocking) struct LibraryTests {
        @Test func `libcurl is not loaded when the command starts`() throws {
            let tool = try Tool()
            defer { tool.remove() }
            // Makes the system's loader list what it would load (ld.so(8)).
            let loaded = try tool.run("--version", environment: ["LD_TRACE_LOADED_OBJECTS": "1"]).out
            #expect(loaded.contains("libjansson"))
            #expect(!loaded.contains("libcurl"))
        }

        @Test func `a request says why libcurl cannot be loaded`() throws {
            let tool = try Tool()
            defer { tool.remove() }
            try tool.write("", to: "libcurl.so.4")
            let environment = ["LD_LIBRARY_PATH": tool.folder.path]
            #expect(try tool.run("--version", environment: environment).status == 0)
            let outcome = try tool.run(
                "validate", "--discovery",
                "http://127.0.0.1:9/contoso.onmicrosoft.com/b2c_1_susi/v2.0/.well-known/openid-configuration",
                environment: environment)
            #expect(outcome.status == 3)
            #expect(
                outcome.error.contains(
                    "libcurl cannot be loaded: \(tool.folder.path)/libcurl.so.4: file too short. Install it"))
        }
    }
#endif
