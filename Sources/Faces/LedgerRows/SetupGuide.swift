package import ServerStore
package import Tables
package import TripEvents

/// The steps that set up an app, in a reader's language.
package struct SetupGuide: Sendable {
    private let app: DeliveryApp

    /// Whether the app is told to record densely while a trip goes on.
    private let isTold: Bool

    /// Describes the setup of an app with a token.
    package init(_ app: DeliveryApp, with token: Token) {
        self.app = app
        isTold = token.recordsDenselyOnTrips
    }

    /// The steps, in their order, each a sentence or two.
    package var steps: [Phrase] { [before, opening, permission, after].compactMap(\.self) }

    /// Returns the steps in a language, with their numbers.
    package func text(in language: Language) -> String {
        let words = Words(language)
        return steps.enumerated().map { "\($0.offset + 1). \(words.text($0.element))\n" }.joined()
    }

    /// The switch that comes first.
    private var before: Phrase? {
        switch app {
        case .owntracks:
            Phrase(
                en: """
                    First, in OwnTracks: Settings, Advanced, switch Remote control on. Since 2026 \
                    the app passes over links and codes without it.
                    """,
                nl: """
                    Eerst in OwnTracks: Instellingen, Geavanceerd, zet Remote control aan. Sinds \
                    2026 negeert de app links en codes zonder dat.
                    """,
                de: """
                    Zuerst in OwnTracks: Einstellungen, Erweitert, Remote control einschalten. \
                    Seit 2026 übergeht die App sonst Links und Codes.
                    """,
                fr: """
                    D’abord dans OwnTracks : Réglages, Avancé, activer Remote control. Depuis \
                    2026, l’application ignore sinon les liens et les codes.
                    """
            )
        case .overland, .traccar, .colota, .gpslogger, .osmand: nil
        }
    }

    /// How the link, or the values, get into the app.
    private var opening: Phrase {
        switch app {
        case .owntracks, .overland, .colota:
            Phrase(
                en: """
                    Open the link on the phone, or scan the code with its camera. If nothing \
                    happens, type the values.
                    """,
                nl: """
                    Open de link op de telefoon, of scan de code met de camera. Gebeurt er niets, \
                    typ dan de waarden.
                    """,
                de: """
                    Den Link auf dem Telefon öffnen oder den Code mit der Kamera scannen. \
                    Geschieht nichts, die Werte eintippen.
                    """,
                fr: """
                    Ouvrir le lien sur le téléphone, ou scanner le code avec l’appareil photo. \
                    S’il ne se passe rien, saisir les valeurs.
                    """
            )
        case .traccar:
            Phrase(
                en: "In Traccar Client: Settings, scan the code; or type the values.",
                nl: "In Traccar Client: Instellingen, scan de code; of typ de waarden.",
                de: "In Traccar Client: Einstellungen, den Code scannen; oder die Werte eintippen.",
                fr: "Dans Traccar Client : Réglages, scanner le code ; ou saisir les valeurs."
            )
        case .gpslogger:
            Phrase(
                en: """
                    In GPSLogger 136 or later: Auto send, Dawarich, type the values. Not the \
                    custom URL, which gives a position up after three tries.
                    """,
                nl: """
                    In GPSLogger 136 of nieuwer: Auto send, Dawarich, typ de waarden. Niet de \
                    custom URL, die een positie na drie pogingen opgeeft.
                    """,
                de: """
                    In GPSLogger ab 136: Auto send, Dawarich, die Werte eintippen. Nicht die \
                    Custom URL, die eine Position nach drei Versuchen aufgibt.
                    """,
                fr: """
                    Dans GPSLogger 136 ou plus récent : Auto send, Dawarich, saisir les valeurs. \
                    Pas l’URL personnalisée, qui abandonne une position après trois essais.
                    """
            )
        case .osmand:
            Phrase(
                en: "In OsmAnd: Trip recording, Online tracking, give it the address.",
                nl: "In OsmAnd: Ritregistratie, Online volgen, geef het adres.",
                de: "In OsmAnd: Streckenaufzeichnung, Online-Aufzeichnung, die Adresse angeben.",
                fr: "Dans OsmAnd : Enregistrement d’itinéraire, Suivi en ligne, donner l’adresse."
            )
        }
    }

    /// What the phone must allow.
    private var permission: Phrase {
        Phrase(
            en: """
                Let the app use the location always and precisely, and take it out of battery \
                saving.
                """,
            nl: """
                Geef de app altijd en precies toegang tot de locatie, en sluit hem uit van \
                batterijbesparing.
                """,
            de: "Der App den Standort immer und genau erlauben und sie vom Stromsparen ausnehmen.",
            fr: """
                Autoriser l’application à utiliser la position toujours et avec précision, et \
                l’exclure de l’économie de batterie.
                """
        )
    }

    /// How densely it records.
    private var after: Phrase? {
        switch app {
        case .owntracks where isTold:
            Phrase(
                en: """
                    It records now and then, and densely while a trip goes on: each answer of \
                    the server tells it.
                    """,
                nl: """
                    Hij registreert af en toe, en dicht tijdens een rit: elk antwoord van de \
                    server zegt het hem.
                    """,
                de: """
                    Sie zeichnet ab und zu auf und während einer Fahrt dicht: jede Antwort des \
                    Servers sagt es ihr.
                    """,
                fr: """
                    Elle enregistre de temps en temps, et densément pendant un trajet : chaque \
                    réponse du serveur le lui dit.
                    """
            )
        case .owntracks:
            Phrase(
                en: """
                    Leave its mode on Move: in Significant it loses a fifth to two fifths of the \
                    kilometres.
                    """,
                nl: """
                    Laat de modus op Move: in Significant gaat een vijfde tot twee vijfde van de \
                    kilometers verloren.
                    """,
                de: """
                    Den Modus auf Move lassen: in Significant geht ein Fünftel bis zwei Fünftel \
                    der Kilometer verloren.
                    """,
                fr: """
                    Laisser le mode sur Move : en Significant, un à deux cinquièmes des kilomètres \
                    se perdent.
                    """
            )
        case .gpslogger:
            Phrase(
                en:
                    "Performance: log every 5 seconds, no distance filter; then start logging.",
                nl: """
                    Onder Performance: elke 5 seconden loggen, geen afstandsfilter, en start het \
                    loggen.
                    """,
                de: """
                    Unter Performance: alle 5 Sekunden aufzeichnen, kein Entfernungsfilter, und \
                    die Aufzeichnung starten.
                    """,
                fr: """
                    Sous Performance : enregistrer toutes les 5 secondes, sans filtre de distance, \
                    puis démarrer l’enregistrement.
                    """
            )
        case .overland, .traccar, .colota, .osmand: nil
        }
    }
}

extension AppSetup.Value: Tabular {
    /// A value to type: the name of the setting for programs and for people.
    package static let columns = Columns<AppSetup.Value> {
        Column.name("setting") { $0.setting.rawValue }
        Column.name("value") { $0.text }
    }
}

extension AppSetup.Setting {
    /// Its name for people.
    package var name: Phrase {
        switch self {
        case .mode: Phrase(en: "Mode", nl: "Modus", de: "Modus", fr: "Mode")
        case .address:
            Phrase(en: "Address (URL)", nl: "Adres (URL)", de: "Adresse (URL)", fr: "Adresse (URL)")
        case .user: Phrase(en: "User", nl: "Gebruiker", de: "Benutzer", fr: "Utilisateur")
        case .password: Phrase(en: "Password", nl: "Wachtwoord", de: "Passwort", fr: "Mot de passe")
        case .encryptionKey:
            Phrase(en: "Encryption key", nl: "Sleutel", de: "Schlüssel", fr: "Clé de chiffrement")
        case .monitoring:
            Phrase(en: "Monitoring", nl: "Monitoring", de: "Überwachung", fr: "Suivi")
        case .apiKey: Phrase(en: "API key", nl: "API-sleutel", de: "API-Schlüssel", fr: "Clé d’API")
        case .token: Phrase(en: "Token", nl: "Token", de: "Token", fr: "Jeton")
        case .device: Phrase(en: "Device", nl: "Apparaat", de: "Gerät", fr: "Appareil")
        case .interval:
            Phrase(
                en: "Interval (s)",
                nl: "Interval (s)",
                de: "Intervall (s)",
                fr: "Intervalle (s)"
            )
        case .distance:
            Phrase(en: "Distance (m)", nl: "Afstand (m)", de: "Abstand (m)", fr: "Distance (m)")
        }
    }
}
