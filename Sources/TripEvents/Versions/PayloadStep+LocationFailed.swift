extension PayloadStep {
    /// Version 1 had the device's words only; version 2 says the reason in one of a few words, and
    /// can do without the device's.
    static let locationFailedReason = PayloadStep(
        kind: .locationFailed,
        from: 1,
        to: 2,
        isOlder: { $0[.reason] == nil && $0[.error] != nil },
        upcast: { fields in
            guard case .text(let error) = fields[.error] else { return fields }
            let reason = EventFields.Field(
                name: .reason,
                value: LocationFailure(error: error).fieldValue
            )
            return EventFields(fields.all + [reason])
        },
        downcast: { fields in
            guard case .text(let error) = fields[.error],
                fields[.reason] == LocationFailure(error: error).fieldValue
            else { return nil }
            return EventFields(fields.all.filter { $0.name != .reason })
        }
    )
}
