import Geodesy
import Projections
package import Tables
package import TripEvents
package import TripLedger
import TripTracking

extension TripEvent: Tabular {
    /// An event: `event.v1.schema.json`.
    package static let columns = Columns<TripEvent> {
        Column.name("type", "TYPE") { $0.body.typeName }
        Column.text("source", "SOURCE") { $0.source }
            .shown(as: { .text($0.shownSource) })
        Column.text("group") { $0.group }.optional
        Column.preciseTime("occurred_at", "OCCURRED") { $0.preciseTime }
        Column.text("id") { $0.id }.optional
        Column.integer("sequence") { $0.sequence }.optional
        Column.text("actor") { $0.actor }.optional
        Column.members("content", "CONTENT") { $0.appendContentMembers(to: &$1) }
    }

    /// When it happened, with its offset from UTC.
    package var time: EventTime { EventTime(occurredAt, utcOffset: utcOffset) }
}

extension StoredEvent: Tabular {
    /// An entry of the log: `log-entry.v1.schema.json`.
    package static let columns = Columns<StoredEvent> {
        Column.integer("position", "POSITION") { $0.position }
        Column.instant("recorded_at") { $0.recordedAt }
        TripEvent.columns.of(lending: { stored, use in use(stored.event) })
    }
}

extension ExplainedEvent: Tabular {
    /// An event of an explained trip: its report, the verdict of the rules, and its contribution:
    /// `explanation.v1.schema.json`.
    package static let columns = Columns<ExplainedEvent> {
        Column.integer("position") { $0.stored.position }
        Column.saidTime("occurred_at", "TIME") { explained in
            EventTime(explained.stored.happenedAt, utcOffset: explained.stored.event.utcOffset)
        }
        Column.saidTime("reported_at", "BY ITS CLOCK") { explained in
            let stored = explained.stored
            return stored.happenedAt == stored.event.occurredAt ? nil : stored.event.time
        }
        .optional
        Column.name("type", "EVENT") { $0.stored.event.body.kind?.name ?? "unknown" }
        Column.decimal("lat", "LATITUDE") { $0.fix?.latitude }.optional
            .narrowing(.leaves(2))
        Column.decimal("lon", "LONGITUDE") { $0.fix?.longitude }.optional
            .narrowing(.leaves(2))
        Column.decimal("accuracy", "ACCURACY m") { $0.fix?.accuracy }.optional
            .narrowing(.leaves(1))
        Column.decimal("speed", "SPEED m/s") { $0.fix?.speed }.optional
            .narrowing(.leaves(0))
        Column.name("verdict", "VERDICT") { $0.verdict?.rawValue }.optional
        Column.thousandths("added_m", "ADDED m") { $0.added.millimeters }
            .shown(as: { explained in
                explained.fix == nil && explained.added == .zero
                    ? .none : .thousandths(explained.added.millimeters)
            })
        Column.thousandths("excluded_m", "EXCLUDED m") { explained in
            explained.excluded == .zero ? nil : explained.excluded.millimeters
        }
        .optional
        Column.thousandths("gap_m", "GAP m") { $0.gap.millimeters }
            .shown(as: { $0.gap == .zero ? .none : .thousandths($0.gap.millimeters) })
        Column.thousandths("sum_m", "SUM m") { $0.sum.millimeters }
        EntryOrigin.columns.of("origin.") { $0.origin }.map(\.notInCSV)
    }

    private var fix: FixRecorded? {
        guard case .fixRecorded(let fix) = stored.event.body else { return nil }
        return fix
    }
}

extension EntryOrigin: Tabular {
    /// The origin of an entry, for programs.
    package static let columns = Columns<EntryOrigin> {
        Column.text("file") { $0.imported?.file }.optional
        Column.text("file_part") { $0.imported?.filePart }.optional
        Column.name("format") { $0.imported?.format }.optional
        Column.name("file_hash") { $0.imported?.fileHash }.optional
        Column.integer("record") { origin in
            if case .record(let record, of: _) = origin { record } else { nil }
        }
        .optional
        Column.name("ledger") { origin in
            if case .entry(_, of: let received) = origin { received.ledger } else { nil }
        }
        .optional
        Column.integer("position") { origin in
            if case .entry(let position, of: _) = origin { position } else { nil }
        }
        .optional
        Column.boolean("withheld") { $0 == .withheld ? true : nil }.optional
    }

    private var imported: RecordsImported? {
        if case .record(_, of: let imported) = self { imported } else { nil }
    }
}
