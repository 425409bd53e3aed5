import type { AssetKind } from "../../domain/assets/asset.ts";
import { checkHouse, LOOK_BACK_MS } from "../../domain/checks/check-house.ts";
import { type Finding, type Fix, isTurnedMeter, withoutRepeatedDuplicates } from "../../domain/checks/finding.ts";
import type { Source } from "../../domain/checks/house-history.ts";
import type { Wiring } from "../../domain/checks/phase-check.ts";
import { isRefuted } from "../../domain/checks/refuted.ts";
import type { SiteConnection } from "../../domain/energy/site/site-connection.ts";
import { problem } from "../../domain/problem.ts";
import { KeyedMutex } from "../../platform/keyed-mutex.ts";
import type { Clock, Log } from "../../platform/ports/ports.ts";
import type { ControlPoint } from "../../points/points.ts";
import type { FindingRecord } from "../../store/records/checks.ts";
import type { Write } from "../../store/records.ts";
import type { Store } from "../../store/store.ts";
import { removeLease } from "../actions/lease-records.ts";
import type { CheckEntry, InstallationChecks } from "../contracts/checks.ts";
import type { Assets } from "../contracts/engine.ts";
import type { Fleet } from "../contracts/fleet.ts";
import type { Forgetter, Removal } from "../contracts/users.ts";
import { replaceDevice } from "../devices/expected-serial.ts";
import { isDark } from "../devices/is-dark.ts";
import type { EngineConfig, EnginePart, RefreshAssets, TellingDevice } from "../engine-part.ts";
import type { Feature } from "../feature.ts";
import type { Corrections } from "./corrections.ts";
import { idOf, putFinding, removeFinding } from "./finding-records.ts";
import { SecondViews } from "./second-views.ts";

const CHECK_EVERY_MS = 20_000;
/** Between two houses, so that checking many of them lets requests through. */
const BETWEEN_HOUSES_MS = 5;
/** The kinds of asset in the energy balance of a house. */
const KINDS: readonly AssetKind[] = ["meter", "inverter", "battery", "charger"];
/** A finding is opened or closed after this many checks in a row with the same result. */
const CONFIRMING_CHECKS = 3;
/** Findings that close when a check no longer shows them. Others, such as `sign`, stay until a change of power refutes them. */
const CLOSES_BY_ITSELF = new Set<Finding["check"]>(["frozen", "balance", "range"]);
const MAX_FINDINGS = 200;

/** The parts of the engine that the checks use. */
export interface CheckNeeds {
  readonly clock: Clock;
  readonly log: Log;
  readonly store: Store;
  readonly assets: Assets;
  /** All devices, in the order of the configuration and then as they were added. */
  devices(): readonly TellingDevice[];
  readonly fleet: Fleet;
  readonly config: EngineConfig;
  readonly refresh: RefreshAssets;
}

/** Checks the houses of all users every 20 s, stores what physics contradicts as findings, and applies confirmed fixes. */
export class InstallationCheckService implements InstallationChecks, EnginePart, Forgetter {
  readonly #context: CheckNeeds;
  readonly #corrections: Corrections;
  readonly #views: SecondViews;
  readonly #connection: () => SiteConnection;
  /** Checks in a row that showed a finding, by finding id. */
  #seen: ReadonlyMap<string, number> = new Map();
  /** Checks in a row that refuted the fix of a finding, by finding id. */
  #refuted: ReadonlyMap<string, number> = new Map();
  /** Open findings that the last check which could say anything about them refuted. */
  readonly #doubtful = new Set<string>();
  readonly #lastSeenAtMs = new Map<string, number>();
  readonly #confirming = new KeyedMutex({ maxWaiting: null });

  constructor(context: CheckNeeds, corrections: Corrections, connection: () => SiteConnection) {
    this.#context = context;
    this.#connection = connection;
    this.#corrections = corrections;
    this.#views = new SecondViews(context, corrections);
  }

  list(): readonly CheckEntry[] {
    return this.#context.store
      .all("finding")
      .map((record) => this.#entry(record))
      .sort((a, b) => b.firstSeenAtMs - a.firstSeenAtMs || (a.id < b.id ? -1 : 1));
  }

  get(id: string): CheckEntry | null {
    const record = this.#context.store.get("finding", id);
    return record === null ? null : this.#entry(record);
  }

  /** One after the other: a fix that two people confirm at once would be applied twice. */
  confirm(id: string): Promise<CheckEntry> {
    return this.#confirming.run("confirm", () => this.#confirm(id));
  }

  async #confirm(id: string): Promise<CheckEntry> {
    const record = this.#known(id);
    const { fix } = record.finding;
    if (fix === null)
      throw problem("conflict", "The gateway cannot fix this finding; check the device and its wiring.");
    if (record.state !== "OPEN") throw problem("conflict", `The finding is already ${record.state}.`);
    const confirmed: FindingRecord = { ...record, state: "CONFIRMED" };
    if (fix.kind === "replace") {
      await this.#replace(fix);
      return this.#entry(confirmed);
    }
    await this.#apply(fix, [putFinding(confirmed), this.#corrections.write(fix), ...this.#sameFix(record)]);
    this.#corrections.history.forget(fix.deviceId);
    this.#context.log.info(
      { deviceId: fix.deviceId, fix: fix.kind },
      "correction confirmed; readings are corrected from now on",
    );
    this.#context.refresh();
    return this.#entry(confirmed);
  }

  async dismiss(id: string): Promise<CheckEntry> {
    const record = this.#known(id);
    const dismissed: FindingRecord = { ...record, state: "DISMISSED" };
    const { fix } = record.finding;
    if (record.state === "CONFIRMED" && fix?.kind === "hide") {
      await this.#context.fleet.reshow(
        fix.deviceId,
        [],
        [putFinding(dismissed), this.#corrections.writeWithout(fix.deviceId, [fix])],
      );
    } else await this.#context.store.commit([putFinding(dismissed)], []);
    this.#context.log.info({ id, check: record.finding.check, deviceId: record.finding.deviceId }, "finding dismissed");
    this.#context.refresh();
    return this.#entry(dismissed);
  }

  async reset(deviceId: string): Promise<void> {
    const { store, fleet, log, refresh } = this.#context;
    const isHiding = this.#corrections.of(deviceId).some(({ kind }) => kind === "hide");
    if (store.get("correction", deviceId) === null)
      throw problem("not-found", `The device "${deviceId}" has no correction.`);
    const findings = store
      .all("finding")
      .filter(({ finding }) => finding.deviceId === deviceId && finding.check !== "control");
    const writes: readonly Write[] = [
      { table: "correction", key: deviceId, remove: true },
      // Otherwise the next check would confirm a duplicate with the same serial number again.
      ...findings.map((record) =>
        this.#views.isSameDevice(record.finding)
          ? putFinding({ ...record, state: "DISMISSED" })
          : removeFinding(record),
      ),
    ];
    if (isHiding) await fleet.reshow(deviceId, [], writes);
    else await store.commit(writes, []);
    this.#corrections.history.forget(deviceId);
    log.info({ deviceId }, "corrections of the device removed");
    refresh();
  }

  /**
   * Opens a finding that a check with a person's help has made, and returns its id. Where another open finding has the
   * same fix, it is that one, so that nothing is turned round twice.
   */
  async report(finding: Finding): Promise<string> {
    const { store, clock, log, refresh } = this.#context;
    const [same] = finding.fix === null ? [] : this.#openWith(finding.fix);
    if (same !== undefined) return same.id;
    const id = idOf(finding);
    const userId = this.#ownerOf(finding);
    await store.commit([putFinding({ id, userId, finding, firstSeenAtMs: clock.nowMs(), state: "OPEN" })], []);
    log.warn({ id, ...finding }, "finding opened by a check of the installer");
    refresh();
    return id;
  }

  /** True if the asset has an open finding about its installation. */
  isInDoubt(assetId: string): boolean {
    return this.#openOf(assetId).some(({ check }) => check !== "control");
  }

  /** True if an open finding says that the device's meter is turned, and nothing in the house has shown the opposite since. */
  isReversed(deviceId: string): boolean {
    const findings = this.#context.store.all("finding").filter(({ state }) => state === "OPEN");
    return findings.some(({ id, finding }) => !this.#doubtful.has(id) && isTurnedMeter(finding, deviceId));
  }

  /** Returns the points of the asset with a control conflict. */
  takenOver(assetId: string): readonly ControlPoint[] {
    return this.#openOf(assetId).flatMap(({ change }) => (change === undefined ? [] : [change.point]));
  }

  forget(removal: Removal): readonly Write[] {
    if (removal.kind !== "assets") return [];
    const { store } = this.#context;
    const leaving = new Set(
      store
        .all("asset")
        .filter(({ id }) => removal.assetIds.has(id))
        .map(({ kind, deviceId }) => `${kind} ${deviceId}`),
    );
    const stale = store.all("finding").filter(({ finding: { assetKind, deviceId, check, against } }) => {
      const isTwin = check === "duplicate" && leaving.has(`${assetKind} ${against}`);
      return isTwin || leaving.has(`${assetKind} ${deviceId}`);
    });
    return [...stale.map(removeFinding), ...this.#views.reveal(stale, leaving)];
  }

  onForgotten(): void {
    this.#views.showRevealed();
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#context.clock.sleep(CHECK_EVERY_MS, signal).catch(() => {});
      if (!signal.aborted) await this.#check(signal);
    }
  }

  #openOf(assetId: string): readonly Finding[] {
    const { store } = this.#context;
    // Asked at each poll of each device, and a house in order has no finding.
    const findings = store.all("finding");
    const asset = findings.length === 0 ? null : store.get("asset", assetId);
    return asset === null
      ? []
      : findings
          .filter(({ state, finding: { deviceId } }) => state === "OPEN" && deviceId === asset.deviceId)
          .map(({ finding }) => finding)
          .filter(({ assetKind }) => assetKind === asset.kind);
  }

  async #check(signal: AbortSignal): Promise<void> {
    const { clock, config, store, log, refresh } = this.#context;
    const nowMs = clock.monotonicMs();
    const isNight = isDark(clock, config.site.place);
    const houses = this.#houses(nowMs);
    const wiring = this.#wiring();
    const found: { readonly userId: string; readonly finding: Finding; readonly id: string }[] = [];
    let isFirst = true;
    for (const [userId, sources] of houses) {
      if (!isFirst) await clock.sleep(BETWEEN_HOUSES_MS, signal).catch(() => {});
      if (signal.aborted) return;
      isFirst = false;
      const ofHouse = withoutRepeatedDuplicates(checkHouse(sources, nowMs, isNight, wiring));
      found.push(...ofHouse.map((finding) => ({ userId, finding, id: idOf(finding) })));
    }
    this.#seen = new Map(found.map(({ id }) => [id, (this.#seen.get(id) ?? 0) + 1]));
    for (const { id } of found) {
      this.#lastSeenAtMs.set(id, clock.nowMs());
      this.#doubtful.delete(id);
    }
    const fresh = found.filter(
      ({ id }) => (this.#seen.get(id) ?? 0) >= CONFIRMING_CHECKS && store.get("finding", id) === null,
    );
    const past = store
      .all("finding")
      .filter(({ state, finding, id }) => state === "OPEN" && this.#isGone(id, finding, houses));
    const corrected = this.#refutedBy(houses, { nowMs, isDark: isNight, wiring });
    const opened = fresh.slice(0, Math.max(0, MAX_FINDINGS - store.all("finding").length));
    const closed = new Set([...past, ...corrected]);
    const writes = [
      ...opened.map(({ id, userId, finding }) =>
        putFinding({ id, userId, finding, firstSeenAtMs: clock.nowMs(), state: "OPEN" }),
      ),
      ...[...closed].map(removeFinding),
    ];
    if (writes.length === 0) return;
    try {
      await store.commit(writes, []);
      for (const { id, finding } of opened)
        log.warn({ id, ...finding }, "finding opened: physics contradicts the device's readings");
      for (const { id, finding } of closed) this.#logClosed(id, finding);
      refresh();
      for (const { id, finding } of opened) if (this.#views.isSameDevice(finding)) await this.confirm(id);
    } catch (err) {
      log.warn({ err }, "cannot store findings; will retry at the next check");
    }
  }

  /** Accepts another device in the place of the expected one, and drops the leases of the old one. */
  async #replace(fix: Fix & { readonly kind: "replace" }): Promise<void> {
    const { store, fleet, log } = this.#context;
    const { deviceId, serial } = fix;
    const leases = store.all("lease").filter((lease) => lease.deviceId === deviceId);
    await fleet.reshow(deviceId, [], [...replaceDevice(store, fix), ...leases.map(removeLease)]);
    log.info({ deviceId, serial }, "device replaced; the new serial number is expected from now on");
  }

  #logClosed(id: string, { check, deviceId, assetKind }: Finding): void {
    this.#context.log.info(
      { id, check, deviceId, assetKind },
      "finding closed: physics no longer contradicts the device's readings",
    );
  }

  #openWith(fix: Fix): readonly FindingRecord[] {
    const key = JSON.stringify(fix);
    const open = this.#context.store.all("finding").filter(({ state }) => state === "OPEN");
    return open.filter(({ finding }) => JSON.stringify(finding.fix) === key);
  }

  /** Removes other open findings that ask for the fix that is being applied. */
  #sameFix({ id, finding: { fix } }: FindingRecord): readonly Write[] {
    if (fix === null) return [];
    return this.#openWith(fix)
      .filter((other) => other.id !== id)
      .map(removeFinding);
  }

  #ownerOf({ deviceId, assetKind }: Finding): string {
    const { assets } = this.#context;
    const assetId = this.#assetOf(deviceId, assetKind);
    const asset = assetId === null ? null : assets.get(assetKind, assetId);
    if (asset === null) throw problem("not-found", `The device "${deviceId}" is gone.`);
    return asset.userId;
  }

  async #apply(fix: Fix, writes: readonly Write[]): Promise<void> {
    const { fleet, store } = this.#context;
    if (fix.kind === "hide") await fleet.reshow(fix.deviceId, [fix.assetKind], writes);
    else await store.commit(writes, []);
  }

  /** True if the device answers and no longer shows the finding. */
  #isGone(id: string, finding: Finding, houses: ReadonlyMap<string, readonly Source[]>): boolean {
    if (this.#seen.has(id) || !CLOSES_BY_ITSELF.has(finding.check)) return false;
    return [...houses.values()].flat().some(({ deviceId }) => deviceId === finding.deviceId);
  }

  /** Returns the open findings whose fix three checks in a row refuted, because somebody corrected the device. */
  #refutedBy(
    houses: ReadonlyMap<string, readonly Source[]>,
    now: Parameters<typeof isRefuted>[2],
  ): readonly FindingRecord[] {
    const open = this.#context.store.all("finding").filter(({ state }) => state === "OPEN");
    const refuted = open.filter(
      ({ id, userId, finding }) => !this.#seen.has(id) && isRefuted(finding, houses.get(userId) ?? [], now),
    );
    for (const { id } of refuted) this.#doubtful.add(id);
    this.#refuted = new Map(refuted.map(({ id }) => [id, (this.#refuted.get(id) ?? 0) + 1]));
    return refuted.filter(({ id }) => (this.#refuted.get(id) ?? 0) >= CONFIRMING_CHECKS);
  }

  /** Returns the declared phases of each device that has some. */
  #wiring(): Wiring {
    const { store } = this.#context;
    return new Map(
      [...this.#connection().phasesOf].flatMap(([assetId, phases]) => {
        const deviceId = store.get("asset", assetId)?.deviceId;
        return deviceId === undefined ? [] : [[deviceId, phases] as const];
      }),
    );
  }

  /**
   * Returns the recent readings of each user's house. Per kind, the views that stay visible come first, and a meter at the
   * grid comes before those that measure a part of the house.
   */
  #houses(nowMs: number): ReadonlyMap<string, readonly Source[]> {
    const { store, assets } = this.#context;
    const houses = new Map<string, Source[]>();
    const { meterUses } = this.#connection();
    const isPart = ({ kind, deviceId }: Source): boolean => kind === "meter" && meterUses?.has(deviceId) === true;
    for (const kind of KINDS) {
      const entries = assets.list(kind).toSorted((a, b) => this.#views.compare(a.asset.id, b.asset.id));
      for (const { asset } of entries) {
        const deviceId = store.get("asset", asset.id)?.deviceId;
        const source =
          deviceId === undefined
            ? null
            : this.#corrections.history.source(deviceId, kind, nowMs - LOOK_BACK_MS / 6, nowMs);
        if (source === null) continue;
        const house = houses.get(asset.userId) ?? [];
        house.push(source);
        houses.set(asset.userId, house);
      }
    }
    const parted = [...houses].map(([userId, sources]): [string, readonly Source[]] => {
      return [userId, [...sources.filter((each) => !isPart(each)), ...sources.filter(isPart)]];
    });
    return new Map(parted);
  }

  #known(id: string): FindingRecord {
    const record = this.#context.store.get("finding", id);
    if (record === null) throw problem("not-found", `There is no finding "${id}".`);
    return record;
  }

  #entry({ id, finding, state, firstSeenAtMs }: FindingRecord): CheckEntry {
    const assetId = this.#assetOf(finding.deviceId, finding.assetKind);
    return { id, finding, assetId, state, firstSeenAtMs, lastSeenAtMs: this.#lastSeenAtMs.get(id) ?? firstSeenAtMs };
  }

  #assetOf(deviceId: string, kind: AssetKind): string | null {
    const record = this.#context.store.all("asset").find((each) => each.deviceId === deviceId && each.kind === kind);
    return record?.id ?? null;
  }
}

export function createChecks(
  context: CheckNeeds,
  corrections: Corrections,
  connection: () => SiteConnection,
): Feature<InstallationCheckService> {
  const service = new InstallationCheckService(context, corrections, connection);
  return { name: "checks", service, forgetter: service, loop: service };
}
