/// What completes command lines in a shell, made of the same tables as the help.
enum Completions {
  /// A shell that it can be written for.
  enum Shell: String, CaseIterable, Sendable {
    case bash, zsh, fish
  }

  /// The script for `shell`, which knows `commands` and their options.
  static func script(for shell: Shell, _ commands: [Command]) -> String {
    let tables = commands.map(\.table)
    return switch shell {
    case .bash: bash(tables)
    case .zsh: zsh(tables)
    case .fish: fish(tables)
    }
  }

  /// Whether a value is a path, for which the shell offers files.
  private static func isPath(_ value: String) -> Bool { ["FILE", "STORE", "FOLDER"].contains(value) }

  private static func bash(_ tables: [CommandTable]) -> String {
    let cases = tables.map { table in
      "    \(table.name)) options='\(table.allOptions.map { "--" + $0.name }.joined(separator: " "))' ;;"
    }
    let paths = Set(tables.flatMap(\.allOptions).filter { $0.value.map(isPath) ?? false }.map { "--" + $0.name })
    let values = Set(tables.flatMap(\.allOptions).filter { $0.value != nil }.map { "--" + $0.name }).subtracting(paths)
    return """
      # Completion of pages for bash.
      _pages() {
        local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} options=
        COMPREPLY=()
        if [ "$COMP_CWORD" -eq 1 ]; then
          COMPREPLY=($(compgen -W '\(tables.map(\.name).joined(separator: " ")) help' -- "$word"))
          return
        fi
        case $before in
      \(arm(paths, "COMPREPLY=($(compgen -f -- \"$word\")); return"))
      \(arm(values, "return"))
        esac
        case ${COMP_WORDS[1]} in
      \(cases.joined(separator: "\n"))
        esac
        case $word in
          -*) COMPREPLY=($(compgen -W "$options" -- "$word")) ;;
          *) COMPREPLY=($(compgen -f -- "$word")) ;;
        esac
      }
      complete -o filenames -F _pages pages
      """
  }

  private static func arm(_ names: Set<String>, _ action: String) -> String {
    names.isEmpty ? "    '') ;;" : "    \(names.sorted().joined(separator: "|"))) \(action) ;;"
  }

  private static func zsh(_ tables: [CommandTable]) -> String {
    let commands = tables.map { "    '\(zshText($0.name)):\(zshText($0.brief))'" }
    let cases = tables.map { table in
      let options = table.allOptions.map { option -> String in
        let value = option.value.map { ":" + zshText($0) + ":" + (isPath($0) ? "_files" : "") } ?? ""
        return "        '\(option.repeats ? "*" : "")--\(option.name)[\(zshText(option.help))]\(value)'"
      }
      let operand = table.operand.map { ["        '*:\(zshText($0)):_files'"] } ?? []
      return "    \(table.name))\n      _arguments \\\n" + (options + operand).joined(separator: " \\\n") + "\n      ;;"
    }
    return """
      #compdef pages
      # Completion of pages for zsh.
      local -a commands
      commands=(
      \(commands.joined(separator: "\n"))
      )
      if (( CURRENT == 2 )); then
        _describe command commands
        return
      fi
      local command=$words[2]
      shift words
      (( CURRENT-- ))
      case $command in
      \(cases.joined(separator: "\n"))
      esac
      """
  }

  /// Text that stands inside single quotes and between brackets and colons.
  private static func zshText(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "'": result += "'\\''"
      case "[", "]", ":", "\\": result += "\\" + String(character)
      default: result.append(character)
      }
    }
    return result
  }

  private static func fish(_ tables: [CommandTable]) -> String {
    let commands = tables.map {
      "complete -c pages -n __fish_use_subcommand -f -a \($0.name) -d \(fishText($0.brief))"
    }
    let options = tables.flatMap { table in
      table.allOptions.map { option -> String in
        let value = option.value.map { isPath($0) ? " -r -F" : " -x" } ?? " -f"
        return "complete -c pages -n '__fish_seen_subcommand_from \(table.name)' -l \(option.name)\(value)"
          + " -d \(fishText(option.help))"
      }
    }
    return (["# Completion of pages for fish."] + commands + options).joined(separator: "\n")
  }

  /// Text in single quotes, where only a quote and a backslash mean anything.
  private static func fishText(_ text: String) -> String {
    "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }
}
