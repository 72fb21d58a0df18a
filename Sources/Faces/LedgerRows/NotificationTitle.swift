import Tables
import TripLedger

/// The title of a notification, for receivers that show one: its kind.
package enum NotificationTitle {
    /// The kind of the message that the mileage log of a month was issued, which is not a
    /// `LedgerNotification`.
    package static let monthIssued = "month_issued"

    /// Returns the kind of a notification in some words.
    ///
    /// - Parameters:
    ///   - kind: The kind, as `notification.v1.schema.json` names it, or ``monthIssued``.
    ///   - language: The language, as the ledger's settings have it (BCP 47); `nil` for English.
    /// - Returns: The words, such as "Trip ended"; for a kind that only a newer program knows, its
    ///   name.
    package static func text(of kind: String, language: String?) -> String {
        let words = NotificationMessage.words(of: language)
        if kind == monthIssued { return words.text(issued) }
        if let known = LedgerNotification.Kind(rawValue: kind).flatMap({ phrases[$0] }) {
            return words.text(known)
        }
        let name = kind.split(separator: "_").joined(separator: " ")
        return name.prefix(1).uppercased() + name.dropFirst()
    }

    private static let issued = Phrase(
        en: "Month issued",
        nl: "Maand uitgegeven",
        de: "Monat ausgegeben",
        fr: "Mois émis"
    )

    /// The kinds in words, by their names.
    private static let phrases: [LedgerNotification.Kind: Phrase] = [
        .tripStarted: Phrase(
            en: "Trip started",
            nl: "Rit begonnen",
            de: "Fahrt begonnen",
            fr: "Trajet commencé"
        ),
        .tripEnded: Phrase(
            en: "Trip ended",
            nl: "Rit beëindigd",
            de: "Fahrt beendet",
            fr: "Trajet terminé"
        ),
        .tripResumed: Phrase(
            en: "Trip resumed",
            nl: "Rit gaat verder",
            de: "Fahrt geht weiter",
            fr: "Trajet repris"
        ),
        .tripWithdrawn: Phrase(
            en: "Trip withdrawn",
            nl: "Rit ingetrokken",
            de: "Fahrt zurückgezogen",
            fr: "Trajet retiré"
        ),
        .signalLost: Phrase(
            en: "Signal lost",
            nl: "Signaal kwijt",
            de: "Signal verloren",
            fr: "Signal perdu"
        ),
        .stillRecording: Phrase(
            en: "Still recording",
            nl: "Neemt nog op",
            de: "Zeichnet noch auf",
            fr: "Enregistre encore"
        ),
        .recovering: Phrase(
            en: "Recovering",
            nl: "Herstel",
            de: "Wiederaufnahme",
            fr: "Reprise"
        ),
        .placeEntered: Phrase(
            en: "Place entered",
            nl: "Plaats bereikt",
            de: "Ort erreicht",
            fr: "Arrivée à un lieu"
        ),
        .placeLeft: Phrase(
            en: "Place left",
            nl: "Plaats verlaten",
            de: "Ort verlassen",
            fr: "Départ d’un lieu"
        ),
        .purposeWaiting: Phrase(
            en: "Purpose waiting",
            nl: "Doel ontbreekt",
            de: "Zweck fehlt noch",
            fr: "Motif attendu"
        ),
        .sourceSilent: Phrase(
            en: "Source silent",
            nl: "Bron zwijgt",
            de: "Quelle schweigt",
            fr: "Source muette"
        ),
        .odometerOnly: Phrase(
            en: "Odometer only",
            nl: "Alleen kilometerteller",
            de: "Nur Kilometerstand",
            fr: "Compteur seul"
        ),
        .readingDue: Phrase(
            en: "Reading due",
            nl: "Stand aflezen",
            de: "Ablesung fällig",
            fr: "Relevé à faire"
        ),
        .ratesEnd: Phrase(
            en: "Rates end",
            nl: "Tarieven lopen af",
            de: "Sätze laufen aus",
            fr: "Fin des barèmes"
        ),
        .backupDue: Phrase(
            en: "Backup due",
            nl: "Back-up nodig",
            de: "Sicherung fällig",
            fr: "Sauvegarde à faire"
        ),
        .witnessDue: Phrase(
            en: "Witness due",
            nl: "Getuige gevraagd",
            de: "Zeuge fällig",
            fr: "Témoin attendu"
        ),
    ]
}
