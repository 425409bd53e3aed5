import { createRequire } from "node:module";
import { type DestinationStream, type Logger, pino, stdSerializers } from "pino";
import type { PinoPretty } from "pino-pretty";
import { codeOf, errorText, placeOfBug } from "../error-text.ts";
import type { Log, LogFields } from "../ports/ports.ts";
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
  // Only a terminal needs it, and a log is there at once: no line of the start may wait for an import.
  const pretty: typeof PinoPretty = createRequire(import.meta.url)("pino-pretty");
  return pretty({ destination: fd, sync: true, colorize: true, singleLine: true, translateTime: "SYS:HH:MM:ss.l" });
}

function wrap(logger: Logger): Log {
  return {
    error: (fields, text) => logger.error(shortened(fields, text, logger), text),
    warn: (fields, text) => logger.warn(shortened(fields, text, logger), text),
    info: (fields, text) => logger.info(fields, text),
    debug: (fields, text) => logger.debug(fields, text),
    child: (fields) => wrap(logger.child(redactFields(fields))),
  };
}

/**
 * The stack of an error and a library's own message are for debugging: a warning has a sentence, the code, and of a bug
 * where it is. At level debug a line with the whole error stands before it.
 */
function shortened(fields: LogFields, text: string, logger: Logger): LogFields {
  const { err } = fields;
  if (!(err instanceof Error)) return fields;
  logger.debug({ err }, `${text}: the whole error`);
  const code = codeOf(err);
  const at = code === null ? placeOfBug(err) : null;
  const summary = {
    type: err.name,
    message: errorText(err),
    ...("kind" in err && { kind: err.kind }),
    ...(code !== null && { code }),
    ...(at !== null && { at }),
  };
  return { ...fields, err: summary };
}
