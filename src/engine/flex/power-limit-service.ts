import type { PowerLimit, PowerLimitUpdate } from "../../domain/energy/site/power-limit.ts";
import type { EnergyLimits, SiteConnections } from "../contracts/energy/energy.ts";
import type { EnergyManager } from "../contracts/energy/energy-manager.ts";
import type { PowerLimits } from "../contracts/energy/flex.ts";
import type { Feature } from "../feature.ts";
import { requireSiteLocation, type SiteLocationParts } from "./site-locations.ts";

const W_PER_KW = 1_000;

export interface PowerLimitParts extends SiteLocationParts {
  readonly siteConnections: Pick<SiteConnections, "current" | "state" | "update">;
  readonly energyLimits: Pick<EnergyLimits, "active">;
  readonly energy: Pick<EnergyManager, "state" | "phaseCurrents">;
}

/** A view of the site's settings: it keeps nothing itself. */
class PowerLimitService implements PowerLimits {
  readonly #parts: PowerLimitParts;

  constructor(parts: PowerLimitParts) {
    this.#parts = parts;
  }

  get(locationId: string): PowerLimit {
    const { siteConnections, energyLimits, energy } = this.#parts;
    const { id } = requireSiteLocation(this.#parts, locationId);
    const { importKw, fuseA, phases } = siteConnections.current();
    const { origins } = siteConnections.state();
    const operator = energyLimits
      .active()
      .filter(({ direction, scope }) => direction === "import" && scope === "connection")
      .map(({ watts }) => watts / W_PER_KW);
    const all = importKw === null ? operator : [...operator, importKw];
    return {
      locationId: id,
      maxImportKw: importKw,
      maxPhaseCurrent: fuseA,
      origins: { maxImportKw: origins.importKw, maxPhaseCurrent: origins.fuseA },
      phases,
      appliedImportKw: all.length === 0 ? null : Math.min(...all),
      importKw: energy.state().grid.powerKw,
      phaseCurrents: energy.phaseCurrents().slice(0, phases).map(hundredths),
    };
  }

  async set(locationId: string, { maxImportKw, maxPhaseCurrent }: PowerLimitUpdate): Promise<PowerLimit> {
    requireSiteLocation(this.#parts, locationId);
    await this.#parts.siteConnections.update({ importKw: maxImportKw, fuseA: maxPhaseCurrent });
    return this.get(locationId);
  }

  async remove(locationId: string): Promise<void> {
    const { maxImportKw, maxPhaseCurrent } = this.get(locationId).origins;
    const isAllOfFile = maxImportKw === "file" && maxPhaseCurrent === "file";
    const gone = (origin: typeof maxImportKw): null | undefined =>
      origin === "file" && !isAllOfFile ? undefined : null;
    await this.set(locationId, { maxImportKw: gone(maxImportKw), maxPhaseCurrent: gone(maxPhaseCurrent) });
  }
}

function hundredths(amps: number | null): number | null {
  return amps === null ? null : Math.round(amps * 100) / 100;
}

export function createPowerLimits(parts: PowerLimitParts): Feature<PowerLimits> {
  return { name: "powerLimits", service: new PowerLimitService(parts) };
}
