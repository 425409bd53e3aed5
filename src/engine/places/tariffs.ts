import { MINUTE_MS } from "../../domain/duration.ts";
import { comparePositions } from "../../domain/page.ts";
import type { Location } from "../../domain/places/location.ts";
import type { Tariff, TariffEntry, TariffLink } from "../../domain/places/tariff.ts";
import { entriesInUtc, intervalIssues } from "../../domain/places/tariff-week.ts";
import { problem } from "../../domain/problem.ts";
import { offsetAt } from "../../domain/schedules/schedule-zone.ts";
import { KeyedMutex } from "../../platform/keyed-mutex.ts";
import { Listeners } from "../../platform/listeners.ts";
import type { Clock } from "../../platform/ports/ports.ts";
import type { Write } from "../../store/records.ts";
import type { Store } from "../../store/store.ts";
import type { Locations, TariffRow, Tariffs } from "../contracts/places.ts";
import type { Forgetter, Removal } from "../contracts/users.ts";

import { withLock } from "../with-lock.ts";
import type { RemovalStep } from "./location-removals.ts";

/** Limit of the gateway; only a faulty client creates more. */
const MAX_TARIFFS = 1_000;
/** The lock that all changes of tariffs share. */
const LOCK = "tariffs";

/** The parts of the engine that tariffs use. */
export interface TariffNeeds {
  readonly clock: Clock;
  readonly store: Store;
}

/** Stores tariffs and their links to locations. Changes run one after the other. */
export class TariffService implements Tariffs, Forgetter {
  readonly #context: TariffNeeds;
  readonly #locations: Pick<Locations, "get">;
  readonly #mutex = new KeyedMutex();
  readonly #listeners = new Listeners<[]>();

  constructor(context: TariffNeeds, locations: Pick<Locations, "get">) {
    this.#context = context;
    this.#locations = locations;
  }

  /** Removes the link of a removed location. It holds the lock, so that no link is added meanwhile. */
  readonly locationRemoval: RemovalStep = ({ id }, commit) =>
    withLock(this.#mutex, LOCK, async () => {
      const isLinked = this.linkOf(id) !== null;
      await commit({ writes: isLinked ? [{ table: "tariff-link", key: id, remove: true }] : [], entries: [] });
    });

  get(tariffId: string): Tariff | null {
    return this.#context.store.get("tariff", tariffId)?.tariff ?? null;
  }

  list(): readonly TariffRow[] {
    return this.#context.store
      .all("tariff")
      .map(({ id, createdAtMs }) => ({ id, createdAtMs }))
      .sort(comparePositions);
  }

  /** Returns the link of a location; `null` if it has no tariff. */
  linkOf(locationId: string): TariffLink | null {
    return this.#context.store.get("tariff-link", locationId)?.link ?? null;
  }

  async put(tariffId: string, tariff: Tariff): Promise<void> {
    await this.#change(async () => {
      const { store, clock } = this.#context;
      const before = store.get("tariff", tariffId);
      if (before === null && store.all("tariff").length >= MAX_TARIFFS) {
        throw problem("bad-request", `There are already ${MAX_TARIFFS} tariffs; replace one of them.`);
      }
      const createdAtMs = before?.createdAtMs ?? clock.nowMs();
      await store.commit([{ table: "tariff", key: tariffId, put: { id: tariffId, tariff, createdAtMs } }], []);
    });
  }

  async link(locationId: string, link: TariffLink): Promise<void> {
    await this.#change(async () => {
      this.#requireLocation(locationId);
      const tariff = this.get(link.tariffId);
      if (tariff === null) throw problem("not-found", `There is no tariff "${link.tariffId}".`);
      refuseFaulty(link, tariff);
      await this.#context.store.commit([{ table: "tariff-link", key: locationId, put: { locationId, link } }], []);
    });
  }

  async unlink(locationId: string): Promise<void> {
    await this.#change(async () => {
      this.#requireLocation(locationId);
      if (this.linkOf(locationId) === null) return;
      await this.#context.store.commit([{ table: "tariff-link", key: locationId, remove: true }], []);
    });
  }

  entries(locationId: string): readonly TariffEntry[] {
    const { timezoneName } = this.#requireLocation(locationId);
    const link = this.linkOf(locationId);
    if (link === null) return [];
    return entriesInUtc(link, Math.round(offsetAt(timezoneName, this.#context.clock.nowMs()) / MINUTE_MS));
  }

  forget(removal: Removal): readonly Write[] {
    if (removal.kind !== "user") return [];
    const isOwn = (id: string): boolean => this.#locations.get(id)?.userId === removal.userId;
    return this.#context.store
      .all("tariff-link")
      .filter(({ locationId }) => isOwn(locationId))
      .map(({ locationId }): Write => ({ table: "tariff-link", key: locationId, remove: true }));
  }

  /** Calls the listener after a tariff or a link changed. Disposing the result unsubscribes. */
  observe(listener: () => void): Disposable {
    return this.#listeners.subscribe(listener);
  }

  #requireLocation(locationId: string): Location {
    const location = this.#locations.get(locationId);
    if (location === null) throw problem("not-found", `There is no location "${locationId}".`);
    return location;
  }

  async #change(work: () => Promise<void>): Promise<void> {
    await withLock(this.#mutex, LOCK, work);
    this.#listeners.emit();
  }
}

function refuseFaulty({ tariffIntervals }: TariffLink, tariff: Tariff): void {
  const issues = intervalIssues(tariffIntervals, new Set(tariff.map(({ name }) => name)));
  const [first, second] = issues;
  if (first === undefined) return;
  const more = second === undefined ? "" : " There is more; see `issues`.";
  throw problem("bad-request", `${first.path.join(".")}: ${first.message}.${more}`, { issues });
}
