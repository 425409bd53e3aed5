import { ASSET_KINDS, type Asset, type AssetKind } from "../domain/assets/asset.ts";
import type { HemSystem } from "../domain/hem/hem-system.ts";
import type { Assets } from "../engine/contracts/engine.ts";
import type { HemSystems } from "../engine/contracts/hem.ts";
import type { Clock, Log, MqttLink } from "../platform/ports/ports.ts";
import { deviceText, type EnergyParts, energyStates, type SettableDevice } from "./energy-states.ts";
import {
  announcementOfAsset,
  announcementOfEnergy,
  announcementOfHem,
  ENERGY_DEVICE,
  nameOf,
  takesMode,
} from "./home-assistant.ts";
import { energyTopic } from "./home-assistant-energy.ts";
import { OFFLINE, ONLINE, STATUS_TOPIC } from "./own-status.ts";
import { ENERGY_SITE } from "./reserved-topics.ts";
import { RetainedPublisher } from "./retained-publisher.ts";

/** How often the energy of the systems is looked at. */
const HEM_MS = 60_000;
/** How often what the energy manager shows is looked at. */
const ENERGY_MS = 5_000;
/** What the broker still holds of assets that are gone; ids are UUIDs. */
const ASSET_TOPIC = new RegExp(`^hemgate/(?:${[...ASSET_KINDS, "hem", "energy"].join("|")})/[0-9a-f-]{36}$`);

export interface StatesParts {
  readonly assets: Assets;
  readonly hemSystems: Pick<HemSystems, "list">;
  readonly link: MqttLink;
  /** The energy manager; `null`: it is not shown. */
  readonly energy: EnergyParts | null;
  readonly clock: Pick<Clock, "timer" | "nowMs" | "monotonicMs">;
  readonly log: Pick<Log, "warn">;
  readonly homeAssistant: { readonly isEnabled: boolean; readonly prefix: string };
}

/**
 * Keeps every asset retained at `hemgate/<kind>/<id>`, the text of the API, and every system of a house at
 * `hemgate/hem/<id>`. The energy manager is at `hemgate/energy/site`, what it does with a device at `hemgate/energy/<id>`;
 * `hemgate/status` is `online` meanwhile. With Home Assistant's discovery each announces itself.
 * Disposing says `offline` and leaves the states.
 */
export async function publishRetainedStates(parts: StatesParts): Promise<AsyncDisposable> {
  const { assets, link, log } = parts;
  const parted = new AsyncDisposableStack();
  const publisher = parted.use(new RetainedPublisher(link, log));
  const states = new States(parts, publisher);
  parted.use(assets.observe((kind, id, asset) => states.asset(kind, id, asset)));
  for (const kind of ASSET_KINDS) for (const { asset } of assets.list(kind)) states.asset(kind, asset.id, asset);
  parted.use(states.watchSystems());
  parted.use(states.watchEnergy());
  parted.use(states.clearLeftOvers());
  parted.use(states.welcomeHomeAssistant());
  await publisher.settled();
  publisher.set(STATUS_TOPIC, Buffer.from(ONLINE).toString());
  await publisher.settled();
  return {
    async [Symbol.asyncDispose]() {
      await parted.disposeAsync();
      const goodbye = { topic: STATUS_TOPIC, payload: OFFLINE, isRetained: true };
      // Without a connection the broker has said so by itself.
      await link.publish(goodbye).catch(() => undefined);
    },
  };
}

class States {
  readonly #parts: StatesParts;
  readonly #publisher: RetainedPublisher;
  readonly #systems = new Set<string>();
  #energyIds: ReadonlySet<string> = new Set();
  /** Stays true while the battery is away, so that what is set for it does not come and go. */
  #hasBattery = false;

  constructor(parts: StatesParts, publisher: RetainedPublisher) {
    this.#parts = parts;
    this.#publisher = publisher;
  }

  asset(kind: AssetKind, id: string, asset: Asset | null): void {
    this.#publisher.set(`hemgate/${kind}/${id}`, asset === null ? null : JSON.stringify(asset));
    const canHeat = kind === "hvac" && (this.#parts.energy?.energy.canHeat(id) ?? false);
    this.#announce(id, asset === null ? null : announcementOfAsset(kind, asset, canHeat));
  }

  watchSystems(): Disposable {
    let timer: Disposable | null = null;
    const look = (): void => {
      this.#look(this.#parts.hemSystems.list().map(({ system }) => system));
      timer = this.#parts.clock.timer(HEM_MS, look);
    };
    look();
    return { [Symbol.dispose]: () => timer?.[Symbol.dispose]() };
  }

  watchEnergy(): Disposable {
    const { energy, clock } = this.#parts;
    const all = new DisposableStack();
    if (energy === null) return all;
    let timer: Disposable | null = null;
    all.defer(() => timer?.[Symbol.dispose]());
    const look = (): void => {
      this.#lookAtEnergy(energy);
      timer?.[Symbol.dispose]();
      timer = clock.timer(ENERGY_MS, look);
    };
    all.use(energy.energyLimits.observe(look));
    all.use(energy.siteConnections.observe(look));
    look();
    return all;
  }

  /** Takes away what an earlier run left of assets that are no more. One gateway a broker. */
  clearLeftOvers(): Disposable {
    const { link, homeAssistant } = this.#parts;
    const isLeftOver = (topic: string): boolean =>
      !this.#publisher.has(topic) && (ASSET_TOPIC.test(topic) || this.#isAnnouncement(topic));
    const both = ["hemgate/+/+", `${homeAssistant.prefix}/device/+/config`].map((filter) =>
      link.subscribe(filter, ({ topic, payload, isRetained }) => {
        if (isRetained && payload.length > 0 && isLeftOver(topic)) this.#publisher.set(topic, null);
      }),
    );
    return { [Symbol.dispose]: () => both.forEach((each) => void each[Symbol.dispose]()) };
  }

  /** Home Assistant asks for the announcements when it has started. */
  welcomeHomeAssistant(): Disposable {
    const { link, homeAssistant } = this.#parts;
    return link.subscribe(`${homeAssistant.prefix}/status`, ({ payload }) => {
      if (Buffer.from(payload).toString() !== "online") return;
      this.#publisher.refresh((topic) => topic.startsWith(`${homeAssistant.prefix}/`));
    });
  }

  #look(systems: readonly HemSystem[]): void {
    const gone = [...this.#systems].filter((id) => !systems.some((system) => system.id === id));
    for (const id of gone) {
      this.#systems.delete(id);
      this.#publisher.set(`hemgate/hem/${id}`, null);
      this.#announce(id, null);
    }
    for (const system of systems) {
      this.#systems.add(system.id);
      this.#publisher.set(`hemgate/hem/${system.id}`, JSON.stringify(system));
      this.#announce(system.id, announcementOfHem(system));
    }
  }

  #lookAtEnergy(energy: EnergyParts): void {
    const { site, devices } = energyStates(energy, this.#parts.clock, this.#settable(energy));
    this.#publisher.set(energyTopic(ENERGY_SITE), JSON.stringify(site));
    this.#hasBattery ||= devices.some(({ deviceType, isControlled }) => deviceType === "battery" && isControlled);
    this.#announce(ENERGY_DEVICE, announcementOfEnergy(this.#hasBattery));
    const ids = new Set(devices.map(({ id }) => id));
    for (const id of this.#energyIds) if (!ids.has(id)) this.#publisher.set(energyTopic(id), null);
    this.#energyIds = ids;
    for (const device of devices) this.#publisher.set(energyTopic(device.id), deviceText(device));
  }

  #settable(energy: EnergyParts): readonly SettableDevice[] {
    return (["charger", "vehicle", "hvac"] as const).flatMap((kind) =>
      this.#parts.assets
        .list(kind)
        .filter(({ asset }) => (kind === "hvac" ? energy.energy.canHeat(asset.id) : takesMode(asset)))
        .map(({ asset }) => ({ id: asset.id, deviceType: kind, name: nameOf(kind, asset.information) })),
    );
  }

  #announce(id: string, announcement: object | null): void {
    const { isEnabled, prefix } = this.#parts.homeAssistant;
    const topic = `${prefix}/device/hemgate_${id}/config`;
    if (!isEnabled) return;
    this.#publisher.set(topic, announcement === null ? null : JSON.stringify(announcement));
  }

  #isAnnouncement(topic: string): boolean {
    return /\/device\/hemgate_[0-9a-f-]{36}\/config$/.test(topic);
  }
}
