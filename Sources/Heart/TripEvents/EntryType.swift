/// What `ledger log` calls the type of an entry: the kind of its event, or why that is not known.
///
/// It follows from the entry's first bytes, without reading its content.
public enum EntryType: Hashable, Sendable {
    /// An event of a kind that this version of the program knows.
    case event(EventKind)

    /// An event that a newer version of the program wrote.
    case unknown

    /// An event whose content is gone.
    case erased

    /// An event whose content was withheld from this copy of the log.
    case withheld

    /// Every type: those of events in the order of their kinds, then the others.
    public static let all = EventKind.allCases.map(EntryType.event) + [unknown, erased, withheld]

    /// Finds the type of an entry by its bytes for kind and form.
    public init(kind: UInt8, form: PayloadForm) {
        if kind == UnknownEvent.erasedKind {
            let event = UnknownEvent(kind: kind, form: form.rawValue, payload: [])
            self = event.isWithheld ? .withheld : .erased
        } else if let kind = EventKind(rawValue: kind), form.frame != nil,
            form.version <= PayloadHistory.currentVersion(of: kind)
        {
            self = .event(kind)
        } else {
            self = .unknown
        }
    }

    /// Creates the type with a name, or returns `nil` if there is none.
    public init?(name: String) {
        guard let type = Self.all.first(where: { $0.name == name }) else { return nil }
        self = type
    }

    /// The type's name in JSON, such as `fix_recorded`.
    public var name: String {
        switch self {
        case .event(let kind): kind.name
        case .unknown: "unknown"
        case .erased: "erased"
        case .withheld: "withheld"
        }
    }
}
