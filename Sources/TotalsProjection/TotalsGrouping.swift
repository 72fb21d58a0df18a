/// What totals are made for each of; the raw value is its name on the command line.
public enum TotalsGrouping: String, CaseIterable, Sendable {
    case day
    case week
    case month
    case year
    case vehicle
    case tripClass = "class"
    case client
    case source
}
