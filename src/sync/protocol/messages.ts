/** All messages of the cloud protocol, and how they are parsed. */
import { z } from "zod";
import { Batch } from "./batch.ts";
import { Command, Configuration } from "./downlink.ts";
import { Ack, GapRequest, Goodbye, Hello, Refusal, Welcome } from "./handshake.ts";
import { MAX_REASON } from "./limits.ts";

const TO_CLOUD = { hello: Hello, batch: Batch } as const;
const TO_GATEWAY = {
  welcome: Welcome,
  ack: Ack,
  refusal: Refusal,
  "gap-request": GapRequest,
  command: Command,
  configuration: Configuration,
  goodbye: Goodbye,
} as const;

/** What a gateway sends. */
export type ToCloud = z.infer<(typeof TO_CLOUD)[keyof typeof TO_CLOUD]>;
/** What a cloud service sends. */
export type ToGateway = z.infer<(typeof TO_GATEWAY)[keyof typeof TO_GATEWAY]>;

/** A message that does not conform to the cloud protocol. The text says where and why. */
export class ProtocolError extends Error {
  override readonly name = "ProtocolError";
}

const Kind = z.looseObject({ kind: z.string().max(100) });

/** Parses a message to a gateway; `null` for an unknown kind, which is ignored. Throws a `ProtocolError`. */
export function parseToGateway(value: unknown): ToGateway | null {
  return parsed<ToGateway>(TO_GATEWAY, value);
}

/** Parses a message to a cloud service; `null` for an unknown kind, which is ignored. Throws a `ProtocolError`. */
export function parseToCloud(value: unknown): ToCloud | null {
  return parsed<ToCloud>(TO_CLOUD, value);
}

function parsed<Message>(schemas: Readonly<Record<string, z.ZodType<Message>>>, value: unknown): Message | null {
  const named = Kind.safeParse(value);
  if (!named.success) throw new ProtocolError("not a message: expected an object with a kind");
  const { kind } = named.data;
  const schema = Object.hasOwn(schemas, kind) ? schemas[kind] : undefined;
  if (schema === undefined) return null;
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  throw new ProtocolError(`${kind}: ${problemOf(read.error)}`);
}

/** Returns the first problem: where and what. */
export function problemOf({ issues: [issue] }: z.ZodError): string {
  const { path = [], message = "wrong" } = issue ?? {};
  return (path.length === 0 ? message : `${path.join(".")}: ${message}`).slice(0, MAX_REASON);
}
