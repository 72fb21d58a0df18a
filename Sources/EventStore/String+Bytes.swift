extension String {
    /// Creates a text from UTF-8 bytes, or returns `nil` if they are not valid UTF-8.
    package init?(validating bytes: Span<UInt8>) {
        var copy: [UInt8] = []
        copy.append(contentsOf: bytes)
        self.init(validating: copy, as: UTF8.self)
    }
}
