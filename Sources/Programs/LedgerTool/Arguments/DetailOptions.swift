import ArgumentParser
import Projections
import TripEvents
import TripLedger

/// The options that say what a trip is for.
struct DetailOptions: ParsableArguments {
    @Option(help: "A short name.")
    var title: String?

    @Option(help: "What the trip is for.")
    var purpose: String?

    @Option(help: "Anything else worth keeping.")
    var notes: String?

    @Option(help: "The category, in your own words.")
    var category: String?

    @Option(help: "The person or firm that the trip is for.", completion: .client)
    var client: String?

    @Option(help: "The vehicle.", completion: .vehicle)
    var vehicle: String?

    @Option(help: "Who drives.")
    var driver: String?

    @Option(
        name: .customLong(DetailName.tripClass.rawValue),
        help: ArgumentHelp("What the trip is to the tax office.", valueName: "class")
    )
    var tripClass: TripClass?

    @Option(help: "How it went, whatever the rules make of it.")
    var mode: TravelMode?

    @Option(
        name: .customLong("field"),
        help: ArgumentHelp(
            "A custom field, as project=P-17; can be repeated.",
            valueName: "key=value"
        ),
        completion: .fieldSetting
    )
    var fields: [FieldSetting] = []

    func validate() throws {
        for (name, text) in texts where text == "" {
            throw ValidationError("--\(name.rawValue) is empty; leave it out to say nothing.")
        }
        var keys: Set<[UInt8]> = []
        for field in fields where !keys.insert(Array(field.key.utf8)).inserted {
            throw ValidationError("--field \(field.key) is given twice.")
        }
    }

    /// The names of the given details; for custom fields, their keys.
    var givenNames: [String] {
        texts.compactMap { name, text in text.map { _ in name.rawValue } }
            + fields.map(\.key)
    }

    /// Returns the given details; custom fields are read by their definitions.
    func details(in snapshot: borrowing Snapshot) throws -> TripDetails {
        TripDetails(
            title: title,
            purpose: purpose,
            notes: notes,
            category: category,
            client: client,
            vehicle: vehicle,
            tripClass: tripClass,
            mode: mode,
            fields: try customFields(in: snapshot),
            driver: driver
        )
    }

    private func customFields(in snapshot: borrowing Snapshot) throws -> CustomFields? {
        guard !fields.isEmpty else { return nil }
        let catalogue = try snapshot.fields()
        var values = CustomFields()
        for field in fields {
            let definition = catalogue.definitions.first { $0.key == field.key }
            let text =
                switch definition?.valueType {
                case .number?: TypedNumber(field.text).literal
                case .date?: CivilDate(argument: field.text)?.description ?? field.text
                default: field.text
                }
            values[field.key] = catalogue.value(of: field.key, from: text)
        }
        return values
    }

    private var texts: [(name: DetailName, text: String?)] {
        [
            (.title, title), (.purpose, purpose), (.notes, notes), (.category, category),
            (.client, client), (.vehicle, vehicle), (.tripClass, tripClass?.rawValue),
            (.mode, mode?.rawValue), (.driver, driver),
        ]
    }
}

/// The details that every trip can have; people define further fields.
enum DetailName: String, CaseIterable {
    case title
    case purpose
    case notes
    case category
    case client
    case vehicle
    case tripClass = "class"
    case mode
    case driver
}

/// A custom field with its value as a person wrote it, as in `project=P-17`.
struct FieldSetting: ExpressibleByArgument {
    /// The field's key.
    let key: String

    /// The value.
    let text: String

    init?(argument: String) {
        guard let equalsSign = argument.firstIndex(of: "="), equalsSign != argument.startIndex
        else { return nil }
        key = String(argument[..<equalsSign])
        text = String(argument[argument.index(after: equalsSign)...])
    }
}
