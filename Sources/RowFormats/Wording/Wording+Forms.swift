extension Wording {
    /// The lines of forms; names of forms stay, for these exist in one language.
    static let formLines = [
        Entry("commuting", nl: "woon-werk", de: "Arbeitsweg", fr: "domicile-travail"),
        Entry("other personal", nl: "overig privé", de: "sonstige private", fr: "autre, privé"),
        Entry(
            "date placed in service",
            nl: "datum van ingebruikname",
            de: "Tag der Inbetriebnahme",
            fr: "date de mise en service"
        ),
        Entry(
            "available off duty",
            nl: "beschikbaar buiten diensttijd",
            de: "außerhalb des Dienstes verfügbar",
            fr: "disponible hors service"
        ),
        Entry(
            "another vehicle",
            nl: "een ander voertuig",
            de: "ein anderes Fahrzeug",
            fr: "un autre véhicule"
        ),
        Entry("evidence", nl: "bewijs", de: "Nachweis", fr: "justificatif"),
        Entry(
            "written evidence",
            nl: "schriftelijk bewijs",
            de: "schriftlicher Nachweis",
            fr: "justificatif écrit"
        ),
        Entry(
            "used by an owner of more than 5 %",
            nl: "gebruikt door een eigenaar van meer dan 5 %",
            de: "genutzt von einem Eigner mit mehr als 5 %",
            fr: "utilisé par un détenteur de plus de 5 %"
        ),
        Entry(
            "mixed and unclassified",
            nl: "gemengd en niet ingedeeld",
            de: "gemischt und nicht eingeordnet",
            fr: "mixte et non classé"
        ),
        Entry(
            "business use",
            nl: "zakelijk gebruik",
            de: "geschäftliche Nutzung",
            fr: "usage professionnel"
        ),
        Entry(
            "business use, quarter {}",
            nl: "zakelijk gebruik, kwartaal {}",
            de: "geschäftliche Nutzung, Quartal {}",
            fr: "usage professionnel, trimestre {}"
        ),
        Entry(
            "left of 500 km",
            nl: "over van 500 km",
            de: "übrig von 500 km",
            fr: "reste sur 500 km"
        ),
        Entry(
            "business, with commuting",
            nl: "zakelijk, met woon-werk",
            de: "geschäftlich, mit Arbeitsweg",
            fr: "professionnel, avec domicile-travail"
        ),
        Entry(
            "business share",
            nl: "zakelijk aandeel",
            de: "geschäftlicher Anteil",
            fr: "part professionnelle"
        ),
        Entry(
            "home to work",
            nl: "woon-werk",
            de: "Wohnung–Tätigkeitsstätte",
            fr: "domicile-travail"
        ),
        Entry(
            "home to work share",
            nl: "aandeel woon-werk",
            de: "Anteil Wohnung–Tätigkeitsstätte",
            fr: "part domicile-travail"
        ),
        Entry("private share", nl: "aandeel privé", de: "privater Anteil", fr: "part privée"),
        Entry("first day", nl: "eerste dag", de: "erster Tag", fr: "premier jour"),
        Entry("last day", nl: "laatste dag", de: "letzter Tag", fr: "dernier jour"),
        Entry("whole weeks", nl: "hele weken", de: "ganze Wochen", fr: "semaines entières"),
        Entry(
            "odometer, first",
            nl: "kilometerstand, eerste",
            de: "Kilometerstand, erster",
            fr: "compteur, premier"
        ),
        Entry(
            "odometer, last",
            nl: "kilometerstand, laatste",
            de: "Kilometerstand, letzter",
            fr: "compteur, dernier"
        ),
        Entry("cannot tell", nl: "niet te zeggen", de: "nicht zu sagen", fr: "indéterminé"),
        Entry(
            "read on {day}",
            nl: "afgelezen op {day}",
            de: "abgelesen am {day}",
            fr: "relevé le {day}"
        ),
        Entry(
            "not read in this year",
            nl: "dit jaar niet afgelezen",
            de: "in diesem Jahr nicht abgelesen",
            fr: "non relevé cette année"
        ),
        Entry(
            "number of the line from memory, not verified",
            nl: "nummer van de regel uit het hoofd, niet nagegaan",
            de: "Nummer der Zeile aus dem Gedächtnis, nicht geprüft",
            fr: "numéro de ligne de mémoire, non vérifié"
        ),
        Entry(
            "a question that only you can answer",
            nl: "een vraag die alleen u kunt beantwoorden",
            de: "eine Frage, die nur Sie beantworten können",
            fr: "une question à laquelle vous seul pouvez répondre"
        ),
        Entry(
            "with what is not classified",
            nl: "met wat niet is ingedeeld",
            de: "mit dem, was nicht eingeordnet ist",
            fr: "avec ce qui n’est pas classé"
        ),
        Entry(
            "classify these trips: no line counts them as business",
            nl: "deel deze ritten in: geen regel telt ze als zakelijk",
            de: "diese Fahrten einordnen: keine Zeile zählt sie als geschäftlich",
            fr: "classez ces trajets : aucune ligne ne les compte comme professionnels"
        ),
        Entry(
            "no business journey",
            nl: "geen zakelijke reis",
            de: "keine Dienstfahrt",
            fr: "pas un déplacement professionnel"
        ),
        Entry(
            "three months as a sample: compare with the year's and the base year's",
            nl: "drie maanden als steekproef: vergelijk met het jaar en het basisjaar",
            de: "drei Monate als Stichprobe: mit Jahr und Basisjahr vergleichen",
            fr: "trois mois comme échantillon : comparez à l’année et à l’année de base"
        ),
        Entry(
            "at most 500 km in a calendar year",
            nl: "ten hoogste 500 km in een kalenderjaar",
            de: "höchstens 500 km im Kalenderjahr",
            fr: "au plus 500 km par année civile"
        ),
        Entry(
            "less than nothing: over the limit",
            nl: "minder dan nul: boven de grens",
            de: "unter null: über der Grenze",
            fr: "moins que zéro : limite dépassée"
        ),
        Entry(
            "a logbook has at least 12 weeks without a break",
            nl: "een logboek heeft ten minste 12 weken zonder onderbreking",
            de: "ein Fahrtenbuch hat mindestens 12 Wochen ohne Unterbrechung",
            fr: "un carnet a au moins 12 semaines sans interruption"
        ),
        Entry("d of the barème", nl: "d van het barème", de: "d des Barème", fr: "d du barème"),
    ]
}
