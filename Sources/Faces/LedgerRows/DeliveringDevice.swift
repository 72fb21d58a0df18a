import Geodesy
package import Tables
package import TripEvents
package import TripTracking

/// A device or program that delivers, or was set up to: `device.v1.schema.json`.
package struct DeliveringDevice: Sendable {
    /// The name of its token.
    package var token: String

    /// The sources that the token is for.
    package var sources: [String]

    /// The group that these belong to; `nil` for the owner's.
    package var group: String?

    /// The news of it since the server was started; `nil` if there are none.
    package var contact: Contact?

    /// When its token was made; `nil` if that is not known.
    package var madeAt: Timestamp?

    /// The last day, in UTC, on which its token was accepted.
    package var lastDay: CivilDate?

    /// The rules that the ledger adopted by itself for its source; `nil` if there are none.
    package var preset: TrackingPreset?

    /// How well its source records, by its latest fixes; `nil` if there are none of late.
    package var recording: RecordingQuality?

    /// When its source reported last, if it is silent on a weekday on which it has always driven
    /// lately; `nil` if it is not.
    package var silentSince: Timestamp?

    /// The command that makes room for its waiting items; `nil` if there is room.
    package var command: String?

    /// The news of a device since the server was started.
    package struct Contact: Sendable {
        /// When it delivered last.
        package var at: Timestamp

        /// The door, or the path, at which it delivered.
        package var door: String

        /// Its name for itself, if it gives one.
        package var app: String?

        /// The charge of its battery in percent, as it said last.
        package var batteryPercent: Int?

        /// The names by which devices call themselves, if several deliver by turns; else empty.
        package var deviceIDs: [String]

        /// How often it has delivered.
        package var deliveries: Int

        /// The number of items that could not become events.
        package var refused: Int

        /// Describes a contact.
        package init(
            at: Timestamp,
            door: String,
            app: String?,
            batteryPercent: Int?,
            deviceIDs: [String],
            deliveries: Int,
            refused: Int
        ) {
            self.at = at
            self.door = door
            self.app = app
            self.batteryPercent = batteryPercent
            self.deviceIDs = deviceIDs
            self.deliveries = deliveries
            self.refused = refused
        }
    }

    /// Describes a device.
    package init(token: String, sources: [String], group: String?, contact: Contact?) {
        self.token = token
        self.sources = sources
        self.group = group
        self.contact = contact
    }
}

extension DeliveringDevice: Tabular {
    /// The columns.
    package static let columns = Columns<DeliveringDevice> {
        Column.text("token") { $0.token }
        Column.list("sources") { $0.sources }
        Column.instant("last_contact") { $0.contact?.at }
        Column.day("last_day") { $0.lastDay }
        Column.instant("made_at") { $0.madeAt }
        Column.name("door") { $0.contact?.door }
        Column.text("app") { $0.contact?.app }
        Column.integer("battery_percent") { $0.contact?.batteryPercent }
        Column.list("device_ids") { $0.contact?.deviceIDs ?? [] }
        Column.integer("deliveries") { $0.contact?.deliveries ?? 0 }
        Column.integer("refused") { $0.contact?.refused ?? 0 }
        Column.name("adopted_preset") { $0.preset?.rawValue }
        Column.row("recording", RecordingQuality.columns) { $0.recording }
        Column.instant("silent_since") { $0.silentSince }
        Column.text("makes_room") { $0.command }
    }
}

extension RecordingQuality: Tabular {
    /// How well a source records: a member of `device.v1.schema.json`.
    package static let columns = Columns<RecordingQuality> {
        Column.name("verdict") { $0.verdict.rawValue }
        Column.text("sentence") { $0.sentence }
        Column.integer("fixes") { $0.fixes }
        Column.duration("seconds") { $0.milliseconds }
        Column.distance("meters") { $0.distance }
        Column.number("accuracy_m") { $0.accuracyMeters }
        Column.integer("coarse_percent") { $0.coarsePercent }
    }

    /// The reason why its fixes cannot carry a distance, with what to do, without a full stop;
    /// `nil` if they can, or it is not known.
    package var complaint: String? {
        switch verdict {
        case .sparse:
            let span = LocalTime.span(milliseconds: milliseconds ?? 0)
            let meters = (distance?.millimeters ?? 0) / 1_000
            return "its fixes, every \(span) and \(meters) m while it moves, are too far apart to "
                + "carry a distance; let the app record more often"
        case .coarse:
            return "\(coarsePercent) % of its fixes are too coarse to count; let the app use the "
                + "precise location"
        case .jumping:
            return "most of its fixes are further apart than a car drives in the time between "
                + "them; if two devices deliver with its token, give each a token with a source "
                + "of its own"
        case .good, .unknown: return nil
        }
    }

    /// Whether its fixes can carry a distance, as a sentence.
    private var sentence: String {
        switch verdict {
        case .good: "Its fixes can carry a distance."
        case .sparse:
            "Its fixes are too far apart to carry a distance: let the app record more often while "
                + "it moves."
        case .coarse:
            "Most of its fixes are too coarse to count: let the app use the precise location."
        case .jumping:
            "Most of its fixes are further apart than a car drives in the time between them: if "
                + "two devices deliver with its token, give each a token with a source of its own."
        case .unknown: "It has not moved enough to tell how well it records."
        }
    }
}
