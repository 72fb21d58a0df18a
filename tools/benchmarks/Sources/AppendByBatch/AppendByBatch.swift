import Glibc
import SystemPackage
import TripEvents
import TripLedger

/// Appends fixes to a ledger through the library, as the rivals in C do, and prints the seconds.
///
///     AppendByBatch LEDGER BATCH BATCHES
///
/// Each batch is durable before the next begins. The events are made before the clock runs: a
/// program that records has them anyway.
@main
struct AppendByBatch {
    /// Also in rivals/fixes.h.
    static let firstFixAt: Int64 = 1_420_070_400_000

    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let batch = Int(arguments[2]), let batches = Int(arguments[3])
        else { exit(64) }
        let ledger = try Ledger(at: FilePath(arguments[1]))
        var duration = Duration.zero
        for number in 0..<batches {
            let events = (0..<batch).map { event(at: number * batch + $0) }
            var receipts: [Receipt] = []
            duration += try ContinuousClock()
                .measure { receipts = try ledger.append(events, now: now()) }
            precondition(receipts.allSatisfy { if case .appended = $0 { true } else { false } })
        }
        ledger.close()
        print(duration / .seconds(1))
    }

    private static func event(at index: Int) -> TripEvent {
        let step = Int64(index % 100_000)
        guard let latitude = number(519_000_000 + 1_100 * step, decimals: 7),
            let longitude = number(44_000_000 + 1_300 * step, decimals: 7)
        else { preconditionFailure("a coordinate has few digits") }
        let fix = FixRecorded(
            latitude: latitude,
            longitude: longitude,
            accuracy: number(30 + index % 90, decimals: 1),
            altitude: number(index % 500, decimals: 1),
            speed: number(1_000 + index % 1_500, decimals: 2),
            course: number(index * 7 % 36_000, decimals: 2),
            provider: .gps
        )
        return TripEvent(
            source: "benchmark",
            occurredAt: Timestamp(milliseconds: firstFixAt + 1_000 * Int64(index + 1)),
            body: .fixRecorded(fix)
        )
    }

    private static func number(_ units: some BinaryInteger, decimals: Int) -> ExactDecimal? {
        ExactDecimal(significand: Int64(units), decimals: decimals)
    }

    private static func now() -> Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
    }
}
