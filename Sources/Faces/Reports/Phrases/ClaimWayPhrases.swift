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

    /// The days on which one of the two ways was perhaps not recorded, with both figures; a field
    /// by which people say it may still have to be defined.
    static func openDays(
        _ count: Int64,
        claimed: Money,
        ifAlone: Money,
        currency: String,
        isDefined: Bool
    ) -> Phrase {
        let whole = Phrase("\(claimed.hundredths, decimals: 2) \(own: currency)")
        let half = Phrase("\(ifAlone.hundredths, decimals: 2) \(own: currency)")
        let days = daysCounted(count)
        let command = isDefined ? sayOneWay : Phrase("\(defineOneWay)\(sayOneWay)")
        return Phrase(
            en: """
                One way of \(days) is not recorded; if it was not driven, half is due: \(half) in \
                place of \(whole) (\(command)).
                """,
            nl: """
                Van \(days) is één reis niet vastgelegd; is die niet gereden, dan telt alleen de \
                helft: \(half) in plaats van \(whole) (\(command)).
                """,
            de: """
                An \(days) ist ein Weg nicht erfasst; wurde er nicht gefahren, steht nur die \
                Hälfte zu: \(half) statt \(whole) (\(command)).
                """,
            fr: """
                Pour \(days), un trajet n’est pas enregistré ; s’il n’a pas été fait, seule la \
                moitié compte : \(half) au lieu de \(whole) (\(command)).
                """
        )
    }

    private static func daysCounted(_ count: Int64) -> Phrase {
        guard count != 1 else { return Phrase(en: "1 day", nl: "1 dag", de: "1 Tag", fr: "1 jour") }
        return Phrase(
            en: "\(count) days",
            nl: "\(count) dagen",
            de: "\(count) Tagen",
            fr: "\(count) jours"
        )
    }

    private static let sayOneWay = Phrase(
        en: "`ledger edit TRIP --field one_way=true`",
        nl: "`ledger edit RIT --field one_way=true`",
        de: "`ledger edit FAHRT --field one_way=true`",
        fr: "`ledger edit TRAJET --field one_way=true`"
    )

    private static let defineOneWay = Phrase(
        en: "once `ledger field define one_way --type boolean`, then ",
        nl: "eenmalig `ledger field define one_way --type boolean`, daarna ",
        de: "einmal `ledger field define one_way --type boolean`, danach ",
        fr: "une fois `ledger field define one_way --type boolean`, puis "
    )

    /// The ways to work by rail that are in no line.
    static func otherWays(_ ways: UnclaimedSum, in unit: DistanceUnit) -> Phrase {
        Phrase(
            en: """
                Ways to work by rail: \(ways.trips), \(ways.distance, in: unit); they are \
                in no line, though the rate is for these too.
                """,
            nl: """
                Woon-werkritten per trein: \(ways.trips), \(ways.distance, in: unit); ze \
                staan op geen regel, hoewel het tarief ook daarvoor geldt.
                """,
            de: """
                Arbeitswege mit der Bahn: \(ways.trips), \(ways.distance, in: unit); sie \
                stehen in keiner Zeile, obwohl der Satz auch für sie gilt.
                """,
            fr: """
                Trajets domicile-travail en train : \(ways.trips), \(ways.distance, in: unit) ; \
                ils ne sont sur aucune ligne, bien que le barème les couvre aussi.
                """
        )
    }

    /// What may be claimed in place of the rate for ways by bus and rail.
    static let higherFares = Phrase(
        en: """
            For ways by bus or rail, the fares that were really paid may be claimed where they \
            come to more in the year; this program does not compute that.
            """,
        nl: """
            Voor ritten per bus of trein mogen de werkelijk betaalde kaartjes gelden als ze in het \
            jaar meer zijn; dit programma berekent dat niet.
            """,
        de: """
            Für Wege mit Bus oder Bahn dürfen die wirklich gezahlten Fahrscheine gelten, wenn sie \
            im Jahr mehr ergeben; das berechnet dieses Programm nicht.
            """,
        fr: """
            Pour les trajets en bus ou en train, les billets réellement payés peuvent être retenus \
            s’ils donnent plus dans l’année ; ce programme ne le calcule pas.
            """
    )

    /// The yearly maximum for ways to work, and by how much the lines exceed it.
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

    /// The yearly maximum for ways to work, if the excess was subtracted from the amounts.
    static func takenOff(_ cut: ClaimCut) -> Phrase {
        let currency = cut.rate.row.currency
        let most = Phrase("\(cut.most.hundredths, decimals: 2) \(own: currency)")
        let amount = Phrase("\(cut.amount.hundredths, decimals: 2) \(own: currency)")
        return Phrase(
            en: """
                Ways that are not made with the own or a lent car come to at most \(most) a year: \
                \(amount) above that are taken off the amounts.
                """,
            nl: """
                Ritten zonder eigen of geleende auto zijn samen ten hoogste \(most) per jaar: \
                \(amount) daarboven zijn van de bedragen afgetrokken.
                """,
            de: """
                Wege ohne eigenen oder überlassenen Wagen ergeben höchstens \(most) im Jahr: \
                \(amount) darüber sind von den Beträgen abgezogen.
                """,
            fr: """
                Les trajets faits sans voiture propre ou prêtée donnent au plus \(most) par an : \
                \(amount) au-delà sont déduits des montants.
                """
        )
    }

    /// The line that subtracts what exceeds the yearly maximum.
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
                Trips whose field for passengers says no whole number from 0 to 99: \(trips); \
                nothing is paid for these passengers.
                """,
            nl: """
                Ritten waarvan het veld voor passagiers geen heel getal van 0 tot 99 noemt: \
                \(trips); voor die passagiers wordt niets vergoed.
                """,
            de: """
                Fahrten, deren Feld für Mitfahrer keine ganze Zahl von 0 bis 99 nennt: \(trips); \
                für diese Mitfahrer wird nichts gezahlt.
                """,
            fr: """
                Trajets dont le champ des passagers n’indique pas un nombre entier de 0 à 99 : \
                \(trips) ; rien n’est versé pour ces passagers.
                """
        )
    }

    /// The drives that are in the book twice, with two classes, purposes or clients.
    static func contradicted(_ drives: Int64) -> Phrase {
        Phrase(
            en: """
                Drives that are in the book twice, with two classes, purposes or clients: \
                \(drives); what the better evidenced trip says counts. `ledger inbox` lists them; \
                void one, or give it another vehicle.
                """,
            nl: """
                Ritten die twee keer in het boek staan, met twee soorten, doelen of klanten: \
                \(drives); wat de beter gedocumenteerde rit zegt, telt. `ledger inbox` noemt ze; \
                laat er een vervallen, of geef die een ander voertuig.
                """,
            de: """
                Fahrten, die zweimal im Buch stehen, mit zwei Arten, Zwecken oder Kunden: \
                \(drives); was die besser belegte sagt, zählt. `ledger inbox` nennt sie; \
                verwerfen Sie eine, oder geben Sie ihr ein anderes Fahrzeug.
                """,
            fr: """
                Trajets qui figurent deux fois, sous deux natures, motifs ou clients : \
                \(drives) ; ce que dit le trajet le mieux attesté compte. `ledger inbox` les \
                énumère ; annulez-en un, ou donnez-lui un autre véhicule.
                """
        )
    }

    /// The vehicles whose names differ only in case.
    static func namesAlike(_ names: [String]) -> Phrase {
        Phrase(
            en: """
                Names that differ only in case are different vehicles, and a drive that both have \
                counts twice: \(own: names). `ledger edit --whose-vehicle NAME --vehicle OTHER` \
                makes one of them.
                """,
            nl: """
                Namen die alleen in hoofdletters verschillen, zijn verschillende voertuigen, en \
                een rit die beide hebben, telt dubbel: \(own: names). `ledger edit \
                --whose-vehicle NAAM --vehicle ANDERE` maakt er één van.
                """,
            de: """
                Namen, die sich nur in der Groß- und Kleinschreibung unterscheiden, sind \
                verschiedene Fahrzeuge, und eine Fahrt, die beide haben, zählt doppelt: \
                \(own: names). `ledger edit --whose-vehicle NAME --vehicle ANDERER` macht eines \
                daraus.
                """,
            fr: """
                Des noms qui ne diffèrent que par la casse sont des véhicules différents, et un \
                trajet que les deux ont compte deux fois : \(own: names). `ledger edit \
                --whose-vehicle NOM --vehicle AUTRE` en fait un seul.
                """
        )
    }

    /// How an expense gets into the claim of its trip.
    static let nameTrip = Phrase(
        en: """
            What was paid for a trip is claimed with it if it names it (`ledger expense add KIND \
            AMOUNT CURRENCY --corrects EXPENSE --trip TRIP`), or its time lies within the only \
            trip of its vehicle then.
            """,
        nl: """
            Wat voor een rit is betaald, telt daarbij als het de rit noemt (`ledger expense add \
            SOORT BEDRAG VALUTA --corrects UITGAVE --trip RIT`), of als het tijdstip in de enige \
            rit van het voertuig van dat moment valt.
            """,
        de: """
            Was für eine Fahrt gezahlt wurde, zählt mit ihr, wenn es sie nennt (`ledger expense \
            add ART BETRAG WÄHRUNG --corrects AUSGABE --trip FAHRT`), oder wenn seine Zeit in der \
            einzigen Fahrt seines Fahrzeugs zu dieser Zeit liegt.
            """,
        fr: """
            Ce qui a été payé pour un trajet compte avec lui s’il le nomme (`ledger expense add \
            GENRE MONTANT DEVISE --corrects DÉPENSE --trip TRAJET`), ou si son heure tombe dans le \
            seul trajet de son véhicule à ce moment.
            """
    )

    /// The separate claim that pays for what was charged at home.
    static func chargedByScheme(_ scheme: String, in jurisdiction: String) -> Phrase {
        let command = Phrase(
            "`ledger report claim --jurisdiction \(own: jurisdiction) --scheme \(own: scheme)`"
        )
        return Phrase(
            en: "What was charged at home is paid in a claim of its own: \(command).",
            nl: "Wat thuis is geladen, wordt in een eigen declaratie vergoed: \(command).",
            de: "Zu Hause Geladenes wird in einer eigenen Abrechnung gezahlt: \(command).",
            fr: """
                Ce qui a été rechargé à domicile est payé dans une déclaration à part : \(command).
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
