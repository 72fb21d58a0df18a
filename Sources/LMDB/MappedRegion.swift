internal import Glibc

/// Tells how much of the map a scan may have brought into this process, and gives it back.
package struct MappedRegion {
    /// What the system maps at most when one page is touched: a huge page, all of which it keeps
    /// together where the file was read in order. (Linux, *Transparent Hugepage Support*, large
    /// folios of the page cache.)
    private static let stretchBytes: UInt = 2 << 20

    /// The stretches of the map that values lie in; few, for a scan forgets in time.
    private var stretches: [UInt] = []

    /// What is known to lie in the map: from the lowest value that was named to the highest.
    private var known: Range<UInt>?

    /// How many bytes may be mapped because of the values since it last forgot.
    package var mappedBytes: Int { stretches.count * Int(Self.stretchBytes) }

    /// Creates an empty region of a map that nothing is known of.
    package init() {}

    /// Creates an empty region of the map in which a table lies, as its first and last value tell.
    package init(around cursor: inout Cursor) {
        look(around: &cursor)
    }

    /// Looks at the map through another transaction, for which it may lie elsewhere; what may be
    /// mapped counts on.
    ///
    /// If the table's first or last value is on a damaged page, less is known; who reads on will
    /// find that out.
    package mutating func look(around cursor: inout Cursor) {
        known = nil
        widen(around: &cursor)
    }

    /// Takes in that another table lies in the map too, as its first and last value tell.
    package mutating func widen(around cursor: inout Cursor) {
        if (try? cursor.first()) ?? false {
            known = Self.union(known, Self.addresses(of: cursor.value))
        }
        if (try? cursor.last()) ?? false {
            known = Self.union(known, Self.addresses(of: cursor.value))
        }
    }

    /// Takes in the memory of a value, which MUST lie in the map: one that the same transaction has
    /// written does not.
    package mutating func extend(_ value: Span<UInt8>) {
        let addresses = Self.addresses(of: value)
        guard !addresses.isEmpty else { return }
        known = Self.union(known, addresses)
        for stretch in addresses.lowerBound / Self.stretchBytes...(addresses.upperBound - 1)
            / Self.stretchBytes
        where stretches.last != stretch && !stretches.contains(stretch) {
            stretches.append(stretch)
        }
    }

    /// Takes the pages out of this process, not out of the system's cache.
    ///
    /// The map is never written through, so nothing is lost, and who still reads there gets the
    /// same bytes again. The corresponding C function is `madvise` with `MADV_DONTNEED`.
    package mutating func forget() {
        // All that is known to be the map, which the caller keeps open by its transaction: besides
        // values, those pages of the tree were touched that lead to them.
        guard let known else { return }
        let pageBytes = UInt(Environment.pageBytes)
        let start = known.lowerBound / pageBytes * pageBytes
        // Whole pages of the map; nothing is read or written through their address.
        let address = unsafe UnsafeMutableRawPointer(bitPattern: start)
        // Only advice: if the system does not take it, the process is a little larger.
        _ = unsafe madvise(address, Int(known.upperBound - start), MADV_DONTNEED)
        stretches.removeAll(keepingCapacity: true)
    }

    /// Returns where a value lies.
    private static func addresses(of value: Span<UInt8>) -> Range<UInt> {
        // Only the addresses are kept, as numbers; nothing is read through them.
        unsafe value.withUnsafeBytes { bytes in
            let start = UInt(bitPattern: bytes.baseAddress)
            return start..<start + UInt(bytes.count)
        }
    }

    /// Returns what two ranges span together.
    private static func union(_ one: Range<UInt>?, _ other: Range<UInt>) -> Range<UInt> {
        guard let one else { return other }
        return min(one.lowerBound, other.lowerBound)..<max(one.upperBound, other.upperBound)
    }
}
