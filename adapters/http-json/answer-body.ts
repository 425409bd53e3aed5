/** What a device sent, as a document: bounded in size and depth, or a `DeviceError("malformed")` that says what it is. */
import { BoundedJsonError, boundedJson, DeviceError, utf8Text } from "hemgate/sdk";
import type { AnswerFormat } from "./http-profile.ts";

/** The longest answer that is read; a gateway of a large solar plant sends some tens of kB. */
export const MAX_BODY_BYTES = 512 * 1_024;
const MAX_DEPTH = 24;
const MAX_ELEMENTS = 2_000;

/** Reads a body. `place` says what was asked, for the error. */
export function readBody(body: Uint8Array, format: AnswerFormat, place: string): unknown {
  try {
    return format === "elements" ? elementsOf(utf8Text(body), place) : boundedJson(body, MAX_DEPTH);
  } catch (error) {
    if (!(error instanceof BoundedJsonError)) throw error;
    throw new DeviceError("malformed", `${place} answered ${error.message}`);
  }
}

function elementsOf(text: string, place: string): Readonly<Record<string, string>> {
  const found: Record<string, string> = Object.create(null) as Record<string, string>;
  let count = 0;
  for (const [, name = "", value = ""] of text.matchAll(/<([A-Za-z][\w.-]*)(?:\s[^<>]*)?>([^<>]*)<\/\1>/g)) {
    count += 1;
    if (count > MAX_ELEMENTS) break;
    found[name] ??= value.trim();
  }
  if (count === 0 || /<html/i.test(text)) throw new DeviceError("malformed", `${place} answered no XML of a device`);
  return found;
}
