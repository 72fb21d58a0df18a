internal import Glibc

/// Spans the part of the map that a scan has touched since it last forgot.
package struct MappedRegion {
    /// How many bytes of values are in it; it may be longer, where other pages lie between.
    package private(set) var valueBytes = 0

    private var lowest = UInt.max
    private var highest = UInt.min

    /// Creates an empty region.
    package init() {}

    /// Takes in the memory of a value.
    package mutating func extend(_ value: Span<UInt8>) {
        // Only the address is kept, as a number; nothing is read through it.
        unsafe value.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            let address = UInt(bitPattern: start)
            lowest = min(lowest, address)
            highest = max(highest, address + UInt(bytes.count))
        }
        valueBytes += value.count
    }

    /// Takes the pages out of this process, not out of the system's cache.
    ///
    /// The map is never written through, so nothing is lost, and who still reads there gets the
    /// same bytes again. The corresponding C function is `madvise` with `MADV_DONTNEED`.
    package mutating func forget() {
        guard lowest < highest else { return }
        let pageBytes = UInt(Environment.pageBytes)
        let start = lowest / pageBytes * pageBytes
        // Whole pages of the map, which the caller keeps open by its transaction.
        let address = unsafe UnsafeMutableRawPointer(bitPattern: start)
        // Only advice: if the system does not take it, the process is a little larger.
        _ = unsafe madvise(address, Int(highest - start), MADV_DONTNEED)
        self = MappedRegion()
    }
}
