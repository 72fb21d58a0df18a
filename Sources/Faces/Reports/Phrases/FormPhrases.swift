import Tables
import TripEvents

extension FormLine.Label {
    /// The meaning of the line, in words.
    var phrase: Phrase {
        switch self {
        case .business: LabelWords.business
        case .commuting: LabelWords.commuting
        case .other: LabelWords.other
        case .otherPersonal: LabelWords.otherPersonal
        case .privateTrips: LabelWords.privateTrips
        case .total: LabelWords.total
        case .inService: LabelWords.inService
        case .availableOffDuty: LabelWords.availableOffDuty
        case .anotherVehicle: LabelWords.anotherVehicle
        case .evidence: LabelWords.evidence
        case .writtenEvidence: LabelWords.writtenEvidence
        case .usedByOwner: LabelWords.usedByOwner
        case .together(let labels): Phrase("\(labels.map(\.phrase))")
        case .mixedAndUnclassified: LabelWords.mixedAndUnclassified
        case .businessUse: LabelWords.businessUse
        case .leftOfLimit: LabelWords.leftOfLimit
        case .privateRest: LabelWords.privateRest
        case .onNoTrip: .recordedOnNoTrip
        case .leftByOdometer: LabelWords.leftByOdometer
        case .businessWithCommuting: LabelWords.businessWithCommuting
        case .businessShare: LabelWords.businessShare
        case .homeToWork: LabelWords.homeToWork
        case .homeToWorkShare: LabelWords.homeToWorkShare
        case .privateShare: LabelWords.privateShare
        case .firstDay: LabelWords.firstDay
        case .lastDay: LabelWords.lastDay
        case .wholeWeeks: LabelWords.wholeWeeks
        case .odometer: LabelWords.odometer
        case .odometerInterval: LabelWords.odometerInterval
        case .firstOdometer: LabelWords.firstOdometer
        case .lastOdometer: LabelWords.lastOdometer
        case .businessUseOfQuarter(let quarter): LabelWords.businessUse(ofQuarter: quarter)
        }
    }
}

/// The meanings of the lines of forms; the forms themselves have names in one language.
private enum LabelWords {
    static let business = Phrase(
        en: "business",
        nl: "zakelijk",
        de: "geschäftlich",
        fr: "professionnel"
    )
    static let commuting = Phrase(
        en: "commuting",
        nl: "woon-werk",
        de: "Arbeitsweg",
        fr: "domicile-travail"
    )
    static let other = Phrase(en: "other", nl: "overig", de: "sonstige", fr: "autre")
    static let otherPersonal = Phrase(
        en: "other personal",
        nl: "overig privé",
        de: "sonstige private",
        fr: "autre, privé"
    )
    // Medical, charitable and moving trips are among them, so the word of a class will not do.
    static let privateTrips = Phrase(
        en: "all private trips",
        nl: "alle privéritten",
        de: "alle Privatfahrten",
        fr: "tous les trajets privés"
    )
    static let total = Phrase(en: "total", nl: "totaal", de: "Summe", fr: "total")
    static let inService = Phrase(
        en: "date placed in service",
        nl: "datum van ingebruikname",
        de: "Tag der Inbetriebnahme",
        fr: "date de mise en service"
    )
    static let availableOffDuty = Phrase(
        en: "available off duty",
        nl: "beschikbaar buiten diensttijd",
        de: "außerhalb des Dienstes verfügbar",
        fr: "disponible hors service"
    )
    static let anotherVehicle = Phrase(
        en: "another vehicle",
        nl: "een ander voertuig",
        de: "ein anderes Fahrzeug",
        fr: "un autre véhicule"
    )
    static let evidence = Phrase(en: "evidence", nl: "bewijs", de: "Nachweis", fr: "justificatif")
    static let writtenEvidence = Phrase(
        en: "written evidence",
        nl: "schriftelijk bewijs",
        de: "schriftlicher Nachweis",
        fr: "justificatif écrit"
    )
    static let usedByOwner = Phrase(
        en: "used by an owner of more than 5 %",
        nl: "gebruikt door een eigenaar van meer dan 5 %",
        de: "genutzt von einem Eigner mit mehr als 5 %",
        fr: "utilisé par un détenteur de plus de 5 %"
    )
    static let mixedAndUnclassified = Phrase(
        en: "mixed and unclassified",
        nl: "gemengd en niet ingedeeld",
        de: "gemischt und nicht eingeordnet",
        fr: "mixte et non classé"
    )
    static let businessUse = Phrase(
        en: "business use",
        nl: "zakelijk gebruik",
        de: "geschäftliche Nutzung",
        fr: "usage professionnel"
    )
    static let leftOfLimit = Phrase(
        en: "left of 500 km",
        nl: "over van 500 km",
        de: "übrig von 500 km",
        fr: "reste sur 500 km"
    )
    static let privateRest = Phrase(
        en: "private part of the odometer's rest",
        nl: "privédeel van de rest op de teller",
        de: "privater Teil des Rests am Zähler",
        fr: "part privée du reste au compteur"
    )
    static let leftByOdometer = Phrase(
        en: "left of 500 km by the odometer",
        nl: "over van 500 km volgens de teller",
        de: "übrig von 500 km laut Zähler",
        fr: "reste sur 500 km selon le compteur"
    )
    static let businessWithCommuting = Phrase(
        en: "business, with commuting",
        nl: "zakelijk, met woon-werk",
        de: "geschäftlich, mit Arbeitsweg",
        fr: "professionnel, avec domicile-travail"
    )
    static let businessShare = Phrase(
        en: "business share",
        nl: "zakelijk aandeel",
        de: "geschäftlicher Anteil",
        fr: "part professionnelle"
    )
    static let homeToWork = Phrase(
        en: "home to work",
        nl: "woon-werk",
        de: "Wohnung–Tätigkeitsstätte",
        fr: "domicile-travail"
    )
    static let homeToWorkShare = Phrase(
        en: "home to work share",
        nl: "aandeel woon-werk",
        de: "Anteil Wohnung–Tätigkeitsstätte",
        fr: "part domicile-travail"
    )
    static let privateShare = Phrase(
        en: "private share",
        nl: "aandeel privé",
        de: "privater Anteil",
        fr: "part privée"
    )
    static let firstDay = Phrase(
        en: "first day",
        nl: "eerste dag",
        de: "erster Tag",
        fr: "premier jour"
    )
    static let lastDay = Phrase(
        en: "last day",
        nl: "laatste dag",
        de: "letzter Tag",
        fr: "dernier jour"
    )
    static let wholeWeeks = Phrase(
        en: "whole weeks",
        nl: "hele weken",
        de: "ganze Wochen",
        fr: "semaines entières"
    )
    static let odometer = Phrase(
        en: "odometer",
        nl: "kilometerstand",
        de: "Kilometerstand",
        fr: "compteur"
    )
    static let odometerInterval = Phrase(
        en: "days without an odometer reading, at most",
        nl: "dagen zonder kilometerstand, hoogstens",
        de: "Tage ohne Kilometerstand, höchstens",
        fr: "jours sans relevé du compteur, au plus"
    )
    static let firstOdometer = Phrase(
        en: "odometer, first",
        nl: "kilometerstand, eerste",
        de: "Kilometerstand, erster",
        fr: "compteur, premier"
    )
    static let lastOdometer = Phrase(
        en: "odometer, last",
        nl: "kilometerstand, laatste",
        de: "Kilometerstand, letzter",
        fr: "compteur, dernier"
    )

    static func businessUse(ofQuarter quarter: Int) -> Phrase {
        Phrase(
            en: "business use, quarter \(quarter)",
            nl: "zakelijk gebruik, kwartaal \(quarter)",
            de: "geschäftliche Nutzung, Quartal \(quarter)",
            fr: "usage professionnel, trimestre \(quarter)"
        )
    }
}

extension FormLine.Note {
    /// The note in words.
    var phrase: Phrase {
        switch self {
        case .withUnclassified: NoteWords.withUnclassified
        case .onlyYouCanAnswer: NoteWords.onlyYouCanAnswer
        case .classifyThese: NoteWords.classifyThese
        case .noBusinessJourney: NoteWords.noBusinessJourney
        case .sampleOfThreeMonths: NoteWords.sampleOfThreeMonths
        case .atMost500: NoteWords.atMost500
        case .lessThanNothing: NoteWords.lessThanNothing
        case .spreadOverTrips: NoteWords.spreadOverTrips
        case .privateUnlessShown: NoteWords.privateUnlessShown
        case .readMoreOften: NoteWords.readMoreOften
        case .twelveWeeks: NoteWords.twelveWeeks
        case .distanceOfBareme: NoteWords.distanceOfBareme
        case .notRead: NoteWords.notRead
        case .readOn(let day): NoteWords.read(on: day)
        }
    }
}

/// Notes on the lines of forms.
private enum NoteWords {
    static let withUnclassified = Phrase(
        en: "with what is not classified",
        nl: "met wat niet is ingedeeld",
        de: "mit dem, was nicht eingeordnet ist",
        fr: "avec ce qui n’est pas classé"
    )
    static let onlyYouCanAnswer = Phrase(
        en: "a question that only you can answer",
        nl: "een vraag die alleen u kunt beantwoorden",
        de: "eine Frage, die nur Sie beantworten können",
        fr: "une question à laquelle vous seul pouvez répondre"
    )
    static let classifyThese = Phrase(
        en: "classify these trips: no line counts them as business",
        nl: "deel deze ritten in: geen regel telt ze als zakelijk",
        de: "diese Fahrten einordnen: keine Zeile zählt sie als geschäftlich",
        fr: "classez ces trajets : aucune ligne ne les compte comme professionnels"
    )
    static let noBusinessJourney = Phrase(
        en: "no business journey",
        nl: "geen zakelijke reis",
        de: "keine Geschäftsfahrt",
        fr: "pas un déplacement professionnel"
    )
    static let sampleOfThreeMonths = Phrase(
        en: "three months as a sample: compare with the year's and the base year's",
        nl: "drie maanden als steekproef: vergelijk met het jaar en het basisjaar",
        de: "drei Monate als Stichprobe: mit Jahr und Basisjahr vergleichen",
        fr: "trois mois comme échantillon : comparez à l’année et à l’année de base"
    )
    static let atMost500 = Phrase(
        en: "at most 500 km in a calendar year",
        nl: "ten hoogste 500 km in een kalenderjaar",
        de: "höchstens 500 km im Kalenderjahr",
        fr: "au plus 500 km par année civile"
    )
    static let lessThanNothing = Phrase(
        en: "less than nothing: over the limit",
        nl: "minder dan nul: boven de grens",
        de: "unter null: über der Grenze",
        fr: "moins que zéro : limite dépassée"
    )
    static let spreadOverTrips = Phrase(
        en: "spread over trips, at most 3 % of each",
        nl: "over ritten verdeeld, hoogstens 3 % van elk",
        de: "auf Fahrten verteilt, höchstens 3 % von jeder",
        fr: "réparti sur les trajets, au plus 3 % de chacun"
    )
    static let privateUnlessShown = Phrase(
        en: "private, unless you show what it was",
        nl: "privé, tenzij u aantoont wat het was",
        de: "privat, sofern Sie nicht zeigen, was es war",
        fr: "privé, sauf si vous montrez ce que c’était"
    )
    static let readMoreOften = Phrase(
        en: "at least every two months is asked for",
        nl: "gevraagd is ten minste elke twee maanden",
        de: "verlangt wird mindestens alle zwei Monate",
        fr: "il est demandé au moins tous les deux mois"
    )
    static let twelveWeeks = Phrase(
        en: "a logbook has at least 12 weeks without a break",
        nl: "een logboek heeft ten minste 12 weken zonder onderbreking",
        de: "ein Fahrtenbuch hat mindestens 12 Wochen ohne Unterbrechung",
        fr: "un carnet a au moins 12 semaines sans interruption"
    )
    static let distanceOfBareme = Phrase(
        en: "d of the barème",
        nl: "d van het barème",
        de: "d des Barème",
        fr: "d du barème"
    )
    static let notRead = Phrase(
        en: "not read in this year",
        nl: "dit jaar niet afgelezen",
        de: "in diesem Jahr nicht abgelesen",
        fr: "non relevé cette année"
    )

    static func read(on day: CivilDate) -> Phrase {
        Phrase(
            en: "read on \(day)",
            nl: "afgelezen op \(day)",
            de: "abgelesen am \(day)",
            fr: "relevé le \(day)"
        )
    }
}
