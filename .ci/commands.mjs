// Prints the commands of a document: those in the shell blocks below one heading, as they stand there.
// `node .ci/commands.mjs FILE HEADING`
import { readFileSync } from "node:fs";

const [file, heading] = process.argv.slice(2);
const lines = readFileSync(file, "utf8").split("\n");
const start = lines.findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ /, "") === heading);
if (start < 0) throw new Error(`${file} has no heading "${heading}"`);
const commands = [];
// In a block `#` begins a comment.
let isInside = false;
for (const line of lines.slice(start + 1)) {
  if (!isInside && /^#+ /.test(line)) break;
  if (isInside && line.startsWith("```")) isInside = false;
  else if (isInside) commands.push(line);
  else if (line === "```sh") isInside = true;
}
if (commands.length === 0) throw new Error(`${file} has no shell block below "${heading}"`);
process.stdout.write(`${commands.join("\n")}\n`);
