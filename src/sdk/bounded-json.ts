/** Text from elsewhere that is not the JSON it should be. The message quotes nothing of it: it may hold a secret. */
export class BoundedJsonError extends Error {
  override readonly name = "BoundedJsonError";
}

const DECODER = new TextDecoder("utf-8", { fatal: true });

/**
 * Parses UTF-8 JSON of at most `maxDepth` levels of arrays and objects; whoever receives the bytes bounds their number.
 * Throws a `BoundedJsonError` whose message ends a sentence such as "the device answered".
 */
export function boundedJson(body: Uint8Array, maxDepth: number): unknown {
  const text = utf8Text(body);
  if (/^\s*</.test(text)) throw new BoundedJsonError("a page instead of JSON");
  if (depthOf(text) > maxDepth) throw new BoundedJsonError(`more than ${maxDepth} levels`);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // The parser's own error quotes the text: it is no cause to pass on.
    const what = text.trim() === "" ? "nothing" : "no JSON, or not all of it";
    throw new BoundedJsonError(`${what} (${body.length} bytes)`);
  }
}

/** Bytes as UTF-8 text. Throws a `BoundedJsonError` when they are none. */
export function utf8Text(body: Uint8Array): string {
  try {
    return DECODER.decode(body);
  } catch {
    throw new BoundedJsonError(`what is no text (${body.length} bytes)`);
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
