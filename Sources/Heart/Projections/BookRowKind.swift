/// The kinds of rows that the book has, by the letter that begins their keys.
///
/// Every row of the book is of one of these kinds, so that two kinds never share a letter: two
/// cases of one letter do not compile. Letters that were stored are never given another meaning
/// without a new version of the view.
package enum BookRowKind: Unicode.Scalar {
    /// A trip to which a routine was applied.
    case application = "A"

    /// The note that a trip is still to be booked.
    case due = "B"

    /// The note that trips are still to be booked to which a routine was applied.
    case revised = "C"

    /// A decision that names a trip.
    case filed = "D"

    /// A decision that was attached to a trip.
    case adopted = "E"

    /// The last definition of a custom field.
    case field = "F"

    /// A reading of an odometer that corrects those of an instant.
    case correction = "G"

    /// A measured trip in order of starts.
    case start = "H"

    /// An inference of others.
    case inference = "I"

    /// An issued report.
    case report = "J"

    /// A correction of a source's clock.
    case clock = "K"

    /// A lost decision.
    case lost = "L"

    /// An end of a trip that may go by the odometer.
    case odometerEnd = "M"

    /// The count of lost decisions that say when their trips started.
    case lostCount = "N"

    /// A decision about a trip that is not there.
    case orphan = "O"

    /// A decision that saved or removed a place.
    case place = "P"

    /// A table of rates.
    case rates = "Q"

    /// A decision that saved or removed a routine.
    case routine = "R"

    /// The note that the splits of a trip may take effect elsewhere than before.
    case unsettled = "S"

    /// A trip's entry.
    case entry = "T"

    /// A trip as it was booked last, if there are decisions about it.
    case booked = "U"

    /// A decision about vehicles, or a reading of an odometer.
    case vehicle = "V"

    /// The note that a routine ever applied to trips by itself.
    case pattern = "W"

    /// The trip from which on the routines that apply by themselves are looked up again.
    case rulesRevised = "X"

    /// An expense.
    case expense = "Y"

    /// A change of the ledger's settings.
    case settings = "Z"

    /// A trip about which a decision waits for a custom field.
    case waiting = "f"

    /// A reported trip in order of starts.
    case reported = "j"

    /// A decision that cannot stand.
    case obstacle = "o"

    /// The first byte of the keys.
    package var letter: UInt8 { UInt8(ascii: rawValue) }

    /// The beginning of the keys.
    var prefix: [UInt8] { [letter] }
}
