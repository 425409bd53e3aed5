import type { LinkAnswer, LinkStep } from "hemgate/sdk";
import { TestLog } from "hemgate/testing";
import { describe, expect, test } from "vitest";
import { KNOWN_PROFILES } from "../../../adapters/modbus/known-profiles.ts";
import { modbusAdapter } from "../../../adapters/modbus/modbus-adapter.ts";
import { MODBUS_VENDORS } from "../../../adapters/modbus/modbus-linking.ts";
import { nodeClock } from "../../../src/platform/node/node-clock.ts";
import { nodeNet } from "../../../src/platform/node/node-net.ts";
import { adapterContext, calm } from "./bus-world.ts";
import { type Asked, evilServer, exceptionAnswer, rightAnswer } from "./evil-server.ts";

const honest = (asked: Asked): void => void asked.socket.write(rightAnswer(asked));

function start() {
  const log = new TestLog();
  return modbusAdapter.start(
    adapterContext(
      nodeClock(() => "synced"),
      { net: nodeNet(log), log },
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
    const turn = await adapter.linking?.take(step("eastron-sdm630", values), calm);
    expect(turn).toMatchObject({ kind: "found", devices: [{ vendorTypes: ["meter"], name: null }] });
    const [device] = turn?.kind === "found" ? turn.devices : [];
    expect(modbusAdapter.options.parse(device?.options)).toMatchObject({ unit: 7, profile: "eastron-sdm630" });
    expect(new Set(server.asked.map(({ unit }) => unit))).toEqual(new Set([7]));
    await server.hasOpen(0);
  });

  test("are not confirmed where nothing listens", async () => {
    const server = await evilServer(honest);
    const { port } = server;
    await server[Symbol.asyncDispose]();
    await using adapter = start();
    const turn = await adapter.linking?.take(
      step("keba-p30", { host: "127.0.0.1", port: String(port), unit: "1" }),
      calm,
    );
    expect(turn).toEqual({ kind: "refused", why: "not-answering" });
  });

  test.each([
    ["something else than Modbus", (asked: Asked) => void asked.socket.write("HTTP/1.1 400 Bad Request\r\n\r\n")],
    ["a device that knows none of the registers", (asked: Asked) => void asked.socket.write(exceptionAnswer(asked, 2))],
  ])("are not confirmed where %s answers", async (_what, answer) => {
    await using server = await evilServer(answer);
    await using adapter = start();
    const values = { host: "127.0.0.1", port: String(server.port), unit: "1" };
    const turn = await adapter.linking?.take(step("goodwe-et", values), calm);
    expect(turn).toEqual({ kind: "refused", why: "wrong-device" });
    await server.hasOpen(0);
  });

  test.each([
    { host: "", port: "502", unit: "1" },
    { host: "http://192.168.1.40/", port: "502", unit: "1" },
    { host: "192.168.1.40", port: "70000", unit: "1" },
    { host: "192.168.1.40", port: "502", unit: "256" },
    { host: "192.168.1.40", port: "0x1f6", unit: "1" },
  ])("are not looked for at %j", async (values) => {
    await using adapter = start();
    const turn = await adapter.linking?.take(step("keba-p30", values), calm);
    expect(turn).toEqual({ kind: "refused", why: "not-answering" });
  });
});
