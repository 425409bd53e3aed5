/** The completion of shells and the manual page, made of the commands as commander knows them. */
import type { Command, Option } from "commander";
import { commands, EXIT_CODES } from "../src/cli/program.ts";

const nothing = () => {};

/** All commands, with which nothing can be run. */
export function declaredCommands(): Command {
  return commands(
    {
      environment: {},
      home: "/",
      workingFolder: "/",
      pid: 0,
      isTerminal: false,
      stop: new AbortController().signal,
      out: nothing,
      err: nothing,
    },
    async () => {},
  );
}

interface Place {
  /** The words that lead to the command, without `hemgate`. */
  readonly path: readonly string[];
  readonly command: Command;
}

/** The command and all below it. */
export function places(command: Command, path: readonly string[] = []): readonly Place[] {
  return [{ path, command }, ...command.commands.flatMap((each) => places(each, [...path, each.name()]))];
}

function options(command: Command): readonly Option[] {
  return command.options.filter(({ hidden }) => !hidden);
}

function flags(command: Command): readonly string[] {
  return [...options(command).flatMap(({ long }) => long ?? []), "--help"];
}

function takesValue({ required, optional }: Option): boolean {
  return required || optional;
}

/** A text for people as one line. */
function line(text: string): string {
  return text.replaceAll(/\s+/gu, " ").trim();
}

/** Options of any command that are followed by a value. */
function valued(all: readonly Place[]): readonly string[] {
  const found = all.flatMap(({ command }) => options(command).filter(takesValue));
  return [...new Set(found.flatMap(({ long }) => long ?? []))].toSorted();
}

function isFile(option: Option): boolean {
  return /<(?:file|folder)>/u.test(option.flags);
}

function fileOptions(all: readonly Place[]): readonly string[] {
  const found = all.flatMap(({ command }) => options(command).filter(isFile));
  return [...new Set(found.flatMap(({ long }) => long ?? []))].toSorted();
}

/** A loop over the words before the cursor that leaves the command's words in `place`; bash and zsh read it alike. */
function findPlace(all: readonly Place[], words: string): string {
  const known = all.filter(({ path }) => path.length > 0).map(({ path }) => `"${path.join(" ")}"`);
  return `  local place="" word skip=""
  for word in ${words}; do
    if [ -n "$skip" ]; then skip=""; continue; fi
    case "$word" in
      ${valued(all).join("|")}) skip=1; continue ;;
      -*) continue ;;
    esac
    case "\${place:+$place }$word" in
      ${known.join("|")}) place="\${place:+$place }$word" ;;
    esac
  done`;
}

/** The completion for bash. */
export function bashCompletion(program = declaredCommands()): string {
  const all = places(program);
  const cases = all.map(({ path, command }) => {
    const words = [...command.commands.map((each) => each.name()), ...flags(command)];
    return `    "${path.join(" ")}") words="${words.join(" ")}" ;;`;
  });
  return `# Completion of hemgate for bash. Generated from the program's commands.
_hemgate() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" words=""
${findPlace(all, `"\${COMP_WORDS[@]:1:COMP_CWORD-1}"`)}
  case "$previous" in
    ${fileOptions(all).join("|")}) compopt -o default; COMPREPLY=(); return ;;
    ${valued(all).join("|")}) COMPREPLY=(); return ;;
  esac
  case "$place" in
${cases.join("\n")}
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  # An argument may be a file.
  if [ "\${#COMPREPLY[@]}" -eq 0 ]; then compopt -o default; fi
}
complete -F _hemgate hemgate
`;
}

/** In single quotes; a colon ends the word that `_describe` shows a text for. */
function zshWord(name: string, text: string): string {
  return `'${name}:${line(text).replaceAll("'", "'\\''")}'`;
}

/** The completion for zsh, as a function file. */
export function zshCompletion(program = declaredCommands()): string {
  const all = places(program);
  const cases = all.map(({ path, command }) => {
    const words = [
      ...command.commands.map((each) => zshWord(each.name(), each.description())),
      ...options(command).map((each) => zshWord(each.long ?? "", each.description)),
      zshWord("--help", "show the help"),
    ];
    return `    "${path.join(" ")}") found=(${words.join(" ")}) ;;`;
  });
  return `#compdef hemgate
# Completion of hemgate for zsh. Generated from the program's commands.
_hemgate() {
  local -a found
${findPlace(all, `"\${(@)words[2,CURRENT-1]}"`)}
  case "\${words[CURRENT-1]}" in
    ${fileOptions(all).join("|")}) _files; return ;;
    ${valued(all).join("|")}) _message value; return ;;
  esac
  case "$place" in
${cases.join("\n")}
  esac
  _describe hemgate found || _files
}
_hemgate "$@"
`;
}

function fishText(text: string): string {
  return `'${line(text).replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

/** The completion for fish. */
export function fishCompletion(program = declaredCommands()): string {
  const all = places(program);
  const lines = all.flatMap(({ path, command }) => {
    const here = `complete -c hemgate -n '__hemgate_is_at ${fishText(path.join(" ")).replaceAll("'", '"')}'`;
    return [
      ...command.commands.map((each) => `${here} -f -a ${each.name()} -d ${fishText(each.description())}`),
      ...options(command).map((each) => {
        const value = isFile(each) ? " -r -F" : takesValue(each) ? " -x" : "";
        return `${here} -l ${(each.long ?? "").slice(2)}${value} -d ${fishText(each.description)}`;
      }),
    ];
  });
  const known = all.filter(({ path }) => path.length > 0).map(({ path }) => `"${path.join(" ")}"`);
  return `# Completion of hemgate for fish. Generated from the program's commands.
function __hemgate_is_at
  set -l place ""
  set -l skip ""
  for word in (commandline -opc)[2..]
    if test -n "$skip"
      set skip ""
      continue
    end
    switch $word
      case ${valued(all).join(" ")}
        set skip 1
        continue
      case '-*'
        continue
    end
    set -l next (string trim -- "$place $word")
    switch $next
      case ${known.join(" ")}
        set place $next
    end
  end
  test "$place" = "$argv[1]"
end
complete -c hemgate -l help -s h -d 'show the help'
${lines.join("\n")}
`;
}

/** For troff: no escapes, no requests, and hyphens that can be copied. */
function roff(text: string): string {
  return line(text)
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll("…", "...")
    .replace(/^(?=[.'])/u, "\\&");
}

function roffOption({ flags: text, description }: Option): string {
  return `.TP\n.B ${roff(text)}\n${roff(description)}`;
}

function roffCommand({ path, command }: Place): string {
  const values = command.registeredArguments.map((each) => (each.required ? `<${each.name()}>` : `[${each.name()}]`));
  const described = command.registeredArguments.filter(({ description }) => description !== "");
  return [
    `.SS hemgate ${roff([...path, ...values].join(" "))}`,
    `${roff(command.description())}.`,
    ...described.map((each) => `.TP\n.I ${roff(each.name())}\n${roff(each.description)}`),
    ...options(command).map(roffOption),
  ].join("\n");
}

/** Where the Debian package keeps what it needs. */
const FILES = [
  ["/etc/hemgate/gateway.yaml", "the configuration of the service"],
  ["/etc/hemgate/hemgate.key", "the keys that seal the secrets; keep a copy of it apart from copies of the memory"],
  ["/etc/default/hemgate", "environment variables of the service, if it is there"],
  ["/var/lib/hemgate", "the memory of the service"],
  ["/var/lib/hemgate-update", "what takes back the last update: the package and the memory from before it"],
  ["/usr/share/doc/hemgate/examples/gateway.example.yaml", "every setting, explained"],
] as const;

/** The manual page in section 1. `date` is that of the version, as in 2026-11-27. */
export function manualPage(
  { version, date }: { readonly version: string; readonly date: string },
  program = declaredCommands(),
): string {
  const [, ...below] = places(program);
  const runnable = below.filter(({ command }) => command.commands.length === 0 || command.options.length > 0);
  return `${[
    `.TH HEMGATE 1 ${date} "hemgate ${version}" "User Commands"`,
    ".SH NAME",
    "hemgate \\- home\\-energy gateway",
    ".SH SYNOPSIS",
    ".B hemgate",
    ".I command",
    "[options]",
    ".SH DESCRIPTION",
    roff(program.description()),
    "Root asks the service hemgate.service where a command names no folder.",
    ".SH OPTIONS",
    ...options(program).map(roffOption),
    ".TP\n.B \\-h, \\-\\-help\nshow the help, of a command too",
    ".SH COMMANDS",
    ...runnable.map(roffCommand),
    ".SH EXIT STATUS",
    roff(EXIT_CODES.replace(/^\s*Exit codes: /u, "")),
    ".SH FILES",
    ...FILES.map(([path, text]) => `.TP\n.I ${roff(path)}\n${roff(text)}`),
    ".SH SEE ALSO",
    ".BR systemctl (1),",
    ".BR journalctl (1)",
  ].join("\n")}\n`;
}
