/** The envelope of everything that is said to a vehicle (vehicle-command: universal_message.proto, signatures.proto). */
import type { Sealed } from "./car-keys.ts";
import { bytesField, Fields, fixed32Field, messageField, uintField } from "./protobuf.ts";

/** The vehicle's computer that charging is up to; locks are another's. */
export const INFOTAINMENT = 3;
/** Asks for a sealed reply, which vehicles do since firmware 2024.38. */
export const ENCRYPT_REPLY = 1 << 1;

const FIELD = {
  to: 6,
  from: 7,
  payload: 10,
  status: 12,
  signature: 13,
  sessionInfoRequest: 14,
  sessionInfo: 15,
  requestUuid: 50,
  uuid: 51,
  flags: 52,
} as const;

export interface Sender {
  /** 16 bytes by which the answer finds back. */
  readonly address: Uint8Array;
  /** 16 bytes that nobody can guess. */
  readonly uuid: Uint8Array;
}

export interface CommandSignature {
  readonly publicKey: Uint8Array;
  readonly epoch: Uint8Array;
  readonly counter: number;
  /** s, by the vehicle's clock. */
  readonly expiresAt: number;
  readonly tag: Uint8Array;
}

/** Asks a vehicle where it stands, so that commands to it can be signed. */
export function sessionInfoRequest(sender: Sender, publicKey: Uint8Array): Uint8Array {
  return envelope(sender, [messageField(FIELD.sessionInfoRequest, bytesField(1, publicKey))]);
}

export function signedCommand(sender: Sender, payload: Uint8Array, signature: CommandSignature): Uint8Array {
  const { publicKey, epoch, counter, expiresAt, tag } = signature;
  const identity = messageField(1, bytesField(1, publicKey));
  const hmac = messageField(
    8,
    bytesField(1, epoch),
    uintField(2, counter),
    fixed32Field(3, expiresAt),
    bytesField(4, tag),
  );
  return envelope(sender, [
    bytesField(FIELD.payload, payload),
    messageField(FIELD.signature, identity, hmac),
    uintField(FIELD.flags, ENCRYPT_REPLY),
  ]);
}

function envelope({ address, uuid }: Sender, content: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat([
    messageField(FIELD.to, uintField(1, INFOTAINMENT)),
    messageField(FIELD.from, bytesField(2, address)),
    ...content,
    bytesField(FIELD.uuid, uuid),
  ]);
}

/** What a vehicle answered. */
export interface CarReply {
  readonly domain: number;
  /** Of the question; null: it does not say. */
  readonly requestUuid: Uint8Array | null;
  readonly payload: Uint8Array | null;
  /** Set: the payload is sealed, under this counter. */
  readonly seal: (Pick<Sealed, "nonce" | "tag"> & { readonly counter: number }) | null;
  readonly sessionInfo: { readonly bytes: Uint8Array; readonly tag: Uint8Array } | null;
  /** universal_message.proto: MessageFault_E; 0: none. */
  readonly fault: number;
  /** universal_message.proto: OperationStatus_E. */
  readonly status: number;
  readonly flags: number;
}

/** Throws a `CloudError("malformed")` when the bytes are no message. */
export function readReply(bytes: Uint8Array): CarReply {
  const fields = new Fields(bytes);
  const signature = fields.message(FIELD.signature);
  const seal = signature?.message(9) ?? null;
  const info = fields.bytes(FIELD.sessionInfo);
  const status = fields.message(FIELD.status);
  return {
    domain: fields.message(FIELD.from)?.uint(1) ?? 0,
    requestUuid: fields.bytes(FIELD.requestUuid),
    payload: fields.bytes(FIELD.payload),
    seal: seal && { nonce: seal.bytes(1) ?? NONE, counter: seal.uint(2), tag: seal.bytes(3) ?? NONE },
    sessionInfo: info && { bytes: info, tag: signature?.message(6)?.bytes(1) ?? NONE },
    fault: status?.uint(2) ?? 0,
    status: status?.uint(1) ?? 0,
    flags: fields.uint(FIELD.flags),
  };
}

const NONE = new Uint8Array();

/** signatures.proto: SessionInfo. */
export interface SessionInfo {
  readonly counter: number;
  readonly publicKey: Uint8Array;
  readonly epoch: Uint8Array;
  /** s since the epoch began. */
  readonly clockS: number;
  /** False: our key was not paired with the vehicle. */
  readonly isPaired: boolean;
}

/** Throws a `CloudError("malformed")` when the bytes are no message. */
export function readSessionInfo(bytes: Uint8Array): SessionInfo {
  const fields = new Fields(bytes);
  return {
    counter: fields.uint(1),
    publicKey: fields.bytes(2) ?? NONE,
    epoch: fields.bytes(3) ?? NONE,
    clockS: fields.fixed32(4),
    isPaired: fields.uint(5) !== 1,
  };
}
