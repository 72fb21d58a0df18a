import DriveSimulation
import TestSupport
import Testing

@testable import TripEvents

/// Events that were made in the program are what a line that says the same would be.
@Suite struct ProgramEventTests {
    /// The result of reading an event.
    private enum Reading: Equatable {
        case accepted(
            kind: EventKind,
            form: PayloadForm,
            payload: [UInt8],
            source: [UInt8],
            occurredAt: Timestamp,
            id: [UInt8]
        )
        case refused(Rejection)

        init(of candidate: EventCandidate) {
            self = .accepted(
                kind: candidate.kind,
                form: candidate.form,
                payload: candidate.payload,
                source: Array(candidate.source.utf8),
                occurredAt: candidate.occurredAt,
                id: candidate.form.hasID ? candidate.id : []
            )
        }
    }

    private let recordedAt = RandomEvents.recordedAt

    private func reading(of event: TripEvent, _ encoder: inout EventEncoder) -> Reading {
        do throws(Rejection) {
            let events = [event]
            try encoder.encode(events.span, at: 0, recordedAt: recordedAt)
            return Reading(of: encoder.candidate)
        } catch {
            return .refused(error)
        }
    }

    /// Reads the line that says the same, with a reader of its own.
    private func readingAsLine(_ event: TripEvent) -> Reading {
        var reader = EventLineReader(acceptingReservedTypes: true)
        do throws(Rejection) {
            var line: [UInt8] = []
            event.appendJSON(to: &line)
            try reader.read(line.span, recordedAt: recordedAt)
            return Reading(of: reader.candidate)
        } catch {
            return .refused(error.at(column: nil))
        }
    }

    @Test(arguments: EventKind.allCases)
    func `a value and the line that says the same get one verdict and one encoding`(
        kind: EventKind
    ) throws {
        for seed in Seeds.fresh(kind == .fixRecorded ? 300 : 40) {
            var random = RandomEvents(seed: seed)
            var spoiler = EventSpoiler(seed: seed)
            var encoder = EventEncoder(acceptingReservedTypes: true)
            for _ in 0..<4 {
                let event = try random.event(kind)
                // One encoder for all, so that what one event leaves behind would show in the next.
                for event in [event, spoiler.spoilt(event), event] {
                    let expected = readingAsLine(event)
                    #expect(reading(of: event, &encoder) == expected, "seed \(seed)")
                    if case .accepted(_, let form, let payload, _, _, _) = expected {
                        #expect(event.encoded.form == form, "seed \(seed)")
                        #expect(event.encoded.payload == payload, "seed \(seed)")
                    }
                }
            }
        }
    }

    @Test func `what spoils an event is refused in many ways`() throws {
        let expected: Set<RejectionCode> = [
            .coordinateOutOfRange, .timeOutOfRange, .emptyText, .textTooLong, .invalidText,
            .numberOutOfRange, .invalidValue,
        ]
        var codes: Set<RejectionCode> = []
        // Continues until all codes have come up: 1,500 seeds nearly always suffice.
        for (index, seed) in Seeds.all(50_000).enumerated() where !codes.isSuperset(of: expected) {
            var random = RandomEvents(seed: seed)
            var spoiler = EventSpoiler(seed: seed)
            var encoder = EventEncoder(acceptingReservedTypes: true)
            let kind = EventKind.allCases[index % EventKind.allCases.count]
            let event = spoiler.spoilt(try random.event(kind))
            if case .refused(let rejection) = reading(of: event, &encoder) {
                codes.insert(rejection.code)
            }
        }
        #expect(codes.isSuperset(of: expected))
    }

    @Test func `sources that look alike are told apart`() throws {
        var encoder = EventEncoder()
        for source in ["caf\u{E9}", "cafe\u{301}", "caf\u{E9}", "cafe", "cafe\u{301}"] {
            let event = TripEvent(
                source: source,
                occurredAt: recordedAt,
                body: .goPressed(GoPressed())
            )
            _ = reading(of: event, &encoder)
            #expect(encoder.candidate.source.hasSameBytes(as: source))
        }
    }

    @Test func `a program says less than a millisecond in nanoseconds, and not more`() throws {
        var event = TripEvent(
            source: "p",
            occurredAt: recordedAt,
            body: .goPressed(GoPressed())
        )
        for nanoseconds: UInt32 in [0, 1, 999_999] {
            event.supplement.nanoseconds = nanoseconds
            try event.validate(recordedAt: recordedAt)
        }
        event.supplement.nanoseconds = 1_000_000
        #expect(throws: Rejection.self) { try event.validate(recordedAt: recordedAt) }
    }

    @Test func `an encoder for programs takes no reserved event`() throws {
        for seed in Seeds.fresh(5) {
            var random = RandomEvents(seed: seed)
            let event = try random.event(.sourceRegistered)
            var encoder = EventEncoder()
            guard case .refused(let rejection) = reading(of: event, &encoder) else {
                Issue.record("It was taken")
                continue
            }
            #expect(rejection.code == .reservedType)
        }
    }
}
