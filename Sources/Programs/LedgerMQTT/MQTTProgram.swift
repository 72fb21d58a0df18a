import EmbeddedFiles
import Glibc
import Platform
import ServerStore
import SystemPackage
import TripEvents
import TripLedger

/// Takes messages from a broker of MQTT into a ledger, and tells Home Assistant what is in it.
@main
enum MQTTProgram {
    private static let usage = """
        Usage: ledger-mqtt LEDGER SETTINGS
               ledger-mqtt --version|--licences

        Takes messages of OwnTracks, TeslaMate, odometers and others from a broker of MQTT into a
        ledger, and tells Home Assistant of trips, distances, odometers and what waits. It goes on
        until it is ended. A message is acknowledged once it is stored: until then, the broker
        keeps it. mosquitto keeps its queue in memory: it survives SIGTERM with `persistence
        true`, and no SIGKILL.

        SETTINGS is a file of JSON that only you may read (chmod 600), such as

          {"broker": "mqtts://broker.example:8883", "user": "ledger", "password": "…",
           "take": [{"topic": "owntracks/anna/+", "as": "owntracks", "token": "anna"},
                    {"topic": "teslamate/cars/1/+", "as": "teslamate", "token": "tesla",
                     "vehicle": "tesla"},
                    {"topic": "carconnectivity/garage/+/odometer", "as": "odometer",
                     "token": "golf", "vehicle": "golf"},
                    {"topic": "van/position", "as": "columns", "token": "van",
                     "columns": "van.json"}],
           "home_assistant": "homeassistant"}

        A token (`ledger token new anna --source anna`) says whose messages they are. Of one that
        was revoked or has expired, messages are set aside (`ledger refused`) until there is a new
        one; of one that was revoked with --drop they are thrown away. Other members: name (of the
        session, and of topics; trip-ledger if it is not there), ca_file; of topics: unit (km, mi).

        --licences prints what the programs are linked with.

        Exit code: 64 if the settings are wrong, 65 if the ledger is, 74 if a message could not
        be stored.

        """

    /// The first pause before it connects again and the longest, in milliseconds.
    private static let pauses: ClosedRange<UInt32> = 1_000...60_000

    /// How often the state is looked at, in milliseconds.
    private static let pauseBetweenLooks: UInt32 = 2_000

    static func main() throws {
        try StandardStreams.open()
        FileSizeLimit.failWithError()
        exit(MQTTProgram.run(Array(CommandLine.arguments.dropFirst())))
    }

    private static func run(_ words: [String]) -> Int32 {
        if let answer = ProgramFacts.answer(to: words, version: ProgramVersion.current) {
            return (try? FileDescriptor.standardOutput.writeAll(answer)) == nil ? 74 : 0
        }
        guard words.count == 2, !words[0].hasPrefix("-") else {
            let asksForHelp = words == ["--help"]
            say(usage, on: asksForHelp ? .standardOutput : .standardError)
            return asksForHelp ? 0 : 64
        }
        let path = FilePath(words[0])
        do {
            let settings = try BrokerSettings(file: FilePath(words[1]))
            Ledger.explainCrashes(at: path, exitingWith: 65)
            let ledger = try Ledger(at: path)
            ledger.discardViewsOnCrash(exitingWith: 74, ifLogIsDamaged: 65)
            let state = try ServerState.openOrCreate(of: ledger.path)
            let intake = try MessageIntake(of: ledger, in: state, settings)
            for notice in try intake.checkTokens() { note(notice) }
            let connection = try BrokerConnection(settings) { store($0, by: intake) }
            serve(ledger, settings, over: connection)
        } catch let problem as SettingsProblem {
            complain("\(words[1]): \(problem.cause)")
            return 64
        } catch let error as LedgerError {
            complain("\(error)")
            return [.inputOutput, .diskFull].contains(error.code) ? 74 : 65
        } catch {
            complain("\(error)")
            return 74
        }
    }

    /// Stores a message, or ends the process: any other end would acknowledge it.
    private static func store(_ message: BrokerMessage, by intake: MessageIntake) {
        do {
            if let notice = try intake.take(message) { note(notice) }
        } catch {
            complain("\(error)")
            _exit(74)
        }
    }

    /// Stays connected, and tells what changes, until the process is ended.
    private static func serve(
        _ ledger: Ledger,
        _ settings: BrokerSettings,
        over connection: BrokerConnection
    ) -> Never {
        var pause = pauses.lowerBound
        while true {
            do {
                try connection.connect()
                for taken in settings.taken { try connection.subscribe(to: taken.topic.text) }
                try connection.publish(
                    Array(BrokerSettings.online.utf8),
                    to: settings.availabilityTopic
                )
                say("Connected to \(settings.shownAddress).\n", on: .standardOutput)
                pause = pauses.lowerBound
                try tell(ledger, settings, over: connection)
                complain("\(settings.shownAddress): the connection was lost")
            } catch let problem as BrokerProblem {
                complain("\(settings.shownAddress): \(problem.cause)")
            } catch {
                complain("\(error)")
            }
            WallClock.pause(milliseconds: pause)
            pause = min(pause * 2, pauses.upperBound)
        }
    }

    /// Tells what changes, until the connection is lost.
    private static func tell(
        _ ledger: Ledger,
        _ settings: BrokerSettings,
        over connection: BrokerConnection
    ) throws {
        var told: HomeAssistantState?
        while !connection.isLost {
            if let prefix = settings.discovery {
                let now = WallClock.now
                let state = try ledger.read(asOf: now) { try HomeAssistantState($0, at: now) }
                let home = HomeAssistant(of: ledger, settings, under: prefix)
                if told?.odometers.map(\.vehicle) != state.odometers.map(\.vehicle)
                    || told?.unit != state.unit
                {
                    for sensor in home.discovery(of: state) {
                        try connection.publish(sensor.payload, to: sensor.topic)
                    }
                }
                if state != told { try connection.publish(state.json, to: settings.stateTopic) }
                told = state
            }
            WallClock.pause(milliseconds: pauseBetweenLooks)
        }
    }

    private static func complain(_ text: String) {
        say(Excerpt.escapedLines("ledger-mqtt: error: \(text)\n"), on: .standardError)
    }

    private static func note(_ text: String) {
        say(Excerpt.escapedLines("ledger-mqtt: note: \(text)\n"), on: .standardError)
    }

    private static func say(_ text: String, on stream: FileDescriptor) {
        _ = try? stream.writeAll(text.utf8)
    }
}
