import { type ModbusImage, VirtualClock } from "hemgate/testing";
import { describe, expect, test } from "vitest";
import { matchProfiles } from "../../../../adapters/modbus/discovery/match.ts";
import { fingerprintOf } from "../../../../adapters/modbus/discovery/nameplates.ts";
import { decoder } from "../../../../adapters/modbus/driver/decode.ts";
import { PROFILE_SUMMARIES } from "../../../../adapters/modbus/profile/profile-summaries.generated.ts";
import { type RegisterField, registerWords } from "../../../../src/sdk/index.ts";
import { TWIN_IDS } from "../../../twins/registers/twin-maps.ts";
import { PLATED, platedImage } from "./plated-devices.ts";

const calm = new AbortController().signal;
/** Nothing on them says what they are, or they are the second connector of a device that is told. */
const BY_HAND = [
  "abl-emh1",
  "luxtronik-shi",
  "my-pv-ac-thor",
  "my-pv-ac-thor-9s",
  "my-pv-ac-elwa-2",
  "my-pv-ac-elwa-e",
  "openwb-2-secondary-2",
  "phoenix-charx-2",
];
const known = PROFILE_SUMMARIES.flatMap((profile) => {
  const fingerprint = fingerprintOf(profile);
  return fingerprint === null ? [] : [{ profile, fingerprint }];
});

function unitOf(image: ModbusImage, unit: number) {
  const value = async (field: RegisterField) => {
    const words = registerWords(field);
    const reply =
      field.table === "holding"
        ? image.readHolding(unit, field.address, words)
        : image.readInput(unit, field.address, words);
    return reply.kind === "values" ? decoder(field)(Uint16Array.from(reply.values), 0, 0) : null;
  };
  return { isSpent: false, value };
}

test("every profile is told, or named here as one that is not", () => {
  const told = new Set(PLATED.map(({ profile }) => profile));
  expect(PROFILE_SUMMARIES.map(({ id }) => id).filter((id) => !told.has(id))).toEqual(BY_HAND);
  expect(known.map(({ profile }) => profile.id).filter((id) => BY_HAND.includes(id))).toEqual([]);
  const twins = new Set<string>(PLATED.map(({ twin }) => twin));
  expect(TWIN_IDS.filter((id) => !twins.has(id) && !BY_HAND.includes(id))).toEqual([]);
});

/** What could also be meant, were it not for what is surer: registers that both have. */
const LESS_SURE: Readonly<Record<string, readonly string[]>> = {
  "sma-hybrid": ["sma-shm2"],
  "sigenergy-inverter": ["sigenergy-sigenstor"],
  "phoenix-ev-eth-wallbe": ["phoenix-em-cp"],
};

describe("whom each device is taken for", () => {
  test.each(PLATED)("$profile is taken for nobody else", async (device) => {
    const unit = unitOf(await platedImage(device, new VirtualClock()), device.unit);
    const fits: string[] = [];
    for (const one of known) if ((await matchProfiles(unit, [one], calm)) !== null) fits.push(one.profile.id);
    const meant = [device.profile, ...(LESS_SURE[device.profile] ?? [])];
    expect(fits.toSorted()).toEqual(meant.toSorted());
    const match = await matchProfiles(unit, known, calm);
    const own = known.find(({ profile }) => profile.id === device.profile);
    expect([match?.profile.id, match?.certainty]).toEqual([device.profile, own?.fingerprint.certainty]);
  });
});

test("zeros, and ones that say nothing, are no device", async () => {
  for (const word of [0, 0xffff, 0x8000]) {
    const values = (_unit: number, _address: number, count: number) =>
      ({ kind: "values", values: Array(count).fill(word) }) as const;
    const image: ModbusImage = { readHolding: values, readInput: values, writeHolding: () => ({ kind: "silence" }) };
    expect(await matchProfiles(unitOf(image, 1), known, calm)).toBeNull();
  }
});
