import Geodesy
import Maps
package import Tables
package import TripEvents
import TripTracking

/// What maps of trips say.
package enum MapPhrases {
    static let countedWay = Phrase(
        en: "counted way",
        nl: "getelde weg",
        de: "gezählter Weg",
        fr: "chemin compté"
    )

    static let leftOut = Phrase(en: "left out", nl: "weggelaten", de: "weggelassen", fr: "omis")

    static let notEnded = Phrase(
        en: "not ended",
        nl: "niet beëindigd",
        de: "nicht beendet",
        fr: "non terminé"
    )

    static let howOften = Phrase(
        en: "How often each road was driven",
        nl: "Hoe vaak elke weg is gereden",
        de: "Wie oft jede Straße gefahren wurde",
        fr: "Combien de fois chaque route a été parcourue"
    )

    static let noGaps = Phrase(
        en: "No gaps",
        nl: "Geen hiaten",
        de: "Keine Lücken",
        fr: "Aucune lacune"
    )

    static let straightLines = Phrase(
        en: "Lines are straight from one counted fix to the next.",
        nl: "Lijnen zijn recht van de ene getelde positie naar de volgende.",
        de: "Linien sind gerade von einer gezählten Position zur nächsten.",
        fr: "Les lignes sont droites d’une position comptée à la suivante."
    )

    static let land = Phrase(
        en: "Land and borders on small scales: Natural Earth 1:50m, public domain.",
        nl: "Land en grenzen op kleine schaal: Natural Earth 1:50m, publiek domein.",
        de: "Land und Grenzen in kleinem Maßstab: Natural Earth 1:50m, gemeinfrei.",
        fr: "Terres et frontières à petite échelle : Natural Earth 1:50m, domaine public."
    )

    private static let oneTrip = Phrase(en: "trip", nl: "rit", de: "Fahrt", fr: "trajet")
    private static let manyTrips = Phrase(en: "trips", nl: "ritten", de: "Fahrten", fr: "trajets")

    static func start(_ time: String) -> Phrase {
        Phrase(
            en: "Start \(own: time)",
            nl: "Begin \(own: time)",
            de: "Beginn \(own: time)",
            fr: "Départ \(own: time)"
        )
    }

    static func end(_ time: String) -> Phrase {
        Phrase(
            en: "End \(own: time)",
            nl: "Einde \(own: time)",
            de: "Ende \(own: time)",
            fr: "Arrivée \(own: time)"
        )
    }

    static func count(_ count: Int) -> Phrase {
        Phrase("\(count) \(count == 1 ? oneTrip : manyTrips)")
    }

    static func source(_ name: String) -> Phrase {
        Phrase(
            en: "source \(own: name)",
            nl: "bron \(own: name)",
            de: "Quelle \(own: name)",
            fr: "source \(own: name)"
        )
    }

    static func trip(_ id: String) -> Phrase { Phrase("\(oneTrip) \(own: id)") }

    static func times(in zone: String) -> Phrase {
        Phrase(
            en: "Times in \(own: zone).",
            nl: "Tijden in \(own: zone).",
            de: "Zeiten in \(own: zone).",
            fr: "Heures de \(own: zone)."
        )
    }

    static func gaps(_ count: Int64, _ length: Phrase, _ duration: String) -> Phrase {
        let isOne = count == 1
        let gap = Phrase(
            en: isOne ? "gap" : "gaps",
            nl: isOne ? "hiaat" : "hiaten",
            de: isOne ? "Lücke" : "Lücken",
            fr: isOne ? "lacune" : "lacunes"
        )
        return Phrase(
            en: "\(count) \(gap) of \(length) and \(own: duration), which are not in the distance",
            nl: "\(count) \(gap) van \(length) en \(own: duration), niet in de afstand",
            de: "\(count) \(gap), \(length) und \(own: duration), nicht in der Strecke",
            fr: "\(count) \(gap) de \(length) et \(own: duration), hors de la distance"
        )
    }

    static func withoutWay(_ count: Int) -> Phrase {
        let isOne = count == 1
        return Phrase(
            en: isOne
                ? "\(count) trip has no recorded way, and no line"
                : "\(count) trips have no recorded way, and no line",
            nl: isOne
                ? "\(count) rit heeft geen opgenomen weg, en geen lijn"
                : "\(count) ritten hebben geen opgenomen weg, en geen lijn",
            de: isOne
                ? "\(count) Fahrt hat keinen aufgezeichneten Weg, und keine Linie"
                : "\(count) Fahrten haben keinen aufgezeichneten Weg, und keine Linie",
            fr: isOne
                ? "\(count) trajet n’a pas de chemin enregistré, ni de ligne"
                : "\(count) trajets n’ont pas de chemin enregistré, ni de ligne"
        )
    }

    /// Returns how long a source was at a place, and how often.
    static func stay(_ count: Int, _ span: String) -> Phrase {
        guard count > 1 else {
            return Phrase(
                en: "stayed \(own: span)",
                nl: "\(own: span) verbleven",
                de: "\(own: span) geblieben",
                fr: "resté \(own: span)"
            )
        }
        return Phrase(
            en: "\(count) visits, \(own: span) together",
            nl: "\(count) bezoeken, samen \(own: span)",
            de: "\(count) Besuche, zusammen \(own: span)",
            fr: "\(count) visites, \(own: span) au total"
        )
    }

    /// Returns the days that were asked for; `nil` if none were.
    package static func period(_ first: CivilDate?, _ last: CivilDate?) -> Phrase? {
        switch (first, last) {
        case (nil, nil): nil
        case (let first?, nil):
            Phrase(
                en: "from \(first)",
                nl: "vanaf \(first)",
                de: "ab \(first)",
                fr: "à partir du \(first)"
            )
        case (nil, let last?):
            Phrase(
                en: "until \(last)",
                nl: "tot en met \(last)",
                de: "bis \(last)",
                fr: "jusqu’au \(last)"
            )
        case (let first?, let last?):
            Phrase(
                en: "\(first) to \(last)",
                nl: "\(first) tot en met \(last)",
                de: "\(first) bis \(last)",
                fr: "du \(first) au \(last)"
            )
        }
    }

    /// Returns the sentence that names the ledger and entries from which a map is made.
    package static func evidence(_ ledger: String, _ size: UInt64, _ root: String) -> Phrase {
        Phrase(
            en: "Ledger \(own: ledger), \(size) entries, root \(own: root)",
            nl: "Boek \(own: ledger), \(size) vermeldingen, wortel \(own: root)",
            de: "Buch \(own: ledger), \(size) Einträge, Wurzel \(own: root)",
            fr: "Livre \(own: ledger), \(size) entrées, racine \(own: root)"
        )
    }

    /// Returns why a fix was not counted; `nil` for one that was, or that only stood still.
    static func verdict(_ verdict: Verdict) -> Phrase? {
        switch verdict {
        case .accepted, .afterGap, .jitter: nil
        case .poorAccuracy:
            Phrase(en: "poor accuracy", nl: "onnauwkeurig", de: "ungenau", fr: "imprécise")
        case .stale: Phrase(en: "stale", nl: "verouderd", de: "veraltet", fr: "périmée")
        case .impossibleSpeed:
            Phrase(
                en: "impossible speed",
                nl: "onmogelijke snelheid",
                de: "unmögliche Geschwindigkeit",
                fr: "vitesse impossible"
            )
        case .spike: Phrase(en: "spike", nl: "uitschieter", de: "Ausreißer", fr: "aberrante")
        case .nullCoordinate:
            Phrase(
                en: "null coordinate",
                nl: "nulcoördinaat",
                de: "Nullkoordinate",
                fr: "coordonnée nulle"
            )
        case .mock: Phrase(en: "mock", nl: "nagebootst", de: "vorgetäuscht", fr: "simulée")
        }
    }
}

extension MapWords {
    /// Creates the words of a language.
    init(_ words: Words) {
        self.init()
        func text(en: String, nl: String, de: String, fr: String) -> String {
            switch words.language {
            case .en: en
            case .nl: nl
            case .de: de
            case .fr: fr
            }
        }
        language = words.language.rawValue
        trip = text(en: trip, nl: "rit", de: "Fahrt", fr: "trajet")
        trips = text(en: trips, nl: "ritten", de: "Fahrten", fr: "trajets")
        to = text(en: to, nl: "tot", de: "bis", fr: "à")
        gap = text(
            en: gap,
            nl: "hiaat: er is niets gemeten",
            de: "Lücke: nichts gemessen",
            fr: "lacune : rien n’a été mesuré"
        )
        notCounted = text(
            en: notCounted,
            nl: "niet geteld",
            de: "nicht gezählt",
            fr: "non comptées"
        )
        notShown = text(
            en: notShown,
            nl: "hier niet getoond",
            de: "hier nicht gezeigt",
            fr: "non montrées ici"
        )
        place = text(
            en: place,
            nl: "bewaarde plaats",
            de: "gespeicherter Ort",
            fr: "lieu enregistré"
        )
        speed = text(en: speed, nl: "Snelheid", de: "Geschwindigkeit", fr: "Vitesse")
        distance = text(
            en: distance,
            nl: "Afstand tot hier",
            de: "Strecke bis hier",
            fr: "Distance parcourue"
        )
        enlarge = text(en: enlarge, nl: "Vergroten", de: "Vergrößern", fr: "Agrandir")
        showMore = text(en: showMore, nl: "Meer tonen", de: "Mehr zeigen", fr: "Montrer plus")
        showAll = text(en: showAll, nl: "Alles tonen", de: "Alles zeigen", fr: "Tout montrer")
        all = text(en: all, nl: "Alles", de: "Alles", fr: "Tout")
        east = text(en: east, nl: "O", de: "O", fr: "E")
        south = text(en: south, nl: "Z", de: "S", fr: "S")
        west = text(en: west, nl: "W", de: "W", fr: "O")
        at = text(en: at, nl: "op", de: "bei", fr: "à")
        decimalMark = text(en: decimalMark, nl: ",", de: ",", fr: ",")
    }
}
