import Geodesy
import RowCoding
import TripEvents

/// A jump of a car at rest that may turn out to be a spike: a fix or two far off, after which the
/// next one is back.
///
/// `indirect` keeps the trip as it was before out of the one that every fix changes.
indirect enum Jump: Hashable, Sendable {
    /// How long after the jump the return must come, in milliseconds, unless the source reports
    /// more seldom than that.
    private static let longestMilliseconds: Int64 = 120_000

    /// How near to where it left the source must be back, in metres.
    private static let returnMeters = 75.0

    case none

    /// The trip before the jump, the intervals of its source then, and the fixes since.
    case pending(before: OpenTrip, gapLimit: GapLimit, fixes: [PendingFix])

    var isPending: Bool {
        switch self {
        case .none: false
        case .pending: true
        }
    }

    /// Returns whether a fix is back where the trip was before the jump.
    static func isReturn(_ fix: Fix, to before: OpenTrip, after fixes: [PendingFix]) -> Bool {
        guard let place = before.latest, let first = fixes.first else { return false }
        let interval = first.fix.occurredAt.milliseconds(since: place.at)
        let limit = max(longestMilliseconds, 2 * interval)
        return fix.occurredAt.milliseconds(since: first.fix.occurredAt) <= limit
            && place.coordinate.distance(to: fix.coordinate).meters <= returnMeters
    }
}

extension Jump {
    func write(to writer: inout RowEncoder) {
        guard case .pending(let before, let gapLimit, let fixes) = self else {
            return writer.write(false)
        }
        writer.write(true)
        before.write(to: &writer)
        gapLimit.write(to: &writer)
        writer.write(UInt64(fixes.count))
        for fix in fixes {
            fix.write(to: &writer)
        }
    }

    init(from reader: inout RowDecoder) throws(RowCodingError) {
        guard try reader.readBool() else {
            self = .none
            return
        }
        let before = try OpenTrip(from: &reader)
        // A stored trip must not be as deep as its writer likes.
        guard !before.jump.isPending else { throw .invalidValue }
        let gapLimit = try GapLimit(from: &reader)
        var fixes: [PendingFix] = []
        for _ in 0..<(try reader.readUInt64()) {
            fixes.append(try PendingFix(from: &reader))
        }
        self = .pending(before: before, gapLimit: gapLimit, fixes: fixes)
    }
}

extension OpenTrip {
    /// The shortest time for a jump that is possible at all, in milliseconds.
    private static let shortestJumpMilliseconds: Int64 = 1_000

    /// How many fixes a spike has at most.
    private static let mostSpikes = 2

    /// Takes a usable fix after a jump: if it is back where the trip was before, the jump was a
    /// spike, and the trip goes on from before it.
    private mutating func settleJump(
        with fix: Fix,
        gapLimit: inout GapLimit,
        journal: inout some VerdictJournal
    ) {
        guard case .pending(let before, let intervals, let fixes) = jump else { return }
        guard Jump.isReturn(fix, to: before, after: fixes) else {
            if fixes.count >= Self.mostSpikes { jump = .none }
            return
        }
        let recorded = trip.recorded
        let exclusions = exclusions
        self = before
        exclude(exclusions)
        gapLimit = intervals
        for spike in fixes {
            settleSpike(spike, journal: &journal)
        }
        trip.recorded = recorded
    }

    /// Takes note of a usable fix that ends a jump, belongs to one or may begin one.
    @inline(__always)
    mutating func heedJump(
        _ fix: Fix,
        at position: UInt64,
        gapLimit: inout GapLimit,
        journal: inout some VerdictJournal
    ) {
        guard let last = latest?.at else { return }
        let milliseconds = fix.occurredAt.milliseconds(since: last)
        if milliseconds > Self.shortestJumpMilliseconds || jump.isPending {
            followJump(
                PendingFix(fix: fix, position: position),
                gapLimit: &gapLimit,
                journal: &journal
            )
        }
    }

    /// Whether a fix far off may be a spike: a car that was driving is not back where it was,
    /// unless it has turned round.
    ///
    /// A part that a split has made has driven before, however few fixes are its own.
    private var mayJump: Bool {
        pace.isResting || isResting
            || ancestry.isEmpty && trip.fixes.accepted + trip.fixes.afterGap <= 1
    }

    @inline(never)
    private mutating func followJump(
        _ next: PendingFix,
        gapLimit: inout GapLimit,
        journal: inout some VerdictJournal
    ) {
        if jump.isPending { settleJump(with: next.fix, gapLimit: &gapLimit, journal: &journal) }
        if case .pending(let before, let intervals, let fixes) = jump {
            jump = .pending(before: before, gapLimit: intervals, fixes: fixes + [next])
        } else if mayJump, filter?.isFarOff(next.fix, rules: rules) == true {
            var before = self
            before.exclude(Exclusions())
            jump = .pending(before: before, gapLimit: gapLimit, fixes: [next])
        }
    }
}
