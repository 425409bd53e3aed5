/** A device with a passkey, written from the WebAuthn specification: it answers as a browser would, or with a mistake. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import type { PasskeyCreate, PasskeySignIn } from "../../../src/domain/people/passkey.ts";

export const ORIGIN = "https://hemgate.local:8443";

/** What is made otherwise than the device would. */
export interface Mistake {
  readonly type?: string;
  readonly origin?: string;
  readonly crossOrigin?: boolean;
  readonly host?: string;
  readonly flags?: number;
  readonly counter?: number;
  readonly userHandle?: string;
  readonly id?: string;
  /** Bytes of `authenticatorData` that are left. */
  readonly cutAt?: number;
  readonly publicKey?: string;
}

type Kind = "es256" | "ed25519" | "rs256";

const PAIRS = {
  es256: () => generateKeyPairSync("ec", { namedCurve: "P-256" }),
  ed25519: () => generateKeyPairSync("ed25519"),
  rs256: () => generateKeyPairSync("rsa", { modulusLength: 2_048 }),
};

export class MadePasskey {
  readonly id: string;
  readonly #privateKey: KeyObject;
  readonly #publicKey: KeyObject;
  readonly #kind: Kind;
  userHandle = "";
  counter = 0;

  constructor(kind: Kind = "es256") {
    const { privateKey, publicKey } = PAIRS[kind]();
    this.#kind = kind;
    this.#privateKey = privateKey;
    this.#publicKey = publicKey;
    this.id = randomBytes(16).toString("base64url");
  }

  create(options: { challenge: string; user: { id: string } }, mistake: Mistake = {}, name = "Phone"): PasskeyCreate {
    this.userHandle = options.user.id;
    const id = Buffer.from(this.id, "base64url");
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    // Which model, the id, and where the key's CBOR begins.
    const made = Buffer.concat([Buffer.alloc(16), length, id, Buffer.from("a501020326", "hex")]);
    const data = authenticatorData(0x45, this.counter, mistake, made);
    const spki = this.#publicKey.export({ format: "der", type: "spki" }).toString("base64url");
    return {
      name,
      id: mistake.id ?? this.id,
      response: {
        clientDataJSON: clientData("webauthn.create", options.challenge, mistake),
        authenticatorData: data.toString("base64url"),
        publicKey: mistake.publicKey ?? spki,
      },
    };
  }

  get(options: { challenge: string }, mistake: Mistake = {}): PasskeySignIn {
    const clientDataJSON = clientData("webauthn.get", options.challenge, mistake);
    const data = authenticatorData(0x05, this.counter, mistake);
    const signed = Buffer.concat([
      data,
      createHash("sha256").update(Buffer.from(clientDataJSON, "base64url")).digest(),
    ]);
    const signature = sign(this.#kind === "ed25519" ? null : "sha256", signed, this.#privateKey);
    return {
      id: mistake.id ?? this.id,
      response: {
        clientDataJSON,
        authenticatorData: data.toString("base64url"),
        signature: signature.toString("base64url"),
        userHandle: mistake.userHandle ?? this.userHandle,
      },
    };
  }
}

function clientData(type: string, challenge: string, mistake: Mistake): string {
  const { origin = ORIGIN, crossOrigin = false } = mistake;
  return Buffer.from(JSON.stringify({ type: mistake.type ?? type, challenge, origin, crossOrigin })).toString(
    "base64url",
  );
}

function authenticatorData(flags: number, counter: number, mistake: Mistake, more = Buffer.alloc(0)): Buffer {
  const tail = Buffer.alloc(5);
  tail.writeUInt8(mistake.flags ?? flags, 0);
  tail.writeUInt32BE(mistake.counter ?? counter, 1);
  const hash = createHash("sha256")
    .update(mistake.host ?? "hemgate.local")
    .digest();
  return Buffer.concat([hash, tail, more]).subarray(0, mistake.cutAt ?? Number.POSITIVE_INFINITY);
}
