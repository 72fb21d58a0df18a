public import ArgumentParser
public import TripEvents

extension RecoveryDecision: ExpressibleByArgument {}
