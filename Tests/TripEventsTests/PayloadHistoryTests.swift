import Testing

@testable import TripEvents

/// Older versions read as the newest, and steps from version to version make a chain.
@Suite struct PayloadHistoryTests {
    private func step(_ from: Int, _ to: Int) -> PayloadStep {
        PayloadStep(
            kind: .goPressed,
            from: from,
            to: to,
            isOlder: { _ in false },
            upcast: { $0 },
            downcast: { $0 }
        )
    }

    @Test func `the steps of this program are chains`() {
        #expect(PayloadHistory.problems(in: PayloadHistory.steps) == [])
        #expect(PayloadHistory.currentVersion(of: .locationFailed) == 2)
        #expect(PayloadHistory.currentVersion(of: .goPressed) == 1)
    }

    @Test(
        arguments: [
            [(2, 3)], [(1, 2), (3, 4)], [(1, 2), (2, 1)], [(1, 1)], [(1, 2), (1, 2)], [(1, 3)],
            [(1, 2), (2, 3), (3, 4), (4, 5)],
        ]
    )
    func `gaps, cycles and doubles are found`(steps: [(Int, Int)]) {
        #expect(!PayloadHistory.problems(in: steps.map { step($0.0, $0.1) }).isEmpty)
    }

    @Test(
        arguments: [
            ("kCLErrorDenied", LocationFailure.denied), ("Permission missing", .denied),
            ("request TIMED OUT", .timeout), ("Network is down", .network),
            ("kCLErrorLocationUnknown", .noSignal), ("no satellites", .noSignal), ("?", .other),
        ]
    )
    func `what a device said in version 1 tells the reason`(
        error: String,
        reason: LocationFailure
    ) throws {
        let event = try TripEvent(
            decoding: ([0x14, UInt8(error.utf8.count)] + Array(error.utf8)).span,
            kind: 0x15,
            form: PayloadForm(rawValue: 0),
            source: "p",
            occurredAt: Timestamp(milliseconds: 0),
            id: nil
        )
        #expect(event.body == .locationFailed(LocationFailed(reason: reason, error: error)))
        #expect(event.encoded.form.version == 1)
    }

    @Test func `an older version does not hold a newer field`() {
        let payload: [UInt8] = [0x47, 0x06] + Array("denied".utf8)
        #expect(throws: PayloadDamage.self) {
            try TripEvent(
                decoding: payload.span,
                kind: 0x15,
                form: PayloadForm(rawValue: 0),
                source: "p",
                occurredAt: Timestamp(milliseconds: 0),
                id: nil
            )
        }
    }

    @Test func `a version of the future is kept as it is`() throws {
        let event = try TripEvent(
            decoding: [1, 2, 3].span,
            kind: 0x15,
            form: PayloadForm(rawValue: 0x80),
            source: "p",
            occurredAt: Timestamp(milliseconds: 0),
            id: nil
        )
        #expect(event.body == .unknown(UnknownEvent(kind: 0x15, form: 0x80, payload: [1, 2, 3])))
    }
}
