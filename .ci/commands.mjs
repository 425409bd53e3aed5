// Prints the commands of a document: those in the shell blocks below one heading, as they stand there.
// `node .ci/commands.mjs FILE HEADING`
import { readFileSync } from "node:fs";

const [file, heading] = process.argv.slice(2);
const lines = readFileSync(file, "utf8").split("\n");
const start = lines.findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ /, "") === heading);
// In a block `#` begins a comment.
let isInside = false;
let commands = 0;
for (const line of start < 0 ? [] : lines.slice(start + 1)) {
  if (!isInside && /^#+ /.test(line)) break;
  if (isInside && line.startsWith("```")) isInside = false;
  else if (isInside) commands += console.log(line) ?? 1;
  else if (line === "```sh") isInside = true;
}
if (commands === 0) {
  console.error(`${file} has no shell block below "${heading}"`);
  process.exit(1);
}
