import TripEvents

extension DetailsEdited {
    /// Creates the edit that sets what details say and leaves the rest as it is.
    init(setting details: TripDetails) {
        self.init(
            trip: TripID(high: 0, low: 0),
            title: Self.change(to: details.title),
            purpose: Self.change(to: details.purpose),
            notes: Self.change(to: details.notes),
            category: Self.change(to: details.category),
            client: Self.change(to: details.client),
            vehicle: Self.change(to: details.vehicle),
            tripClass: Self.change(to: details.tripClass),
            fields: details.fields
        )
    }

    private static func change<Value>(to value: Value?) -> DetailChange<Value> {
        value.map(DetailChange.set) ?? .unchanged
    }
}
