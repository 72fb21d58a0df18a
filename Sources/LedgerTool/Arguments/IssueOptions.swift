import ArgumentParser

/// The options of reports that can be issued.
struct IssueOptions: ParsableArguments {
    @Flag(
        help: """
            Note in the ledger that the report is handed out, and what makes the same bytes again: \
            see `ledger report reissue`.
            """
    )
    var issue = false

    @Option(help: "Who issues it (default: LEDGER_ACTOR, else your user name).")
    var actor: String?

    /// Refuses what cannot be issued.
    ///
    /// - Parameters:
    ///   - isDraft: Whether a draft is asked for.
    ///   - days: The days that are asked for, where they may be left open.
    /// - Throws: `ValidationError`.
    func validate(isDraft: Bool, days: PeriodOptions? = nil) throws {
        guard issue else {
            guard actor == nil else { throw ValidationError("--actor goes with --issue.") }
            return
        }
        guard !isDraft else {
            throw ValidationError("A draft is not for handing over: issue it without --draft.")
        }
        guard days?.isLimited ?? true else {
            throw ValidationError(
                "Say which days the report is issued for: --year 2025, or --from and --to."
            )
        }
    }
}
