/** One line of JSON for each thing worth telling. */
export interface Log {
  info(what: object, text: string): void;
  warn(what: object, text: string): void;
}

export function lineLog(write: (line: string) => void): Log {
  const line =
    (level: string) =>
    (what: object, text: string): void => {
      const told = Object.entries(what).map(([key, value]) => [key, value instanceof Error ? value.message : value]);
      write(`${JSON.stringify({ level, at: new Date().toISOString(), text, ...Object.fromEntries(told) })}\n`);
    };
  return { info: line("info"), warn: line("warn") };
}
