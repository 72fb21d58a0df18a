import Geodesy
import Projections
package import Tables
package import TripEvents
package import TripLedger
import TripTracking

/// A notification in words.
package struct NotificationMessage: Tabular, Sendable {
    private let notification: LedgerNotification
    private let unit: DistanceUnit
    private let clock: LocalDay?
    private let words: Words

    /// Joins a notification, the unit of distances, and the clock for times.
    ///
    /// - Parameters:
    ///   - notification: The notification.
    ///   - unit: The unit of distances.
    ///   - clock: Tells times.
    ///   - language: The language of the sentence, as the ledger's settings have it (BCP 47); `nil`
    ///     for English.
    package init(
        _ notification: LedgerNotification,
        unit: DistanceUnit,
        clock: LocalDay?,
        language: String?
    ) {
        self.notification = notification
        self.unit = unit
        self.clock = clock
        words = Self.words(of: language)
    }

    /// Returns the message that the mileage log of a month was issued.
    ///
    /// - Parameters:
    ///   - month: The month.
    ///   - place: Where it is kept.
    ///   - language: The language, as above.
    /// - Returns: A sentence without a full stop.
    package static func monthIssued(
        _ month: String,
        keptIn place: String,
        language: String?
    ) -> String {
        words(of: language).text(NotificationPhrases.monthIssued(month, keptIn: place))
    }

    /// Returns the words of a language (BCP 47); English if the program does not have it, or for
    /// `nil`.
    static func words(of language: String?) -> Words {
        // For example, de-AT gives German.
        let known = language.flatMap { Language(rawValue: String($0.prefix { $0 != "-" })) }
        return Words(known ?? .en)
    }

    /// The position from which `ledger watch` gives it again.
    package var position: UInt64 { notification.position }

    /// The sentence, without a full stop.
    package var message: String {
        let time = LocalTime.clock(notification.at, seenAt: notification.foundAt, by: clock)
        let kind = notification.kind
        let phrase =
            switch notification.subject {
            case .trip(let booked): NotificationPhrases.trip(kind, booked, time, unit)
            case .visit(let visit):
                NotificationPhrases.visit(
                    of: visit.source,
                    at: visit.visit.place.title,
                    time,
                    isLeft: kind != .placeEntered
                )
            case .reminder(let reminder): NotificationPhrases.reminder(kind, reminder, time, unit)
            }
        return words.text(phrase)
    }

    /// For programs: `notification.v1.schema.json`.
    package static let columns = Columns<NotificationMessage> {
        Column.name("notification") { $0.notification.kind.rawValue }
        Column.time("at") { $0.notification.at }
        Column.instant("found_at") { $0.notification.foundAt }
        Column.text("message") { $0.message }
        Column.integer("position") { $0.notification.position }
        Column.text("cursor") { $0.notification.cursor?.description }.optional
        Column.text("source") { $0.notification.source }
        tripColumns.of { $0.trip }
            .map { $0.isOptional ? $0 : $0.optional(onlyWhere: { $0.trip != nil }) }
        visitColumns.of { $0.visit }
            .map { $0.isOptional ? $0 : $0.optional(onlyWhere: { $0.visit != nil }) }
        Column.text("about") { $0.reminder?.about }.optional
        Column.text("command") { $0.reminder?.command }.optional
    }

    private static let tripColumns = Columns<BookedTrip> {
        Column.trip("trip") { $0.id }
        Column.name("status") { $0.status.rawValue }
        Column.name("started_by") { $0.trip.startedBy.rawValue }
        Column.name("ended_by") { $0.trip.endedBy?.rawValue }
        Column.time("started_at") { $0.trip.startedAt }
        Column.time("ended_at") { $0.trip.endedAt }
        Column.distance("distance_m") { $0.claimedDistance }
        Column.text("vehicle") { $0.details.vehicle }.optional
        Column.text("title") { $0.details.title }.optional
        Column.text("purpose") { $0.details.purpose }.optional
        Column.text("client") { $0.details.client }.optional
        Column.name("class") { $0.details.tripClass?.rawValue }.optional
        Column.text("routine") { $0.routine }.optional
    }

    private static let visitColumns = Columns<Visit> {
        Column.text("place") { $0.place.name }
        Column.text("label") { $0.place.saving.label }.optional
        Column.time("entered_at") { $0.enteredAt }
        Column.time("left_at") { $0.leftAt }
    }

    /// The notification as a JSON object.
    package var json: [UInt8] {
        var json: [UInt8] = []
        Self.columns.appendJSON(self, to: &json, by: clock)
        return json
    }

    private var trip: BookedTrip? {
        if case .trip(let booked) = notification.subject { booked } else { nil }
    }

    private var visit: Visit? {
        if case .visit(let visit) = notification.subject { visit.visit } else { nil }
    }

    private var reminder: LedgerNotification.Reminder? {
        if case .reminder(let reminder) = notification.subject { reminder } else { nil }
    }
}
