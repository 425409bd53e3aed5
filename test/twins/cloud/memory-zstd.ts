import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { Zstd } from "../../../src/sync/protocol/frame.ts";

/** Packs at once: the real one works on other threads, and would end at a real instant, not a virtual one. */
export const memoryZstd: Zstd = {
  pack: async (bytes) => zstdCompressSync(bytes),
  unpack: async (bytes, maxBytes) => zstdDecompressSync(bytes, { maxOutputLength: maxBytes }),
};
