import Foundation
import TestSupport
import Testing
import TripEvents

/// `ledger edit --mode`, from a ride that the rules kept out to a trip that counts and back.
@Suite struct SaidModeTests {
    /// The sensor says cycling; ten minutes to the north at 5 m/s, a fix each ten seconds, then
    /// half an hour of standing.
    private static let ride: Data = {
        let start: Int64 = 1_750_000_000_000
        let lines = (0...240)
            .map { step in
                let latitude = 52 + Double(min(step, 60)) * 50 / 111_276
                return """
                    {"type":"fix_recorded","source":"phone","occurred_at":\
                    \(start + Int64(step) * 10_000),"lat":\(latitude),"lon":4.5,"accuracy":5}
                    """
            }
        let sensed = """
            {"type":"motion_changed","source":"phone","occurred_at":\(start - 1),\
            "state":"cycling","confidence":"high"}
            """
        return Data(([sensed] + lines).joined(separator: "\n").utf8)
    }()

    @Test func `a ride that a person calls a drive counts until that is taken back`() throws {
        let book = try LedgerProcess()
        try book.begin()
        _ = try book.run("rules", "preset", "history")
        try book.append(Self.ride)
        func totalTrips() throws -> String? {
            try book.run("totals", "--format", "json").lines.last
        }
        let before = try book.run("trips", "--all", "--format", "json")
        let object = try JSONSerialization.jsonObject(with: before.output)
        let ride = try #require(object as? [String: Any])
        #expect(ride["abandoned"] as? String == "not_by_car")
        #expect(ride["mode"] as? String == "bicycle")
        let name = try #require(ride["id"] as? String)
        #expect(try totalTrips()?.contains(#""trips":0"#) == true)

        #expect(try book.run("edit", name, "--mode", "car").exitCode == 0)
        let trip = try book.trip(name)
        #expect(trip["status"] as? String == "completed")
        #expect(trip["mode"] as? String == "car")
        #expect(trip["measured_mode"] as? String == "bicycle")
        #expect(try totalTrips()?.contains(#""trips":1"#) == true)
        let text = try book.run("trip", name).text
        #expect(text.contains("Mode      car, as a person said; by the rules bicycle"))

        #expect(try book.run("edit", name, "--clear", "mode").exitCode == 0)
        #expect(try book.trip(name)["status"] as? String == "abandoned")
        let evidence = try book.run("trip", name).text
        #expect(evidence.contains("Mode      bicycle: 10 min at cycling pace"))
        try book.expectViewsConfirmed("after the edits")
    }
}
