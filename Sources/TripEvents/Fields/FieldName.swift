/// A field of an event's content; the raw value is its tag in the binary form (Formats, *Fields*).
///
/// Tags are frozen: a field that is no longer written keeps its tag, a new one takes the next.
enum FieldName: UInt8, CaseIterable, Sendable {
    // What the ledger writes about itself.
    case ledger = 0x01
    case timeZone = 0x02
    case units = 0x03
    case rulesVersion = 0x04
    case number = 0x05
    case name = 0x06
    case sourceKind = 0x07

    // Readings.
    case latitude = 0x08
    case longitude = 0x09
    case accuracy = 0x0A
    case altitude = 0x0B
    case speed = 0x0C
    case course = 0x0D
    case provider = 0x0E
    case mock = 0x0F
    case state = 0x10
    case confidence = 0x11
    case status = 0x12
    case precise = 0x13
    case error = 0x14

    // Trips and corrections.
    case trip = 0x15
    case tripStartedAt = 0x16
    case decision = 0x17
    case trips = 0x18
    case splitAt = 0x19
    case distance = 0x1A
    case why = 0x1B
    case startedAt = 0x1C
    case endedAt = 0x1D
    case from = 0x1E
    case to = 0x1F
    case importedFrom = 0x20

    // Details.
    case title = 0x21
    case purpose = 0x22
    case notes = 0x23
    case category = 0x24
    case client = 0x25
    case vehicle = 0x26
    case tripClass = 0x27
    case fields = 0x28
    case routine = 0x29

    // Book-keeping and settings.
    case plate = 0x2A
    case make = 0x2B
    case model = 0x2C
    case inServiceSince = 0x2D
    case value = 0x2E
    case unit = 0x2F
    case method = 0x30
    case place = 0x31
    case radius = 0x32
    case label = 0x33
    case skip = 0x34
    case notifyOnEntry = 0x35
    case notifyOnExit = 0x36
    case key = 0x37
    case valueType = 0x38
    case options = 0x39
    case order = 0x3A
    case preset = 0x3B
    case appliesTo = 0x3C
    case parameters = 0x3D
    case report = 0x3E
    case periodStart = 0x3F
    case periodEnd = 0x40
    case outputHash = 0x41
    case treeSize = 0x42
    case treeHash = 0x43

    // Erasures.
    case positions = 0x44
    case tombstoneHash = 0x45
    case erasedFrom = 0x46

    // Added by version 2 of location_failed.
    case reason = 0x47
}
