import Foundation
import TestSupport
import Testing

/// All times that `ledger status` shows to people are told by one clock, which it names once.
@Suite struct StatusClockTests {
    /// The hour of the press by the device's own clock, and by that of each zone.
    private static let zones = [("UTC", "06:30"), ("Asia/Tokyo", "15:30")]

    @Test(arguments: zones)
    func `times of devices elsewhere are told in the ledger's zone`(
        zone: String,
        time: String
    ) throws {
        let process = try LedgerProcess()
        let status = try process.shell(
            """
            set -e
            ledger init --time-zone \(zone) > /dev/null
            printf '%s\\n' \
                '{"type":"go_pressed","source":"phone","occurred_at":"2025-06-03T08:30:00+02:00"}' |
                ledger append > /dev/null
            ledger status --as-of 2025-06-03T08:31:00+02:00
            """
        )
        #expect(status.exitCode == 0, "\(status.errors)")
        #expect(status.text.contains("Started \(time)"), "\(status.text)")
        let times = status.text.matches(of: /2025-06-03 (..:..)/).map(\.output.1)
        #expect(!times.isEmpty && times.allSatisfy { $0 == time }, "\(status.text)")
        #expect(!status.text.contains("08:30") && !status.text.contains("+02:00"), "\(status.text)")
        #expect(status.text.hasSuffix("\nTimes in \(zone).\n"), "\(status.text)")
    }
}
