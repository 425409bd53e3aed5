/** An answer from the wire as a connector gets it: bounded in every respect, and JSON or nothing. */
import { gunzipSync } from "node:zlib";
import { BoundedJsonError, boundedJson, type HttpAnswer } from "hemgate/sdk";
import type { CloudAnswer } from "../connector.ts";
import { CloudError, type CloudErrorKind } from "./cloud-error.ts";

const MAX_UNPACKED_BYTES = 8 * 1024 * 1024;
const MAX_DEPTH = 32;

const KINDS: Readonly<Record<number, CloudErrorKind>> = {
  401: "expired",
  403: "forbidden",
  408: "asleep",
  424: "asleep",
  429: "rate-limited",
};

/** What a status alone means; null: what was asked for. Redirects are not followed, and answer nothing. */
export function kindOfStatus(status: number): CloudErrorKind | null {
  if (status >= 200 && status < 300) return null;
  if (status < 400) return "malformed";
  return KINDS[status] ?? (status >= 500 ? "unavailable" : "refused");
}

/**
 * Reads an answer. Throws a `CloudError("malformed")` when one that should be right is no JSON; an answer that is a
 * refusal anyway has null for a body then.
 */
export function readAnswer(answer: HttpAnswer, place: string): CloudAnswer {
  const { status } = answer;
  const headers = Object.fromEntries(answer.headers);
  const cookies = answer.headers.flatMap(([name, value]) =>
    name === "set-cookie" ? (value.split(";", 1)[0] ?? []) : [],
  );
  try {
    return { status, headers, cookies, body: bodyOf(answer, headers) };
  } catch (error) {
    if (!(error instanceof BoundedJsonError)) throw error;
    if (kindOfStatus(status) !== null) return { status, headers, body: null };
    throw new CloudError("malformed", `${place} answered ${error.message}`);
  }
}

function bodyOf({ body, isBodyCut }: HttpAnswer, headers: CloudAnswer["headers"]): unknown {
  if (isBodyCut) throw new BoundedJsonError(`more than ${body.length} bytes`);
  if (body.length === 0) return null;
  const unpacked = unpack(body, headers["content-encoding"] ?? "identity");
  if (unpacked.length === 0) return null;
  if (!isJsonType(headers["content-type"]) && !looksLikeJson(unpacked)) throw new BoundedJsonError("no JSON");
  return boundedJson(unpacked, MAX_DEPTH);
}

function unpack(body: Uint8Array, encoding: string): Uint8Array {
  const name = encoding.trim().toLowerCase();
  if (name === "identity" || name === "") return body;
  if (name !== "gzip" && name !== "x-gzip") throw new BoundedJsonError("in an encoding that was not asked for");
  try {
    return gunzipSync(body, { maxOutputLength: MAX_UNPACKED_BYTES });
  } catch (error) {
    const isTooLong = error instanceof RangeError;
    throw new BoundedJsonError(isTooLong ? `more than ${MAX_UNPACKED_BYTES} bytes` : "what cannot be unpacked");
  }
}

function isJsonType(type: string | undefined): boolean {
  const [essence = ""] = (type ?? "").split(";", 1);
  return /[/+]json$/i.test(essence.trim());
}

/** Some vendors answer JSON as a page or as plain text; a page of a portal begins otherwise. */
function looksLikeJson(body: Uint8Array): boolean {
  return /^\s*[[{]/.test(Buffer.from(body.subarray(0, 64)).toString("latin1"));
}
