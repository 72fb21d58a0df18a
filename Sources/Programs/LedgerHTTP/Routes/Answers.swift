package import HTTPTypes
package import Hummingbird
package import JSONText
import NIOCore

extension Response {
    /// Answers with bytes that are not kept on the way.
    package init(
        _ status: HTTPResponse.Status,
        as mediaType: String,
        _ bytes: some Sequence<UInt8>
    ) {
        self.init(
            status: status,
            headers: [.contentType: mediaType, .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        )
    }

    /// Answers with a JSON object.
    package init(object members: [JSONValue.Member]) {
        var bytes: [UInt8] = []
        JSONWriter.append(members, to: &bytes)
        self.init(.ok, as: "application/json", bytes)
    }
}
