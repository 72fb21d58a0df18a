/// What kind of event this is; the raw value is the entry's kind byte (Formats, *Kinds*).
public enum EventKind: UInt8, CaseIterable, Sendable {
    case ledgerCreated = 0x01
    case sourceRegistered = 0x02
    case entriesErased = 0x03
    case fixRecorded = 0x10
    case motionChanged = 0x11
    case goPressed = 0x12
    case stopPressed = 0x13
    case authorizationChanged = 0x14
    case locationFailed = 0x15
    case recoveryDecided = 0x16
    case detailsEdited = 0x20
    case routineSaved = 0x21
    case routineRemoved = 0x22
    case routineApplied = 0x23
    case tripsMerged = 0x28
    case tripSplit = 0x29
    case tripVoided = 0x2A
    case tripRestored = 0x2B
    case distanceAdjusted = 0x2C
    case tripReported = 0x2D
    case vehicleRegistered = 0x30
    case odometerRead = 0x31
    case placeSaved = 0x32
    case placeRemoved = 0x33
    case fieldDefined = 0x34
    case rulesAdopted = 0x35
    case reportIssued = 0x36
}
