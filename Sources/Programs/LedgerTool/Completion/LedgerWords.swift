import ArgumentParser
import Platform
import Projections
import ServerStore
import SystemPackage
import Tables
import TripEvents
import TripLedger

extension CompletionKind {
    /// The words that stand for a trip, and the ids of the newest trips.
    static let trip = custom { words, _, _ in LedgerWords(words).trips() }

    /// The vehicles that were registered or are named by the newest trips.
    static let vehicle = custom { words, _, _ in LedgerWords(words).vehicles() }

    /// The clients of the newest trips.
    static let client = custom { words, _, _ in LedgerWords(words).clients() }

    /// The places.
    static let place = custom { words, _, _ in LedgerWords(words).places() }

    /// The routines.
    static let routine = custom { words, _, _ in LedgerWords(words).routines() }

    /// The sources.
    static let source = custom { words, _, _ in LedgerWords(words).sources() }

    /// The tokens that are not revoked.
    static let token = custom { words, _, _ in LedgerWords(words).tokens() }

    /// The custom fields, ready for their values.
    static let fieldSetting = custom { words, _, _ in LedgerWords(words).fields(before: "=") }

    /// The custom fields.
    static let field = custom { words, _, _ in LedgerWords(words).fields() }

    /// The details that every trip has, and the custom fields.
    static let detail = custom { words, _, _ in
        DetailName.allCases.map(\.rawValue) + EditCommand.endNames
            + LedgerWords(words).fields()
    }
}

/// Words of a ledger that a person may want to type.
///
/// A person waits for them between two keys: the views are read as they are, and if anything is
/// wrong, nothing is offered.
private struct LedgerWords {
    /// The most trips that are offered, and the most from which words are collected.
    private static let (mostTrips, mostTripsRead) = (50, 200)

    /// How many names of one kind are offered.
    private static let mostNames = 500

    private let directory: String?

    /// Finds the ledger that a command line names.
    init(_ words: [String]) {
        directory = Self.ledger(in: words)
    }

    func trips() -> [String] {
        let found = read { snapshot in
            let clock = snapshot.clock
            return try snapshot.trips(TripFilter(limit: Self.mostTrips))
                .map { row in
                    let booked = row.booked
                    let started = LocalTime.text(booked.trip.startedAt.told(by: clock))
                    let facts = [
                        String(started.prefix(Self.minuteLength)),
                        booked.details.purpose ?? booked.details.title,
                        booked.status == .active ? "going on" : nil,
                    ]
                    return CompletionCandidate(
                        booked.id.short,
                        facts.compactMap(\.self).joined(separator: " ")
                    )
                }
        }
        return lines(
            [
                CompletionCandidate("last", "the trip that started last"),
                CompletionCandidate("active", "the trip that is going on"),
            ] + found
        )
    }

    func vehicles() -> [String] {
        names { snapshot in
            try snapshot.vehicles().names
                + snapshot.trips(Self.newest).compactMap(\.booked.details.vehicle)
        }
    }

    func clients() -> [String] {
        names { try $0.trips(Self.newest).compactMap(\.booked.details.client) }
    }

    func places() -> [String] {
        lines(
            read { try $0.places().places }
                .map { CompletionCandidate($0.name, $0.saving.label ?? "") }
        )
    }

    func routines() -> [String] { names { try $0.routineNames(limit: Self.mostNames) } }

    func sources() -> [String] { names { try $0.sourceNames(limit: Self.mostNames) } }

    func tokens() -> [String] {
        guard let path = try? LedgerOption.path(of: directory),
            let state = try? ServerState.open(of: path, isReadOnly: true)
        else { return [] }
        defer { state.close() }
        let tokens = (try? state.tokens()) ?? []
        return lines(
            tokens.filter { $0.revokedAt == nil }
                .map { token in
                    let scopes = token.scopes.map(\.rawValue)
                    return CompletionCandidate(token.name, scopes.joined(separator: " "))
                }
        )
    }

    func fields(before end: String = "") -> [String] {
        lines(
            read { try $0.fields().definitions }
                .map { CompletionCandidate($0.key + end, $0.label) }
        )
    }

    // MARK: Reading

    /// The length of a time such as `2025-03-03 08:30`.
    private static let minuteLength = 16

    private static let newest = TripFilter(limit: mostTripsRead)

    private func names(_ query: (borrowing Snapshot) throws -> [String]) -> [String] {
        var known: Set<[UInt8]> = []
        let names = read(query).filter { known.insert(Array($0.utf8)).inserted }
        return lines(names.prefix(Self.mostNames).map { CompletionCandidate($0) })
    }

    private func lines(_ candidates: [CompletionCandidate]) -> [String] {
        CompletionCandidate.lines(candidates, for: .asking)
    }

    /// Reads the ledger, or returns nothing if that cannot be done at once.
    private func read<Word>(_ query: (borrowing Snapshot) throws -> [Word]) -> [Word] {
        guard let path = try? LedgerOption.path(of: directory),
            let ledger = try? Ledger(at: path, isReadOnly: true)
        else { return [] }
        defer { ledger.close() }
        return (try? ledger.readStoredViews(query)) ?? []
    }

    /// Returns the directory that `--ledger` names among words as they were typed.
    private static func ledger(in words: [String]) -> String? {
        for (index, word) in words.enumerated() {
            if word == option {
                // bash makes a word of each equals sign.
                let rest = words[(index + 1)...].drop { $0 == "=" }
                return rest.first.map(unquoted)
            }
            if word.hasPrefix(option + "=") {
                return unquoted(String(word.dropFirst(option.count + 1)))
            }
        }
        return nil
    }

    private static let option = "--ledger"

    /// Returns a word as the shell will read it: without quotes and backslashes, and with the home
    /// directory for a tilde.
    ///
    /// Variables and commands in it are not looked at.
    private static func unquoted(_ word: String) -> String {
        var plain = ""
        var quote: Character?
        var isEscaped = false
        for character in word {
            if isEscaped {
                plain.append(character)
                isEscaped = false
            } else if character == "\\", quote != "'" {
                isEscaped = true
            } else if character == quote {
                quote = nil
            } else if quote == nil, character == "'" || character == "\"" {
                quote = character
            } else {
                plain.append(character)
            }
        }
        guard word == "~" || word.hasPrefix("~/"), let home = ProcessEnvironment.variable("HOME")
        else { return plain }
        return home + plain.dropFirst()
    }
}
