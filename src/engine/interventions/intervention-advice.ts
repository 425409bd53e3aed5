import { ASSET_KINDS, type AssetKind, type AssetTypes } from "../../domain/assets/asset.ts";
import { interventionId } from "../../domain/interventions/intervention.ts";
import { type Advice, adviseCapabilities } from "../../domain/interventions/intervention-advice.ts";
import { SCOPES } from "../../domain/users/scope.ts";
import type { InstallationCheckService } from "../checks/installation-check-service.ts";
import type { EnginePart, PartContext } from "../engine-part.ts";

/** Silent for as long as cached data may be old (rule I8): before that a device may only be restarting, ms. */
const SILENT_AFTER_MS = 10 * 60_000;
const LOOK_EVERY_MS = 60_000;

type Context = Pick<PartContext, "clock" | "assets" | "store" | "overlays" | "refresh">;

type Ids = Pick<
  Advice,
  "relink" | "reconnect" | "grantControl" | "confirmControl" | "checkInstallation" | "otherController"
>;

/** What the checks say of an asset. */
type Doubts = Pick<InstallationCheckService, "isInDoubt" | "takenOver">;

/**
 * Lets assets name the remedies that apply to them: for silence, for missing permission, for unconfirmed control, for what
 * does not fit the house, and for another controller.
 */
export class InterventionAdvice implements EnginePart {
  readonly #context: Context;
  readonly #doubts: Doubts;
  readonly #ids = new Map<string, Ids>();
  #silent: ReadonlySet<string> = new Set();

  /** Made after the parts whose remedies go first: where credentials are lost, nothing else helps. */
  constructor(context: Context, doubts: Doubts) {
    this.#context = context;
    this.#doubts = doubts;
    const overlay =
      <Kind extends AssetKind>(kind: Kind) =>
      (asset: AssetTypes[Kind]): AssetTypes[Kind] => {
        const capabilities = adviseCapabilities(kind, asset.capabilities, this.#adviceFor(kind, asset));
        return capabilities === asset.capabilities ? asset : Object.assign({}, asset, { capabilities });
      };
    context.overlays.add({
      battery: overlay("battery"),
      charger: overlay("charger"),
      hvac: overlay("hvac"),
      inverter: overlay("inverter"),
      meter: overlay("meter"),
      vehicle: overlay("vehicle"),
    });
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#context.clock.sleep(LOOK_EVERY_MS, signal).catch(() => {});
      if (!signal.aborted) this.#look();
    }
  }

  #look(): void {
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

  /** Each id is a hash, and the same for good. */
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
