import ArgumentParser
import TripEvents

/// The command `ledger fix`.
struct FixCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fix",
        abstract: "Records one GPS fix.",
        discussion: """
            Numbers are kept exactly as they are typed.

            Examples:
              ledger fix --lat 51.9270 --lon 4.3620 --accuracy 8
              ledger fix --lat 51.5072 --lon -0.1276 --speed 12.5 --source phone
            """
    )

    @OptionGroup var options: GlobalOptions<PlainFormat>
    @OptionGroup var event: EventOptions

    @Option(parsing: .unconditional, help: "Latitude in degrees, -90 to 90, north positive.")
    var lat: ExactDecimal

    @Option(parsing: .unconditional, help: "Longitude in degrees, -180 to 180, east positive.")
    var lon: ExactDecimal

    @Option(parsing: .unconditional, help: "Accuracy in metres: the radius of 68 % confidence.")
    var accuracy: ExactDecimal?

    @Option(parsing: .unconditional, help: "Altitude in metres.")
    var altitude: ExactDecimal?

    @Option(parsing: .unconditional, help: "Speed in metres per second.")
    var speed: ExactDecimal?

    @Option(parsing: .unconditional, help: "Direction of travel in degrees from north.")
    var course: ExactDecimal?

    @Option(help: "What made the fix.")
    var provider: FixProvider?

    @Flag(help: "The location was made up.")
    var mock = false

    func run() throws {
        let fix = FixRecorded(
            latitude: lat,
            longitude: lon,
            accuracy: accuracy,
            altitude: altitude,
            speed: speed,
            course: course,
            provider: provider,
            isMock: mock ? true : nil
        )
        try event.append(.fixRecorded(fix), options)
    }
}
