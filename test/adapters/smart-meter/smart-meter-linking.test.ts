import type { LinkOutcome } from "hemgate/sdk";
import { describe, expect, test } from "vitest";
import { smartMeterAdapter } from "../../../adapters/smart-meter/smart-meter-adapter.ts";
import { SMART_METER_VENDORS } from "../../../adapters/smart-meter/smart-meter-linking.ts";
import { SOME_MEASURED } from "../../twins/smart-meters/measured.ts";
import { P1_SERIAL, p1Telegram } from "../../twins/smart-meters/p1-twin.ts";
import { bed, calm, HOST, P1_LINE, PORT } from "./meter-bed.ts";

const telegram = (): Uint8Array => Buffer.from(p1Telegram("dsmr5", SOME_MEASURED), "latin1");
const callback = { url: "http://gateway.local/link/return", state: "s" };

function take(on: ReturnType<typeof bed>, vendorId: string, values: Record<string, string>): Promise<LinkOutcome> {
  const step = { vendorId, answer: { kind: "form", values } as const, memo: undefined, callback };
  return on.world.clock.resolve(
    on.adapter.linking?.take(step, calm) ?? Promise.reject(new Error("no linking")),
    60_000,
  );
}

describe("a meter that people link", () => {
  test("is asked for by what it speaks", () => {
    expect(SMART_METER_VENDORS.map(({ id }) => id)).toEqual(["p1", "sml", "iec62056-21", "iec62056-21-push"]);
  });

  test("is found on a serial port, with options that the adapter takes", async () => {
    const on = bed({ protocol: "p1" });
    on.plugged(1_000, P1_LINE, telegram);
    const turn = await take(on, "p1", { host: PORT, port: "", meterKey: "" });
    expect(turn).toMatchObject({ kind: "found", devices: [{ key: P1_SERIAL, vendorTypes: ["meter"] }] });
    const options = turn.kind === "found" ? turn.devices[0]?.options : null;
    expect(smartMeterAdapter.options.parse(options)).toEqual({ protocol: "p1", serialPort: PORT });
    await on.world.clock.advance(10);
    expect(on.process.resources).toMatchObject({ streams: 0, timers: 0 });
  });

  test("is found behind a host", async () => {
    const on = bed({ protocol: "p1" });
    await on.served(1_000, telegram);
    const turn = await take(on, "p1", { host: HOST.host, port: String(HOST.port), meterKey: "" });
    expect(turn).toMatchObject({ kind: "found", devices: [{ options: { ...HOST, protocol: "p1" } }] });
  });

  test("is not there while no telegram comes", async () => {
    const on = bed({ protocol: "p1" });
    expect(await take(on, "sml", { host: PORT, port: "" })).toEqual({ kind: "refused", why: "not-answering" });
  });

  test.each([
    ["a path that is no serial port", { host: "/dev/mem", port: "" }, "no-serial-port"],
    ["an address without a port", { host: "192.168.1.70", port: "" }, "out-of-range"],
    ["a key that is none", { host: PORT, port: "", meterKey: "12" }, "invalid-credentials"],
  ])("is not tried with %s", async (_what, values, why) => {
    expect(await take(bed({ protocol: "p1" }), "p1", values)).toEqual({ kind: "refused", why });
  });
});
