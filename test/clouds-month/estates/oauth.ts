/** Clouds that people sign in to on the vendor's own page: a car, batteries, panels, a heat pump. */
import { enphase } from "../../../adapters/clouds/enphase/enphase.ts";
import { myuplink } from "../../../adapters/clouds/myuplink/myuplink.ts";
import { sma } from "../../../adapters/clouds/sma/sma.ts";
import { tesla } from "../../../adapters/clouds/tesla/tesla.ts";
import type { Clock } from "../../../src/platform/ports/ports.ts";
import type { SimWebAnswer } from "../../../src/testing/network/sim-web.ts";
import type { SeededRandom } from "../../../src/testing/seeded-random.ts";
import { makeSite, makeVehicle } from "../../adapters/clouds/tesla-houses.ts";
import type { AskedOfTwin } from "../../twins/clouds/cloud-twin.ts";
import { EnphaseTwin } from "../../twins/clouds/enphase-twin.ts";
import { MyUplinkTwin } from "../../twins/clouds/myuplink-twin.ts";
import { SmaTwin } from "../../twins/clouds/sma-twin.ts";
import { TeslaTwin } from "../../twins/clouds/tesla-twin.ts";
import type { Estate, Fact, Wish } from "../estate.ts";
import { SolarHouse } from "../solar-house.ts";
import { Evenings } from "./evenings.ts";
import { quotasOf } from "./quotas-of.ts";

const MINUTE_MS = 60_000;
/** A car that slept is looked at every twenty minutes (rule I6). */
const NOTICED_MS = 30 * MINUTE_MS;

const COMMAND = /\/(command\/|operation$|grid_import_export$)/;

/** Codes that a vendor's page gives are good once. */
function codeFor(codes: Set<string>, random: SeededRandom): { readonly code: string } {
  const code = `code-${random.uuid()}`;
  codes.add(code);
  return { code };
}

function modeWish(random: SeededRandom, modes: readonly [string, ...string[]]): Wish {
  return { kind: "battery", path: "operation-mode", body: { operationMode: random.pick(modes) } };
}

export function smaEstate(clock: Clock, random: SeededRandom): Estate {
  const twin = new SmaTwin(clock);
  const house = new SolarHouse(random, (flows) => Object.assign(twin.plants[0] ?? {}, flows));
  return {
    id: "sma",
    vendor: "SMA",
    twin,
    facts: house.facts,
    quotas: quotasOf(sma, () => 1),
    lagMs: 0,
    ageMs: 7 * MINUTE_MS,
    async signIn(page) {
      await page.visit(() => codeFor(twin.codes, random));
    },
    revoke: () => twin.desk.revokeAll(),
    commandIn: () => null,
    isLogin: ({ url }) => url.hostname === "auth.smaapis.de",
    live: (moment) => house.live(moment),
  };
}

export function enphaseEstate(clock: Clock, random: SeededRandom): Estate {
  const twin = new EnphaseTwin(clock);
  const house = new SolarHouse(random, ({ pvW, ...flows }) =>
    Object.assign(twin.systems[0] ?? {}, { productionW: pvW, ...flows }),
  );
  return {
    id: "enphase",
    vendor: "ENPHASE",
    twin,
    facts: house.facts,
    quotas: quotasOf(enphase, ({ url }) => (url.pathname === "/oauth/token" ? 0 : 1), { minute: 3, month: 3 }),
    lagMs: 11 * MINUTE_MS,
    // 900 requests a month, three a reading.
    ageMs: 200 * MINUTE_MS,
    async signIn(page) {
      await page.visit(() => codeFor(twin.codes, random));
    },
    revoke: () => twin.desk.revokeAll(),
    exhaust: () => twin.useElsewhere(9),
    commandIn: ({ method, json }) => (method === "PUT" ? `system ${JSON.stringify(json)}` : null),
    isLogin: ({ url }) => url.pathname === "/oauth/token",
    live: (moment) => house.live(moment),
    wish: (own) => modeWish(own, ["SELF_RELIANCE", "TIME_OF_USE", "IMPORT_FOCUS"]),
  };
}

export function myuplinkEstate(clock: Clock, random: SeededRandom): Estate {
  const twin = new MyUplinkTwin(clock);
  const pump = twin.devices[0];
  const point = (id: string) => pump?.points.find(({ parameterId }) => parameterId === id);
  const number = (id: string) => () => Number(point(id)?.value);
  const near = 0.051;
  return {
    id: "myuplink",
    vendor: "NIBE",
    twin,
    facts: [
      { kind: "hvac", group: "temperatureState", field: "currentTemperature", truth: number("40033"), near },
      { kind: "hvac", group: "thermostatState", field: "heatSetpoint", truth: number("47398"), near },
    ],
    quotas: quotasOf(myuplink, () => 1),
    lagMs: 0,
    ageMs: 7 * MINUTE_MS,
    async signIn(page) {
      await page.visit(() => ({ code: `code-${random.uuid()}` }));
    },
    revoke: () => twin.desk.revokeAll(),
    commandIn: ({ method, url, json }) => (method === "PATCH" ? `${url.pathname} ${JSON.stringify(json)}` : null),
    isLogin: ({ url }) => url.pathname === "/oauth/token",
    live({ nowMs, hour }) {
      twin.measuredAtMs = nowMs;
      const room = point("40033");
      if (room !== undefined && nowMs % (4 * MINUTE_MS) < MINUTE_MS) {
        room.value = Math.round(10 * (20 + Math.sin(hour) + random.between(-0.5, 0.5))) / 10;
      }
    },
    wish: (own) => ({
      kind: "hvac",
      path: "permanent-hold",
      body: { mode: "HEAT", heatSetpoint: own.pick([19, 20, 20.5, 21, 22]) },
    }),
  };
}

/** The site or vehicle in an address of the Fleet API; none in those of the account. */
function deviceIn({ url }: AskedOfTwin): string {
  return /^\/api\/1\/(?:vehicles|energy_sites)\/([^/]+)/.exec(url.pathname)?.[1] ?? "";
}

export function teslaEstate(clock: Clock, random: SeededRandom): Estate {
  const twin = new TeslaTwin(clock);
  const [site, car] = [makeSite(), makeVehicle({ chargingState: "Disconnected", power: "asleep" })];
  [twin.sites, twin.vehicles] = [[site], [car]];
  const house = new SolarHouse(random, ({ pvW, gridW, batteryW, soc }) => {
    // Tesla's battery power is positive out of the battery.
    Object.assign(site, { solarW: pvW, gridW, batteryW: -batteryW, soc, loadW: pvW + gridW - batteryW });
  });
  const evenings = new Evenings(random);
  let [awakeSinceMs, livedAtMs] = [0, 0];
  const fact = (field: string, truth: Fact["truth"], near = 0): Fact => {
    return { kind: "vehicle", group: "chargeState", field, truth, near };
  };
  const price = ({ url }: AskedOfTwin): number => {
    const [, , , kind = "", , what] = url.pathname.split("/");
    if (COMMAND.test(url.pathname)) return 1;
    if (what === "wake_up") return 20;
    return kind === "vehicles" && what === undefined ? 0 : 2;
  };
  return {
    id: "tesla",
    vendor: "TESLA",
    twin,
    facts: [
      ...house.facts,
      fact("batteryLevel", () => car.level, 0.51),
      fact("isPluggedIn", () => car.chargingState !== "Disconnected"),
      fact("isCharging", () => car.chargingState === "Charging"),
    ],
    quotas: quotasOf(
      tesla,
      (asked, budget) => {
        if (asked.url.pathname === "/oauth2/v3/token") return 0;
        return budget === "requests" ? 1 : price(asked);
      },
      { credit: 4, "credit-day": 4 },
    ).map((quota) => {
      const isBilled = ({ status = 200 }: SimWebAnswer): boolean => status < 500;
      return quota.name === "requests" ? { ...quota, countsFor: deviceIn } : { ...quota, counts: isBilled };
    }),
    lagMs: 0,
    // 9,000 thousandths of a dollar a month, two a reading of the site, and two of the car.
    ageMs: 30 * MINUTE_MS,
    async signIn(page) {
      await page.visit((url) => ({ code: twin.agree(url.searchParams.get("code_challenge") ?? "") }));
    },
    revoke: () => twin.desk.revokeAll(),
    commandIn({ method, url, json }) {
      return method === "POST" && COMMAND.test(url.pathname)
        ? `${url.pathname.split("/")[4]} ${url.pathname} ${JSON.stringify(json)}`
        : null;
    },
    isLogin: ({ url }) => url.pathname === "/oauth2/v3/token",
    isSilent: () => car.power !== "online" || livedAtMs - awakeSinceMs < NOTICED_MS,
    live(moment) {
      house.live(moment);
      livedAtMs = moment.nowMs;
      if (car.power !== "online") awakeSinceMs = moment.nowMs;
      const isPlugged = car.chargingState !== "Disconnected";
      const isHome = evenings.isHome(moment);
      if (isHome !== isPlugged) {
        twin.wake(car);
        car.chargingState = isHome ? "Charging" : "Disconnected";
        if (!isHome) car.level = Math.max(20, car.level - 1 - random.below(30));
      }
      if (car.chargingState !== "Charging") return;
      if (random.isChance(0.2)) car.level = Math.min(100, car.level + 1);
      if (car.level >= car.chargeLimit) car.chargingState = "Complete";
    },
    wish(own) {
      const isCar = own.isChance(0.5);
      if (!isCar) return modeWish(own, ["SELF_RELIANCE", "IMPORT_FOCUS", "TIME_OF_USE", "EXPORT_FOCUS"]);
      if (own.isChance(0.3))
        return { kind: "vehicle", path: "max-current", body: { maxCurrent: own.pick([6, 8, 12, 16]) } };
      return { kind: "vehicle", path: "charging", body: { action: own.pick(["START", "STOP"]) } };
    },
  };
}
