import Tables
import TripEvents

/// The fields of trips and settings as the list of changes names them: in English by their names in
/// JSON, as `ledger history` does.
enum FieldPhrases {
    /// Returns the name of a field of a trip; a custom field keeps its key.
    static func ofTrip(_ field: String) -> Phrase {
        let custom = "fields."
        if field.hasPrefix(custom) {
            let key = String(field.dropFirst(custom.count))
            return Phrase(
                en: "fields.\(own: key)",
                nl: "veld \(own: key)",
                de: "Feld \(own: key)",
                fr: "champ \(own: key)"
            )
        }
        return trips[field] ?? .own(field)
    }

    /// Returns the name of a field of a setting that trips depend on.
    static func ofSetting(_ field: String) -> Phrase {
        settings[field] ?? trips[field] ?? .own(field)
    }

    private static func named(
        _ name: String,
        nl: Phrase.Text,
        de: Phrase.Text,
        fr: Phrase.Text
    ) -> (String, Phrase) {
        (name, Phrase(en: Phrase.Text(stringLiteral: name), nl: nl, de: de, fr: fr))
    }

    private static let trips = Dictionary(uniqueKeysWithValues: [
        named("title", nl: "titel", de: "Titel", fr: "titre"),
        named("purpose", nl: "doel", de: "Zweck", fr: "motif"),
        named("notes", nl: "notities", de: "Notizen", fr: "notes"),
        named("category", nl: "categorie", de: "Kategorie", fr: "catégorie"),
        named("client", nl: "klant", de: "Kunde", fr: "client"),
        named("vehicle", nl: "voertuig", de: "Fahrzeug", fr: "véhicule"),
        named("class", nl: "soort", de: "Art", fr: "nature"),
        named("mode", nl: "vervoermiddel", de: "Verkehrsmittel", fr: "moyen de transport"),
        named("from", nl: "van", de: "von", fr: "de"),
        named("to", nl: "naar", de: "nach", fr: "à"),
        named("driver", nl: "bestuurder", de: "Fahrer", fr: "conducteur"),
        named("from_address", nl: "adres van", de: "Adresse von", fr: "adresse de départ"),
        named("to_address", nl: "adres naar", de: "Adresse nach", fr: "adresse d’arrivée"),
        named("routine", nl: "routine", de: "Routine", fr: "routine"),
        named("status", nl: "toestand", de: "Zustand", fr: "état"),
        // Its values have the unit beside them.
        ("distance_m", SharedWord.distance.phrase),
        named("merged", nl: "samengevoegd", de: "zusammengeführt", fr: "fusionnés"),
        named("split_at", nl: "gesplitst om", de: "geteilt um", fr: "divisé à"),
        named("excluded", nl: "uitgesloten", de: "ausgenommen", fr: "exclu"),
    ])

    private static let settings = Dictionary(uniqueKeysWithValues: [
        named("fields", nl: "velden", de: "Felder", fr: "champs"),
        named("from_place", nl: "van plaats", de: "von Ort", fr: "du lieu"),
        named("to_place", nl: "naar plaats", de: "nach Ort", fr: "au lieu"),
        named("both_ways", nl: "heen en terug", de: "hin und zurück", fr: "aller et retour"),
        named("days", nl: "dagen", de: "Tage", fr: "jours"),
        named("from_time", nl: "van tijd", de: "von Zeit", fr: "de l’heure"),
        named("to_time", nl: "tot tijd", de: "bis Zeit", fr: "à l’heure"),
        named("since", nl: "sinds", de: "seit", fr: "depuis"),
        named("plate", nl: "kenteken", de: "Kennzeichen", fr: "plaque"),
        named("make", nl: "merk", de: "Marke", fr: "marque"),
        named("model", nl: "model", de: "Modell", fr: "modèle"),
        named(
            "in_service_since",
            nl: "in gebruik sinds",
            de: "in Betrieb seit",
            fr: "en service depuis"
        ),
        named("vehicle_kind", nl: "type voertuig", de: "Fahrzeugtyp", fr: "type de véhicule"),
        named(
            "fiscal_power",
            nl: "fiscaal vermogen",
            de: "steuerliche Leistung",
            fr: "puissance fiscale"
        ),
        named("fuel", nl: "brandstof", de: "Kraftstoff", fr: "carburant"),
        named("engine_cc", nl: "cilinderinhoud", de: "Hubraum", fr: "cylindrée"),
        named("address", nl: "adres", de: "Adresse", fr: "adresse"),
        named("electric", nl: "elektrisch", de: "elektrisch", fr: "électrique"),
        named("value", nl: "waarde", de: "Wert", fr: "valeur"),
        named("unit", nl: "eenheid", de: "Einheit", fr: "unité"),
        named("method", nl: "wijze", de: "Weise", fr: "méthode"),
        named("corrects", nl: "verbetert", de: "berichtigt", fr: "corrige"),
        named("lat", nl: "breedtegraad", de: "Breite", fr: "latitude"),
        named("lon", nl: "lengtegraad", de: "Länge", fr: "longitude"),
        named("radius_m", nl: "straal (m)", de: "Radius (m)", fr: "rayon (m)"),
        named("label", nl: "naam", de: "Name", fr: "nom"),
        named(
            "skip",
            nl: "beëindigt geen rit",
            de: "beendet keine Fahrt",
            fr: "ne termine aucun trajet"
        ),
        named(
            "notify_on_entry",
            nl: "aankomst melden",
            de: "Ankunft melden",
            fr: "signaler l’arrivée"
        ),
        named(
            "notify_on_exit",
            nl: "vertrek melden",
            de: "Abfahrt melden",
            fr: "signaler le départ"
        ),
        named("imported_from", nl: "geïmporteerd uit", de: "importiert aus", fr: "importé de"),
        named("value_type", nl: "type waarde", de: "Werttyp", fr: "type de valeur"),
        named("options", nl: "keuzes", de: "Auswahl", fr: "choix"),
        named("order", nl: "volgorde", de: "Reihenfolge", fr: "ordre"),
        named("time_zone", nl: "tijdzone", de: "Zeitzone", fr: "fuseau horaire"),
        named("units", nl: "eenheden", de: "Einheiten", fr: "unités"),
        named("language", nl: "taal", de: "Sprache", fr: "langue"),
        named("country", nl: "land", de: "Land", fr: "pays"),
        named("paper", nl: "papier", de: "Papier", fr: "papier"),
        named("keeper", nl: "houder", de: "Halter", fr: "titulaire"),
        named("preset", nl: "voorinstelling", de: "Voreinstellung", fr: "préréglage"),
        named(
            "rules_version",
            nl: "versie van de regels",
            de: "Fassung der Regeln",
            fr: "version des règles"
        ),
        named("parameters", nl: "parameters", de: "Parameter", fr: "paramètres"),
        named("by_seconds", nl: "met seconden", de: "um Sekunden", fr: "de secondes"),
        named("rates", nl: "tarieven", de: "Sätze", fr: "barèmes"),
        named(
            "content_hash",
            nl: "hash van de inhoud",
            de: "Hash des Inhalts",
            fr: "empreinte du contenu"
        ),
        named("positions", nl: "posities", de: "Positionen", fr: "positions"),
        named("erased_from", nl: "gewist uit", de: "gelöscht aus", fr: "effacé de"),
        named("kind", nl: "type", de: "Typ", fr: "type"),
        named("amount", nl: "bedrag", de: "Betrag", fr: "montant"),
        named("currency", nl: "valuta", de: "Währung", fr: "devise"),
        named("day", nl: "dag", de: "Tag", fr: "jour"),
        named("trip", nl: "rit", de: "Fahrt", fr: "trajet"),
        named(
            "trip_started_at",
            nl: "begin van de rit",
            de: "Beginn der Fahrt",
            fr: "départ du trajet"
        ),
        named("place", nl: "plaats", de: "Ort", fr: "lieu"),
        named("merchant", nl: "verkoper", de: "Händler", fr: "commerçant"),
        named("quantity", nl: "hoeveelheid", de: "Menge", fr: "quantité"),
        named(
            "quantity_unit",
            nl: "eenheid van de hoeveelheid",
            de: "Einheit der Menge",
            fr: "unité de la quantité"
        ),
        named(
            "receipt_hash",
            nl: "hash van de bon",
            de: "Hash des Belegs",
            fr: "empreinte du reçu"
        ),
        named("void", nl: "vervallen", de: "verworfen", fr: "annulé"),
    ])
}
