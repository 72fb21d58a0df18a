public import ArgumentParser
public import TripEvents

extension TripClass: ExpressibleByArgument {}
