import Testing

@testable import TripEvents

@Suite struct MemberSetTests {
    @Test func `a set has the members that it was made of, whatever their codes are`() {
        for code in UInt8(1)...255 {
            let set = MemberSet(code)
            #expect((UInt8(1)...255).filter(set.contains) == [code])
            #expect(!(~set).contains(code) && (set & ~set).isEmpty)
        }
        let codes: [UInt8] = [1, 64, 127, 128, 129, 255]
        let set = MemberSet(codes)
        #expect((UInt8(1)...255).filter(set.contains) == codes)
        #expect((set | MemberSet(2)) & MemberSet(2) == MemberSet(2))
    }

    @Test func `a line may have members of all codes, and null among them`() throws {
        var reader = EventLineReader()
        let line =
            #"{"type":"details_edited","source":"s","occurred_at":"2026-03-14T09:15:00Z","#
            + #""trip":"0f1e2d3c4b5a69788796a5b4c3d2e1f0","driver":"Eva","from_address":null,"#
            + #""to_address":"Dorpsstraat 1"}"#
        let event = try reader.event(
            Array(line.utf8).span,
            recordedAt: Timestamp(milliseconds: 1_900_000_000_000)
        )
        guard case .detailsEdited(let edit) = event.body else {
            Issue.record("\(event)")
            return
        }
        #expect(edit.driver == .set("Eva") && edit.originAddress == .cleared)
        #expect(edit.destinationAddress == .set("Dorpsstraat 1"))
    }
}
