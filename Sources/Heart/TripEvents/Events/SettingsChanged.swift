/// A person changed settings of the ledger, which hold from the event on.
///
/// The time zone is that of trips that begin later and have no offset from UTC of their own. The
/// others are what reports, lists and the page go by where nothing else is asked for; what was
/// issued before stays as it was.
public struct SettingsChanged: Hashable, Sendable {
    /// The time zone, as an IANA name such as `Europe/Amsterdam`.
    public var timeZone: String?

    /// The unit of lists and reports.
    public var units: DistanceUnit?

    /// Who keeps the ledger, a person or a firm, as logs name them.
    public var keeper: DetailChange<String>

    /// The language of reports and the page: `xx`, or `xx-YY`, as BCP 47 writes it.
    public var language: DetailChange<String>

    /// The country whose reports are meant: two small letters of ISO 3166-1.
    public var country: DetailChange<String>

    /// The paper of documents.
    public var paper: DetailChange<PaperSize>

    /// Creates the content of the event; it MUST change something.
    public init(
        timeZone: String? = nil,
        units: DistanceUnit? = nil,
        keeper: DetailChange<String> = .unchanged,
        language: DetailChange<String> = .unchanged,
        country: DetailChange<String> = .unchanged,
        paper: DetailChange<PaperSize> = .unchanged
    ) {
        self.timeZone = timeZone
        self.units = units
        self.keeper = keeper
        self.language = language
        self.country = country
        self.paper = paper
    }

    /// Whether nothing is changed.
    package var isEmpty: Bool { self == SettingsChanged() }
}

extension SettingsChanged: EventPayload {
    static var blank: SettingsChanged { SettingsChanged() }

    mutating func visit<Visitor: FieldVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.optional(.timeZone, &timeZone)
        try visitor.optional(.units, &units)
        try visitor.clearable(.keeper, &keeper)
        try visitor.clearable(.language, &language)
        try visitor.clearable(.country, &country)
        try visitor.clearable(.paper, &paper)
    }

    func check() throws(Rejection) {
        guard isEmpty else { return }
        throw Rejection(
            .missingField,
            field: FieldName.timeZone.jsonName,
            sentence: "settings_changed says no setting; it has at least one of time_zone, units, "
                + "keeper, language, country and paper."
        )
    }
}
