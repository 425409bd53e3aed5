/** What a vehicle signs and checks, byte by byte as Tesla's protocol.md describes it (teslamotors/vehicle-command). */
import { createCipheriv, createHash, createHmac, timingSafeEqual } from "node:crypto";

const INFOTAINMENT = 3;
const END = Buffer.of(0xff);
/** signatures.proto: SignatureType. */
const [SESSION_INFO, COMMAND, REPLY] = [6, 8, 9];

/** A vehicle, and what it has in common with one client. */
export interface CarSecret {
  readonly vin: string;
  readonly shared: Buffer;
}

export interface ToldCommand {
  readonly epoch: Buffer;
  readonly counter: number;
  readonly expiresAt: number;
  readonly flags: number;
  readonly payload: Buffer;
}

export function sessionInfoTag({ vin, shared }: CarSecret, uuid: Buffer, info: Buffer): Buffer {
  const covered = [Buffer.of(0, 1, SESSION_INFO), value(2, Buffer.from(vin)), value(6, uuid), END, info];
  return mac(mac(shared, Buffer.from("session info")), Buffer.concat(covered));
}

export function commandTag({ vin, shared }: CarSecret, command: ToldCommand): Buffer {
  const covered = [
    Buffer.of(0, 1, COMMAND, 1, 1, INFOTAINMENT),
    value(2, Buffer.from(vin)),
    value(3, command.epoch),
    four(4, command.expiresAt),
    four(5, command.counter),
    command.flags === 0 ? Buffer.alloc(0) : four(7, command.flags),
    END,
    command.payload,
  ];
  return mac(mac(shared, Buffer.from("authenticated command")), Buffer.concat(covered));
}

/** A reply to the command with that tag, sealed with AES-128-GCM. */
export function sealedReply({ vin, shared }: CarSecret, tag: Buffer, counter: number, response: Buffer) {
  const covered = [
    Buffer.of(0, 1, REPLY, 1, 1, INFOTAINMENT),
    value(2, Buffer.from(vin)),
    four(5, counter),
    four(7, 0),
    value(8, Buffer.concat([Buffer.of(COMMAND), tag])),
    four(9, 0),
    END,
  ];
  const nonce = digest("sha256", Buffer.concat([tag, four(5, counter)])).subarray(0, 12);
  const cipher = createCipheriv("aes-128-gcm", shared, nonce).setAAD(digest("sha256", Buffer.concat(covered)));
  const bytes = Buffer.concat([cipher.update(response), cipher.final()]);
  return { nonce, bytes, tag: cipher.getAuthTag() };
}

export function isSame(right: Buffer, told: Buffer | null): boolean {
  return told?.length === right.length && timingSafeEqual(right, told);
}

export function digest(name: "md5" | "sha1" | "sha256", bytes: string | Buffer): Buffer {
  return createHash(name).update(bytes).digest();
}

function value(tag: number, bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.of(tag, bytes.length), bytes]);
}

function four(tag: number, number: number): Buffer {
  const bytes = Buffer.of(tag, 4, 0, 0, 0, 0);
  bytes.writeUInt32BE(number, 2);
  return bytes;
}

function mac(key: Buffer, bytes: Buffer): Buffer {
  return createHmac("sha256", key).update(bytes).digest();
}
