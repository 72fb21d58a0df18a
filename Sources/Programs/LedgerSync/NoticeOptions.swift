import Platform
import Proofs
import SystemPackage
import TripLedger

/// Where notices go, and in which form.
struct NoticeOptions {
    /// The form of what is posted.
    enum Form: String {
        /// The notification as it is: `notification.v1.schema.json`.
        case json

        /// The sentence as the body, and its kind as the title, as ntfy takes them.
        case ntfy

        /// Title, body and type, as Apprise's API takes them.
        case apprise
    }

    private static let mostSecretBytes = 4_096

    /// The form of what is posted.
    var form = Form.json

    /// The file with the key that signs bodies.
    var secretFile: String?

    /// The file with the token that the receiver asks for.
    var tokenFile: String?

    /// The kinds that are sent; `nil` for all.
    var kinds: Set<LedgerNotification.Kind>?

    /// The size of the log to begin with if nothing was sent yet; `nil` for the present one.
    var since: UInt64?

    /// Whether to end when everything was sent.
    var isOnce = false

    /// How many seconds one notice may take.
    var timeout = 60

    /// A sentence to send instead of notifications; `nil` for notifications.
    var sentence: String?

    /// The program that sends mail.
    var mailer = FilePath("/usr/sbin/sendmail")

    /// Reads `name=value` words; `nil` if one is unknown, or if they are not about notices.
    init?(_ words: ArraySlice<String>) {
        guard words.contains("notices=true") else { return nil }
        for word in words {
            guard let sign = word.firstIndex(of: "=") else { return nil }
            let value = String(word[word.index(after: sign)...])
            switch word[..<sign] {
            case "notices": continue
            case "form":
                guard let known = Form(rawValue: value) else { return nil }
                form = known
            case "secret-file": secretFile = value
            case "token-file": tokenFile = value
            case "on":
                let named = value.split(separator: ",")
                    .map { LedgerNotification.Kind(rawValue: String($0)) }
                guard !named.contains(nil) else { return nil }
                kinds = Set(named.compactMap(\.self))
            case "since":
                guard let position = UInt64(value) else { return nil }
                since = position
            case "once": isOnce = value == "true"
            case "timeout":
                guard let seconds = Int(value), (1...86_400).contains(seconds) else { return nil }
                timeout = seconds
            case "message": sentence = value
            case "mailer": mailer = FilePath(value)
            // The format of errors, which the program itself reads.
            case "format": continue
            default: return nil
            }
        }
    }

    /// Returns the first line of a file that only its owner may read.
    ///
    /// It is read anew each time: it may have been replaced.
    ///
    /// - Throws: `Refused`.
    static func secret(in file: String) throws -> String {
        let path = FilePath(file)
        do {
            guard try Directory.permissions(of: path).hasSuffix("00") else {
                throw Refused(
                    cause: "others may read the secret in \(file)",
                    hint: "chmod 600 \(ShellWord.quoted(file))"
                )
            }
            let bytes = try PrivateFile.read(path, maximumByteCount: mostSecretBytes)
            let text = String(decoding: bytes, as: UTF8.self)
            guard let line = text.split(whereSeparator: \.isNewline).first, !line.isEmpty else {
                throw Refused(
                    cause: "there is no secret in \(file)",
                    hint: "Write it on the file's first line"
                )
            }
            return String(line)
        } catch let error as Errno {
            throw Refused(
                cause: "the secret cannot be read from \(file): \(error)",
                hint: "Write it there on one line, and let only yourself read it"
            )
        }
    }
}
