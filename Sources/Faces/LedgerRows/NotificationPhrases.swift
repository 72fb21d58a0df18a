import Geodesy
import Projections
import Tables
import TripEvents
import TripLedger
import TripTracking

/// What notifications say, in every language: sentences without a full stop.
enum NotificationPhrases {
    /// Returns the sentence about a trip.
    ///
    /// - Parameters:
    ///   - kind: The kind of the notification.
    ///   - booked: The trip.
    ///   - time: The time of the notified event, as people read it.
    ///   - unit: The unit of distances.
    /// - Returns: The sentence.
    static func trip(
        _ kind: LedgerNotification.Kind,
        _ booked: BookedTrip,
        _ time: String,
        _ unit: DistanceUnit
    ) -> Phrase {
        let id = booked.id.short
        return switch kind {
        case .tripStarted: started(id, time)
        case .tripEnded: ended(booked, time, unit)
        case .tripResumed: resumed(id)
        case .tripWithdrawn: withdrawn(id)
        case .signalLost: signalLost(id, time)
        case .stillRecording: stillRecording(id, time)
        case .recovering: recovering(id, time)
        case .purposeWaiting: waiting(id, time, for: booked.missingDetail)
        case .placeEntered, .placeLeft, .sourceSilent, .odometerOnly, .readingDue, .ratesEnd,
            .backupDue, .witnessDue:
            Phrase(
                en: "Trip \(own: id)",
                nl: "Rit \(own: id)",
                de: "Fahrt \(own: id)",
                fr: "Trajet \(own: id)"
            )
        }
    }

    private static func started(_ id: String, _ time: String) -> Phrase {
        Phrase(
            en: "Trip \(own: id) started \(own: time)",
            nl: "Rit \(own: id) begon \(own: time)",
            de: "Fahrt \(own: id) begann \(own: time)",
            fr: "Trajet \(own: id) commencé \(own: time)"
        )
    }

    private static func ended(
        _ booked: BookedTrip,
        _ time: String,
        _ unit: DistanceUnit
    ) -> Phrase {
        let id = booked.id.short
        if let reason = booked.abandonReason?.rawValue {
            return Phrase(
                en: "Trip \(own: id) ended and does not count (\(own: reason))",
                nl: "Rit \(own: id) eindigde en telt niet (\(own: reason))",
                de: "Fahrt \(own: id) endete und zählt nicht (\(own: reason))",
                fr: "Trajet \(own: id) terminé, il ne compte pas (\(own: reason))"
            )
        }
        let distance = booked.claimedDistance
        let span = LocalTime.span(milliseconds: booked.durationMilliseconds ?? 0)
        return Phrase(
            en: "Trip \(own: id) ended \(own: time): \(distance, in: unit) in \(own: span)",
            nl: "Rit \(own: id) eindigde \(own: time): \(distance, in: unit) in \(own: span)",
            de: "Fahrt \(own: id) endete \(own: time): \(distance, in: unit) in \(own: span)",
            fr: "Trajet \(own: id) terminé \(own: time) : \(distance, in: unit) en \(own: span)"
        )
    }

    private static func resumed(_ id: String) -> Phrase {
        Phrase(
            en: "Trip \(own: id) goes on: it has not ended after all",
            nl: "Rit \(own: id) gaat door: hij is toch niet geëindigd",
            de: "Fahrt \(own: id) geht weiter: sie ist doch nicht zu Ende",
            fr: "Trajet \(own: id) continue : il n’est finalement pas terminé"
        )
    }

    private static func withdrawn(_ id: String) -> Phrase {
        Phrase(
            en: "Trip \(own: id) is withdrawn: late data changed what started it",
            nl: "Rit \(own: id) vervalt: late gegevens veranderden wat hem begon",
            de: "Fahrt \(own: id) entfällt: späte Daten änderten, was sie begann",
            fr: "Trajet \(own: id) retiré : des données tardives ont changé son début"
        )
    }

    private static func signalLost(_ id: String, _ time: String) -> Phrase {
        Phrase(
            en: "Trip \(own: id): signal lost since \(own: time)",
            nl: "Rit \(own: id): geen signaal sinds \(own: time)",
            de: "Fahrt \(own: id): kein Signal seit \(own: time)",
            fr: "Trajet \(own: id) : signal perdu depuis \(own: time)"
        )
    }

    private static func stillRecording(_ id: String, _ time: String) -> Phrase {
        Phrase(
            en: "Trip \(own: id): still recording? Nothing has moved since \(own: time)",
            nl: "Rit \(own: id): nog steeds opnemen? Er beweegt niets sinds \(own: time)",
            de: "Fahrt \(own: id): läuft sie noch? Seit \(own: time) bewegt sich nichts",
            fr: "Trajet \(own: id) : toujours en cours ? Rien ne bouge depuis \(own: time)"
        )
    }

    private static func recovering(_ id: String, _ time: String) -> Phrase {
        Phrase(
            en: """
                Trip \(own: id): the recorder was back \(own: time) and the trip is still open; \
                decide with ledger recover
                """,
            nl: """
                Rit \(own: id): de recorder was terug \(own: time) en de rit is nog open; beslis \
                met ledger recover
                """,
            de: """
                Fahrt \(own: id): der Rekorder war \(own: time) zurück, und die Fahrt ist noch \
                offen; ledger recover entscheidet
                """,
            fr: """
                Trajet \(own: id) : l’enregistreur est revenu \(own: time) et le trajet est \
                encore ouvert ; décidez avec ledger recover
                """
        )
    }

    private static func waiting(
        _ id: String,
        _ time: String,
        for missing: MissingDetail?
    ) -> Phrase {
        let detail =
            missing == .purpose
            ? Phrase(en: "purpose", nl: "doel", de: "Zweck", fr: "motif")
            : Phrase(en: "class", nl: "soort", de: "Art", fr: "catégorie")
        return Phrase(
            en: "Trip \(own: id), which ended \(own: time), waits for its \(detail)",
            nl: "Rit \(own: id), geëindigd \(own: time), wacht op: \(detail)",
            de: "Fahrt \(own: id), die \(own: time) endete, wartet auf: \(detail)",
            fr: "Trajet \(own: id), terminé \(own: time), en attente : \(detail)"
        )
    }

    /// Returns the sentence about a device at a place.
    ///
    /// - Parameters:
    ///   - source: The device.
    ///   - place: The place.
    ///   - time: When it came or left.
    ///   - isLeft: Whether it left.
    /// - Returns: The sentence.
    static func visit(
        of source: String,
        at place: String,
        _ time: String,
        isLeft: Bool
    ) -> Phrase {
        if isLeft {
            return Phrase(
                en: "\(own: source) has left \(own: place) since \(own: time)",
                nl: "\(own: source) is weg van \(own: place) sinds \(own: time)",
                de: "\(own: source) ist seit \(own: time) nicht mehr bei \(own: place)",
                fr: "\(own: source) a quitté \(own: place) à \(own: time)"
            )
        }
        return Phrase(
            en: "\(own: source) is at \(own: place) since \(own: time)",
            nl: "\(own: source) is bij \(own: place) sinds \(own: time)",
            de: "\(own: source) ist seit \(own: time) bei \(own: place)",
            fr: "\(own: source) est à \(own: place) depuis \(own: time)"
        )
    }

    /// Returns the sentence of a reminder.
    ///
    /// - Parameters:
    ///   - kind: The kind of the notification.
    ///   - reminder: What it is about.
    ///   - time: Since when it holds.
    ///   - unit: The unit of distances.
    /// - Returns: The sentence.
    static func reminder(
        _ kind: LedgerNotification.Kind,
        _ reminder: LedgerNotification.Reminder,
        _ time: String,
        _ unit: DistanceUnit
    ) -> Phrase {
        let ledger = Phrase(
            en: "the ledger",
            nl: "het grootboek",
            de: "das Buch",
            fr: "le registre"
        )
        let about = reminder.about.map { Phrase("\(own: $0)") } ?? ledger
        switch kind {
        case .sourceSilent: return silent(about, time)
        case .odometerOnly: return odometerOnly(about, reminder.distance ?? .zero, time, unit)
        case .readingDue: return readingDue(about, time)
        case .ratesEnd:
            let day = reminder.lastDay.map { Phrase("\($0)") } ?? Phrase("\(own: time)")
            return ratesEnd(about, on: day)
        case .backupDue: return backupDue(time)
        case .witnessDue: return witnessDue(time)
        case .tripWithdrawn, .tripStarted, .tripEnded, .tripResumed, .signalLost, .stillRecording,
            .recovering, .placeEntered, .placeLeft, .purposeWaiting:
            return Phrase(
                en: "Something is to be done about \(about)",
                nl: "Er is iets te doen aan \(about)",
                de: "Etwas ist zu tun: \(about)",
                fr: "Quelque chose est à faire : \(about)"
            )
        }
    }

    private static func silent(_ about: Phrase, _ time: String) -> Phrase {
        Phrase(
            en: "\(about) has said nothing since \(own: time), and usually drives",
            nl: "\(about) zwijgt sinds \(own: time), en rijdt gewoonlijk",
            de: "\(about) schweigt seit \(own: time), und fährt sonst",
            fr: "\(about) ne dit rien depuis \(own: time), et roule d’habitude"
        )
    }

    private static func odometerOnly(
        _ about: Phrase,
        _ distance: Distance,
        _ time: String,
        _ unit: DistanceUnit
    ) -> Phrase {
        Phrase(
            en: """
                The odometer of \(about) saw \(distance, in: unit) until \(own: time) that no trip \
                explains
                """,
            nl: """
                De teller van \(about) zag tot \(own: time) \(distance, in: unit) die geen rit \
                verklaart
                """,
            de: """
                Der Zähler von \(about) sah bis \(own: time) \(distance, in: unit), die keine \
                Fahrt erklärt
                """,
            fr: """
                Le compteur de \(about) a vu, jusqu’à \(own: time), \(distance, in: unit) \
                qu’aucun trajet n’explique
                """
        )
    }

    private static func readingDue(_ about: Phrase, _ time: String) -> Phrase {
        Phrase(
            en: "The odometer of \(about) is to be read again since \(own: time)",
            nl: "De kilometerstand van \(about) moet sinds \(own: time) opnieuw worden afgelezen",
            de: "Der Kilometerstand von \(about) ist seit \(own: time) wieder abzulesen",
            fr: "Le compteur de \(about) est à relever de nouveau depuis \(own: time)"
        )
    }

    private static func ratesEnd(_ about: Phrase, on day: Phrase) -> Phrase {
        Phrase(
            en: "The last day of the rates \(about) is \(day), and no others go on",
            nl: "De laatste dag van de tarieven \(about) is \(day), en geen andere gaan verder",
            de: "Der letzte Tag der Sätze \(about) ist \(day), und keine anderen gelten weiter",
            fr: "Le dernier jour des barèmes \(about) est \(day), et aucun autre ne suit"
        )
    }

    private static func backupDue(_ time: String) -> Phrase {
        Phrase(
            en: "A backup of the ledger is due since \(own: time)",
            nl: "Een reservekopie van het grootboek is nodig sinds \(own: time)",
            de: "Eine Sicherung des Buchs ist seit \(own: time) fällig",
            fr: "Une sauvegarde du registre est due depuis \(own: time)"
        )
    }

    private static func witnessDue(_ time: String) -> Phrase {
        Phrase(
            en: "A witness is to cosign the ledger's head since \(own: time)",
            nl: "Een getuige moet sinds \(own: time) de kop van het grootboek medeondertekenen",
            de: "Ein Zeuge soll seit \(own: time) den Kopf des Buchs mitzeichnen",
            fr: "Un témoin doit cosigner la tête du registre depuis \(own: time)"
        )
    }

    /// Returns the sentence about the mileage log of a month.
    static func monthIssued(_ month: String, keptIn place: String) -> Phrase {
        Phrase(
            en: "The mileage log of \(own: month) was issued and is kept in \(own: place)",
            nl: "De rittenregistratie van \(own: month) is uitgegeven en staat in \(own: place)",
            de: "Das Fahrtenbuch von \(own: month) ist ausgegeben und liegt in \(own: place)",
            fr: "Le relevé de \(own: month) a été émis et se trouve dans \(own: place)"
        )
    }
}
