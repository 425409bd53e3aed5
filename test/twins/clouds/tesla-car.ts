/**
 * The computer of a vehicle that takes signed commands, from Tesla's protocol.md and its .proto files
 * (teslamotors/vehicle-command): it checks what a vehicle checks, and tells of what is wrong as a vehicle does.
 */
import { createECDH } from "node:crypto";
import type { Clock } from "../../../src/platform/ports/ports.ts";
import { type CarSecret, commandTag, digest, isSame, sealedReply, sessionInfoTag } from "./tesla-signatures.ts";
import { commanded, type TwinVehicle } from "./tesla-vehicle.ts";
import { blob, count, fixed, inner, type Parts, partsOf, type Writables, written } from "./tesla-wire.ts";

const INFOTAINMENT = 3;
const NOTHING = Buffer.alloc(0);
const WINDOW = 32;
/** Tesla does not tell how far in the future is too far; s. */
const MOST_SECONDS_TO_LIVE = 60;

/** universal_message.proto: MessageFault_E. */
export const FAULT = {
  busy: 1,
  unknownKey: 3,
  invalidSignature: 5,
  counterUsed: 6,
  invalidDomain: 8,
  invalidCommand: 9,
  decoding: 10,
  badParameter: 13,
  incorrectEpoch: 15,
  expired: 17,
  livesTooLong: 20,
  remoteAccessOff: 21,
} as const;
const TELL_SESSION: readonly number[] = [
  FAULT.invalidSignature,
  FAULT.counterUsed,
  FAULT.incorrectEpoch,
  FAULT.expired,
  FAULT.livesTooLong,
];

/** What is known of one client: the counters that it used. */
interface Client {
  readonly used: Set<number>;
  highest: number;
}

interface Asked {
  readonly uuid: Buffer;
  readonly address: Buffer;
  readonly flags: number;
  readonly message: Parts;
}

export class TeslaCar {
  /** What it did, oldest first. */
  readonly done: string[] = [];
  isBusy = false;
  /** The owner's switch for mobile access. */
  isRemoteAllowed = true;
  /** Firmware before 2024.38 answers in clear, whatever it is asked for. */
  sealsReplies = true;
  /** Tells unknown keys that they are unknown at the greeting already. */
  refusesGreetings = true;
  readonly #vehicle: TwinVehicle;
  readonly #clock: Clock;
  readonly #keys = new Set<string>();
  readonly #clients = new Map<string, Client>();
  #key = createECDH("prime256v1");
  #boots = 0;
  #epoch: Buffer = NOTHING;
  #startedAtMs = 0;
  #replies = 0;

  constructor(vehicle: TwinVehicle, clock: Clock) {
    this.#vehicle = vehicle;
    this.#clock = clock;
    this.replaceComputer("first");
    this.reboot();
  }

  get hasKeys(): boolean {
    return this.#keys.size > 0;
  }

  /** The owner allows a key in the app. */
  pair(publicKey: Uint8Array): void {
    this.#keys.add(hex(publicKey));
  }

  /** The owner removes all keys on the Locks screen. */
  forgetKeys(): void {
    this.#keys.clear();
  }

  /** A new epoch, with its own clock and counters. */
  reboot(): void {
    this.#boots += 1;
    this.#epoch = digest("md5", `${this.#vehicle.vin} ${this.#boots}`);
    this.#startedAtMs = this.#clock.monotonicMs() - 2_650_000;
    this.#clients.clear();
  }

  /** Its clock jumps, as after a sleep. */
  skew(seconds: number): void {
    this.#startedAtMs -= seconds * 1_000;
  }

  /** A workshop puts in another computer, with another key. */
  replaceComputer(name: string): void {
    this.#key = createECDH("prime256v1");
    this.#key.setPrivateKey(digest("sha256", `${this.#vehicle.vin} ${name}`));
  }

  /** Another client with the same key uses up counters. */
  useCounters(publicKey: Uint8Array, upTo: number): void {
    this.#client(hex(publicKey)).highest = upTo;
  }

  answer(bytes: Buffer): Buffer {
    const message = partsOf(bytes);
    if (message === null)
      return written([
        [7, [[1, INFOTAINMENT]]],
        [
          12,
          [
            [1, 2],
            [2, FAULT.decoding],
          ],
        ],
      ]);
    const asked: Asked = {
      message,
      uuid: blob(message, 51) ?? NOTHING,
      address: blob(inner(message, 7), 2) ?? NOTHING,
      flags: count(message, 52),
    };
    if (count(inner(message, 6), 1) !== INFOTAINMENT) return this.#fault(asked, FAULT.invalidDomain, null);
    const greeting = inner(message, 14);
    return greeting === null ? this.#command(asked) : this.#greet(asked, blob(greeting, 1));
  }

  #greet(asked: Asked, publicKey: Buffer | null): Buffer {
    const secret = this.#secretWith(publicKey);
    if (publicKey === null || secret === null) return this.#fault(asked, FAULT.badParameter, null);
    const isKnown = this.#keys.has(hex(publicKey));
    if (!isKnown && !this.refusesGreetings) return this.#fault(asked, FAULT.unknownKey, null);
    return this.#reply(asked, this.#session(asked, publicKey, secret, isKnown));
  }

  #command(asked: Asked): Buffer {
    const signature = inner(asked.message, 13);
    const publicKey = blob(inner(signature, 1), 1);
    const secret = this.#secretWith(publicKey);
    if (publicKey === null || secret === null || !this.#keys.has(hex(publicKey)))
      return this.#fault(asked, FAULT.unknownKey, null);
    if (!this.isRemoteAllowed) return this.#fault(asked, FAULT.remoteAccessOff, publicKey);
    if (this.isBusy) return this.#fault(asked, FAULT.busy, publicKey);
    const hmac = inner(signature, 8);
    const payload = blob(asked.message, 10);
    if (hmac === null || payload === null) return this.#fault(asked, FAULT.badParameter, publicKey);
    const fault = this.#check(asked, { hmac, payload, secret }, this.#client(hex(publicKey)));
    if (fault !== null) return this.#fault(asked, fault, publicKey);
    return this.#act(asked, payload, secret, blob(hmac, 4) ?? NOTHING);
  }

  /** In this order, so that each fault tells of what is really wrong; null: the command is to be done. */
  #check(
    { flags }: Asked,
    { hmac, payload, secret }: { readonly hmac: Parts; readonly payload: Buffer; readonly secret: CarSecret },
    client: Client,
  ): number | null {
    const [epoch, counter, expiresAt] = [blob(hmac, 1) ?? NOTHING, count(hmac, 2), fixed(hmac, 3)];
    if (!this.#epoch.equals(epoch)) return FAULT.incorrectEpoch;
    if (expiresAt < this.#seconds()) return FAULT.expired;
    if (expiresAt > this.#seconds() + MOST_SECONDS_TO_LIVE) return FAULT.livesTooLong;
    const right = commandTag(secret, { epoch, counter, expiresAt, flags, payload });
    if (!isSame(right, blob(hmac, 4))) return FAULT.invalidSignature;
    const isOld = counter === client.highest || counter <= client.highest - WINDOW;
    if (isOld || client.used.has(counter)) return FAULT.counterUsed;
    client.used.add(counter);
    client.highest = Math.max(client.highest, counter);
    return null;
  }

  #act(asked: Asked, payload: Buffer, secret: CarSecret, tag: Buffer): Buffer {
    const action = inner(partsOf(payload), 2);
    const command = commandIn(action);
    if (command === null) return this.#fault(asked, FAULT.invalidCommand, null);
    const { result, reason } = commanded(this.#vehicle, command, { charging_amps: count(inner(action, 43), 1) });
    this.done.push(command);
    const response = written([
      [
        1,
        result
          ? []
          : [
              [1, 1],
              [2, [[1, Buffer.from(reason)]]],
            ],
      ],
    ]);
    if (!this.sealsReplies || (asked.flags & 2) === 0) return this.#reply(asked, [[10, response]]);
    this.#replies += 1;
    const sealed = sealedReply(secret, tag, this.#replies, response);
    const seal: Writables = [
      [1, sealed.nonce],
      [2, this.#replies],
      [3, sealed.tag],
    ];
    return this.#reply(asked, [
      [10, sealed.bytes],
      [13, [[9, seal]]],
    ]);
  }

  #fault(asked: Asked, fault: number, publicKey: Buffer | null): Buffer {
    const secret = TELL_SESSION.includes(fault) ? this.#secretWith(publicKey) : null;
    const told = publicKey && secret ? this.#session(asked, publicKey, secret, true) : [];
    return this.#reply(asked, [
      ...told,
      [
        12,
        [
          [1, 2],
          [2, fault],
        ],
      ],
    ]);
  }

  #session(asked: Asked, publicKey: Buffer, secret: CarSecret, isKnown: boolean): Writables {
    const info = written([
      [1, this.#client(hex(publicKey)).highest],
      [2, this.#key.getPublicKey()],
      [3, this.#epoch],
      [4, { fixed: this.#seconds() }],
      [5, isKnown ? 0 : 1],
    ]);
    return [
      [15, info],
      [13, [[6, [[1, sessionInfoTag(secret, asked.uuid, info)]]]]],
    ];
  }

  #reply(asked: Asked, content: Writables): Buffer {
    return written([[6, [[2, asked.address]]], [7, [[1, INFOTAINMENT]]], ...content, [50, asked.uuid]]);
  }

  #client(key: string): Client {
    const client = this.#clients.get(key) ?? { used: new Set(), highest: 0 };
    this.#clients.set(key, client);
    return client;
  }

  #secretWith(publicKey: Buffer | null): CarSecret | null {
    if (publicKey === null) return null;
    try {
      const shared = digest("sha1", this.#key.computeSecret(publicKey)).subarray(0, 16);
      return { vin: this.#vehicle.vin, shared };
    } catch {
      return null;
    }
  }

  #seconds(): number {
    return Math.floor((this.#clock.monotonicMs() - this.#startedAtMs) / 1_000);
  }
}

function commandIn(action: Parts | null): string | null {
  const switching = inner(action, 6);
  if (inner(action, 43) !== null) return "set_charging_amps";
  if (switching?.has(2)) return "charge_start";
  return switching?.has(5) ? "charge_stop" : null;
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
