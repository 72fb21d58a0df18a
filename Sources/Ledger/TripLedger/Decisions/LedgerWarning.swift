/// Something that was accepted, and that may be a mistake all the same.
///
/// It is said at once, when a person enters it; what programs append is taken as it is.
public struct LedgerWarning: Hashable, Sendable {
    /// What may be wrong; the raw value is its name in JSON.
    public enum Code: String, CaseIterable, Sendable {
        /// The same trip was reported before.
        case sameTripReported = "same_trip_reported"

        /// Trips of one vehicle were under way at the same time.
        case tripsOverlap = "trips_overlap"

        /// Trips that were merged start on different local days.
        case mergedOverDays = "merged_over_days"

        /// Between trips that were merged lie hours.
        case mergedFarApart = "merged_far_apart"

        /// The vehicle is not registered, and no other trip names it.
        case unknownVehicle = "unknown_vehicle"

        /// The odometer went back.
        case odometerBackwards = "odometer_backwards"

        /// The odometer showed two things at one time.
        case odometerDiffers = "odometer_differs"

        /// The odometer went less far than the trips in between.
        case odometerBehindTrips = "odometer_behind_trips"

        /// Something was bought where the vehicle was not, as far as its trips tell.
        case expenseElsewhere = "expense_elsewhere"
    }

    /// What may be wrong.
    public let code: Code

    /// The same in a sentence or two.
    public let message: String

    /// The command that takes back what was entered.
    public let undo: String
}
