import ServerStore
import Tables
import TripEvents
import TripLedger

/// A subject that several commands share, as `ledger help TOPIC` explains it.
enum HelpTopic: String, CaseIterable {
    case formats
    case columns
    case dates
    case filters
    case reports
    case files
    case tokens
    case server

    /// The arguments of `ledger help` besides the names of commands.
    static let names = allCases.map(\.rawValue) + [TopicRequest.everything]

    private static let width = 80

    /// The topic for people, without a line end behind its last line.
    var text: String {
        let width = min(Screen.columnCount ?? Self.width, Self.width)
        return TextStyle.wrapped(prose, to: width)
            + (facts.map { "\n\n" + String($0.text(width: width).dropLast()) } ?? "")
    }

    private var prose: String {
        switch self {
        case .formats: Self.formatText
        case .columns: Self.columnText
        case .dates: Self.dateText
        case .filters: Self.filterText
        case .reports: Self.reportText
        case .files: Self.fileText
        case .tokens: Self.tokenText
        case .server: Self.serverText
        }
    }

    /// Options with their meanings, below the text.
    private var facts: FactSheet? {
        switch self {
        case .filters: Self.filterOptions
        case .reports: ReportParameter.meanings
        case .formats, .columns, .dates, .files, .tokens, .server: nil
        }
    }
}

// MARK: - The texts

extension HelpTopic {
    private static let formatText = """
        How results are written: --format, --excel and --output.

        Examples:
          ledger trips --format json
          ledger trips --format csv > trips.csv
          ledger trips --year 2025 --excel de > logbook.csv
          ledger trips --text roof --format ids | xargs ledger edit --client ACME -y
          ledger trips --year 2025 --format ics > trips.ics
          ledger trips --year 2025 --format hledger | hledger -f - balance
          ledger trips --month 2025-03 --format geojson > march.geojson
          ledger report log --year 2025 -o log-2025.pdf

        text is for people. json, a line for each thing, and csv, where the result is a table, \
        are for programs: `ledger schema` has their members, units and meanings. ids has an id on \
        each line, of lists of what has ids. With json an error is a line of JSON too, on \
        standard error: `ledger schema error`.

        --excel writes CSV that a spreadsheet program opens rightly, which --format csv is not \
        for: dates, times and durations by the clock in columns of their own, distances in km or \
        miles, the plate of the vehicle, a column for each custom field, the status, which is \
        completed alone where the trip counts, and numbers with the decimal mark of the program: \
        comma or point, or that of its language, en, nl, de or fr. With comma, semicolons stand \
        between the columns.

        Of trips, ics writes those that are over as events of a calendar; one that is read again \
        changes those that are there, and those that count nowhere are cancelled. hledger, \
        ledger-cli and beancount write trips that count as transactions, in which the distance \
        goes from the vehicle to the class; mileiq writes them as MileIQ does, in miles, which \
        other programs read. geojson, gpx and kml have each trip as a straight line between its \
        ends, and say of one that counts nowhere why: `ledger track` has the way it took.

        Where there is --output, the end of the file's name says the format, and - is standard \
        output. PNG and PDF are drawn by `ledger-print`, which stands beside `ledger`. `ledger \
        help reports` has what is said of reports.
        """

    private static let columnText = """
        Columns of lists and reports: --columns, --wide and --no-pager.

        Examples:
          ledger trips --columns trip,started,km
          ledger trips --columns id,distance_m --format csv
          ledger trips --wide
          ledger schema trip --columns

        --columns shows only the columns that it names, in this order, with commas between them, \
        in text and CSV. Their names are those of CSV, or the titles of text in either case. \
        `ledger schema NAME --columns` lists them with their units and meanings.

        On a screen that is too narrow, text leaves out columns; of trips, the first one first: \
        SOURCE, GAPS and GAP TIME, OVERLAPS, VEHICLE, DURATION, GAP, UNRECORDED, EXCLUDED. A \
        mileage log keeps FLAGS and MEASURED, and leaves out END before them. --wide shows every \
        column in full. A report in text leaves out columns that say nothing.

        Of trips, UNRECORDED is the straight line from where the vehicle's, or the source's, \
        last trip ended, if the trip starts more than 200 m from there. OVERLAPS is a trip of \
        the same drive, measured in the same car or reported: if both are of one vehicle, only \
        the better evidenced one counts.

        The mileage log has DATE, START and END by the clock; FROM and TO; PURPOSE, CLIENT, \
        CLASS, VEHICLE and DRIVER; the addresses of both ends, where they are known; ODOMETER \
        and UNTIL, what it showed at both ends; BETWEEN, on lines of its own, what it went on \
        no trip; DISTANCE as claimed, MEASURED where that is another one, and EXCLUDED beside \
        it; GAPS and GAP, what was not measured; FLAGS; DAYS, how many days after the trip its \
        details were entered; TRIP, its id. `ledger schema mileage-log --columns` has those of \
        CSV.

        A table that is longer than the screen goes through the program that PAGER names; with \
        --no-pager it does not.
        """

    private static let dateText = """
        Days and times, as they are typed wherever a command asks for them.

        Examples:
          ledger trips --year 2025
          ledger trips --from 2025-04 --to 2025-06-30
          ledger totals --month last
          ledger log --day yesterday
          ledger trips --from 01.04.2025
          ledger report log --year 2025 --time-zone Europe/Amsterdam
          ledger go --at 08:30
          ledger status --as-of 2026-03-14T15:09:26+01:00

        <date>: a day such as 2026-03-14, 14.03.2026, today or yesterday, or a month or a year \
        for all its days, 2026-03 or 2026. Zeros may be left out: 2026-3-4. --from is the first \
        day and --to the last one. --year and --month mean all days of one, --month this and last \
        too; --day means one day. With slashes, 03/04/2026, the day may stand first or the month, \
        so that it is refused and both are said. A number may have a comma before its fraction, \
        12,5, and none between thousands.

        A trip counts on the day on which it starts, and an entry on the day on which it \
        happened: by its own offset from UTC if that is known, else in the ledger's time zone. \
        --time-zone counts all of them by the clock of one time zone, such as Europe/Amsterdam.

        <time>: \(TypedTime.forms).

        --as-of lets time pass to a moment instead of to now: a trip is over once silence, no \
        movement or a dead device has ended it by then. So a list or a report as of that moment \
        is the same in any year.
        """

    private static let filterText = """
        Which trips: how commands that show them or decide about them choose.

        Examples:
          ledger trip last
          ledger trips --class business --vehicle van --year 2025
          ledger trips --text "bakker roof"
          ledger trips --limit 20 --after 6c1f09d2
          ledger edit 6c1f 35e6 --mode car
          ledger edit --from-place Home --to-place Office --year 2026 --class commute

        A trip is named by the beginning of its id, as lists show it, or by last or active.

        `ledger edit`, `void`, `restore` and `routine apply` decide about several at once: name \
        them, or say by options which, and not both. You see these first, and are asked; --yes \
        goes ahead. There, --whose-class, --whose-purpose, --whose-vehicle, --whose-driver and \
        --text choose, for --class and its like say what to change.

        Days are options too: `ledger help dates`.
        """

    private static var filterOptions: FactSheet {
        FactSheet([
            (
                "--class",
                "Only trips of this class: "
                    + "\(TripClass.allCases.map(\.rawValue).joined(separator: ", "))."
            ),
            ("--unclassified", "Only trips without a class."),
            ("--purpose", "Only trips with this purpose."),
            ("--vehicle", "Only trips with this vehicle."),
            ("--source", "Only trips of this source."),
            ("--trip", "Only this trip, also a voided one: the beginning of its id, or last."),
            ("--place", "Only trips that start or end at this place; say it again for others."),
            ("--from-place", "Only trips that start at this place; say it again for others."),
            ("--to-place", "Only trips that end at this place; say it again for others."),
            (
                "--text",
                "Only trips that have all these words in their details or the names of their ends."
            ),
            ("--all", "Also trips that the rules discard, voided ones and parts of others."),
            ("--status", "Only trips with this status, also those of --all."),
            ("--group", "Only what belongs to this group of sources; '' for what is the owner's."),
            ("--limit", "The most trips to list. Without it: 100 in text, else all."),
            (
                "--after",
                "Go on after this trip, also when others have come meanwhile or that one was "
                    + "voided."
            ),
        ])
    }

    private static let reportText = """
        What is said of a report: its days, its form, and whether it is handed out.

        Examples:
          ledger report log --year 2025 -o log-2025.pdf
          ledger report log --year 2025 --language de -o Fahrtenbuch-2025.html
          ledger report log --year 2025 --private-as km-only --issue > log-2025.txt
          ledger report claim --jurisdiction gb --year 2026 --as-known-on 2026-05-01

        Each report takes those of these options that its --help lists. Formats are text, json, \
        csv for programs, html, pdf, and document, the JSON of which ledger-print makes PDF: \
        without --format the name of --output says which, else it is text. Times of --as-of are \
        typed as `ledger help dates` says, and columns as `ledger help columns` does.
        """

    private static let fileText = """
        What `ledger append` and `ledger convert` take in.

        Examples:
          ledger append track.gpx --source car-logger --vehicle van
          ledger append takeout.zip
          ledger append box.jsonl --group 17
          ledger append trips.csv --suggest-map > columns.json
          ledger append trips.csv --map columns.json
          ledger --ledger old log --format json | ledger --ledger new append

        Lines of JSON, one event each (`ledger schema event`), and the formats of others: \
        \(AppendCommand.formats). Which one it is, the content tells, never the name; --as says \
        it where that cannot be told. The same records again, in the same file or a longer one, \
        are duplicates.

        Files may be compressed by gzip, or in a zip or tar archive, such as a Takeout as it was \
        downloaded; of a directory, all files below it are taken. What is of another kind there \
        is left out and counted. What the columns of any other table mean, says a map (--map), \
        which --suggest-map proposes and `ledger schema column-map` describes. `ledger convert` \
        shows the events without appending them; --dry-run says what would become of them, on a \
        copy of the ledger.

        What can be read without waiting goes into one transaction, and is answered only when it \
        is safe on disk. Sending the same event again is harmless: it is recognised as a \
        duplicate. A line that is no acceptable event is left out, and shown on standard error or \
        in its receipt; the others are appended. At the end there is one line of JSON that sums \
        up.

        Members that events of a type do not have are kept as they were sent: `ledger log` gives \
        them back as extra. Blank lines are skipped. What `ledger log --format json` and `ledger \
        export` write can be appended to another ledger; entries that a ledger wrote about itself \
        are passed over.

        Of a file in another format the ledger keeps its name, its SHA-256 and the record of each \
        event: `ledger trip`, `ledger explain` and `ledger log --format json` say them. A new \
        source gets the rules that fit how it records, or those of --preset; that, and a drive \
        that another source recorded too, is said. With --source, events that name none are of \
        that source, and in the format of another app all are. With --vehicle, that vehicle is \
        the one of odometers, which are left out without it, of GO, and of the trips that `ledger \
        append` makes, each of which it edits. Times that name no time zone are refused without \
        --time-zone; those of a table are taken for times of the zone the ledger had then, \
        which is said.

        A source belongs to one group, or to the ledger's owner: its first event says which, by \
        --group or by its member group; without either, a new source is the owner's. Settings and \
        decisions from a source of a group concern that group alone, those from the owner's \
        sources all. The source manual is the owner's: what comes under its name for the group 17 \
        is stored as of manual/17. Vehicles of two groups that have one name are two: reports are \
        refused until --group says which is meant. Choose a number rather than a plate or a \
        person's name: a group stays in the log for good.
        """

    private static let tokenText = """
        What a token of `ledger token new` is good for.

        Examples:
          ledger token new phone --qr owntracks --url https://ledger.example
          ledger token new eva --page
          ledger token new dashboard --scope read --scope live
          ledger token new auditor --scope audit --expires 2027-01-01

        What it is good for, its scopes say: \(TokenScope.meanings). Without --scope it only \
        delivers, and reads nothing.

        What it delivers is from its source, whatever an app says of itself: a phone that was \
        lost cannot write as another one. The source is named like the token unless --source \
        names another, and is registered with its first event. Give each app a source of its own, \
        or one drive counts twice.

        A token of sources sees their trips and positions alone, decides about them alone, \
        whatever its scopes, and sees no reports; places, vehicles and other settings are shown to \
        all, but for the drivers of other sources, and set by those who see all. One that delivers \
        nothing sees everything without --source. With --group the source belongs to a group, and \
        so does everything that is delivered and decided with the token, which sees the trips of \
        the whole group.

        With --qr it prints what sets up an app in one act, as a link and as a QR code: \
        \(DeliveryApp.allCases.map(\.rawValue).joined(separator: ", ")). Link and code hold the \
        token.

        With --press it can only press GO and STOP of --source, by the two addresses that are \
        printed. `ledger token show NAME` says in words what a token can see and do.

        With --page it lets a browser in to the page of `ledger serve`: the link does so once, \
        within ten minutes, and the browser stays for 30 days, or until it was not used for a \
        week. The name is yours: what you decide there has it as its actor. Without --scope the \
        page may do everything; with --source it sees the trips of that source alone.
        """

    private static let serverText = """
        What `ledger serve` answers, and to whom.

        Examples:
          ledger serve --port 9000 --host-name ledger.example.org
          ledger serve --socket ~/ledger.sock
          ledger serve --witness
          ledger serve --tiles 'https://tile.example.org/{z}/{x}/{y}.png' \\
            --attribution '© Example https://example.org/copyright'
          curl --unix-socket ~/ledger.sock http://localhost/v1/events \\
            -H 'Content-Type: application/x-ndjson' --data-binary @drive.jsonl

        It is a program of its own, `ledger-serve`, which stands beside `ledger`. It listens on \
        127.0.0.1 alone and speaks HTTP without encryption: what is to be reached from elsewhere \
        needs a proxy before it, such as Caddy or `tailscale serve`. --port 0 takes a port that \
        is free, which is then said.

        GET /health answers {"status":"ok"}, and GET /openapi.json describes the paths for \
        programs, with their schemas; the doors of phones and the pages are described here. All \
        else takes a token (`ledger token new`), sent as \
        Authorization: Bearer TOKEN or as the password of Basic. Only by way of a unix socket \
        (--socket), which only you may open, you need none, unless the request looks like one of \
        a proxy or a browser: HTTP/1.0, Origin, Cookie, Sec-Fetch-… or a field that proxies add. \
        --socket-owner makes these yours too. If a proxy stands before it, say --behind-proxy: \
        all its requests then need a token too, and the last X-Forwarded-For says where they come \
        from.

        POST /v1/events appends events: lines of JSON (application/x-ndjson), one event or \
        {"events":[…]} (application/json), or CloudEvents (application/cloudevents-batch+json), \
        up to 10,000 events and 16 MiB. A token of the scope ingest delivers facts of its \
        sources; sync and admin may say everything, as another ledger does. What waits at the \
        same time shares one commit, and is answered after it, an answer for each event (`ledger \
        schema receipt`). A fact without source is of the token's, anything else of manual, and \
        what has no occurred_at happens now, but is refused if it has, say, a timestamp. An \
        Idempotency-Key names the events, by ids that begin with key:, so that a request can be \
        repeated. ?all-or-nothing=true and ?expect-size=N mean what they mean to \
        `ledger append`. 503 says: send it again. Requests over several connections overtake each \
        other, and an event that comes after later ones of its source costs more: send what one \
        vehicle reports over one connection.

        POST /v1/decisions decides, by the rules and in the words of the command: one decision or \
        {"decisions":[…]}, all or none (`ledger schema decision`; scopes edit and admin). A \
        decision without actor is of the token's name. Without the scope read (or admin) the \
        answer has receipts alone, and a trip is named by its whole id. With If-Match, which has \
        the ETag of a trip as it was read, 412 says that something was decided about it since. \
        GET /v1/trips/ID/options says what can be decided.

        Phones deliver at /in/TOKEN/PROTOCOL, or at /in/PROTOCOL with the token as Authorization: \
        owntracks, overland, osmand (Traccar Client too), gpslogger, colota, phonetrack, \
        homeassistant and traccar-forward; also at /pub, and at Dawarich's paths with ?api_key=. \
        There, 2xx means that all is stored, or can never be an event and is listed by `ledger \
        refused`. What may pass later is 503, a dead token too, so that no app throws its queue \
        away. Automations press at /press/TOKEN/go and /press/TOKEN/stop.

        For tokens of the scope read (or admin), GET answers what commands print with --format \
        json: /v1/status, /v1/trips, /v1/visits, /v1/totals, /v1/places, /v1/vehicles, \
        /v1/expenses, /v1/routines, /v1/fields and /v1/refused, and which devices have delivered \
        since it was started, /v1/devices; /v1/trips/ID, and below it /track (GeoJSON), \
        /explanation, /history, /proof and /options, what can be decided about it. A list is \
        {"items":[…], "next_cursor", "has_more"}: ask again with ?cursor= while there is more. \
        Trips take the parameters from, to, class, vehicle, place, source, text, status, all and \
        limit; totals take by and then_by. /v1/inbox has trips that need a class or a purpose. \
        Ledger-Position in an answer says how many entries it knows, and ?at_least=N waits for so \
        many.

        GET /v1/reports lists the reports of `ledger report` with their parameters, and GET \
        /v1/reports/NAME?format=html&year=2025 has the bytes that the command writes (scopes read \
        and audit); /v1/reports/issued has what was handed out. They are made by `ledger` beside \
        this program, two at a time, within 30 s.

        POST /v1/devices with {"name","app","url"} makes the token of a phone, and answers what \
        sets up its app (scope admin). POST /v1/shares with {"trip":"active"} makes a \
        link, /live/LINK, by which others see where that trip is, how far and for how long it has \
        gone, until 15 minutes after its end; no names, places or other trips. GET lists them, \
        and DELETE with ?name= revokes one.

        GET /v1/changes has the rows that changed since ?cursor=, each once and as it is now, and \
        waits up to ?wait=30 seconds for the next one; 410 says: begin again without cursor. GET \
        /v1/stream sends status, changes and news as they happen (server-sent events). GET \
        /v1/log?from=N has entries of the log (scopes sync and audit). POST /v1/go and /v1/stop, \
        with nothing or {"source","vehicle"}, are GO and STOP now. /v1/sync is for `ledger sync` \
        of another ledger (scope sync). GET /metrics is for Prometheus.

        What the page uses is there for programs, too: /v1/settings, /v1/rates, /v1/rules, \
        /v1/tokens, /v1/links, /v1/buttons, /v1/backups, /v1/safekeeping, /v1/drops, /v1/exports, \
        /v1/stops, /v1/roads, /v1/inbox/count and /v1/changes/latest-cursor: /openapi.json says \
        how.

        Two apps that know other servers are answered as they want it: /webhook/ping, start, end, \
        finalize, cancel and status for one that has a button and no clock (scope ingest), and \
        /api/v1 for one that keeps events, types, geofences and properties, which are trips, \
        routines, places and custom fields (scopes read, edit and admin).

        For auditors (scope audit, or admin) the log is there as C2SP tlog-tiles has it: GET \
        of /log/checkpoint is the head that `ledger head --sign` has signed last, and at GET \
        /log/tile/L/N, /log/tile/entries/N and both with .p/W are the tiles and entries under it, \
        as `ledger export --as tiles` writes them. To others nothing seems to be there. With \
        --witness, POST /witness/add-checkpoint cosigns heads of the ledgers that `ledger witness \
        add` has named, as C2SP tlog-witness says, without a token.

        A token may read 600 times and write 300 times a minute (--reads-per-minute and \
        --writes-per-minute; 0 for as often as it likes), and read ten times as many tiles of the \
        log as it may read of all else. After that, 429 says with Retry-After when it may again. \
        Doors for phones, what auditors ask and what `ledger sync` exchanges are not counted. Of \
        all that is under way one token holds a part: 16 MiB of bodies, 64 streams, 64 waits for \
        changes and 4 reports, one at a time; more is 503. A token that is revoked or has expired \
        ends its streams and waits in a second.

        At / is a page for browsers, and at /record one that records, for a phone without an app. \
        A link lets a browser in once: at a terminal one is shown, elsewhere the address without \
        it, and `ledger token new NAME --page` makes others. --setup makes the ledger if there is \
        none, and shows a link, in a journal too, until a first browser was let in; behind a proxy \
        with a code for phones. \
        `ledger-serve --health 8787` says whether one that runs is well.

        Its maps show your own ways and places, and ask nothing of other servers. With --tiles \
        they show the tiles of a server of your choice below them, with the words of \
        --attribution beside them; addresses there become links. Every browser that shows a map, \
        by a link of a trip too, then asks that one server for what it shows, and tells it the \
        name of this one: so that server learns where trips went.

        A request is answered only if its Host is localhost, 127.0.0.1 or [::1] with the port, or \
        a name that --host-name gives, with or without a port: no page from elsewhere can ask by \
        way of your browser. SIGTERM and Ctrl-C end it when the requests that have begun are \
        answered.
        """
}
