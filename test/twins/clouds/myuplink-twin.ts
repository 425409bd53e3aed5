/** myUplink's cloud: systems with heat pumps, their points by number, and OAuth tokens. */
import type { Clock } from "../../../src/platform/ports/ports.ts";
import type { SimWebAnswer } from "../../../src/testing/network/sim-web.ts";
import { type AskedOfTwin, CloudTwin, jsonAnswer } from "./cloud-twin.ts";
import { TokenDesk } from "./token-desk.ts";

export interface MyUplinkTwinPoint {
  readonly parameterId: string;
  value: unknown;
  unit: string;
  isWritable?: boolean;
  /** As the device has them; in the value's own scale, or before it. */
  limits?: readonly [number, number];
  scale?: string;
  categories?: readonly string[];
}

export interface MyUplinkTwinDevice {
  readonly id: string;
  isConnected: boolean;
  readonly points: MyUplinkTwinPoint[];
}

/** A heat pump with a room sensor. */
export function heatPump(id: string): MyUplinkTwinDevice {
  const points: MyUplinkTwinPoint[] = [
    { parameterId: "40004", value: -9.3, unit: "°C", scale: "0.1" },
    { parameterId: "40033", value: 21.2, unit: "°C", scale: "0.1" },
    { parameterId: "40047", value: -32_768, unit: "°C", scale: "0.1" },
    { parameterId: "49994", value: 30, unit: "" },
    { parameterId: "47398", value: 20.5, unit: "°C", isWritable: true, limits: [50, 350], scale: "0.1" },
    { parameterId: "99000", value: "Hello", unit: "" },
  ];
  return { id, isConnected: true, points };
}

export class MyUplinkTwin extends CloudTwin {
  readonly hosts = ["api.myuplink.com"];
  readonly desk: TokenDesk;
  readonly devices = [heatPump("pump-1")];
  /** Whether the owner pays for commands. */
  hasPremium = true;
  /** When the points were read, wall-clock ms; null: as in the documentation's example. */
  measuredAtMs: number | null = null;

  constructor(clock: Clock) {
    super(clock);
    this.desk = new TokenDesk({ clock, accessMs: 3_600_000, refreshMs: null, rotates: true });
  }

  protected override answer({ method, url, json, form, request }: AskedOfTwin): SimWebAnswer {
    if (url.pathname === "/oauth/token") {
      const renewed =
        form.get("grant_type") === "refresh_token" ? this.desk.renew(form.get("refresh_token")) : this.desk.issue();
      return renewed === null ? jsonAnswer({ error: "invalid_grant" }, 400) : jsonAnswer(renewed);
    }
    if (!this.desk.accepts(request.headers["authorization"])) return { status: 401, body: "" };
    if (url.pathname === "/v2/systems/me") return this.#systems();
    const [, id] = /^\/v2\/devices\/([^/]+)\/points$/.exec(url.pathname) ?? [];
    const device = this.devices.find((each) => each.id === decodeURIComponent(id ?? ""));
    if (device === undefined) return jsonAnswer({ title: "Not Found" }, 404);
    if (method === "PATCH") return this.#patch(device, json as Readonly<Record<string, string>>);
    const wanted = url.searchParams.get("parameters")?.split(",");
    const points = device.points.filter(({ parameterId }) => wanted?.includes(parameterId) ?? true);
    return jsonAnswer(
      points.map((point) => details(point, this.measuredAtMs)),
      200,
      { "x-rate-limit-remaining": "7" },
    );
  }

  #systems(): SimWebAnswer {
    const devices = this.devices.map(({ id, isConnected }) => ({
      id,
      connectionState: isConnected ? "Connected" : "Disconnected",
      currentFwVersion: "9682R7",
      product: { serialNumber: `serial-${id}`, name: "F730 CU 3x400V" },
    }));
    const system = {
      systemId: "s-1",
      name: "Gotham City",
      securityLevel: "admin",
      hasAlarm: false,
      devices: [{ id: 5 }, ...devices],
    };
    return jsonAnswer({ page: 1, itemsPerPage: 100, numItems: 2, systems: [{ systemId: "odd" }, system] });
  }

  #patch({ points }: MyUplinkTwinDevice, wished: Readonly<Record<string, string>>): SimWebAnswer {
    if (!this.hasPremium) return jsonAnswer({ title: "Forbidden" }, 403);
    for (const [id, text] of Object.entries(wished)) {
      const point = points.find(({ parameterId }) => parameterId === id);
      if (point?.isWritable !== true || !Number.isFinite(Number(text)))
        return jsonAnswer({ title: "Bad Request" }, 400);
      point.value = Number(text);
    }
    return jsonAnswer(Object.fromEntries(Object.keys(wished).map((id) => [id, "modified"])));
  }
}

function details(
  { parameterId, value, unit, isWritable = false, limits, scale = "1", categories = [] }: MyUplinkTwinPoint,
  measuredAtMs: number | null,
): unknown {
  return {
    category: "F730 CU 3x400V",
    parameterId,
    parameterName: `Parameter ${parameterId}`,
    parameterUnit: unit,
    writable: isWritable,
    timestamp: measuredAtMs === null ? "2026-06-20T22:56:12+00:00" : new Date(measuredAtMs).toISOString(),
    value,
    strVal: `${String(value)}${unit}`,
    smartHomeCategories: categories,
    minValue: limits?.[0] ?? null,
    maxValue: limits?.[1] ?? null,
    stepValue: 1,
    enumValues: [],
    scaleValue: scale,
    zoneId: null,
  };
}
