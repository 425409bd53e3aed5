/** Asks the person at the terminal. */
import { createInterface } from "node:readline/promises";

export type Ask = (question: string, signal: AbortSignal) => Promise<string>;

/** Returns what asks on standard error and reads a line from standard input; `null` if no person is at either. */
export function terminalQuestions(): Ask | null {
  const { stdin: input, stderr: output } = process;
  if (!input.isTTY || !output.isTTY) return null;
  return async (question, signal) => {
    const lines = createInterface({ input, output });
    try {
      return (await lines.question(question, { signal })).trim();
    } finally {
      lines.close();
    }
  };
}
