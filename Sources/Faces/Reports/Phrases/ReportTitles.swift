import Tables

/// The titles of columns of reports.
extension ColumnTitle {
    static let about = ColumnTitle(en: "ABOUT", nl: "OVER", de: "BETRIFFT", fr: "OBJET")
    static let afterReport = ColumnTitle(
        en: "AFTER REPORT",
        nl: "NA RAPPORT",
        de: "NACH BERICHT",
        fr: "APRÈS RAPPORT"
    )
    static let afterTrip = ColumnTitle(
        en: "AFTER TRIP",
        nl: "NA RIT",
        de: "NACH FAHRT",
        fr: "APRÈS TRAJET"
    )
    static let all = ColumnTitle(en: "ALL", nl: "ALLES", de: "ALLE", fr: "TOUT")
    static let amount = ColumnTitle(en: "AMOUNT", nl: "BEDRAG", de: "BETRAG", fr: "MONTANT")
    static let and = ColumnTitle(en: "AND", nl: "EN", de: "UND", fr: "ET")
    static let askedFor = ColumnTitle(
        en: "ASKED FOR",
        nl: "GEVRAAGD",
        de: "VERLANGT",
        fr: "EXIGÉ"
    )
    static let at = ColumnTitle(en: "AT", nl: "WANNEER", de: "WANN", fr: "QUAND")
    static let away = ColumnTitle(en: "AWAY", nl: "AF\u{AD}STAND", de: "ENTFERNT", fr: "ÉLOIGNÉ")
    static let band = ColumnTitle(en: "BAND", nl: "BAND", de: "BEREICH", fr: "TRANCHE")
    static let before = ColumnTitle(en: "BEFORE", nl: "ERVOOR", de: "VORHER", fr: "AVANT")
    static let beforeTrip = ColumnTitle(
        en: "BEFORE TRIP",
        nl: "VOOR RIT",
        de: "VOR FAHRT",
        fr: "AVANT TRAJET"
    )
    static let basis = ColumnTitle(en: "BASIS", nl: "BASIS", de: "BASIS", fr: "BASE")
    static let between = ColumnTitle(
        en: "BETWEEN",
        nl: "TUS\u{AD}SEN\u{AD}DOOR",
        de: "DA\u{AD}ZWI\u{AD}SCHEN",
        fr: "ENTRE-TEMPS"
    )
    static let business = ColumnTitle(
        en: "BUSINESS",
        nl: "ZAKELIJK",
        de: "GE\u{AD}SCHÄFT\u{AD}LICH",
        fr: "PROFES\u{AD}SION\u{AD}NEL"
    )
    static let changesSince = ColumnTitle(
        en: "CHANGES SINCE",
        nl: "WIJ\u{AD}ZI\u{AD}GIN\u{AD}GEN NADIEN",
        de: "ÄN\u{AD}DE\u{AD}RUN\u{AD}GEN SEITDEM",
        fr: "MO\u{AD}DI\u{AD}FI\u{AD}CA\u{AD}TIONS DEPUIS"
    )
    static let tripClass = ColumnTitle(en: "CLASS", nl: "SOORT", de: "ART", fr: "NATURE")
    static let charity = ColumnTitle(
        en: "CHARITY",
        nl: "LIEF\u{AD}DA\u{AD}DIG",
        de: "GE\u{AD}MEIN\u{AD}NÜT\u{AD}ZIG",
        fr: "CA\u{AD}RI\u{AD}TA\u{AD}TIF"
    )
    static let help = ColumnTitle(
        en: "WHAT HELPS",
        nl: "WAT HELPT",
        de: "WAS HILFT",
        fr: "CE QUI AIDE"
    )
    static let driver = ColumnTitle(
        en: "DRIVER",
        nl: "BE\u{AD}STUUR\u{AD}DER",
        de: "FAHRER",
        fr: "CONDUC\u{AD}TEUR"
    )
    static let fromAddress = ColumnTitle(
        en: "FROM ADDRESS",
        nl: "ADRES VAN",
        de: "ADRESSE VON",
        fr: "ADRESSE DÉPART"
    )
    static let toAddress = ColumnTitle(
        en: "TO ADDRESS",
        nl: "ADRES NAAR",
        de: "ADRESSE NACH",
        fr: "ADRESSE ARRIVÉE"
    )
    static let client = ColumnTitle(en: "CLIENT", nl: "KLANT", de: "KUNDE", fr: "CLIENT")
    static let commute = ColumnTitle(
        en: "COMMUTE",
        nl: "WOON-WERK",
        de: "AR\u{AD}BEITS\u{AD}WEG",
        fr: "DOMI\u{AD}CILE-TRA\u{AD}VAIL"
    )
    static let confidence = ColumnTitle(
        en: "CONFIDENCE",
        nl: "ZE\u{AD}KER\u{AD}HEID",
        de: "VER\u{AD}LÄSS\u{AD}LICH\u{AD}KEIT",
        fr: "FIA\u{AD}BI\u{AD}LI\u{AD}TÉ"
    )
    static let countedAfter = ColumnTitle(
        en: "COUNTED AFTER",
        nl: "GETELD ERNA",
        de: "GEZÄHLT NACHHER",
        fr: "COMPTÉ APRÈS"
    )
    static let countedBefore = ColumnTitle(
        en: "COUNTED BEFORE",
        nl: "GETELD ERVOOR",
        de: "GEZÄHLT VORHER",
        fr: "COMPTÉ AVANT"
    )
    static let date = ColumnTitle(en: "DATE", nl: "DATUM", de: "DATUM", fr: "DATE")
    static let day = ColumnTitle(en: "DAY", nl: "DAG", de: "TAG", fr: "JOUR")
    static let days = ColumnTitle(en: "DAYS", nl: "DAGEN", de: "TAGE", fr: "JOURS")
    static let distance = ColumnTitle(
        en: "DISTANCE",
        nl: "AF\u{AD}STAND",
        de: "STRE\u{AD}CKE",
        fr: "DIS\u{AD}TANCE"
    )
    static let driven = ColumnTitle(
        en: "DRIVEN",
        nl: "GEREDEN",
        de: "GEFAHREN",
        fr: "PARCOURU"
    )
    static let end = ColumnTitle(en: "END", nl: "EINDE", de: "ENDE", fr: "ARRI\u{AD}VÉE")
    static let enteredSince = ColumnTitle(
        en: "ENTERED SINCE",
        nl: "INGEVULD NADIEN",
        de: "EIN\u{AD}GE\u{AD}TRA\u{AD}GEN SEITDEM",
        fr: "SAISI DEPUIS"
    )
    static let excluded = ColumnTitle(
        en: "EXCLUDED",
        nl: "UIT\u{AD}GE\u{AD}SLO\u{AD}TEN",
        de: "AUS\u{AD}GE\u{AD}NOM\u{AD}MEN",
        fr: "EXCLU"
    )
    static let expense = ColumnTitle(
        en: "EXPENSE",
        nl: "UITGAVE",
        de: "AUSGABE",
        fr: "DÉPENSE"
    )
    static let firstDay = ColumnTitle(
        en: "FIRST DAY",
        nl: "EERSTE DAG",
        de: "ERSTER TAG",
        fr: "PREMIER JOUR"
    )
    static let flags = ColumnTitle(
        en: "FLAGS",
        nl: "KEN\u{AD}MER\u{AD}KEN",
        de: "MERK\u{AD}MALE",
        fr: "INDI\u{AD}CA\u{AD}TIONS"
    )
    static let form = ColumnTitle(
        en: "FORM",
        nl: "FOR\u{AD}MU\u{AD}LIER",
        de: "FORMULAR",
        fr: "FOR\u{AD}MU\u{AD}LAIRE"
    )
    static let format = ColumnTitle(en: "FORMAT", nl: "FORMAAT", de: "FORMAT", fr: "FORMAT")

    /// Above the place where a trip began.
    static let from = ColumnTitle(en: "FROM", nl: "VAN", de: "VON", fr: "DE")

    /// Above the first day or time of several.
    static let fromTime = ColumnTitle(en: "FROM", nl: "VAN", de: "VON", fr: "DU")
    static let gap = ColumnTitle(en: "GAP", nl: "HIAAT", de: "LÜCKE", fr: "LA\u{AD}CUNE")
    static let gaps = ColumnTitle(
        en: "GAPS",
        nl: "HIA\u{AD}TEN",
        de: "LÜ\u{AD}CKEN",
        fr: "LA\u{AD}CUNES"
    )
    static let id = ColumnTitle(en: "ID", nl: "NUMMER", de: "NUMMER", fr: "NUMÉRO")
    static let intervals = ColumnTitle(
        en: "INTERVALS",
        nl: "IN\u{AD}TER\u{AD}VAL\u{AD}LEN",
        de: "IN\u{AD}TER\u{AD}VAL\u{AD}LE",
        fr: "IN\u{AD}TER\u{AD}VALLES"
    )
    static let issued = ColumnTitle(
        en: "ISSUED",
        nl: "UIT\u{AD}GE\u{AD}GE\u{AD}VEN",
        de: "AUS\u{AD}GE\u{AD}GE\u{AD}BEN",
        fr: "REMIS"
    )
    static let kind = ColumnTitle(en: "KIND", nl: "TYPE", de: "TYP", fr: "TYPE")
    static let kilometersPerHour = ColumnTitle(
        en: "km/h",
        nl: "km/u",
        de: "km/h",
        fr: "km/h"
    )
    static let lastDay = ColumnTitle(
        en: "LAST DAY",
        nl: "LAATSTE DAG",
        de: "LETZTER TAG",
        fr: "DERNIER JOUR"
    )
    static let leftOut = ColumnTitle(
        en: "LEFT OUT",
        nl: "WEG\u{AD}GE\u{AD}LA\u{AD}TEN",
        de: "AUS\u{AD}GE\u{AD}LAS\u{AD}SEN",
        fr: "OMIS"
    )
    static let level = ColumnTitle(en: "LEVEL", nl: "NIVEAU", de: "STUFE", fr: "NIVEAU")
    static let limit = ColumnTitle(en: "LIMIT", nl: "GRENS", de: "GRENZE", fr: "LIMITE")
    static let line = ColumnTitle(en: "LINE", nl: "REGEL", de: "ZEILE", fr: "LIGNE")
    static let means = ColumnTitle(en: "MEANS", nl: "MET", de: "MITTEL", fr: "MOYEN")
    static let measured = ColumnTitle(
        en: "MEASURED",
        nl: "GE\u{AD}ME\u{AD}TEN",
        de: "GE\u{AD}MES\u{AD}SEN",
        fr: "ME\u{AD}SURÉ"
    )
    static let medical = ColumnTitle(
        en: "MEDICAL",
        nl: "ME\u{AD}DISCH",
        de: "ME\u{AD}DI\u{AD}ZI\u{AD}NISCH",
        fr: "MÉ\u{AD}DI\u{AD}CAL"
    )
    static let merchant = ColumnTitle(
        en: "MERCHANT",
        nl: "VERKOPER",
        de: "HÄNDLER",
        fr: "COM\u{AD}MER\u{AD}ÇANT"
    )
    static let method = ColumnTitle(
        en: "METHOD",
        nl: "METHODE",
        de: "METHODE",
        fr: "MÉTHODE"
    )
    static let mixed = ColumnTitle(en: "MIXED", nl: "GEMENGD", de: "GEMISCHT", fr: "MIXTE")
    static let money = ColumnTitle(en: "MONEY", nl: "VALUTA", de: "WÄHRUNG", fr: "DEVISE")
    static let moving = ColumnTitle(
        en: "MOVING",
        nl: "VER\u{AD}HUI\u{AD}ZING",
        de: "UMZUG",
        fr: "DÉ\u{AD}MÉ\u{AD}NA\u{AD}GE\u{AD}MENT"
    )
    static let nearest = ColumnTitle(
        en: "NEAREST",
        nl: "DICHTST\u{AD}BIJ",
        de: "AM NÄCHSTEN",
        fr: "AU PLUS PRÈS"
    )
    static let note = ColumnTitle(
        en: "NOTE",
        nl: "OP\u{AD}MER\u{AD}KING",
        de: "HINWEIS",
        fr: "REMARQUE"
    )
    static let odometer = ColumnTitle(
        en: "ODOMETER",
        nl: "KILO\u{AD}METER\u{AD}STAND",
        de: "KILO\u{AD}METER\u{AD}STAND",
        fr: "COMP\u{AD}TEUR"
    )
    static let off = ColumnTitle(
        en: "OFF",
        nl: "AF\u{AD}WIJ\u{AD}KING",
        de: "AB\u{AD}WEI\u{AD}CHUNG",
        fr: "ÉCART"
    )
    static let onTop = ColumnTitle(
        en: "ON TOP",
        nl: "BOVENOP",
        de: "ZU\u{AD}SÄTZ\u{AD}LICH",
        fr: "EN SUS"
    )
    static let overlapping = ColumnTitle(
        en: "OVERLAPPING",
        nl: "OVER\u{AD}LAP\u{AD}PEND",
        de: "ÜBER\u{AD}SCHNEI\u{AD}DEND",
        fr: "CHE\u{AD}VAU\u{AD}CHANT"
    )
    static let paid = ColumnTitle(en: "PAID", nl: "BETAALD", de: "BEZAHLT", fr: "PAYÉ")
    static let part = ColumnTitle(en: "PART", nl: "DEEL", de: "TEIL", fr: "PARTIE")
    static let perUnit = ColumnTitle(
        en: "PER UNIT",
        nl: "PER EENHEID",
        de: "JE EINHEIT",
        fr: "PAR UNITÉ"
    )
    static let personal = ColumnTitle(
        en: "PERSONAL",
        nl: "PRIVÉ",
        de: "PRIVAT",
        fr: "PRIVÉ"
    )
    static let purpose = ColumnTitle(en: "PURPOSE", nl: "DOEL", de: "ZWECK", fr: "MOTIF")
    static let rate = ColumnTitle(en: "RATE", nl: "TARIEF", de: "SATZ", fr: "BARÈME")
    static let remark = ColumnTitle(
        en: "REMARK",
        nl: "OP\u{AD}MER\u{AD}KING",
        de: "BE\u{AD}MER\u{AD}KUNG",
        fr: "REMARQUE"
    )
    static let report = ColumnTitle(
        en: "REPORT",
        nl: "RAPPORT",
        de: "BERICHT",
        fr: "RAPPORT"
    )
    static let rest = ColumnTitle(en: "REST", nl: "REST", de: "REST", fr: "RESTE")
    static let start = ColumnTitle(en: "START", nl: "BEGIN", de: "BE\u{AD}GINN", fr: "DÉ\u{AD}PART")
    static let state = ColumnTitle(en: "STATE", nl: "STATUS", de: "STATUS", fr: "ÉTAT")
    static let straight = ColumnTitle(
        en: "STRAIGHT",
        nl: "HE\u{AD}MELS\u{AD}BREED",
        de: "LUFT\u{AD}LI\u{AD}NIE",
        fr: "À VOL D’OISEAU"
    )
    static let suchAs = ColumnTitle(
        en: "SUCH AS",
        nl: "ZOALS",
        de: "ETWA",
        fr: "PAR EXEMPLE"
    )
    static let threshold = ColumnTitle(
        en: "THRESHOLD",
        nl: "DREMPEL",
        de: "SCHWELLE",
        fr: "SEUIL"
    )
    static let time = ColumnTitle(en: "TIME", nl: "TIJD", de: "ZEIT", fr: "TEMPS")
    static let times = ColumnTitle(en: "TIMES", nl: "AANTAL", de: "ANZAHL", fr: "NOMBRE")

    /// Above the place where a trip ended.
    static let to = ColumnTitle(en: "TO", nl: "NAAR", de: "NACH", fr: "À")

    /// Above the last day or time of several.
    static let toTime = ColumnTitle(en: "TO", nl: "TOT", de: "BIS", fr: "AU")
    static let together = ColumnTitle(
        en: "TOGETHER",
        nl: "SAMEN",
        de: "GE\u{AD}MEIN\u{AD}SAM",
        fr: "ENSEMBLE"
    )
    static let total = ColumnTitle(en: "TOTAL", nl: "TOTAAL", de: "GESAMT", fr: "TOTAL")
    static let trips = ColumnTitle(en: "TRIPS", nl: "RITTEN", de: "FAHRTEN", fr: "TRAJETS")
    static let unclassified = ColumnTitle(
        en: "UNCLASSIFIED",
        nl: "NIET IN\u{AD}GE\u{AD}DEELD",
        de: "NICHT EIN\u{AD}GE\u{AD}ORD\u{AD}NET",
        fr: "NON CLASSÉ"
    )
    static let unrecorded = ColumnTitle(
        en: "UNRECORDED",
        nl: "NIET GE\u{AD}RE\u{AD}GIS\u{AD}TREERD",
        de: "NICHT ERFASST",
        fr: "NON ENRE\u{AD}GIS\u{AD}TRÉ"
    )
    static let until = ColumnTitle(en: "UNTIL", nl: "TOT", de: "BIS", fr: "JUSQU’À")
    static let use = ColumnTitle(en: "USE", nl: "GEBRUIK", de: "NUTZUNG", fr: "USAGE")
    static let value = ColumnTitle(en: "VALUE", nl: "WAARDE", de: "WERT", fr: "VALEUR")
    static let vehicle = ColumnTitle(
        en: "VEHICLE",
        nl: "VOER\u{AD}TUIG",
        de: "FAHR\u{AD}ZEUG",
        fr: "VÉHI\u{AD}CULE"
    )
    static let vehicles = ColumnTitle(
        en: "VEHICLES",
        nl: "VOER\u{AD}TUI\u{AD}GEN",
        de: "FAHR\u{AD}ZEU\u{AD}GE",
        fr: "VÉHI\u{AD}CULES"
    )
    static let what = ColumnTitle(en: "WHAT", nl: "WAT", de: "WAS", fr: "QUOI")
    static let year = ColumnTitle(en: "YEAR", nl: "JAAR", de: "JAHR", fr: "ANNÉE")
}
