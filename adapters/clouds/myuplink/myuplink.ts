import { type DeviceIdentity, MINUTE_MS, type PointName } from "hemgate/sdk";
import type {
  BudgetNews,
  CloudAnswer,
  CloudConnector,
  CloudControl,
  CloudDevice,
  CloudListing,
  CloudReading,
  CloudSession,
} from "../kit/connector.ts";
import { completed, isoMeasuredAt } from "../kit/device/completed-readings.ts";
import { type Hold, HoldWriter } from "../kit/device/hold-writer.ts";
import { parsed } from "../kit/device/parsed.ts";
import { CloudError } from "../kit/session/cloud-error.ts";
import { celsiusIn, HEAT_SETPOINT, isActive, PRIORITY, pointFor, ROOM, rangeOf } from "./parameters.ts";
import { type Device, type Point, Points, Systems } from "./schemas.ts";

const BASE = "https://api.myuplink.com";
const BUDGET = "requests";
const LIMIT = 10;
/** Whether devices are connected is asked for all of them at once, this often at most, ms. */
const SYSTEMS_MS = 10 * MINUTE_MS;
/** As frameworks of its kind write the header; the documentation names no number and no spelling. */
const LEFT_HEADERS = ["x-rate-limit-remaining", "x-ratelimit-remaining", "ratelimit-remaining"];

/**
 * myUplink: heat pumps of NIBE and of other makes of its group. Reading is free; commands want the owner's subscription
 * to "Premium Manage", without it they are forbidden.
 */
export const myuplink: CloudConnector = {
  id: "myuplink",
  vendors: ["NIBE"],
  types: ["hvac"],
  displayName: "NIBE myUplink",
  portalName: "myUplink",
  hosts: ["api.myuplink.com"],
  login: {
    kind: "code",
    authorizeUrl: `${BASE}/oauth/authorize`,
    tokenUrl: `${BASE}/oauth/token`,
    scopes: ["READSYSTEM", "WRITESYSTEM", "offline_access"],
    clientAuth: "body",
    hasPkce: true,
  },
  needsApp: true,
  budgets: [
    {
      name: BUDGET,
      limit: LIMIT,
      windowMs: 60_000,
      scope: "app",
      window: "sliding",
      reserved: { command: 3, login: 2 },
      source: "myUplink answers 429 and tells its count in headers; it publishes no number",
      confidence: "unverified",
    },
  ],
  pace: { active: 60_000, usual: 120_000, idle: 300_000 },
  budgetNews,
  list,
  open: openDevice,
};

/** Its window may be longer than ours: it can say less than our count, never more. */
function budgetNews({ headers }: CloudAnswer): readonly BudgetNews[] {
  const text = LEFT_HEADERS.map((name) => headers[name]).find((value) => value !== undefined && value !== "");
  const left = Number(text ?? Number.NaN);
  return Number.isFinite(left) && left < LIMIT ? [{ budget: BUDGET, left: Math.max(left, 0) }] : [];
}

interface ListedDevice {
  readonly device: Device;
  readonly systemName: string | null;
}

function devicesOf(session: CloudSession, signal: AbortSignal): Promise<ReadonlyMap<string, ListedDevice>> {
  const fetch = async (limited: AbortSignal) => {
    const query = { page: "1", itemsPerPage: "100" };
    const answer = await session.ask({ method: "GET", url: `${BASE}/v2/systems/me`, query }, limited);
    const { systems } = parsed(Systems, answer, "GET systems");
    const found = systems.flatMap(({ name, devices }) =>
      devices.map((device) => [device.id, { device, systemName: name }] as const),
    );
    return new Map(found);
  };
  return session.shared("systems", SYSTEMS_MS, fetch, signal);
}

async function list(session: CloudSession, signal: AbortSignal): Promise<readonly CloudListing[]> {
  return [...(await devicesOf(session, signal))].map(([key, { device, systemName }]) => ({
    key,
    types: ["hvac"],
    name: systemName,
    model: device.product?.name ?? null,
    detail: device.product?.serialNumber ?? null,
  }));
}

async function openDevice(session: CloudSession, key: string, signal: AbortSignal): Promise<CloudDevice> {
  const listed = (await devicesOf(session, signal)).get(key);
  if (listed === undefined) throw new CloudError("refused", `the account has no device ${key} any more`);
  return new MyUplinkDevice(session, listed, await pointsOf(session, key, [], signal));
}

/** The named points of a device; all of them for no name. */
async function pointsOf(
  session: CloudSession,
  key: string,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<readonly Point[]> {
  const query = ids.length === 0 ? {} : { parameters: ids.join(",") };
  const answer = await session.ask({ method: "GET", url: pointsUrl(key), query }, signal);
  return parsed(Points, answer, "GET points");
}

function pointsUrl(key: string): string {
  return `${BASE}/v2/devices/${encodeURIComponent(key)}/points`;
}

class MyUplinkDevice implements CloudDevice {
  readonly identity: DeviceIdentity;
  readonly points: readonly PointName[];
  readonly controls: readonly CloudControl[];
  readonly cost = { [BUDGET]: 1.2 };
  readonly #session: CloudSession;
  readonly #key: string;
  /** Of what the device has, what is read. */
  readonly #ids: readonly string[];
  readonly #setpointId: string | null;
  readonly #writer: HoldWriter;

  constructor(session: CloudSession, { device, systemName }: ListedDevice, points: readonly Point[]) {
    this.#session = session;
    this.#key = device.id;
    const setpoint = pointFor(points, HEAT_SETPOINT);
    const [room, priority] = [pointFor(points, ROOM), pointFor(points, PRIORITY)];
    this.#setpointId = setpoint?.parameterId ?? null;
    this.#ids = [room, setpoint, priority].flatMap((point) => point?.parameterId ?? []);
    this.identity = identityOf(device, systemName);
    this.points = [
      ...(setpoint === null ? [] : (["hvac.mode", "hvac.heatSetpoint"] as const)),
      "hvac.temperature",
      ...(priority === null ? [] : (["hvac.isActive"] as const)),
    ];
    this.controls = controlsOf(setpoint);
    const { clock } = session;
    this.#writer = new HoldWriter({ clock, controls: this.controls, send: (hold, signal) => this.#send(hold, signal) });
  }

  async read(signal: AbortSignal): Promise<readonly CloudReading[]> {
    const listed = (await devicesOf(this.#session, signal)).get(this.#key);
    const isConnected = listed?.device.connectionState === "Connected";
    const asked = isConnected && this.#ids.length > 0;
    const points = asked ? await pointsOf(this.#session, this.#key, this.#ids, signal) : [];
    return completed(this.points, readingsOf(points));
  }

  async write(...[point, value, signal]: Parameters<CloudDevice["write"]>): Promise<void> {
    await this.#writer.write(point, value, "HEAT", signal);
  }

  tempo() {
    return this.#writer.tempo();
  }

  async #send(hold: Hold, signal: AbortSignal): Promise<void> {
    if (hold.mode !== "HEAT" || this.#setpointId === null) throw new CloudError("refused", "it takes a setpoint only");
    const json = { [this.#setpointId]: String(hold.heat) };
    const request = { method: "PATCH", url: pointsUrl(this.#key), body: { json }, purpose: "command" } as const;
    await this.#session.ask(request, signal);
  }
}

function identityOf({ product, currentFwVersion }: Device, name: string | null): DeviceIdentity {
  return {
    manufacturer: "NIBE",
    model: product?.name ?? null,
    serial: product?.serialNumber ?? null,
    version: currentFwVersion,
    name,
    category: "HEAT_PUMP",
  };
}

/** A heat pump with a room sensor heats below its setpoint as long as its own rules let it; it has no other mode. */
function controlsOf(setpoint: Point | null): readonly CloudControl[] {
  const range = rangeOf(setpoint);
  if (range === null) return [];
  const caveat = "The pump follows the room's setpoint within its heating curve; it heats when its season lets it.";
  const keeps = { holdMs: null, safeDefault: null, caveat, confidence: "unverified" } as const;
  return [
    { point: "hvac.mode", values: ["HEAT"], ...keeps },
    { point: "hvac.heatSetpoint", range, ...keeps },
  ];
}

function readingsOf(points: readonly Point[]): readonly CloudReading[] {
  const [room, setpoint, priority] = [
    pointFor(points, ROOM),
    pointFor(points, HEAT_SETPOINT),
    pointFor(points, PRIORITY),
  ];
  const heatSetpoint = celsiusIn(setpoint);
  return [
    { point: "hvac.mode", value: heatSetpoint === null ? null : "HEAT" },
    { point: "hvac.heatSetpoint", value: heatSetpoint },
    { point: "hvac.temperature", value: celsiusIn(room), ...isoMeasuredAt(room?.timestamp) },
    { point: "hvac.isActive", value: isActive(priority), ...isoMeasuredAt(priority?.timestamp) },
  ];
}
