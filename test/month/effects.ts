/** Whether what is wanted really happens: the devices' truth against rules that are read the slow way. */
import type { ChargeRule } from "../../src/domain/schedules/schedule.ts";
import type { ActionRecord } from "../../src/store/records.ts";
import type { World } from "../../src/testing/world.ts";
import { IntlZone, MINUTE_MS, Oracle } from "../domain/schedules/schedule-oracle.ts";
import type { GatewayBox, RunningGateway } from "../long-run/gateway-box.ts";
import type { House } from "./house.ts";
import type { Ids } from "./resident.ts";

/** Long enough for a poll, a command and the device; nothing must have changed for so long. */
const CALM_MS = 12 * MINUTE_MS;
/** After a fault the next try may be half an hour away. */
const RECOVERED_MS = 45 * MINUTE_MS;

export interface Calm {
  /** Monotonic ms of the last deed about a target. */
  readonly deedAtMs: ReadonlyMap<string, number>;
  /** Monotonic ms until which something was broken, per device; the whole gateway under "gateway". */
  readonly faultUntilMs: ReadonlyMap<string, number>;
}

interface Charging {
  readonly id: string;
  readonly device: "car" | "wallbox";
  readonly isCharging: boolean;
  readonly isPlugged: boolean;
  readonly needsCharge: boolean;
  readonly isHome: boolean;
  readonly changedAtMs: number;
}

export class Effects {
  readonly #parts: { readonly world: World; readonly box: GatewayBox; readonly house: House; readonly calm: Calm };
  readonly #zone = new IntlZone("Europe/Berlin");
  #judged = 0;

  constructor(parts: { readonly world: World; readonly box: GatewayBox; readonly house: House; readonly calm: Calm }) {
    this.#parts = parts;
  }

  /** How often an effect was held against what was wanted. */
  get judged(): number {
    return this.#judged;
  }

  afterMinute(ids: Ids): readonly string[] {
    const { running } = this.#parts.box;
    if (running === null) return [];
    return [...this.#charges(running, this.#car(ids)), ...this.#charges(running, this.#wallbox(ids))];
  }

  #car({ car: id }: Ids): Charging {
    const { house } = this.#parts;
    const { isPlugged, isHome, changedAtMs } = house.car;
    const needsCharge = house.doesCarNeedCharge;
    return { id, device: "car", isCharging: house.isCarCharging, isPlugged, needsCharge, isHome, changedAtMs };
  }

  #wallbox({ wallbox: id }: Ids): Charging {
    const { house } = this.#parts;
    const { isPlugged, wantedKwh, changedAtMs } = house.wallbox;
    // A plug that takes no power says so only while it is allowed to.
    const needsCharge = wantedKwh > 0;
    return {
      id,
      device: "wallbox",
      isCharging: house.isWallboxCharging,
      isPlugged,
      needsCharge,
      isHome: true,
      changedAtMs,
    };
  }

  #charges(running: RunningGateway, charging: Charging): readonly string[] {
    const { store } = running.gateway;
    const { id, device, isCharging, isPlugged, needsCharge } = charging;
    const isOverridden = store
      .all("override")
      .some(
        ({ override }) => override.targetId === id && (override.endedAt === null || this.#isRecent(override.endedAt)),
      );
    if (!charging.isHome || isOverridden || !this.#isCalm(running, charging)) return [];
    const record = store.all("schedule").find(({ schedule }) => schedule.targetId === id && schedule.isEnabled);
    if (record === undefined || record.schedule.targetType === "hvac") return this.#minimum(running, charging);
    const shouldCharge = this.#expected(record.schedule.rules, record.schedule.defaultShouldCharge);
    if (shouldCharge === null) return [];
    this.#judged += 1;
    const isExpected = shouldCharge && isPlugged && needsCharge;
    if (isExpected === isCharging) return [];
    const state = store.get("schedule-state", record.schedule.id)?.status.state;
    return [`${device} ${isCharging ? "charges" : "does not charge"} against its schedule, which says ${state}`];
  }

  /** Below its least level a vehicle charges at any price. */
  #minimum({ gateway: { store } }: RunningGateway, { id, device, isPlugged, isCharging }: Charging): readonly string[] {
    if (device !== "car" || !isPlugged || isCharging) return [];
    const smart = store.get("vehicle-smart", id);
    if (smart === null || !smart.policy.isEnabled) return [];
    this.#judged += 1;
    // Whoever stops it by hand while no plan runs has the last word until it is plugged in again.
    if (this.#isStoppedByHand(store.all("action"), id)) return [];
    const isLow = this.#parts.house.car.soc < smart.policy.minimumChargeLimit - 1;
    return isLow ? [`car at ${this.#parts.house.car.soc} % does not charge, smart charging says ${smart.state}`] : [];
  }

  #isStoppedByHand(records: readonly ActionRecord[], id: string): boolean {
    const last = records
      .filter(({ action }) => action.targetId === id && action.state === "CONFIRMED")
      .toSorted((a, b) => a.createdAtMs - b.createdAtMs)
      .at(-1);
    return last !== undefined && "kind" in last.action && last.action.kind === "STOP" && last.origin === "client";
  }

  /** What the rules want; null while they wanted something else a moment ago. */
  #expected(rules: readonly ChargeRule[], otherwise: boolean): boolean | null {
    const oracle = new Oracle(
      this.#zone,
      rules.map((rule) => ({ ...rule, value: rule.shouldCharge ? 1 : 0 })),
      otherwise ? 1 : 0,
    );
    const nowMs = Math.floor(this.#parts.world.clock.nowMs() / MINUTE_MS) * MINUTE_MS;
    const now = oracle.valueAt(nowMs);
    for (let atMs = nowMs - CALM_MS; atMs < nowMs; atMs += MINUTE_MS) if (oracle.valueAt(atMs) !== now) return null;
    return now === 1;
  }

  #isRecent(endedAt: string): boolean {
    return this.#parts.world.clock.nowMs() - Date.parse(endedAt) < CALM_MS;
  }

  #isCalm(running: RunningGateway, { id, device, changedAtMs }: Charging): boolean {
    const { calm, world } = this.#parts;
    const nowMs = world.clock.monotonicMs();
    const faultMs = Math.max(
      calm.faultUntilMs.get(device) ?? Number.NEGATIVE_INFINITY,
      calm.faultUntilMs.get("gateway") ?? Number.NEGATIVE_INFINITY,
    );
    return (
      nowMs - changedAtMs > CALM_MS &&
      nowMs - (calm.deedAtMs.get(id) ?? Number.NEGATIVE_INFINITY) > CALM_MS &&
      nowMs - running.startedAtMs > CALM_MS &&
      nowMs - faultMs > RECOVERED_MS
    );
  }
}
