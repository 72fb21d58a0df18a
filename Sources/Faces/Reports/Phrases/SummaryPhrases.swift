import Geodesy
import Tables
import TripEvents

// What summaries and methods say.

extension Phrase {
    static let summary = Phrase(
        en: "Summary of distances",
        nl: "Overzicht van de afstanden",
        de: "Übersicht der Strecken",
        fr: "Récapitulatif des distances"
    )
    static let noTripCounts = Phrase(
        en: "No trip counts in these days.",
        nl: "In deze dagen telt geen rit.",
        de: "An diesen Tagen zählt keine Fahrt.",
        fr: "Aucun trajet ne compte ces jours-là."
    )
    static let eachVehicleAndYear = Phrase(
        en: "Each vehicle and year",
        nl: "Elk voertuig en jaar",
        de: "Jedes Fahrzeug und Jahr",
        fr: "Chaque véhicule et année"
    )
    static let sumOfPrinted = Phrase(
        en: "Each figure is the sum of its trips as they are printed, rounded one by one.",
        nl: "Elk getal is de som van de ritten zoals ze gedrukt zijn, elk apart afgerond.",
        de: "Jede Zahl ist die Summe ihrer Fahrten, wie sie gedruckt sind, einzeln gerundet.",
        fr: "Chaque chiffre est la somme de ses trajets tels qu’imprimés, arrondis un à un."
    )
    static let formsSayWhichLines = Phrase(
        en: "Figures, not advice: the forms say which lines apply to you.",
        nl: "Cijfers, geen advies: de formulieren zeggen welke regels voor u gelden.",
        de: "Zahlen, kein Rat: Die Formulare sagen, welche Zeilen für Sie gelten.",
        fr: """
            Des chiffres, pas un conseil : les formulaires disent quelles lignes vous concernent.
            """
    )

    /// The place that lists what counts towards the Dutch limit of private use in a year.
    static func limitIsPerPerson(_ year: String) -> Phrase {
        Phrase(
            en: """
                What is left of 500 km is said only of a whole calendar year in which no other \
                vehicle has private use, because the limit is per person: `ledger report claim \
                --jurisdiction nl --year \(own: year)` counts the private trips of all vehicles \
                towards it.
                """,
            nl: """
                Wat over is van 500 km staat er alleen bij een heel kalenderjaar waarin geen ander \
                voertuig privégebruik heeft, omdat de grens per persoon geldt: `ledger report \
                claim --jurisdiction nl --year \(own: year)` telt de privéritten van alle \
                voertuigen mee.
                """,
            de: """
                Was von 500 km übrig ist, steht nur bei einem ganzen Kalenderjahr, in dem kein \
                anderes Fahrzeug private Nutzung hat, weil die Grenze je Person gilt: `ledger \
                report claim --jurisdiction nl --year \(own: year)` zählt die Privatfahrten aller \
                Fahrzeuge zusammen.
                """,
            fr: """
                Ce qui reste sur 500 km n’est dit que d’une année civile entière où aucun autre \
                véhicule n’a d’usage privé, car la limite vaut par personne : `ledger report claim \
                --jurisdiction nl --year \(own: year)` compte les trajets privés de tous les \
                véhicules.
                """
        )
    }

    /// Above the lines of a form.
    static func formHeading(year: String, vehicle: String?) -> Phrase {
        if let vehicle { return Phrase("\(own: year), \(own: vehicle)") }
        return Phrase(
            en: "\(own: year), trips without a vehicle",
            nl: "\(own: year), ritten zonder voertuig",
            de: "\(own: year), Fahrten ohne Fahrzeug",
            fr: "\(own: year), trajets sans véhicule"
        )
    }
}

// MARK: Charts

extension Phrase {
    static let byMonth = Phrase(
        en: "By month",
        nl: "Per maand",
        de: "Nach Monaten",
        fr: "Par mois"
    )
    static let monthsShown = Phrase(
        en: "Distances by month and class; the log and the table above have the figures.",
        nl: """
            Afstanden per maand en soort; de rittenregistratie en de tabel hierboven hebben de \
            getallen.
            """,
        de: "Strecken nach Monat und Art; Fahrtenbuch und obige Tabelle haben die Zahlen.",
        fr: "Distances par mois et nature ; le relevé et le tableau ci-dessus ont les chiffres."
    )
    static let yearShown = Phrase(
        en: "Distances of each class from the first day of the year on.",
        nl: "Afstanden van elke soort vanaf de eerste dag van het jaar.",
        de: "Strecken jeder Art vom ersten Tag des Jahres an.",
        fr: "Distances de chaque nature depuis le premier jour de l’année."
    )
    static let odometerShown = Phrase(
        en: "What the odometer went, and what trips went, from reading to reading.",
        nl: "Wat de kilometerteller liep en wat de ritten liepen, van stand tot stand.",
        de: "Was der Kilometerzähler und was die Fahrten ergaben, von Stand zu Stand.",
        fr: "Ce que le compteur et les trajets ont parcouru, de relevé en relevé."
    )
    static let odometerWord = Phrase(
        en: "odometer",
        nl: "kilometerstand",
        de: "Kilometerstand",
        fr: "compteur"
    )
    static let tripsWord = Phrase(en: "trips", nl: "ritten", de: "Fahrten", fr: "trajets")

    static func throughYear(_ year: String) -> Phrase {
        Phrase(
            en: "Through the year \(own: year)",
            nl: "Door het jaar \(own: year)",
            de: "Im Lauf des Jahres \(own: year)",
            fr: "Au fil de l’année \(own: year)"
        )
    }

    static func odometerBesideTrips(of vehicle: String) -> Phrase {
        Phrase(
            en: "Odometer beside trips: \(own: vehicle)",
            nl: "Kilometerstand naast ritten: \(own: vehicle)",
            de: "Kilometerstand neben Fahrten: \(own: vehicle)",
            fr: "Compteur et trajets : \(own: vehicle)"
        )
    }

    /// A line across a chart at a distance, with what counts towards it.
    static func threshold(_ distance: Distance, in unit: DistanceUnit, of counted: Phrase) -> Phrase
    {
        let whole = DistanceText.scaled(distance, in: unit, decimals: 0)
        return Phrase("\(whole) \(own: unit.rawValue), \(counted)")
    }
}

// MARK: Methods

extension Phrase {
    static let methodsTitle = Phrase(
        en: "What each method gives",
        nl: "Wat elke methode oplevert",
        de: "Was jede Methode ergibt",
        fr: "Ce que donne chaque méthode"
    )
    static let noTripOfVehicle = Phrase(
        en: "No trip of a vehicle counts in these days.",
        nl: "In deze dagen telt geen rit van een voertuig.",
        de: "An diesen Tagen zählt keine Fahrt eines Fahrzeugs.",
        fr: "Aucun trajet d’un véhicule ne compte ces jours-là."
    )
    static let methods = Phrase(en: "Methods", nl: "Methoden", de: "Methoden", fr: "Méthodes")
    static let businessUse = Phrase(
        en: "Business use",
        nl: "Zakelijk gebruik",
        de: "Geschäftliche Nutzung",
        fr: "Usage professionnel"
    )
    static let byExpenses = Phrase(
        en: """
            By expenses: what was paid for the vehicle, such as fuel and charging, times its \
            business use, and tolls and parking of business trips in full. Costs that were not \
            recorded, such as insurance and depreciation, are not included.
            """,
        nl: """
            Naar uitgaven: wat voor het voertuig is betaald, zoals brandstof en laden, maal het \
            zakelijk gebruik, en tol en parkeren van zakelijke ritten geheel. Wat niet is \
            vastgelegd, zoals verzekering en afschrijving, zit nergens in.
            """,
        de: """
            Nach Ausgaben: was für das Fahrzeug bezahlt wurde, etwa Kraftstoff und Laden, mal \
            seiner geschäftlichen Nutzung, und Maut und Parken von Geschäftsfahrten ganz. Was \
            nicht erfasst ist, etwa Versicherung und Abschreibung, ist nirgends enthalten.
            """,
        fr: """
            Par dépenses : ce qui a été payé pour le véhicule, comme carburant et recharge, \
            multiplié par son usage professionnel, et péages et stationnement des déplacements \
            professionnels en entier. Ce qui n’est pas enregistré, comme assurance et \
            amortissement, n’y est pas.
            """
    )
    static let projectedUse = Phrase(
        en: """
            PROJECTED is the base year's use, times the quarter's use, divided by the use in the \
            same quarter of the base year (from memory, not verified).
            """,
        nl: """
            GESCHAT is het gebruik van het basisjaar maal dat van het kwartaal, gedeeld door dat \
            van hetzelfde kwartaal van het basisjaar (uit het hoofd, niet nagegaan).
            """,
        de: """
            HOCHGERECHNET ist die Nutzung des Basisjahres mal der des Quartals, geteilt durch die \
            desselben Quartals im Basisjahr (aus dem Gedächtnis, nicht geprüft).
            """,
        fr: """
            PROJETÉ est l’usage de l’année de base multiplié par celui du trimestre, divisé par \
            celui du même trimestre de l’année de base (de mémoire, non vérifié).
            """
    )
    static let rulesSayWhichMethod = Phrase(
        en: "Figures, not advice: the rules say which method applies to you.",
        nl: "Cijfers, geen advies: de regels zeggen welke methode voor u geldt.",
        de: "Zahlen, kein Rat: Die Regeln sagen, welche Methode für Sie gilt.",
        fr: "Des chiffres, pas un conseil : les règles disent quelle méthode vous concerne."
    )

    static func byRates(_ ids: [String]) -> Phrase {
        Phrase(
            en: "By rates: the lines of `ledger report claim`, added up (\(own: ids)).",
            nl: "Naar tarieven: de regels van `ledger report claim`, opgeteld (\(own: ids)).",
            de: "Nach Sätzen: die Zeilen von `ledger report claim`, summiert (\(own: ids)).",
            fr: "Par barèmes : les lignes de `ledger report claim`, additionnées (\(own: ids))."
        )
    }

    /// Tolls and parking that no method counts.
    static func looseExpenses(_ count: Int) -> Phrase {
        guard count != 1 else {
            return Phrase(
                en: """
                    1 expense is in no method: a toll or parking without a business trip, or an \
                    amount with too many digits.
                    """,
                nl: """
                    1 uitgave zit in geen methode: tol of parkeren zonder zakelijke rit, of een \
                    bedrag met te veel cijfers.
                    """,
                de: """
                    1 Ausgabe ist in keiner Methode: Maut oder Parken ohne Geschäftsfahrt, oder \
                    ein Betrag mit zu vielen Stellen.
                    """,
                fr: """
                    1 dépense de péage ou stationnement sans déplacement professionnel, ou avec \
                    trop de chiffres : dans aucune méthode.
                    """
            )
        }
        return Phrase(
            en: """
                \(count) expenses are in no method: tolls or parking without a business trip, or \
                amounts with too many digits.
                """,
            nl: """
                \(count) uitgaven zitten in geen methode: tol of parkeren zonder zakelijke rit, of \
                bedragen met te veel cijfers.
                """,
            de: """
                \(count) Ausgaben sind in keiner Methode: Maut oder Parken ohne Geschäftsfahrt, \
                oder Beträge mit zu vielen Stellen.
                """,
            fr: """
                \(count) dépenses de péage ou stationnement sans déplacement professionnel, ou \
                avec trop de chiffres : dans aucune méthode.
                """
        )
    }
}

extension MethodsReport.Method {
    /// The method in words.
    var phrase: Phrase {
        switch self {
        case .rate: Phrase(en: "rate", nl: "tarief", de: "Satz", fr: "barème")
        case .expenses: Phrase(en: "expenses", nl: "uitgaven", de: "Ausgaben", fr: "dépenses")
        case .limit: Phrase(en: "limit", nl: "grens", de: "Grenze", fr: "limite")
        }
    }
}

extension UseSample.Part {
    /// The part of a year in words.
    var phrase: Phrase {
        switch self {
        case .year: SharedWord.year.phrase
        case .quarter: Phrase(en: "quarter", nl: "kwartaal", de: "Quartal", fr: "trimestre")
        case .firstWeeks:
            Phrase(
                en: "first weeks",
                nl: "eerste weken",
                de: "erste Wochen",
                fr: "premières semaines"
            )
        case .twelveWeeks:
            Phrase(
                en: "twelve weeks",
                nl: "twaalf weken",
                de: "zwölf Wochen",
                fr: "douze semaines"
            )
        case .baseYear:
            Phrase(en: "base year", nl: "basisjaar", de: "Basisjahr", fr: "année de base")
        case .baseQuarter:
            Phrase(
                en: "base quarter",
                nl: "basiskwartaal",
                de: "Basisquartal",
                fr: "trimestre de base"
            )
        case .projected:
            Phrase(en: "projected", nl: "geschat", de: "hochgerechnet", fr: "projeté")
        }
    }
}
