import Papers
import Projections
import TripEvents

/// A word that reports and the web page both use, written once: here.
///
/// The page gets them as `texts/words.js`, which a test compares with ``script``.
package enum SharedWord: String, CaseIterable, Sendable {
    case business = "class.business"
    case commute = "class.commute"
    case personal = "class.personal"
    case medical = "class.medical"
    case charity = "class.charity"
    case moving = "class.moving"
    case mixed = "class.mixed"
    case unclassified = "class.unclassified"
    case active = "status.active"
    case completed = "status.completed"
    case abandoned = "status.abandoned"
    case voided = "status.voided"
    case merged = "status.merged"
    case car = "kind.car"
    case van = "kind.van"
    case motorcycle = "kind.motorcycle"
    case moped = "kind.moped"
    case bicycle = "kind.bicycle"
    case otherVehicle = "kind.other"
    case byCar = "mode.car"
    case byBus = "mode.bus"
    case byRail = "mode.rail"
    case byBicycle = "mode.bicycle"
    case onFoot = "mode.foot"
    case modeUnsure = "mode.unsure"
    case title
    case purpose
    case notes
    case category
    case client
    case vehicle
    case tripClass = "class"
    case mode
    case status
    case distance = "distance_m"
    case place
    case year
    case since
    case yes
    case no
    case missingTrip = "obstacle.missing_trip"
    case voidedTrip = "obstacle.voided"
    case reportedTrip = "obstacle.reported"
    case otherGroup = "obstacle.other_group"
    case vehicleDiffers = "obstacle.other_vehicle"
    case overlap = "obstacle.overlap"
    case nothingMeasured = "obstacle.nothing_measured"
    case outsideTrip = "obstacle.outside_trip"
    case tripReplaced = "obstacle.replaced_trip"
    case unknownField = "obstacle.unknown_field"

    /// The word, as it stands within a sentence.
    package var phrase: Phrase {
        switch self {
        case .business: Said.business
        case .commute: Said.commute
        case .personal: Said.personal
        case .medical: Said.medical
        case .charity: Said.charity
        case .moving: Said.moving
        case .mixed: Said.mixed
        case .unclassified: Said.unclassified
        case .active: Said.active
        case .completed: Said.completed
        case .abandoned: Said.abandoned
        case .voided: Said.voided
        case .merged: Said.merged
        case .car, .byCar: Said.car
        case .van: Said.van
        case .motorcycle: Said.motorcycle
        case .moped: Said.moped
        case .bicycle, .byBicycle: Said.bicycle
        case .otherVehicle: Said.otherVehicle
        case .byBus: Said.bus
        case .byRail: Said.rail
        case .onFoot: Said.foot
        case .modeUnsure: Said.unsure
        case .title: Said.title
        case .purpose: Said.purpose
        case .notes: Said.notes
        case .category: Said.category
        case .client: Said.client
        case .vehicle: Said.vehicle
        case .tripClass: Said.tripClass
        case .mode: Said.mode
        case .status: Said.status
        case .distance: Said.distance
        case .place: Said.place
        case .year: Said.year
        case .since: Said.since
        case .yes: .yes
        case .no: .no
        case .missingTrip: Said.missingTrip
        case .voidedTrip: Said.voidedTrip
        case .reportedTrip: Said.reportedTrip
        case .otherGroup: Said.otherGroup
        case .vehicleDiffers: Said.vehicleDiffers
        case .overlap: Said.overlap
        case .nothingMeasured: Said.nothingMeasured
        case .outsideTrip: Said.outsideTrip
        case .tripReplaced: Said.tripReplaced
        case .unknownField: Said.unknownField
        }
    }

    /// The English words of the page where reports use the name in JSON.
    private static let ofPageInEnglish: [SharedWord: String] = [
        .active: "Going on", .abandoned: "Discarded", .merged: "Part of another",
        .status: "State",
    ]

    /// The words as the page reads them: a module of JavaScript, each word with a capital letter.
    package static let script: String = {
        var script = """
            // The words that the page and reports share, of SharedWord.swift: PhraseTests compares
            // both, and writes this file with RECORD=1.
            export default {

            """
        for language in Document.Language.allCases {
            script += "    \(language.rawValue): {\n"
            for word in allCases {
                let text = Words(language).text(word.phrase)
                let own = language == .en ? ofPageInEnglish[word] : nil
                let shown = own ?? text.prefix(1).uppercased() + text.dropFirst()
                script += "        '\(word.rawValue)': '\(shown)',\n"
            }
            script += "    },\n"
        }
        return script + "};\n"
    }()
}

/// The shared words in every language.
private enum Said {
    static let business = Phrase(
        en: "business",
        nl: "zakelijk",
        de: "geschäftlich",
        fr: "professionnel"
    )
    static let commute = Phrase(
        en: "commute",
        nl: "woon-werk",
        de: "Arbeitsweg",
        fr: "domicile-travail"
    )
    static let personal = Phrase(en: "personal", nl: "privé", de: "privat", fr: "privé")
    static let medical = Phrase(en: "medical", nl: "medisch", de: "medizinisch", fr: "médical")
    static let charity = Phrase(
        en: "charity",
        nl: "liefdadig",
        de: "gemeinnützig",
        fr: "caritatif"
    )
    static let moving = Phrase(en: "moving", nl: "verhuizing", de: "Umzug", fr: "déménagement")
    static let mixed = Phrase(en: "mixed", nl: "gemengd", de: "gemischt", fr: "mixte")
    static let unclassified = Phrase(
        en: "unclassified",
        nl: "niet ingedeeld",
        de: "nicht eingeordnet",
        fr: "non classé"
    )
    static let active = Phrase(en: "active", nl: "bezig", de: "läuft", fr: "en cours")
    static let completed = Phrase(en: "completed", nl: "voltooid", de: "beendet", fr: "terminé")
    static let abandoned = Phrase(
        en: "abandoned",
        nl: "niet meegeteld",
        de: "nicht gewertet",
        fr: "non retenu"
    )
    static let voided = Phrase(en: "voided", nl: "vervallen", de: "verworfen", fr: "annulé")
    static let merged = Phrase(
        en: "merged",
        nl: "deel van een andere",
        de: "Teil einer anderen",
        fr: "partie d’un autre"
    )
    static let car = Phrase(en: "car", nl: "auto", de: "Auto", fr: "voiture")
    static let van = Phrase(en: "van", nl: "bestelauto", de: "Lieferwagen", fr: "utilitaire")
    static let motorcycle = Phrase(en: "motorcycle", nl: "motor", de: "Motorrad", fr: "moto")
    static let moped = Phrase(en: "moped", nl: "bromfiets", de: "Moped", fr: "cyclomoteur")
    static let bicycle = Phrase(en: "bicycle", nl: "fiets", de: "Fahrrad", fr: "vélo")
    static let otherVehicle = Phrase(en: "other", nl: "anders", de: "anderes", fr: "autre")
    static let bus = Phrase(en: "bus", nl: "bus", de: "Bus", fr: "bus")
    static let rail = Phrase(en: "rail", nl: "trein", de: "Bahn", fr: "train")
    static let foot = Phrase(en: "foot", nl: "te voet", de: "zu Fuß", fr: "à pied")
    static let unsure = Phrase(en: "not sure", nl: "onzeker", de: "unsicher", fr: "incertain")
    static let title = Phrase(en: "title", nl: "titel", de: "Titel", fr: "titre")
    static let purpose = Phrase(en: "purpose", nl: "doel", de: "Zweck", fr: "motif")
    static let notes = Phrase(en: "notes", nl: "notities", de: "Notizen", fr: "notes")
    static let category = Phrase(
        en: "category",
        nl: "categorie",
        de: "Kategorie",
        fr: "catégorie"
    )
    static let client = Phrase(en: "client", nl: "klant", de: "Kunde", fr: "client")
    static let vehicle = Phrase(en: "vehicle", nl: "voertuig", de: "Fahrzeug", fr: "véhicule")
    static let tripClass = Phrase(en: "class", nl: "soort", de: "Art", fr: "nature")
    static let mode = Phrase(en: "by", nl: "met", de: "mit", fr: "en")
    static let status = Phrase(en: "status", nl: "toestand", de: "Zustand", fr: "état")
    static let distance = Phrase(en: "distance", nl: "afstand", de: "Strecke", fr: "distance")
    static let place = Phrase(en: "place", nl: "plaats", de: "Ort", fr: "lieu")
    static let year = Phrase(en: "year", nl: "jaar", de: "Jahr", fr: "année")
    static let since = Phrase(en: "since", nl: "sinds", de: "seit", fr: "depuis")
    static let missingTrip = Phrase(
        en: "missing trip",
        nl: "rit ontbreekt",
        de: "Fahrt fehlt",
        fr: "trajet absent"
    )
    static let voidedTrip = Phrase(
        en: "voided trip",
        nl: "rit vervallen",
        de: "Fahrt verworfen",
        fr: "trajet annulé"
    )
    static let reportedTrip = Phrase(
        en: "reported by hand",
        nl: "met de hand ingevoerd",
        de: "von Hand eingetragen",
        fr: "saisi à la main"
    )
    static let otherGroup = Phrase(
        en: "other group",
        nl: "andere groep",
        de: "andere Gruppe",
        fr: "autre groupe"
    )
    static let vehicleDiffers = Phrase(
        en: "other vehicle",
        nl: "ander voertuig",
        de: "anderes Fahrzeug",
        fr: "autre véhicule"
    )
    static let overlap = Phrase(
        en: "overlap",
        nl: "overlap",
        de: "Überschneidung",
        fr: "chevauchement"
    )
    static let nothingMeasured = Phrase(
        en: "nothing measured",
        nl: "niets gemeten",
        de: "nichts gemessen",
        fr: "rien de mesuré"
    )
    static let outsideTrip = Phrase(
        en: "outside the trip",
        nl: "buiten de rit",
        de: "außerhalb der Fahrt",
        fr: "hors du trajet"
    )
    static let tripReplaced = Phrase(
        en: "trip replaced",
        nl: "rit vervangen",
        de: "Fahrt ersetzt",
        fr: "trajet remplacé"
    )
    static let unknownField = Phrase(
        en: "unknown field",
        nl: "onbekend veld",
        de: "unbekanntes Feld",
        fr: "champ inconnu"
    )
}

extension Phrase {
    static let yes = Phrase(en: "yes", nl: "ja", de: "ja", fr: "oui")
    static let no = Phrase(en: "no", nl: "nee", de: "nein", fr: "non")
}

// MARK: Values that have such a word

extension TripClass {
    /// The class in words.
    package var phrase: Phrase { word.phrase }

    private var word: SharedWord {
        switch self {
        case .business: .business
        case .commute: .commute
        case .personal: .personal
        case .medical: .medical
        case .charity: .charity
        case .moving: .moving
        case .mixed: .mixed
        case .unclassified: .unclassified
        }
    }
}

extension BookedStatus {
    /// The status in words.
    package var phrase: Phrase {
        switch self {
        case .active: SharedWord.active.phrase
        case .completed: SharedWord.completed.phrase
        case .abandoned: SharedWord.abandoned.phrase
        case .voided: SharedWord.voided.phrase
        case .merged: SharedWord.merged.phrase
        }
    }
}

extension VehicleKind {
    /// The kind in words.
    package var phrase: Phrase {
        switch self {
        case .car: SharedWord.car.phrase
        case .van: SharedWord.van.phrase
        case .motorcycle: SharedWord.motorcycle.phrase
        case .moped: SharedWord.moped.phrase
        case .bicycle: SharedWord.bicycle.phrase
        case .other: SharedWord.otherVehicle.phrase
        }
    }
}

extension TravelMode {
    /// The mode in words.
    package var phrase: Phrase {
        switch self {
        case .car: SharedWord.byCar.phrase
        case .bus: SharedWord.byBus.phrase
        case .rail: SharedWord.byRail.phrase
        case .bicycle: SharedWord.byBicycle.phrase
        case .foot: SharedWord.onFoot.phrase
        case .unsure: SharedWord.modeUnsure.phrase
        }
    }
}

extension DecisionObstacle {
    /// The reason in a few words, without the names and times that are in it.
    package var phrase: Phrase {
        switch self {
        case .isMissing: SharedWord.missingTrip.phrase
        case .isActive: SharedWord.active.phrase
        case .isVoided: SharedWord.voidedTrip.phrase
        case .isAbandoned: SharedWord.abandoned.phrase
        case .isPart, .isMerged: SharedWord.merged.phrase
        case .isReported: SharedWord.reportedTrip.phrase
        case .isAdjusted:
            Phrase(en: "adjusted", nl: "gecorrigeerd", de: "berichtigt", fr: "corrigé")
        case .isNamedTwice:
            Phrase(
                en: "named twice",
                nl: "twee keer genoemd",
                de: "zweimal genannt",
                fr: "nommé deux fois"
            )
        case .isOfOtherGroup, .isOwnersAlone: SharedWord.otherGroup.phrase
        case .isUnknownValue:
            Phrase(
                en: "unknown value",
                nl: "onbekende waarde",
                de: "unbekannter Wert",
                fr: "valeur inconnue"
            )
        case .isOfOtherVehicle: SharedWord.vehicleDiffers.phrase
        case .overlaps: SharedWord.overlap.phrase
        case .hasUnclearTimes:
            Phrase(
                en: "unclear time",
                nl: "onduidelijke tijd",
                de: "unklare Zeit",
                fr: "heure ambiguë"
            )
        case .isBackwards:
            Phrase(
                en: "end before start",
                nl: "einde voor begin",
                de: "Ende vor Anfang",
                fr: "fin avant le début"
            )
        case .hasNothingMeasured: SharedWord.nothingMeasured.phrase
        case .isElsewhere: SharedWord.outsideTrip.phrase
        case .hasTakenPlace: SharedWord.tripReplaced.phrase
        case .lacksField: SharedWord.unknownField.phrase
        }
    }
}
