import { instant } from "../../domain/fields.ts";
import { comparePositions, type Position } from "../../domain/page.ts";
import type { Location, LocationChanges } from "../../domain/places/location.ts";
import { problem } from "../../domain/problem.ts";
import { KeyedMutex } from "../../platform/keyed-mutex.ts";
import { Listeners } from "../../platform/listeners.ts";
import type { Clock, Log, Random } from "../../platform/ports/ports.ts";
import type { PlacementRecord, Write } from "../../store/records.ts";
import type { Store } from "../../store/store.ts";
import type { AssetOverlay } from "../assets/asset-overlays.ts";
import { type Follower, Followers } from "../assets/followers.ts";
import type { Assets } from "../contracts/engine.ts";
import type { LocationEntry, LocationFields, Locations } from "../contracts/places.ts";
import type { Forgetter, Removal, Users } from "../contracts/users.ts";
import { EarlyDates } from "../devices/early-dates.ts";
import type { EngineConfig, EnginePart, RefreshAssets } from "../engine-part.ts";
import { withLock } from "../with-lock.ts";
import { createLocationOverlay } from "./location-overlay.ts";
import type { LocationRemovals, RemovalStep } from "./location-removals.ts";
import { type PlacementChange, placementChange, placementRemovals } from "./placements.ts";

/** Limit per user; only a faulty client creates more. */
const MAX_OF_USER = 1_000;

/** The parts of the engine that locations use. */
export interface LocationNeeds {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly store: Store;
  readonly config: EngineConfig;
  readonly assets: Assets;
  readonly users: Users;
  readonly refresh: RefreshAssets;
  /** Marks fields of an asset as already journaled, so that the refresh that follows writes no event for them. */
  amend(assetId: string, fields: object): void;
}
type Listener = (id: string, location: Location | null) => void;

/** Stores locations, and the chargers and HVAC units that are assigned to them. Changes run one after the other. */
export class LocationService implements Locations, EnginePart, Forgetter {
  readonly overlay: AssetOverlay;
  readonly #context: LocationNeeds;
  readonly #removals: LocationRemovals;
  readonly #mutex = new KeyedMutex();
  readonly #listeners = new Listeners<Parameters<Listener>>();
  readonly #followers = new Followers();
  /** All locations in the order of `list`; `null` after a change. */
  #sorted: readonly LocationEntry[] | null = null;
  #byUser: ReadonlyMap<string, readonly Location[]> | null = null;

  constructor(context: LocationNeeds, removals: LocationRemovals) {
    this.#context = context;
    this.#removals = removals;
    const { store, config, clock } = context;
    this.overlay = createLocationOverlay({
      placesOf: (userId) => this.#placesOf(userId),
      placementOf: (assetId) => store.get("placement", assetId),
      site: config.site.place ?? null,
      siteKnownSince: startOfRun(clock),
    });
  }

  get(id: string): Location | null {
    return this.#context.store.get("location", id)?.location ?? null;
  }

  list(userId?: string): readonly LocationEntry[] {
    this.#sorted ??= this.#context.store
      .all("location")
      .toSorted((a, b) => comparePositions(positionOf(a), positionOf(b)));
    return userId === undefined ? this.#sorted : this.#sorted.filter(({ location }) => location.userId === userId);
  }

  listOfUser(userId: string): readonly LocationEntry[] {
    this.#context.users.require(userId);
    return this.list(userId);
  }

  async create(userId: string, fields: LocationFields): Promise<Location> {
    this.#context.users.require(userId);
    const created = await withLock(this.#mutex, "locations", async () => {
      this.#context.users.require(userId);
      if (this.list(userId).length >= MAX_OF_USER) {
        throw problem("bad-request", `The user already has ${MAX_OF_USER} locations; delete one first.`);
      }
      const { clock, random, store } = this.#context;
      const createdAtMs = clock.nowMs();
      const location: Location = { id: random.uuid(), userId, createdAt: instant(createdAtMs), ...fields };
      await store.commit([{ table: "location", key: location.id, put: { location, createdAtMs } }], []);
      this.#changed([location.id]);
      return location;
    });
    await this.#followers.run(userId);
    return created;
  }

  async update(id: string, changes: LocationChanges): Promise<Location | null> {
    const updated = await withLock(this.#mutex, "locations", async () => {
      const before = this.#context.store.get("location", id);
      if (before === null) return null;
      const location = changedLocation(before.location, changes);
      await this.#context.store.commit([{ table: "location", key: id, put: { ...before, location } }], []);
      this.#changed([id]);
      return location;
    });
    if (updated !== null) await this.#followers.run(updated.userId);
    return updated;
  }

  async remove(id: string): Promise<Location | null> {
    const removed = await withLock(this.#mutex, "locations", async () => {
      const location = this.get(id);
      if (location === null) return null;
      await this.#removals.run(location);
      this.#changed([id]);
      return location;
    });
    if (removed !== null) await this.#followers.run(removed.userId);
    return removed;
  }

  async assign(kind: "charger" | "hvac", assetId: string, locationId: string | null): Promise<void> {
    const userId = await withLock(this.#mutex, "locations", async () => {
      const { assets, clock, store, refresh } = this.#context;
      const asset = assets.get(kind, assetId);
      if (asset === null) throw problem("not-found", `There is no ${kind} "${assetId}".`);
      if (locationId !== null) this.#requireOf(asset.userId, locationId);
      const change = placementChange(assets, { assetId, kind, locationId, atMs: clock.nowMs() });
      await store.commit([change.write], change.entry === null ? [] : [change.entry]);
      this.#placed([change]);
      refresh({ kind, id: assetId });
      return asset.userId;
    });
    await this.#followers.run(userId);
  }

  zoneOf(locationId: string | null): string {
    return (locationId === null ? null : this.get(locationId))?.timezoneName ?? "UTC";
  }

  observe(listener: Listener): Disposable {
    return this.#listeners.subscribe(listener);
  }

  follow(follower: Follower): Disposable {
    return this.#followers.add(follower);
  }

  forget(removal: Removal): readonly Write[] {
    const { store } = this.#context;
    if (removal.kind === "user") {
      return this.list(removal.userId).map(({ location }) => ({ table: "location", key: location.id, remove: true }));
    }
    return removal.kind === "assets" ? placementRemovals(store, (assetId) => removal.assetIds.has(assetId)) : [];
  }

  onForgotten(removal: Removal): void {
    if (removal.kind === "user") this.#changed(this.list(removal.userId).map(({ location }) => location.id));
  }

  /** Deletes the placements of assets that were removed while the gateway was stopped. Never rejects. */
  async run(): Promise<void> {
    const { store, log } = this.#context;
    const lost = placementRemovals(store, (assetId) => store.get("asset", assetId) === null);
    if (lost.length === 0) return;
    try {
      await store.commit(lost, []);
    } catch (err) {
      log.warn({ err }, "cannot delete placements of removed assets; will retry after the next start");
    }
  }

  /** Clears the location of all assets that were assigned to a removed location, with their events. */
  readonly locationRemoval: RemovalStep = async ({ id }, commit) => {
    const { store, assets, clock } = this.#context;
    const changes = store
      .all("placement")
      .filter(({ locationId }) => locationId === id)
      .map((record): PlacementRecord => ({ ...record, locationId: null, atMs: clock.nowMs() }))
      .map((record) => placementChange(assets, record));
    const gone: Write = { table: "location", key: id, remove: true };
    await commit({
      writes: [gone, ...changes.map(({ write }) => write)],
      entries: changes.flatMap(({ entry }) => entry ?? []),
    });
    this.#placed(changes);
  };

  #placed(changes: readonly PlacementChange[]): void {
    for (const { record, fields } of changes) this.#context.amend(record.assetId, fields);
  }

  #requireOf(userId: string, locationId: string): void {
    const location = this.get(locationId);
    if (location === null) throw problem("not-found", `There is no location "${locationId}".`);
    if (location.userId === userId) return;
    throw problem("bad-request", "The location belongs to another user than the device; choose one of the same user.");
  }

  /** Returns a user's locations, oldest first, so that the older of two at the same distance counts. */
  #placesOf(userId: string): readonly Location[] {
    this.#byUser ??= Map.groupBy(
      this.list()
        .toReversed()
        .map(({ location }) => location),
      (location) => location.userId,
    );
    return this.#byUser.get(userId) ?? [];
  }

  /** Publishes a change that is on disk. */
  #changed(ids: readonly string[]): void {
    this.#sorted = null;
    this.#byUser = null;
    this.#context.refresh();
    for (const id of ids) this.#listeners.emit(id, this.get(id));
  }
}

/** Returns the time of the call as the API's date-time; corrected once the clock is synced. */
function startOfRun(clock: Clock): () => string {
  let startMs = clock.nowMs();
  let text = instant(startMs);
  const early = new EarlyDates(clock, () => [startMs]);
  early.note(startMs, clock.monotonicMs());
  return () => {
    if (early.isDue) {
      startMs = early.redated(startMs);
      text = instant(startMs);
      early.clear();
    }
    return text;
  };
}

function changedLocation(before: Location, changes: LocationChanges): Location {
  const { name, latitude, longitude, timezoneName } = before;
  return {
    ...before,
    name: changes.name ?? name,
    latitude: changes.latitude ?? latitude,
    longitude: changes.longitude ?? longitude,
    timezoneName: changes.timezoneName ?? timezoneName,
  };
}

function positionOf({ location, createdAtMs }: LocationEntry): Position {
  return { createdAtMs, id: location.id };
}
