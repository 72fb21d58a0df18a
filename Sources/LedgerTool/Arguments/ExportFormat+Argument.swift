public import ArgumentParser
public import TripLedger

extension ExportFormat: ExpressibleByArgument {}
