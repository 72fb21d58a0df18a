import TestSupport
import Testing

@testable import TripEvents

@Suite struct EventRoundTripTests {
    private func line(_ event: TripEvent) -> [UInt8] {
        var line: [UInt8] = []
        event.appendJSON(to: &line)
        return line
    }

    @Test(arguments: EventKind.allCases)
    func `what is written as JSON is read back as the same event`(kind: EventKind) throws {
        var reader = EventLineReader(acceptingReservedTypes: true)
        for seed in Seeds.fresh(100) {
            var random = RandomEvents(seed: seed)
            let event = try random.event(kind)
            let line = line(event)
            // An event of many long texts may be too long for an entry; that is an answer too.
            let again: TripEvent
            do throws(Rejection) {
                again = try reader.event(line.span, recordedAt: RandomEvents.recordedAt)
            } catch {
                #expect(error.code == .entryTooLong, "seed \(seed): \(error)")
                continue
            }
            #expect(again == event, "seed \(seed)")
            // Strings compare by canonical equivalence; the bytes must agree too.
            #expect(self.line(again) == line, "seed \(seed)")
        }
    }

    @Test(arguments: EventKind.allCases)
    func `what is stored in bytes is read back as the same event`(kind: EventKind) throws {
        for seed in Seeds.fresh(100) {
            var random = RandomEvents(seed: seed)
            let event = try random.event(kind)
            let encoded = event.encoded
            let again = try TripEvent(
                decoding: encoded.payload.span,
                kind: encoded.kind,
                form: encoded.form,
                source: event.source,
                occurredAt: event.occurredAt,
                id: event.id
            )
            #expect(again == event, "seed \(seed)")
            #expect(again.encoded == encoded, "seed \(seed)")
        }
    }

    @Test(arguments: EventKind.allCases)
    func `a line and its event have the same bytes`(kind: EventKind) throws {
        var reader = EventLineReader(acceptingReservedTypes: true)
        for seed in Seeds.fresh(50) {
            var random = RandomEvents(seed: seed)
            let event = try random.event(kind)
            let line = line(event)
            guard (try? reader.read(line.span, recordedAt: RandomEvents.recordedAt)) != nil else {
                continue
            }
            let candidate = reader.candidate
            #expect(candidate.payload == event.encoded.payload, "seed \(seed)")
            #expect(candidate.form == event.encoded.form, "seed \(seed)")
            #expect(candidate.kind.rawValue == event.encoded.kind, "seed \(seed)")
            #expect(candidate.source == event.source, "seed \(seed)")
            #expect(candidate.form.hasID == (event.id != nil), "seed \(seed)")
        }
    }

    @Test func `replay sees the numbers that the event has`() throws {
        for seed in Seeds.fresh(300) {
            var random = RandomEvents(seed: seed)
            let event = try random.event(.fixRecorded)
            guard case .fixRecorded(let recorded) = event.body else { continue }
            let encoded = event.encoded
            let fix = Fix(
                payload: encoded.payload.span,
                form: encoded.form,
                occurredAt: event.occurredAt
            )
            #expect(fix != nil, "seed \(seed)")
            #expect(fix == recorded.fix(occurredAt: event.occurredAt), "seed \(seed)")
        }
    }

    @Test func `a prefix says what the event says`() throws {
        for seed in Seeds.fresh(100) {
            var random = RandomEvents(seed: seed)
            let event = try random.event(.goPressed)
            let encoded = event.encoded
            let read = PayloadPrefix(encoded.payload.span, form: encoded.form)
            let prefix = try #require(read)
            #expect(prefix.utcOffset == event.utcOffset, "seed \(seed)")
            #expect(prefix.sequence == event.sequence, "seed \(seed)")
            let actor = String(decoding: encoded.payload[prefix.actor], as: UTF8.self)
            #expect(actor == event.actor ?? "", "seed \(seed)")
        }
    }

    @Test(arguments: [
        (UInt8(0x7F), UInt8(0x00)),  // a kind of the future
        (0x10, 0x70),  // a fix with a supplement whose payload has version 2
        (0x12, 0x40),  // a GO whose payload has version 2
        (0x7F, 0xFF),
    ])
    func `unknown kinds survive`(kind: UInt8, form: UInt8) throws {
        let payload: [UInt8] = [0x01, 0x02, 0xFF, 0x00]
        let form = PayloadForm(rawValue: form)
        let event = try TripEvent(
            decoding: payload.span,
            kind: kind,
            form: form,
            source: "phone",
            occurredAt: Timestamp(milliseconds: 1),
            id: form.hasID ? "1" : nil
        )
        #expect(event.body.kind == nil)
        #expect(
            event.encoded == EncodedEvent(kind: kind, form: form, payload: payload)
        )
    }
}
