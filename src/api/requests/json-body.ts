/** Reads a request's body as JSON: UTF-8, no keys that reach an object's prototype. Reports the place of a fault. */
import type { FastifyRequest } from "fastify";
import { problem } from "../../domain/problem.ts";
import { findJsonFault } from "./json-fault.ts";

/** Deeper than any body of this API. */
const MAX_DEPTH = 32;

const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/** A body that says no type is read as JSON: nothing else is sent to these routes. */
export function presumeJson({ raw: { headers } }: Pick<FastifyRequest, "raw">): void {
  const hasBody = headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
  if (hasBody) headers["content-type"] ||= "application/json";
}

/** The value of a body; undefined when there is none. Throws a problem. */
export function parseJsonBody(bytes: Uint8Array, encoding: string | undefined): unknown {
  // A compressed body could be a thousand times its size, and no body of this API is long.
  if (encoding !== undefined && encoding !== "identity") {
    throw problem("unsupported-media-type", "Send the body uncompressed, without Content-Encoding.");
  }
  if (bytes.length === 0) return undefined;
  const value = parse(decode(bytes));
  refuseTraps(value);
  return value;
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw problem("bad-request", "The body is not UTF-8.", { cause });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const fault = findJsonFault(text);
    const where = fault === null ? "" : `: line ${fault.line}, column ${fault.column}: expected ${fault.expected}`;
    throw problem("bad-request", `The body is not JSON${where}.`, { cause });
  }
}

// A loop with its own stack: a body may be nested deeper than the call stack is high.
function refuseTraps(value: unknown): void {
  const rest: { value: unknown; path: (string | number)[] }[] = [{ value, path: [] }];
  for (let item = rest.pop(); item !== undefined; item = rest.pop()) {
    if (typeof item.value !== "object" || item.value === null) continue;
    if (item.path.length > MAX_DEPTH) throw problem("bad-request", `The body is nested deeper than ${MAX_DEPTH}.`);
    const isList = Array.isArray(item.value);
    for (const [key, child] of Object.entries(item.value)) {
      const path = [...item.path, isList ? Number(key) : key];
      if (!isList && FORBIDDEN_KEYS.has(key)) throw forbidden(key, path);
      if (typeof child === "object" && child !== null) rest.push({ value: child, path });
    }
  }
}

function forbidden(key: string, path: (string | number)[]): Error {
  const message = `The key "${key}" is not allowed`;
  return problem("bad-request", `${message} in a body.`, {
    issues: [{ code: "unrecognized_keys", path, message, in: "body" }],
  });
}
