import TripEvents

extension Scenario {
    /// Returns what the recorder does; `random` decides what is left to chance.
    func script(random: inout SplitMix64) -> RecorderScript {
        switch self {
        case .homeToOffice: Self.commute()
        case .stationary: Self.falseStart()
        case .skipLocation: Self.commuteWithSkippedStop()
        case .tunnel: Self.commuteThroughTunnel()
        case .trafficJam: Self.creepingCommute(random: &random)
        case .parkedDrift: Self.commuteThenDrift(random: &random)
        case .batteryDeath: Self.interruptedCommute()
        case .forgottenStop: Self.endlessCommute(random: &random)
        case .doubleGo: Self.commuteWithSecondGo()
        case .walkingAway: Self.motionCommute(confidence: .high, walksAway: true)
        case .lowConfidenceMotion: Self.motionCommute(confidence: .low, walksAway: false)
        case .lateUpload: Self.commuteWithLateFixes()
        case .shuffledUpload: Self.shuffledCommute(random: &random)
        case .clockJump: Self.commuteWithClockJump()
        }
    }
}
