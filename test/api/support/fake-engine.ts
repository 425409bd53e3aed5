import type { Action, DesiredSetting } from "../../../src/domain/actions/action.ts";
import { resolveSetting } from "../../../src/domain/actions/charge-rate-limit.ts";
import type { AssetKind, AssetTypes } from "../../../src/domain/assets/asset.ts";
import { comparePositions } from "../../../src/domain/page.ts";
import { problem } from "../../../src/domain/problem.ts";
import type { AssetEntry, Engine, ReadFailure, Readiness } from "../../../src/engine/contracts/engine.ts";
import type { Services } from "../../../src/engine/contracts/services.ts";
import { makeBatteryAction, makeChargeAction, makeHvacAction, makeMaxCurrentAction } from "./makers.ts";

const NO_POWERS: Services["housePowers"] = {
  list: () => [],
  observe: () => ({ [Symbol.dispose]: () => undefined }),
};

const NO_FLOW = { powerKw: null, ageSeconds: null };
/** An energy manager that has nothing to do. */
const QUIET_ENERGY = {
  energy: {
    state: () => ({
      ...{ isActive: false, hasLimits: false, devices: [], alarms: [] },
      ...{ grid: NO_FLOW, production: NO_FLOW, battery: NO_FLOW, chargers: NO_FLOW },
    }),
    figures: () => ({ cycles: 0, failures: 0, switchings: 0, totalMs: 0, lastMs: null }),
  },
  energyLimits: { active: () => [] },
  energyPlans: {
    priceNow: () => ({ importPrice: null, exportPrice: null, currency: "EUR" }),
    view: () => ({ isPlanned: false, madeAt: null, slots: [], devices: [] }),
  },
  siteConnections: { current: () => ({ fuseA: null, importKw: null, exportKw: null }) },
} as unknown as Pick<Services, "energy" | "energyLimits" | "energyPlans" | "siteConnections">;
const NOBODY = { sessionOf: () => null } as unknown as Services["people"];
const NO_AUDIT: Services["audit"] = { list: () => [], note: () => undefined };

type Entries = { [Kind in AssetKind]: AssetEntry<Kind>[] };

/** An engine whose assets and actions a test sets by hand. It answers as its contract says, and drives nothing. */
export class FakeEngine implements Engine {
  readonly entries: Entries = { battery: [], charger: [], hvac: [], inverter: [], meter: [], vehicle: [] };
  /** Users are the owners of assets and of devices. Routes of other services are tested over the engine itself. */
  readonly services = {
    users: { require: (id: string) => this.#requireUser(id) },
    simulated: null,
    housePowers: NO_POWERS,
    ...QUIET_ENERGY,
    people: NOBODY,
    audit: NO_AUDIT,
  } as Services;
  /** Of configured devices. */
  readonly owners = new Set<string>();
  readonly started: { targetId: string; setting: DesiredSetting }[] = [];
  readonly hinted: string[] = [];
  readonly known = new Map<string, Action>();
  readonly readings = { taken: 0, dropped: 0 };
  state: Readiness = { isReady: true, failures: [] };

  #requireUser(id: string): { id: string; createdAtMs: number; isDeauthorized: boolean } {
    const isOwner = Object.values(this.entries).some((entries) => entries.some(({ asset }) => asset.userId === id));
    if (isOwner || this.owners.has(id)) return { id, createdAtMs: 0, isDeauthorized: false };
    throw problem("not-found", `There is no user "${id}".`, { title: "User does not exist" });
  }

  add<Kind extends AssetKind>(kind: Kind, asset: AssetTypes[Kind], createdAtMs = 0): void {
    const entries: AssetEntry<Kind>[] = this.entries[kind];
    entries.push({ asset, createdAtMs });
    entries.sort((a, b) =>
      comparePositions({ createdAtMs: a.createdAtMs, id: a.asset.id }, { createdAtMs: b.createdAtMs, id: b.asset.id }),
    );
  }

  readonly assets: Engine["assets"] = {
    get: (kind, id) => this.assets.list(kind).find((entry) => entry.asset.id === id)?.asset ?? null,
    list: (kind) => this.entries[kind],
    observe: () => ({ [Symbol.dispose]: () => {} }),
  };

  readonly actions: Engine["actions"] = {
    start: async (targetId, asked) => {
      const setting = resolveSetting(asked, { controls: [], points: [] }, {});
      if (this.assets.get(setting.targetType, targetId) === null) {
        throw problem("not-found", `There is no ${setting.targetType} "${targetId}".`);
      }
      this.started.push({ targetId, setting });
      const action = actionOf(targetId, setting);
      this.known.set(action.id, action);
      return action;
    },
    get: (targetType, id) => {
      const action = this.known.get(id);
      return action?.targetType === targetType ? action : null;
    },
    cancel: async (targetType, id) => {
      const action = this.actions.get(targetType, id);
      if (action === null) return null;
      if (action.state !== "PENDING") return { kind: "already-resolved", action };
      const cancelled: Action = { ...action, state: "CANCELLED" };
      this.known.set(id, cancelled);
      return { kind: "cancelled", action: cancelled };
    },
    withdraw: async () => null,
    pendingOf: () => null,
    observe: () => ({ [Symbol.dispose]: () => {} }),
  };

  refreshHint(kind: AssetKind, id: string): boolean {
    if (this.assets.get(kind, id) === null) return false;
    this.hinted.push(id);
    return true;
  }

  async readNow(kind: AssetKind, id: string): Promise<ReadFailure | null> {
    return this.assets.get(kind, id)?.isReachable === true ? null : "timeout";
  }

  devices(): ReturnType<Engine["devices"]> {
    return [];
  }

  stalledLoops(): readonly string[] {
    return [];
  }

  readiness(): Readiness {
    return this.state;
  }
}

function actionOf(targetId: string, setting: DesiredSetting): Action {
  if ("operationMode" in setting) {
    return makeBatteryAction({ targetId, targetState: { operationMode: setting.operationMode } });
  }
  if ("target" in setting) return makeHvacAction({ targetId, target: setting.target });
  const { targetType } = setting;
  return "kind" in setting
    ? makeChargeAction({ targetId, targetType, kind: setting.kind })
    : makeMaxCurrentAction({ targetId, targetType, targetState: { maxCurrent: setting.maxCurrent } });
}
