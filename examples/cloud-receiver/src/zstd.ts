/** Packs and unpacks zstd frames, away from the event loop. */
import { promisify } from "node:util";
import { zstdCompress, zstdDecompress } from "node:zlib";
import type { Zstd } from "hemgate/cloud-protocol";

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

export const zstd: Zstd = {
  pack: async (bytes) => await compress(bytes),
  unpack: async (bytes, maxBytes) => await decompress(bytes, { maxOutputLength: maxBytes }),
};
