/** Where a vehicle stands, so that it takes what we sign (vehicle-command, protocol.md: Authorizing commands). */

import type { KeyPair } from "../../kit/login/key-pair.ts";
import { CloudError } from "../../kit/session/cloud-error.ts";
import { CarKeys } from "./car-keys.ts";
import { SIGNATURE } from "./metadata.ts";
import {
  type CarReply,
  ENCRYPT_REPLY,
  INFOTAINMENT,
  readSessionInfo,
  type Sender,
  type SessionInfo,
  signedCommand,
} from "./routable-message.ts";

const EPOCH_BYTES = 16;
/** s until a vehicle refuses a command that came late; Tesla's own client takes 5. */
const EXPIRES_AFTER_S = 15;
const MAX_COUNTER = 0xffff_ffff;
/** s; no epoch is longer. */
const MAX_CLOCK_S = 2 ** 30;

/** Our key and the addressed vehicle. */
export interface Ends {
  readonly pair: KeyPair;
  readonly vin: string;
}

/** A command as it goes to the vehicle. */
export interface Signed {
  readonly bytes: Uint8Array;
  /** By which the vehicle's sealed reply belongs to it. */
  readonly requestHash: Uint8Array;
}

/** What a vehicle reported of itself; the keys say that it was the vehicle, and that it answered us. */
interface Standing {
  readonly info: SessionInfo;
  readonly keys: CarKeys;
}

export class CarSession {
  readonly #ends: Ends;
  readonly #keys: CarKeys;
  #info: SessionInfo;
  /** Monotonic ms at which the vehicle's clock was read. */
  #clockReadAtMs: number;
  #counter: number;

  private constructor(ends: Ends, { info, keys }: Standing, nowMs: number) {
    this.#ends = ends;
    this.#keys = keys;
    this.#info = info;
    this.#counter = info.counter;
    this.#clockReadAtMs = nowMs;
  }

  /** By what a vehicle answered to the question `uuid`; null: nothing in it can be trusted. */
  static from(ends: Ends, reply: CarReply, uuid: Uint8Array, nowMs: number): CarSession | null {
    const standing = standingIn(ends, reply, uuid);
    return standing && new CarSession(ends, standing, nowMs);
  }

  /** Goes on by what the vehicle says with a fault. False: it said nothing that can be trusted, and this ends here. */
  follow(reply: CarReply, uuid: Uint8Array, nowMs: number): boolean {
    const info = standingIn(this.#ends, reply, uuid)?.info;
    if (info === undefined || !isSame(info.publicKey, this.#info.publicKey)) return false;
    const isSameEpoch = isSame(info.epoch, this.#info.epoch);
    if (isSameEpoch && info.clockS < this.#info.clockS) return false;
    this.#counter = isSameEpoch ? Math.max(this.#counter, info.counter) : info.counter;
    this.#info = info;
    this.#clockReadAtMs = nowMs;
    return true;
  }

  /** Throws a `CloudError("malformed")` when the vehicle reported a counter or a clock that is at its end. */
  sign(payload: Uint8Array, sender: Sender, nowMs: number): Signed {
    const { epoch, clockS } = this.#info;
    const counter = this.#counter + 1;
    const expiresAt = clockS + Math.floor((nowMs - this.#clockReadAtMs) / 1_000) + EXPIRES_AFTER_S;
    if (counter > MAX_COUNTER || expiresAt > MAX_CLOCK_S)
      throw new CloudError("malformed", "a vehicle's counter or clock is at its end");
    this.#counter = counter;
    const { pair, vin } = this.#ends;
    const signed = { domain: INFOTAINMENT, vin, epoch, expiresAt, counter, flags: ENCRYPT_REPLY };
    const tag = this.#keys.commandTag(payload, { signatureType: SIGNATURE.command, ...signed });
    return {
      bytes: signedCommand(sender, payload, { publicKey: pair.publicKey, epoch, counter, expiresAt, tag }),
      requestHash: Buffer.concat([Uint8Array.of(SIGNATURE.command), tag]),
    };
  }

  /** What a reply says; null: nothing, or something that the vehicle did not seal for that command. */
  payloadOf({ payload, seal, domain, flags, fault }: CarReply, { requestHash }: Signed): Uint8Array | null {
    if (payload === null || seal === null) return payload;
    const metadata = {
      signatureType: SIGNATURE.reply,
      domain,
      vin: this.#ends.vin,
      counter: seal.counter,
      flags,
      requestHash,
      fault,
    };
    // One reply a command comes back over HTTPS, so that there is no other that it could repeat.
    return this.#keys.open({ ...seal, bytes: payload }, metadata);
  }
}

function standingIn({ pair, vin }: Ends, { sessionInfo }: CarReply, uuid: Uint8Array): Standing | null {
  if (sessionInfo === null) return null;
  const { bytes, tag } = sessionInfo;
  const info = readSessionInfo(bytes);
  const keys = keysWith(pair, info.publicKey);
  if (keys === null || info.epoch.length !== EPOCH_BYTES) return null;
  const metadata = { signatureType: SIGNATURE.sessionInfo, vin, challenge: uuid };
  return keys.isSessionInfo(bytes, tag, metadata) ? { info, keys } : null;
}

function keysWith(pair: KeyPair, vehicleKey: Uint8Array): CarKeys | null {
  try {
    return new CarKeys(pair, vehicleKey);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}
