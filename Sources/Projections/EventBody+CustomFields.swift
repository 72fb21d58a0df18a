package import TripEvents

extension EventBody {
    /// The custom fields that an edit, a routine or a report sets.
    package var customFields: CustomFields? {
        switch self {
        case .detailsEdited(let edit): edit.fields
        case .routineSaved(let saving): saving.details.fields
        case .tripReported(let report): report.details.fields
        default: nil
        }
    }
}
