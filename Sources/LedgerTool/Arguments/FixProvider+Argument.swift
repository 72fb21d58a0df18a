public import ArgumentParser
public import TripEvents

extension FixProvider: ExpressibleByArgument {}
