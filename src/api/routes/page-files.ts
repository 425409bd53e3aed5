/** Sends files that the build makes for browsers. */
import type { FastifyReply, FastifyRequest } from "fastify";
import type { PageFiles } from "../../platform/ports/page-files-port.ts";

const TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  png: "image/png",
  webmanifest: "application/manifest+json",
};
const GZIP_FIRST_BYTE = 0x1f;

/**
 * Sends a file, compressed where the browser takes that. Returns false if there is none. `tagOf` makes the entity tag of a
 * file whose name does not change with its content: a browser that has it gets 304.
 */
export async function sendPageFile(
  request: FastifyRequest,
  reply: FastifyReply,
  page: PageFiles,
  name: string,
  tagOf?: (bytes: Uint8Array) => string,
): Promise<boolean> {
  const type = TYPES[name.slice(name.lastIndexOf(".") + 1)];
  if (type === undefined) return false;
  const isCompressed = /\bgzip\b/u.test(request.headers["accept-encoding"] ?? "");
  const bytes = (isCompressed ? await page.read(`${name}.gz`) : null) ?? (await page.read(name));
  if (bytes === null) return false;
  if (isCompressed && bytes[0] === GZIP_FIRST_BYTE) reply.header("content-encoding", "gzip");
  reply.headers({ "content-type": type, vary: "accept-encoding" });
  const tag = tagOf?.(bytes);
  if (tag !== undefined) reply.header("etag", tag);
  if (tag !== undefined && request.headers["if-none-match"] === tag) void reply.code(304).send();
  else void reply.send(bytes);
  return true;
}
