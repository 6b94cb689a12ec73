package import CAssets

extension CAsset {
    /// The file's bytes.
    package var data: [UInt8] { Array(UnsafeBufferPointer(start: bytes, count: count)) }

    /// The file's text.
    package var text: String { String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self) }
}
