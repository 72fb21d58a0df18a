import DriveSimulation
package import Foundation
package import TripEvents

/// Events as lines of JSON, as a sender writes them.
package enum DriveLines {
    /// Returns events as lines without their line feeds.
    package static func lines(_ events: some Sequence<TripEvent>) -> [String] {
        events.map(\.json)
    }

    /// Joins lines to what is sent.
    package static func data(_ lines: some Sequence<String>) -> Data {
        Data(lines.map { $0 + "\n" }.joined().utf8)
    }

    /// Returns what several sources report: every scenario and some longer drives.
    package static func mixed(seed: UInt64) -> [String] {
        var events: [TripEvent] = []
        for scenario in Scenario.allCases {
            events += DriveSimulator.events(of: scenario, seed: seed, source: scenario.rawValue)
        }
        events += DriveSimulator.drives(seed: seed, count: 4, fixesPerDrive: 20...120)
        return lines(events.sorted { $0.occurredAt < $1.occurredAt })
    }
}
