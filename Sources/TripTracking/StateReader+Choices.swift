package import TripEvents

// One function for each type: what is generic is not specialised for other modules, and costs them
// more than all the rest of a trip.
extension StateReader {
    private static let classNames = ChoiceNames(of: TripClass.self)
    private static let causeNames = ChoiceNames(of: TripCause.self)
    private static let statusNames = ChoiceNames(of: TripStatus.self)
    private static let reasonNames = ChoiceNames(of: AbandonReason.self)
    private static let versionNames = ChoiceNames(of: RulesVersion.self)
    private static let presetNames = ChoiceNames(of: TrackingPreset.self)

    /// Reads the class of a trip.
    package mutating func readTripClass() throws(StateError) -> TripClass {
        TripClass.allCases[try readIndex(in: Self.classNames)]
    }

    /// Reads what started or ended a trip.
    mutating func readTripCause() throws(StateError) -> TripCause {
        TripCause.allCases[try readIndex(in: Self.causeNames)]
    }

    /// Reads where a trip stands.
    mutating func readTripStatus() throws(StateError) -> TripStatus {
        TripStatus.allCases[try readIndex(in: Self.statusNames)]
    }

    /// Reads why a trip came to nothing.
    mutating func readAbandonReason() throws(StateError) -> AbandonReason {
        AbandonReason.allCases[try readIndex(in: Self.reasonNames)]
    }

    /// Reads a version of the tracking rules.
    mutating func readRulesVersion() throws(StateError) -> RulesVersion {
        RulesVersion.allCases[try readIndex(in: Self.versionNames)]
    }

    /// Reads a preset of the tracking rules.
    mutating func readTrackingPreset() throws(StateError) -> TrackingPreset {
        TrackingPreset.allCases[try readIndex(in: Self.presetNames)]
    }

    /// Reads the name of tracking rules.
    mutating func readRulesName() throws(StateError) -> RulesName {
        let range = try readRange()
        // Nearly every trip goes by plain rules.
        if let version = index(of: range, in: Self.versionNames) {
            return RulesName(version: RulesVersion.allCases[version])
        }
        guard let name = RulesName(rawValue: try text(in: range)) else { throw .invalidValue }
        return name
    }
}
