/** The agreed descriptions of the API: the newest version whole, each older one as its difference to the next newer. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type Change, changed, changesOf, type Json } from "./json-changes.ts";

const FOLDER = new URL("../../golden/", import.meta.url);

/** A description as it was agreed on, by its version's date. */
export interface Golden {
  readonly date: string;
  readonly document: Json;
}

/** Names of the files that hold these versions; dates as they come, oldest first. */
export function goldenFiles(dates: readonly string[]): readonly string[] {
  return dates.map((date, index) => `openapi-${date}.${index === dates.length - 1 ? "json" : "patch.json"}`);
}

/** Every version as it was agreed on, oldest first. */
export function readGoldens(dates: readonly string[]): readonly Golden[] {
  const files = goldenFiles(dates);
  const goldens: Golden[] = [];
  for (const [index, date] of [...dates.entries()].reverse()) {
    const newer = goldens[0];
    const content: unknown = JSON.parse(readFileSync(new URL(files[index] ?? "", FOLDER), "utf8"));
    goldens.unshift({
      date,
      document: newer === undefined ? (content as Json) : changed(newer.document, content as readonly Change[]),
    });
  }
  return goldens;
}

/** Agrees on new descriptions, oldest first, in place of all that there were. */
export function writeGoldens(goldens: readonly Golden[]): void {
  for (const name of agreedFiles()) rmSync(new URL(name, FOLDER));
  const files = goldenFiles(goldens.map(({ date }) => date));
  for (const [index, { document }] of goldens.entries()) {
    const newer = goldens[index + 1];
    const content = newer === undefined ? document : changesOf(newer.document, document);
    writeFileSync(new URL(files[index] ?? "", FOLDER), `${JSON.stringify(content, null, 2)}\n`);
  }
}

/** The files that are there. */
export function agreedFiles(): readonly string[] {
  return readdirSync(FOLDER)
    .filter((name) => name.startsWith("openapi-"))
    .sort();
}
