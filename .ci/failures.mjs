// What failed in a vitest run and why, shortly: it stands before the log, whose end may be cut off.
import { readFileSync } from "node:fs";

const MESSAGE_CHARACTERS = 1_500;

const [report] = process.argv.slice(2);
const lines = [];
try {
  for (const { name, status, message, assertionResults } of JSON.parse(readFileSync(report, "utf8")).testResults) {
    const failed = assertionResults.filter((test) => test.status === "failed");
    if (status === "failed" && failed.length === 0) lines.push(name, message.slice(0, MESSAGE_CHARACTERS));
    for (const { fullName, failureMessages } of failed) {
      lines.push(`${name}: ${fullName}`, failureMessages.join("\n").slice(0, MESSAGE_CHARACTERS));
    }
  }
} catch (error) {
  lines.push(`no report of the failures: ${error.message}`);
}
process.stdout.write(`${lines.join("\n")}\n`);
