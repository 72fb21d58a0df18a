import CPaho
import Glibc
import Platform
import Synchronization

/// A message that a broker hands over.
struct BrokerMessage: Sendable {
    /// The topic.
    var topic: String

    /// The content.
    var payload: [UInt8]

    /// The number that it has at the broker until it is acknowledged.
    var number: Int

    /// Whether it may have been handed over before.
    var isRepeated: Bool

    /// Whether it is the broker's retained message of a topic, sent because this program
    /// subscribed.
    var isEcho: Bool
}

/// Why a broker is not reached.
struct BrokerProblem: Error {
    /// The cause, without a full stop.
    let cause: String
}

/// A connection to a broker, by Eclipse Paho, whose session outlives it.
///
/// The library acknowledges a message after the receiver has returned, so that the broker keeps it
/// until it is stored. A receiver that cannot store it MUST end the process, as a return
/// acknowledges.
// @safe because the handle never leaves it, and lives as long as the process; @unchecked because
// the library locks every use of a handle, and all other state is changed under a lock.
@safe
final class BrokerConnection: @unchecked Sendable {
    /// What has become of a request.
    private enum Progress {
        case underWay
        case done
        case failed(Int32)
    }

    private struct State {
        var progress = Progress.done
        var isLost = false
    }

    /// How long one request may take, in milliseconds: messages that the broker kept go before it.
    private static let patience: UInt32 = 300_000
    private static let pause: UInt32 = 10
    private static let keepAliveSeconds: Int32 = 60

    /// Takes each message on a thread of the library's.
    fileprivate let receiver: @Sendable (BrokerMessage) -> Void

    private let handle: MQTTAsync
    private let settings: BrokerSettings
    private let state = Mutex(State())

    /// Prepares to connect.
    ///
    /// - Parameters:
    ///   - settings: The broker.
    ///   - receiver: Takes each message; it returns when that is stored, or does not return.
    /// - Throws: `BrokerProblem`.
    init(
        _ settings: BrokerSettings,
        receiver: @escaping @Sendable (BrokerMessage) -> Void
    ) throws(BrokerProblem) {
        self.settings = settings
        self.receiver = receiver
        var made: MQTTAsync?
        // The texts are copied, and the handle is never given back.
        let code = unsafe ledger_makeClient(&made, settings.address, settings.name)
        guard code == 0, let handle = unsafe made else { throw Self.problem(code) }
        unsafe self.handle = handle
        // This object lives as long as the process, which ends with the connection's use.
        let context = unsafe Unmanaged.passRetained(self).toOpaque()
        // As said above.
        _ = unsafe MQTTAsync_setCallbacks(handle, context, lost, arrived, nil)
    }

    /// Whether the connection was lost since it was made.
    var isLost: Bool { state.withLock { $0.isLost } }

    /// Connects to the broker, which hands over what it kept as soon as that is done.
    ///
    /// - Throws: `BrokerProblem`.
    func connect() throws(BrokerProblem) {
        state.withLock { $0.isLost = false }
        // The context is valid as long as the process.
        try unsafe request { context in
            // Texts are copied by the library.
            unsafe ledger_connect(
                handle,
                settings.user,
                settings.password,
                settings.authorities,
                settings.availabilityTopic,
                BrokerSettings.offline,
                settings.isSecure ? 1 : 0,
                Self.keepAliveSeconds,
                succeeded,
                failed,
                context
            )
        }
    }

    /// Asks for the messages of topics.
    ///
    /// - Throws: `BrokerProblem`.
    func subscribe(to topic: String) throws(BrokerProblem) {
        // The context is valid as long as the process.
        try unsafe request { context in
            // The text is copied.
            unsafe ledger_subscribe(handle, topic, succeeded, failed, context)
        }
    }

    /// Publishes a message that the broker is to retain for a topic.
    ///
    /// - Throws: `BrokerProblem`.
    func publish(_ payload: [UInt8], to topic: String) throws(BrokerProblem) {
        // The bytes are valid during the call.
        let code = unsafe payload.withUnsafeBytes { bytes in
            // Both are copied before this returns.
            unsafe ledger_publish(handle, topic, bytes.baseAddress, Int32(bytes.count))
        }
        guard code == 0 else { throw Self.problem(code) }
    }

    /// Makes a request and waits for its outcome.
    private func request(
        _ body: (UnsafeMutableRawPointer) -> Int32
    ) throws(BrokerProblem) {
        state.withLock { $0.progress = .underWay }
        // It was retained once for the whole life of the process.
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        // As said above.
        let code = unsafe body(context)
        guard code == 0 else { throw Self.problem(code) }
        var waited: UInt32 = 0
        while waited < Self.patience {
            switch state.withLock({ $0.progress }) {
            case .done: return
            case .failed(let code): throw Self.problem(code)
            case .underWay: break
            }
            WallClock.pause(milliseconds: Self.pause)
            waited += Self.pause
        }
        throw BrokerProblem(cause: "it does not answer")
    }

    fileprivate func note(success: Bool, _ code: Int32 = 0) {
        state.withLock { $0.progress = success ? .done : .failed(code) }
    }

    fileprivate func noteLoss() {
        state.withLock { state in
            state.isLost = true
            if case .underWay = state.progress { state.progress = .failed(-1) }
        }
    }

    private static func problem(_ code: Int32) -> BrokerProblem {
        switch code {
        case 4: return BrokerProblem(cause: "it does not accept the user and password")
        case 5: return BrokerProblem(cause: "it does not let this user in")
        default:
            // The text is a constant.
            let text = unsafe MQTTAsync_strerror(code)
            // As said above.
            let words = unsafe text.map { unsafe String(cString: $0) }
            return BrokerProblem(cause: words ?? "it cannot be reached (\(code))")
        }
    }
}

/// Returns the connection that a context of the library stands for.
private func connection(_ context: UnsafeMutableRawPointer?) -> BrokerConnection? {
    // It was made of a connection, which lives as long as the process.
    unsafe context.map { unsafe Unmanaged.fromOpaque($0).takeUnretainedValue() }
}

private func succeeded(
    _ context: UnsafeMutableRawPointer?,
    _ response: UnsafeMutablePointer<MQTTAsync_successData>?
) {
    // The context is valid.
    unsafe connection(context)?.note(success: true)
}

private func failed(
    _ context: UnsafeMutableRawPointer?,
    _ response: UnsafeMutablePointer<MQTTAsync_failureData>?
) {
    // The response is valid during the call.
    let code = unsafe ledger_failureCode(response)
    // The context is valid.
    unsafe connection(context)?.note(success: false, code)
}

private func lost(_ context: UnsafeMutableRawPointer?, _ cause: UnsafeMutablePointer<CChar>?) {
    // The context is valid.
    unsafe connection(context)?.noteLoss()
}

/// Hands a message over, and returns 1, which lets the library acknowledge it.
private func arrived(
    _ context: UnsafeMutableRawPointer?,
    _ topic: UnsafeMutablePointer<CChar>?,
    _ length: Int32,
    _ message: UnsafeMutablePointer<MQTTAsync_message>?
) -> Int32 {
    // Both are ours until they are given back below, and are copied before.
    guard let topic = unsafe topic, let message = unsafe message,
        let connection = unsafe connection(context)
    else { return 1 }
    let count = unsafe ledger_topicLength(topic, length)
    let name = unsafe UnsafeRawBufferPointer(start: topic, count: count)
    let payload = unsafe UnsafeRawBufferPointer(
        start: message.pointee.payload,
        count: Int(message.pointee.payloadlen)
    )
    let taken = unsafe BrokerMessage(
        topic: String(decoding: name, as: UTF8.self),
        payload: Array(payload),
        number: Int(message.pointee.msgid),
        isRepeated: message.pointee.dup != 0,
        isEcho: message.pointee.retained != 0
    )
    var given: UnsafeMutablePointer<MQTTAsync_message>? = unsafe message
    // As said above.
    unsafe MQTTAsync_freeMessage(&given)
    unsafe MQTTAsync_free(topic)
    connection.receiver(taken)
    return 1
}
