import Tables
package import TripEvents

/// How automations of phones and cars press GO and STOP, in a reader's language.
package enum PressGuide {
    /// Returns the steps for each kind of automation, a line each.
    package static func text(in language: Language) -> String {
        let (intro, steps) = steps(in: language)
        return ([intro] + steps).map { "\($0)\n" }.joined()
    }

    /// Returns the text for all automations, and the steps for each kind.
    static func steps(in language: Language) -> (intro: String, steps: [String]) {
        let words = Words(language)
        return (words.text(intro), automations.map(words.text))
    }

    private static var intro: Phrase {
        Phrase(
            en: """
                Have these addresses asked (GET or POST) when you get into the car and out of it. \
                A browser only shows a button. What an app kept and sends late says when with \
                ?at=TIME (seconds since 1970 or 2026-01-31T08:30:00Z).
                """,
            nl: """
                Laat deze adressen opvragen (GET of POST) bij in- en uitstappen. Een browser toont \
                alleen een knop. Wat een app bewaart en later stuurt, zegt wanneer met ?at=TIJD \
                (seconden sinds 1970 of 2026-01-31T08:30:00Z).
                """,
            de: """
                Diese Adressen beim Ein- und Aussteigen abrufen lassen (GET oder POST). Ein \
                Browser zeigt nur einen Knopf. Was eine App aufhebt und später sendet, sagt mit \
                ?at=ZEIT, wann (Sekunden seit 1970 oder 2026-01-31T08:30:00Z).
                """,
            fr: """
                Faire appeler ces adresses (GET ou POST) en montant dans la voiture et en \
                descendant. Un navigateur ne montre qu’un bouton. Ce qu’une application garde et \
                envoie plus tard dit quand avec ?at=HEURE (secondes depuis 1970 ou \
                2026-01-31T08:30:00Z).
                """
        )
    }

    private static var automations: [Phrase] {
        [iPhone, tasker, otherApps, tag, homeAssistant]
    }

    private static var iPhone: Phrase {
        Phrase(
            en: """
                iPhone: Shortcuts, Automation, CarPlay or Bluetooth connects, run immediately, \
                Get Contents of URL: GO. The same for disconnects: STOP.
                """,
            nl: """
                iPhone: Opdrachten, Automatisering, CarPlay of Bluetooth verbindt, meteen \
                uitvoeren, Haal inhoud van URL op: GO. Hetzelfde bij verbreken: STOP.
                """,
            de: """
                iPhone: Kurzbefehle, Automation, CarPlay oder Bluetooth verbindet, sofort \
                ausführen, Inhalte von URL abrufen: GO. Ebenso beim Trennen: STOP.
                """,
            fr: """
                iPhone : Raccourcis, Automatisation, CarPlay ou Bluetooth se connecte, \
                exécuter immédiatement, Obtenir le contenu de l’URL : GO. De même à la \
                déconnexion : STOP.
                """
        )
    }

    private static var tasker: Phrase {
        Phrase(
            en: """
                Tasker: profile State, BT Connected, your car; entry task HTTP Request GO, \
                exit task HTTP Request STOP, method GET.
                """,
            nl: """
                Tasker: profiel State, BT Connected, je auto; begintaak HTTP Request GO, \
                eindtaak HTTP Request STOP, methode GET.
                """,
            de: """
                Tasker: Profil State, BT Connected, das Auto; Eingangstask HTTP Request GO, \
                Ausgangstask HTTP Request STOP, Methode GET.
                """,
            fr: """
                Tasker : profil State, BT Connected, la voiture ; tâche d’entrée HTTP Request \
                GO, tâche de sortie HTTP Request STOP, méthode GET.
                """
        )
    }

    private static var otherApps: Phrase {
        Phrase(
            en: """
                MacroDroid, Automate: trigger Bluetooth device connected or disconnected, \
                action HTTP request.
                """,
            nl: """
                MacroDroid, Automate: trigger Bluetooth-apparaat verbonden of verbroken, actie \
                HTTP-verzoek.
                """,
            de: """
                MacroDroid, Automate: Auslöser Bluetooth-Gerät verbunden oder getrennt, Aktion \
                HTTP-Anfrage.
                """,
            fr: """
                MacroDroid, Automate : déclencheur appareil Bluetooth connecté ou déconnecté, \
                action requête HTTP.
                """
        )
    }

    private static var tag: Phrase {
        Phrase(
            en: """
                NFC tag: an automation of one of these on the tag. A web address written on \
                the tag opens the browser, whose button presses.
                """,
            nl: """
                NFC-tag: een automatisering hiervan op de tag. Een webadres op de tag opent de \
                browser, waarvan de knop drukt.
                """,
            de: """
                NFC-Tag: eine Automation davon auf dem Tag. Eine Webadresse auf dem Tag öffnet \
                den Browser, dessen Knopf drückt.
                """,
            fr: """
                Étiquette NFC : une de ces automatisations sur l’étiquette. Une adresse web \
                écrite dessus ouvre le navigateur, dont le bouton appuie.
                """
        )
    }

    private static var homeAssistant: Phrase {
        Phrase(
            en:
                "Home Assistant: rest_command with the address as url, for an automation.",
            nl: """
                Home Assistant: rest_command met het adres als url, door een automatisering \
                aangeroepen.
                """,
            de: """
                Home Assistant: rest_command mit der Adresse als url, von einer Automation \
                aufgerufen.
                """,
            fr: """
                Home Assistant : rest_command avec l’adresse comme url, appelé par une \
                automatisation.
                """
        )
    }
}
