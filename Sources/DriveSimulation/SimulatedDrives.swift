import TripEvents

/// Any number of drives in bulk, made one event at a time: GO, a fix every second, STOP.
///
/// Times increase strictly, numbers have the resolution of a narrow fix, and memory does not grow
/// with the number of drives.
public struct SimulatedDrives: Sequence, Sendable {
    let seed: UInt64
    let count: Int
    let fixesPerDrive: ClosedRange<Int>
    let source: String
    let start: Timestamp

    /// Returns an iterator that starts with the first drive's GO.
    public func makeIterator() -> Iterator {
        Iterator(self)
    }
}
