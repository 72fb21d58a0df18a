import TripEvents

extension TripDetails {
    /// Returns the fields that are others in `new`, those that every trip has first.
    func changes(to new: TripDetails) -> [FieldChange] {
        let texts = [
            ("title", title, new.title), ("purpose", purpose, new.purpose),
            ("notes", notes, new.notes), ("category", category, new.category),
            ("client", client, new.client), ("vehicle", vehicle, new.vehicle),
            ("class", tripClass?.rawValue, new.tripClass?.rawValue),
        ]
        let own = texts.compactMap { name, old, new in
            FieldChange(
                ifOther: name,
                old: old.map(CustomValue.text),
                new: new.map(CustomValue.text)
            )
        }
        let (oldFields, newFields) = (fields ?? CustomFields(), new.fields ?? CustomFields())
        var all = oldFields
        for field in newFields.all { all[field.key] = field.value }
        return own
            + all.all.compactMap { field in
                FieldChange(
                    ifOther: "fields." + field.key,
                    old: oldFields[field.key],
                    new: newFields[field.key]
                )
            }
    }
}
