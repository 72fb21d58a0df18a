import Projections
import TripEvents

/// A search for words in what trips say.
public struct TextSearch: Hashable, Sendable {
    /// The words, in small letters; each must occur.
    private let words: [String]

    /// Reads the words of a text, between which there is white space.
    public init(_ text: String) {
        words = text.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
    }

    /// Returns whether each word occurs in one of some texts, in small letters or capital ones.
    func isMet(by texts: [String?]) -> Bool {
        let texts = texts.compactMap { $0?.lowercased() }
        return words.allSatisfy { word in texts.contains { $0.contains(word) } }
    }

    /// Returns whether each word occurs in what a trip says: what it was for, with whom and by
    /// what, its notes and fields, and what its ends are called.
    func isMet(by booked: BookedTrip, _ places: PlaceBook) -> Bool {
        let details = booked.details
        let fields = details.fields?.all ?? []
        return isMet(
            by: [
                details.title, details.purpose, details.client, details.category, details.notes,
                details.vehicle, booked.routine, booked.origin, booked.destination,
                places.start(of: booked)?.name, places.end(of: booked)?.name,
            ]
                + fields.map { field in
                    if case .text(let text) = field.value { text } else { nil }
                }
        )
    }
}
