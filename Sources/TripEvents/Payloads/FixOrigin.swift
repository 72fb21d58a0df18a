/// A fix's origin byte: bits 0–3 the provider, bit 6 whether mock is known, bit 7 mock.
@usableFromInline
struct FixOrigin: RawRepresentable, Hashable, BitwiseCopyable {
    @usableFromInline var rawValue: UInt8

    /// A provider that may be left out, so that "unknown code" is another answer than "none".
    struct Provider {
        var value: FixProvider?
    }

    @inlinable @inline(__always)
    init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    @inline(__always)
    init(provider: FixProvider?, isMock: Bool?) {
        rawValue = provider?.code ?? 0
        if let isMock {
            rawValue |= isMock ? 0xC0 : 0x40
        }
    }

    /// The provider, or `nil` if the byte is none that this version writes.
    var provider: Provider? {
        guard rawValue & 0x30 == 0, rawValue & 0xC0 != 0x80 else { return nil }
        let code = rawValue & 0x0F
        guard code != 0 else { return Provider(value: nil) }
        return FixProvider.allCases.first { $0.code == code }.map { Provider(value: $0) }
    }

    /// Whether the source says the location was made up, if it says.
    @inlinable var isMock: Bool? { rawValue & 0x40 != 0 ? rawValue & 0x80 != 0 : nil }
}
