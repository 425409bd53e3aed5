/** A battery that is held for a car, and that a client asks for something else. */
import { expect, test } from "vitest";
import { batteryOptions } from "../home.ts";
import { energyHouse, MINUTE, SECOND } from "./energy-house.ts";

test("a client's command to a held battery leaves no record of the hold behind, also not for the next start", async () => {
  const house = energyHouse({}, {}, { isOn: true });
  const battery = house.home.add("battery", batteryOptions());
  const run = await house.start();
  const { energy } = run.engine.services;
  const resolve = <T>(work: Promise<T>): Promise<T> => house.home.world.clock.resolve(work, 20 * SECOND);
  const id = run.engine.assets.list("battery")[0]?.asset.id ?? "";
  const set = (operationMode: "EXPORT_FOCUS" | "SELF_RELIANCE") =>
    resolve(run.engine.actions.start(id, { targetType: "battery", operationMode }));
  await resolve(energy.setPolicy(house.chargerId(run), { mode: "FAST" }));
  await house.advance(MINUTE);
  expect(battery.values["battery.mode"]).toBe("IDLE");
  await set("EXPORT_FOCUS");
  await house.advance(MINUTE);
  expect(battery.values["battery.mode"]).toBe("EXPORT_FOCUS");
  const held = run.store.all("lease").filter(({ point }) => point === "battery.mode");
  expect(held.map(({ origin = "client", value }) => [origin, value])).toEqual([["client", "EXPORT_FOCUS"]]);
  await resolve(energy.clearPolicy(house.chargerId(run)));
  await set("SELF_RELIANCE");
  await house.advance(MINUTE);
  expect(run.store.all("lease")).toEqual([]);
  run.process.kill();
  house.home.disk.crash();
  const next = await house.start();
  await house.advance(5 * MINUTE);
  expect(battery.values["battery.mode"]).toBe("SELF_RELIANCE");
  expect(battery.written("battery.mode").at(-1)).toBe("SELF_RELIANCE");
  await next.close();
});
