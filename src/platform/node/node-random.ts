import { randomBytes, randomUUID, scrypt } from "node:crypto";
import { promisify } from "node:util";
import type { Random } from "../ports/ports.ts";

const KEY_BYTES = 32;
/** 2^15 · 8 · 128 bytes are 32 MiB, just what OpenSSL allows by default without its own overhead. */
const SCRYPT_COST = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 } as const;
const derive = promisify<string, Uint8Array, number, typeof SCRYPT_COST, Buffer>(scrypt);

/** Chance from the operating system; scrypt runs on the thread pool. */
export const nodeRandom: Random = {
  next: () => Math.random(),
  secretBytes: (count) => new Uint8Array(randomBytes(count)),
  uuid: () => randomUUID(),
  scrypt: async (secret, salt) => new Uint8Array(await derive(secret, salt, KEY_BYTES, SCRYPT_COST)),
};
