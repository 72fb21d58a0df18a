public import ArgumentParser
public import TripEvents

extension CustomFieldType: ExpressibleByArgument {}
