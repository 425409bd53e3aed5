/** Chargers and a car: plugged in in the evening, gone in the morning. */
import { easee } from "../../../adapters/clouds/easee/easee.ts";
import { zaptec } from "../../../adapters/clouds/zaptec/zaptec.ts";
import type { Clock } from "../../../src/platform/ports/ports.ts";
import type { SeededRandom } from "../../../src/testing/seeded-random.ts";
import { EaseeTwin } from "../../twins/clouds/easee-twin.ts";
import { ZaptecTwin } from "../../twins/clouds/zaptec-twin.ts";
import type { Estate, Fact, Wish } from "../estate.ts";
import { Evenings } from "./evenings.ts";
import { quotasOf } from "./quotas-of.ts";

const MINUTE_MS = 60_000;
/** Seldom enough for a month of it. */
const HUB_LOOK_MS = 5_000;

function chargerWish(random: SeededRandom): Wish {
  if (random.isChance(0.5))
    return { kind: "charger", path: "charging", body: { action: random.pick(["START", "STOP"]) } };
  return { kind: "charger", path: "max-current", body: { maxCurrent: random.pick([6, 8, 10, 13, 16]) } };
}

export function easeeEstate(clock: Clock, random: SeededRandom): Estate {
  const twin = new EaseeTwin(clock, { lookMs: HUB_LOOK_MS });
  const flags = { isOnline: true, isEnabled: true, isPlugged: false, needsAuthorization: false, isFull: false };
  const rest = { hasFault: false, gridType: 1, phaseMode: 2, maxA: 32, dynamicA: 16, oddMode: null };
  const charger = { id: "EH123456", name: "Garage", ...flags, ...rest, sessionKwh: 0, lifetimeKwh: 1_234.5 };
  twin.chargers = [charger];
  const evenings = new Evenings(random);
  const isCharging = () => twin.powerW(charger) > 0;
  const fact = (field: string, truth: Fact["truth"], near = 0): Fact => {
    return { kind: "charger", group: "chargeState", field, truth, near };
  };
  return {
    id: "easee",
    vendor: "EASEE",
    twin,
    facts: [
      fact("isPluggedIn", () => charger.isPlugged),
      fact("isCharging", isCharging),
      fact("chargeRate", () => (isCharging() ? twin.powerW(charger) / 1_000 : null), 0.02),
    ],
    quotas: quotasOf(easee, () => 1),
    lagMs: 0,
    ageMs: 7 * MINUTE_MS,
    async signIn(page) {
      await page.press(twin.account);
    },
    revoke() {
      twin.account.password = `secret-${random.below(1_000)}`;
      twin.desk.revokeAll();
    },
    commandIn: ({ method, url, json }) =>
      method === "POST" && /\/(settings|commands)/.test(url.pathname)
        ? `${charger.id} ${url.pathname} ${JSON.stringify(json)}`
        : null,
    isLogin: ({ url }) => url.pathname.startsWith("/api/accounts/"),
    live(moment) {
      const isHome = evenings.isHome(moment);
      if (isHome && !charger.isPlugged) [charger.isPlugged, charger.isFull] = [true, false];
      if (!isHome && charger.isPlugged) twin.unplug(charger);
      if (!isCharging()) return;
      charger.lifetimeKwh += 0.1;
      charger.isFull = random.isChance(1 / 200);
    },
    wish: chargerWish,
  };
}

export function zaptecEstate(clock: Clock, random: SeededRandom): Estate {
  const twin = new ZaptecTwin(clock);
  const signedMeter = `OCMF|${JSON.stringify({ FV: "1.0", RD: [{ TM: "2026-06-20T09:00:00,000+00:00 R", RV: 905.49, RU: "kWh" }] })}`;
  const flags = { isOnline: true, isEnabled: true, isStopped: false, tellsKilowatts: false };
  const figures = { mode: 1, phases: 3, networkType: 4, maxA: 16, amperes: 13, sessionKwh: 4.25 } as const;
  const charger = { id: "c-000001", name: "Carport", deviceType: 4, ...flags, ...figures, mode: 1, signedMeter };
  twin.chargers = [charger];
  const evenings = new Evenings(random);
  const fact = (field: string, truth: Fact["truth"], near = 0): Fact => {
    return { kind: "charger", group: "chargeState", field, truth, near };
  };
  const rate = () => (charger.mode === 3 ? (Math.min(charger.amperes, charger.maxA) * 231 * 3) / 1_000 : null);
  return {
    id: "zaptec",
    vendor: "ZAPTEC",
    twin,
    facts: [
      fact("isPluggedIn", () => charger.mode !== 1),
      fact("isCharging", () => charger.mode === 3),
      fact("chargeRate", rate, 0.05),
    ],
    quotas: quotasOf(zaptec, () => 1),
    lagMs: 0,
    ageMs: 7 * MINUTE_MS,
    async signIn(page) {
      await page.press(twin.account);
    },
    revoke() {
      twin.account.password = `secret-${random.below(1_000)}`;
      twin.desk.revokeAll();
    },
    expire: () => twin.desk.revokeAll(),
    commandIn: ({ method, url, json }) =>
      method === "POST" && url.pathname.startsWith("/api/chargers/")
        ? `${charger.id} ${url.pathname} ${JSON.stringify(json)}`
        : null,
    isLogin: ({ url }) => url.pathname === "/oauth/token",
    live(moment) {
      const isHome = evenings.isHome(moment);
      if (isHome && charger.mode === 1) [charger.mode, charger.isStopped] = [3, false];
      else if (!isHome && charger.mode !== 1) charger.mode = 1;
      else if (charger.mode === 3 && random.isChance(1 / 200)) charger.mode = 5;
    },
    wish: chargerWish,
  };
}
