import type {
  Action,
  ActionOrigin,
  ActionTargetType,
  ControllerKind,
  RequestedSetting,
} from "../../domain/actions/action.ts";
import { type ActionEvent, isPending, nextAction } from "../../domain/actions/action-machine.ts";
import { refusal } from "../../domain/actions/action-refusal.ts";
import { type ActionTimings, remainingWindowMs } from "../../domain/actions/action-timing.ts";
import { resolveSetting } from "../../domain/actions/charge-rate-limit.ts";
import { controlsFor, isSameDesiredSetting, settingOf, type Target } from "../../domain/actions/desired-setting.ts";
import type { KnownDevice } from "../../domain/assets/asset-seed.ts";
import { problem } from "../../domain/problem.ts";
import { BusyError, KeyedMutex } from "../../platform/keyed-mutex.ts";
import { Listeners } from "../../platform/listeners.ts";
import type { Clock, Log, Random } from "../../platform/ports/ports.ts";
import type { ActionRecord, Write } from "../../store/records.ts";
import type { NewJournalEntry, Store } from "../../store/store.ts";
import type { Actions, CancelOutcome, ClientRequest } from "../contracts/engine.ts";
import type { Device } from "../devices/device.ts";
import { actionUpdated } from "../events.ts";
import { diskRefuses, noCredentials, noTarget, refuseControlled } from "./action-problems.ts";
import { answeredBefore, dated, originOf, pendingOf, putAction, type Requester, requesterOf } from "./action-record.ts";
import { LOST_SIGHT, newCommandRun } from "./command-run.ts";
import type { DeviceCommands, StoredActions } from "./device-commands.ts";
import { newAction } from "./new-action.ts";

/** When the disk refused the end of an action, it is tried again after this long, ms. */
const END_RETRY_MS = 5_000;

/** What the actions need of the devices. */
export interface ActionTargets {
  /** The device that carries an asset; null when none does. */
  deviceOf(type: ActionTargetType, assetId: string): Device | null;
  device(deviceId: string): Device | null;
  target(type: ActionTargetType, assetId: string): Target | null;
  /** Wakes the device's loop, because there is something to write. */
  wake(device: Device): void;
  timings(adapter: string): ActionTimings;
  /** False: the credentials of the target are not accepted any more. */
  isAuthorized(target: Pick<Target["asset"], "userId" | "vendor">): boolean;
  /** The feature in charge of a target; null when none is. */
  inChargeOf(targetId: string): ControllerKind | null;
}

/** Stores what ends actions, with whatever else belongs into that commit. */
type CommitEndings = (writes: readonly Write[], entries: readonly NewJournalEntry[]) => Promise<void>;

export interface ActionServiceOptions {
  readonly store: Pick<Store, "commit" | "get" | "all" | "isWritable">;
  readonly clock: Clock;
  readonly random: Pick<Random, "uuid">;
  readonly log: Log;
  readonly targets: ActionTargets;
}

/** The actions on disk, one pending a target. All changes of one target's actions happen one after the other. */
export class ActionService implements Actions, StoredActions, Disposable {
  readonly #options: ActionServiceOptions;
  readonly #mutex = new KeyedMutex();
  readonly #windows = new Map<string, Disposable>();
  readonly #listeners = new Listeners<[action: Action]>();
  #isClosed = false;

  constructor(options: ActionServiceOptions) {
    this.#options = options;
  }

  async start(
    targetId: string,
    setting: RequestedSetting,
    by: ActionOrigin | ClientRequest = "client",
  ): Promise<Action> {
    if (this.#options.targets.deviceOf(setting.targetType, targetId) === null) throw noTarget(setting, targetId);
    return await this.#withLock(targetId, () => this.#start(targetId, setting, requesterOf(by)));
  }

  get(targetType: ActionTargetType, id: string): Action | null {
    const action = this.#options.store.get("action", id)?.action ?? null;
    return action?.targetType === targetType ? action : null;
  }

  async cancel(targetType: ActionTargetType, id: string): Promise<CancelOutcome | null> {
    const known = this.get(targetType, id);
    if (known === null) return null;
    return await this.#withLock(known.targetId, async () => {
      const record = this.#options.store.get("action", id);
      if (record === null || !isPending(record.action)) {
        return { kind: "already-resolved", action: record?.action ?? known };
      }
      const action = await this.#end(record, { type: "cancel-requested" }).catch((cause: unknown) => {
        throw diskRefuses(cause);
      });
      return { kind: "cancelled", action };
    });
  }

  async withdraw(targetId: string, origin: ActionOrigin): Promise<Action | null> {
    return await this.#withLock(targetId, async () => {
      const pending = pendingOf(this.#options.store, targetId);
      if (pending === null || originOf(pending) !== origin) return null;
      return await this.#end(pending, { type: "cancel-requested" });
    });
  }

  pendingOf(targetId: string): { readonly action: Action; readonly origin: ActionOrigin } | null {
    const pending = pendingOf(this.#options.store, targetId);
    return pending === null ? null : { action: pending.action, origin: originOf(pending) };
  }

  observe(listener: (action: Action) => void): Disposable {
    return this.#listeners.subscribe(listener);
  }

  /** Drives on what was pending when the gateway stopped, or when the connection of one device was replaced. */
  resume(deviceId?: string): void {
    const { store, clock, targets } = this.#options;
    const isClockSet = clock.quality() !== "unset";
    for (const record of store.all("action")) {
      const device = targets.device(record.deviceId);
      if (!isPending(record.action) || device === null || record.deviceId !== (deviceId ?? record.deviceId)) continue;
      const timing = targets.timings(device.settings.adapter)[record.action.targetType];
      const leftMs = remainingWindowMs(timing.windowMs, record.createdAtMs, clock.nowMs(), isClockSet);
      if (record.isDoubtful === true) void this.settle(record.action.id, LOST_SIGHT);
      else this.#drive(device, record, leftMs);
    }
  }

  /** Ends an action. Answers false when the disk refused: it is still pending. Never rejects. */
  async settle(actionId: string, event: ActionEvent): Promise<boolean> {
    const targetId = this.#options.store.get("action", actionId)?.action.targetId;
    if (targetId === undefined) return true;
    try {
      await this.#mutex.run(targetId, async () => {
        const record = this.#options.store.get("action", actionId);
        if (record !== null && isPending(record.action)) await this.#end(record, event);
      });
      return true;
    } catch (err) {
      this.#options.log.warn({ err, actionId, event: event.type }, "end of an action not stored yet");
      return false;
    }
  }

  /** Stores that the action is about to be sent, with the lease that goes with it. False: it is no longer pending. */
  async beforeSend(commands: DeviceCommands, actionId: string, leaseWrites: readonly Write[]): Promise<boolean> {
    const { store } = this.#options;
    const targetId = store.get("action", actionId)?.action.targetId;
    if (targetId === undefined) return false;
    return await this.#mutex.run(targetId, async () => {
      const record = store.get("action", actionId);
      if (record === null || !isPending(record.action)) return false;
      await store.commit([...leaseWrites, putAction({ ...record, wasSent: true })], [], "urgent");
      commands.apply(leaseWrites);
      return true;
    });
  }

  /**
   * Ends the pending actions of targets in the commit that the caller makes of these writes and entries; no action of
   * theirs begins or ends meanwhile. Rejects as `commit` does, and then nothing has ended.
   */
  async retire(targetIds: readonly string[], event: ActionEvent, commit: CommitEndings): Promise<void> {
    await this.#mutex.runAll(targetIds, async () => {
      const endings = this.#options.store
        .all("action")
        .filter(({ action }) => isPending(action) && targetIds.includes(action.targetId))
        .map((record) => ({ record, ending: this.#ending(null, record, event) }));
      await commit(
        endings.flatMap(({ ending }) => ending.writes),
        endings.map(({ record, ending }) => actionUpdated(record.action, ending.action)),
      );
      for (const { ending } of endings) this.#ended(null, ending);
    });
  }

  /** Pending actions stay on disk; the next start drives them on. */
  [Symbol.dispose](): void {
    this.#isClosed = true;
    for (const window of this.#windows.values()) window[Symbol.dispose]();
    this.#windows.clear();
  }

  async #withLock<T>(targetId: string, work: () => Promise<T>): Promise<T> {
    try {
      return await this.#mutex.run(targetId, work);
    } catch (error) {
      if (error instanceof BusyError) throw problem("too-many-requests", "Too many commands wait for this device.");
      throw error;
    }
  }

  async #start(targetId: string, asked: RequestedSetting, requester: Requester): Promise<Action> {
    const { store, targets, random, clock } = this.#options;
    if (this.#isClosed) throw problem("service-unavailable", "The gateway is stopping.");
    const answered = answeredBefore(store, clock, requester);
    if (answered !== null) return answered;
    // It may have been taken out, or its connection replaced, while the command waited for its turn.
    const device = targets.deviceOf(asked.targetType, targetId);
    const target = targets.target(asked.targetType, targetId);
    if (device === null || target === null) throw noTarget(asked, targetId);
    const pending = pendingOf(store, targetId);
    if (requester.origin === "client") refuseControlled(targets.inChargeOf(targetId));
    if (!targets.isAuthorized(target.asset)) throw noCredentials(asked);
    const known = knownOf(device);
    const setting = resolveSetting(asked, known, device.values);
    const controls = controlsFor(setting, known);
    const isControlBusy = pending !== null || device.commands.hasOtherLease(controls);
    const refused = refusal({ setting, target, device: known, isControlBusy });
    if (refused !== null) throw refused;
    if (pending !== null && isSameDesiredSetting(settingOf(pending.action), setting)) return pending.action;
    if (!store.isWritable) throw diskRefuses(null);
    const nowMs = clock.nowMs();
    const action = newAction(random.uuid(), target, setting, nowMs);
    const record = dated({ action, deviceId: device.settings.id, createdAtMs: nowMs, ...requester }, clock);
    await this.#storeNew(device, record, pending).catch((cause: unknown) => {
      throw diskRefuses(cause);
    });
    this.#drive(device, record, targets.timings(device.settings.adapter)[setting.targetType].windowMs);
    return action;
  }

  /** One batch: the new action, and the end of the one that it takes the place of. */
  async #storeNew(device: Device, record: ActionRecord, pending: ActionRecord | null): Promise<void> {
    const { store, log } = this.#options;
    const writes = [putAction(record)];
    const entries = [actionUpdated(null, record.action)];
    if (pending === null) {
      await store.commit(writes, entries, "urgent");
    } else {
      const ending = this.#ending(device, pending, { type: "superseded" });
      const ended = actionUpdated(pending.action, ending.action);
      await store.commit([...ending.writes, ...writes], [ended, ...entries], "urgent");
      this.#ended(device, ending);
    }
    log.info({ actionId: record.action.id, deviceId: record.deviceId }, "action accepted");
    this.#tell(record.action);
  }

  #drive(device: Device, record: ActionRecord, windowMs: number): void {
    const { clock, targets } = this.#options;
    const { action, wasSent = false } = record;
    const timing = targets.timings(device.settings.adapter)[action.targetType];
    const start = { action, origin: originOf(record), device: knownOf(device), timing, wasSent };
    device.commands.begin(newCommandRun(start, clock.monotonicMs()));
    this.#openWindow(device, record.action.id, windowMs);
    targets.wake(device);
  }

  #openWindow(device: Device, actionId: string, windowMs: number): void {
    if (this.#isClosed) return;
    this.#windows.get(actionId)?.[Symbol.dispose]();
    this.#windows.set(
      actionId,
      this.#options.clock.timer(windowMs, () => void this.#timeOut(device, actionId)),
    );
  }

  async #timeOut(device: Device, actionId: string): Promise<void> {
    const event = device.commands.timeOut(actionId);
    if (event === null) return;
    if (!(await this.settle(actionId, event))) this.#openWindow(device, actionId, END_RETRY_MS);
  }

  async #end(record: ActionRecord, event: ActionEvent): Promise<Action> {
    const device = this.#options.targets.device(record.deviceId);
    const ending = this.#ending(device, record, event);
    await this.#options.store.commit(ending.writes, [actionUpdated(record.action, ending.action)]);
    this.#ended(device, ending);
    return ending.action;
  }

  #ending(device: Device | null, record: ActionRecord, event: ActionEvent): Ending {
    const action = nextAction(record.action, event, this.#options.clock.nowMs());
    const isOver = device === null || !(record.wasSent ?? record.isDoubtful ?? false);
    const leaseWrites = isOver
      ? []
      : device.commands.leaseWrites(controlsFor(settingOf(action), knownOf(device)), event);
    const ended = dated({ ...record, action }, this.#options.clock);
    return { action, leaseWrites, writes: [putAction(ended), ...leaseWrites] };
  }

  #ended(device: Device | null, { action, leaseWrites }: Ending): void {
    device?.commands.apply(leaseWrites);
    device?.commands.end(action.id);
    this.#windows.get(action.id)?.[Symbol.dispose]();
    this.#windows.delete(action.id);
    const { state, id, failureReason } = action;
    this.#options.log.info({ actionId: id, state, reason: failureReason?.type ?? null }, "action ended");
    this.#tell(action);
  }

  #tell(action: Action): void {
    this.#listeners.emit(action);
  }
}

interface Ending {
  readonly action: Action;
  readonly leaseWrites: readonly Write[];
  readonly writes: readonly Write[];
}

function knownOf(device: Device): Pick<KnownDevice, "controls" | "points"> {
  return device.assets.known ?? { controls: [], points: [] };
}
