/** Panels, meters and batteries behind the clouds that are read by a key. */
import { fronius } from "../../../adapters/clouds/fronius/fronius.ts";
import { goodwe } from "../../../adapters/clouds/goodwe/goodwe.ts";
import { growatt } from "../../../adapters/clouds/growatt/growatt.ts";
import { huawei } from "../../../adapters/clouds/huawei/huawei.ts";
import { solaredge } from "../../../adapters/clouds/solaredge/solaredge.ts";
import type { Clock } from "../../../src/platform/ports/ports.ts";
import type { SeededRandom } from "../../../src/testing/seeded-random.ts";
import { FroniusTwin } from "../../twins/clouds/fronius-twin.ts";
import { GoodweTwin } from "../../twins/clouds/goodwe-twin.ts";
import { GrowattTwin } from "../../twins/clouds/growatt-twin.ts";
import { HuaweiTwin } from "../../twins/clouds/huawei-twin.ts";
import { SolarEdgeTwin } from "../../twins/clouds/solaredge-twin.ts";
import type { Estate } from "../estate.ts";
import { SolarHouse } from "../solar-house.ts";
import { quotasOf } from "./quotas-of.ts";

const MINUTE_MS = 60_000;
const READ_ONLY: Pick<Estate, "commandIn"> = { commandIn: () => null };

export function solaredgeEstate(clock: Clock, random: SeededRandom): Estate {
  const twin = new SolarEdgeTwin(clock);
  const house = new SolarHouse(random, (flows) => Object.assign(twin.sites[0] ?? {}, flows));
  return {
    ...READ_ONLY,
    id: "solaredge",
    vendor: "SOLAREDGE",
    twin,
    facts: house.facts,
    // The picture each time, and two counters once an hour.
    quotas: quotasOf(
      solaredge,
      ({ url }, budget) => (budget === "site-day" && !url.pathname.startsWith("/site/") ? 0 : 1),
      { "account-day": 1.2, "site-day": 1.2 },
    ),
    lagMs: 0,
    ageMs: 9 * MINUTE_MS,
    async signIn(page) {
      await page.press({ apiKey: twin.apiKey });
    },
    revoke() {
      twin.apiKey = `KEY${random.below(1_000_000)}`;
    },
    exhaust: () => twin.useElsewhere(200),
    isLogin: () => false,
    live: (moment) => house.live(moment),
  };
}

export function froniusEstate(clock: Clock, random: SeededRandom): Estate {
  const twin = new FroniusTwin(clock);
  const house = new SolarHouse(random, (flows) => Object.assign(twin.systems[0] ?? {}, flows));
  return {
    ...READ_ONLY,
    id: "fronius-solarweb",
    vendor: "FRONIUS",
    twin,
    facts: house.facts,
    // The headers tell of more than the connector begins with.
    quotas: quotasOf(fronius, () => 1).map((quota) => ({ ...quota, limit: twin.perHour })),
    lagMs: 0,
    ageMs: 7 * MINUTE_MS,
    async signIn(page) {
      await page.press({ accessKeyId: twin.keyId, accessKeyValue: twin.keyValue });
    },
    revoke() {
      twin.keyValue = `key-${random.below(1_000_000)}`;
    },
    exhaust: () => twin.useElsewhere(110),
    isLogin: () => false,
    live: (moment) => house.live(moment),
  };
}

export function goodweEstate(clock: Clock, random: SeededRandom): Estate {
  const twin = new GoodweTwin(clock);
  const house = new SolarHouse(random, (flows) => Object.assign(twin.stations[0] ?? {}, flows));
  return {
    ...READ_ONLY,
    id: "goodwe-sems",
    vendor: "GOODWE",
    twin,
    facts: house.facts,
    quotas: quotasOf(goodwe, () => 1),
    lagMs: MINUTE_MS,
    ageMs: 7 * MINUTE_MS,
    async signIn(page) {
      await page.press({ account: twin.account.account, password: twin.account.pwd });
    },
    revoke() {
      twin.account.pwd = `password-${random.below(1_000)}`;
      twin.expire();
    },
    expire: () => twin.expire(),
    isLogin: ({ url }) => url.hostname === "www.semsportal.com",
    live: (moment) => house.live(moment),
  };
}

export function huaweiEstate(clock: Clock, random: SeededRandom): Estate {
  const twin = new HuaweiTwin(clock);
  const house = new SolarHouse(random, (flows) => Object.assign(twin.plants[0] ?? {}, flows));
  const resources: Readonly<Record<string, string>> = {
    login: "logins",
    stations: "plants",
    getStationList: "plants-before",
    getDevList: "devices",
    getDevRealKpi: "device-data",
  };
  return {
    ...READ_ONLY,
    id: "huawei-fusionsolar",
    vendor: "HUAWEI",
    twin,
    facts: house.facts,
    quotas: quotasOf(huawei, ({ url }, budget) => (resources[url.pathname.split("/").at(-1) ?? ""] === budget ? 1 : 0)),
    lagMs: 0,
    ageMs: 10 * MINUTE_MS,
    async signIn(page) {
      await page.press({ portal: twin.hosts[0] ?? "", ...twin.user });
    },
    revoke() {
      twin.user.systemCode = `secret-${random.below(1_000)}`;
      twin.endSession();
    },
    expire: () => twin.endSession(),
    isLogin: ({ url }) => url.pathname.endsWith("/login"),
    live: (moment) => house.live(moment),
  };
}

export function growattEstate(clock: Clock, random: SeededRandom): Estate {
  const twin = new GrowattTwin(clock);
  const house = new SolarHouse(random, (flows) => Object.assign(twin.inverters[0] ?? {}, flows));
  return {
    id: "growatt",
    vendor: "GROWATT",
    twin,
    facts: house.facts,
    quotas: quotasOf(growatt, ({ url }, budget) => (budget === "settings" && !url.pathname.endsWith("tlxSet") ? 0 : 1)),
    lagMs: 0,
    ageMs: 7 * MINUTE_MS,
    async signIn(page) {
      await page.press({ token: twin.token, server: "openapi.growatt.com" });
    },
    revoke() {
      twin.token = `token-${random.below(1_000_000)}-tttttttttttttttt`;
    },
    commandIn: ({ url, form }) => (url.pathname.endsWith("tlxSet") ? `${form.get("tlx_sn")} ${String(form)}` : null),
    isLogin: () => false,
    live: (moment) => house.live(moment),
    wish: (own) => ({
      kind: "battery",
      path: "operation-mode",
      body: { operationMode: own.pick(["SELF_RELIANCE", "IMPORT_FOCUS", "EXPORT_FOCUS"]) },
    }),
  };
}
