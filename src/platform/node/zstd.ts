/** Packs and unpacks zstd frames, away from the event loop. */
import { promisify } from "node:util";
import { constants, zstdCompress, zstdDecompress } from "node:zlib";

/** The library's own default: fast enough for a Pi, and a sixth of the size for JSON. */
const LEVEL = 3;

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

export const zstd = {
  async pack(bytes: Uint8Array): Promise<Uint8Array> {
    return await compress(bytes, { params: { [constants.ZSTD_c_compressionLevel]: LEVEL } });
  },
  /** Rejects when the bytes are no zstd frame, or hold more than `maxBytes`. */
  async unpack(bytes: Uint8Array, maxBytes: number): Promise<Uint8Array> {
    return await decompress(bytes, { maxOutputLength: maxBytes });
  },
};
