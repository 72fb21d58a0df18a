import Geodesy
import Rates
import Tables
import TripEvents

// What claims say of ways to work, of limits in money, and of what they cannot read.

extension Phrase {
    /// The number of days with one way alone, of which half counts.
    static func halfDays(_ count: Int64) -> Phrase {
        Phrase(
            en: "Days with one way only: \(count); each is half a day, and half of it is paid.",
            nl: "Dagen met één enkele reis: \(count); elk is een halve dag, en telt voor de helft.",
            de: """
                Tage mit nur einem Weg: \(count); jeder ist ein halber Tag und zählt zur Hälfte.
                """,
            fr: """
                Jours avec un seul trajet : \(count) ; chacun est une demi-journée, comptée pour \
                moitié.
                """
        )
    }

    /// The days of which one way is perhaps not recorded, and both figures.
    static func openDays(
        _ count: Int64,
        claimed: Money,
        ifAlone: Money,
        currency: String
    ) -> Phrase {
        let whole = Phrase("\(claimed.hundredths, decimals: 2) \(own: currency)")
        let half = Phrase("\(ifAlone.hundredths, decimals: 2) \(own: currency)")
        return Phrase(
            en: """
                One way of \(count) days is not recorded; if it was not driven, half is due: \
                \(half) in place of \(whole) (`ledger edit TRIP --field one_way=true`).
                """,
            nl: """
                Van \(count) dagen is één reis niet vastgelegd; is die niet gereden, dan is de \
                helft verschuldigd: \(half) in plaats van \(whole) (`ledger edit RIT --field \
                one_way=true`).
                """,
            de: """
                Ein Weg von \(count) Tagen ist nicht erfasst; wurde er nicht gefahren, steht nur \
                die Hälfte zu: \(half) statt \(whole) (`ledger edit FAHRT --field one_way=true`).
                """,
            fr: """
                Un trajet de \(count) jours n’est pas enregistré ; s’il n’a pas été fait, la \
                moitié est due : \(half) au lieu de \(whole) (`ledger edit TRAJET --field \
                one_way=true`).
                """
        )
    }

    /// The ways to work by bus and rail that are in no line.
    static func otherWays(_ ways: UnclaimedSum, in unit: DistanceUnit) -> Phrase {
        Phrase(
            en: """
                Ways to work by bus or rail: \(ways.trips), \(ways.distance, in: unit); they are \
                in no line, though the rate is for these too.
                """,
            nl: """
                Woon-werkritten per bus of trein: \(ways.trips), \(ways.distance, in: unit); ze \
                staan op geen regel, hoewel het tarief ook daarvoor geldt.
                """,
            de: """
                Arbeitswege mit Bus oder Bahn: \(ways.trips), \(ways.distance, in: unit); sie \
                stehen in keiner Zeile, obwohl der Satz auch für sie gilt.
                """,
            fr: """
                Trajets domicile-travail en bus ou en train : \(ways.trips), \
                \(ways.distance, in: unit) ; ils ne sont sur aucune ligne, bien que le barème les \
                couvre aussi.
                """
        )
    }

    /// The most that the ways of a year come to, and by how much the lines exceed it.
    static func cut(_ cut: ClaimCut) -> Phrase {
        let currency = cut.rate.row.currency
        let most = Phrase("\(cut.most.hundredths, decimals: 2) \(own: currency)")
        return Phrase(
            en: """
                Ways that are not made with the own or a lent car come to at most \(most) a year; \
                what is above is taken off in a line of its own.
                """,
            nl: """
                Ritten zonder eigen of geleende auto zijn samen ten hoogste \(most) per jaar; wat \
                erboven ligt, is op een eigen regel afgetrokken.
                """,
            de: """
                Wege ohne eigenen oder überlassenen Wagen ergeben höchstens \(most) im Jahr; was \
                darüber liegt, ist in einer eigenen Zeile abgezogen.
                """,
            fr: """
                Les trajets faits sans voiture propre ou prêtée donnent au plus \(most) par an ; \
                l’excédent est déduit sur sa propre ligne.
                """
        )
    }

    /// The line that takes off what is above the most of a year.
    static func atMostAYear(_ most: Money) -> Phrase {
        Phrase(
            en: "at most \(most.hundredths, decimals: 2) a year",
            nl: "ten hoogste \(most.hundredths, decimals: 2) per jaar",
            de: "höchstens \(most.hundredths, decimals: 2) im Jahr",
            fr: "au plus \(most.hundredths, decimals: 2) par an"
        )
    }

    /// The trips whose passengers cannot be read.
    static func unreadPassengers(_ trips: Int64) -> Phrase {
        Phrase(
            en: """
                Trips whose field `passengers` is no whole number: \(trips); nothing is paid for \
                these passengers.
                """,
            nl: """
                Ritten waarvan het veld `passengers` geen heel getal is: \(trips); voor die \
                passagiers wordt niets vergoed.
                """,
            de: """
                Fahrten, deren Feld `passengers` keine ganze Zahl ist: \(trips); für diese \
                Mitfahrer wird nichts gezahlt.
                """,
            fr: """
                Trajets dont le champ `passengers` n’est pas un nombre entier : \(trips) ; rien \
                n’est versé pour ces passagers.
                """
        )
    }

    /// The drives that are in the book twice, with two classes.
    static func contradicted(_ drives: Int64) -> Phrase {
        Phrase(
            en: """
                Drives that are in the book twice, with two classes: \(drives); that of the \
                better evidenced trip counts. `ledger trips` marks them with o; void one, or give \
                it another vehicle.
                """,
            nl: """
                Ritten die twee keer in het boek staan, met twee soorten: \(drives); die van de \
                beter gedocumenteerde rit telt. `ledger trips` merkt ze met o; verwerp er een, of \
                geef die een ander voertuig.
                """,
            de: """
                Fahrten, die zweimal im Buch stehen, mit zwei Arten: \(drives); die der besser \
                belegten zählt. `ledger trips` kennzeichnet sie mit o; verwirf eine, oder gib ihr \
                ein anderes Fahrzeug.
                """,
            fr: """
                Trajets qui figurent deux fois, sous deux natures : \(drives) ; celle du trajet le \
                mieux attesté compte. `ledger trips` les marque d’un o ; annulez-en un, ou \
                donnez-lui un autre véhicule.
                """
        )
    }

    /// What a rate pays for a kilowatt-hour.
    static func perKilowattHour(_ rate: ExactDecimal) -> Phrase {
        Phrase("\(rate, atLeast: 2) \(own: "/ kWh")")
    }

    static let chargedAtHome = Phrase(
        en: """
            What was charged at home is paid by its kilowatt-hours, in place of what it cost; \
            home is a saved place called home, Zuhause, thuis or maison.
            """,
        nl: """
            Wat thuis is geladen, wordt per kilowattuur vergoed, in plaats van wat het kostte; \
            thuis is een opgeslagen plaats die thuis, home, Zuhause of maison heet.
            """,
        de: """
            Zu Hause Geladenes wird nach Kilowattstunden gezahlt, statt dessen, was es kostete; zu \
            Hause ist ein gespeicherter Ort, der Zuhause, home, thuis oder maison heißt.
            """,
        fr: """
            Ce qui a été rechargé à domicile est payé au kilowattheure, à la place de son coût ; \
            le domicile est un lieu enregistré nommé maison, home, Zuhause ou thuis.
            """
    )
}
