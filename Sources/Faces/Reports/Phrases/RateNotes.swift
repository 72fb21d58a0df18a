import Rates
import Tables
import TripEvents

// The notes of the program's tables on their rates. The tables have them only in English, because
// the hash of a table covers its notes; here each note is in every language, by the id of its rate.

extension RateRow {
    /// The note of the program's table on the rate.
    var notePhrase: Phrase? {
        guard let note else { return nil }
        guard let phrase = RateNotes.phrase(of: id), phrase.english == note else {
            return .own(note)
        }
        return phrase
    }
}

/// The notes on rates: those of the program's own tables in every language, those of other tables
/// in the words that they have.
enum RateNotes {
    /// Returns a note of a table that only the ledger has: it is a claim of the owner, so it is
    /// quoted, and nothing in it can end the quotes early.
    static func byOwner(_ note: String) -> Phrase {
        let quoted = "\"" + note.replacing("\"", with: "'") + "\""
        return Phrase(
            en: "In the owner's words: \(own: quoted)",
            nl: "In de woorden van de eigenaar: \(own: quoted)",
            de: "In den Worten des Eigentümers: \(own: quoted)",
            fr: "Selon les mots du propriétaire : \(own: quoted)"
        )
    }

    /// Returns the note on a rate of the program; `nil` for none.
    static func phrase(of id: String) -> Phrase? {
        if let note = notes[id] { return note }
        let parts = id.split(separator: ".")
        guard parts.count == 4, let date = parts.last else { return nil }
        switch (parts[0], parts[1]) {
        case ("au", _): return aboveLimit
        case ("ca", _): return territories
        case ("gb", "advisory_fuel"), ("gb", "advisory_fuel_public"):
            return advisoryFuel(of: parts[1] == "advisory_fuel" ? String(parts[2]) : "public")
        case ("fr", "bareme_kilometrique"):
            return publishedOnKnownDay.contains(String(date))
                ? publishedAfterYear : publishedOnUnknownDay
        case ("us", "standard_mileage"):
            if parts[2] == "depreciation" { return depreciation }
            return standardMileage(String(parts[2]), from: String(date))
        default: return nil
        }
    }

    /// The years of the barème whose day of publication was verified.
    private static let publishedOnKnownDay: Set = ["2019", "2020", "2025"]

    private static let publishedAfterYear = Phrase(
        en: "Published after the year.",
        nl: "Gepubliceerd na het jaar.",
        de: "Nach dem Jahr veröffentlicht.",
        fr: "Publié après l’année."
    )
    private static let publishedOnUnknownDay = Phrase(
        en: "Published after the year; the exact day was not verified.",
        nl: "Gepubliceerd na het jaar; de precieze dag is niet nagegaan.",
        de: "Nach dem Jahr veröffentlicht; der genaue Tag wurde nicht geprüft.",
        fr: "Publié après l’année ; le jour exact n’a pas été vérifié."
    )

    private static let aboveLimit = Phrase(
        en: "Kilometres above the limit of a car are not paid.",
        nl: "Kilometers boven de grens van een auto worden niet vergoed.",
        de: "Kilometer über der Grenze eines Wagens werden nicht erstattet.",
        fr: "Les kilomètres au-delà de la limite d’une voiture ne sont pas indemnisés."
    )
    private static let territories = Phrase(
        en: "The territories are the Northwest Territories, Yukon and Nunavut.",
        nl: "De territoria zijn Northwest Territories, Yukon en Nunavut.",
        de: "Die Territorien sind die Northwest Territories, Yukon und Nunavut.",
        fr: "Les territoires sont les Territoires du Nord-Ouest, le Yukon et le Nunavut."
    )

    // MARK: The United States

    /// The publications of the standard mileage rates, by the first day of these.
    private static let publications: [String: Phrase] = [
        "2015-01-01": .own("IR-2014-114"), "2016-01-01": .own("IR-2015-137"),
        "2017-01-01": .own("IR-2016-169"), "2018-01-01": .own("IR-2017-204, IR-2018-127"),
        "2019-01-01": .own("IR-2018-251"), "2020-01-01": .own("IR-2019-215"),
        "2021-01-01": .own("IR-2020-279"), "2022-01-01": .own("IR-2021-251"),
        "2022-07-01": Phrase(
            en: "\(own: "IR-2022-124"), a change in the middle of the year",
            nl: "\(own: "IR-2022-124"), een wijziging midden in het jaar",
            de: "\(own: "IR-2022-124"), eine Änderung in der Mitte des Jahres",
            fr: "\(own: "IR-2022-124"), un changement au milieu de l’année"
        ),
        "2023-01-01": .own("IR-2022-234"), "2024-01-01": .own("Notice 2024-08"),
        "2025-01-01": .own("Notice 2025-5, IR-2024-312"),
        "2026-01-01": .own("Notice 2026-10, IR-2025-128"),
    ]

    /// The first day from which only people who move on orders have a rate for moving.
    private static let movesOnOrders = "2018-01-01"

    /// The day from which that holds for some of intelligence too.
    private static let movesOfIntelligence = "2026-01-01"

    private static func standardMileage(_ name: String, from date: String) -> Phrase? {
        guard let publication = publications[date] else { return nil }
        switch name {
        case "charity":
            return Phrase(
                en: "\(publication); 14 cents are set by statute.",
                nl: "\(publication); 14 cent is bij wet bepaald.",
                de: "\(publication); 14 Cent sind gesetzlich festgelegt.",
                fr: "\(publication) ; 14 cents sont fixés par la loi."
            )
        case "moving" where date >= movesOnOrders: return moving(publication, from: date)
        case "business" where date == "2026-01-01":
            return Phrase(
                en: """
                    \(publication); no change in the middle of 2026 was found, which does not \
                    prove that there is none.
                    """,
                nl: """
                    \(publication); een wijziging midden in 2026 is niet gevonden, wat niet \
                    bewijst dat er geen is.
                    """,
                de: """
                    \(publication); eine Änderung in der Mitte von 2026 wurde nicht gefunden, was \
                    nicht beweist, dass es keine gibt.
                    """,
                fr: """
                    \(publication) ; aucun changement au milieu de 2026 n’a été trouvé, ce qui ne \
                    prouve pas qu’il n’y en a pas.
                    """
            )
        default: return Phrase("\(publication).")
        }
    }

    private static func moving(_ publication: Phrase, from date: String) -> Phrase {
        guard date < movesOfIntelligence else {
            return Phrase(
                en: """
                    \(publication); only for members of the Armed Forces, and certain intelligence \
                    staff, who move on orders.
                    """,
                nl: """
                    \(publication); alleen voor leden van de krijgsmacht, en sommige leden van \
                    inlichtingendiensten, die op bevel verhuizen.
                    """,
                de: """
                    \(publication); nur für Angehörige der Streitkräfte, und einige der \
                    Nachrichtendienste, die auf Befehl umziehen.
                    """,
                fr: """
                    \(publication) ; seulement pour les membres des forces armées, et certains des \
                    services de renseignement, qui déménagent sur ordre.
                    """
            )
        }
        return Phrase(
            en: "\(publication); only for members of the Armed Forces who move on orders.",
            nl: "\(publication); alleen voor leden van de krijgsmacht die op bevel verhuizen.",
            de: "\(publication); nur für Angehörige der Streitkräfte, die auf Befehl umziehen.",
            fr: """
                \(publication) ; seulement pour les membres des forces armées qui déménagent \
                sur ordre.
                """
        )
    }

    private static let depreciation = Phrase(
        en: """
            The part of the business rate that counts as depreciation of an owned car; it is not \
            paid beside it.
            """,
        nl: """
            Het deel van het zakelijke tarief dat telt als afschrijving van een eigen auto; het \
            komt er niet bij.
            """,
        de: """
            Der Teil des geschäftlichen Satzes, der als Abschreibung eines eigenen Wagens zählt; \
            er kommt nicht hinzu.
            """,
        fr: """
            La part du barème professionnel qui compte comme amortissement d’une voiture \
            possédée ; elle ne s’y ajoute pas.
            """
    )

    // MARK: Single rates

    private static let dayFromMemory = Phrase(
        en: "The start day comes from memory.",
        nl: "De begindag komt uit het geheugen.",
        de: "Der erste Tag stammt aus dem Gedächtnis.",
        fr: "Le premier jour vient de mémoire."
    )
    private static let commutingIsBusiness = Phrase(
        en: "Commuting counts as business.",
        nl: "Woon-werk telt als zakelijk.",
        de: "Arbeitswege zählen als geschäftlich.",
        fr: "Le domicile-travail compte comme professionnel."
    )
    private static let limitNotApplied = Phrase(
        en: """
            At most 4,500 EUR a year unless the way is made in an own or provided car.
            """,
        nl: """
            Ten hoogste 4500 EUR per jaar, tenzij de weg met een eigen of ter beschikking gestelde \
            auto wordt afgelegd.
            """,
        de: """
            Höchstens 4500 EUR im Jahr, wenn der Weg nicht mit einem eigenen oder überlassenen \
            Wagen zurückgelegt wird.
            """,
        fr: """
            Au plus 4500 EUR par an, sauf si le trajet est fait dans une voiture possédée ou mise \
            à disposition.
            """
    )

    private static let byQuarter = Phrase(
        en: "Reviewed each quarter; the row from 1 September 2026 on was not found.",
        nl: "Elk kwartaal herzien; de rij vanaf 1 september 2026 is niet gevonden.",
        de: "Jedes Quartal neu; die Zeile ab 1. September 2026 wurde nicht gefunden.",
        fr: "Revu chaque trimestre ; la ligne à partir du 1er septembre 2026 n’a pas été trouvée."
    )

    /// The note on an advisory fuel rate, by the fuel or by the place of charging.
    private static func advisoryFuel(of name: String) -> Phrase {
        switch name {
        case "electric":
            Phrase(
                en: "\(byQuarter) Charged at home.",
                nl: "\(byQuarter) Thuis geladen.",
                de: "\(byQuarter) Zu Hause geladen.",
                fr: "\(byQuarter) Rechargé à domicile."
            )
        case "public":
            Phrase(
                en: "\(byQuarter) Charged in public.",
                nl: "\(byQuarter) Openbaar geladen.",
                de: "\(byQuarter) Öffentlich geladen.",
                fr: "\(byQuarter) Rechargé en public."
            )
        default: byQuarter
        }
    }

    private static let notes: [String: Phrase] = [
        "at.kilometergeld.business.car.2025-01-01": Phrase(
            en: "At most 30,000 km a year; that it is per person was not verified.",
            nl: "Ten hoogste 30.000 km per jaar; dat het per persoon is, is niet nagegaan.",
            de: "Höchstens 30.000 km im Jahr; dass es je Person gilt, wurde nicht geprüft.",
            fr: "Au plus 30 000 km par an ; que ce soit par personne n’a pas été vérifié."
        ),
        "at.kilometergeld.passenger.car.2025-01-01": Phrase(
            en: "For each passenger.",
            nl: "Voor elke passagier.",
            de: "Für jeden Mitfahrer.",
            fr: "Pour chaque passager."
        ),
        "de.home_charging.electric.2026-01-01": Phrase(
            en: """
                The rate of 2026, for what a company car was charged with at home by a meter; the \
                price really paid may be taken instead.
                """,
            nl: """
                Het tarief van 2026, voor wat een auto van de zaak thuis volgens een meter heeft \
                geladen; in plaats daarvan mag de werkelijk betaalde prijs.
                """,
            de: """
                Der Satz von 2026 für das, womit ein Dienstwagen zu Hause nach Zähler geladen \
                wurde; stattdessen darf der wirklich gezahlte Preis gelten.
                """,
            fr: """
                Le barème de 2026, pour ce dont une voiture de fonction a été rechargée à domicile \
                d’après un compteur ; le prix réellement payé peut le remplacer.
                """
        ),
        "au.cents_per_km.car.2026-07-01": Phrase(
            en: """
                LI 2024/19 goes on until another one takes its place; no later one was found, \
                which does not prove that there is none.
                """,
            nl: """
                LI 2024/19 geldt tot een ander het vervangt; een later is niet gevonden, wat niet \
                bewijst dat er geen is.
                """,
            de: """
                LI 2024/19 gilt, bis ein anderes an seine Stelle tritt; ein späteres wurde nicht \
                gefunden, was nicht beweist, dass es keines gibt.
                """,
            fr: """
                LI 2024/19 vaut jusqu’à ce qu’un autre le remplace ; aucun plus récent n’a été \
                trouvé, ce qui ne prouve pas qu’il n’y en a pas.
                """
        ),
        "de.reisekosten.car.2014-01-01": Phrase(
            en: "The start day comes from memory; 2025 and 2026 were not verified one by one.",
            nl: "De begindag komt uit het geheugen; 2025 en 2026 zijn niet apart nagegaan.",
            de: """
                Der erste Tag stammt aus dem Gedächtnis; 2025 und 2026 wurden nicht einzeln \
                geprüft.
                """,
            fr: """
                Le premier jour vient de mémoire ; 2025 et 2026 n’ont pas été vérifiés un à un.
                """
        ),
        "de.reisekosten.other.2014-01-01": Phrase(
            en: "From memory; the source shows the rate of cars only.",
            nl: "Uit het geheugen; de bron toont alleen het tarief voor auto’s.",
            de: "Aus dem Gedächtnis; die Quelle nennt nur den Satz für Pkw.",
            fr: "De mémoire ; la source ne montre que le barème des voitures."
        ),
        "de.entfernungspauschale.commute.2004-01-01": Phrase(
            en: "The start day comes from a press text. \(limitNotApplied)",
            nl: "De begindag komt uit een persbericht. \(limitNotApplied)",
            de: "Der erste Tag stammt aus einem Pressetext. \(limitNotApplied)",
            fr: "Le premier jour vient d’un texte de presse. \(limitNotApplied)"
        ),
        "de.entfernungspauschale.commute.2021-01-01": limitNotApplied,
        "de.entfernungspauschale.commute.2022-01-01": limitNotApplied,
        "de.entfernungspauschale.commute.2026-01-01": limitNotApplied,
        "fr.bareme_kilometrique.electric.2020-01-01": Phrase(
            en: "For vehicles that drive by electricity alone, from the trips of 2020 on.",
            nl: "Voor voertuigen die alleen elektrisch rijden, vanaf de ritten van 2020.",
            de: "Für rein elektrisch fahrende Fahrzeuge, ab den Fahrten von 2020.",
            fr: "Pour les véhicules roulant à l’électricité seule, à partir des trajets de 2020."
        ),
        "gb.amap.business.car_or_van.2011-04-06": Phrase(
            en: """
                One limit for all cars and vans of a person; whether employments count together \
                was not verified.
                """,
            nl: """
                Eén grens voor alle auto’s en bestelauto’s van een persoon; of dienstverbanden \
                samen tellen, is niet nagegaan.
                """,
            de: """
                Eine Grenze für alle Pkw und Lieferwagen einer Person; ob Beschäftigungen zusammen \
                zählen, wurde nicht geprüft.
                """,
            fr: """
                Une seule limite pour toutes les voitures et utilitaires d’une personne ; si les \
                emplois comptent ensemble n’a pas été vérifié.
                """
        ),
        "gb.amap.business.car_or_van.2026-04-06": Phrase(
            en: """
                Announced on 21 May 2026, from 6 April 2026 on. Three secondary sources agree; the \
                page of GOV.UK was not seen.
                """,
            nl: """
                Aangekondigd op 21 mei 2026, vanaf 6 april 2026. Drie secundaire bronnen stemmen \
                overeen; de pagina van GOV.UK is niet gezien.
                """,
            de: """
                Angekündigt am 21. Mai 2026, ab 6. April 2026. Drei Sekundärquellen stimmen \
                überein; die Seite von GOV.UK wurde nicht gesehen.
                """,
            fr: """
                Annoncé le 21 mai 2026, à partir du 6 avril 2026. Trois sources secondaires \
                concordent ; la page de GOV.UK n’a pas été vue.
                """
        ),
        "gb.amap.passenger.car_or_van.2011-04-06": Phrase(
            en: """
                For each passenger on business, paid by an employer beside the trip; no relief if \
                it is not paid. That comes from memory.
                """,
            nl: """
                Voor elke zakelijke passagier, naast de rit betaald door een werkgever; geen \
                aftrek als het niet betaald wordt. Dat komt uit het geheugen.
                """,
            de: """
                Für jeden geschäftlich Mitfahrenden, vom Arbeitgeber neben der Fahrt gezahlt; kein \
                Abzug, wenn es nicht gezahlt wird. Das stammt aus dem Gedächtnis.
                """,
            fr: """
                Pour chaque passager professionnel, payé par un employeur en plus du trajet ; \
                aucune déduction si ce n’est pas payé. Cela vient de mémoire.
                """
        ),
        "gb.simplified_expenses.business.car_or_van.2013-04-06": dayFromMemory,
        "nl.kilometervergoeding.business.2006-01-01": commutingIsBusiness,
        "nl.kilometervergoeding.business.2023-01-01": commutingIsBusiness,
        "nl.kilometervergoeding.business.2024-01-01": commutingIsBusiness,
        "nl.private_use.limit.2006-01-01": Phrase(
            en: """
                For the driver of a company car: whether one is driven is not known here. \
                \(dayFromMemory)
                """,
            nl: """
                Voor de bestuurder van een auto van de zaak: of daarin gereden wordt, is hier niet \
                bekend. \(dayFromMemory)
                """,
            de: """
                Für den Fahrer eines Dienstwagens: ob einer gefahren wird, ist hier nicht bekannt. \
                \(dayFromMemory)
                """,
            fr: """
                Pour le conducteur d’une voiture de fonction : si c’en est une n’est pas connu \
                ici. \(dayFromMemory)
                """
        ),
    ]
}
