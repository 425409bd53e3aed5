/**
 * The figures of Tesla's own worked examples: teslamotors/vehicle-command, pkg/protocol/protocol.md, and the proto files
 * beside it. The keys are published there, and belong to no vehicle.
 */
import { createPublicKey, hash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { keyPairOf, publicKeyPem } from "../../../adapters/clouds/kit/login/key-pair.ts";
import { pairingLink } from "../../../adapters/clouds/tesla/pairing.ts";
import { CarKeys } from "../../../adapters/clouds/tesla/signed/car-keys.ts";
import { ampsAction, chargingAction, readResult } from "../../../adapters/clouds/tesla/signed/charging-actions.ts";
import { metadataBytes } from "../../../adapters/clouds/tesla/signed/metadata.ts";
import { Fields } from "../../../adapters/clouds/tesla/signed/protobuf.ts";
import {
  readSessionInfo,
  sessionInfoRequest,
  signedCommand,
} from "../../../adapters/clouds/tesla/signed/routable-message.ts";
import { APP } from "./fake-session.ts";
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

const CLIENT_KEY =
  "04b2b6bc68c2da0665ce656815594996c62394edd8bea905fe781a754fe6a845a714330902f225e9269d466e05b349981fda9d85cc23c6fb444aa73b629105dc6e";

const CLIENT_PEM = `-----BEGIN PUBLIC KEY-----
MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEsra8aMLaBmXOZWgVWUmWxiOU7di+
qQX+eBp1T+aoRacUMwkC8iXpJp1GbgWzSZgf2p2FzCPG+0RKpztikQXcbg==
-----END PUBLIC KEY-----
`;

describe("keys", () => {
  test("are the document's", () => {
    expect(hex(CLIENT.publicKey)).toBe(CLIENT_KEY);
    expect(publicKeyPem(CLIENT)).toBe(CLIENT_PEM);
    expect(createPublicKey(publicKeyPem(CLIENT)).asymmetricKeyType).toBe("ec");
  });

  test("of both ends make the document's secret", () => {
    expect(hash("sha1", CLIENT.agree(bytes(VEHICLE_KEY))).slice(0, 32)).toBe(SHARED);
  });

  test("are allowed in a vehicle by a link that names the registration's domain", () => {
    expect(pairingLink({ ...APP, domain: "keys.example.com" })).toBe("https://tesla.com/_ak/keys.example.com");
  });

  test.each(["", "04", `05${CLIENT_KEY.slice(2)}`, `${CLIENT_KEY.slice(0, -2)}6f`, "00".repeat(65)])(
    "of the other end that are no point are refused: %s",
    (key) => {
      expect(() => CLIENT.agree(bytes(key))).toThrow(RangeError);
    },
  );

  test.each(["00".repeat(32), "ff".repeat(32), "01"])("that are none are refused: %s", (key) => {
    expect(() => keyPairOf(bytes(key))).toThrow(RangeError);
  });
});

describe("metadata", () => {
  test("is written by rising tag, with its end", () => {
    expect(hex(metadataBytes({ counter: 100, vin: "abc" }))).toBe("0203616263050400000064ff");
  });

  test("of the greeting is the document's", () => {
    const metadata = { signatureType: 6, vin: VIN, challenge: bytes(UUID) };
    expect(hex(metadataBytes(metadata))).toBe(`000106021135594a33303132333435363738394142430610${UUID}ff`);
  });

  test("of a command is the document's", () => {
    const metadata = {
      signatureType: 5,
      domain: 3,
      vin: VIN,
      epoch: bytes(EPOCH),
      expiresAt: 2_655,
      counter: 7,
      flags: 2,
    };
    expect(hex(metadataBytes(metadata))).toBe(
      "000105010103021135594a333031323334353637383941424303104c463f9cc0d3d26906e982ed224adde6040400000a5f050400000007070400000002ff",
    );
  });

  test("has no place for long values", () => {
    expect(() => metadataBytes({ vin: "V".repeat(256) })).toThrow(RangeError);
  });
});

describe("the vehicle's word", () => {
  const keys = new CarKeys(CLIENT, bytes(VEHICLE_KEY));
  const metadata = { signatureType: 6, vin: VIN, challenge: bytes(UUID) };

  test("on where it stands is its own", () => {
    expect(keys.isSessionInfo(bytes(SESSION_INFO), bytes(SESSION_INFO_TAG), metadata)).toBe(true);
  });

  test.each([
    ["another vehicle", { ...metadata, vin: "5YJ30123456789ABD" }],
    ["another question", { ...metadata, challenge: bytes(EPOCH) }],
  ])("is none of %s", (_of, other) => {
    expect(keys.isSessionInfo(bytes(SESSION_INFO), bytes(SESSION_INFO_TAG), other)).toBe(false);
  });

  test("is not believed when a bit of it is another", () => {
    const spoiled = bytes(SESSION_INFO);
    spoiled.writeUInt8(spoiled.readUInt8(1) ^ 1, 1);
    expect(keys.isSessionInfo(spoiled, bytes(SESSION_INFO_TAG), metadata)).toBe(false);
    expect(keys.isSessionInfo(bytes(SESSION_INFO), bytes(SESSION_INFO_TAG).subarray(1), metadata)).toBe(false);
  });

  test("can be opened where it is sealed", () => {
    const sealed = {
      nonce: bytes("dbf79447fa156674dae1caed"),
      bytes: bytes("38038e8c0f2e"),
      tag: bytes("c228e0ff64991481db3a7bbc133696c5"),
    };
    const sealedFor = {
      signatureType: 5,
      domain: 3,
      vin: VIN,
      epoch: bytes(EPOCH),
      expiresAt: 2_655,
      counter: 7,
      flags: 2,
    };
    expect(hex(keys.open(sealed, sealedFor))).toBe("120452020801");
    expect(keys.open(sealed, { ...sealedFor, counter: 8 })).toBeNull();
    expect(keys.open({ ...sealed, tag: sealed.tag.subarray(0, 4) }, sealedFor)).toBeNull();
    expect(keys.open({ ...sealed, nonce: new Uint8Array() }, sealedFor)).toBeNull();
  });
});

describe("messages", () => {
  test("are read as protoc writes them", () => {
    const fields = new Fields(
      bytes("320208023a1212100a7962c10d38b61dd2a7722780a4f0969a031005514f57616bcc81a8ce0f9d7b48322952040a020805"),
    );
    expect(fields.message(6)?.uint(1)).toBe(2);
    expect(hex(fields.message(7)?.bytes(2))).toBe("0a7962c10d38b61dd2a7722780a4f096");
    expect(hex(fields.bytes(10))).toBe("0a020805");
    expect(hex(fields.bytes(51))).toBe("05514f57616bcc81a8ce0f9d7b483229");
  });

  test("tell where a vehicle stands", () => {
    const info = readSessionInfo(bytes(SESSION_INFO));
    expect(info).toMatchObject({ counter: 6, clockS: 2_650, isPaired: true });
    expect([hex(info.publicKey), hex(info.epoch)]).toEqual([VEHICLE_KEY, EPOCH]);
  });

  test("greet with our key", () => {
    const sender = { address: bytes(ADDRESS), uuid: bytes(UUID) };
    expect(hex(sessionInfoRequest(sender, CLIENT.publicKey))).toBe(
      `32020803${`3a121210${ADDRESS}`}${`72430a41${CLIENT_KEY}`}${`9a0310${UUID}`}`,
    );
  });

  test("carry a command with its signature", () => {
    const uuid = "58406580528b6a5301391800b4fe9b99";
    const tag = "11".repeat(32);
    const signature = {
      publicKey: CLIENT.publicKey,
      epoch: bytes(EPOCH),
      counter: 7,
      expiresAt: 2_655,
      tag: bytes(tag),
    };
    const command = signedCommand({ address: bytes(ADDRESS), uuid: bytes(uuid) }, bytes("120452020801"), signature);
    const identity = `0a430a41${CLIENT_KEY}`;
    const hmac = `423b0a10${EPOCH}10071d5f0a00002220${tag}`;
    expect(hex(command)).toBe(
      `32020803${`3a121210${ADDRESS}`}${"5206120452020801"}${`6a8201${identity}${hmac}`}${"a00302"}${`9a0310${uuid}`}`,
    );
  });

  test.each([
    ["start", chargingAction(true), "120432021200"],
    ["stop", chargingAction(false), "120432022a00"],
    ["16 A", ampsAction(16), "1205da02020810"],
    ["300 A", ampsAction(300), "1206da020308ac02"],
  ])("of car_server.proto: %s", (_what, action, coded) => {
    expect(hex(action)).toBe(coded);
  });

  test.each([
    ["done", "0a00", { isTaken: true, reason: null }],
    ["nothing said", "", { isTaken: true, reason: null }],
    ["an error", "0a0208011200", { isTaken: false, reason: null }],
    [
      "an error with a reason",
      `0a0b0801${"1207"}${"0a05"}${Buffer.from("is on").toString("hex")}`,
      { isTaken: false, reason: "is on" },
    ],
    ["a result that nobody knows", "0a020807", { isTaken: false, reason: null }],
  ])("say what came of a command: %s", (_what, payload, result) => {
    expect(readResult(bytes(payload))).toEqual(result);
  });

  test.each([
    ["a field without a number", "00"],
    ["a group", "0b"],
    ["a length beyond the end", "0aff01"],
    ["a number without an end", `08${"ff".repeat(10)}01`],
    ["half a number", "08ff"],
    ["four bytes that are three", "0d000000"],
    ["too many fields", "0801".repeat(201)],
  ])("are refused with %s", (_what, coded) => {
    expect(() => new Fields(bytes(coded))).toThrow(/a vehicle's message: /);
  });

  test("refuse numbers that do not fit, and skip what they do not know", () => {
    expect(() => new Fields(bytes("088080808010")).uint(1)).toThrow(/too large/);
    const fields = new Fields(bytes("080110031901020304050607082a02ffff1501000000"));
    expect([fields.uint(1), fields.uint(2), fields.fixed32(2), fields.uint(3), fields.bytes(1)]).toEqual([
      1,
      3,
      1,
      0,
      null,
    ]);
  });
});
