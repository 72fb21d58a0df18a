import Geodesy
import Rates
import Tables
import TripEvents

// What claims say.

extension Phrase {
    static let claim = Phrase(en: "Claim", nl: "Declaratie", de: "Abrechnung", fr: "Déclaration")
    static let tripsNotClaimed = Phrase(
        en: "Trips that are not claimed",
        nl: "Ritten die niet zijn gedeclareerd",
        de: "Fahrten, die nicht geltend gemacht sind",
        fr: "Trajets non déclarés"
    )
    static let expensesNotClaimed = Phrase(
        en: "Expenses that are not claimed",
        nl: "Uitgaven die niet zijn gedeclareerd",
        de: "Ausgaben, die nicht geltend gemacht sind",
        fr: "Dépenses non déclarées"
    )
    static let allKnownRates = Phrase(
        en: "all that are known",
        nl: "alle die bekend zijn",
        de: "alle bekannten",
        fr: "tous ceux qui sont connus"
    )
    static let noAdviceOnTaxes = Phrase(
        en: "Figures by the rates that are named, and no advice on taxes.",
        nl: "Cijfers volgens de genoemde tarieven, en geen belastingadvies.",
        de: "Zahlen nach den genannten Sätzen, und keine Steuerberatung.",
        fr: "Des chiffres selon les barèmes nommés, et aucun conseil fiscal."
    )
    static let amountIsRounded = Phrase(
        en: """
            An amount is distance times rate, computed from whole millimetres and rounded once to \
            hundredths, half away from zero; the total is the sum of the lines.
            """,
        nl: """
            Een bedrag is afstand maal tarief, berekend uit hele millimeters en één keer \
            rekenkundig afgerond op honderdsten, vanaf een halve omhoog; het totaal is de som van \
            de regels.
            """,
        de: """
            Ein Betrag ist Strecke mal Satz, aus ganzen Millimetern berechnet und einmal auf \
            Hundertstel kaufmännisch gerundet, ab einem halben auf; die Summe ist die der Zeilen.
            """,
        fr: """
            Un montant est la distance multipliée par le barème, calculé en millimètres entiers et \
            arrondi une fois au centième le plus proche, le demi-centième vers le haut ; le total \
            est la somme des lignes.
            """
    )
    static let partOfYear = Phrase(
        en: """
            For a part of a year, it is the amount of the year up to then, less the amount before \
            (BEFORE).
            """,
        nl: """
            Voor een deel van een jaar is het het bedrag van het jaar tot dan, min het bedrag \
            ervoor (ERVOOR).
            """,
        de: """
            Für einen Teil des Jahres ist er der Betrag des Jahres bis dahin, abzüglich des \
            Betrags vorher (VORHER).
            """,
        fr: """
            Pour une partie d’année, c’est le montant de l’année jusque-là, moins le montant avant \
            (AVANT).
            """
    )
    static let expenseCounts = Phrase(
        en: "An expense counts on the day of its trip, in its own currency, rounded to hundredths.",
        nl: "Een uitgave telt op de dag van de rit, in de eigen valuta, afgerond op honderdsten.",
        de: "Eine Ausgabe zählt am Tag ihrer Fahrt, in ihrer Währung, auf Hundertstel gerundet.",
        fr: "Une dépense compte le jour de son trajet, dans sa devise, arrondie au centième."
    )
    static let longestCommute = Phrase(
        en: """
            Of the commutes of a day the longest counts, once, in full units, as the way to work; \
            TRIPS are days.
            """,
        nl: """
            Van de woon-werkritten van een dag telt de langste, één keer, in hele eenheden, als de \
            weg naar het werk; RITTEN zijn dagen.
            """,
        de: """
            Von den Arbeitswegen eines Tages zählt der längste, einmal, in vollen Einheiten; \
            FAHRTEN sind Tage.
            """,
        fr: """
            Des trajets domicile-travail d’une journée, le plus long compte, une fois, en unités \
            entières ; TRAJETS sont des jours.
            """
    )

    /// A region of the program's own tables in words; a region of another table by its name.
    static func named(region: String) -> Phrase {
        switch region {
        case "provinces":
            Phrase(en: "provinces", nl: "provincies", de: "Provinzen", fr: "provinces")
        case "territories":
            Phrase(en: "territories", nl: "territoria", de: "Territorien", fr: "territoires")
        default: .own(region)
        }
    }

    /// The day on which rates must have been known.
    static func ratesKnown(on day: CivilDate) -> Phrase {
        Phrase(
            en: "as known on \(day)",
            nl: "zoals bekend op \(day)",
            de: "wie am \(day) bekannt",
            fr: "connus au \(day)"
        )
    }

    /// The years in which thresholds are counted.
    static func thresholds(ofYears years: [ClosedRange<CivilDate>]) -> Phrase {
        let years = years.map { Phrase.days($0.lowerBound, $0.upperBound) }
        return Phrase(
            en: "Thresholds are counted in order of the trips over each whole year: \(years).",
            nl: """
                Drempels worden geteld in de volgorde van de ritten over elk heel jaar: \(years).
                """,
            de: """
                Schwellen werden in der Reihenfolge der Fahrten über jedes ganze Jahr gezählt: \
                \(years).
                """,
            fr: """
                Les seuils sont comptés dans l’ordre des trajets sur chaque année entière : \
                \(years).
                """
        )
    }

    /// The drivers whose trips share limits and days, because the claim is not for one driver.
    static func severalDrivers(_ names: [String]) -> Phrase {
        Phrase(
            en: """
                Several persons drove: \(own: names). Limits of a year and ways of a day are \
                counted as those of one; with `--driver NAME` the claim is that of one alone.
                """,
            nl: """
                Meerdere personen reden: \(own: names). Grenzen van een jaar en ritten van een dag \
                zijn geteld als die van één; met `--driver NAAM` is de declaratie die van één \
                alleen.
                """,
            de: """
                Mehrere Personen fuhren: \(own: names). Grenzen eines Jahres und Wege eines Tages \
                sind wie die einer einzigen gezählt; mit `--driver NAME` ist die Abrechnung die \
                einer allein.
                """,
            fr: """
                Plusieurs personnes ont conduit : \(own: names). Les limites d’une année et les \
                trajets d’une journée sont comptés comme ceux d’une seule ; avec `--driver NOM`, \
                la déclaration est celle d’une seule personne.
                """
        )
    }

    /// The distance of all trips, and how it is known.
    static func allTrips(
        _ distance: Distance,
        in unit: DistanceUnit,
        ofWhich parts: [(distance: Distance, origin: DistanceOrigin)]
    ) -> Phrase {
        let parts = parts.map { Phrase("\($0.distance, in: unit) \($0.origin.phrase)") }
        guard !parts.isEmpty else {
            return Phrase(
                en: "All trips of these days: \(distance, in: unit).",
                nl: "Alle ritten van deze dagen: \(distance, in: unit).",
                de: "Alle Fahrten dieser Tage: \(distance, in: unit).",
                fr: "Tous les trajets de ces jours : \(distance, in: unit)."
            )
        }
        return Phrase(
            en: "All trips of these days: \(distance, in: unit), of which \(parts).",
            nl: "Alle ritten van deze dagen: \(distance, in: unit), waarvan \(parts).",
            de: "Alle Fahrten dieser Tage: \(distance, in: unit), davon \(parts).",
            fr: "Tous les trajets de ces jours : \(distance, in: unit), dont \(parts)."
        )
    }

    /// The gaps that no distance includes.
    static func gaps(_ count: Int64, of distance: Distance, in unit: DistanceUnit) -> Phrase {
        guard count != 1 else {
            return Phrase(
                en: """
                    1 gap of \(distance, in: unit) in a straight line, where nothing was measured, \
                    is in no distance: it is a lower bound.
                    """,
                nl: """
                    1 hiaat van \(distance, in: unit) in een rechte lijn, waar niets is gemeten, \
                    zit in geen afstand: het is een ondergrens.
                    """,
                de: """
                    1 Lücke von \(distance, in: unit) in gerader Linie, wo nichts gemessen wurde, \
                    ist in keiner Strecke: sie ist eine Untergrenze.
                    """,
                fr: """
                    1 lacune de \(distance, in: unit) en ligne droite, où rien n’a été mesuré, \
                    n’est dans aucune distance : c’est un minimum.
                    """
            )
        }
        return Phrase(
            en: """
                \(count) gaps of \(distance, in: unit) in a straight line, where nothing was \
                measured, are in no distance: it is a lower bound.
                """,
            nl: """
                \(count) hiaten van \(distance, in: unit) in een rechte lijn, waar niets is \
                gemeten, zitten in geen afstand: het is een ondergrens.
                """,
            de: """
                \(count) Lücken von \(distance, in: unit) in gerader Linie, wo nichts gemessen \
                wurde, sind in keiner Strecke: sie ist eine Untergrenze.
                """,
            fr: """
                \(count) lacunes de \(distance, in: unit) en ligne droite, où rien n’a été mesuré, \
                ne sont dans aucune distance : c’est un minimum.
                """
        )
    }

    /// The vehicles that count as cars because their kind is not registered.
    static func assumedCars(_ names: [String]) -> Phrase {
        if names.count == 1 { return assumedCar(names[0]) }
        return Phrase(
            en: """
                The kind is not registered for \(own: names), so these count as cars: `ledger \
                vehicle register` records it.
                """,
            nl: """
                Van \(own: names) is geen type vastgelegd, dus tellen ze als auto’s: `ledger \
                vehicle register` zegt wat ze zijn.
                """,
            de: """
                Zu \(own: names) ist kein Typ erfasst, also zählen sie als Pkw: `ledger vehicle \
                register` sagt, was sie sind.
                """,
            fr: """
                Aucun type n’est enregistré pour \(own: names), qui comptent donc comme voitures : \
                `ledger vehicle register` le précise.
                """
        )
    }

    private static func assumedCar(_ name: String) -> Phrase {
        Phrase(
            en: """
                The kind is not registered for \(own: name), so it counts as a car: `ledger \
                vehicle register` records it.
                """,
            nl: """
                Van \(own: name) is geen type vastgelegd, dus telt het als auto: `ledger vehicle \
                register` zegt wat het is.
                """,
            de: """
                Zu \(own: name) ist kein Typ erfasst, also zählt es als Pkw: `ledger vehicle \
                register` sagt, was es ist.
                """,
            fr: """
                Aucun type n’est enregistré pour \(own: name), qui compte donc comme voiture : \
                `ledger vehicle register` le précise.
                """
        )
    }

    /// How sure a rate is, since when it is known, and what its table notes; the note of a table
    /// that only the ledger has is marked as the words of its owner.
    static func sureness(of rate: RateStretch) -> Phrase {
        let row = rate.row
        let words = rate.isOwn ? row.note.map(RateNotes.byOwner) : row.notePhrase
        let note = words.map { Phrase(" \($0)") } ?? Phrase("")
        let (id, known) = (row.id, row.knownFrom)
        let sure =
            switch (row.confidence, rate.isOwn) {
            case (.own, _): setForThisLedger
            case (_, true): loadedIntoThisLedger
            case (let confidence, false): Self.confidence(confidence.phrase)
            }
        guard row.isKnownFromAssumed else {
            return Phrase(
                en: "\(own: id): \(sure), known from \(known).\(note)",
                nl: "\(own: id): \(sure), bekend vanaf \(known).\(note)",
                de: "\(own: id): \(sure), bekannt seit \(known).\(note)",
                fr: "\(own: id) : \(sure), connu depuis le \(known).\(note)"
            )
        }
        return Phrase(
            en: "\(own: id): \(sure), known from about \(known), which was not verified.\(note)",
            nl: "\(own: id): \(sure), bekend vanaf ongeveer \(known), niet nagegaan.\(note)",
            de: "\(own: id): \(sure), bekannt seit etwa \(known), nicht geprüft.\(note)",
            fr: "\(own: id) : \(sure), connu depuis environ le \(known), non vérifié.\(note)"
        )
    }

    private static let setForThisLedger = Phrase(
        en: "set for this ledger",
        nl: "vastgesteld voor dit grootboek",
        de: "für dieses Buch festgelegt",
        fr: "fixé pour ce registre"
    )

    private static let loadedIntoThisLedger = Phrase(
        en: "a rate of this ledger's own, which is none of the program's",
        nl: "een eigen tarief van dit grootboek, en geen van het programma",
        de: "ein eigener Satz dieses Buchs, und keiner des Programms",
        fr: "un barème propre à ce registre, et aucun du programme"
    )

    private static func confidence(_ sure: Phrase) -> Phrase {
        Phrase(
            en: "\(sure) confidence",
            nl: "zekerheid \(sure)",
            de: "Verlässlichkeit \(sure)",
            fr: "fiabilité \(sure)"
        )
    }

    /// The rate of a tier, or the distance of a limit.
    static func atMost(_ limit: Int64) -> Phrase {
        Phrase(
            en: "at most \(limit)",
            nl: "ten hoogste \(limit)",
            de: "höchstens \(limit)",
            fr: "au plus \(limit)"
        )
    }
}

extension RateTier {
    /// The rate with its constant: `0.357 d + 1395`, or `0.357 / km + 1395` if its unit is named.
    func phrase(per unit: DistanceUnit?) -> Phrase {
        // Rates read best with two decimals, as money does.
        if plus != 0 {
            let factor = unit.map { "/ \($0.rawValue)" } ?? "d"
            return Phrase("\(rate, atLeast: 2) \(own: factor) + \(plus, atLeast: 0)")
        }
        guard let unit else { return Phrase("\(rate, atLeast: 2)") }
        return Phrase("\(rate, atLeast: 2) \(own: "/ \(unit.rawValue)")")
    }
}

extension RateConfidence {
    /// The confidence in words.
    var phrase: Phrase {
        switch self {
        case .high: Phrase(en: "high", nl: "hoog", de: "hoch", fr: "élevée")
        case .medium: Phrase(en: "medium", nl: "middel", de: "mittel", fr: "moyenne")
        case .low: Phrase(en: "low", nl: "laag", de: "gering", fr: "faible")
        case .own: Phrase(en: "own", nl: "eigen", de: "eigene", fr: "propre")
        }
    }
}

extension DistanceOrigin {
    /// How the distance of trips is known.
    var phrase: Phrase {
        switch self {
        case .measured: Phrase(en: "measured", nl: "gemeten", de: "gemessen", fr: "mesurés")
        case .odometer:
            Phrase(
                en: "odometer",
                nl: "volgens de kilometerstand",
                de: "nach dem Kilometerstand",
                fr: "d’après le compteur"
            )
        case .adjusted: Phrase(en: "adjusted", nl: "bijgesteld", de: "angepasst", fr: "ajustés")
        case .reported: Phrase(en: "reported", nl: "opgegeven", de: "angegeben", fr: "déclarés")
        }
    }
}

extension ExpenseKind {
    /// The kind in words.
    var phrase: Phrase {
        switch self {
        case .toll: Phrase(en: "toll", nl: "tol", de: "Maut", fr: "péage")
        case .parking: Phrase(en: "parking", nl: "parkeren", de: "Parken", fr: "stationnement")
        case .fuel: Phrase(en: "fuel", nl: "brandstof", de: "Kraftstoff", fr: "carburant")
        case .charging: Phrase(en: "charging", nl: "laden", de: "Laden", fr: "recharge")
        case .other: Phrase(en: "other", nl: "overig", de: "sonstige", fr: "autre")
        }
    }
}

// MARK: Why something is in no claim

extension UnclaimedReason {
    /// The reason in words.
    var phrase: Phrase {
        switch self {
        case .unclassified: Reasons.unclassified
        case .noRate: Reasons.noRate
        case .noRateForVehicle: Reasons.noRateForVehicle
        case .noFiscalPower: Reasons.noFiscalPower
        case .noFuel: Reasons.noFuel
        case .noRateForDay: Reasons.noRateForDay
        case .aboveLimit: Reasons.aboveLimit
        case .oneWayADay: Reasons.oneWayADay
        }
    }
}

extension UnclaimedExpenseReason {
    /// The reason in words, for a kind of expense.
    func phrase(for kind: ExpenseKind) -> Phrase {
        switch self {
        case .noTrip: Reasons.noTrip
        case .noRate: Reasons.nothingForTrip
        case .inRate where kind == .toll || kind == .parking: Reasons.noSource
        case .inRate: Reasons.inRate
        case .otherScheme: Reasons.otherScheme
        case .notAtHome: Reasons.notAtHome
        case .noKilowattHours: Reasons.noKilowattHours
        case .tooLarge: Reasons.tooLarge
        }
    }
}

/// Why something is in no claim.
private enum Reasons {
    static let unclassified = Phrase(
        en: "they have no class yet",
        nl: "ze zijn nog niet ingedeeld",
        de: "sie sind noch nicht eingeordnet",
        fr: "ils ne sont pas encore classés"
    )
    static let noRate = Phrase(
        en: "no rate is for this class",
        nl: "voor deze soort is er geen tarief",
        de: "für diese Art gibt es keinen Satz",
        fr: "aucun barème pour cette nature"
    )
    static let noRateForVehicle = Phrase(
        en: "no rate is for this kind of vehicle",
        nl: "voor dit type voertuig is er geen tarief",
        de: "für diesen Fahrzeugtyp gibt es keinen Satz",
        fr: "aucun barème pour ce type de véhicule"
    )
    static let noFiscalPower = Phrase(
        en: "the vehicle's fiscal power is not registered",
        nl: "het fiscale vermogen van het voertuig is niet vastgelegd",
        de: "die steuerliche Leistung des Fahrzeugs ist nicht erfasst",
        fr: "la puissance fiscale du véhicule n’est pas enregistrée"
    )
    static let noFuel = Phrase(
        en: "the vehicle's fuel or engine size is not registered",
        nl: "de brandstof of cilinderinhoud van het voertuig is niet vastgelegd",
        de: "Kraftstoff oder Hubraum des Fahrzeugs ist nicht erfasst",
        fr: "le carburant ou la cylindrée du véhicule n’est pas enregistré"
    )
    static let notAtHome = Phrase(
        en: "only what was charged at home is paid",
        nl: "alleen wat thuis is geladen, wordt vergoed",
        de: "nur zu Hause Geladenes wird erstattet",
        fr: "seule la recharge à domicile est remboursée"
    )
    static let noKilowattHours = Phrase(
        en: "it says no kilowatt-hours",
        nl: "er zijn geen kilowatturen genoemd",
        de: "die Kilowattstunden fehlen",
        fr: "les kilowattheures manquent"
    )
    static let noRateForDay = Phrase(
        en: "no rate was known for these days",
        nl: "voor deze dagen was geen tarief bekend",
        de: "für diese Tage war kein Satz bekannt",
        fr: "aucun barème n’était connu pour ces jours"
    )
    static let aboveLimit = Phrase(
        en: "above the distance that is paid",
        nl: "boven de afstand die vergoed wordt",
        de: "über der Strecke, die erstattet wird",
        fr: "au-delà de la distance indemnisée"
    )
    static let oneWayADay = Phrase(
        en: "one way a day is paid, in full units",
        nl: "per dag wordt één enkele reis vergoed, in hele eenheden",
        de: "je Tag zählt ein einfacher Weg, in vollen Einheiten",
        fr: "un aller simple par jour est indemnisé, en unités entières"
    )
    static let noTrip = Phrase(
        en: "it names no trip that counts in these days",
        nl: "noemt geen rit die in deze dagen telt",
        de: "nennt keine Fahrt, die an diesen Tagen zählt",
        fr: "ne nomme aucun trajet compté ces jours-là"
    )
    static let nothingForTrip = Phrase(
        en: "nothing is paid for its trip",
        nl: "voor de rit wordt niets vergoed",
        de: "für die Fahrt wird nichts erstattet",
        fr: "rien n’est indemnisé pour son trajet"
    )
    static let inRate = Phrase(
        en: "the rate names nothing of this kind that comes on top",
        nl: "het tarief noemt niets van deze soort dat erbij komt",
        de: "der Satz nennt nichts dieser Art, das hinzukommt",
        fr: "le barème ne prévoit rien de ce genre en sus"
    )
    static let noSource = Phrase(
        en: "no source is known here on whether it comes on top, so nothing is computed",
        nl: "of het erbij komt, zegt hier geen bekende bron, dus is niets berekend",
        de: "ob es hinzukommt, sagt hier keine bekannte Quelle, also ist nichts berechnet",
        fr: "aucune source connue ici ne dit si cela s’ajoute, donc rien n’est calculé"
    )
    static let otherScheme = Phrase(
        en: "it was charged at home, which a scheme of its own pays",
        nl: "het is thuis geladen, wat een eigen regeling vergoedt",
        de: "es wurde zu Hause geladen, was eine eigene Regelung zahlt",
        fr: "rechargé à domicile, ce qu’un régime à part paie"
    )
    static let tooLarge = Phrase(
        en: "above ten billion, which is not added",
        nl: "boven tien miljard, wat niet wordt opgeteld",
        de: "über zehn Milliarden, was nicht summiert wird",
        fr: "au-delà de dix milliards, non additionné"
    )
}
