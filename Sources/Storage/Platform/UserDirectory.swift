import Glibc
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

/// The environment that the process was started with.
package enum ProcessEnvironment {
    /// Returns the value of a variable, or `nil` if it is not set or empty.
    ///
    /// The corresponding C function is `getenv`.
    package static func variable(_ name: String) -> String? {
        // Nothing in this process changes the environment, so the text stays where it is until it
        // has been copied.
        guard let value = unsafe getenv(name) else { return nil }
        let text = unsafe String(cString: value)
        return text.isEmpty ? nil : text
    }
}
