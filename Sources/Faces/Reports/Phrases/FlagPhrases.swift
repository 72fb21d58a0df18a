import Tables

/// The flags of a trip, in words.
enum FlagPhrases {
    /// A flag in words, and what it says of a trip.
    private struct Flag {
        let name: Phrase
        let meaning: Phrase
    }

    /// Returns a flag by its name in JSON.
    static func phrase(of flag: String) -> Phrase { all[flag]?.name ?? .own(flag) }

    /// The flags that have words.
    static var names: Set<String> { Set(all.keys) }

    /// Returns what flags mean, as a sentence that begins with the title of their column.
    static func legend(of flags: [String]) -> Phrase {
        let entries = flags.compactMap { all[$0] }
            .map { Phrase("\($0.name) = \($0.meaning)") }
        guard let first = entries.first else { return Phrase("") }
        let list = entries.dropFirst()
            .reduce(first) { list, entry in
                Phrase(
                    en: "\(list); \(entry)",
                    nl: "\(list); \(entry)",
                    de: "\(list); \(entry)",
                    fr: "\(list) ; \(entry)"
                )
            }
        return Phrase(
            en: "Flags: \(list).",
            nl: "Kenmerken: \(list).",
            de: "Merkmale: \(list).",
            fr: "Indications : \(list)."
        )
    }

    private static let all: [String: Flag] = [
        "adjusted": Flag(
            name: Phrase(en: "adjusted", nl: "bijgesteld", de: "angepasst", fr: "ajusté"),
            meaning: Phrase(
                en: "a person set the distance, and the measured one stands beside it",
                nl: "een persoon stelde de afstand vast; de gemetene staat ernaast",
                de: "die Strecke hat eine Person gesetzt, die gemessene steht daneben",
                fr: "la distance a été fixée par une personne ; celle mesurée est à côté"
            )
        ),
        "approximate_start": Flag(
            name: Phrase(
                en: "approximate start",
                nl: "begin ongeveer",
                de: "Beginn ungefähr",
                fr: "départ approché"
            ),
            meaning: Phrase(
                en: "the position where it started was measured poorly",
                nl: "de plaats van vertrek is onnauwkeurig gemeten",
                de: "der Ort des Beginns wurde ungenau gemessen",
                fr: "la position de départ a été mal mesurée"
            )
        ),
        "auto_stopped": Flag(
            name: Phrase(
                en: "ended by itself",
                nl: "vanzelf beëindigd",
                de: "von selbst beendet",
                fr: "arrêt automatique"
            ),
            meaning: Phrase(
                en: "it ended because the vehicle stood still or nothing was reported",
                nl: "beëindigd omdat het voertuig stilstond of niets meer gemeld werd",
                de: "sie endete, weil das Fahrzeug stand oder nichts mehr gemeldet wurde",
                fr: "terminé car le véhicule était à l’arrêt ou rien n’était signalé"
            )
        ),
        "by_rule": Flag(
            name: Phrase(
                en: "by routine",
                nl: "volgens routine",
                de: "nach Routine",
                fr: "selon routine"
            ),
            meaning: Phrase(
                en: "a routine of the driver gave it its details",
                nl: "een routine van de bestuurder gaf de gegevens",
                de: "eine Routine des Fahrers gab ihr die Angaben",
                fr: "une routine du conducteur a donné les détails"
            )
        ),
        "edited": Flag(
            name: Phrase(en: "edited", nl: "gewijzigd", de: "geändert", fr: "modifié"),
            meaning: Phrase(
                en: "something was said otherwise later; the report of changes has both",
                nl: "later is iets anders gezegd; het rapport van wijzigingen heeft beide",
                de: "später wurde etwas anders gesagt; der Bericht der Änderungen hat beides",
                fr: "une donnée a été changée ensuite ; le rapport des modifications a les deux"
            )
        ),
        "erased": Flag(
            name: Phrase(
                en: "partly erased",
                nl: "deels gewist",
                de: "teils gelöscht",
                fr: "effacé en partie"
            ),
            meaning: Phrase(
                en: "recordings were erased, so that its figures are less than what was measured",
                nl: "opnamen zijn gewist; de cijfers zijn lager dan gemeten",
                de: "Aufzeichnungen wurden gelöscht; ihre Zahlen sind kleiner als gemessen",
                fr: "des relevés ont été effacés ; ses chiffres sont inférieurs au mesuré"
            )
        ),
        "excluded": Flag(
            name: Phrase(
                en: "partly excluded",
                nl: "deels uitgesloten",
                de: "teils ausgenommen",
                fr: "exclu en partie"
            ),
            meaning: Phrase(
                en: "a person took a stretch out of the distance",
                nl: "een persoon nam een stuk uit de afstand",
                de: "eine Person nahm ein Stück aus der Strecke",
                fr: "une personne a retiré une partie de la distance"
            )
        ),
        "forgotten_stop": Flag(
            name: Phrase(
                en: "STOP forgotten",
                nl: "STOP vergeten",
                de: "STOP vergessen",
                fr: "STOP oublié"
            ),
            meaning: Phrase(
                en: "GO for the next trip ended it",
                nl: "GO voor de volgende rit beëindigde deze",
                de: "GO zur nächsten Fahrt beendete sie",
                fr: "le GO du trajet suivant l’a terminé"
            )
        ),
        "late_change": Flag(
            name: Phrase(
                en: "changed late",
                nl: "laat gewijzigd",
                de: "spät geändert",
                fr: "modifié tard"
            ),
            meaning: Phrase(
                en: "details changed more than seven days after the trip",
                nl: "gegevens meer dan zeven dagen na de rit gewijzigd",
                de: "Angaben mehr als sieben Tage nach der Fahrt geändert",
                fr: "détails modifiés plus de sept jours après le trajet"
            )
        ),
        "late_entry": Flag(
            name: Phrase(
                en: "entered late",
                nl: "laat ingevuld",
                de: "spät eingetragen",
                fr: "saisi tard"
            ),
            meaning: Phrase(
                en: "details entered more than seven days after the trip",
                nl: "gegevens meer dan zeven dagen na de rit ingevuld",
                de: "Angaben mehr als sieben Tage nach der Fahrt eingetragen",
                fr: "détails saisis plus de sept jours après le trajet"
            )
        ),
        "merged": Flag(
            name: Phrase(en: "merged", nl: "samengevoegd", de: "zusammengeführt", fr: "fusionné"),
            meaning: Phrase(
                en: "made of several recorded trips",
                nl: "samengesteld uit meerdere opgenomen ritten",
                de: "aus mehreren aufgezeichneten Fahrten",
                fr: "composé de plusieurs trajets enregistrés"
            )
        ),
        "odometer": Flag(
            name: Phrase(
                en: "odometer",
                nl: "kilometerstand",
                de: "Kilometerstand",
                fr: "compteur"
            ),
            meaning: Phrase(
                en: "the distance is the difference of two readings",
                nl: "de afstand is het verschil van twee standen",
                de: "die Strecke ist die Differenz zweier Stände",
                fr: "la distance est la différence de deux relevés"
            )
        ),
        "overlapping": Flag(
            name: Phrase(
                en: "overlapping",
                nl: "overlappend",
                de: "überschneidend",
                fr: "chevauchant"
            ),
            meaning: Phrase(
                en: "another trip of that time is there too",
                nl: "er is ook een andere rit van die tijd",
                de: "eine andere Fahrt dieser Zeit ist auch da",
                fr: "un autre trajet de ce moment existe aussi"
            )
        ),
        "pressed": Flag(
            name: Phrase(
                en: "GO on the way",
                nl: "GO onderweg",
                de: "GO unterwegs",
                fr: "GO en route"
            ),
            meaning: Phrase(
                en: "it started by itself, and GO was pressed later",
                nl: "begon vanzelf; GO is later ingedrukt",
                de: "sie begann von selbst, GO wurde später gedrückt",
                fr: "commencé de lui-même, GO pressé ensuite"
            )
        ),
        "recovered": Flag(
            name: Phrase(
                en: "recovered",
                nl: "hersteld",
                de: "wiederhergestellt",
                fr: "rétabli"
            ),
            meaning: Phrase(
                en: "its recorder failed on the way and came back",
                nl: "de recorder viel onderweg uit en kwam terug",
                de: "der Rekorder fiel unterwegs aus und kam wieder",
                fr: "l’enregistreur s’est arrêté en route, puis a repris"
            )
        ),
        "reported": Flag(
            name: Phrase(en: "reported", nl: "opgegeven", de: "angegeben", fr: "déclaré"),
            meaning: Phrase(
                en: "a person or a file says the distance; it was not measured",
                nl: "een persoon of bestand zegt de afstand; niet gemeten",
                de: "eine Person oder Datei sagt die Strecke; nicht gemessen",
                fr: "une personne ou un fichier dit la distance ; non mesurée"
            )
        ),
        "split": Flag(
            name: Phrase(en: "split", nl: "gesplitst", de: "geteilt", fr: "divisé"),
            meaning: Phrase(
                en: "a part of a recorded trip that a person split",
                nl: "deel van een opgenomen rit die een persoon splitste",
                de: "Teil einer aufgezeichneten Fahrt, die eine Person teilte",
                fr: "partie d’un trajet enregistré qu’une personne a divisé"
            )
        ),
    ]
}
