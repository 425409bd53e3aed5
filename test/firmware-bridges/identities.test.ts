/** Who the device behind each bridge is. */

import { describe, expect, it } from "vitest";
import { BRIDGES } from "../../firmware-bridges/kit/bridges.ts";
import type { Firmware } from "../twins/firmware/board.ts";
import { EvccTwin } from "../twins/firmware/evcc.ts";
import { chargers, inverters, meters } from "../week/firmware-kinds.ts";
import { systems } from "../week/firmware-systems.ts";
import { MqttBench } from "./bench.ts";

interface Case {
  readonly twin: Firmware;
  readonly options: Readonly<Record<string, unknown>>;
}

function cases(): ReadonlyMap<string, Case> {
  const evcc = { twin: new EvccTwin(), options: { bridge: "evcc", topic: "evcc" } };
  const kinds: readonly Case[] = [...meters(), ...inverters(), ...chargers(), ...systems(), evcc];
  return new Map(kinds.map((each) => [String(each.options["bridge"]), each]));
}

describe.each(BRIDGES.map((bridge) => [bridge.name, bridge] as const))("%s", (name, { noSerial, noVersion }) => {
  it("tells its device's serial number and version, or says why not", async () => {
    await using bench = new MqttBench();
    const known = cases().get(name);
    if (known === undefined) throw new Error(`no twin for ${name}`);
    bench.board(known.twin);
    await bench.pass(10_000);
    const driver = await bench.connect(known.options as Parameters<MqttBench["connect"]>[0]);
    const { serial, version } = driver.identity;
    expect({ hasSerial: serial !== null, hasVersion: version !== null }).toEqual({
      hasSerial: noSerial === undefined,
      hasVersion: noVersion === undefined,
    });
    expect([noSerial, noVersion]).not.toContain("");
  });
});
