import Geodesy
import LedgerRows
import Projections
import ProjectorTestSupport
import TestSupport
import Testing
import TripEvents
import TripLedger
import TripTracking

/// What notifications say, in the language of the ledger's settings.
@Suite struct NotificationLanguageTests {
    private static let at = EventTime(
        Timestamp(milliseconds: 1_773_648_000_000),
        utcOffset: UTCOffset(minutes: 60)
    )

    private static func notification(
        _ kind: LedgerNotification.Kind,
        about name: String?
    ) -> LedgerNotification {
        let subject: LedgerNotification.Subject =
            !kind.isReminder || kind == .purposeWaiting
            ? .trip(BookedTrip(SampleTrip.full))
            : .reminder(
                LedgerNotification.Reminder(
                    about: name,
                    distance: Distance(millimeters: 12_340_000),
                    lastDay: CivilDate(daysSince1970: 20_819),
                    command: "ledger status"
                )
            )
        return LedgerNotification(
            reminding: kind,
            since: at,
            foundAt: at.timestamp,
            subject,
            position: 7
        )
    }

    private static func message(
        _ kind: LedgerNotification.Kind,
        in language: String?,
        about name: String? = "van"
    ) -> String {
        NotificationMessage(
            notification(kind, about: name),
            unit: .kilometers,
            clock: nil,
            language: language
        )
        .message
    }

    @Test(arguments: LedgerNotification.Kind.allCases)
    func `each kind has a sentence of its own in each language`(kind: LedgerNotification.Kind) {
        let messages = ["en", "nl", "de", "fr"].map { Self.message(kind, in: $0) }
        #expect(Set(messages).count == 4, "\(messages)")
        #expect(messages.allSatisfy { !$0.hasSuffix(".") }, "\(messages)")
        #expect(Self.message(kind, in: nil) == messages[0])
        #expect(Self.message(kind, in: "de-AT") == messages[2])
        #expect(Self.message(kind, in: "it") == messages[0])
    }

    @Test func `English is what programs got before, and German has its own numbers`() {
        #expect(
            Self.message(.odometerOnly, in: "en")
                == "The odometer of van saw 12.34 km until 09:00 +01:00 that no trip explains"
        )
        #expect(
            Self.message(.ratesEnd, in: "en", about: "nl")
                == "The last day of the rates nl is 2027-01-01, and no others go on"
        )
        #expect(
            Self.message(.sourceSilent, in: "en", about: nil)
                == "the ledger has said nothing since 09:00 +01:00, and usually drives"
        )
        #expect(
            Self.message(.ratesEnd, in: "de", about: "de")
                == "Der letzte Tag der Sätze de ist 01.01.2027, und keine anderen gelten weiter"
        )
        #expect(Self.message(.odometerOnly, in: "de").contains("12,34\u{A0}km"))
    }

    @Test func `each kind has a title of its own in each language, and in English its name`() {
        let kinds = LedgerNotification.Kind.allCases.map(\.rawValue) + ["month_issued"]
        for language in ["en", "nl", "de-AT", "fr"] {
            let titles = kinds.map { NotificationTitle.text(of: $0, language: language) }
            #expect(Set(titles).count == kinds.count, "\(titles)")
        }
        for kind in kinds {
            let name = kind.replacing("_", with: " ")
            let title = NotificationTitle.text(of: kind, language: nil)
            #expect(title.lowercased() == name)
            let titles = ["en", "nl", "de", "fr"]
                .map { NotificationTitle.text(of: kind, language: $0) }
            #expect(Set(titles).count == 4, "\(titles)")
        }
        #expect(NotificationTitle.text(of: "of_a_newer_one", language: "de") == "Of a newer one")
    }
}
