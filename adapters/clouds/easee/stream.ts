/**
 * The language of Easee's stream at `wss://streams.easee.com/hubs/chargers`: ASP.NET Core SignalR, JSON hub protocol 1
 * (dotnet/aspnetcore, HubProtocol.md), and what the hub says in it (evcc's charger/easee). Text in, text out: no socket.
 */
import { boundedJson, z } from "hemgate/sdk";
import { type Observation, Observation as ObservationSchema } from "./observations.ts";

/** Ends every message; several may come in one frame, and one in several. */
const END = "\u001e";
/** More text than this without an end is not this protocol. */
const MAX_MESSAGE_LENGTH = 1_000_000;
/** What the hub says is three levels deep. */
const MAX_DEPTH = 16;
const MAX_VALUE_LENGTH = 1_000;
const INVOCATION = 1;
const PING_TYPE = 6;
const CLOSE = 7;

/** The first message of a client. */
export const HANDSHAKE = `${JSON.stringify({ protocol: "json", version: 1 })}${END}`;
/** To be sent after at most 15 s of silence; the hub does the same. */
export const PING = `${JSON.stringify({ type: PING_TYPE })}${END}`;

/** Asks for what a charger tells, beginning with all that it reported before. */
export function subscription(chargerId: string): string {
  return `${JSON.stringify({ type: INVOCATION, target: "SubscribeWithCurrentState", arguments: [chargerId, true] })}${END}`;
}

/** What the hub says. */
export type StreamMessage =
  /** The answer to the handshake; with an error the hub closes. */
  | { readonly kind: "handshake"; readonly error: string | null }
  | { readonly kind: "observation"; readonly chargerId: string; readonly observation: Observation }
  /**
   * What came of a command. `ticks` is that of the 202 which queued it, read with the same loss of its last digits; where
   * it differs, `commandId` tells. One that nobody here sent means that somebody else commands this charger.
   */
  | {
      readonly kind: "command-response";
      readonly chargerId: string;
      readonly commandId: number;
      readonly ticks: number;
      readonly wasAccepted: boolean;
      readonly resultCode: number | null;
    }
  | { readonly kind: "ping" }
  | { readonly kind: "close"; readonly error: string | null; readonly mayReconnect: boolean }
  /** Something that is not used, or not understood. */
  | { readonly kind: "other" };

const Handshake = z.strictObject({ error: z.string().exactOptional() });
const Typed = z.object({ type: z.number() });
const Invocation = z.object({ target: z.string(), arguments: z.array(z.unknown()) });
const Close = z.object({ error: z.string().nullable().catch(null), allowReconnect: z.boolean().catch(false) });
const Value = z.union([z.string().max(MAX_VALUE_LENGTH), z.number(), z.boolean(), z.null()]);
const ProductUpdate = ObservationSchema.extend({ mid: z.string(), value: Value });
const CommandResponse = z.object({
  serialNumber: z.string(),
  id: z.number().int(),
  ticks: z.number(),
  wasAccepted: z.boolean(),
  resultCode: z.number().nullable().catch(null),
});

/** Cuts what a socket gives into messages. */
export class StreamReader {
  #rest = "";

  /** The messages that are complete now. Throws a `RangeError` when one has no end. */
  take(text: string): readonly StreamMessage[] {
    // Only what is new is looked through: a message that comes letter by letter costs no more than a whole one.
    const parts = text.split(END);
    const rest = parts.pop() ?? "";
    const [first, ...others] = parts;
    const whole = first === undefined ? [] : [`${this.#rest}${first}`, ...others];
    this.#rest = first === undefined ? `${this.#rest}${rest}` : rest;
    if (this.#rest.length > MAX_MESSAGE_LENGTH) throw new RangeError("Easee's stream: a message without an end");
    return whole.map(messageOf);
  }
}

function messageOf(text: string): StreamMessage {
  const json = asJson(text);
  const handshake = Handshake.safeParse(json);
  if (handshake.success) return { kind: "handshake", error: handshake.data.error ?? null };
  const typed = Typed.safeParse(json);
  if (!typed.success) return { kind: "other" };
  if (typed.data.type === PING_TYPE) return { kind: "ping" };
  if (typed.data.type === CLOSE) {
    const { error, allowReconnect } = Close.parse(json);
    return { kind: "close", error, mayReconnect: allowReconnect };
  }
  const invocation = Invocation.safeParse(json);
  return invocation.success ? invoked(invocation.data) : { kind: "other" };
}

function invoked({ target, arguments: [argument] }: z.infer<typeof Invocation>): StreamMessage {
  if (target === "ProductUpdate") {
    const { success, data } = ProductUpdate.safeParse(argument);
    if (!success) return { kind: "other" };
    const { mid, ...observation } = data;
    return { kind: "observation", chargerId: mid, observation };
  }
  if (target !== "CommandResponse") return { kind: "other" };
  const { success, data } = CommandResponse.safeParse(argument);
  if (!success) return { kind: "other" };
  const { serialNumber, id, ...rest } = data;
  return { kind: "command-response", chargerId: serialNumber, commandId: id, ...rest };
}

function asJson(text: string): unknown {
  try {
    return boundedJson(new TextEncoder().encode(text), MAX_DEPTH);
  } catch {
    return null;
  }
}
