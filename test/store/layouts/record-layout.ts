// Records a state of today's layout for layouts.test.ts, before a release whose layout is new:
// node --conditions=source test/store/layouts/record-layout.ts
import { writeFileSync } from "node:fs";
import packageFile from "../../../package.json" with { type: "json" };
import { MIGRATIONS } from "../../../src/store/migrations.ts";
import { MemoryDisk } from "../../../src/testing/memory-disk.ts";
import { contentsOf, historyOf, lastingOf, MINUTE_MS, packState, startHouse } from "./recorded-house.ts";

/** Longer than the history waits before it is written. */
const RUNS_MS = 95 * MINUTE_MS;

const disk = new MemoryDisk();
const house = await startHouse(disk);
const client = await house.wait(house.gateway.createClient("app", undefined, ["people:manage"]));
const ask = (method: "GET" | "POST" | "PUT" | "PATCH", url: string, payload?: object) =>
  house.ask(client, { method, url, ...(payload !== undefined && { payload }) });

const [charger] = house.gateway.engine.assets.list("charger");
const chargerId = charger?.asset.id;
const place = { name: "Home", latitude: 52.5, longitude: 13.4, timezoneName: "Europe/Berlin" };
const { id: locationId } = await ask("POST", "/users/home/locations", place);
await ask("PUT", "/tariffs/night-and-day", [{ name: "day", cost: "0.30" }]);
const schedule = {
  ...{ targetType: "charger", targetId: chargerId, locationId: null, isEnabled: false, defaultShouldCharge: true },
  rules: [{ shouldCharge: false, hourMinute: { from: "17:00", to: "20:00" }, weekdays: [0, 1] }],
};
const { id: scheduleId } = await ask("POST", "/users/home/schedules", schedule);
await ask("POST", "/webhooks", { url: "https://hooks.example/in", secret: "a-secret-of-some-length", events: ["*"] });
await ask("PATCH", "/local/site", { fuseA: 35, importKw: 20 });
await ask("PUT", "/local/notifications/phone", { type: "ntfy", topic: "our-house" });
await ask("POST", "/local/people", { name: "Ann", role: "member" });
await house.world.clock.advance(RUNS_MS);

const paths = [
  `/chargers/${String(chargerId)}`,
  `/locations/${String(locationId)}`,
  "/tariffs/night-and-day",
  `/schedules/${String(scheduleId)}`,
  "/webhooks",
  "/local/site",
  "/local/notifications",
  "/local/people",
  "/local/clients",
];
const answers: Record<string, unknown> = {};
for (const path of paths) answers[path] = lastingOf(await ask("GET", path));
const atMs = house.world.clock.nowMs();
const history = await historyOf(house, atMs);
await house[Symbol.asyncDispose]();

const state = { version: packageFile.version, atMs, client, answers, history, databases: contentsOf(disk) };
const target = new URL(`layout-${MIGRATIONS.length}.json.gz`, import.meta.url);
writeFileSync(target, packState(state));
console.log(`${target.pathname}: ${Object.keys(state.databases["critical"] ?? {}).length} records`, answers, history);
