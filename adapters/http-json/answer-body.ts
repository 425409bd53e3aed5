/** What a device sent, as a document: bounded in size and depth, or a `DeviceError("malformed")` that says what it is. */
import { DeviceError } from "hemgate/sdk";
import type { AnswerFormat } from "./http-profile.ts";

/** The longest answer that is read; a gateway of a large solar plant sends some tens of kB. */
export const MAX_BODY_BYTES = 512 * 1_024;
const MAX_DEPTH = 24;
const MAX_ELEMENTS = 2_000;

const DECODER = new TextDecoder("utf-8", { fatal: true });

/** Reads a body. `place` says what was asked, for the error. */
export function readBody(body: Uint8Array, format: AnswerFormat, place: string): unknown {
  const text = textOf(body, place);
  if (format === "elements") return elementsOf(text, place);
  if (/^\s*</.test(text)) throw new DeviceError("malformed", `${place} answered a page instead of JSON`);
  if (depthOf(text) > MAX_DEPTH) throw new DeviceError("malformed", `${place} answered more than ${MAX_DEPTH} levels`);
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    const what = text.trim() === "" ? "nothing" : "no JSON, or not all of it";
    // The parser's own message quotes the text, which may hold a secret: it is not passed on.
    throw new DeviceError("malformed", `${place} answered ${what} (${body.length} bytes)`, {
      cause: cause instanceof SyntaxError ? undefined : cause,
    });
  }
}

function textOf(body: Uint8Array, place: string): string {
  try {
    return DECODER.decode(body);
  } catch {
    throw new DeviceError("malformed", `${place} answered what is no text (${body.length} bytes)`);
  }
}

/** Levels of arrays and objects; brackets inside texts do not count. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let isInText = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (isInText && character === "\\") at += 1;
    else if (character === '"') isInText = !isInText;
    else if (!isInText && (character === "{" || character === "[")) {
      depth += 1;
      deepest = Math.max(deepest, depth);
    } else if (!isInText && (character === "}" || character === "]")) depth -= 1;
  }
  return deepest;
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
