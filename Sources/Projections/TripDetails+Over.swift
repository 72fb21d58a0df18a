public import TripEvents

extension TripDetails {
    /// Returns the details, with those of others where these say nothing.
    public func over(_ others: TripDetails) -> TripDetails {
        var fields = others.fields ?? CustomFields()
        for field in self.fields?.all ?? [] { fields[field.key] = field.value }
        return TripDetails(
            title: title ?? others.title,
            purpose: purpose ?? others.purpose,
            notes: notes ?? others.notes,
            category: category ?? others.category,
            client: client ?? others.client,
            vehicle: vehicle ?? others.vehicle,
            tripClass: tripClass ?? others.tripClass,
            fields: fields.all.isEmpty ? nil : fields
        )
    }
}
