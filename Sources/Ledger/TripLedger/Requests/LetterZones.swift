/// The time zones of the United States and Canada, whose paper is Letter.
///
/// Source: zone.tab of the IANA time zone database, with the older names of these zones.
enum LetterZones {
    /// Returns whether a time zone is one of them.
    static func contains(_ zone: String) -> Bool {
        if names.contains(zone) { return true }
        return prefixes.contains { zone.hasPrefix($0) }
    }

    private static let prefixes = [
        "US/", "Canada/", "America/Indiana/", "America/Kentucky/", "America/North_Dakota/",
    ]

    private static let names: Set<String> = [
        "America/Adak", "America/Anchorage", "America/Atikokan", "America/Blanc-Sablon",
        "America/Boise", "America/Cambridge_Bay", "America/Chicago", "America/Coral_Harbour",
        "America/Creston", "America/Dawson", "America/Dawson_Creek", "America/Denver",
        "America/Detroit", "America/Edmonton", "America/Fort_Nelson", "America/Fort_Wayne",
        "America/Glace_Bay", "America/Goose_Bay", "America/Halifax", "America/Indianapolis",
        "America/Inuvik", "America/Iqaluit", "America/Juneau", "America/Knox_IN",
        "America/Los_Angeles", "America/Louisville", "America/Menominee", "America/Metlakatla",
        "America/Moncton", "America/Montreal", "America/New_York", "America/Nipigon",
        "America/Nome", "America/Pangnirtung", "America/Phoenix", "America/Puerto_Rico",
        "America/Rainy_River", "America/Rankin_Inlet", "America/Regina", "America/Resolute",
        "America/Shiprock", "America/Sitka", "America/St_Johns", "America/Swift_Current",
        "America/Thunder_Bay", "America/Toronto", "America/Vancouver", "America/Whitehorse",
        "America/Winnipeg", "America/Yakutat", "America/Yellowknife", "CST6CDT", "EST5EDT",
        "MST7MDT", "PST8PDT", "Pacific/Honolulu", "Navajo",
    ]
}
