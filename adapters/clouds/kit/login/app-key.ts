import type { Random } from "hemgate/sdk";
import type { KeyValueStore } from "../session/key-value-store.ts";
import { type KeyPair, keyPairOf, newPrivateKey } from "./key-pair.ts";

const NAME = "key-pair";

/** The pair of keys of the owner's registration with a vendor: made here when it is first wanted, and for good. */
export class AppKey {
  readonly #store: KeyValueStore;
  readonly #random: Pick<Random, "secretBytes">;
  #pair: Promise<KeyPair> | null = null;

  constructor({ store, random }: { readonly store: KeyValueStore; readonly random: Pick<Random, "secretBytes"> }) {
    this.#store = store;
    this.#random = random;
  }

  /** On disk before anybody sees it: a public key is given to vehicles, and cannot be taken back. Rejects like the disk. */
  readonly pair = (): Promise<KeyPair> => {
    this.#pair ??= this.#load().catch((error: unknown) => {
      this.#pair = null;
      throw error;
    });
    return this.#pair;
  };

  async #load(): Promise<KeyPair> {
    const kept = this.#store.get(NAME);
    if (kept !== null) return keyPairOf(Buffer.from(kept, "base64"));
    const privateKey = newPrivateKey(this.#random);
    const made = keyPairOf(privateKey);
    await this.#store.put(NAME, Buffer.from(privateKey).toString("base64"));
    return made;
  }
}
