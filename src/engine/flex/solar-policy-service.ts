import { CONTROL_SCOPES } from "../../domain/actions/action-refusal.ts";
import type { Charger } from "../../domain/assets/charger.ts";
import type { SolarPolicy, SolarPolicyUpdate, SurplusRule } from "../../domain/energy/surplus-rule.ts";
import { problem } from "../../domain/problem.ts";
import { KeyedMutex } from "../../platform/keyed-mutex.ts";
import type { EnergyManager } from "../contracts/energy/energy-manager.ts";
import type { SolarPolicies } from "../contracts/energy/flex.ts";
import type { Assets } from "../contracts/engine.ts";
import type { Feature } from "../feature.ts";

const W_PER_KW = 1_000;
const MS_PER_S = 1_000;

export interface SolarPolicyParts {
  readonly assets: Pick<Assets, "get">;
  readonly energy: Pick<EnergyManager, "policy" | "setPolicy" | "clearPolicy" | "surplusRule" | "setSurplusRule">;
}

/** A view of a charger's energy mode and surplus rule: it keeps nothing itself. */
class SolarPolicyService implements SolarPolicies {
  readonly #parts: SolarPolicyParts;
  /** By charger: a change begins with what the one before it has stored. */
  readonly #changes = new KeyedMutex({ maxWaiting: null });

  constructor(parts: SolarPolicyParts) {
    this.#parts = parts;
  }

  get(chargerId: string): SolarPolicy {
    this.#require(chargerId);
    const { minA, startExportW, stopImportW, delayMs } = this.#parts.energy.surplusRule(chargerId);
    return {
      isEnabled: this.#isEnabled(chargerId),
      minCurrent: minA,
      startExportKw: divided(startExportW, W_PER_KW),
      stopImportKw: divided(stopImportW, W_PER_KW),
      delaySeconds: divided(delayMs, MS_PER_S),
    };
  }

  async set(chargerId: string, update: SolarPolicyUpdate): Promise<SolarPolicy> {
    return await this.#changes.run(chargerId, () => this.#set(chargerId, update));
  }

  async #set(chargerId: string, update: SolarPolicyUpdate): Promise<SolarPolicy> {
    const { energy } = this.#parts;
    const { scopes } = this.#require(chargerId);
    const scope = CONTROL_SCOPES.charger;
    if (!scopes.includes(scope)) throw problem("forbidden", `The scope ${scope} is not granted.`);
    const before = energy.surplusRule(chargerId);
    const { minCurrent, startExportKw, stopImportKw, delaySeconds } = update;
    const rule: SurplusRule = {
      minA: minCurrent === undefined ? before.minA : minCurrent,
      startExportW: startExportKw === undefined ? before.startExportW : times(startExportKw, W_PER_KW),
      stopImportW: stopImportKw === undefined ? before.stopImportW : times(stopImportKw, W_PER_KW),
      delayMs: delaySeconds === undefined ? before.delayMs : times(delaySeconds, MS_PER_S),
    };
    await energy.setSurplusRule(chargerId, rule);
    const isEnabled = this.#isEnabled(chargerId);
    if (update.isEnabled && !isEnabled) await energy.setPolicy(chargerId, { mode: "SURPLUS" });
    if (!update.isEnabled && isEnabled) await energy.clearPolicy(chargerId);
    return this.get(chargerId);
  }

  #isEnabled(chargerId: string): boolean {
    const mode = this.#parts.energy.policy(chargerId)?.mode;
    return mode === "SURPLUS" || mode === "MIN_SURPLUS";
  }

  #require(chargerId: string): Charger {
    const charger = this.#parts.assets.get("charger", chargerId);
    if (charger === null) throw problem("not-found", `There is no charger "${chargerId}".`);
    return charger;
  }
}

export function createSolarPolicies(parts: SolarPolicyParts): Feature<SolarPolicies> {
  return { name: "solarPolicies", service: new SolarPolicyService(parts) };
}

function divided(value: number | null, by: number): number | null {
  return value === null ? null : value / by;
}

function times(value: number | null, by: number): number | null {
  return value === null ? null : value * by;
}
