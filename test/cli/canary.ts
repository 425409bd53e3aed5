/** Secrets that are planted, and how they are looked for. */
import { randomBytes } from "node:crypto";

/** Characters that every encoding writes in its own way; long enough to be nowhere by chance. */
export function makeCanary(name: string): string {
  return `cn/${name}+${randomBytes(12).toString("hex")}`;
}

/** A secret text, or the bytes of one. */
export type Canary = string | Buffer;

/** The secret in clear, base64 and base64url wherever it begins in the encoded bytes, hex, and URL-encoded. */
export function formsOf(canary: Canary): readonly Canary[] {
  const bytes = typeof canary === "string" ? Buffer.from(canary, "utf8") : canary;
  const hex = bytes.toString("hex");
  const base64 = [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString("base64")
      .replaceAll("=", "");
    // The first and last characters also hold bits of what is around the secret.
    return text.slice(Math.ceil((offset * 4) / 3), (bytes.length + offset) % 3 === 0 ? undefined : -1);
  });
  const base64url = base64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"));
  const encoded = [...base64, ...base64url, hex, hex.toUpperCase()];
  const texts = typeof canary === "string" ? [JSON.stringify(canary).slice(1, -1), encodeURIComponent(canary)] : [];
  return [...new Set([canary, ...texts, ...encoded])];
}

/** The names of the secrets that are in the bytes in any form. */
export function found(canaries: ReadonlyMap<string, Canary>, bytes: Buffer): readonly string[] {
  return [...canaries].flatMap(([name, canary]) =>
    formsOf(canary).some((form) => bytes.includes(form)) ? [name] : [],
  );
}
