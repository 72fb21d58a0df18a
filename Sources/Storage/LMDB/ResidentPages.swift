internal import Glibc
internal import Synchronization
internal import SystemPackage

/// Bounds how much of an environment's map is resident in this process: whenever transactions have
/// touched a few megabytes of it, drops its pages.
///
/// Without it the process grows with the file. With `madvise` made to fail, a million fixes take
/// 63 MB instead of 25 to replay, 64 instead of 24 to verify and 32 instead of 15 to append, in the
/// same time. Cursors and transactions count what they touch; no other code has to.
///
/// All pages of the map are clean: the map is read-only, and LMDB keeps what a transaction changes
/// in memory of its own until the commit writes it to the file.
final class ResidentPages: Sendable {
    /// The unit in which touched memory is counted: the most that the system maps when one page is
    /// touched, which is a huge page of its cache. (Linux, *Transparent Hugepage Support*.)
    private static let windowBytes: UInt = 2 << 20

    /// How many windows may be resident.
    private static let mostWindows = 2

    /// The number of lookups and changes after which pages are dropped: each may have touched a
    /// page elsewhere, around which the system maps 64 KiB, so that together they make one window.
    private static let mostTouches = 32

    /// The length of a list of mappings; more of it is not read.
    private static let mostBytesOfMaps = 1 << 18

    private struct State {
        /// The windows that were read since pages were last dropped, by number.
        var windows: [UInt] = []

        /// Lookups and changes since pages were last dropped.
        var touchCount = 0

        /// The addresses of the map; `nil` until pages are dropped for the first time.
        var map: Range<UInt>?
    }

    private let state = Mutex(State())

    /// The last window of a value that a reader has counted, so that it need not count it again.
    struct Window {
        fileprivate var number = UInt.max
    }

    /// Counts a value that was read from the map; `last` belongs to the reader.
    ///
    /// The value MUST lie in the map, so a value that the same transaction has written MUST NOT be
    /// counted, and the transaction MUST still be open.
    @inline(__always)
    func count(_ value: Span<UInt8>, last: inout Window) {
        let addresses = Self.addresses(of: value)
        let windows =
            addresses.lowerBound / Self.windowBytes...addresses.upperBound / Self.windowBytes
        guard windows.lowerBound != last.number || windows.upperBound != last.number else { return }
        last.number = windows.upperBound
        count(addresses, windows)
    }

    /// Counts a change, and returns whether pages should be dropped now.
    func countChange() -> Bool {
        state.withLock { state in
            state.touchCount += 1
            guard state.touchCount >= Self.mostTouches else { return false }
            // Also if it turns out that they cannot be: the next change need not try again.
            state.touchCount = 0
            return true
        }
    }

    /// Drops what a large commit has touched: most of it is not read soon.
    ///
    /// The writer MUST still be in the gate, which keeps the map where it is.
    func countCommit(changes: Int) {
        guard changes >= Self.mostTouches else { return }
        state.withLock { Self.drop(&$0) }
    }

    /// Drops all pages of the map in which `value` lies; its transaction MUST be open.
    func drop(around value: Span<UInt8>) {
        state.withLock { Self.drop(&$0, around: Self.addresses(of: value).lowerBound) }
    }

    /// Forgets where the map lies, because it is about to move.
    ///
    /// No transaction may be open.
    func mapWillMove() {
        state.withLock { $0 = State() }
    }

    private func count(_ addresses: Range<UInt>, _ windows: ClosedRange<UInt>) {
        guard !addresses.isEmpty else { return }
        state.withLock { state in
            state.touchCount += 1
            let newCount = windows.count { !state.windows.contains($0) }
            if state.touchCount >= Self.mostTouches
                || state.windows.count + newCount > Self.mostWindows
            {
                Self.drop(&state, around: addresses.lowerBound)
            }
            for window in windows where !state.windows.contains(window) {
                state.windows.append(window)
            }
        }
    }

    /// Drops all pages of the map in which an address lies.
    private static func drop(_ state: inout State, around address: UInt) {
        if state.map == nil { state.map = map(around: address) }
        drop(&state)
    }

    /// Drops all pages of the map if it is known where that lies.
    ///
    /// They stay in the system's cache, and reading there again gives the same bytes, because the
    /// map is never written to. The corresponding C function is `madvise` with `MADV_DONTNEED`.
    private static func drop(_ state: inout State) {
        state.windows.removeAll(keepingCapacity: true)
        state.touchCount = 0
        guard let map = state.map else { return }
        // The whole map, which the caller's transaction or the gate keeps in place; nothing is read
        // or written through its address.
        let start = unsafe UnsafeMutableRawPointer(bitPattern: map.lowerBound)
        // This is only advice: if the system refuses it, the process is a little larger.
        _ = unsafe madvise(start, map.count, MADV_DONTNEED)
    }

    /// Returns the shared read-only mapping in which an address lies, or `nil` if there is none.
    ///
    /// LMDB does not say where its map lies; the system does, in `/proc/self/maps`, by lines that
    /// begin like `7f00a000-7f00b000 r--s`.
    private static func map(around address: UInt) -> Range<UInt>? {
        let path: FilePath = "/proc/self/maps"
        guard let file = try? FileDescriptor.open(path, .readOnly, options: [.closeOnExec]) else {
            return nil
        }
        defer { try? file.close() }
        let reader = PageReader(descriptor: file, path: path)
        let text = (try? reader.bytes(at: 0, count: mostBytesOfMaps)) ?? []
        for line in text.split(separator: UInt8(ascii: "\n")) {
            let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
            guard fields.count == 3, fields[1].elementsEqual("r--s".utf8) else { continue }
            let bounds = fields[0].split(separator: UInt8(ascii: "-"))
                .compactMap { UInt(String(decoding: $0, as: UTF8.self), radix: 16) }
            guard bounds.count == 2, bounds[0] <= address, address < bounds[1] else { continue }
            return bounds[0]..<bounds[1]
        }
        return nil
    }

    /// Returns where a value lies.
    private static func addresses(of value: Span<UInt8>) -> Range<UInt> {
        // Only the addresses are kept, as numbers; nothing is read through them.
        unsafe value.withUnsafeBytes { bytes in
            let start = UInt(bitPattern: bytes.baseAddress)
            return start..<start + UInt(bytes.count)
        }
    }
}
