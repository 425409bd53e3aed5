import { type DestinationStream, type Logger, pino, stdSerializers } from "pino";
import pretty from "pino-pretty";
import type { Log } from "../ports.ts";
import { redact, redactFields } from "./redact.ts";

export interface NodeLogOptions {
  readonly level: "error" | "warn" | "info" | "debug";
  /** For people on a terminal; otherwise one JSON object a line, as the journal and its readers want it. */
  readonly isPretty: boolean;
  /** File descriptor; default 1, standard output. */
  readonly fd?: number;
}

/**
 * A log that is on its way to the reader before the call returns. An asynchronous or worker destination loses the last
 * lines of a process that is killed, and those are the ones that tell why.
 */
export function nodeLog(options: NodeLogOptions): Log {
  return wrap(
    pino(
      {
        level: options.level,
        base: null,
        timestamp: pino.stdTimeFunctions.isoTime,
        serializers: { err: (error: unknown) => redact(error instanceof Error ? stdSerializers.err(error) : error) },
        formatters: { level: (label) => ({ level: label }), log: redactFields },
      },
      destination(options),
    ),
  );
}

function destination({ isPretty, fd = 1 }: NodeLogOptions): DestinationStream {
  if (!isPretty) return pino.destination({ dest: fd, sync: true });
  return pretty({ destination: fd, sync: true, colorize: true, singleLine: true, translateTime: "SYS:HH:MM:ss.l" });
}

function wrap(logger: Logger): Log {
  return {
    error: (fields, text) => logger.error(fields, text),
    warn: (fields, text) => logger.warn(fields, text),
    info: (fields, text) => logger.info(fields, text),
    debug: (fields, text) => logger.debug(fields, text),
    child: (fields) => wrap(logger.child(redactFields(fields))),
  };
}
