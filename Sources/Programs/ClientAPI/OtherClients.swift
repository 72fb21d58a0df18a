package import LedgerHTTP

/// The apps that were made for another server, whose protocol this server speaks: the feed client
/// and the webhook app.
///
/// They use their own terms for the ledger's data, and their own paths.
package enum OtherClients {
    /// Returns their paths.
    ///
    /// - Parameters:
    ///   - name: The name of the ledger, which is that of their user.
    ///   - reader: Reads the ledger.
    ///   - keeper: Tells of changes.
    ///   - writer: Appends events.
    ///   - bodies: Reads the bodies of requests.
    /// - Returns: `/api/v1/…` and `/webhook/…`.
    package static func routes(
        ofLedger name: String,
        reader: LedgerReader,
        keeper: ViewKeeper,
        writer: EventWriter,
        bodies: RequestBodies
    ) -> [Route] {
        let feedClient = FeedClientEndpoint(
            reader: reader,
            keeper: keeper,
            writer: writer,
            bodies: bodies,
            user: name
        )
        let webhook = WebhookEndpoint(reader: reader, writer: writer, bodies: bodies)
        return feedClient.routes + webhook.routes
    }
}
