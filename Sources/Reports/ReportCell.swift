public import Geodesy
public import TripEvents

/// A cell of a report's table, whatever it is printed as.
public enum ReportCell: Hashable, Sendable {
    /// A text, which may come from outside.
    case text(String?)

    /// A place.
    case place(MileagePlace?)

    /// A day.
    case date(CivilDate)

    /// A time with its offset from UTC.
    case time(EventTime?)

    /// A distance.
    case distance(Distance?)

    /// A whole number.
    case count(Int64?)
}
