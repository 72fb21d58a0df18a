public import Projections

extension Ledger {
    /// Returns the places that people saved.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    public func places() throws(LedgerError) -> PlaceBook {
        PlaceBook(try decisions(on: .places))
    }

    /// Returns the vehicles that people registered, and what their odometers showed.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    public func vehicles() throws(LedgerError) -> VehicleBook {
        VehicleBook(try decisions(on: .vehicles))
    }

    private func decisions(on shelf: BookShelf) throws(LedgerError) -> [Decision] {
        try withBook { try $0.decisions(on: shelf) }
    }
}
