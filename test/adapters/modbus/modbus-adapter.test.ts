import { TestLog, VirtualClock } from "hemgate/testing";
import { describe, expect, test } from "vitest";
import { modbusAdapter } from "../../../adapters/modbus/modbus-adapter.ts";
import { nodeNet } from "../../../src/platform/node/node-net.ts";
import { adapterContext, calm } from "./bus/bus-world.ts";
import { type Asked, evilServer, exceptionAnswer, rightAnswer } from "./bus/evil-server.ts";

function start() {
  const log = new TestLog();
  return modbusAdapter.start(adapterContext(new VirtualClock(), { net: nodeNet(log), log }));
}

/** Of a meter that wants no pauses: its clock stands still. */
function options(port: number, more: object = {}) {
  return modbusAdapter.options.parse({ host: "127.0.0.1", port, profile: "janitza-umg", ...more });
}

const honest = (asked: Asked): void => void asked.socket.write(rightAnswer(asked));

describe("options", () => {
  test("window and trust have defaults; line, port and unit are the profile's", () => {
    expect(modbusAdapter.options.parse({ host: "meter.lan", profile: "keba-p30" })).toEqual({
      host: "meter.lan",
      profile: "keba-p30",
      inFlight: 1,
      holdSeconds: 300,
      confirmUnverified: false,
      confirmNoFailsafe: false,
      pollMs: {},
      settings: {},
    });
  });

  test.each(["eastron-sdm63", undefined])("profile %s is refused with the known ones", (profile) => {
    const result = modbusAdapter.options.safeParse({ host: "meter.lan", profile });
    expect(result.error?.issues[0]).toMatchObject({
      code: "invalid_value",
      values: expect.arrayContaining(["sunspec"]),
    });
  });

  test.each([{ port: 0 }, { unit: 256 }, { inFlight: 0 }, { pollMs: { fast: 1 } }, { host: "" }])(
    "%j is refused",
    (more) => {
      const result = modbusAdapter.options.safeParse({ host: "meter.lan", profile: "sunspec", ...more });
      expect(result.success).toBe(false);
    },
  );
});

describe("connecting", () => {
  test("devices behind one address share one connection, and the last one closes it", async () => {
    await using server = await evilServer(honest);
    await using adapter = start();
    const first = await adapter.connect("a", options(server.port, { unit: 1 }), calm);
    const second = await adapter.connect("b", options(server.port, { unit: 2 }), calm);
    expect(server.accepted).toBe(1);
    expect(new Set(server.asked.map(({ unit }) => unit))).toEqual(new Set([1, 2]));
    await first[Symbol.asyncDispose]();
    expect(server.open).toBe(1);
    await second[Symbol.asyncDispose]();
    await second[Symbol.asyncDispose]();
    await server.hasOpen(0);
  });

  test("a device that cannot be reached leaves no connection behind", async () => {
    await using server = await evilServer((asked) => void asked.socket.write("HTTP/1.1 400 Bad Request\r\n\r\n"));
    await using adapter = start();
    await expect(adapter.connect("a", options(server.port), calm)).rejects.toMatchObject({ kind: "malformed" });
    await server.hasOpen(0);
  });

  test("a device that refuses what asks for its name is connected under the profile's name", async () => {
    await using server = await evilServer((asked) => void asked.socket.write(exceptionAnswer(asked, 2)));
    await using adapter = start();
    const driver = await adapter.connect("a", options(server.port, { profile: "goodwe-et", unit: 5 }), calm);
    expect(driver.identity).toMatchObject({ manufacturer: "GoodWe", model: "ET", serial: null });
    expect(driver.vendors).toEqual(["GOODWE", "MODBUS"]);
  });

  test("periods may be set for a device, and the fastest one tells how often it wants to be read", async () => {
    await using server = await evilServer(honest);
    await using adapter = start();
    const driver = await adapter.connect("a", options(server.port, { pollMs: { fast: 200, slow: 1_000 } }), calm);
    expect(driver.pollMs).toBe(200);
  });

  test("stopping the adapter closes every connection", async () => {
    await using server = await evilServer(honest);
    const adapter = start();
    const driver = await adapter.connect("a", options(server.port), calm);
    await adapter[Symbol.asyncDispose]();
    await server.hasOpen(0);
    await expect(driver.read("all", calm)).rejects.toMatchObject({ kind: "unreachable" });
  });
});
