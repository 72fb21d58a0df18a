package import Tables
import TripEvents
package import TripLedger

extension IssuedReport: Tabular {
    /// A report that was handed out: `issued-report.v1.schema.json`.
    package static let columns = Columns<IssuedReport> {
        Column.text("id", "ID") { $0.id }.identifying
        Column.time("issued_at", "ISSUED") { $0.issuedAt }
        Column.text("actor", "BY") { $0.actor }
            .narrowing(.leaves(2))
        Column.text("report", "REPORT") { $0.content.report }
        Column.day("first_day", "FROM") { $0.content.periodStart }
        Column.day("last_day", "TO") { $0.content.periodEnd }
        Column.text("format", "FORMAT") { $0.parameter(.format) }
        Column.text("vehicle", "VEHICLE") { $0.vehicle }
            .narrowing(.leaves(3))
        Column.text("jurisdiction", "JURISDICTION") { $0.parameter(.jurisdiction) }
            .narrowing(.leaves(1))
        Column.fields("parameters") { $0.content.parameters }
        Column.name("output_hash") { $0.content.outputHash }
        Column.name("document_hash") { $0.content.documentHash }
        Column.integer("size", "ENTRIES") { $0.head.size }
            .narrowing(.leaves(0))
        Column.name("root") { $0.head.root }
        Column.text("table") { $0.content.table }
        Column.name("table_hash") { $0.content.contentHash }
        Column.text("program_version") { $0.content.programVersion }
    }
}
