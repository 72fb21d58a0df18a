import Importers
import Testing
import TripEvents

@testable import ServerStore

/// What is set aside of a delivery.
@Suite struct ReadDeliveryTests {
    private static let now = Timestamp(milliseconds: 1_900_000_000_000)

    private static func read(_ locations: [String]) -> ReadDelivery {
        var token = Token(name: "phone", scopes: [.ingest], createdAt: now)
        token.sources = ["phone"]
        let body = #"{"location":[\#(locations.joined(separator: ","))]}"#
        return ReadDelivery(
            DeliveredRequest(body: Array(body.utf8)),
            at: .osmand,
            with: token,
            at: now
        )
    }

    /// The time for looking at the whole once for each would grow with the square of their number.
    @Test func `a delivery with very many faults in one record is set aside once, as a whole`() {
        let read = Self.read(Array(repeating: "{}", count: 50_000))
        #expect(read.items.isEmpty)
        #expect(read.aside.map(\.byteCount) == [#"{"location":[]}"#.utf8.count + 149_999])
        #expect(read.aside.allSatisfy { $0.code == "missing_field" && !$0.mayPassLater })
    }

    @Test func `times without a zone wait for one, beside faults that stay`() {
        let location =
            #"{"timestamp":"2030-03-17 10:00:00","coords":{"latitude":52.1,"longitude":5}}"#
        let read = Self.read(Array(repeating: location, count: 2_000))
        #expect(read.items.isEmpty && read.aside.count == 1)
        #expect(read.aside.allSatisfy { $0.code == "invalid_time" && $0.mayPassLater })
        let mixed = Self.read(["{}", location])
        #expect(mixed.aside.map(\.code) == ["invalid_time"])
        #expect(mixed.aside.allSatisfy { !$0.mayPassLater })
    }
}
