import CLibcurl
import Determinism
import HTTPMessages
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// One exchange under way. Only the loop's thread touches it.
final class CurlTransfer {
    let order: CurlOrder
    let ticket: CurlTicket
    let continuation: CheckedContinuation<CurlLoop.Answer, Never>
    let limits: (body: Int, headers: Int)
    /// HTTP/2 connections that their server gives up on are tried once more.
    var mayRepeat: Bool
    var list: UnsafeMutablePointer<curl_slist>?
    var connectTo: UnsafeMutablePointer<curl_slist>?
    let words = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

    private var status = 0
    private var headers = Headers()
    private var headerBytes = 0
    private var body: [UInt8] = []
    private var hasBody = false
    /// Why receiving was ended from here.
    private(set) var refusal: String?

    init(
        _ order: CurlOrder, _ ticket: CurlTicket, _ continuation: CheckedContinuation<CurlLoop.Answer, Never>,
        limits: (body: Int, headers: Int), mayRepeat: Bool
    ) {
        self.order = order
        self.ticket = ticket
        self.continuation = continuation
        self.limits = limits
        self.mayRepeat = mayRepeat
        words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit {
        freeLists()
        words.deallocate()
    }

    func freeLists() {
        b2c_curl_list_free(list)
        b2c_curl_list_free(connectTo)
        list = nil
        connectTo = nil
    }

    /// Back to the state before anything was received.
    func rewind() {
        freeLists()
        words[0] = 0
        status = 0
        headers = Headers()
        headerBytes = 0
        body = []
        hasBody = false
        refusal = nil
    }

    var hasBegun: Bool { status >= 200 }

    var response: ResponseMessage { ResponseMessage(status: status, headers: headers, body: body) }

    func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        hasBody = true
        guard body.count + bytes.count <= limits.body else {
            refusal = "the response is larger than \(limits.body) bytes"
            return false
        }
        body.append(contentsOf: bytes)
        return true
    }

    /// One line of the header section, with its line end. An interim response (1xx) is followed by another section,
    /// chunked bodies by trailers, which belong to nobody here.
    func takeLine(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard !hasBody else { return true }
        headerBytes += bytes.count
        guard headerBytes <= limits.headers else {
            refusal = "the header section is larger than \(limits.headers) bytes"
            return false
        }
        var line = bytes[...]
        while let last = line.last, last == 13 || last == 10 { line = line.dropLast() }
        guard !line.isEmpty else { return true }
        if line.starts(with: "HTTP/".utf8) {
            let parts = line.split(separator: 32, maxSplits: 2)
            status = parts.count > 1 ? Int(String(decoding: parts[1], as: UTF8.self)) ?? 0 : 0
            headers = Headers()
            return true
        }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return true }
        var value = line[(colon + 1)...]
        while let first = value.first, first == 32 || first == 9 { value = value.dropFirst() }
        while let last = value.last, last == 32 || last == 9 { value = value.dropLast() }
        headers.append(String(decoding: line[..<colon], as: UTF8.self), String(decoding: value, as: UTF8.self))
        return true
    }

    /// Gives libcurl everything about the exchange. The handle is fresh or reset.
    func prepare(_ handle: UnsafeMutableRawPointer, _ options: CurlOptions) -> CURLcode {
        var worst = CURLE_OK
        func set(_ code: CURLcode) { if worst == CURLE_OK { worst = code } }
        let receiver = Unmanaged.passUnretained(self).toOpaque()
        set(b2c_curl_set_text(handle, CURLOPT_URL, order.url))
        set(b2c_curl_set_text(handle, CURLOPT_PROTOCOLS_STR, "http,https"))
        set(b2c_curl_set_long(handle, CURLOPT_NOSIGNAL, 1))
        set(b2c_curl_set_long(handle, CURLOPT_MAXAGE_CONN, Int(options.idleLimit.milliseconds / 1000)))
        // `/a/../b` is what a test may be about; the server sees it as written.
        set(b2c_curl_set_long(handle, CURLOPT_PATH_AS_IS, 1))
        set(b2c_curl_set_long(handle, CURLOPT_FOLLOWLOCATION, 0))
        set(b2c_curl_set_long(handle, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1))
        let version = options.version == .http2 ? b2c_curl_http_2_over_tls() : b2c_curl_http_1_1()
        set(b2c_curl_set_long(handle, CURLOPT_HTTP_VERSION, version))
        // Decodes what comes encoded; whether a request asks for it is the request's own field.
        set(b2c_curl_set_text(handle, CURLOPT_ACCEPT_ENCODING, ""))
        set(b2c_curl_set_pointer(handle, CURLOPT_ERRORBUFFER, words))
        set(b2c_curl_set_long(handle, CURLOPT_CONNECTTIMEOUT_MS, Self.milliseconds(options.connectTimeout)))
        let limit = min(order.timeout ?? options.timeout, options.timeout)
        set(b2c_curl_set_long(handle, CURLOPT_TIMEOUT_MS, Self.milliseconds(limit)))
        set(trust(handle, options.trust))
        switch options.proxy {
        case .none: set(b2c_curl_set_text(handle, CURLOPT_PROXY, ""))
        case .environment: break
        case .url(let url): set(b2c_curl_set_text(handle, CURLOPT_PROXY, url))
        }
        for route in options.routes { connectTo = b2c_curl_list_append(connectTo, route.text) }
        if connectTo != nil { set(b2c_curl_set_list(handle, CURLOPT_CONNECT_TO, connectTo)) }
        for line in order.headers { list = b2c_curl_list_append(list, line) }
        set(b2c_curl_set_list(handle, CURLOPT_HTTPHEADER, list))
        set(method(handle))
        set(b2c_curl_set_pointer(handle, CURLOPT_WRITEDATA, receiver))
        set(b2c_curl_set_pointer(handle, CURLOPT_HEADERDATA, receiver))
        set(
            b2c_curl_set_sink(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, receiver in
                CurlTransfer.receive(bytes, size: size, count: count, receiver: receiver) { $0.takeBody($1) }
            })
        set(
            b2c_curl_set_sink(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, receiver in
                CurlTransfer.receive(bytes, size: size, count: count, receiver: receiver) { $0.takeLine($1) }
            })
        return worst
    }

    private static func receive(
        _ bytes: UnsafeMutablePointer<CChar>?, size: Int, count: Int, receiver: UnsafeMutableRawPointer?,
        _ take: (CurlTransfer, UnsafeRawBufferPointer) -> Bool
    ) -> Int {
        guard let receiver else { return 0 }
        let transfer = Unmanaged<CurlTransfer>.fromOpaque(receiver).takeUnretainedValue()
        let buffer = UnsafeRawBufferPointer(start: bytes, count: size * count)
        // Another number than was given makes libcurl end the transfer. An empty piece must not look like that.
        return take(transfer, buffer) ? buffer.count : buffer.count &+ 1
    }

    private func method(_ handle: UnsafeMutableRawPointer) -> CURLcode {
        if order.method == "HEAD" { return b2c_curl_set_long(handle, CURLOPT_NOBODY, 1) }
        if order.body.isEmpty, order.method == "GET" { return b2c_curl_set_long(handle, CURLOPT_HTTPGET, 1) }
        if !order.body.isEmpty || ["POST", "PUT", "PATCH"].contains(order.method) {
            let code = order.body.withUnsafeBytes { bytes in
                // An empty array has no address, and none would mean "read the body from a callback".
                b2c_curl_set_body(handle, bytes.baseAddress ?? UnsafeRawPointer(words), bytes.count)
            }
            guard code == CURLE_OK else { return code }
        }
        return b2c_curl_set_text(handle, CURLOPT_CUSTOMREQUEST, order.method)
    }

    /// The system's certificate authorities, where they are not in the file that libcurl was built for: packages bring one of
    /// Debian along. Other distributions' places as Go's crypto/x509 has them.
    private static let authorities: String? = {
        #if os(Linux)
            let places = [
                "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
                "/etc/pki/tls/cacert.pem", "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", "/etc/ssl/cert.pem",
            ]
            return places.first { access($0, R_OK) == 0 }
        #else
            return nil
        #endif
    }()

    private func trust(_ handle: UnsafeMutableRawPointer, _ trust: CurlOptions.Trust) -> CURLcode {
        switch trust {
        case .system:
            return Self.authorities.map { b2c_curl_set_text(handle, CURLOPT_CAINFO, $0) } ?? CURLE_OK
        case .file(let path):
            // Without this the system's folder of authorities would still be believed.
            let code = b2c_curl_set_text(handle, CURLOPT_CAPATH, nil)
            return code == CURLE_OK ? b2c_curl_set_text(handle, CURLOPT_CAINFO, path) : code
        case .bytes(let bytes):
            var code = b2c_curl_set_text(handle, CURLOPT_CAPATH, nil)
            if code == CURLE_OK { code = b2c_curl_set_text(handle, CURLOPT_CAINFO, nil) }
            guard code == CURLE_OK else { return code }
            return bytes.withUnsafeBytes { b2c_curl_set_authorities(handle, $0.baseAddress, $0.count) }
        }
    }

    /// libcurl reads 0 as "no limit".
    private static func milliseconds(_ span: TimeSpan) -> Int { max(1, Int(clamping: span.milliseconds)) }
}

/// Names one exchange, for cancelling it. A task may be cancelled before its order reaches the thread.
final class CurlTicket: Sendable {
    private let cancelled = Atomic<Bool>(false)

    var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

    func cancel() { cancelled.store(true, ordering: .releasing) }
}
