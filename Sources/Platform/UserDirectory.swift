package import SystemPackage

/// Where a user's own files are kept, as the XDG Base Directory Specification says.
package enum UserDirectory {
    /// Settings and keys: `XDG_CONFIG_HOME`, else `~/.config`.
    case configuration

    /// What a program remembers between runs: `XDG_STATE_HOME`, else `~/.local/state`.
    case state

    /// The environment variable that names the directory.
    package var variable: String {
        switch self {
        case .configuration: "XDG_CONFIG_HOME"
        case .state: "XDG_STATE_HOME"
        }
    }

    /// The directory, or `nil` if there is neither the variable nor a home directory.
    package var path: FilePath? {
        // The specification has relative paths ignored.
        if let path = ProcessEnvironment.variable(variable).map({ FilePath($0) }), path.isAbsolute {
            return path
        }
        return ProcessEnvironment.variable("HOME").map { FilePath($0).appending(pathBelowHome) }
    }

    private var pathBelowHome: String {
        switch self {
        case .configuration: ".config"
        case .state: ".local/state"
        }
    }
}
