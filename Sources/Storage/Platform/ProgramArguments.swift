/// The arguments with which the program was started, as the bytes that they are.
package enum ProgramArguments {
    /// The index of the first argument behind the program's name that is not UTF-8; `nil` if all
    /// are.
    ///
    /// `CommandLine.arguments` has replacement characters for its bytes.
    package static var firstThatIsNotText: Int? {
        (1..<max(1, Int(CommandLine.argc)))
            .first { index in
                // The system's arguments live as long as the process, and end with a NUL.
                guard let bytes = unsafe CommandLine.unsafeArgv[index] else { return false }
                return unsafe String(validatingCString: bytes) == nil
            }
    }
}
