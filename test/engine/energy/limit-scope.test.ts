import { expect, test } from "vitest";
import { makeHome } from "../home.ts";

test("A limit whose scope is changed applies all the time: the control cycle sees no moment without one", async () => {
  const home = makeHome();
  home.add("meter", { values: { "meter.power": 1_500 } });
  const run = await home.start();
  const { clock } = home.world;
  const { energyLimits } = run.engine.services;
  const port = energyLimits.port({ id: "client-a", kind: "client", name: "Operator" });
  const limit = { isActive: true, watts: 3_000, durationMs: null } as const;
  const set = (scope: "connection" | "controllable") => {
    const demand = { scope, limit, failsafeW: null, failsafeMs: null };
    return clock.resolve(port.set({ isHeartbeat: true, heartbeatLostMs: null, import: demand }), 20_000);
  };
  await set("connection");
  const seen: string[][] = [];
  using _ = energyLimits.observe((limits) => seen.push(limits.map(({ scope }) => scope)));
  await set("controllable");
  expect(seen).toEqual([["connection", "controllable"], ["controllable"]]);
  const ended = energyLimits.limitations().map(({ scope, endReason }) => [scope, endReason]);
  expect(ended).toEqual([
    ["controllable", null],
    ["connection", "changed"],
  ]);
  await run.close();
});
