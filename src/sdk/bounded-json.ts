/** An error about received bytes that are not valid JSON. The message quotes nothing of them: they may contain a secret. */
export class BoundedJsonError extends Error {
  override readonly name = "BoundedJsonError";
}

const DECODER = new TextDecoder("utf-8", { fatal: true });

/**
 * Parses UTF-8 JSON with at most `maxDepth` levels of arrays and objects. The caller limits the number of bytes. Throws a
 * `BoundedJsonError` whose message continues a sentence such as "the device answered".
 */
export function boundedJson(body: Uint8Array, maxDepth: number): unknown {
  const text = utf8Text(body);
  if (/^\s*</.test(text)) throw new BoundedJsonError("a page instead of JSON");
  if (depthOf(text) > maxDepth) throw new BoundedJsonError(`more than ${maxDepth} levels`);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // The parser's error quotes the text, so it is not passed on as the cause.
    const what = text.trim() === "" ? "nothing" : "invalid or incomplete JSON";
    throw new BoundedJsonError(`${what} (${body.length} bytes)`);
  }
}

/** Decodes UTF-8. Throws a `BoundedJsonError` if the bytes are not valid UTF-8. */
export function utf8Text(body: Uint8Array): string {
  try {
    return DECODER.decode(body);
  } catch {
    throw new BoundedJsonError(`something other than UTF-8 text (${body.length} bytes)`);
  }
}

/** Returns the number of nested arrays and objects; brackets within strings do not count. */
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
