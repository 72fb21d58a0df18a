/// Stops input that expands far more than recordings do, before it fills a disk or takes hours.
///
/// A class, because all that is opened within one file counts together.
package final class ExpansionLimit {
    /// How many times its size something may expand.
    ///
    /// Recordings expand 10 to 50 times, and a gigabyte of zeros 1,030 times.
    package static let highestRatio: Int64 = 250

    /// The number of bytes that may always come out.
    package static let freeByteCount: Int64 = 1 << 26

    /// How many bytes were read of the outermost file.
    package private(set) var compressed: Int64 = 0

    private var expanded: Int64 = 0

    /// Begins with nothing.
    package init() {}

    /// Notes bytes that were read of the outermost file.
    package func noteRead(_ byteCount: Int) {
        compressed += Int64(byteCount)
    }

    /// Notes bytes that came out of something within it.
    ///
    /// - Throws: `ArchiveProblem.tooMuch`.
    func noteExpanded(_ byteCount: Int) throws(ArchiveProblem) {
        expanded += Int64(byteCount)
        guard expanded <= Self.freeByteCount || expanded / Self.highestRatio <= compressed else {
            throw .tooMuch
        }
    }
}
