import ArgumentParser
import TripLedger

/// What is to be proven: one event, or all events of a trip.
enum ProofSubject: ExpressibleByArgument {
    /// More digits than any position has are the beginning of a trip's id.
    private static let maximumPositionDigitCount = 17

    case event(position: UInt64)
    case trip(TripReference)

    /// Reads digits as a position, and everything else as a trip.
    init?(argument: String) {
        if argument.utf8.count <= Self.maximumPositionDigitCount,
            argument.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let position = UInt64(argument)
        {
            self = .event(position: position)
        } else if let trip = TripReference(argument) {
            self = .trip(trip)
        } else {
            return nil
        }
    }

    /// Finds the events.
    func positions(in ledger: Ledger) throws -> [UInt64] {
        switch self {
        case .event(let position): [position]
        case .trip(let reference): try ledger.positions(of: reference)
        }
    }
}
