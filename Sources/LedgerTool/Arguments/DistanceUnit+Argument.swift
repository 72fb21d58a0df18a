public import ArgumentParser
public import TripEvents

extension DistanceUnit: ExpressibleByArgument {}
