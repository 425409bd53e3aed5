/** What the devices of an account tell. One request is for all devices of one type, and may be made once a minute. */

import { HOUR_MS } from "hemgate/sdk";
import type { CloudSession } from "../kit/connector.ts";
import { looseNumber } from "../kit/device/loose-number.ts";
import { fitting, parsed } from "../kit/device/parsed.ts";
import { CloudError, type CloudErrorKind } from "../kit/session/cloud-error.ts";
import { isRead } from "./device-types.ts";
import { post } from "./northbound.ts";
import { type Device, type DeviceFields, DeviceKpi, List } from "./schemas.ts";

/** As many as a request may name. */
const MAX_DEVICES = 100;
/** How long a type that the installer did not grant is not asked for again, ms. */
const REST_MS = HOUR_MS;
const NEVER_MS = Number.NEGATIVE_INFINITY;
const LASTING: readonly CloudErrorKind[] = ["forbidden", "refused"];

const UNTRIED = { triedAtMs: NEVER_MS, restUntilMs: NEVER_MS, hasFailed: false } as const;

interface Group {
  readonly type: number;
  readonly ids: readonly string[];
  triedAtMs: number;
  restUntilMs: number;
  /** What it was asked for last did not come. */
  hasFailed: boolean;
}

/** A device's latest answer. */
export class DeviceSample {
  readonly #data: DeviceFields;
  /** Monotonic ms at which it was asked for. */
  readonly atTickMs: number;

  constructor(fields: DeviceFields, atTickMs: number) {
    this.#data = fields;
    this.atTickMs = atTickMs;
  }

  /** Null while the device is not connected to the cloud: its last value is old. */
  number(name: string): number | null {
    return looseNumber(this.#data["run_state"]) === 0 ? null : looseNumber(this.#data[name]);
  }
}

export class DeviceData {
  readonly #session: CloudSession;
  readonly #groups: Group[] = [];
  readonly #samples = new Map<string, DeviceSample>();

  constructor(session: CloudSession) {
    this.#session = session;
  }

  /** Takes in the devices that it does not ask for yet. */
  cover(devices: readonly Device[]): void {
    const known = new Set(this.#groups.flatMap(({ ids }) => ids));
    const fresh = devices.filter((one) => isRead(one) && !known.has(one.id));
    for (const [type, some] of Map.groupBy(fresh, ({ devTypeId }) => devTypeId)) {
      for (const ids of chunksOf(some)) this.#groups.push({ type, ids, ...UNTRIED });
    }
  }

  /** Null until its type had its turn, and where the account may not read it. */
  of({ id }: Device): DeviceSample | null {
    return this.#samples.get(id) ?? null;
  }

  /** Asks for the type whose turn it is, which one that fails keeps for once. Rejects with a `CloudError` when no type can be read. */
  async next(signal: AbortSignal): Promise<void> {
    const nowMs = this.#session.clock.monotonicMs();
    const awake = this.#groups.filter(({ restUntilMs }) => restUntilMs <= nowMs);
    const [group] = awake.toSorted((a, b) => a.triedAtMs - b.triedAtMs);
    if (group === undefined) throw new CloudError("forbidden", "FusionSolar: the account may read no device");
    const { triedAtMs } = group;
    group.triedAtMs = nowMs;
    try {
      await this.#ask(group, signal);
      group.hasFailed = false;
    } catch (error) {
      // Such as a session that was over. Another failure must not keep the others waiting.
      if (!group.hasFailed) group.triedAtMs = triedAtMs;
      group.hasFailed = true;
      if (!(error instanceof CloudError) || !LASTING.includes(error.kind)) throw error;
      group.restUntilMs = nowMs + REST_MS;
      for (const id of group.ids) this.#samples.delete(id);
      if (awake.length === 1) throw error;
    }
  }

  async #ask({ type, ids }: Group, signal: AbortSignal): Promise<void> {
    const request = post(this.#session.extra, "getDevRealKpi", { devIds: ids.join(","), devTypeId: type });
    const atTickMs = this.#session.clock.monotonicMs();
    const { data } = parsed(List, await this.#session.ask(request, signal), "getDevRealKpi");
    const fields = new Map(fitting(DeviceKpi, data).map((one) => [one.devId, one.dataItemMap]));
    for (const id of ids) this.#samples.set(id, new DeviceSample(fields.get(id) ?? {}, atTickMs));
  }
}

function chunksOf(devices: readonly Device[]): readonly (readonly string[])[] {
  const count = Math.ceil(devices.length / MAX_DEVICES);
  return Array.from({ length: count }, (_, index) =>
    devices.slice(index * MAX_DEVICES, (index + 1) * MAX_DEVICES).map(({ id }) => id),
  );
}
