extension Wording {
    /// Titles of reports and what stands above their tables and charts.
    static let headings = [
        Entry(
            "Mileage log",
            nl: "Rittenregistratie",
            de: "Fahrtenbuch",
            fr: "Relevé des déplacements"
        ),
        Entry("Claim", nl: "Declaratie", de: "Abrechnung", fr: "Déclaration"),
        Entry(
            "Summary of the kilometres",
            nl: "Overzicht van de kilometers",
            de: "Übersicht der Kilometer",
            fr: "Récapitulatif des kilomètres"
        ),
        Entry(
            "Odometers beside trips",
            nl: "Kilometerstanden naast ritten",
            de: "Kilometerstände neben Fahrten",
            fr: "Compteurs et trajets"
        ),
        Entry(
            "What the mileage log lacks",
            nl: "Wat de rittenregistratie mist",
            de: "Was dem Fahrtenbuch fehlt",
            fr: "Ce qui manque au relevé"
        ),
        Entry(
            "Changes after the fact",
            nl: "Wijzigingen achteraf",
            de: "Nachträgliche Änderungen",
            fr: "Modifications après coup"
        ),
        Entry(
            "What each method gives",
            nl: "Wat elke methode oplevert",
            de: "Was jede Methode ergibt",
            fr: "Ce que donne chaque méthode"
        ),
        Entry(
            "Each vehicle and year",
            nl: "Elk voertuig en jaar",
            de: "Jedes Fahrzeug und Jahr",
            fr: "Chaque véhicule et année"
        ),
        Entry(
            "{}, trips without a vehicle",
            nl: "{}, ritten zonder voertuig",
            de: "{}, Fahrten ohne Fahrzeug",
            fr: "{}, trajets sans véhicule"
        ),
        Entry("By month", nl: "Per maand", de: "Nach Monaten", fr: "Par mois"),
        Entry(
            "Through the year {}",
            nl: "Door het jaar {}",
            de: "Im Lauf des Jahres {}",
            fr: "Au fil de l’année {}"
        ),
        Entry(
            "Odometer beside trips: {}",
            nl: "Kilometerstand naast ritten: {}",
            de: "Kilometerstand neben Fahrten: {}",
            fr: "Compteur et trajets : {}"
        ),
        Entry(
            "From reading to reading",
            nl: "Van stand tot stand",
            de: "Von Stand zu Stand",
            fr: "De relevé en relevé"
        ),
        Entry("Each vehicle", nl: "Elk voertuig", de: "Jedes Fahrzeug", fr: "Chaque véhicule"),
        Entry(
            "Ways that nothing recorded",
            nl: "Wegen die niets registreerde",
            de: "Wege, die nichts erfasst hat",
            fr: "Parcours non enregistrés"
        ),
        Entry(
            "Trips of one vehicle at the same time",
            nl: "Ritten van één voertuig op hetzelfde moment",
            de: "Gleichzeitige Fahrten eines Fahrzeugs",
            fr: "Trajets simultanés d’un même véhicule"
        ),
        Entry(
            "Too fast between two trips",
            nl: "Te snel tussen twee ritten",
            de: "Zu schnell zwischen zwei Fahrten",
            fr: "Trop rapide entre deux trajets"
        ),
        Entry(
            "Paid where the vehicle was not",
            nl: "Betaald waar het voertuig niet was",
            de: "Bezahlt, wo das Fahrzeug nicht war",
            fr: "Payé là où le véhicule n’était pas"
        ),
        Entry("Checklist", nl: "Controlelijst", de: "Prüfliste", fr: "Liste de contrôle"),
        Entry("Found", nl: "Gevonden", de: "Gefunden", fr: "Constaté"),
        Entry(
            "Reports of these days that were issued",
            nl: "Rapporten over deze dagen die zijn uitgegeven",
            de: "Berichte über diese Tage, die ausgegeben wurden",
            fr: "Rapports sur ces jours qui ont été remis"
        ),
        Entry(
            "Longest times without a trip",
            nl: "Langste tijden zonder rit",
            de: "Längste Zeiten ohne Fahrt",
            fr: "Plus longues périodes sans trajet"
        ),
        Entry("Methods", nl: "Methoden", de: "Methoden", fr: "Méthodes"),
        Entry(
            "Business use",
            nl: "Zakelijk gebruik",
            de: "Geschäftliche Nutzung",
            fr: "Usage professionnel"
        ),
    ]

    /// What stands below tables and charts.
    static let sentences = shared + ofReports + ofClaims

    private static let shared = [
        Entry(
            "A trip counts on the local day on which it starts: by its own UTC offset if that "
                + "is known, else in the time zone {}.",
            nl: "Een rit telt op de plaatselijke dag waarop hij begint: volgens de eigen "
                + "UTC-afwijking als die bekend is, anders in de tijdzone {}.",
            de: "Eine Fahrt zählt am örtlichen Tag ihres Beginns: nach ihrer eigenen "
                + "UTC-Abweichung, wenn diese bekannt ist, sonst in der Zeitzone {}.",
            fr: "Un trajet compte le jour local de son départ : selon son propre décalage UTC "
                + "s’il est connu, sinon dans le fuseau {}."
        ),
        Entry(
            "A trip counts on the local day on which it starts in the time zone {}.",
            nl: "Een rit telt op de dag waarop hij begint in de tijdzone {}.",
            de: "Eine Fahrt zählt am Tag ihres Beginns in der Zeitzone {}.",
            fr: "Un trajet compte le jour de son départ dans le fuseau {}."
        ),
        Entry(
            "Gaps, where nothing was measured, stand beside the distance and are never inside "
                + "it.",
            nl: "Hiaten, waar niets is gemeten, staan naast de afstand en zitten er nooit in.",
            de: "Lücken, in denen nichts gemessen wurde, stehen neben der Strecke und sind nie "
                + "darin.",
            fr: "Les lacunes, où rien n’a été mesuré, figurent à côté de la distance et n’y "
                + "sont jamais comprises."
        ),
        Entry(
            "Each line is rounded for itself, and the total is their sum; the exact one is "
                + "{number} {}.",
            nl: "Elke regel is apart afgerond, en het totaal is hun som; het exacte is {number} "
                + "{}.",
            de: "Jede Zeile ist für sich gerundet, und die Summe ist die der Zeilen; die genaue "
                + "ist {number} {}.",
            fr: "Chaque ligne est arrondie séparément et le total est leur somme ; le total "
                + "exact est {number} {}."
        ),
        Entry(
            "Unrecorded are straight lines to where trips start from where the last one ended: "
                + "in no other figure.",
            nl: "Niet geregistreerd zijn rechte lijnen van waar de vorige rit eindigde naar "
                + "waar de volgende begint: in geen ander getal.",
            de: "Nicht erfasst sind gerade Linien vom Ende der letzten zum Beginn der nächsten "
                + "Fahrt: in keiner anderen Zahl.",
            fr: "Non enregistrées : les lignes droites de la fin d’un trajet au départ du "
                + "suivant ; elles ne sont dans aucun autre chiffre."
        ),
        Entry(
            "Odometers went {number} {} between trips, on none: readings at the end of one and "
                + "at the start of the next (BETWEEN).",
            nl: "Kilometertellers liepen {number} {} tussen ritten, in geen rit: standen aan "
                + "het einde van de ene en het begin van de volgende.",
            de: "Zwischen Fahrten, in keiner, zählten Kilometerzähler {number} {}: Stände am "
                + "Ende der einen und zu Beginn der nächsten.",
            fr: "Les compteurs ont avancé de {number} {} entre les trajets : relevés à la fin "
                + "de l’un et au départ du suivant."
        ),
        Entry(
            "Overlapping trips were made in one car, as two recorders measured it: `ledger "
                + "trips` shows which.",
            nl: "Overlappende ritten zijn in één auto gemaakt, gemeten door twee recorders: "
                + "`ledger trips` toont welke.",
            de: "Überschneidende Fahrten fanden in einem Wagen statt, von zwei Geräten "
                + "gemessen: `ledger trips` zeigt, welche.",
            fr: "Les trajets qui se chevauchent ont été faits dans une seule voiture, mesurés "
                + "par deux enregistreurs : `ledger trips` montre lesquels."
        ),
        Entry(
            "Left out are those of which another one of the same vehicle is better covered; "
                + "`ledger void` settles it.",
            nl: "Weggelaten zijn die waarvan een andere van hetzelfde voertuig beter gemeten "
                + "is; `ledger void` beslist.",
            de: "Ausgelassen sind jene, von denen eine andere desselben Fahrzeugs besser "
                + "gemessen ist; `ledger void` entscheidet.",
            fr: "Sont omis ceux dont un autre du même véhicule est mieux mesuré ; `ledger void` "
                + "tranche."
        ),
        Entry(
            "Details of trips were entered within a day of {}, within seven days of {}, later "
                + "of {}, never of {}.",
            nl: "Gegevens zijn binnen een dag ingevuld van {} ritten, binnen zeven dagen van "
                + "{}, later van {}, nooit van {}.",
            de: "Angaben wurden binnen eines Tages zu {} Fahrten eingetragen, binnen sieben "
                + "Tagen zu {}, später zu {}, nie zu {}.",
            fr: "Les détails ont été saisis dans la journée pour {} trajets, dans les sept "
                + "jours pour {}, plus tard pour {}, jamais pour {}."
        ),
        Entry(
            "Left out on this screen: {}; see --wide.",
            nl: "Op dit scherm weggelaten: {}; zie --wide.",
            de: "Auf diesem Bildschirm ausgelassen: {}; siehe --wide.",
            fr: "Omis sur cet écran : {} ; voir --wide."
        ),
    ]

    private static let ofReports = [
        Entry(
            "Distances by month and class; the log and the table above have the figures.",
            nl: "Afstanden per maand en soort; de rittenregistratie en de tabel hierboven "
                + "hebben de getallen.",
            de: "Strecken nach Monat und Art; Fahrtenbuch und obige Tabelle haben die Zahlen.",
            fr: "Distances par mois et nature ; le relevé et le tableau ci-dessus ont les "
                + "chiffres."
        ),
        Entry(
            "Distances of each class from the first day of the year on.",
            nl: "Afstanden van elke soort vanaf de eerste dag van het jaar.",
            de: "Strecken jeder Art vom ersten Tag des Jahres an.",
            fr: "Distances de chaque nature depuis le premier jour de l’année."
        ),
        Entry(
            "What the odometer went, and what trips went, from reading to reading.",
            nl: "Wat de kilometerteller liep en wat de ritten liepen, van stand tot stand.",
            de: "Was der Kilometerzähler und was die Fahrten ergaben, von Stand zu Stand.",
            fr: "Ce que le compteur et les trajets ont parcouru, de relevé en relevé."
        ),
        Entry(
            "No trip counts in these days.",
            nl: "In deze dagen telt geen rit.",
            de: "An diesen Tagen zählt keine Fahrt.",
            fr: "Aucun trajet ne compte ces jours-là."
        ),
        Entry(
            "Each figure is the sum of its trips as they are printed, rounded one by one.",
            nl: "Elk getal is de som van de ritten zoals ze gedrukt zijn, elk apart afgerond.",
            de: "Jede Zahl ist die Summe ihrer Fahrten, wie sie gedruckt sind, einzeln gerundet.",
            fr: "Chaque chiffre est la somme de ses trajets tels qu’imprimés, arrondis un à un."
        ),
        Entry(
            "Figures, not advice: which lines hold for you, the forms say.",
            nl: "Cijfers, geen advies: welke regels voor u gelden, zeggen de formulieren.",
            de: "Zahlen, kein Rat: welche Zeilen für Sie gelten, sagen die Formulare.",
            fr: "Des chiffres, pas un conseil : les formulaires disent quelles lignes vous "
                + "concernent."
        ),
        Entry(
            "REST is what the odometer went and no trip explains, beside the gaps and ways that "
                + "no distance holds; OFF is its share. Up to 3 % and 5 % have names of their "
                + "own.",
            nl: "REST is wat de kilometerteller liep en geen rit verklaart, naast hiaten en "
                + "wegen die in geen afstand zitten; AFWIJKING is het aandeel. Tot 3 % en 5 % "
                + "hebben eigen namen.",
            de: "REST ist, was der Kilometerzähler zählte und keine Fahrt erklärt, neben Lücken "
                + "und Wegen, die in keiner Strecke sind; ABWEICHUNG ist sein Anteil. Bis 3 % "
                + "und 5 % haben eigene Namen.",
            fr: "RESTE est ce que le compteur a parcouru et qu’aucun trajet n’explique, à côté "
                + "des lacunes et parcours qui ne sont dans aucune distance ; ÉCART est sa "
                + "part. Jusqu’à 3 % et 5 % ont leur propre nom."
        ),
        Entry(
            "The odometer of {} was read less than twice: nothing can be compared. `ledger "
                + "odometer` records what it shows.",
            nl: "De kilometerstand van {} is minder dan twee keer afgelezen: er valt niets te "
                + "vergelijken. `ledger odometer` legt de stand vast.",
            de: "Der Kilometerstand von {} wurde weniger als zweimal abgelesen: nichts ist zu "
                + "vergleichen. `ledger odometer` erfasst ihn.",
            fr: "Le compteur de {} a été relevé moins de deux fois : rien à comparer. `ledger "
                + "odometer` enregistre ce qu’il montre."
        ),
        Entry(
            "Of some expenses ({}) it cannot be told whether the vehicle was there.",
            nl: "Van sommige uitgaven ({}) is niet te zeggen of het voertuig daar was.",
            de: "Von einigen Ausgaben ({}) ist nicht zu sagen, ob das Fahrzeug dort war.",
            fr: "Pour certaines dépenses ({}), on ne peut dire si le véhicule y était."
        ),
        Entry(
            "Nothing stands out.",
            nl: "Er valt niets op.",
            de: "Nichts fällt auf.",
            fr: "Rien à signaler."
        ),
        Entry(
            "Trips on {} days; none on {} days between them.",
            nl: "Ritten op {} dagen; geen op {} dagen ertussen.",
            de: "Fahrten an {} Tagen; keine an {} Tagen dazwischen.",
            fr: "Trajets sur {} jours ; aucun sur {} jours entre eux."
        ),
        Entry(
            "The list says what is met and what is missing, as far as the ledger knows it; a "
                + "tax office decides.",
            nl: "De lijst zegt wat voldaan is en wat ontbreekt, voor zover het grootboek het "
                + "weet; de belastingdienst beslist.",
            de: "Die Liste sagt, was erfüllt ist und was fehlt, soweit das Buch es weiß; das "
                + "Finanzamt entscheidet.",
            fr: "La liste dit ce qui est satisfait et ce qui manque, pour autant que le "
                + "registre le sache ; l’administration fiscale décide."
        ),
        Entry(
            "Nothing was changed afterwards.",
            nl: "Achteraf is niets gewijzigd.",
            de: "Nachträglich wurde nichts geändert.",
            fr: "Rien n’a été modifié après coup."
        ),
        Entry(
            "Beside these, {} fields were entered for the first time: --all lists them.",
            nl: "Daarnaast zijn {} velden voor het eerst ingevuld: --all noemt ze.",
            de: "Daneben wurden {} Felder erstmals eingetragen: --all nennt sie.",
            fr: "En outre, {} champs ont été saisis pour la première fois : --all les énumère."
        ),
        Entry(
            "No report of these days was issued.",
            nl: "Er is geen rapport over deze dagen uitgegeven.",
            de: "Es wurde kein Bericht über diese Tage ausgegeben.",
            fr: "Aucun rapport sur ces jours n’a été remis."
        ),
        Entry(
            "Nothing of this was stored after a report of these days was issued.",
            nl: "Niets hiervan is opgeslagen nadat een rapport over deze dagen was uitgegeven.",
            de: "Nichts davon wurde gespeichert, nachdem ein Bericht über diese Tage ausgegeben "
                + "worden war.",
            fr: "Rien de cela n’a été enregistré après la remise d’un rapport sur ces jours."
        ),
        Entry(
            "AFTER REPORT names the issued reports that a change came after, and that so do not "
                + "hold it: `ledger report reissue {} --compare` shows what is other now.",
            nl: "NA RAPPORT noemt de uitgegeven rapporten waarna een wijziging kwam en die haar "
                + "dus niet bevatten: `ledger report reissue {} --compare` toont wat nu anders is.",
            de: "NACH BERICHT nennt die ausgegebenen Berichte, nach denen eine Änderung kam und "
                + "die sie also nicht enthalten: `ledger report reissue {} --compare` zeigt, was "
                + "jetzt anders ist.",
            fr: "APRÈS RAPPORT nomme les rapports remis avant une modification, et qui ne la "
                + "contiennent donc pas : `ledger report reissue {} --compare` montre ce qui est "
                + "autre maintenant."
        ),
        Entry(
            "The last event of trips was stored within a day of {}, within seven days of {}, "
                + "later of {}.",
            nl: "De laatste gebeurtenis is binnen een dag opgeslagen van {} ritten, binnen "
                + "zeven dagen van {}, later van {}.",
            de: "Das letzte Ereignis wurde binnen eines Tages gespeichert von {} Fahrten, "
                + "binnen sieben Tagen von {}, später von {}.",
            fr: "Le dernier événement a été enregistré dans la journée pour {} trajets, dans "
                + "les sept jours pour {}, plus tard pour {}."
        ),
        Entry(
            "DAYS AFTER counts from the end of the trip to the storing of the change.",
            nl: "DAGEN ERNA telt van het einde van de rit tot het opslaan van de wijziging.",
            de: "TAGE DANACH zählt vom Ende der Fahrt bis zum Speichern der Änderung.",
            fr: "JOURS APRÈS compte de la fin du trajet à l’enregistrement de la modification."
        ),
    ]
}
