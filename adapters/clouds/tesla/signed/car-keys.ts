/** The keys that one vehicle and we have in common (vehicle-command, protocol.md: Key Agreement). */
import { createDecipheriv, createHmac, hash, timingSafeEqual } from "node:crypto";
import type { KeyPair } from "../../kit/login/key-pair.ts";
import { type Metadata, metadataBytes } from "./metadata.ts";

const SHARED_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** What a vehicle sealed with AES-128-GCM. */
export interface Sealed {
  readonly nonce: Uint8Array;
  readonly bytes: Uint8Array;
  readonly tag: Uint8Array;
}

export class CarKeys {
  readonly #shared: Uint8Array;

  /** Throws a `RangeError` when the vehicle's key is no point of the curve. */
  constructor(pair: KeyPair, vehicleKey: Uint8Array) {
    this.#shared = hash("sha1", pair.agree(vehicleKey), "buffer").subarray(0, SHARED_BYTES);
  }

  /** True: the vehicle said so, to our question. */
  isSessionInfo(info: Uint8Array, tag: Uint8Array, metadata: Metadata): boolean {
    const right = this.#tag("session info", metadata, info);
    return right.length === tag.length && timingSafeEqual(right, tag);
  }

  /** HMAC-SHA256 of a command. Tesla's servers pass no encrypted ones on. */
  commandTag(command: Uint8Array, metadata: Metadata): Uint8Array {
    return this.#tag("authenticated command", metadata, command);
  }

  /** Null: the vehicle did not seal these bytes for this metadata. */
  open({ nonce, bytes, tag }: Sealed, metadata: Metadata): Uint8Array | null {
    if (nonce.length !== NONCE_BYTES || tag.length !== TAG_BYTES) return null;
    const opener = createDecipheriv("aes-128-gcm", this.#shared, nonce, { authTagLength: TAG_BYTES });
    opener.setAAD(hash("sha256", metadataBytes(metadata), "buffer"));
    opener.setAuthTag(tag);
    try {
      return Buffer.concat([opener.update(bytes), opener.final()]);
    } catch {
      return null;
    }
  }

  #tag(purpose: string, metadata: Metadata, message: Uint8Array): Uint8Array {
    const key = createHmac("sha256", this.#shared).update(purpose).digest();
    return createHmac("sha256", key).update(metadataBytes(metadata)).update(message).digest();
  }
}
