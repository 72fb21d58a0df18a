package import TripEvents

// The decisions as they were stored, with what their senders said beyond what the book looks at.
extension TripBook {
    /// The first byte of the keys of the book's rows for decisions that saved or removed routines;
    /// the name comes after it, and ends with a zero byte.
    package static var routinePrefix: UInt8 { BookKey.routinePrefix }

    /// Returns the decisions that make or name a trip, or were attached to it, in event order.
    ///
    /// - Throws: what the store throws, or `RowCodingError` if a row is damaged.
    package func decisions<Rows: OrderedRowStore & ~Copyable>(
        about trip: TripID,
        in rows: borrowing Rows
    ) throws -> [Decision] {
        let adopted =
            try rows.rows(
                in: KeyRange(prefix: BookKey.adopted(trip)),
                isDescending: false,
                limit: .max
            )
            .map { try FiledDecision(decoding: $0.value).decision }
        let filed = try BookDraft().decisions(filedUnder: trip, rows).map(\.decision)
        return adopted.isEmpty ? filed : (filed + adopted).sorted()
    }

    /// Returns the decisions that saved or removed routines, of each routine in event order.
    ///
    /// - Throws: what the store throws, or `RowCodingError` if a row is damaged.
    package func routineDecisions<Rows: OrderedRowStore & ~Copyable>(
        in rows: borrowing Rows
    ) throws -> [Decision] {
        try Routine.decisions(in: rows)
    }

    /// Returns the decision about each custom field that holds, in order of the keys.
    ///
    /// - Throws: what the store throws, or `RowCodingError` if a row is damaged.
    package func fieldDecisions<Rows: OrderedRowStore & ~Copyable>(
        in rows: borrowing Rows
    ) throws -> [Decision] {
        try FieldCatalogue.decisions(in: rows)
    }
}
