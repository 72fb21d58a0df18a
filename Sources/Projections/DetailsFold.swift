import TripEvents

/// Folds decisions in event order into what a trip says about itself: of each field, the last one
/// wins.
struct DetailsFold {
    /// The details so far.
    private(set) var details: TripDetails

    /// The routine that was applied last.
    private(set) var routine: String?

    /// Creates the details of a trip about which nothing was decided.
    ///
    /// - Parameter vehicle: the vehicle that the recorder named.
    init(vehicle: String?) {
        details = TripDetails(vehicle: vehicle)
    }

    /// Whether decisions of a kind change details.
    static func concerns(_ decision: Decision) -> Bool {
        switch decision.event.body {
        case .goPressed, .detailsEdited, .routineApplied, .tripReported: true
        default: false
        }
    }

    /// Applies a decision and returns what it changed.
    ///
    /// - Parameters:
    ///   - decision: the decision.
    ///   - routine: the applied routine as it was then, if the decision applies one that was there.
    /// - Returns: the fields whose values are others now.
    mutating func apply(_ decision: Decision, routine: Routine?) -> [FieldChange] {
        switch decision.event.body {
        case .detailsEdited(let edit): return apply(edit)
        case .tripReported(let report): return apply(DetailsEdited(setting: report.details))
        case .routineApplied(let application):
            return apply(routine ?? Routine(name: application.routine, details: TripDetails()))
        case .goPressed:
            // A press that names an unknown routine is a press and nothing else.
            return routine.map { apply($0) } ?? []
        default: return []
        }
    }

    private mutating func apply(_ routine: Routine) -> [FieldChange] {
        let old = self.routine
        self.routine = routine.name
        return change("routine", from: old.map(CustomValue.text), to: .text(routine.name))
            + apply(DetailsEdited(setting: routine.details))
    }

    private mutating func apply(_ edit: DetailsEdited) -> [FieldChange] {
        var changes: [FieldChange] = []
        changes += apply(edit.title, to: \.title, "title")
        changes += apply(edit.purpose, to: \.purpose, "purpose")
        changes += apply(edit.notes, to: \.notes, "notes")
        changes += apply(edit.category, to: \.category, "category")
        changes += apply(edit.client, to: \.client, "client")
        changes += apply(edit.vehicle, to: \.vehicle, "vehicle")
        changes += applyClass(edit.tripClass)
        for field in edit.fields?.all ?? [] {
            changes += applyField(field.key, field.value)
        }
        return changes
    }

    private mutating func apply(
        _ change: DetailChange<String>,
        to field: WritableKeyPath<TripDetails, String?>,
        _ name: String
    ) -> [FieldChange] {
        let old = details[keyPath: field]
        switch change {
        case .unchanged: return []
        case .cleared: details[keyPath: field] = nil
        case .set(let text): details[keyPath: field] = text
        }
        let new = details[keyPath: field]
        return self.change(name, from: old.map(CustomValue.text), to: new.map(CustomValue.text))
    }

    private mutating func applyClass(_ change: DetailChange<TripClass>) -> [FieldChange] {
        let old = details.tripClass
        switch change {
        case .unchanged: return []
        case .cleared: details.tripClass = nil
        case .set(let tripClass): details.tripClass = tripClass
        }
        return self.change(
            "class",
            from: old.map { .text($0.rawValue) },
            to: details.tripClass.map { .text($0.rawValue) }
        )
    }

    private mutating func applyField(_ key: String, _ value: CustomValue) -> [FieldChange] {
        let old = details.fields?[key]
        var fields = details.fields ?? CustomFields()
        fields[key] = value == .null ? nil : value
        details.fields = fields.all.isEmpty ? nil : fields
        return change("fields." + key, from: old, to: fields[key])
    }

    private func change(
        _ field: String,
        from old: CustomValue?,
        to new: CustomValue?
    ) -> [FieldChange] {
        old == new ? [] : [FieldChange(field: field, old: old, new: new)]
    }
}
