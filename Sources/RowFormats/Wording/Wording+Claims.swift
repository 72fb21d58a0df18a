extension Wording {
    /// How far all trips went and how that is known: the longest list first.
    private static let origins = (1...4).reversed()
        .map { count in
            let part = "{number} {} {word}"
            let parts = repeatElement(part, count: count).joined(separator: ", ")
            return Entry(
                "All trips of these days: {number} {}, of which \(parts).",
                nl: "Alle ritten van deze dagen: {number} {}, waarvan \(parts).",
                de: "Alle Fahrten dieser Tage: {number} {}, davon \(parts).",
                fr: "Tous les trajets de ces jours : {number} {}, dont \(parts)."
            )
        }

    /// In which years thresholds are counted: the longest list first.
    private static let years = (1...12).reversed()
        .map { count in
            func parts(_ part: String) -> String {
                repeatElement(part, count: count).joined(separator: ", ")
            }
            return Entry(
                "Thresholds are counted in order of the trips over each whole year: "
                    + "\(parts("{day} to {day}")).",
                nl: "Drempels worden geteld in de volgorde van de ritten over elk heel jaar: "
                    + "\(parts("{day} tot en met {day}")).",
                de:
                    "Schwellen werden in der Reihenfolge der Fahrten über jedes ganze Jahr "
                    + "gezählt: "
                    + "\(parts("{day} bis {day}")).",
                fr: "Les seuils sont comptés dans l’ordre des trajets sur chaque année entière : "
                    + "\(parts("du {day} au {day}"))."
            )
        }

    /// What stands below claims and methods.
    static let ofClaims =
        origins + years + [
            Entry(
                "1 gap of {number} {} in a straight line, where nothing was measured, are in no "
                    + "distance: it is a lower bound.",
                nl:
                    "1 hiaat van {number} {} in een rechte lijn, waar niets is gemeten, zit in "
                    + "geen "
                    + "afstand: het is een ondergrens.",
                de: "1 Lücke von {number} {} in gerader Linie, wo nichts gemessen wurde, ist in "
                    + "keiner Strecke: sie ist eine Untergrenze.",
                fr: "1 lacune de {number} {} en ligne droite, où rien n’a été mesuré, n’est dans "
                    + "aucune distance : c’est un minimum."
            ),
            Entry(
                "{} gaps of {number} {} in a straight line, where nothing was measured, are in "
                    + "no "
                    + "distance: it is a lower bound.",
                nl:
                    "{} hiaten van {number} {} in een rechte lijn, waar niets is gemeten, "
                    + "zitten in "
                    + "geen afstand: het is een ondergrens.",
                de: "{} Lücken von {number} {} in gerader Linie, wo nichts gemessen wurde, sind "
                    + "in "
                    + "keiner Strecke: sie ist eine Untergrenze.",
                fr:
                    "{} lacunes de {number} {} en ligne droite, où rien n’a été mesuré, ne sont "
                    + "dans "
                    + "aucune distance : c’est un minimum."
            ),
            Entry(
                "1 expense for tolls or parking of no business trip, or in more digits than are "
                    + "added: in no method.",
                nl: "1 uitgave voor tol of parkeren van geen zakelijke rit, of in meer cijfers "
                    + "dan "
                    + "worden opgeteld: in geen methode.",
                de: "1 Ausgabe für Maut oder Parken ohne Dienstfahrt, oder mit mehr Stellen als "
                    + "summiert werden: in keiner Methode.",
                fr: "1 dépense de péage ou stationnement sans déplacement professionnel, ou avec "
                    + "trop de chiffres : dans aucune méthode."
            ),
            Entry(
                "{} expenses for tolls or parking of no business trip, or in more digits than "
                    + "are "
                    + "added: in no method.",
                nl:
                    "{} uitgaven voor tol of parkeren van geen zakelijke rit, of in meer "
                    + "cijfers dan "
                    + "worden opgeteld: in geen methode.",
                de: "{} Ausgaben für Maut oder Parken ohne Dienstfahrt, oder mit mehr Stellen "
                    + "als "
                    + "summiert werden: in keiner Methode.",
                fr: "{} dépenses de péage ou stationnement sans déplacement professionnel, ou "
                    + "avec "
                    + "trop de chiffres : dans aucune méthode."
            ),
            Entry(
                "An amount is distance times rate, computed from whole millimetres and rounded "
                    + "once "
                    + "to hundredths, half away from zero; the total is the sum of the lines.",
                nl: "Een bedrag is afstand maal tarief, berekend uit hele millimeters en één "
                    + "keer "
                    + "afgerond op honderdsten, half van nul af; het totaal is de som van de "
                    + "regels.",
                de: "Ein Betrag ist Strecke mal Satz, aus ganzen Millimetern berechnet und "
                    + "einmal "
                    + "auf Hundertstel gerundet, halbe von null weg; die Summe ist die der Zeilen.",
                fr: "Un montant est la distance multipliée par le barème, calculé en millimètres "
                    + "entiers et arrondi une fois au centième, demi à l’écart de zéro ; le total "
                    + "est la somme des lignes."
            ),
            Entry(
                "An amount is distance times rate, computed from whole millimetres and rounded "
                    + "once "
                    + "to hundredths, half away from zero; the total is the sum of the lines. Of a "
                    + "part of a year, it is what the year comes to until then less what it "
                    + "came to "
                    + "before (BEFORE).",
                nl: "Een bedrag is afstand maal tarief, berekend uit hele millimeters en één "
                    + "keer "
                    + "afgerond op honderdsten, half van nul af; het totaal is de som van de "
                    + "regels. "
                    + "Van een deel van een jaar is het wat het jaar tot dan oplevert min wat het "
                    + "ervoor opleverde (ERVOOR).",
                de: "Ein Betrag ist Strecke mal Satz, aus ganzen Millimetern berechnet und "
                    + "einmal "
                    + "auf Hundertstel gerundet, halbe von null weg; die Summe ist die der Zeilen. "
                    + "Für einen Teil des Jahres ist er, was das Jahr bis dahin ergibt, "
                    + "weniger dem, "
                    + "was es vorher ergab (VORHER).",
                fr: "Un montant est la distance multipliée par le barème, calculé en millimètres "
                    + "entiers et arrondi une fois au centième, demi à l’écart de zéro ; le total "
                    + "est la somme des lignes. Pour une partie d’année, c’est ce que "
                    + "l’année donne "
                    + "jusque-là moins ce qu’elle donnait avant (AVANT)."
            ),
            Entry(
                "An expense counts on the day of its trip, in its own currency, rounded to "
                    + "hundredths.",
                nl: "Een uitgave telt op de dag van de rit, in de eigen valuta, afgerond op "
                    + "honderdsten.",
                de: "Eine Ausgabe zählt am Tag ihrer Fahrt, in ihrer Währung, auf Hundertstel "
                    + "gerundet.",
                fr:
                    "Une dépense compte le jour de son trajet, dans sa devise, arrondie au "
                    + "centième."
            ),
            Entry(
                "Of the commutes of a day the longest counts, once, in full units, as the way to "
                    + "work; TRIPS are days.",
                nl:
                    "Van de woon-werkritten van een dag telt de langste, één keer, in hele "
                    + "eenheden, "
                    + "als de weg naar het werk; RITTEN zijn dagen.",
                de: "Von den Arbeitswegen eines Tages zählt der längste, einmal, in vollen "
                    + "Einheiten; FAHRTEN sind Tage.",
                fr: "Des trajets domicile-travail d’une journée, le plus long compte, une fois, "
                    + "en "
                    + "unités entières ; TRAJETS sont des jours."
            ),
            Entry(
                "All trips of these days: {number} {}.",
                nl: "Alle ritten van deze dagen: {number} {}.",
                de: "Alle Fahrten dieser Tage: {number} {}.",
                fr: "Tous les trajets de ces jours : {number} {}."
            ),
            Entry("measured", nl: "gemeten", de: "gemessen", fr: "mesurés"),
            Entry("adjusted", nl: "bijgesteld", de: "angepasst", fr: "ajustés"),
            Entry("reported", nl: "opgegeven", de: "angegeben", fr: "déclarés"),
            Entry(
                "No kind is registered of {}, so these count as cars: `ledger vehicle register` "
                    + "says "
                    + "what they are.",
                nl: "Van {} is geen type vastgelegd, dus tellen ze als auto's: `ledger vehicle "
                    + "register` zegt wat ze zijn.",
                de:
                    "Zu {} ist kein Typ erfasst, also zählen sie als Pkw: `ledger vehicle "
                    + "register` "
                    + "sagt, was sie sind.",
                fr:
                    "Aucun type n’est enregistré pour {}, qui comptent donc comme voitures : "
                    + "`ledger "
                    + "vehicle register` le précise."
            ),
            Entry(
                "Figures by the rates that are named, and no advice on taxes.",
                nl: "Cijfers volgens de genoemde tarieven, en geen belastingadvies.",
                de: "Zahlen nach den genannten Sätzen, und keine Steuerberatung.",
                fr: "Des chiffres selon les barèmes nommés, et aucun conseil fiscal."
            ),
            Entry(
                "{}: set for this ledger, known from {day}.",
                nl: "{}: vastgesteld voor dit grootboek, bekend vanaf {day}.",
                de: "{}: für dieses Buch festgelegt, bekannt seit {day}.",
                fr: "{} : fixé pour ce registre, connu depuis le {day}."
            ),
            Entry(
                "{}: {word} confidence, known from about {day}, which was not verified.",
                nl: "{}: zekerheid {word}, bekend vanaf ongeveer {day}, niet nagegaan.",
                de: "{}: Verlässlichkeit {word}, bekannt seit etwa {day}, nicht geprüft.",
                fr: "{} : fiabilité {word}, connu depuis environ le {day}, non vérifié."
            ),
            Entry(
                "{}: {word} confidence, known from {day}.",
                nl: "{}: zekerheid {word}, bekend vanaf {day}.",
                de: "{}: Verlässlichkeit {word}, bekannt seit {day}.",
                fr: "{} : fiabilité {word}, connu depuis le {day}."
            ),
            Entry(
                "{}: {word} confidence, known from about {day}, which was not verified. {}",
                nl: "{}: zekerheid {word}, bekend vanaf ongeveer {day}, niet nagegaan. {}",
                de: "{}: Verlässlichkeit {word}, bekannt seit etwa {day}, nicht geprüft. {}",
                fr: "{} : fiabilité {word}, connu depuis environ le {day}, non vérifié. {}"
            ),
            Entry(
                "{}: {word} confidence, known from {day}. {}",
                nl: "{}: zekerheid {word}, bekend vanaf {day}. {}",
                de: "{}: Verlässlichkeit {word}, bekannt seit {day}. {}",
                fr: "{} : fiabilité {word}, connu depuis le {day}. {}"
            ),
            Entry(
                "No trip of a vehicle counts in these days.",
                nl: "In deze dagen telt geen rit van een voertuig.",
                de: "An diesen Tagen zählt keine Fahrt eines Fahrzeugs.",
                fr: "Aucun trajet d’un véhicule ne compte ces jours-là."
            ),
            Entry(
                "By expenses: what was paid for the vehicle, such as fuel and charging, times "
                    + "its "
                    + "business use, and tolls and parking of business trips in full. What was not "
                    + "recorded, such as insurance and depreciation, is in none.",
                nl:
                    "Naar uitgaven: wat voor het voertuig is betaald, zoals brandstof en laden, "
                    + "maal "
                    + "het zakelijk gebruik, en tol en parkeren van zakelijke ritten geheel. Wat "
                    + "niet is vastgelegd, zoals verzekering en afschrijving, zit nergens in.",
                de: "Nach Ausgaben: was für das Fahrzeug bezahlt wurde, etwa Kraftstoff und "
                    + "Laden, "
                    + "mal seiner geschäftlichen Nutzung, und Maut und Parken von Dienstfahrten "
                    + "ganz. Was nicht erfasst ist, etwa Versicherung und Abschreibung, ist "
                    + "nirgends "
                    + "enthalten.",
                fr:
                    "Par dépenses : ce qui a été payé pour le véhicule, comme carburant et "
                    + "recharge, "
                    + "multiplié par son usage professionnel, et péages et stationnement des "
                    + "déplacements professionnels en entier. Ce qui n’est pas enregistré, comme "
                    + "assurance et amortissement, n’y est pas."
            ),
            Entry(
                "By rates: the lines of `ledger report claim`, added up ({}).",
                nl: "Naar tarieven: de regels van `ledger report claim`, opgeteld ({}).",
                de: "Nach Sätzen: die Zeilen von `ledger report claim`, summiert ({}).",
                fr: "Par barèmes : les lignes de `ledger report claim`, additionnées ({})."
            ),
            Entry(
                "PROJECTED is the base year's use times that of the quarter, by that of the same "
                    + "quarter of the base year (from memory, not verified).",
                nl: "GESCHAT is het gebruik van het basisjaar maal dat van het kwartaal, gedeeld "
                    + "door dat van hetzelfde kwartaal van het basisjaar (uit het hoofd, niet "
                    + "nagegaan).",
                de: "HOCHGERECHNET ist die Nutzung des Basisjahres mal der des Quartals, durch "
                    + "die "
                    + "desselben Quartals im Basisjahr (aus dem Gedächtnis, nicht geprüft).",
                fr:
                    "PROJETÉ est l’usage de l’année de base multiplié par celui du trimestre, "
                    + "divisé "
                    + "par celui du même trimestre de l’année de base (de mémoire, non vérifié)."
            ),
            Entry(
                "Figures, not advice: which method holds for you, the rules say.",
                nl: "Cijfers, geen advies: welke methode voor u geldt, zeggen de regels.",
                de: "Zahlen, kein Rat: welche Methode für Sie gilt, sagen die Regeln.",
                fr: "Des chiffres, pas un conseil : les règles disent quelle méthode vous "
                    + "concerne."
            ),
        ]
}
