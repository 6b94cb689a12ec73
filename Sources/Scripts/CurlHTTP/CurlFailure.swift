import CLibcurl
import HTTPMessages

/// Why an exchange over libcurl had no response: the word that scripts and clients know, and what libcurl says.
public struct CurlFailure: Error, Sendable, Hashable {
    public var error: TransportError
    /// A sentence for the developer, with the host.
    public var text: String
    /// libcurl's own number: `CURLE_...`; 0 where it was never asked.
    public var code: UInt32

    init(_ error: TransportError, _ text: String, code: UInt32 = 0) {
        self.error = error
        self.text = text
        self.code = code
    }
}

extension CurlFailure: CustomStringConvertible {
    public var description: String { text }
}

extension CurlFailure {
    /// What libcurl's result means.
    ///
    /// - Parameters:
    ///   - hasBegun: The response's status line had arrived.
    ///   - systemError: The `errno` of a failed connection, 0 where there is none.
    ///   - words: libcurl's message for this transfer; empty where it left none.
    static func of(
        _ code: CURLcode, host: String, hasBegun: Bool, systemError: Int, words: String
    ) -> CurlFailure {
        let said = words.isEmpty ? String(cString: b2c_curl_easy_strerror(code)) : words
        func failure(_ error: TransportError, _ text: String) -> CurlFailure {
            CurlFailure(error, "\(host): \(text)", code: code.rawValue)
        }
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
            return failure(.dns, said)
        case CURLE_COULDNT_CONNECT:
            return failure(NoNetworkErrors.contains(systemError) ? .offline : .refused, said)
        case CURLE_OPERATION_TIMEDOUT:
            return failure(.timeout, said)
        case CURLE_SSL_CACERT_BADFILE:
            // No certificate is at fault: the file of the target is.
            return failure(.other("the file of certificate authorities cannot be read"), said)
        case CURLE_PEER_FAILED_VERIFICATION:
            return failure(.tls, "the server's certificate is not believed: \(said)")
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_USE_SSL_FAILED,
            CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_PINNEDPUBKEYNOTMATCH,
            CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED,
            CURLE_SSL_SHUTDOWN_FAILED:
            return failure(.tls, said)
        case CURLE_PARTIAL_FILE:
            return failure(.truncated, said)
        case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM:
            return failure(hasBegun ? .truncated : .reset, said)
        case CURLE_ABORTED_BY_CALLBACK:
            return failure(.cancelled, said)
        case CURLE_BAD_CONTENT_ENCODING:
            return failure(.other("the response's content encoding is broken"), said)
        default:
            return failure(.other(said), said)
        }
    }
}

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The system errors that mean no network, not a closed port.
private enum NoNetworkErrors {
    static func contains(_ code: Int) -> Bool {
        [ENETUNREACH, ENETDOWN, EHOSTUNREACH].contains(Int32(truncatingIfNeeded: code))
    }
}
