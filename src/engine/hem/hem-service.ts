import type { MeterUses } from "../../domain/energy/site/site-connection.ts";
import { instant } from "../../domain/fields.ts";
import { type HemMember, homesOf, systemsOf } from "../../domain/hem/hem-groups.ts";
import type { HemStatistics, HemSystem, HemYear, HouseFlows } from "../../domain/hem/hem-system.ts";
import { HEM_KINDS, type HemKind } from "../../domain/hem/hem-views.ts";
import { comparePositions } from "../../domain/page.ts";
import { patch } from "../../domain/patch.ts";
import { localDayAt, startOfDay } from "../../domain/statistics/statistics-calendar.ts";
import type { Clock, Log, Random } from "../../platform/ports/ports.ts";
import { WakeSignal } from "../../platform/wake-signal.ts";
import type { HemRecord } from "../../store/records/hem.ts";
import type { Write } from "../../store/records.ts";
import type { NewJournalEntry, Store } from "../../store/store.ts";
import type { AssetOverlay } from "../assets/asset-overlays.ts";
import type { Assets } from "../contracts/engine.ts";
import type { HemEntry, HemSystems } from "../contracts/hem.ts";
import type { Locations } from "../contracts/places.ts";
import { EarlyDates } from "../devices/early-dates.ts";
import type { EngineConfig, EnginePart, RefreshAssets, TellingDevice } from "../engine-part.ts";
import type { Feature } from "../feature.ts";
import { ROUND_MS, untilNext } from "../rounds.ts";
import { hemEvent, hemUpdated } from "./hem-events.ts";
import { HemHistory, isHemKind } from "./hem-history.ts";
import { installedOnOf, leadOf, type Member, viewsOf } from "./hem-members.ts";
import { type HemAsset, makeSystem, NO_FLOWS } from "./hem-record.ts";
import { HemToday } from "./hem-today.ts";
import type { PoweredSystem } from "./house-power-service.ts";

/** Today's energies are calculated this long before the interval at which changes are published. */
const SUM_AHEAD_MS = 2_000;

/** The parts of the engine that energy systems use. */
export interface HemNeeds {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly store: Store;
  readonly config: EngineConfig;
  readonly assets: Assets;
  /** All devices, in the order of the configuration and then as they were added. */
  devices(): readonly TellingDevice[];
  readonly refresh: RefreshAssets;
}

interface GroupedAsset {
  readonly kind: HemKind;
  readonly asset: HemAsset;
}

type ShownDevice = Pick<Member, "kinds" | "knownSinceMs">;

/** The assets and devices of each system. */
interface Groups {
  assetsOf(record: HemRecord): readonly GroupedAsset[];
  membersOf(record: HemRecord): readonly Member[];
}

/** Groups the users' devices into energy systems, keeps them current and writes their changes to the journal. */
export class HemService implements HemSystems, EnginePart {
  readonly #context: HemNeeds;
  readonly #locations: Pick<Locations, "get" | "zoneOf">;
  readonly #meterUses: () => MeterUses;
  readonly #history: HemHistory;
  readonly #sums: HemToday;
  readonly #wake: WakeSignal;
  readonly #early: EarlyDates;
  readonly #today = new Map<string, HouseFlows & { readonly atMs: number }>();
  readonly #published = new Map<string, HemSystem>();
  #records: readonly HemRecord[];
  #shown: readonly HemEntry[] = [];
  /** System ids by user and location. */
  #ids: ReadonlyMap<string, string> = new Map();
  /** The location of a user's devices that have none, by user id. */
  #homes: ReadonlyMap<string, string | null> = new Map();
  /** The last known group of each asset; a change regroups the systems. */
  readonly #groupByAsset = new Map<string, string>();

  constructor(context: HemNeeds, locations: Pick<Locations, "get" | "zoneOf">, meterUses: () => MeterUses) {
    this.#context = context;
    this.#meterUses = meterUses;
    this.#locations = locations;
    this.#history = new HemHistory(context);
    this.#sums = new HemToday(context);
    this.#wake = new WakeSignal(context.clock);
    this.#early = new EarlyDates(context.clock, () =>
      this.#records.flatMap(({ createdAtMs, changedAtMs }) => [createdAtMs, changedAtMs]),
    );
    this.#records = context.store.all("hem");
    this.#index();
  }

  /** Adds `hemSystemId` to assets. */
  get overlay(): AssetOverlay {
    const systemOf = (asset: HemAsset) => ({ hemSystemId: this.#idFor(asset) });
    return {
      battery: (battery) => patch(battery, systemOf(battery)),
      inverter: (inverter) => patch(inverter, systemOf(inverter)),
      meter: (meter) => patch(meter, systemOf(meter)),
    };
  }

  /** Subscribes to changes of the assets' locations. */
  connect(): void {
    this.#context.assets.observe((kind, id, asset) => {
      if (!isHemKind(kind)) return;
      const group = asset !== null && "hemSystemId" in asset ? groupKey(memberOf(asset)) : "";
      if (this.#groupByAsset.get(id) === group) return;
      this.#groupByAsset.set(id, group);
      this.#wake.notify();
    });
  }

  get(id: string): HemSystem | null {
    return this.#shown.find(({ system }) => system.id === id)?.system ?? null;
  }

  list(userId?: string): readonly HemEntry[] {
    return userId === undefined ? this.#shown : this.#shown.filter(({ system }) => system.userId === userId);
  }

  /** Returns the systems with their devices, for the calculation of their power. */
  powered(): readonly PoweredSystem[] {
    const groups = this.#groups();
    return this.#records.map((record) => {
      const { id, userId } = record;
      return { id, userId, devices: viewsOf(groups.membersOf(record), this.#meterUses()) };
    });
  }

  async statistics(id: string, interval: string): Promise<HemStatistics | null> {
    const record = this.#records.find((one) => one.id === id);
    if (record === undefined) return null;
    return await this.#history.statistics(this.#subjectOf(record, this.#groups()), interval);
  }

  async year(id: string, year: number): Promise<HemYear | null> {
    const record = this.#records.find((one) => one.id === id);
    if (record === undefined) return null;
    return await this.#history.year(this.#subjectOf(record, this.#groups()), year);
  }

  async run(signal: AbortSignal): Promise<void> {
    // Assets that were restored from disk have no location and no system yet.
    this.#context.refresh();
    for (;;) {
      await this.#round(signal);
      const leftMs = untilNext(this.#context.clock, ROUND_MS) - SUM_AHEAD_MS;
      try {
        await this.#wake.wait(leftMs > 0 ? leftMs : ROUND_MS, signal);
      } catch {
        return;
      }
    }
  }

  async #round(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#context;
    try {
      await this.#redate();
      await this.#regroup();
      await this.#sumToday();
      this.#show();
      const leftMs = untilNext(clock, ROUND_MS);
      if (leftMs <= SUM_AHEAD_MS) await clock.sleep(leftMs, signal);
      await this.#publishChanges();
    } catch (err) {
      if (!signal.aborted) log.warn({ err }, "cannot update the energy systems; will retry in the next round");
    }
  }

  #index(): void {
    const members = this.#members();
    this.#ids = new Map(this.#records.map((record) => [groupKey(record), record.id]));
    this.#homes = homesOf(members);
  }

  /** Corrects the dates from before the clock was set, once it is synced. */
  async #redate(): Promise<void> {
    const early = this.#early;
    if (!early.isDue) return;
    const records = this.#records.map((record): HemRecord => {
      const { createdAtMs, changedAtMs } = record;
      return { ...record, createdAtMs: early.redated(createdAtMs), changedAtMs: early.redated(changedAtMs) };
    });
    await this.#context.store.commit(
      records.map((record): Write => ({ table: "hem", key: record.id, put: record })),
      [],
    );
    this.#records = records;
    early.clear();
  }

  /** Creates a system for each new group of devices, and deletes systems without devices. */
  async #regroup(): Promise<void> {
    const { clock, random, store, refresh, log } = this.#context;
    const nowMs = clock.nowMs();
    this.#index();
    const { kept, made, gone } = systemsOf(this.#members(), this.#records);
    const moved = kept.filter((record) =>
      this.#records.every((known) => known.id !== record.id || known.locationId !== record.locationId),
    );
    const fresh = made.map(
      (group): HemRecord => ({ ...group, id: random.uuid(), createdAtMs: nowMs, changedAtMs: nowMs }),
    );
    if (moved.length + fresh.length + gone.length === 0) return;
    const changed = moved.map((record): HemRecord => ({ ...record, changedAtMs: nowMs }));
    const records = [...kept.filter((record) => !moved.includes(record)), ...changed, ...fresh];
    const groups = this.#groups();
    const found = fresh.map((record) => this.#systemOf(record, groups, true));
    const writes = [
      ...[...changed, ...fresh].map((record): Write => ({ table: "hem", key: record.id, put: record })),
      ...gone.map(({ id }): Write => ({ table: "hem", key: id, remove: true })),
    ];
    const entries: NewJournalEntry[] = [
      ...found.map((system) => hemEvent("discovered", system)),
      ...gone.flatMap(({ id }) => {
        const last = this.get(id);
        return last === null ? [] : [hemEvent("deleted", last)];
      }),
    ];
    await store.commit(writes, entries);
    this.#early.note(nowMs, clock.monotonicMs());
    this.#records = records;
    this.#index();
    for (const system of found) {
      this.#published.set(system.id, system);
      log.info({ hemSystemId: system.id }, "energy system created");
    }
    for (const { id } of gone) {
      this.#published.delete(id);
      this.#today.delete(id);
      this.#sums.forget(id);
    }
    refresh();
  }

  async #sumToday(): Promise<void> {
    const nowMs = this.#context.clock.nowMs();
    const groups = this.#groups();
    for (const record of this.#records) {
      const { zone, devices } = this.#subjectOf(record, groups);
      const { fromMs } = localDayAt(zone, nowMs);
      if (fromMs >= nowMs) continue;
      const flows = await this.#sums.flows(record.id, devices, { fromMs, toMs: nowMs });
      this.#today.set(record.id, { ...flows, atMs: nowMs });
    }
  }

  #show(): void {
    const groups = this.#groups();
    this.#shown = this.#records
      .map((record): HemEntry => ({ system: this.#systemOf(record, groups), createdAtMs: record.createdAtMs }))
      .sort((one, other) => comparePositions(positionOf(one), positionOf(other)));
  }

  /** Writes the changes since the last successful commit to the journal, so a failed commit loses none. */
  async #publishChanges(): Promise<void> {
    const changes = this.#shown.flatMap(({ system }) => {
      const before = this.#published.get(system.id);
      // After a start it is unknown what was published last.
      const entry = before === undefined ? null : hemUpdated(before, system);
      if (before === undefined) this.#published.set(system.id, system);
      return entry === null ? [] : [{ system, entry }];
    });
    if (changes.length === 0) return;
    await this.#context.store.commit(
      [],
      changes.map(({ entry }) => entry),
    );
    for (const { system } of changes) this.#published.set(system.id, system);
  }

  #systemOf(record: HemRecord, groups: Groups, isNew = false): HemSystem {
    const { site } = this.#context.config;
    const location = record.locationId === null ? null : this.#locations.get(record.locationId);
    const today = isNew ? undefined : this.#today.get(record.id);
    const members = groups.membersOf(record);
    return makeSystem({
      record,
      installedAtMs: this.#installedAtMs(record, members),
      name: location?.name ?? site.name,
      lead: leadOf(members),
      zone: this.#zoneOf(record),
      assets: groups.assetsOf(record),
      today: today ?? NO_FLOWS,
      summedAt: today === undefined ? null : instant(today.atMs),
      isNew,
    });
  }

  #subjectOf(record: HemRecord, groups: Groups) {
    const members = groups.membersOf(record);
    // The gateway may have measured before the day that somebody has configured.
    const installedAtMs = Math.min(record.createdAtMs, this.#installedAtMs(record, members));
    return { zone: this.#zoneOf(record), installedAtMs, devices: viewsOf(members, this.#meterUses()) };
  }

  #installedAtMs({ createdAtMs }: HemRecord, members: readonly Member[]): number {
    const installedOn = installedOnOf(members);
    return installedOn === null ? createdAtMs : startOfDay(this.#context.config.site.timezone, installedOn);
  }

  /** Sorts the assets and devices into their systems, all at once: looking for each system would look at all for each. */
  #groups(): Groups {
    const { devices, store, assets } = this.#context;
    const assetsByGroup = new Map<string, GroupedAsset[]>();
    const shownByDevice = new Map<string, Map<string, ShownDevice>>();
    for (const kind of HEM_KINDS) {
      for (const { asset } of assets.list(kind)) {
        const key = this.#keyOf(asset);
        listIn(assetsByGroup, key).push({ kind, asset });
        const known = store.get("asset", asset.id);
        if (known === null) continue;
        const ofDevice = shownByDevice.get(known.deviceId) ?? new Map<string, ShownDevice>();
        shownByDevice.set(known.deviceId, ofDevice);
        const before = ofDevice.get(key) ?? { kinds: [], knownSinceMs: known.createdAtMs };
        const knownSinceMs = Math.min(before.knownSinceMs, known.createdAtMs);
        ofDevice.set(key, { kinds: [...before.kinds, kind], knownSinceMs });
      }
    }
    const members = new Map<string, Member[]>();
    for (const device of devices()) {
      const shown = shownByDevice.get(device.settings.id);
      for (const [key, own] of shown ?? []) listIn(members, key).push({ device, ...own });
      const home = this.#homeOfBare(device);
      if (home !== null) listIn(members, home).push({ device, kinds: [], knownSinceMs: Number.MAX_SAFE_INTEGER });
    }
    return {
      assetsOf: (record) => assetsByGroup.get(groupKey(record)) ?? [],
      membersOf: (record) => members.get(groupKey(record)) ?? [],
    };
  }

  /** Returns the group of an energy manager without assets of these kinds: where its user's other devices are. */
  #homeOfBare({ settings: { id, userId }, known }: TellingDevice): string | null {
    if (known?.isEnergyManager !== true) return null;
    const hasAssets = this.#context.store.all("asset").some(({ deviceId, kind }) => deviceId === id && isHemKind(kind));
    return hasAssets ? null : groupKey({ userId, locationId: this.#homes.get(userId) ?? null });
  }

  #zoneOf({ locationId }: HemRecord): string {
    return locationId === null ? this.#context.config.site.timezone : this.#locations.zoneOf(locationId);
  }

  #idFor(asset: HemAsset): string | null {
    return this.#ids.get(this.#keyOf(asset)) ?? null;
  }

  #keyOf({ userId, location }: HemAsset): string {
    return groupKey({ userId, locationId: location.id ?? this.#homes.get(userId) ?? null });
  }

  #members(): HemMember[] {
    return HEM_KINDS.flatMap((kind) => this.#context.assets.list(kind).map(({ asset }) => memberOf(asset)));
  }
}

export function createHemSystems(
  context: HemNeeds,
  locations: Pick<Locations, "get" | "zoneOf">,
  meterUses: () => MeterUses,
): Feature<HemService> {
  const service = new HemService(context, locations, meterUses);
  return { name: "hemSystems", service, connect: () => service.connect(), overlay: service.overlay, loop: service };
}

function memberOf({ id, userId, location }: HemAsset): HemMember {
  return { id, userId, locationId: location.id };
}

function listIn<Value>(lists: Map<string, Value[]>, key: string): Value[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

function groupKey({ userId, locationId }: Pick<HemMember, "userId" | "locationId">): string {
  return `${locationId} ${userId}`;
}

function positionOf({ system, createdAtMs }: HemEntry) {
  return { createdAtMs, id: system.id };
}
