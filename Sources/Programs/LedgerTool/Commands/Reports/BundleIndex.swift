import LedgerKeeping
import Papers
import Reports
import Tables
import TripEvents
import TripLedger

/// The page of a bundle that leads to its reports: `prints/index.html`.
struct BundleIndex {
    private static let style = """
        body{font:16px/1.5 sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem}
        li{margin:.4rem 0}
        """

    private let question: BundleQuestion
    private let days: ClosedRange<CivilDate>
    private let hasPDF: Bool
    private let stamps: [HeadStamps.Statement]

    /// Describes the page of a bundle that was made for that; `hasPDF` says whether its reports lie
    /// beside the page as PDF, and `stamps` what the stamps over its head say.
    init(
        _ question: BundleQuestion,
        on days: ClosedRange<CivilDate>,
        hasPDF: Bool,
        stamps: [HeadStamps.Statement]
    ) {
        self.question = question
        self.days = days
        self.hasPDF = hasPDF
        self.stamps = stamps
    }

    /// The page, which is XML as all pages of reports are.
    var bytes: [UInt8] {
        let words = Words(question.language)
        let language = question.language.rawValue
        let title = words.text(.mileage(of: days))
        var bytes = Array(
            """
            <!DOCTYPE html>
            <html xmlns="http://www.w3.org/1999/xhtml" lang="\(language)" xml:lang="\(language)">
            <head>
            <meta charset="utf-8"/>
            <meta name="viewport" content="width=device-width,initial-scale=1"/>

            """
            .utf8
        )
        XMLElement.appendShown("title", title, to: &bytes)
        bytes += "\n<style>\n\(Self.style)\n</style>\n</head>\n<body>\n".utf8
        XMLElement.appendShown("h1", title, to: &bytes)
        bytes += "\n<ul>\n".utf8
        for kind in question.kinds {
            bytes += "<li>".utf8
            XMLElement.append(text: words.text(kind.title) + ": ", to: &bytes)
            if hasPDF {
                Self.append(link: "\(kind.rawValue).pdf", "PDF", to: &bytes)
                bytes += ", ".utf8
            }
            for (index, end) in BundleQuestion.ends.enumerated() {
                if index > 0 { bytes += ", ".utf8 }
                let file = "../reports/\(kind.rawValue).\(end)"
                Self.append(link: file, end.uppercased(), to: &bytes)
            }
            bytes += "</li>\n".utf8
        }
        bytes += "</ul>\n".utf8
        for stamp in stamps {
            XMLElement.appendShown("p", words.text(.stamped(stamp)), to: &bytes)
            bytes += "\n".utf8
        }
        bytes += "<p>".utf8
        XMLElement.append(text: words.text(.howToCheck) + " ", to: &bytes)
        Self.append(link: "../README.txt", "README.txt", to: &bytes)
        bytes += "</p>\n</body>\n</html>\n".utf8
        return bytes
    }

    private static func append(link: String, _ text: String, to bytes: inout [UInt8]) {
        XMLElement.appendShown("a", attributes: "href=\"\(link)\"", text, to: &bytes)
    }
}

extension Phrase {
    fileprivate static func mileage(of days: ClosedRange<CivilDate>) -> Phrase {
        let (first, last) = (days.lowerBound, days.upperBound)
        return Phrase(
            en: "Mileage of \(first) to \(last)",
            nl: "Kilometers van \(first) tot en met \(last)",
            de: "Fahrten vom \(first) bis \(last)",
            fr: "Déplacements du \(first) au \(last)"
        )
    }

    fileprivate static func stamped(_ stamp: HeadStamps.Statement) -> Phrase {
        let time = RFC3339.text(stamp.time)
        // What such an authority is called in each of these languages.
        let name = stamp.authority.isEmpty ? "TSA" : stamp.name
        return Phrase(
            en: "The entries were there at \(own: time), stamped by \(own: name) (stamps/).",
            nl: "De gegevens waren er op \(own: time), bevestigd door \(own: name) (stamps/).",
            de: "Die Einträge lagen um \(own: time) vor, gestempelt von \(own: name) (stamps/).",
            fr: "Les données existaient le \(own: time), horodaté par \(own: name) (stamps/)."
        )
    }

    fileprivate static let howToCheck = Phrase(
        en: "How every figure is checked against the evidence:",
        nl: "Hoe elk getal met het bewijs wordt vergeleken:",
        de: "Wie jede Zahl mit den Belegen verglichen wird:",
        fr: "Comment chaque chiffre est comparé aux preuves :"
    )
}
