public import TripEvents

/// The settings of the whole ledger: what holds at each instant, and who said it when.
///
/// A setting holds from the time of its event until the next one that says it. The first time zone
/// and unit are those that the ledger was made with. Invalid settings have no effect: those from a
/// source of a group, because only the owner sets them, and those with a value that this program
/// does not know.
public struct SettingsBook: Hashable, Sendable {
    /// One statement about one setting.
    public struct Saying: Hashable, Sendable {
        /// The setting.
        public let name: SettingName

        /// What it is set to, as events write it; `nil` if it was taken back.
        public let value: String?

        /// The time from which on it holds; `nil` for what the ledger was made with, and for what
        /// was said for the beginning of GPS time: both hold from the beginning on.
        public let since: EventTime?

        /// Who said it; `nil` if no one is named.
        public let actor: String?

        /// The source whose driver it says; `nil` for what is said of the whole ledger.
        public var source: String?
    }

    /// A time zone, from an instant on.
    public struct Zone: Hashable, Sendable {
        /// Its IANA name.
        public let name: String

        /// The first instant at which it holds, a whole minute; `nil` for the first zone, which
        /// holds from the beginning on.
        public let start: Timestamp?
    }

    private static let millisecondsPerMinute: Int64 = 60_000

    /// The beginning of GPS time, 1980-01-06: no event may be earlier.
    package static let beginning = Timestamp(milliseconds: 315_964_800_000)

    /// Returns the time from which an event's statements hold; `nil` if the event is on the first
    /// day of GPS time, and so before all trips.
    private static func start(of event: TripEvent) -> EventTime? {
        let sinceBeginning = event.occurredAt.milliseconds(since: beginning)
        guard !(0..<Timestamp.millisecondsPerDay).contains(sinceBeginning) else { return nil }
        return EventTime(event.occurredAt, utcOffset: event.utcOffset)
    }

    /// The statements about each setting, in event order.
    private var sayings: [SettingName: [Saying]]

    /// Who drives the trips of sources, by the sources' names, in event order.
    private var drivers: [NameKey: [Saying]] = [:]

    /// The decisions about settings that have no effect, in event order.
    public private(set) var withoutEffect: [DecisionWithoutEffect] = []

    /// Creates the book from decisions in any order; only those about settings count.
    ///
    /// - Parameters:
    ///   - founding: the event that began the log.
    ///   - decisions: the decisions.
    ///   - obstacle: returns why the values of settings cannot stand; `nil` if they can.
    public init(
        founding: LedgerCreated,
        _ decisions: [Decision] = [],
        unless obstacle: (SettingsChanged) -> DecisionObstacle? = { _ in nil }
    ) {
        func first(_ name: SettingName, _ value: String) -> [Saying] {
            [Saying(name: name, value: value, since: nil, actor: nil)]
        }
        sayings = [
            .timeZone: first(.timeZone, founding.timeZone),
            .units: first(.units, founding.units.rawValue),
        ]
        for decision in decisions.sorted() {
            guard case .settingsChanged(let change) = decision.event.body else { continue }
            if let obstacle = decision.obstacleOfGroup ?? obstacle(change) {
                let left = DecisionWithoutEffect(decision, about: nil, obstacle)
                withoutEffect.append(left)
            } else {
                add(change, saidBy: decision.event)
            }
        }
    }

    /// Adds the next change in event order.
    private mutating func add(_ change: SettingsChanged, saidBy event: TripEvent) {
        for (name, said) in change.said {
            let saying = Saying(
                name: name,
                value: said,
                since: Self.start(of: event),
                actor: event.actor
            )
            sayings[name, default: []].append(saying)
        }
        guard let source = change.appliesTo, change.driver != .unchanged else { return }
        drivers[NameKey(source), default: []]
            .append(
                Saying(
                    name: .driver,
                    value: change.driver.applied(to: nil),
                    since: Self.start(of: event),
                    actor: event.actor,
                    source: source
                )
            )
    }

    /// Returns what was said of a setting, in the order in which it holds.
    public func sayings(of name: SettingName) -> [Saying] { sayings[name] ?? [] }

    /// Returns what was said of a setting that holds at an instant; `nil` if nothing was said
    /// before it.
    public func saying(of name: SettingName, at instant: Timestamp) -> Saying? {
        sayings(of: name).last { ($0.since?.timestamp ?? instant) <= instant }
    }

    private func value(_ name: SettingName, _ instant: Timestamp) -> String? {
        saying(of: name, at: instant)?.value
    }

    /// The time zones of the ledger in order of time; each differs from the one before it.
    ///
    /// Each begins with a whole minute, as sums count trips by the minute in which they start.
    public var timeZones: [Zone] {
        var zones: [Zone] = []
        for saying in sayings(of: .timeZone) {
            guard let name = saying.value else { continue }
            let start = saying.since.map { Self.wholeMinute(from: $0.timestamp) }
            // If two begin at once, the later in event order holds.
            if let last = zones.last, last.start == start { zones.removeLast() }
            if zones.last?.name != name { zones.append(Zone(name: name, start: start)) }
        }
        return zones
    }

    /// Returns the first whole minute that is not before an instant.
    private static func wholeMinute(from instant: Timestamp) -> Timestamp {
        let before = Timestamp(milliseconds: instant.milliseconds - 1)
        let minute = before.milliseconds.flooredQuotient(by: millisecondsPerMinute) + 1
        return Timestamp(milliseconds: minute * millisecondsPerMinute)
    }

    /// Returns the unit of lists and reports at an instant.
    public func units(at instant: Timestamp) -> DistanceUnit {
        value(.units, instant).flatMap(DistanceUnit.init) ?? .kilometers
    }

    /// Returns the IANA name of the time zone at an instant.
    public func timeZone(at instant: Timestamp) -> String {
        timeZones.last { ($0.start ?? instant) <= instant }?.name ?? ""
    }

    /// Returns the language of reports at an instant, as BCP 47 writes it.
    public func language(at instant: Timestamp) -> String? { value(.language, instant) }

    /// Returns the country whose reports are meant at an instant: two small letters.
    public func country(at instant: Timestamp) -> String? { value(.country, instant) }

    /// Returns the paper of documents at an instant.
    public func paper(at instant: Timestamp) -> PaperSize? {
        value(.paper, instant).flatMap(PaperSize.init)
    }

    /// Returns what was said last of the drivers of sources until an instant, in order of the
    /// sources' names.
    public func driverSayings(at instant: Timestamp) -> [Saying] {
        drivers.keys.sorted().compactMap { driverSaying(ofSource: $0, at: instant) }
    }

    private func driverSaying(ofSource name: NameKey, at instant: Timestamp) -> Saying? {
        drivers[name]?.last { ($0.since?.timestamp ?? instant) <= instant }
    }

    /// Returns who drives the trips of a source at an instant, where nothing else says it.
    public func driver(ofSource name: String, at instant: Timestamp) -> String? {
        driverSaying(ofSource: NameKey(name), at: instant)?.value
    }

    /// Whether the driver of any source was said.
    public var namesDrivers: Bool { !drivers.isEmpty }

    /// Returns who keeps the ledger at an instant.
    public func keeper(at instant: Timestamp) -> String? { value(.keeper, instant) }
}

/// A setting; the raw value is the member of `settings_changed`.
public enum SettingName: String, CaseIterable, Sendable {
    case timeZone = "time_zone"
    case units
    case language
    case country
    case paper
    case keeper

    /// Who drives the trips of a source: the only setting of a part of the ledger.
    case driver
}

extension SettingsChanged {
    /// The settings of the whole ledger that the event changes.
    package var names: [SettingName] { said.map(\.name) }

    /// What the event says: each setting that it changes, with its value as events write it; `nil`
    /// where it takes the setting back.
    fileprivate var said: [(name: SettingName, value: String?)] {
        var said: [(name: SettingName, value: String?)] = []
        if let timeZone { said.append((.timeZone, timeZone)) }
        if let units { said.append((.units, units.rawValue)) }
        func add(_ name: SettingName, _ change: DetailChange<String>) {
            switch change {
            case .unchanged: break
            case .cleared: said.append((name, nil))
            case .set(let value): said.append((name, value))
            }
        }
        add(.language, language)
        add(.country, country)
        add(.keeper, keeper)
        switch paper {
        case .unchanged: break
        case .cleared: said.append((.paper, nil))
        case .set(let size): said.append((.paper, size.rawValue))
        }
        return said
    }

    /// Creates the change that sets the settings of another change back to what a book says of
    /// them.
    ///
    /// - Parameters:
    ///   - change: the other change.
    ///   - book: what holds.
    ///   - instant: when.
    package init(takingBack change: SettingsChanged, to book: SettingsBook, at instant: Timestamp) {
        func back<Value>(_ change: DetailChange<Value>, _ old: Value?) -> DetailChange<Value> {
            guard change != .unchanged else { return .unchanged }
            return old.map { .set($0) } ?? .cleared
        }
        self.init(
            timeZone: change.timeZone.map { _ in book.timeZone(at: instant) },
            units: change.units.map { _ in book.units(at: instant) },
            keeper: back(change.keeper, book.keeper(at: instant)),
            language: back(change.language, book.language(at: instant)),
            country: back(change.country, book.country(at: instant)),
            paper: back(change.paper, book.paper(at: instant)),
            driver: back(
                change.driver,
                change.appliesTo.flatMap { book.driver(ofSource: $0, at: instant) }
            ),
            appliesTo: change.appliesTo
        )
    }
}
