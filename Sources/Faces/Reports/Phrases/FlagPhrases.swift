import Tables

/// The flags of a trip, in words.
enum FlagPhrases {
    /// Returns a flag by its name in JSON, which is also what English reports say.
    static func phrase(of flag: String) -> Phrase { all[flag] ?? .own(flag) }

    /// The flags that have words.
    static var names: Set<String> { Set(all.keys) }

    private static func flag(
        _ name: String,
        nl: Phrase.Text,
        de: Phrase.Text,
        fr: Phrase.Text
    ) -> (String, Phrase) {
        (name, Phrase(en: Phrase.Text(stringLiteral: name), nl: nl, de: de, fr: fr))
    }

    private static let all = Dictionary(uniqueKeysWithValues: [
        flag("adjusted", nl: "bijgesteld", de: "angepasst", fr: "ajusté"),
        flag(
            "approximate_start",
            nl: "begin ongeveer",
            de: "Beginn ungefähr",
            fr: "départ approché"
        ),
        flag(
            "auto_stopped",
            nl: "vanzelf beëindigd",
            de: "von selbst beendet",
            fr: "arrêt automatique"
        ),
        flag("by_rule", nl: "volgens routine", de: "nach Routine", fr: "selon routine"),
        flag("edited", nl: "gewijzigd", de: "geändert", fr: "modifié"),
        flag("erased", nl: "deels gewist", de: "teils gelöscht", fr: "effacé en partie"),
        flag("excluded", nl: "deels uitgesloten", de: "teils ausgenommen", fr: "exclu en partie"),
        flag("forgotten_stop", nl: "STOP vergeten", de: "STOP vergessen", fr: "STOP oublié"),
        flag("late_change", nl: "laat gewijzigd", de: "spät geändert", fr: "modifié tard"),
        flag("late_entry", nl: "laat ingevuld", de: "spät eingetragen", fr: "saisi tard"),
        flag("merged", nl: "samengevoegd", de: "zusammengeführt", fr: "fusionné"),
        flag("odometer", nl: "kilometerstand", de: "Kilometerstand", fr: "compteur"),
        flag("overlapping", nl: "overlappend", de: "überschneidend", fr: "chevauchant"),
        flag("pressed", nl: "GO onderweg", de: "GO unterwegs", fr: "GO en route"),
        flag("recovered", nl: "hersteld", de: "wiederhergestellt", fr: "rétabli"),
        flag("reported", nl: "opgegeven", de: "angegeben", fr: "déclaré"),
        flag("split", nl: "gesplitst", de: "geteilt", fr: "divisé"),
    ])
}
