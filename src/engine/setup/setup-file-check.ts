/** Checks a setup file as a whole, with the line of each mistake, before anything is done. */
import { parseYamlSource, type YamlSource } from "../../config/yaml-source.ts";
import { issuesOf } from "../../domain/issue-text.ts";
import { type Issue, ProblemError } from "../../domain/problem.ts";
import { SetupFile } from "../../domain/setup/setup-file.ts";
import type { SetupFileMistake } from "../../domain/setup/setup-import.ts";
import type { SiteConnections } from "../contracts/energy/energy.ts";
import { isInHouse } from "../discovery/search-hosts.ts";

export type CheckedFile =
  | { readonly file: SetupFile; readonly mistakes: readonly [] }
  | { readonly file: null; readonly mistakes: readonly SetupFileMistake[] };

export interface FileCheckParts {
  readonly siteConnections: Pick<SiteConnections, "check">;
  /** Who imports it may make accounts. */
  readonly isManager: boolean;
}

type Fault = Pick<Issue, "path" | "code" | "message">;

export function checkSetupFile(text: string, parts: FileCheckParts): CheckedFile {
  const parsed = parseYamlSource(text);
  if (!parsed.ok) {
    const mistakes = parsed.mistakes.map(({ place, problem: message }) => {
      return { line: place.kind === "file" ? place.line : 1, path: [], code: "not-yaml", message };
    });
    return { file: null, mistakes };
  }
  const { source } = parsed;
  const checked = SetupFile.safeParse(source.value);
  const faults = checked.success ? faultsHere(checked.data, parts) : issuesOf(checked.error).flatMap(faultsOf);
  if (checked.success && faults.length === 0) return { file: checked.data, mistakes: [] };
  return { file: null, mistakes: faults.map((fault) => ({ ...fault, line: lineOf(source, fault) })) };
}

/** What the file's schema does not know: the rest of the configuration, and who may do what. */
function faultsHere({ site, devices, people }: SetupFile, { siteConnections, isManager }: FileCheckParts): Fault[] {
  const faults: Fault[] = [];
  for (const [at, { host }] of devices.entries()) {
    if (host === undefined || isInHouse(host)) continue;
    const message = "This is not an address in the house; only private IPv4 addresses are searched";
    faults.push({ path: ["devices", at, "host"], code: "outside-house", message });
  }
  if (people.length > 0 && !isManager) {
    const message = "Only owners, and programs with the scope people:manage, make accounts; take this section out";
    faults.push({ path: ["people"], code: "forbidden", message });
  }
  if (site === undefined) return faults;
  try {
    siteConnections.check(site);
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const { issues, slug, message } = error;
    if (issues.length === 0) faults.push({ path: ["site"], code: slug, message });
    for (const { path, ...issue } of issues) faults.push({ ...issue, path: ["site", ...path] });
  }
  return faults;
}

/** Each unknown key is a separate fault, at its own line. */
function faultsOf(issue: ReturnType<typeof issuesOf>[number]): Fault[] {
  const path = issue.path.map((part) => (typeof part === "number" ? part : String(part)));
  const { code, message } = issue;
  if (issue.code !== "unrecognized_keys") return [{ path, code, message }];
  return issue.keys.map((key) => ({ path: [...path, key], code, message: "There is no such key here" }));
}

function lineOf(source: YamlSource, { path, code }: Fault): number {
  return source.locate(path, code === "unrecognized_keys" ? "key" : "value").line;
}
