import Geodesy
import Projections
import Tables
import TripEvents
import TripTracking

/// The text of a printed mileage log above its trips and below its sums: the vehicles and drivers,
/// the trips that are not counted, and the meaning of the flags.
struct MileageHead: Sendable {
    /// Names byte by byte, as trips have them.
    private struct Names: Sendable {
        private var known: Set<[UInt8]> = []

        /// The name that was added last: most trips have that of the trip before.
        private var last: String?

        /// Whether a trip has none.
        private(set) var isLacking = false

        /// The name that all trips have; `nil` if there is none.
        var ofAll: String? { known.count == 1 && !isLacking ? inOrder.first : nil }

        /// The names in order of their bytes.
        var inOrder: [String] {
            known.sorted { $0.lexicographicallyPrecedes($1) }
                .map { String(decoding: $0, as: UTF8.self) }
        }

        mutating func add(_ name: String?) {
            guard let name else {
                isLacking = true
                return
            }
            guard last?.hasSameBytes(as: name) != true else { return }
            known.insert(Array(name.utf8))
            last = name
        }

        mutating func add(_ other: Names) {
            known.formUnion(other.known)
            isLacking = isLacking || other.isLacking
        }
    }

    private var vehicles = Names()
    private var drivers = Names()
    private var flags: Set<String> = []
    private var hasDays = false

    /// The readings from which odometers are extrapolated; a vehicle has few of them.
    private var carriedFrom: Set<OdometerReading> = []

    /// The reading that was added last: most trips have the same one as the trip before.
    private var lastCarriedFrom: OdometerReading?

    private var voidedCount: Int64 = 0
    private var voidedDistance = Distance.zero

    /// Adds a line of the log.
    mutating func add(_ line: borrowing MileageLine) {
        vehicles.add(line.vehicle)
        drivers.add(line.driver)
        if !line.flags.isEmpty { flags.formUnion(line.flags) }
        if line.daysUntilDetails != nil { hasDays = true }
        addCarried(from: line.carriedFrom)
    }

    private mutating func addCarried(from reading: OdometerReading?) {
        guard let reading, reading != lastCarriedFrom else { return }
        carriedFrom.insert(reading)
        lastCarriedFrom = reading
    }

    /// Counts a voided trip, if the log would otherwise have a line for it.
    mutating func addIfVoided(_ booked: borrowing BookedTrip, in log: borrowing MileageLog) {
        guard booked.status == .voided, log.period.contains(booked.trip.startedAt),
            log.tripClass.map({ booked.tripClass == $0 }) ?? true,
            log.vehicle.map({ booked.details.vehicle?.hasSameBytes(as: $0) == true }) ?? true,
            log.isOfDriver(booked)
        else { return }
        voidedCount += 1
        voidedDistance += booked.claimedDistance
    }

    /// Adds what was found in another part of the log.
    mutating func add(_ other: MileageHead) {
        vehicles.add(other.vehicles)
        drivers.add(other.drivers)
        flags.formUnion(other.flags)
        carriedFrom.formUnion(other.carriedFrom)
        hasDays = hasDays || other.hasDays
        voidedCount += other.voidedCount
        voidedDistance += other.voidedDistance
    }

    /// Returns the facts about vehicles and drivers.
    ///
    /// - Parameters:
    ///   - vehicle: The only vehicle that was asked for; `nil` for all of the log.
    ///   - driver: The only driver that was asked for; `nil` for all of the log.
    ///   - book: What is registered of vehicles.
    /// - Returns: One fact for each vehicle, and one for all drivers, if each trip has one.
    func facts(of vehicle: String?, _ driver: String?, in book: VehicleBook) -> [ReportFact] {
        let vehicleNames = vehicle.map { [$0] } ?? vehicles.inOrder
        var facts = vehicleNames.map { name in
            let registration = book.vehicle(named: name)?.registration
            return ReportFact(.vehicleLabel, .vehicle(name, registration))
        }
        let names = driver.map { [$0] } ?? drivers.inOrder
        // A trip without a driver would seem to have the others' driver.
        if !names.isEmpty, !drivers.isLacking {
            facts.append(ReportFact(.driverLabel, Phrase("\(own: names)")))
        }
        return facts
    }

    /// The vehicle that all trips have; `nil` if there is none.
    var vehicleOfAll: String? { vehicles.ofAll }

    /// The driver whom all trips have; `nil` if there is none.
    var driverOfAll: String? { drivers.ofAll }

    /// The sentences about trips that are not counted.
    func voidedSentences(in unit: DistanceUnit) -> [Phrase] {
        voidedCount == 0 ? [] : [.voidedTrips(voidedCount, voidedDistance, in: unit)]
    }

    /// The readings from which odometers are extrapolated, with their days.
    func carriedSentences(in unit: DistanceUnit, by localDay: LocalDay) -> [Phrase] {
        let readings = carriedFrom.sorted {
            ($0.readAt.timestamp, $0.reading.vehicle) < ($1.readAt.timestamp, $1.reading.vehicle)
        }
        guard !readings.isEmpty else { return [] }
        let known = readings.map { reading in
            let day = localDay.day(of: localDay.local(reading.readAt))
            let vehicle = reading.reading.vehicle
            return Phrase("\(own: vehicle) \(reading.distance, in: unit) (\(day))")
        }
        return [.odometersCarried(from: known)]
    }

    /// What the flags and the days of the lines mean, as far as columns show them.
    func legend(of columns: Columns<MileageLine>) -> [Phrase] {
        func shows(_ name: String) -> Bool {
            columns.all.contains { $0.name == name && $0.title != nil }
        }
        var legend: [Phrase] = []
        if !flags.isEmpty, shows("flags") { legend.append(FlagPhrases.legend(of: flags.sorted())) }
        if hasDays, shows("days_until_details") { legend.append(.daysUntilDetails) }
        return legend
    }
}

extension Phrase {
    static let driverLabel = Phrase(
        en: "Driver",
        nl: "Bestuurder",
        de: "Fahrer",
        fr: "Conducteur"
    )

    /// The words above the sums of the classes, which are also the entry in the outline.
    static let sumsOfClasses = Phrase(
        en: "Sums by class",
        nl: "Sommen per soort",
        de: "Summen nach Art",
        fr: "Sommes par nature"
    )

    /// The words above the line that is signed, which are also the entry in the outline.
    static let signature = Phrase(
        en: "Signature",
        nl: "Ondertekening",
        de: "Unterschrift",
        fr: "Signature"
    )

    /// The lines on which place, date and name are written by hand.
    static let signatureLines = Phrase(
        en: "Place and date ____________________________     Signature \(blank)",
        nl: "Plaats en datum ____________________________     Handtekening \(blank)",
        de: "Ort und Datum ____________________________     Unterschrift \(blank)",
        fr: "Lieu et date ____________________________     Signature \(blank)"
    )

    fileprivate static let daysUntilDetails = Phrase(
        en: "Days: whole days from the end of a trip until its first details were stored.",
        nl: "Dagen: hele dagen van het einde van een rit tot zijn eerste gegevens er waren.",
        de: "Tage: ganze Tage vom Ende einer Fahrt, bis ihre ersten Angaben gespeichert waren.",
        fr: "Jours : jours entiers de la fin d’un trajet à l’enregistrement des premiers détails."
    )

    private static let blank = Phrase("________________________________________")

    /// A vehicle by its name, with what is registered of it.
    fileprivate static func vehicle(_ name: String, _ known: VehicleRegistered?) -> Phrase {
        var parts = [Phrase.own(name)]
        let model = [known?.make, known?.model].compactMap { $0 }.joined(separator: " ")
        if !model.isEmpty { parts.append(.own(model)) }
        if let plate = known?.plate { parts.append(.plate(plate)) }
        if let keeper = known?.keeper { parts.append(.keeper(keeper)) }
        return Phrase("\(parts)")
    }

    private static func plate(_ plate: String) -> Phrase {
        Phrase(
            en: "licence plate \(own: plate)",
            nl: "kenteken \(own: plate)",
            de: "amtliches Kennzeichen \(own: plate)",
            fr: "immatriculation \(own: plate)"
        )
    }

    private static func keeper(_ keeper: String) -> Phrase {
        Phrase(
            en: "keeper \(own: keeper)",
            nl: "houder \(own: keeper)",
            de: "Halter \(own: keeper)",
            fr: "détenteur \(own: keeper)"
        )
    }

    /// The trips that people voided.
    fileprivate static func voidedTrips(
        _ count: Int64,
        _ distance: Distance,
        in unit: DistanceUnit
    ) -> Phrase {
        guard count != 1 else {
            return Phrase(
                en: """
                    Not counted: 1 voided trip, \(distance, in: unit); see the report of changes.
                    """,
                nl: """
                    Niet meegeteld: 1 vervallen rit, \(distance, in: unit); zie het rapport van \
                    wijzigingen.
                    """,
                de: """
                    Nicht gezählt: 1 verworfene Fahrt, \(distance, in: unit); siehe den Bericht \
                    der Änderungen.
                    """,
                fr: """
                    Non compté : 1 trajet annulé, \(distance, in: unit) ; voir le rapport des \
                    modifications.
                    """
            )
        }
        return Phrase(
            en: """
                Not counted: \(count) voided trips, \(distance, in: unit); see the report of \
                changes.
                """,
            nl: """
                Niet meegeteld: \(count) vervallen ritten, \(distance, in: unit); zie het rapport \
                van wijzigingen.
                """,
            de: """
                Nicht gezählt: \(count) verworfene Fahrten, \(distance, in: unit); siehe den \
                Bericht der Änderungen.
                """,
            fr: """
                Non comptés : \(count) trajets annulés, \(distance, in: unit) ; voir le rapport \
                des modifications.
                """
        )
    }
}
