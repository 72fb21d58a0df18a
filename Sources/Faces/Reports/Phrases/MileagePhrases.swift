import Geodesy
import Projections
import Tables
import TripEvents

// What the mileage log says.

extension Phrase {
    static let mileageLog = Phrase(
        en: "Mileage log",
        nl: "Rittenregistratie",
        de: "Fahrtenbuch",
        fr: "Relevé des déplacements"
    )
    static let gapsStandBeside = Phrase(
        en: "Gaps, where nothing was measured, stand beside the distance and are never inside it.",
        nl: "Hiaten, waar niets is gemeten, staan naast de afstand en zitten er nooit in.",
        de: "Lücken, in denen nichts gemessen wurde, stehen neben der Strecke und sind nie darin.",
        fr: """
            Les lacunes, où rien n’a été mesuré, figurent à côté de la distance et n’y sont jamais \
            comprises.
            """
    )
    static let unrecordedWays = Phrase(
        en: """
            Unrecorded distances are straight lines from where one trip ended to where the next \
            one starts; no other figure includes them.
            """,
        nl: """
            Niet geregistreerde afstanden zijn rechte lijnen van het einde van een rit naar het \
            begin van de volgende; geen ander getal bevat ze.
            """,
        de: """
            Nicht erfasste Strecken sind gerade Linien vom Ende einer Fahrt zum Beginn der \
            nächsten; keine andere Zahl enthält sie.
            """,
        fr: """
            Non enregistrées : les lignes droites de la fin d’un trajet au départ du suivant ; \
            elles ne sont dans aucun autre chiffre.
            """
    )
    static let overlappingTrips = Phrase(
        en: "Overlapping trips are one drive that is there twice: `ledger trips` shows which.",
        nl: """
            Overlappende ritten zijn één rit die er twee keer staat: `ledger trips` toont welke.
            """,
        de: """
            Überschneidende Fahrten sind eine Fahrt, die zweimal da ist: `ledger trips` zeigt, \
            welche.
            """,
        fr: """
            Les trajets qui se chevauchent sont un seul trajet, présent deux fois : `ledger \
            trips` montre lesquels.
            """
    )
    static let leftOutTrips = Phrase(
        en: """
            A trip is left out if another one of the same vehicle is better evidenced, which gets \
            the details that it lacks; `ledger void` settles it.
            """,
        nl: """
            Een rit is weggelaten als een andere van hetzelfde voertuig beter gedocumenteerd is; \
            die krijgt de gegevens die ontbreken; `ledger void` beslist.
            """,
        de: """
            Eine Fahrt ist ausgelassen, wenn eine andere desselben Fahrzeugs besser belegt ist, \
            die die fehlenden Angaben erhält; `ledger void` entscheidet.
            """,
        fr: """
            Un trajet est omis si un autre du même véhicule est mieux attesté, qui reçoit les \
            détails manquants ; `ledger void` tranche.
            """
    )

    /// The text on the line for distance that no trip recorded.
    static let recordedOnNoTrip = Phrase(
        en: "recorded on no trip",
        nl: "op geen rit vastgelegd",
        de: "auf keiner Fahrt erfasst",
        fr: "enregistré sur aucun trajet"
    )

    /// The same for a time that lasted until another day.
    static func recordedOnNoTrip(until day: CivilDate) -> Phrase {
        Phrase(
            en: "recorded on no trip, until \(day)",
            nl: "op geen rit vastgelegd, tot \(day)",
            de: "auf keiner Fahrt erfasst, bis \(day)",
            fr: "enregistré sur aucun trajet, jusqu’au \(day)"
        )
    }

    /// The distance on odometers that no trip recorded.
    static func odometersOnNoTrip(_ distance: Distance, in unit: DistanceUnit) -> Phrase {
        Phrase(
            en: """
                Odometers went \(distance, in: unit) that are recorded on no trip: from 1 km on, \
                they stand on a line of their own (BETWEEN), in the longest time without a trip \
                between two readings. No other figure includes them.
                """,
            nl: """
                Kilometertellers gingen \(distance, in: unit) verder die op geen rit zijn \
                vastgelegd: vanaf 1 km op een eigen regel (TUSSENDOOR), in de langste tijd zonder \
                rit tussen twee standen. Geen ander getal bevat ze.
                """,
            de: """
                Kilometerzähler gingen \(distance, in: unit) weiter, die auf keiner Fahrt erfasst \
                sind: ab 1 km auf einer eigenen Zeile (DAZWISCHEN), in der längsten Zeit ohne \
                Fahrt zwischen zwei Ständen. Keine andere Zahl enthält sie.
                """,
            fr: """
                Les compteurs ont avancé de \(distance, in: unit) enregistrés sur aucun trajet : \
                dès 1 km sur une ligne à part (ENTRE-TEMPS), dans le plus long temps sans trajet \
                entre deux relevés. Aucun autre chiffre ne les contient.
                """
        )
    }

    /// The sentence about odometers without a reading at an end of a trip.
    static let odometersDerived = Phrase(
        en: """
            Where the odometer was not read at both ends of a trip, it is carried on from the last \
            reading by the distance of the trips; between two readings it is calibrated, by at \
            most 3 %. No distance or amount depends on it.
            """,
        nl: """
            Waar de kilometerstand niet aan beide einden van een rit is afgelezen, is hij vanaf de \
            laatste stand doorgeteld met de afstand van de ritten; tussen twee standen is hij \
            verrekend, met hoogstens 3 %. Geen afstand of bedrag hangt ervan af.
            """,
        de: """
            Wo der Kilometerstand nicht an beiden Enden einer Fahrt abgelesen wurde, ist er vom \
            letzten Stand mit der Strecke der Fahrten fortgeschrieben; zwischen zwei Ständen ist \
            er abgeglichen, um höchstens 3 %. Keine Strecke und kein Betrag hängt davon ab.
            """,
        fr: """
            Là où le compteur n’a pas été relevé aux deux bouts d’un trajet, il est reporté \
            depuis le dernier relevé par la distance des trajets ; entre deux relevés il est \
            étalonné, de 3 % au plus. Aucune distance ni aucun montant n’en dépend.
            """
    )

    /// The readings from which odometers are extrapolated.
    static func odometersCarried(from readings: [Phrase]) -> Phrase {
        Phrase(
            en: "Carried on from: \(readings).",
            nl: "Doorgeteld vanaf: \(readings).",
            de: "Fortgeschrieben von: \(readings).",
            fr: "Reporté depuis : \(readings)."
        )
    }

    /// The sentences about readings that contradict each other or trips, one for each kind.
    static func odometersInDoubt(_ doubts: [MileageOdometers.Doubt]) -> [Phrase] {
        func names(ifBackwards isBackwards: Bool) -> [String] {
            Set(doubts.filter { $0.isBackwards == isBackwards }.map { NameKey($0.vehicle) })
                .sorted().map(\.name)
        }
        let (backwards, exceeded) = (names(ifBackwards: true), names(ifBackwards: false))
        var sentences: [Phrase] = []
        if !backwards.isEmpty { sentences.append(.odometersBackwards(backwards)) }
        if !exceeded.isEmpty { sentences.append(.tripsBeyondOdometers(exceeded)) }
        return sentences
    }

    private static func odometersBackwards(_ vehicles: [String]) -> Phrase {
        Phrase(
            en: """
                An odometer shows less than before (\(own: vehicles)): `ledger odometer VEHICLE \
                --list` shows where.
                """,
            nl: """
                Een kilometerstand is lager dan de vorige (\(own: vehicles)): `ledger odometer \
                VOERTUIG --list` toont waar.
                """,
            de: """
                Ein Kilometerstand ist niedriger als der vorige (\(own: vehicles)): `ledger \
                odometer FAHRZEUG --list` zeigt, wo.
                """,
            fr: """
                Un relevé du compteur est inférieur au précédent (\(own: vehicles)) : `ledger \
                odometer VÉHICULE --list` montre où.
                """
        )
    }

    private static func tripsBeyondOdometers(_ vehicles: [String]) -> Phrase {
        Phrase(
            en: """
                Between two readings, trips have more than the odometer went (\(own: vehicles)): \
                `ledger odometer VEHICLE --list` shows where.
                """,
            nl: """
                Tussen twee standen hebben ritten meer dan de kilometerteller verder ging \
                (\(own: vehicles)): `ledger odometer VOERTUIG --list` toont waar.
                """,
            de: """
                Zwischen zwei Ständen haben Fahrten mehr, als der Kilometerzähler weiterging \
                (\(own: vehicles)): `ledger odometer FAHRZEUG --list` zeigt, wo.
                """,
            fr: """
                Entre deux relevés, les trajets dépassent ce que le compteur a avancé \
                (\(own: vehicles)) : `ledger odometer VÉHICULE --list` montre où.
                """
        )
    }
}

extension DerivedOdometer.Basis {
    /// How the odometer is known, in words.
    var phrase: Phrase {
        switch self {
        case .read: Phrase(en: "read", nl: "afgelezen", de: "abgelesen", fr: "relevé")
        case .carried:
            Phrase(en: "carried", nl: "doorgeteld", de: "fortgeschrieben", fr: "reporté")
        case .calibrated:
            Phrase(en: "calibrated", nl: "verrekend", de: "abgeglichen", fr: "étalonné")
        }
    }
}
