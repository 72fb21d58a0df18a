import Geodesy
import RowCoding
import TripEvents

/// A jump that may turn out to be a spike: a fix or two far off, after which the next one is back,
/// where a car at rest was or on the line that it drives.
///
/// `indirect` keeps the trip as it was before out of the one that every fix changes.
indirect enum Jump: Hashable, Sendable {
    /// How long after the jump the return must come, in milliseconds, unless the source reports
    /// less often than that.
    private static let longestMilliseconds: Int64 = 120_000

    /// How near to where it left the source must be back, in metres.
    private static let returnMeters = 75.0

    case none

    /// The trip before the jump, changed by everything that was said since, and the fixes since.
    case pending(before: PlacedTrip, fixes: [PendingFix])

    var isPending: Bool {
        switch self {
        case .none: false
        case .pending: true
        }
    }

    /// Returns whether a fix is back where the trip was before the jump.
    static func isReturn(_ fix: Fix, to before: PlacedTrip, after fixes: [PendingFix]) -> Bool {
        guard let first = fixes.first else { return false }
        let place = before.latest
        let interval = first.fix.occurredAt.milliseconds(since: place.at)
        let limit = max(longestMilliseconds, 2 * interval)
        guard fix.occurredAt.milliseconds(since: first.fix.occurredAt) <= limit else {
            return false
        }
        return before.mayJump
            ? place.coordinate.distance(to: fix.coordinate).meters <= returnMeters
            : before.filter.isOnLine(fix, leavingOut: fixes)
    }
}

extension Jump {
    /// Writes the jump.
    func write(to writer: inout RowEncoder) {
        guard case .pending(let before, let fixes) = self else {
            return writer.write(false)
        }
        writer.write(true)
        before.write(to: &writer)
        before.open.gapLimit.write(to: &writer)
        writer.write(fixes)
    }

    /// Reads a jump.
    init(from reader: inout RowDecoder) throws(RowCodingError) {
        guard try reader.readBool() else {
            self = .none
            return
        }
        let stage = try Stage(openTripFrom: &reader, gapLimit: GapLimit())
        // A stored trip must not be as deep as its writer likes.
        guard var before = stage.placed, !before.jump.isPending else { throw .invalidValue }
        before.open.gapLimit = try GapLimit(from: &reader)
        self = .pending(before: before, fixes: try reader.readPendingFixes())
    }
}

extension PlacedTrip {
    /// The shortest time for a jump that is possible at all, in milliseconds.
    private static let shortestJumpMilliseconds: Int64 = 1_000

    /// How many fixes a spike has at most.
    private static let mostSpikes = 2

    /// Takes a usable fix after a jump: if it is back where the trip was before, the jump was a
    /// spike, and the trip goes on from before it.
    private mutating func settleJump(with fix: Fix, journal: inout VerdictJournal?) {
        guard case .pending(let before, let fixes) = jump else { return }
        guard Jump.isReturn(fix, to: before, after: fixes) else {
            if fixes.count >= Self.mostSpikes { jump = .none }
            return
        }
        let recorded = open.trip.recorded
        self = before
        if open.isPressed { rest = nil }
        for spike in fixes {
            settleSpike(spike, journal: &journal)
        }
        open.trip.recorded = recorded
    }

    /// Takes note of a usable fix that ends a jump, belongs to one or may begin one.
    @inline(__always)
    mutating func heedJump(_ next: PendingFix, journal: inout VerdictJournal?) {
        let milliseconds = next.fix.occurredAt.milliseconds(since: latest.at)
        if milliseconds > Self.shortestJumpMilliseconds || jump.isPending {
            followJump(next, journal: &journal)
        }
    }

    /// Whether a fix far off is a spike if the next is back where the trip was.
    ///
    /// That holds for a trip at rest or at its start; a driving car comes back only if it has
    /// turned round.
    ///
    /// A part that a split has made has driven before, however few fixes are its own.
    fileprivate var mayJump: Bool {
        pace.isStill || isResting
            || open.ancestry.isEmpty
                && open.trip.fixes.accepted + open.trip.fixes.afterGap <= 1
    }

    @inline(never)
    private mutating func followJump(_ next: PendingFix, journal: inout VerdictJournal?) {
        if jump.isPending { settleJump(with: next.fix, journal: &journal) }
        if case .pending(let before, let fixes) = jump {
            jump = .pending(before: before, fixes: fixes + [next])
        } else if mayJump
            ? filter.isFarOff(next.fix, rules: open.rules)
            : filter.leavesLine(next.fix, rules: open.rules)
        {
            jump = .pending(before: self, fixes: [next])
        }
    }
}
