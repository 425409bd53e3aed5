/**
 * Packs and unpacks messages: a frame is JSON in UTF-8, or such JSON in one zstd frame. The first bytes show which, so
 * a transport adds no header.
 */
import type { FrameHint } from "../uplink/uplink.ts";
import { MAX_MESSAGE_BYTES } from "./limits.ts";
import { ProtocolError, type ToCloud, type ToGateway } from "./messages.ts";

/** Packs and unpacks zstd frames. */
export interface Zstd {
  pack(bytes: Uint8Array): Promise<Uint8Array>;
  /** Rejects if the bytes are not a zstd frame, or unpack to more than `maxBytes`. */
  unpack(bytes: Uint8Array, maxBytes: number): Promise<Uint8Array>;
}

/** Smaller messages are not packed: the header of the zstd frame would outweigh the saving. */
const MIN_PACKED_BYTES = 512;
const ZSTD_MAGIC = [0x28, 0xb5, 0x2f, 0xfd] as const;

/** Packs a message. Throws a `ProtocolError` if it is larger than `MAX_MESSAGE_BYTES`. */
export async function toFrame(message: ToCloud | ToGateway, zstd: Zstd): Promise<Uint8Array> {
  const bytes = new TextEncoder().encode(JSON.stringify(message));
  if (bytes.length > MAX_MESSAGE_BYTES) throw new ProtocolError(`${message.kind}: ${bytes.length} bytes are too many`);
  return bytes.length < MIN_PACKED_BYTES ? bytes : await zstd.pack(bytes);
}

/** The value that a frame holds, for `parseToGateway` or `parseToCloud`. Rejects with a `ProtocolError`. */
export async function fromFrame(frame: Uint8Array, zstd: Zstd): Promise<unknown> {
  if (frame.length > MAX_MESSAGE_BYTES) throw new ProtocolError(`a frame of ${frame.length} bytes is too large`);
  const isPacked = ZSTD_MAGIC.every((byte, index) => frame[index] === byte);
  try {
    const bytes = isPacked ? await zstd.unpack(frame, MAX_MESSAGE_BYTES) : frame;
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new ProtocolError(isPacked ? "a frame cannot be unpacked" : "a frame is no JSON", { cause });
  }
}

/** What a transport may know of a message without reading its frame. */
export function hintOf(message: ToCloud): FrameHint {
  if (message.kind === "hello") return { kind: "hello" };
  const { kind, stream, epoch, from, through } = message;
  return { kind, stream, epoch, from, through };
}
