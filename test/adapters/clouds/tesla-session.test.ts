import { describe, expect, test } from "vitest";
import { CarSession } from "../../../adapters/clouds/tesla/signed/car-session.ts";
import { Fields, messageField, uintField } from "../../../adapters/clouds/tesla/signed/protobuf.ts";
import { readReply } from "../../../adapters/clouds/tesla/signed/routable-message.ts";
import { sessionInfoTag } from "../../twins/clouds/tesla-signatures.ts";
import { written } from "../../twins/clouds/tesla-wire.ts";
import {
  ADDRESS,
  bytes,
  CLIENT,
  EPOCH,
  hex,
  SESSION_INFO,
  SESSION_INFO_TAG,
  SHARED,
  UUID,
  VEHICLE_KEY,
  VIN,
} from "./tesla-keys.ts";

const GREETING = readReply(
  Buffer.concat([
    messageField(7, uintField(1, 3)),
    bytes(`7a${(SESSION_INFO.length / 2).toString(16)}${SESSION_INFO}`),
    bytes(`6a243222${`0a20${SESSION_INFO_TAG}`}`),
  ]),
);

/** What a vehicle with the document's keys tells of itself, as another hand signs it. */
function greeting(told: { readonly counter?: number; readonly clockS?: number; readonly epoch?: string } = {}) {
  const { counter = 6, clockS = 2_650, epoch = EPOCH } = told;
  const info = written([
    [1, counter],
    [2, bytes(VEHICLE_KEY)],
    [3, bytes(epoch)],
    [4, { fixed: clockS }],
  ]);
  const tag = sessionInfoTag({ vin: VIN, shared: bytes(SHARED) }, bytes(UUID), info);
  return { ...GREETING, sessionInfo: { bytes: info, tag } };
}

describe("a session", () => {
  const ends = { pair: CLIENT, vin: VIN };
  const sender = { address: bytes(ADDRESS), uuid: bytes(UUID) };
  const sign = (session: CarSession, nowMs = 0) => {
    const hmac = new Fields(session.sign(bytes("120452020801"), sender, nowMs).bytes).message(13)?.message(8);
    return { counter: hmac?.uint(2), expiresAt: hmac?.fixed32(3), epoch: hex(hmac?.bytes(1)) };
  };

  test("follows from the document's greeting, and signs with the next counter by the vehicle's clock", () => {
    const session = CarSession.from(ends, GREETING, bytes(UUID), 1_000)!;
    expect(sign(session, 6_900)).toEqual({ counter: 7, expiresAt: 2_650 + 5 + 15, epoch: EPOCH });
    expect(sign(session, 6_900).counter).toBe(8);
  });

  test("does not follow from an answer to another question", () => {
    expect(CarSession.from(ends, GREETING, bytes(EPOCH), 0)).toBeNull();
    expect(CarSession.from(ends, { ...GREETING, sessionInfo: null }, bytes(UUID), 0)).toBeNull();
  });

  test("does not follow from an epoch of another length", () => {
    expect(CarSession.from(ends, greeting(), bytes(UUID), 0)).not.toBeNull();
    expect(CarSession.from(ends, greeting({ epoch: EPOCH.slice(2) }), bytes(UUID), 0)).toBeNull();
  });

  test.each([
    ["keeps its own counter while the vehicle's is lower", { counter: 2, clockS: 2_700 }, 8, 2_715, EPOCH],
    ["takes the vehicle's counter when it is higher", { counter: 90, clockS: 2_700 }, 91, 2_715, EPOCH],
    ["begins anew in a new epoch", { counter: 0, clockS: 5, epoch: UUID }, 1, 20, UUID],
  ])("%s", (_what, told, counter, expiresAt, epoch) => {
    const session = CarSession.from(ends, greeting(), bytes(UUID), 0)!;
    sign(session);
    expect(session.follow(greeting(told), bytes(UUID), 0)).toBe(true);
    expect(sign(session)).toEqual({ counter, expiresAt, epoch });
  });

  test.each([
    ["whose clock went back", greeting({ clockS: 2_649 }), UUID],
    ["to another question", greeting({ clockS: 2_700 }), EPOCH],
    ["that says nothing of itself", { ...GREETING, sessionInfo: null }, UUID],
  ])("follows no answer %s", (_what, reply, uuid) => {
    const session = CarSession.from(ends, greeting(), bytes(UUID), 0)!;
    expect(session.follow(reply, bytes(uuid), 0)).toBe(false);
  });

  test.each([
    ["counter", { counter: 0xffff_ffff }],
    ["clock", { clockS: 2 ** 30 }],
  ])("ends with the vehicle's %s", (_what, told) => {
    const session = CarSession.from(ends, greeting(told), bytes(UUID), 0)!;
    expect(() => sign(session)).toThrow(/at its end/);
  });
});
