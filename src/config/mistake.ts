import { isSecretName, withoutCredentials } from "../domain/secret-names.ts";

/** Where a mistake stands: a place in the file, or the environment variable that brought the value. */
export type MistakePlace =
  | { readonly kind: "file"; readonly line: number; readonly column: number }
  | { readonly kind: "variable"; readonly name: string };

/** One thing that is wrong with a configuration, in words for its author. */
export interface ConfigMistake {
  readonly place: MistakePlace;
  /** `devices[1].port`; empty for the whole file. */
  readonly path: string;
  /** What is wrong, as a short claim: `unknown key "hots"`. */
  readonly problem: string;
  /** What would be right; null when the problem says it all. */
  readonly expected: string | null;
  /** What stands there, shortened; null when nothing does or the problem names it. */
  readonly found: string | null;
  /** The valid key or value that is closest to the wrong one. */
  readonly nearest: string | null;
}

/** The mistake as one line that editors and terminals can jump to: `file:line:column: path: what is wrong`. */
export function mistakeLine(file: string, mistake: ConfigMistake): string {
  const { place, path, problem, expected, found, nearest } = mistake;
  const where = place.kind === "file" ? `${file}:${place.line}:${place.column}` : place.name;
  const subject = path === "" ? "" : `${path}: `;
  const expectation = expected === null ? "" : `; expected ${expected}`;
  const actual = found === null ? "" : `, found ${found}`;
  const hint = nearest === null ? "" : `; did you mean "${nearest}"?`;
  return `${where}: ${subject}${problem}${expectation}${actual}${hint}`;
}

export type ConfigPath = readonly (string | number)[];

/** `["devices", 1, "port"]` as people write it: `devices[1].port`. */
export function pathText(path: ConfigPath): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === "number") return `${text}[${part}]`;
    return text === "" ? part : `${text}.${part}`;
  }, "");
}

const MAX_SHOWN_CHARACTERS = 60;

/** A value as it is quoted in a mistake: short, on one line. */
export function shown(value: unknown): string {
  if (value === undefined || value === null) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "a map";
  const text = typeof value === "string" ? JSON.stringify(withoutCredentials(value)) : String(value);
  return text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, MAX_SHOWN_CHARACTERS)}…` : text;
}

/**
 * Returns the value at a path as a mistake shows it. A secret is in no message, which goes to the log; a text where a
 * map or a list is expected may be a secret with its key.
 */
export function foundText(path: ConfigPath, value: unknown, expected: string | null): string {
  if (typeof value === "object") return shown(value);
  const isSecret = path.some((part) => typeof part === "string" && isSecretName(part));
  const isSection = /^a (map|list)\b/.test(expected ?? "");
  return isSecret || (isSection && typeof value === "string") ? "a value that is not shown here" : shown(value);
}
