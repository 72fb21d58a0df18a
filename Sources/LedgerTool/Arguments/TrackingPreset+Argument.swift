public import ArgumentParser
public import TripEvents

extension TrackingPreset: ExpressibleByArgument {}
