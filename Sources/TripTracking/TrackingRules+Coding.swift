import TripEvents

extension TrackingRules {
    /// Writes the rules, one by one in order of declaration.
    func write(to writer: inout StateWriter) {
        writer.write(version)
        writer.write(preset)
        writer.write(maximumAccuracyMeters)
        writer.write(maximumSpeedMetersPerSecond)
        writer.write(jitterRadius)
        writer.write(jitterSpeedMetersPerSecond)
        writer.write(minimumGapMilliseconds)
        writer.write(maximumGapMilliseconds)
        writer.write(unknownIntervalGapMilliseconds)
        writer.write(medianIntervalsPerGap)
        writer.write(Int64(reanchorFixes))
        writer.write(reanchorMilliseconds)
        writer.write(approximateStartMilliseconds)
        writer.write(startsByMotion)
        writer.write(startsByMovement)
        writer.write(startDisplacement)
        writer.write(startWindowMilliseconds)
        writer.write(drivingSpeedMetersPerSecond)
        writer.write(parkedRadius)
        writer.write(parkedMilliseconds)
        writer.write(stationaryMilliseconds)
        writer.write(silenceMilliseconds)
        writer.write(medianIntervalsPerSilence)
        writer.write(silenceRadius)
        writer.write(maximumSilenceMilliseconds)
        writer.write(movementRadius)
        writer.write(stillRecordingMilliseconds)
        writer.write(noMovementMilliseconds)
        writer.write(deviceOffMilliseconds)
        writer.write(shortestTrip)
    }

    /// Reads rules.
    init(from reader: inout StateReader) throws(StateError) {
        version = try reader.readRulesVersion()
        preset = try reader.readTrackingPreset()
        maximumAccuracyMeters = try reader.readDouble()
        maximumSpeedMetersPerSecond = try reader.readDouble()
        jitterRadius = try reader.readDistance()
        jitterSpeedMetersPerSecond = try reader.readDouble()
        minimumGapMilliseconds = try reader.readAmount()
        maximumGapMilliseconds = try reader.readAmount()
        unknownIntervalGapMilliseconds = try reader.readAmount()
        medianIntervalsPerGap = try reader.readAmount()
        reanchorFixes = Int(try reader.readAmount())
        reanchorMilliseconds = try reader.readAmount()
        approximateStartMilliseconds = try reader.readAmount()
        startsByMotion = try reader.readBool()
        startsByMovement = try reader.readBool()
        startDisplacement = try reader.readDistance()
        startWindowMilliseconds = try reader.readAmount()
        drivingSpeedMetersPerSecond = try reader.readDouble()
        parkedRadius = try reader.readDistance()
        parkedMilliseconds = try reader.readAmount()
        stationaryMilliseconds = try reader.readAmount()
        silenceMilliseconds = try reader.readAmount()
        medianIntervalsPerSilence = try reader.readAmount()
        silenceRadius = try reader.readDistance()
        maximumSilenceMilliseconds = try reader.readAmount()
        movementRadius = try reader.readDistance()
        stillRecordingMilliseconds = try reader.readAmount()
        noMovementMilliseconds = try reader.readAmount()
        deviceOffMilliseconds = try reader.readAmount()
        shortestTrip = try reader.readDistance()
        // No rules that make sense have more.
        guard medianIntervalsPerGap <= 1_000, medianIntervalsPerSilence <= 1_000 else {
            throw .invalidValue
        }
    }
}
