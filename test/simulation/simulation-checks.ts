import type { SandboxDeviceId } from "../../adapters/simulated/sandbox-home.ts";
import type { World } from "../../src/testing/world.ts";
import { actionBreaches } from "../long-run/action-checks.ts";
import type { GatewayBox, RunningGateway } from "../long-run/gateway-box.ts";
import { Acknowledged } from "../long-run/invariants/acknowledged.ts";
import { boundBreaches } from "../long-run/invariants/bounded.ts";
import type { JournalPosition } from "../long-run/invariants/journal-order.ts";
import { reversionBreach } from "../long-run/invariants/reversion.ts";
import { type ShownValue, truthBreaches } from "../long-run/invariants/shown-truth.ts";
import { type ReceivedWrite, writeBreach } from "../long-run/invariants/wanted-writes.ts";
import { JournalWatch } from "../long-run/journal-watch.ts";
import { entriesOf } from "../long-run/json-fields.ts";
import { batteryValues, chargerValues, inverterValues, meterValues } from "./shown-values.ts";
import type { SimulatedHouse } from "./simulated-house.ts";
import type { SimulatedUser } from "./simulated-user.ts";

/** How long the inverter keeps a command when the gateway is gone, in this house. */
export const HOLD_MS = 120_000;
/** The inverter's poll and the house's own second. */
const POLL_MS = 2_000;
/** What the end of an action may take beyond its window: a turn of its device, and the disk. */
const ENDING_SLACK_MS = 15_000;
/** How long a write may be under way after its reason ended: the longest turn of a device. */
const WRITE_SLACK_MS = 10_000;
/** Back after a fault: the longest pause between two tries, a try, and a poll. */
const RECOVERY_MS = 100_000;
/** What a process sent right before its death still arrives. */
const IN_FLIGHT_MS = 50;
const MAX_TIMERS = 64;
const REQUEST_WITHIN_MS = 5_000;

const PAGES = [
  { url: "/batteries", device: "inverter", values: batteryValues },
  { url: "/inverters", device: "inverter", values: inverterValues },
  { url: "/meters", device: "meter", values: meterValues },
  { url: "/chargers", device: "charger", values: chargerValues },
] as const;

/** All invariants, asked of one simulated house and its gateway. */
export class SimulationChecks {
  readonly #world: World;
  readonly #box: GatewayBox;
  readonly #house: SimulatedHouse;
  readonly #user: SimulatedUser;
  readonly #journal: JournalWatch;
  readonly #journalRecords = new Acknowledged();
  readonly #acknowledged = new Acknowledged();
  readonly #lastRestartMs = new Map<SandboxDeviceId, number>();
  readonly #writeBreaches: string[] = [];
  #writes = 0;
  #comparisons = 0;
  #reversions = 0;

  constructor(parts: {
    readonly world: World;
    readonly box: GatewayBox;
    readonly house: SimulatedHouse;
    readonly user: SimulatedUser;
  }) {
    this.#world = parts.world;
    this.#box = parts.box;
    this.#house = parts.house;
    this.#user = parts.user;
    this.#journal = new JournalWatch(parts.world, parts.box);
  }

  /** Register writes that devices received. */
  get writes(): number {
    return this.#writes;
  }

  /** Values of the API that were held against the truth. */
  get comparisons(): number {
    return this.#comparisons;
  }

  /** Seconds in which the battery was held while no gateway ran, so that its reversion was waited for. */
  get reversions(): number {
    return this.#reversions;
  }

  get journalRecords(): number {
    return this.#journal.records;
  }

  acknowledge(actionId: string): void {
    this.#acknowledged.remember(actionId);
  }

  deviceRestarts(device: SandboxDeviceId, untilMs: number): void {
    this.#lastRestartMs.set(device, untilMs);
  }

  /** Judges a write at the moment a device receives it. */
  received(write: ReceivedWrite): void {
    this.#writes += 1;
    const deadMs = write.atMs - (this.#box.deadSinceMs ?? Number.NEGATIVE_INFINITY);
    if (this.#box.running === null && deadMs < IN_FLIGHT_MS) return;
    const breach = writeBreach(write, this.#wishes());
    if (breach !== null) this.#writeBreaches.push(breach);
  }

  /** What is checked at the pace of the devices. */
  everySecond(): readonly string[] {
    return [...this.#writeBreaches.splice(0), ...this.#reversion()];
  }

  /** What is checked after each step, without asking anything of the gateway. */
  afterStep(): readonly string[] {
    const breaches = this.everySecond();
    const { running } = this.#box;
    if (running === null) return breaches;
    return [
      ...breaches,
      ...actionBreaches(this.#world, running, { slackMs: ENDING_SLACK_MS }),
      ...this.#bounds(running),
    ];
  }

  /** What must have come over a restart. */
  async afterStart(running: RunningGateway): Promise<readonly string[]> {
    const { store } = running.gateway;
    const found = new Set<string>();
    let position: JournalPosition | null = null;
    for (;;) {
      const page = await this.#journal.after(position);
      if (page === null) return [];
      for (const entry of page) found.add(nameOf(entry));
      position = page.at(-1) ?? null;
      if (position === null) break;
    }
    return [
      ...this.#acknowledged.breaches((id) => store.get("action", id) !== null),
      ...this.#journalRecords.breaches((name) => found.has(name)),
    ];
  }

  /** Asks the API as a client does, and compares with the truth wherever no fault is near. */
  async shownValues(): Promise<readonly string[]> {
    if (this.#box.running === null) return [];
    const values: ShownValue[] = [];
    for (const { url, device, values: valuesOf } of PAGES) {
      if (!this.isQuiet(device)) continue;
      const page = await this.#world.clock.resolve(this.#user.client.send("GET", url), REQUEST_WITHIN_MS);
      // A disk that refuses gives no new token; with a token everything must be served.
      if (page?.status === 503 && page.isSignIn) continue;
      if (page?.status !== 200) return [`the API answered ${page?.status} to ${url}`];
      const [record] = entriesOf(page.body);
      values.push(...valuesOf(record, this.#house.recently()));
    }
    this.#comparisons += values.length;
    this.#world.events.add(
      "shown",
      values.map(({ what, shown }) => [what, shown]),
    );
    return truthBreaches(values);
  }

  /** An orderly stop leaves the battery to itself. For a device that could be reached. */
  afterStop(): readonly string[] {
    return this.#house.isBatteryForced() ? ["inverter is still held after an orderly stop"] : [];
  }

  /** Whether a device has been without a fault, and the gateway up, for long enough that all must be as it should. */
  isQuiet(device: SandboxDeviceId): boolean {
    const { running } = this.#box;
    if (running === null) return false;
    const nowMs = this.#world.clock.monotonicMs();
    const restartedMs = this.#lastRestartMs.get(device) ?? Number.NEGATIVE_INFINITY;
    const quietMs = Math.min(
      this.#world.net.faults.quietMs(this.#house.hostOf(device)),
      nowMs - running.startedAtMs,
      nowMs - restartedMs,
    );
    return quietMs > RECOVERY_MS;
  }

  #wishes(): Parameters<typeof writeBreach>[1] {
    const nowMs = this.#world.clock.monotonicMs();
    const store = (this.#box.running ?? this.#box.stopping)?.gateway.store;
    const toMonotonic = nowMs - this.#world.clock.nowMs();
    const lastPendingMs = new Map<string, number>();
    for (const { action, deviceId } of store?.all("action") ?? []) {
      const endMs = action.completedAt === null ? nowMs : Date.parse(action.completedAt) + toMonotonic;
      lastPendingMs.set(deviceId, Math.max(lastPendingMs.get(deviceId) ?? 0, endMs));
    }
    const held = (store?.all("lease") ?? []).filter((lease) => lease.state !== "released");
    return {
      lastPendingMs,
      leased: new Set(held.map(({ deviceId }) => deviceId)),
      isClosing: this.#box.stopping !== null,
      isAlive: store !== undefined,
      slackMs: WRITE_SLACK_MS,
    };
  }

  #reversion(): readonly string[] {
    const isForced = this.#house.isBatteryForced();
    const { deadSinceMs } = this.#box;
    if (isForced && deadSinceMs !== null) this.#reversions += 1;
    const nowMs = this.#world.clock.monotonicMs();
    const breach = reversionBreach("inverter", { isForced, nowMs, deadSinceMs, limitMs: HOLD_MS + POLL_MS });
    return breach === null ? [] : [breach];
  }

  #bounds({ process }: RunningGateway): readonly string[] {
    return boundBreaches([
      { what: "open streams of the gateway", value: process.resources.streams, limit: this.#house.devices.length },
      { what: "waiting timers of the gateway", value: process.resources.timers, limit: MAX_TIMERS },
    ]);
  }

  /** Reads what is new in the journal. */
  async newJournal(): Promise<readonly string[]> {
    return await this.#journal.read((entry) => {
      this.#world.events.add(entry.event, [entry.epoch, entry.seq]);
      this.#journalRecords.remember(nameOf(entry));
    });
  }
}

function nameOf({ epoch, seq }: { readonly epoch: number; readonly seq: number }): string {
  return `journal ${epoch}:${seq}`;
}
