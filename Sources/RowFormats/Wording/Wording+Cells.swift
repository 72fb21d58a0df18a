extension Wording {
    /// What stands in cells and is no data: classes, states, reasons, and the words of charts.
    static let cells = [
        // Classes of trips.
        Entry("business", nl: "zakelijk", de: "geschäftlich", fr: "professionnel"),
        Entry("commute", nl: "woon-werk", de: "Arbeitsweg", fr: "domicile-travail"),
        Entry("personal", nl: "privé", de: "privat", fr: "privé"),
        Entry("private", nl: "privé", de: "privat", fr: "privé"),
        Entry("medical", nl: "medisch", de: "medizinisch", fr: "médical"),
        Entry("charity", nl: "liefdadig", de: "gemeinnützig", fr: "caritatif"),
        Entry("moving", nl: "verhuizing", de: "Umzug", fr: "déménagement"),
        Entry("mixed", nl: "gemengd", de: "gemischt", fr: "mixte"),
        Entry("unclassified", nl: "niet ingedeeld", de: "nicht eingeordnet", fr: "non classé"),
        Entry("total", nl: "totaal", de: "Summe", fr: "total"),
        Entry("yes", nl: "ja", de: "ja", fr: "oui"),
        Entry("no", nl: "nee", de: "nein", fr: "non"),
        Entry("left out", nl: "weggelaten", de: "weggelassen", fr: "omis"),
        Entry("{number} %", nl: "{number} %", de: "{number} %", fr: "{number} %"),
        Entry("at most {}", nl: "ten hoogste {}", de: "höchstens {}", fr: "au plus {}"),
        // Odometers beside trips.
        Entry("within 3 %", nl: "binnen 3 %", de: "innerhalb 3 %", fr: "dans les 3 %"),
        Entry("within 5 %", nl: "binnen 5 %", de: "innerhalb 5 %", fr: "dans les 5 %"),
        Entry("beyond 5 %", nl: "boven 5 %", de: "über 5 %", fr: "au-delà de 5 %"),
        Entry("no trips", nl: "geen ritten", de: "keine Fahrten", fr: "aucun trajet"),
        Entry("backwards", nl: "teruggelopen", de: "rückwärts", fr: "en arrière"),
        Entry("odometer", nl: "kilometerstand", de: "Kilometerstand", fr: "compteur"),
        Entry("trips", nl: "ritten", de: "Fahrten", fr: "trajets"),
        // What was paid.
        Entry("fuel", nl: "brandstof", de: "Kraftstoff", fr: "carburant"),
        Entry("charging", nl: "laden", de: "Laden", fr: "recharge"),
        Entry("toll", nl: "tol", de: "Maut", fr: "péage"),
        Entry("parking", nl: "parkeren", de: "Parken", fr: "stationnement"),
        Entry("other", nl: "overig", de: "sonstige", fr: "autre"),
        // How sure a rate is.
        Entry("high", nl: "hoog", de: "hoch", fr: "élevée"),
        Entry("medium", nl: "middel", de: "mittel", fr: "moyenne"),
        Entry("low", nl: "laag", de: "gering", fr: "faible"),
        Entry("own", nl: "eigen", de: "eigener", fr: "propre"),
        // Why something is in no claim.
        Entry(
            "they have no class yet",
            nl: "ze zijn nog niet ingedeeld",
            de: "sie sind noch nicht eingeordnet",
            fr: "ils ne sont pas encore classés"
        ),
        Entry(
            "no rate is for this class",
            nl: "voor deze soort is er geen tarief",
            de: "für diese Art gibt es keinen Satz",
            fr: "aucun barème pour cette nature"
        ),
        Entry(
            "no rate is for this kind of vehicle",
            nl: "voor dit type voertuig is er geen tarief",
            de: "für diesen Fahrzeugtyp gibt es keinen Satz",
            fr: "aucun barème pour ce type de véhicule"
        ),
        Entry(
            "the vehicle's fiscal power is not registered",
            nl: "het fiscale vermogen van het voertuig is niet vastgelegd",
            de: "die steuerliche Leistung des Fahrzeugs ist nicht erfasst",
            fr: "la puissance fiscale du véhicule n’est pas enregistrée"
        ),
        Entry(
            "no rate was known for these days",
            nl: "voor deze dagen was geen tarief bekend",
            de: "für diese Tage war kein Satz bekannt",
            fr: "aucun barème n’était connu pour ces jours"
        ),
        Entry(
            "above the distance that is paid",
            nl: "boven de afstand die vergoed wordt",
            de: "über der Strecke, die erstattet wird",
            fr: "au-delà de la distance indemnisée"
        ),
        Entry(
            "one way a day is paid, in full units",
            nl: "per dag wordt één enkele reis vergoed, in hele eenheden",
            de: "je Tag zählt ein einfacher Weg, in vollen Einheiten",
            fr: "un aller simple par jour est indemnisé, en unités entières"
        ),
        Entry(
            "it names no trip that counts in these days",
            nl: "noemt geen rit die in deze dagen telt",
            de: "nennt keine Fahrt, die an diesen Tagen zählt",
            fr: "ne nomme aucun trajet compté ces jours-là"
        ),
        Entry(
            "nothing is paid for its trip",
            nl: "voor de rit wordt niets vergoed",
            de: "für die Fahrt wird nichts erstattet",
            fr: "rien n’est indemnisé pour son trajet"
        ),
        Entry(
            "the rate names nothing of this kind that comes on top",
            nl: "het tarief noemt niets van deze soort dat erbij komt",
            de: "der Satz nennt nichts dieser Art, das hinzukommt",
            fr: "le barème ne prévoit rien de ce genre en sus"
        ),
        Entry(
            "above ten billion, which is not added",
            nl: "boven tien miljard, wat niet wordt opgeteld",
            de: "über zehn Milliarden, was nicht summiert wird",
            fr: "au-delà de dix milliards, non additionné"
        ),
        // Methods and samples.
        Entry("rate", nl: "tarief", de: "Satz", fr: "barème"),
        Entry("expenses", nl: "uitgaven", de: "Ausgaben", fr: "dépenses"),
        Entry("limit", nl: "grens", de: "Grenze", fr: "limite"),
        Entry("year", nl: "jaar", de: "Jahr", fr: "année"),
        Entry("quarter", nl: "kwartaal", de: "Quartal", fr: "trimestre"),
        Entry("first weeks", nl: "eerste weken", de: "erste Wochen", fr: "premières semaines"),
        Entry("twelve weeks", nl: "twaalf weken", de: "zwölf Wochen", fr: "douze semaines"),
        Entry("base year", nl: "basisjaar", de: "Basisjahr", fr: "année de base"),
        Entry("base quarter", nl: "basiskwartaal", de: "Basisquartal", fr: "trimestre de base"),
        Entry("projected", nl: "geschat", de: "hochgerechnet", fr: "projeté"),
    ]
}
