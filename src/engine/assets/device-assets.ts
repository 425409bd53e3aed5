import type { Asset, AssetKind, AssetTypes } from "../../domain/assets/asset.ts";
import { asDiscovered, KIND_RULES, kindsOf } from "../../domain/assets/asset-kinds.ts";
import type { KnownDevice } from "../../domain/assets/asset-seed.ts";
import { lastUpdatesOf, withLastUpdated } from "../../domain/assets/last-updated.ts";
import type { PointValues, Snapshot } from "../../domain/assets/snapshot.ts";
import { instant } from "../../domain/fields.ts";
import { startOfDay } from "../../domain/statistics/statistics-calendar.ts";
import { scopesFor } from "../../domain/users/scope.ts";
import type { Clock, Log, Random } from "../../platform/ports/ports.ts";
import type { Reading } from "../../points/points.ts";
import type { AssetRecord, Write } from "../../store/records.ts";
import type { Store } from "../../store/store.ts";
import type { DeviceSettings } from "../devices/device-settings.ts";
import { EarlyDates } from "../devices/early-dates.ts";
import type { ReadingGroup } from "../devices/measured-times.ts";
import { assetEvent } from "../events.ts";
import type { AssetJournal } from "./asset-journal.ts";
import type { AssetOverlays } from "./asset-overlays.ts";
import type { AssetRegistry } from "./registry.ts";

export interface DeviceAssetsOptions {
  readonly settings: DeviceSettings;
  readonly clock: Pick<Clock, "nowMs" | "monotonicMs" | "quality">;
  readonly random: Pick<Random, "uuid">;
  readonly log: Log;
  readonly store: Pick<Store, "commit" | "all">;
  readonly registry: AssetRegistry;
  readonly overlays: Pick<AssetOverlays, "apply">;
  readonly journal: AssetJournal;
}

/** The kinds whose `discovered` event contains readings (rule S14). */
const WAITING: ReadonlySet<AssetKind> = new Set(["hvac"]);

/** The assets of one device: creates them with permanent ids, and applies readings to them. */
export class DeviceAssets {
  readonly #options: DeviceAssetsOptions;
  #records: readonly AssetRecord[];
  #known: KnownDevice | null;
  #lastSeenMs: number | null;
  #kinds: { readonly of: KnownDevice; readonly kinds: readonly AssetKind[] } | null = null;
  /** The device's last values, for the overlays. */
  #values: Readonly<PointValues> = {};
  #hasLeft = false;
  /** Times of answers and discoveries from before the clock was set. */
  readonly #earlySeen: EarlyDates;
  readonly #earlyUpdated: EarlyDates;

  /** Shows the assets that the device had when it was last connected. */
  constructor(options: DeviceAssetsOptions) {
    this.#options = options;
    this.#earlySeen = new EarlyDates(options.clock, () => this.#seenMs());
    this.#earlyUpdated = new EarlyDates(options.clock, () => this.#updatedMs());
    this.#records = options.store.all("asset").filter(({ deviceId }) => deviceId === options.settings.id);
    this.#known = this.#records[0]?.device ?? null;
    this.#lastSeenMs = this.#records[0]?.lastSeenMs ?? null;
    for (const record of this.#records) {
      if (this.#known === null) continue;
      const asset = this.#showAgain(record.kind, record, this.#known);
      // The state published before the restart is unknown, so the first reachability is published in any case.
      options.journal.begin(record.kind, { ...asset, isReachable: true }, () => [this.#recordWrite(record)]);
    }
  }

  /** What the device reported when it was last connected; `null` before its first connection. */
  get known(): KnownDevice | null {
    return this.#known;
  }

  /** Wall-clock ms of the last answer, also of an earlier run; `null` before the first. */
  get lastSeenMs(): number | null {
    return this.#lastSeenMs;
  }

  get ids(): readonly { readonly kind: AssetKind; readonly id: string }[] {
    return this.#records.map(({ kind, id }) => ({ kind, id }));
  }

  /** Stops updating, publishing and discovering assets. The assets stay in the registry until they are removed there. */
  leave(): void {
    this.#hasLeft = true;
    for (const { id } of this.#records) this.#options.journal.forget(id);
  }

  /** Returns the writes that store the present records of all assets. */
  writes(): readonly Write[] {
    return this.#records.map((record) => this.#recordWrite(record));
  }

  /** True while the discovery of an asset waits for the device's first reading. */
  get isWaiting(): boolean {
    return this.#known !== null && !this.#hasLeft && this.#missing(this.#known).some((kind) => WAITING.has(kind));
  }

  /**
   * Creates the missing assets of a connected device. Kinds that wait for the first reading are created only with `first`:
   * the readings, empty after the wait is over. If they cannot be stored, the next call tries again.
   */
  async adopt(known: KnownDevice, first: readonly Reading[] | null = null): Promise<void> {
    if (this.#hasLeft) return;
    const isChanged = known !== this.#known && JSON.stringify(known) !== JSON.stringify(this.#known);
    this.#known = known;
    if (isChanged) for (const record of this.#records) this.#show(record.kind, record, known);
    const missing = this.#missing(known).filter((kind) => first !== null || !WAITING.has(kind));
    if (missing.length > 0) await this.#discover(missing, known, first ?? []);
  }

  #missing(known: KnownDevice): readonly AssetKind[] {
    return this.#kindsOf(known).filter((kind) => !this.#records.some((record) => record.kind === kind));
  }

  /** Applies the readings of a read that ended at `nowMs`, wall-clock ms; `null` if it had no new values. */
  fold(snapshot: Snapshot, measured: Pick<ReadingGroup, "atMs" | "reportedMs" | "tickMs"> | null, nowMs: number): void {
    const atMs = measured?.atMs ?? nowMs;
    this.#lastSeenMs = nowMs;
    this.#earlySeen.note(nowMs, this.#options.clock.monotonicMs());
    if (measured !== null && measured.reportedMs !== atMs)
      this.#earlyUpdated.note(atMs, measured.tickMs, measured.reportedMs ?? undefined);
    this.#values = snapshot.values;
    const lastSeen = instant(nowMs);
    for (const { kind, id } of this.#records) this.#foldOne(kind, id, snapshot, { atMs, lastSeen });
  }

  /** Corrects the dates from before the clock was set, once it is synced. */
  redate(): void {
    const [seen, updated] = [this.#earlySeen, this.#earlyUpdated];
    if (this.#hasLeft || !(seen.isDue || updated.isDue)) return;
    if (this.#lastSeenMs !== null) this.#lastSeenMs = seen.redated(this.#lastSeenMs);
    const foundMs = this.#records.map(({ createdAtMs }) => seen.redated(createdAtMs));
    const wasFoundEarly = this.#records.some(({ createdAtMs }, at) => createdAtMs !== foundMs[at]);
    this.#records = this.#records.map((record, at) => ({ ...record, createdAtMs: foundMs[at] ?? record.createdAtMs }));
    for (const record of this.#records) this.#dateOne(record.kind, record);
    seen.clear();
    updated.clear();
    if (!wasFoundEarly) return;
    // A failed commit is not retried, because the gateway's stop writes the records again.
    this.#options.store
      .commit(this.writes(), [])
      .catch((err) =>
        this.#options.log.warn({ err }, "cannot store corrected dates; they are stored at the next stop"),
      );
  }

  #dateOne<Kind extends AssetKind>(kind: Kind, record: AssetRecord): void {
    const { registry } = this.#options;
    const { id, createdAtMs } = record;
    const before = registry.get(kind, id);
    if (before === null) return;
    const { information } = this.#known === null ? before : this.#create(kind, record, this.#known);
    const lastSeen = instant(this.#earlySeen.redated(Date.parse(before.lastSeen)));
    const updated = withLastUpdated(before, (text) => instant(this.#earlyUpdated.redated(Date.parse(text))));
    registry.set(kind, { ...updated, information, lastSeen }, createdAtMs);
  }

  #seenMs(): readonly number[] {
    return [this.#lastSeenMs ?? 0, ...this.#records.map(({ createdAtMs }) => createdAtMs)];
  }

  #updatedMs(): readonly number[] {
    const { registry } = this.#options;
    return this.#records.flatMap(({ kind, id }) =>
      lastUpdatesOf(registry.get(kind, id) ?? {}).map((text) => Date.parse(text)),
    );
  }

  /** Marks all assets as not reachable. Their values stay with their times. */
  markUnreachable(): void {
    for (const { kind, id } of this.#records) this.#update(kind, id, (asset) => ({ ...asset, isReachable: false }));
  }

  /** Applies the overlays, which are complete now, to the shown assets without publishing a change. */
  rebase(): void {
    if (this.#known === null) return;
    for (const record of this.#records) {
      const asset = this.#show(record.kind, record, this.#known);
      this.#options.journal.begin(record.kind, { ...asset, isReachable: true }, () => [this.#recordWrite(record)]);
    }
  }

  /** Applies the overlays again after they may have changed. */
  refresh(): void {
    for (const record of this.#records) this.#refreshOne(record.kind, record);
  }

  #refreshOne<Kind extends AssetKind>(kind: Kind, record: AssetRecord): void {
    const known = this.#known;
    // An overlay that removed a capability restores it by not changing the device's own capabilities.
    this.#update(kind, record.id, (asset) =>
      known === null ? asset : withCapabilities(asset, this.#create(kind, record, known).capabilities),
    );
  }

  /** Asked at each poll: the answer is kept for what is known now. */
  #kindsOf(known: KnownDevice): readonly AssetKind[] {
    if (this.#kinds?.of === known) return this.#kinds.kinds;
    const kinds = kindsOf(known.points).filter((kind) => this.#options.settings.kinds.includes(kind));
    this.#kinds = { of: known, kinds };
    return kinds;
  }

  async #discover(kinds: readonly AssetKind[], known: KnownDevice, first: readonly Reading[]): Promise<void> {
    const { clock, random, settings, store, log } = this.#options;
    const createdAtMs = clock.nowMs();
    this.#earlySeen.note(createdAtMs, clock.monotonicMs());
    const records = kinds.map(
      (kind): AssetRecord => ({ id: random.uuid(), kind, deviceId: settings.id, createdAtMs, device: known }),
    );
    const firstReadings = { readings: first, nowMs: createdAtMs };
    const found = records.map((record) => ({
      record,
      asset: asDiscovered(this.#create(record.kind, record, known), this.#bare(record, known), firstReadings),
    }));
    try {
      await store.commit(
        records.map((record) => this.#recordWrite(record)),
        found.map(({ record, asset }) => assetEvent("discovered", record.kind, asset)),
      );
    } catch (err) {
      log.warn({ err }, "cannot store new assets; will retry");
      return;
    }
    if (this.#hasLeft) return;
    this.#records = [...this.#records, ...records];
    for (const { record, asset } of found) {
      this.#show(record.kind, record, known);
      this.#options.journal.begin(record.kind, asset, () => [this.#recordWrite(record)]);
      log.info({ kind: record.kind, assetId: record.id }, "asset discovered");
    }
  }

  /** Shows the asset with its earlier values after a restart of the device, unless its scopes have changed. */
  #showAgain<Kind extends AssetKind>(kind: Kind, record: AssetRecord, known: KnownDevice): AssetTypes[Kind] {
    const { registry, overlays } = this.#options;
    const made = this.#create(kind, record, known);
    const before = registry.get(kind, record.id);
    if (before === null || before.scopes.join() !== made.scopes.join()) return this.#show(kind, record, known);
    const { userId, information, capabilities } = made;
    const asset = overlays.apply(kind, { ...before, userId, information, capabilities, isReachable: false });
    registry.set(kind, asset, record.createdAtMs);
    return asset;
  }

  /** Shows the asset without readings. */
  #show<Kind extends AssetKind>(kind: Kind, record: AssetRecord, known: KnownDevice): AssetTypes[Kind] {
    const asset = this.#options.overlays.apply(kind, this.#create(kind, record, known), this.#values);
    this.#options.registry.set(kind, asset, record.createdAtMs);
    return asset;
  }

  #create<Kind extends AssetKind>(kind: Kind, record: AssetRecord, known: KnownDevice): AssetTypes[Kind] {
    const { name, siteName, userId, scopes, timezone, installedOn } = this.#options.settings;
    return KIND_RULES[kind].create({
      id: record.id,
      userId,
      scopes: scopesFor(kind, scopes),
      siteName: name ?? known.identity.name ?? `${siteName} ${kind}`,
      timezone,
      lastSeenMs: this.#lastSeenMs ?? record.createdAtMs,
      installedAtMs: installedOn === undefined ? record.createdAtMs : startOfDay(timezone, installedOn),
      device: known,
    });
  }

  #bare(record: AssetRecord, known: KnownDevice): Asset {
    return this.#create(record.kind, record, { ...known, points: [], controls: [] });
  }

  #foldOne<Kind extends AssetKind>(
    kind: Kind,
    id: string,
    snapshot: Snapshot,
    { atMs, lastSeen }: { readonly atMs: number; readonly lastSeen: string },
  ): void {
    this.#update(kind, id, (asset) => {
      const folded = KIND_RULES[kind].fold(asset, snapshot, atMs);
      // A kind that the device no longer has keeps its asset, but is not shown as reachable.
      return this.#known === null || !this.#kindsOf(this.#known).includes(kind)
        ? asset
        : { ...folded, isReachable: true, lastSeen };
    });
  }

  #update<Kind extends AssetKind>(kind: Kind, id: string, change: (asset: AssetTypes[Kind]) => AssetTypes[Kind]): void {
    const { registry, journal, overlays } = this.#options;
    const before = registry.entry(kind, id);
    if (before === null || this.#hasLeft) return;
    const asset = overlays.apply(kind, change(before.asset), this.#values);
    registry.set(kind, asset, before.createdAtMs);
    journal.note(asset);
  }

  #recordWrite(record: AssetRecord): Write {
    const device = this.#known === null ? {} : { device: this.#known };
    const lastSeen = this.#lastSeenMs === null ? {} : { lastSeenMs: this.#lastSeenMs };
    const { userId } = this.#options.settings;
    return { table: "asset", key: record.id, put: { ...record, userId, ...device, ...lastSeen } };
  }
}

function withCapabilities<Kin extends Asset>(asset: Kin, capabilities: Kin["capabilities"]): Kin {
  const isSame = JSON.stringify(capabilities) === JSON.stringify(asset.capabilities);
  return isSame ? asset : { ...asset, capabilities };
}
