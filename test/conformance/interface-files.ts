/** The files of docs/interface. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import type { Pages } from "./interface-pages.ts";

const FOLDER = new URL("../../docs/interface/", import.meta.url);

export function readInterfacePages(): Pages {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith(".md"));
  return new Map(files.map((file) => [file, readFileSync(new URL(file, FOLDER), "utf8")]));
}

export function writeInterfacePages(pages: Pages): void {
  for (const [file, text] of pages) writeFileSync(new URL(file, FOLDER), text);
}
