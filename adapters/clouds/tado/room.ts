import type { DeviceIdentity, HvacMode, PointName } from "hemgate/sdk";
import type { CloudControl, CloudDevice, CloudReading, CloudSession } from "../kit/connector.ts";
import { completed } from "../kit/device/completed-readings.ts";
import { type Hold, HoldWriter } from "../kit/device/hold-writer.ts";
import { outdateLacking } from "../kit/session/account-list.ts";
import { CloudError } from "../kit/session/cloud-error.ts";
import { SharedReads } from "../kit/session/shared-reads.ts";
import { BUDGET, HOPS, type TadoAccount } from "./account.ts";
import { NamedRooms, type Room, Rooms } from "./schemas.ts";

const KEEPS = { holdMs: null, safeDefault: null, confidence: "cross-checked" } as const;
/** This interface tells no capabilities; the X line heats only, and its app offers what older valves tell of themselves. */
const RANGE = { min: 5, max: 25 };

/** For which rooms there are, what was read lately is good enough, ms. */
export const LISTED_MS = 60_000;

/** The rooms of a home of the X line, with their states: one answer has both. */
export function roomsOf(
  account: TadoAccount,
  home: number,
  freshMs: number,
  signal: AbortSignal,
): Promise<readonly Room[]> {
  return account.state(roomsUrl(home), Rooms, freshMs, signal);
}

export async function openRoom(
  session: CloudSession,
  account: TadoAccount,
  place: { readonly home: number; readonly id: number },
  signal: AbortSignal,
): Promise<CloudDevice> {
  const { home, id } = place;
  const ask = async (inner: AbortSignal) => [...(await roomsOf(account, home, LISTED_MS, inner))];
  const key = `rooms of ${home}`;
  const room = (await account.seldom(key, NamedRooms, ask, signal)).find((each) => each.id === id);
  if (room === undefined) {
    outdateLacking(session, key);
    throw new CloudError("refused", `tado home ${home} has no room ${id} any more`);
  }
  const reads = await SharedReads.join(session, { key: `home ${home}`, device: String(id) }, signal);
  return new TadoRoom(session, { account, id, name: room.name, home, reads });
}

interface RoomParts {
  readonly account: TadoAccount;
  readonly id: number;
  readonly name: string | null;
  readonly home: number;
  readonly reads: SharedReads;
}

class TadoRoom implements CloudDevice {
  readonly identity: DeviceIdentity;
  readonly points: readonly PointName[] = [
    "hvac.mode",
    "hvac.holdType",
    "hvac.heatSetpoint",
    "hvac.temperature",
    "hvac.isActive",
  ];
  readonly controls: readonly CloudControl[] = [
    { point: "hvac.mode", values: ["OFF", "HEAT"], ...KEEPS },
    { point: "hvac.holdType", values: ["PERMANENT", "SCHEDULED"], ...KEEPS },
    { point: "hvac.heatSetpoint", range: RANGE, ...KEEPS },
  ];
  readonly #parts: RoomParts;
  readonly #writer: HoldWriter;
  #room: Room | null = null;

  constructor({ clock }: CloudSession, parts: RoomParts) {
    this.#parts = parts;
    const { name } = parts;
    this.identity = { manufacturer: "tado°", model: "X", serial: null, version: null, name, category: "HEATING" };
    this.#writer = new HoldWriter({ clock, controls: this.controls, send: (hold, signal) => this.#send(hold, signal) });
  }

  get cost() {
    return { [BUDGET]: this.#parts.reads.share };
  }

  async read(signal: AbortSignal): Promise<readonly CloudReading[]> {
    const { account, home, reads } = this.#parts;
    const found = (await roomsOf(account, home, reads.freshMs(), signal)).find(({ id }) => id === this.#parts.id);
    const readings = found?.connection?.state === "CONNECTED" ? this.#readings(found) : [];
    return this.#writer.noted(reads.dated(completed(this.points, readings), roomsUrl(home)));
  }

  #readings(found: Room): readonly CloudReading[] {
    this.#room = found;
    const { setting, sensorDataPoints, heatingPower } = found;
    const mode = modeOf(found);
    return [
      { point: "hvac.mode", value: mode },
      { point: "hvac.holdType", value: holdTypeOf(found) },
      { point: "hvac.heatSetpoint", value: mode === "HEAT" ? (setting.temperature?.value ?? null) : null },
      { point: "hvac.temperature", value: sensorDataPoints.insideTemperature?.value ?? null },
      { point: "hvac.isActive", value: heatingPower?.percentage == null ? null : heatingPower.percentage > 0 },
    ];
  }

  async write(...[point, value, signal]: Parameters<CloudDevice["write"]>): Promise<void> {
    await this.#writer.write(point, value, this.#room === null ? "UNKNOWN" : modeOf(this.#room), signal);
  }

  wantsRead(): boolean {
    return this.#parts.reads.isBehind(roomsUrl(this.#parts.home));
  }

  tempo() {
    return this.#writer.tempo();
  }

  async #send(hold: Hold, signal: AbortSignal): Promise<void> {
    const { account, home, id } = this.#parts;
    const url = `${roomsUrl(home)}/${id}`;
    const post = (path: string, json?: unknown) =>
      account.command(
        { method: "POST", url: `${url}/${path}`, ...(json === undefined ? {} : { body: { json } }) },
        roomsUrl(home),
        signal,
      );
    if (hold.mode === "SCHEDULE") return void (await post("resumeSchedule"));
    const temperature = hold.mode === "HEAT" ? { value: hold.heat } : null;
    const setting = { power: temperature === null ? "OFF" : "ON", temperature };
    await post("manualControl", { setting, termination: { type: "MANUAL" } });
  }
}

function roomsUrl(home: number): string {
  return `${HOPS}/homes/${home}/rooms`;
}

function modeOf({ setting }: Room): HvacMode {
  if (setting.power === "OFF") return "OFF";
  return setting.power === "ON" ? "HEAT" : "UNKNOWN";
}

/** A boost, and a hold that ends by itself, is neither of the two. */
function holdTypeOf({ manualControlTermination, boostMode }: Room): "PERMANENT" | "SCHEDULED" | null {
  if (boostMode !== null) return null;
  if (manualControlTermination === null) return "SCHEDULED";
  return manualControlTermination.type === "MANUAL" ? "PERMANENT" : null;
}
