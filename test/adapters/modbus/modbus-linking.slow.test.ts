import { Socket } from "node:net";
import { DeviceError, type LinkAnswer, type LinkRefusal, type LinkStep, type Net } from "hemgate/sdk";
import { TestLog } from "hemgate/testing";
import { describe, expect, test, vi } from "vitest";
import { modbusAdapter } from "../../../adapters/modbus/modbus-adapter.ts";
import { MODBUS_VENDORS } from "../../../adapters/modbus/modbus-vendors.ts";
import { allProfiles } from "../../../adapters/modbus/profile/known-profiles.ts";
import { nodeClock } from "../../../src/platform/node/node-clock.ts";
import { nodeNet } from "../../../src/platform/node/node-net.ts";
import { LINK_TEXTS } from "../../../src/ui/link/link-texts.ts";
import { GERMAN } from "../../../src/ui/link/texts/de-de.ts";
import { ENGLISH } from "../../../src/ui/link/texts/en-us.ts";
import { adapterContext, calm } from "./bus/bus-world.ts";
import { type Asked, evilServer, exceptionAnswer, rightAnswer } from "./bus/evil-server.ts";

const KNOWN_PROFILES = await allProfiles();

const honest = (asked: Asked): void => void asked.socket.write(rightAnswer(asked));

function start(net: Partial<Net> = {}) {
  const log = new TestLog();
  return modbusAdapter.start(
    adapterContext(
      nodeClock(() => "synced"),
      { net: { ...nodeNet(log), ...net }, log },
    ),
  );
}

function step(vendorId: string, values: Readonly<Record<string, string>>): LinkStep {
  const answer: LinkAnswer = { kind: "form", values };
  return { vendorId, answer, memo: undefined, callback: { url: "http://gateway.local/link/return", state: "s" } };
}

describe("Modbus devices that people link", () => {
  test("are those of every profile, and of the makers whose devices describe themselves", () => {
    const offers = MODBUS_VENDORS.map(({ id, vendors, vendorTypes }) => [id, vendors[0], vendorTypes]);
    expect(offers.map(([id]) => id)).toEqual([
      ...KNOWN_PROFILES.map(({ id }) => id),
      "sunspec-fronius",
      "sunspec-sma",
      "sunspec-solaredge",
      "sunspec-sunspec",
    ]);
    expect(offers).toContainEqual(["eastron-sdm630", "MODBUS", ["meter"]]);
    expect(offers).toContainEqual(["goodwe-et", "GOODWE", ["battery", "inverter", "meter"]]);
    expect(offers).toContainEqual(["keba-p30", "KEBA", ["charger"]]);
    expect(offers).toContainEqual(["sunspec-fronius", "FRONIUS", ["inverter", "battery", "meter"]]);
  });

  test("are asked for an address, with what the device has at delivery", () => {
    const keba = MODBUS_VENDORS.find(({ id }) => id === "keba-p30");
    expect(keba?.fields.map(({ name, initial }) => [name, initial])).toEqual([
      ["host", undefined],
      ["port", "502"],
      ["unit", "255"],
    ]);
  });

  test("are found when they really answer, with options that the adapter takes, and let go again", async () => {
    await using server = await evilServer(honest);
    await using adapter = start();
    const values = { host: "127.0.0.1", port: String(server.port), unit: "7" };
    const result = await adapter.linking?.take(step("eastron-sdm630", values), calm);
    expect(result).toMatchObject({ kind: "found", devices: [{ vendorTypes: ["meter"], name: null }] });
    const [device] = result?.kind === "found" ? result.devices : [];
    expect(modbusAdapter.options.parse(device?.options)).toMatchObject({ unit: 7, profile: "eastron-sdm630" });
    expect(new Set(server.asked.map(({ unit }) => unit))).toEqual(new Set([7]));
    await server.hasOpen(0);
  });

  test.each([
    ["something else than Modbus", (asked: Asked) => void asked.socket.write("HTTP/1.1 400 Bad Request\r\n\r\n")],
    ["a device that knows none of the registers", (asked: Asked) => void asked.socket.write(exceptionAnswer(asked, 2))],
  ])("are not confirmed where %s answers", async (_what, answer) => {
    await using server = await evilServer(answer);
    await using adapter = start();
    const values = { host: "127.0.0.1", port: String(server.port), unit: "1" };
    const result = await adapter.linking?.take(step("goodwe-et", values), calm);
    expect(result).toEqual({ kind: "refused", why: "wrong-device" });
    await server.hasOpen(0);
  });

  test.each([
    ["http://192.168.1.40/", "502", "1", "name-not-found"],
    ["8.8.8.8", "502", "1", "outside-house"],
    ["169.254.169.254", "502", "1", "outside-house"],
    ["2606:4700:4700::1111", "502", "1", null],
    ["192.168.1.40", "70000", "1", "out-of-range"],
    ["192.168.1.40", "502", "256", "out-of-range"],
    ["192.168.1.40", "0x1f6", "1", "out-of-range"],
    ["/dev/mem", "502", "1", "no-serial-port"],
  ])("are asked nothing at what cannot be their place: %s, port %s, unit %s", async (host, port, unit, why) => {
    const tried: string[] = [];
    await using adapter = start({
      connect: async (address) => {
        tried.push(address.host);
        throw new DeviceError("unreachable", "not here");
      },
    });
    const result = await adapter.linking?.take(step("keba-p30", { host, port, unit }), calm);
    expect(result).toEqual({ kind: "refused", why: why ?? "not-answering" });
    expect(tried).toEqual(why === null ? [host] : []);
  });

  describe("and cannot be had, tell the cause and what to do, in each language of the page:", () => {
    interface Case {
      readonly why: LinkRefusal;
      readonly place?: Readonly<Record<string, string>>;
      readonly answer?: (asked: Asked) => void;
      readonly net?: Partial<Net>;
      readonly says: readonly [RegExp, RegExp];
    }
    const failing = (code: string): Partial<Net> => ({
      connect: async (address, events, signal) => {
        // What the real port makes of the system's error.
        vi.spyOn(Socket.prototype, "connect").mockImplementationOnce(function (this: Socket) {
          queueMicrotask(() => this.emit("error", Object.assign(new Error(`connect ${code}`), { code })));
          return this;
        });
        return await nodeNet(new TestLog()).connect(address, events, signal);
      },
    });
    const cases: readonly Case[] = [
      { why: "connection-refused", place: { port: "1" }, says: [/Check the port/, /Prüfen Sie den Port/] },
      { why: "no-such-host", net: failing("EHOSTUNREACH"), says: [/Check the address/, /Prüfen Sie die Adresse/] },
      {
        why: "wrong-unit",
        answer: (asked) => void asked.socket.write(exceptionAnswer(asked, 11)),
        says: [/Check the unit number/, /Prüfen Sie die Unit-Nummer/],
      },
      {
        why: "wrong-device",
        answer: (asked) => void asked.socket.write(exceptionAnswer(asked, 2)),
        says: [/choose another kind/, /wählen Sie eine andere Art/],
      },
      {
        why: "name-not-found",
        place: { host: "no-such-device.invalid" },
        net: { resolve: async () => [], ...failing("ENOTFOUND") },
        says: [/Enter its address/, /Geben Sie stattdessen seine Adresse/],
      },
      {
        why: "outside-house",
        place: { host: "device.example" },
        net: { resolve: async () => ["93.184.216.34"] },
        says: [/Enter the address that the device has at home/, /die Adresse ein, die das Gerät zu Hause hat/],
      },
      { why: "out-of-range", place: { unit: "300" }, says: [/1 to 65535.*0 to 255/, /1 bis 65535.*0 bis 255/] },
      { why: "no-serial-port", place: { host: "/dev/ttyUSB9" }, says: [/plugged in/, /ob der Adapter steckt/] },
      {
        why: "not-answering",
        answer: () => undefined,
        says: [/close other programs/, /schließen Sie andere Programme/],
      },
    ];

    test.each(cases)("$why", async ({ why, place = {}, answer = honest, net = {}, says }) => {
      await using server = await evilServer(answer);
      await using adapter = start(net);
      const values = { host: "127.0.0.1", port: String(server.port), unit: "1", ...place };
      const result = await adapter.linking?.take(step("eastron-sdm630", values), calm);
      expect(result).toEqual({ kind: "refused", why });
      for (const [at, language] of (["en-US", "de-DE"] as const).entries()) {
        expect(LINK_TEXTS[language]?.faults[why]).toMatch(says[at] ?? "");
      }
    });

    test("no two causes have one text", () => {
      for (const { faults } of [ENGLISH, GERMAN]) expect(new Set(cases.map(({ why }) => faults[why])).size).toBe(9);
    });
  });
});
