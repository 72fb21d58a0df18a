import ArgumentParser
import TripEvents

/// A distance in the unit that the user chose; it is kept exactly.
struct DistanceOptions: ParsableArguments {
    private static let thousandthsPerKilometer: Int64 = 1_000_000

    /// The international mile is 1609.344 m by definition.
    private static let thousandthsPerMile: Int64 = 1_609_344

    @Option(help: ArgumentHelp("The distance in metres.", valueName: "number"))
    var meters: ExactDecimal?

    @Option(
        name: [.customLong("km"), .customLong("distance-km")],
        help: ArgumentHelp("The distance in kilometres, such as 12.5.", valueName: "number")
    )
    var kilometers: ExactDecimal?

    @Option(help: ArgumentHelp("The distance in miles of 1609.344 m.", valueName: "number"))
    var miles: ExactDecimal?

    func validate() throws {
        guard [meters, kilometers, miles].compactMap(\.self).count <= 1 else {
            throw ValidationError("Say the distance once: --km, --miles or --meters.")
        }
        if isGiven { _ = try distanceMeters }
    }

    /// Whether a distance is given.
    var isGiven: Bool { meters != nil || kilometers != nil || miles != nil }

    /// Makes sure that a distance is given.
    ///
    /// - Throws: `ValidationError` that says how.
    func require() throws {
        guard isGiven else {
            throw ValidationError("Say the distance once: --km, --miles or --meters.")
        }
    }

    /// The distance in metres.
    var distanceMeters: ExactDecimal {
        get throws {
            let converted =
                meters
                ?? kilometers?.multiplied(byThousandths: Self.thousandthsPerKilometer)
                ?? miles?.multiplied(byThousandths: Self.thousandthsPerMile)
            guard let converted else {
                throw ValidationError("The distance has too many digits; say it in metres.")
            }
            return converted
        }
    }
}
