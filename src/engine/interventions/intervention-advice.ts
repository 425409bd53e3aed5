import { ASSET_KINDS, type AssetKind, type AssetTypes } from "../../domain/assets/asset.ts";
import { MINUTE_MS } from "../../domain/duration.ts";
import { interventionId } from "../../domain/interventions/intervention.ts";
import { type Advice, adviseCapabilities } from "../../domain/interventions/intervention-advice.ts";
import { SCOPES } from "../../domain/users/scope.ts";
import type { Clock } from "../../platform/ports/ports.ts";
import type { Store } from "../../store/store.ts";
import type { AssetOverlay } from "../assets/asset-overlays.ts";
import type { InstallationCheckService } from "../checks/installation-check-service.ts";
import type { Assets } from "../contracts/engine.ts";
import type { EnginePart, RefreshAssets } from "../engine-part.ts";
import type { Feature } from "../feature.ts";

/** A device counts as silent after the maximum age of cached data (rule I8); before, it may just be restarting. */
const SILENT_AFTER_MS = 10 * MINUTE_MS;
const CHECK_EVERY_MS = 60_000;

/** The parts of the engine that interventions use. */
export interface InterventionNeeds {
  readonly clock: Clock;
  readonly assets: Assets;
  readonly store: Store;
  readonly refresh: RefreshAssets;
}

type Ids = Pick<
  Advice,
  "relink" | "reconnect" | "grantControl" | "confirmControl" | "checkInstallation" | "otherController"
>;

/** The open findings of an asset. */
type Doubts = Pick<InstallationCheckService, "isInDoubt" | "takenOver">;

/**
 * Adds to assets the interventions that apply to them: for silent devices, missing scopes, unconfirmed controls, findings
 * and control conflicts.
 */
export class InterventionAdvice implements EnginePart {
  readonly overlay: AssetOverlay;
  readonly #context: InterventionNeeds;
  readonly #doubts: Doubts;
  readonly #ids = new Map<string, Ids>();
  #silent: ReadonlySet<string> = new Set();

  constructor(context: InterventionNeeds, doubts: Doubts) {
    this.#context = context;
    this.#doubts = doubts;
    const overlay =
      <Kind extends AssetKind>(kind: Kind) =>
      (asset: AssetTypes[Kind]): AssetTypes[Kind] => {
        const capabilities = adviseCapabilities(kind, asset.capabilities, this.#adviceFor(kind, asset));
        return capabilities === asset.capabilities ? asset : Object.assign({}, asset, { capabilities });
      };
    this.overlay = {
      battery: overlay("battery"),
      charger: overlay("charger"),
      hvac: overlay("hvac"),
      inverter: overlay("inverter"),
      meter: overlay("meter"),
      vehicle: overlay("vehicle"),
    };
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#context.clock.sleep(CHECK_EVERY_MS, signal).catch(() => {});
      if (!signal.aborted) this.#check();
    }
  }

  #check(): void {
    const { assets, clock, refresh } = this.#context;
    const sinceMs = clock.nowMs() - SILENT_AFTER_MS;
    const before = this.#silent;
    const silent = ASSET_KINDS.flatMap((kind) =>
      assets
        .list(kind)
        .filter(({ asset }) => asset.isReachable === false && Date.parse(asset.lastSeen) <= sinceMs)
        .map(({ asset }) => ({ kind, id: asset.id })),
    );
    this.#silent = new Set(silent.map(({ id }) => id));
    for (const each of silent) if (!before.has(each.id)) refresh(each);
  }

  #adviceFor<Kind extends AssetKind>(kind: Kind, asset: AssetTypes[Kind]): Advice {
    const { id, vendor, scopes } = asset;
    const control = SCOPES[kind].find((scope) => scope.includes(":control:"));
    return {
      ...this.#idsOf(vendor, kind),
      isSilent: asset.isReachable === false && kind !== "vehicle" && this.#silent.has(id),
      isControlDenied: control !== undefined && !scopes.includes(control),
      isInDoubt: this.#doubts.isInDoubt(id),
      takenOver: this.#doubts.takenOver(id),
      unconfirmed: this.#context.store.get("asset", id)?.device?.unconfirmed ?? [],
    };
  }

  /** Returns the intervention ids of a vendor and kind; they are hashes and never change. */
  #idsOf(vendor: string, kind: AssetKind): Ids {
    const key = `${kind} ${vendor}`;
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const ids: Ids = {
      relink: interventionId("relink", vendor, kind),
      reconnect: interventionId("reconnect", vendor, kind),
      grantControl: interventionId("grant-control", vendor, kind),
      confirmControl: interventionId("confirm-control", vendor, kind),
      checkInstallation: interventionId("check-installation", vendor, kind),
      otherController: interventionId("other-controller", vendor, kind),
    };
    this.#ids.set(key, ids);
    return ids;
  }
}

/** Creates the feature. It must come after the features whose overlays change capabilities. */
export function createInterventions(context: InterventionNeeds, doubts: Doubts): Feature<InterventionAdvice> {
  const service = new InterventionAdvice(context, doubts);
  return { name: "interventions", service, overlay: service.overlay, loop: service };
}
