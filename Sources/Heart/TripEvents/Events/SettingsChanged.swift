/// A person changed settings of the ledger, which hold from the event on.
///
/// The time zone applies to trips that begin later and have no offset from UTC of their own. The
/// others are defaults of reports, lists and the page; reports that were issued before stay as they
/// were.
public struct SettingsChanged: Hashable, Sendable {
    /// The time zone, as an IANA name such as `Europe/Amsterdam`.
    public var timeZone: String?

    /// The unit of lists and reports.
    public var units: DistanceUnit?

    /// Who keeps the ledger, a person or a firm, as logs name them.
    public var keeper: DetailChange<String>

    /// The language of reports: `xx`, or `xx-YY`, as BCP 47 writes it.
    public var language: DetailChange<String>

    /// The country whose reports are meant: two small letters of ISO 3166-1.
    public var country: DetailChange<String>

    /// The paper of documents.
    public var paper: DetailChange<PaperSize>

    /// Who drives the trips of a source where nothing else says it, with ``appliesTo``.
    public var driver: DetailChange<String>

    /// The source whose driver it says.
    public var appliesTo: String?

    /// Creates the content of the event; it MUST change something.
    public init(
        timeZone: String? = nil,
        units: DistanceUnit? = nil,
        keeper: DetailChange<String> = .unchanged,
        language: DetailChange<String> = .unchanged,
        country: DetailChange<String> = .unchanged,
        paper: DetailChange<PaperSize> = .unchanged,
        driver: DetailChange<String> = .unchanged,
        appliesTo: String? = nil
    ) {
        self.timeZone = timeZone
        self.units = units
        self.keeper = keeper
        self.language = language
        self.country = country
        self.paper = paper
        self.driver = driver
        self.appliesTo = appliesTo
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
        try visitor.clearable(.driver, &driver)
        try visitor.optional(.appliesTo, &appliesTo)
    }

    func check() throws(Rejection) {
        guard (driver != .unchanged) == (appliesTo != nil) else {
            throw .missingField((appliesTo == nil ? FieldName.appliesTo : .driver).jsonName)
        }
        guard isEmpty else { return }
        throw Rejection(
            .missingField,
            field: FieldName.timeZone.jsonName,
            sentence: "settings_changed says no setting; it has at least one of time_zone, units, "
                + "keeper, language, country, paper and driver."
        )
    }
}
