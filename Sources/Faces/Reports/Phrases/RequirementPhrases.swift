import Tables

extension LogRequirement.Subject {
    /// The requirement, in words.
    var phrase: Phrase {
        switch self {
        case .date: SubjectWords.date
        case .distance: SubjectWords.distance
        case .start: SubjectWords.start
        case .end: SubjectWords.end
        case .startAddress: SubjectWords.startAddress
        case .endAddress: SubjectWords.endAddress
        case .destination: SubjectWords.destination
        case .destinationTown: SubjectWords.destinationTown
        case .destinationAddress: SubjectWords.destinationAddress
        case .odometers: SubjectWords.odometers
        case .odometersButPrivate: SubjectWords.odometersButPrivate
        case .client: SubjectWords.client
        case .classesApart: SubjectWords.classesApart
        case .vehicle: SubjectWords.vehicle
        case .route: SubjectWords.route
        case .privatePart: SubjectWords.privatePart
        case .readingsOfPeriod: SubjectWords.readingsOfPeriod
        case .readingsOfYear: SubjectWords.readingsOfYear
        case .purpose: SubjectWords.purpose
        case .businessPurpose: SubjectWords.businessPurpose
        case .inService: SubjectWords.inService
        case .atDisposalSince: SubjectWords.atDisposalSince
        case .timelyOrWeekly: SubjectWords.timelyOrWeekly
        case .timely: SubjectWords.timely
        case .withinSevenDays: SubjectWords.withinSevenDays
        case .atTheEnd: SubjectWords.atTheEnd
        case .purposeWithinSevenDays: SubjectWords.purposeWithinSevenDays
        case .makeAndType: SubjectWords.makeAndType
        case .makeAndModel: SubjectWords.makeAndModel
        case .plate: SubjectWords.plate
        case .registration: SubjectWords.registration
        case .everyTrip: SubjectWords.everyTrip
        case .thereAndBack: SubjectWords.thereAndBack
        case .changesVisible: SubjectWords.changesVisible
        case .engineCapacity: SubjectWords.engineCapacity
        case .twelveWeeks: SubjectWords.twelveWeeks
        case .fiscalPower: SubjectWords.fiscalPower
        }
    }
}

/// The subjects of requirements, in words.
private enum SubjectWords {
    static let date = Phrase(
        en: "the date of each trip",
        nl: "de datum van elke rit",
        de: "das Datum jeder Fahrt",
        fr: "la date de chaque trajet"
    )
    static let distance = Phrase(
        en: "the distance of each trip",
        nl: "de afstand van elke rit",
        de: "die Strecke jeder Fahrt",
        fr: "la distance de chaque trajet"
    )
    static let start = Phrase(
        en: "where each trip started",
        nl: "waar elke rit begon",
        de: "wo jede Fahrt begann",
        fr: "le lieu de départ de chaque trajet"
    )
    static let end = Phrase(
        en: "where each trip ended",
        nl: "waar elke rit eindigde",
        de: "wo jede Fahrt endete",
        fr: "le lieu d’arrivée de chaque trajet"
    )
    static let startAddress = Phrase(
        en: "the address where each trip started",
        nl: "het adres waar elke rit begon",
        de: "die Adresse, an der jede Fahrt begann",
        fr: "l’adresse de départ de chaque trajet"
    )
    static let endAddress = Phrase(
        en: "the address where each trip ended",
        nl: "het adres waar elke rit eindigde",
        de: "die Adresse, an der jede Fahrt endete",
        fr: "l’adresse d’arrivée de chaque trajet"
    )
    static let destination = Phrase(
        en: "the destination",
        nl: "de bestemming",
        de: "das Ziel",
        fr: "la destination"
    )
    static let destinationTown = Phrase(
        en: "the destination: city, town or area",
        nl: "de bestemming: stad, dorp of gebied",
        de: "das Ziel: Stadt, Ort oder Gegend",
        fr: "la destination : ville ou secteur"
    )
    static let destinationAddress = Phrase(
        en: "the destination: place, street, number",
        nl: "de bestemming: plaats, straat, nummer",
        de: "das Ziel: Ort, Straße, Hausnummer",
        fr: "la destination : lieu, rue, numéro"
    )
    static let odometers = Phrase(
        en: "the odometer at the start and the end of each trip",
        nl: "de begin- en eindstand van de kilometerteller van elke rit",
        de: "der Kilometerstand bei Beginn und Ende jeder Fahrt",
        fr: "le compteur au départ et à l’arrivée de chaque trajet"
    )
    static let odometersButPrivate = Phrase(
        en: "the odometer at the start and the end, of all but private trips",
        nl: "de begin- en eindstand, van alle ritten behalve privéritten",
        de: "der Kilometerstand bei Beginn und Ende aller außer privaten Fahrten",
        fr: "le compteur au départ et à l’arrivée, sauf trajets privés"
    )
    static let client = Phrase(
        en: "whom a business trip was to",
        nl: "naar wie een zakelijke rit ging",
        de: "der aufgesuchte Geschäftspartner",
        fr: "la personne visitée lors d’un déplacement professionnel"
    )
    static let classesApart = Phrase(
        en: "commuting and private trips apart from business",
        nl: "woon-werk en privé gescheiden van zakelijk",
        de: "Arbeitswege und Privatfahrten getrennt von Geschäftsfahrten",
        fr: "domicile-travail et privé séparés du professionnel"
    )
    static let vehicle = Phrase(
        en: "the vehicle of each trip",
        nl: "het voertuig van elke rit",
        de: "das Fahrzeug jeder Fahrt",
        fr: "le véhicule de chaque trajet"
    )
    static let route = Phrase(
        en: "the route where it is not the usual one",
        nl: "de route waar die afwijkt van de gebruikelijke",
        de: "die Route, wo sie von der üblichen abweicht",
        fr: "l’itinéraire s’il n’est pas habituel"
    )
    static let privatePart = Phrase(
        en: "private kilometres inside a business trip",
        nl: "privékilometers binnen een zakelijke rit",
        de: "private Kilometer innerhalb einer Geschäftsfahrt",
        fr: "kilomètres privés dans un déplacement professionnel"
    )
    static let readingsOfPeriod = Phrase(
        en: "the odometer where the period begins and ends",
        nl: "de kilometerstand aan het begin en einde van de periode",
        de: "der Kilometerstand zu Beginn und Ende des Zeitraums",
        fr: "le compteur au début et à la fin de la période"
    )
    static let readingsOfYear = Phrase(
        en: "the odometer where the year begins and ends",
        nl: "de kilometerstand aan het begin en einde van het jaar",
        de: "der Kilometerstand zu Beginn und Ende des Jahres",
        fr: "le compteur au début et à la fin de l’année"
    )
    static let purpose = Phrase(
        en: "the purpose",
        nl: "het doel",
        de: "der Reisezweck",
        fr: "le motif"
    )
    static let businessPurpose = Phrase(
        en: "the business purpose",
        nl: "het zakelijke doel",
        de: "der geschäftliche Zweck",
        fr: "le motif professionnel"
    )
    static let inService = Phrase(
        en: "the date placed in service",
        nl: "de datum van ingebruikname",
        de: "der Tag der Inbetriebnahme",
        fr: "la date de mise en service"
    )
    static let atDisposalSince = Phrase(
        en: "since when it is at your disposal",
        nl: "vanaf wanneer het ter beschikking staat",
        de: "seit wann es zur Verfügung steht",
        fr: "depuis quand il est à votre disposition"
    )
    static let timelyOrWeekly = Phrase(
        en: "entries at or near the time; a weekly log counts",
        nl: "vermeldingen op of kort na het moment; wekelijks geldt ook",
        de: "zeitnahe Einträge; wöchentliche zählen",
        fr: "saisie au moment même ou presque ; un relevé hebdomadaire suffit"
    )
    static let timely = Phrase(
        en: "entries near the time",
        nl: "vermeldingen kort na het moment",
        de: "zeitnahe Einträge",
        fr: "saisie sans délai"
    )
    static let withinSevenDays = Phrase(
        en: "entries within seven days",
        nl: "vermeldingen binnen zeven dagen",
        de: "Einträge innerhalb von sieben Tagen",
        fr: "saisie dans les sept jours"
    )
    static let atTheEnd = Phrase(
        en: "entries at the end of the journey or soon after",
        nl: "vermeldingen aan het einde van de reis of kort erna",
        de: "Einträge am Ende der Fahrt oder bald danach",
        fr: "saisie à la fin du trajet ou peu après"
    )
    static let purposeWithinSevenDays = Phrase(
        en: "the purpose within seven days",
        nl: "het doel binnen zeven dagen",
        de: "der Zweck innerhalb von sieben Tagen",
        fr: "le motif dans les sept jours"
    )
    static let makeAndType = Phrase(
        en: "make and type of the vehicle",
        nl: "merk en type van het voertuig",
        de: "Marke und Typ des Fahrzeugs",
        fr: "marque et type du véhicule"
    )
    static let makeAndModel = Phrase(
        en: "make and model of the vehicle",
        nl: "merk en model van het voertuig",
        de: "Marke und Modell des Fahrzeugs",
        fr: "marque et modèle du véhicule"
    )
    static let plate = Phrase(
        en: "the licence plate",
        nl: "het kenteken",
        de: "das amtliche Kennzeichen",
        fr: "la plaque d’immatriculation"
    )
    static let registration = Phrase(
        en: "the registration",
        nl: "het kenteken",
        de: "das Kennzeichen",
        fr: "l’immatriculation"
    )
    static let everyTrip = Phrase(
        en: "every trip, private ones too",
        nl: "elke rit, ook privé",
        de: "jede Fahrt, auch private",
        fr: "chaque trajet, privé aussi"
    )
    static let thereAndBack = Phrase(
        en: "there and back as two trips",
        nl: "heen en terug als twee ritten",
        de: "Hin- und Rückfahrt als zwei Fahrten",
        fr: "aller et retour comme deux trajets"
    )
    static let changesVisible = Phrase(
        en: "later changes visible, and not to be hidden",
        nl: "latere wijzigingen zichtbaar, niet te verbergen",
        de: "spätere Änderungen sichtbar und nicht zu verbergen",
        fr: "modifications ultérieures visibles, impossibles à cacher"
    )
    static let engineCapacity = Phrase(
        en: "the engine's capacity",
        nl: "de cilinderinhoud",
        de: "der Hubraum",
        fr: "la cylindrée"
    )
    static let twelveWeeks = Phrase(
        en: "at least 12 weeks without a break",
        nl: "ten minste 12 weken zonder onderbreking",
        de: "mindestens 12 Wochen ohne Unterbrechung",
        fr: "au moins 12 semaines sans interruption"
    )
    static let fiscalPower = Phrase(
        en: "the fiscal horsepower of each vehicle",
        nl: "de fiscale paardenkracht van elk voertuig",
        de: "die Steuer-PS jedes Fahrzeugs",
        fr: "la puissance fiscale de chaque véhicule"
    )
}

extension LogRequirement.Remark {
    /// The remark in words.
    var phrase: Phrase {
        switch self {
        case .trackHasIt: RemarkWords.trackHasIt
        case .mixedSaysNotHowMuch: RemarkWords.mixedSaysNotHowMuch
        case .compareOdometers: RemarkWords.compareOdometers
        case .mergedTrips: RemarkWords.mergedTrips
        case .changesAreListed: RemarkWords.changesAreListed
        case .notElectricUnlessRegistered: RemarkWords.notElectricUnlessRegistered
        }
    }
}

extension CheckedRequirement {
    /// What the reader of the requirement should know; `nil` for nothing.
    var remark: Phrase? { requirement.remark?.phrase ?? coveredDays.map { .coveredDays($0) } }
}

extension CheckedRequirement {
    /// The command that helps, with the words that stand for names and numbers in each language.
    var helpPhrase: Phrase? {
        help.map { command in
            func translated(_ word: (PlaceholderWords) -> String) -> String {
                command.split(separator: " ")
                    .map { Self.placeholders[String($0)].map(word) ?? String($0) }
                    .joined(separator: " ")
            }
            return Phrase(
                en: "\(own: command)",
                nl: "\(own: translated { $0.nl })",
                de: "\(own: translated { $0.de })",
                fr: "\(own: translated { $0.fr })"
            )
        }
    }

    private typealias PlaceholderWords = (nl: String, de: String, fr: String)

    /// The words that stand for names and numbers in commands, by those in English.
    private static let placeholders: [String: PlaceholderWords] = [
        "TRIP": ("RIT", "FAHRT", "TRAJET"), "TEXT": ("TEKST", "TEXT", "TEXTE"),
        "NAME": ("NAAM", "NAME", "NOM"), "VEHICLE": ("VOERTUIG", "FAHRZEUG", "VÉHICULE"),
        "NUMBER": ("GETAL", "ZAHL", "NOMBRE"), "DAY": ("DAG", "TAG", "JOUR"),
    ]
}

extension Phrase {
    /// How many days a log covers.
    fileprivate static func coveredDays(_ days: Int) -> Phrase {
        guard days > 1 else {
            return Phrase(
                en: "trips and readings lie on one day",
                nl: "ritten en standen liggen op één dag",
                de: "Fahrten und Stände liegen an einem Tag",
                fr: "trajets et relevés sont d’un seul jour"
            )
        }
        return Phrase(
            en: "trips and readings cover \(days) days",
            nl: "ritten en standen beslaan \(days) dagen",
            de: "Fahrten und Stände umfassen \(days) Tage",
            fr: "trajets et relevés couvrent \(days) jours"
        )
    }
}

/// Remarks on requirements, in words.
private enum RemarkWords {
    static let trackHasIt = Phrase(
        en: "`ledger track` has the way of measured trips",
        nl: "`ledger track` heeft de weg van gemeten ritten",
        de: "`ledger track` hat den Weg gemessener Fahrten",
        fr: "`ledger track` a l’itinéraire des trajets mesurés"
    )
    static let mixedSaysNotHowMuch = Phrase(
        en: "trips of class mixed do not say how much",
        nl: "gemengde ritten zeggen niet hoeveel",
        de: "gemischte Fahrten sagen nicht, wie viel",
        fr: "les trajets mixtes ne disent pas combien"
    )
    static let compareOdometers = Phrase(
        en: "compare with `ledger report reconcile`",
        nl: "vergelijk met `ledger report reconcile`",
        de: "vergleichen Sie mit `ledger report reconcile`",
        fr: "comparez avec `ledger report reconcile`"
    )
    static let mergedTrips = Phrase(
        en: "merged trips, and those that ended where they began",
        nl: "samengevoegde ritten, en ritten die eindigen waar ze begonnen",
        de: "zusammengeführte Fahrten, und solche, die enden, wo sie begannen",
        fr: "trajets fusionnés, et ceux qui finissent à leur point de départ"
    )
    static let changesAreListed = Phrase(
        en: "`ledger report changes` lists them",
        nl: "`ledger report changes` noemt ze",
        de: "`ledger report changes` nennt sie",
        fr: "`ledger report changes` les énumère"
    )
    static let notElectricUnlessRegistered = Phrase(
        en: "one that is not registered as electric counts as not electric",
        nl: "een dat niet als elektrisch is vastgelegd, telt als niet elektrisch",
        de: "eines, das nicht als elektrisch erfasst ist, zählt als nicht elektrisch",
        fr: "un véhicule non enregistré comme électrique compte comme non électrique"
    )
}

extension LogRequirement.Level {
    /// The level in words.
    var phrase: Phrase {
        switch self {
        case .required: LevelWords.required
        case .recommended: LevelWords.recommended
        }
    }
}

/// How strictly something is asked for.
private enum LevelWords {
    static let required = Phrase(en: "required", nl: "verplicht", de: "Pflicht", fr: "obligatoire")
    static let recommended = Phrase(
        en: "recommended",
        nl: "aanbevolen",
        de: "empfohlen",
        fr: "recommandé"
    )
}

extension LogRequirement.State {
    /// The state in words.
    var phrase: Phrase {
        switch self {
        case .met: StateWords.met
        case .missing: StateWords.missing
        case .cannotTell: StateWords.cannotTell
        }
    }
}

/// The states of requirements, in words.
private enum StateWords {
    static let met = Phrase(en: "met", nl: "voldaan", de: "erfüllt", fr: "satisfait")
    static let missing = Phrase(en: "missing", nl: "ontbreekt", de: "fehlt", fr: "manquant")
    static let cannotTell = Phrase(
        en: "cannot tell",
        nl: "niet te zeggen",
        de: "nicht zu sagen",
        fr: "indéterminé"
    )
}
