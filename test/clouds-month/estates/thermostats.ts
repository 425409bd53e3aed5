/** Rooms that are heated and cooled: their temperature drifts, and people turn the knob. */
import { ecobee } from "../../../adapters/clouds/ecobee/ecobee.ts";
import { sensibo } from "../../../adapters/clouds/sensibo/sensibo.ts";
import { tado } from "../../../adapters/clouds/tado/tado.ts";
import type { Clock } from "../../../src/platform/ports/ports.ts";
import type { SeededRandom } from "../../../src/testing/seeded-random.ts";
import { EcobeeTwin, ecobeeThermostat } from "../../twins/clouds/ecobee-twin.ts";
import { SensiboTwin, type SensiboTwinPod, sensiboPod } from "../../twins/clouds/sensibo-twin.ts";
import { TadoTwin, type TadoTwinZone } from "../../twins/clouds/tado-twin.ts";
import type { Estate, Fact, Moment, Wish } from "../estate.ts";
import { quotasOf } from "./quotas-of.ts";

const MINUTE_MS = 60_000;
const NEAR_C = 0.06;
/** The twin counts anew half a day after it was made, which the month does at 22:00 UTC. */
const TADO_COUNTS_ANEW_AT_MS = 600 * MINUTE_MS;

function temperatureFact(name: string, truth: Fact["truth"]): Fact {
  return { kind: "hvac", name, group: "temperatureState", field: "currentTemperature", truth, near: NEAR_C };
}

function thermostatFact(name: string, field: string, truth: Fact["truth"]): Fact {
  return { kind: "hvac", name, group: "thermostatState", field, truth, near: NEAR_C };
}

function room({ hour }: Moment, random: SeededRandom): number {
  return Math.round(10 * (20.5 + Math.sin(hour / 3) + random.between(-0.6, 0.6))) / 10;
}

function oneOf<T>(all: readonly T[], random: SeededRandom): T {
  const [first, ...others] = all;
  if (first === undefined) throw new Error("there is none to choose");
  return random.pick([first, ...others]);
}

function heatWish(random: SeededRandom, name: string, canFollow: boolean): Wish {
  if (canFollow && random.isChance(0.3)) return { kind: "hvac", name, path: "follow-schedule", body: {} };
  const heatSetpoint = random.pick([18, 19, 20, 21, 22, 23]);
  return { kind: "hvac", name, path: "permanent-hold", body: { mode: "HEAT", heatSetpoint } };
}

export function tadoEstate(clock: Clock, random: SeededRandom): Estate {
  const twin = new TadoTwin(clock);
  const all: readonly TadoTwinZone[] = [...twin.zones, ...twin.rooms];
  const celsius = ({ overlay, schedule }: TadoTwinZone) => {
    const { temperature } = overlay?.setting ?? schedule;
    if (temperature == null) return null;
    return "celsius" in temperature ? temperature.celsius : temperature.value;
  };
  return {
    id: "tado",
    vendor: "TADO",
    twin,
    facts: all.flatMap((zone) => [
      temperatureFact(zone.name, () => zone.temperature),
      thermostatFact(zone.name, "heatSetpoint", () => celsius(zone)),
      thermostatFact(zone.name, "holdType", () => (zone.overlay === null ? "SCHEDULED" : "PERMANENT")),
    ]),
    quotas: quotasOf(tado, ({ url }) => (url.hostname === "login.tado.com" ? 0 : 1), { requests: 2 }).map((quota) => ({
      ...quota,
      countsAnewAtMs: TADO_COUNTS_ANEW_AT_MS,
      counts: ({ status, headers }) => status !== 429 && headers?.["ratelimit"] !== undefined,
    })),
    lagMs: 0,
    // 72 requests a day for polls, two homes: a home's turn comes every 40 minutes.
    ageMs: 60 * MINUTE_MS,
    async signIn(page) {
      await page.await("wait");
      twin.answerOfPerson = "approved";
      // Signing in anew for devices that are linked offers no choice.
      await page.await("devices", "done");
    },
    revoke: () => twin.desk.revokeAll(),
    exhaust: () => twin.useElsewhere(60 + random.below(60)),
    commandIn({ method, url, json }) {
      const isCommand = method !== "GET" && url.hostname !== "login.tado.com";
      const [, device = ""] = /((?:zones|rooms)\/\d+)/.exec(url.pathname) ?? [];
      return isCommand ? `${device} ${method} ${url.pathname} ${JSON.stringify(json)}` : null;
    },
    isLogin: ({ url }) => url.hostname === "login.tado.com",
    live(moment) {
      twin.measuredAtMs = moment.nowMs;
      for (const zone of all) if (random.isChance(0.1)) zone.temperature = room(moment, random);
      const zone = twin.zones[random.below(twin.zones.length)];
      if (zone !== undefined && random.isChance(1 / 600)) {
        const setting = { type: "HEATING", power: "ON", temperature: { celsius: random.pick([17, 24]) } };
        zone.overlay = zone.overlay === null ? { setting, termination: { type: "MANUAL" } } : null;
      }
    },
    wish: (own) => heatWish(own, oneOf(all, own).name, true),
  };
}

export function ecobeeEstate(clock: Clock, random: SeededRandom): Estate {
  const twin = new EcobeeTwin(clock);
  twin.thermostats.splice(0, 1, ecobeeThermostat(), ecobeeThermostat({ identifier: "311019854582", name: "Attic" }));
  const celsius = (tenths: number) => Math.round((((tenths / 10 - 32) * 5) / 9) * 100) / 100;
  return {
    id: "ecobee",
    vendor: "ECOBEE",
    twin,
    facts: twin.thermostats.flatMap((one) => [
      temperatureFact(one.name, () => celsius(one.temperature)),
      thermostatFact(one.name, "holdType", () => (one.hold === null ? "SCHEDULED" : "PERMANENT")),
    ]),
    // The summary, and the details when it shows that they changed.
    quotas: quotasOf(ecobee, () => 1, { requests: 2 }),
    lagMs: 0,
    ageMs: 7 * MINUTE_MS,
    async signIn(page) {
      await page.press({ account: "ada@example.com" });
      const asked = await page.await("wait");
      if (asked.step === "wait") twin.enteredPins.push(asked.code);
      await page.await("devices", "done");
    },
    revoke: () => twin.desk.revokeAll(),
    commandIn({ method, url, json }) {
      const selection = Object(Object(json).selection).selectionMatch;
      return method === "POST" && url.pathname === "/1/thermostat" ? `${selection} ${JSON.stringify(json)}` : null;
    },
    isLogin: ({ url }) => url.pathname === "/token" || url.pathname === "/authorize",
    live(moment) {
      twin.measuredAtMs = moment.nowMs;
      for (const one of twin.thermostats) {
        if (!random.isChance(0.1)) continue;
        one.temperature = Math.round(room(moment, random) * 18 + 320);
        twin.changed();
      }
    },
    wish: (own) => heatWish(own, oneOf(twin.thermostats, own).name, true),
  };
}

export function sensiboEstate(clock: Clock, random: SeededRandom): Estate {
  const twin = new SensiboTwin(clock);
  const pods: readonly SensiboTwinPod[] = [sensiboPod("A1", { room: "Study" }), sensiboPod("B2", { room: "Attic" })];
  twin.pods.push(...pods);
  const key = () => [...twin.keys][0] ?? "";
  const modes: Readonly<Record<string, string>> = { cool: "COOL", heat: "HEAT", auto: "AUTO" };
  return {
    id: "sensibo",
    vendor: "SENSIBO",
    twin,
    facts: pods.flatMap((pod) => [
      temperatureFact(pod.room, () => pod.temperature),
      thermostatFact(pod.room, "mode", () =>
        pod.acState["on"] === true ? (modes[String(pod.acState["mode"])] ?? null) : "OFF",
      ),
    ]),
    quotas: quotasOf(sensibo, () => 1),
    lagMs: 0,
    ageMs: 7 * MINUTE_MS,
    async signIn(page) {
      await page.press({ apiKey: key() });
    },
    revoke() {
      twin.keys.clear();
      twin.keys.add(`sensibo-key-${random.below(1_000_000)}`);
    },
    commandIn: ({ method, url, json }) =>
      method === "POST" ? `${url.pathname.split("/")[4]} ${JSON.stringify(json)}` : null,
    isLogin: () => false,
    live(moment) {
      twin.measuredAtMs = moment.nowMs;
      for (const pod of pods) if (random.isChance(0.1)) pod.temperature = room(moment, random);
    },
    wish(own) {
      const name = oneOf(pods, own).room;
      if (own.isChance(0.2)) return { kind: "hvac", name, path: "permanent-hold", body: { mode: "OFF" } };
      const degrees = own.pick([18, 20, 22, 24]);
      const body = own.isChance(0.5)
        ? { mode: "HEAT", heatSetpoint: degrees }
        : { mode: "COOL", coolSetpoint: degrees };
      return { kind: "hvac", name, path: "permanent-hold", body };
    },
  };
}
