import type { Schemas } from "../../client/index.ts";
import { LogLevel } from "../../domain/diagnostics/log-view.ts";
import type { Clock } from "../../platform/ports/ports.ts";
import type { CliContext } from "../context.ts";
import { CliError, EXIT, type ExitCode } from "../exit-code.ts";
import { socketClient } from "../socket-client.ts";

const LOOK_EVERY_MS = 1_000;
const NOTHING = "the gateway keeps no such line; log.level in its configuration says which it writes";
type Line = Schemas["LogLine"];

export interface LogsOptions {
  readonly folder: string;
  readonly isJson: boolean;
  readonly isFollow: boolean;
  readonly level?: string;
  readonly text?: string;
  readonly device?: string;
}

/** `hemgate logs`: the lines that the running gateway keeps, oldest first. */
export async function logs(
  { folder, isJson, isFollow, level = "info", text, device }: LogsOptions,
  context: Pick<CliContext, "out" | "err" | "stop">,
  clock: Pick<Clock, "sleep">,
): Promise<ExitCode> {
  const known = LogLevel.safeParse(level);
  if (!known.success) throw new CliError(EXIT.usage, `--level is one of ${LogLevel.options.join(", ")}`);
  const client = await socketClient(folder, context.stop);
  const query = {
    level: known.data,
    ...(text !== undefined && { text }),
    ...(device !== undefined && { deviceId: device }),
  };
  let last: string | null = null;
  do {
    const lines = (await client.get("/local/logs", { query })).toReversed();
    for (const line of newerThan(lines, last)) context.out(isJson ? JSON.stringify(line) : lineText(line));
    const newest = lines.at(-1);
    if (newest === undefined && last === null && !isFollow) context.err(NOTHING);
    if (newest !== undefined) last = JSON.stringify(newest);
    if (isFollow) await clock.sleep(LOOK_EVERY_MS, context.stop).catch(() => undefined);
  } while (isFollow && !context.stop.aborted);
  return EXIT.ok;
}

/** All lines if the last one that was printed is not kept any more. */
function newerThan(lines: readonly Line[], last: string | null): readonly Line[] {
  return last === null ? lines : lines.slice(lines.findLastIndex((line) => JSON.stringify(line) === last) + 1);
}

function lineText({ at, level, text, fields }: Line): string {
  const details = Object.entries(fields).map(
    ([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  return [at, level.toUpperCase().padEnd(5), text, ...details].join(" ");
}
