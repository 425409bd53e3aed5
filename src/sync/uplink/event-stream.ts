/** Parses frames in `text/event-stream`, see docs/cloud-uplinks.md: one event `frame` each, base64 in its `data`. */
import { MAX_MESSAGE_BYTES } from "../protocol/limits.ts";

/** The largest frame in base64, and the other fields of the event. */
const MAX_EVENT_CHARS = Math.ceil((MAX_MESSAGE_BYTES * 4) / 3) + 1_024;

/** The error for an event that is longer than the largest frame. */
export class EventTooLong extends Error {
  override readonly name = "EventTooLong";
}

/** Parses a stream chunk by chunk. */
export class EventStreamReader {
  readonly #decoder = new TextDecoder();
  #line = "";
  #event = "";
  #data = "";
  #id = "";

  /** The id of the last event that had one; "" if none had. */
  get lastId(): string {
    return this.#id;
  }

  /** Adds a chunk. Returns the frames that are complete now. Throws an `EventTooLong`. */
  take(bytes: Uint8Array): readonly Uint8Array[] {
    const lines = (this.#line + this.#decoder.decode(bytes, { stream: true })).split("\n");
    this.#line = lines.pop() ?? "";
    const frames = lines.flatMap((line) => this.#taken(line.replace(/\r$/, "")) ?? []);
    if (this.#line.length + this.#data.length > MAX_EVENT_CHARS) throw new EventTooLong("an event is too long");
    return frames;
  }

  #taken(line: string): Uint8Array | null {
    if (line === "") {
      const frame = this.#event === "frame" ? new Uint8Array(Buffer.from(this.#data, "base64")) : null;
      this.#event = "";
      this.#data = "";
      return frame;
    }
    const colon = line.indexOf(":");
    const [name, value] = colon < 0 ? [line, ""] : [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, "")];
    if (name === "event") this.#event = value;
    if (name === "data") this.#data += value;
    if (name === "id") this.#id = value;
    if (this.#data.length > MAX_EVENT_CHARS) throw new EventTooLong("an event is too long");
    return null;
  }
}
