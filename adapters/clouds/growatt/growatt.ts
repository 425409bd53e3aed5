/**
 * Growatt through its OpenAPI v1, with a token that the owner makes in the ShinePhone app. Source: PyPi_GrowattServer,
 * its documents and code; nobody has compared this with a plant. Hybrid inverters of the families MIN and SPH are read
 * one by one, other plants by their overview. Answers carry times of the plant's zone that cannot be placed, so values
 * are as old as the logger's pace: five minutes.
 */
import { HOUR_MS, type LinkableType, MINUTE_MS } from "hemgate/sdk";
import type { Ask, CloudAnswer, CloudConnector, CloudListing, CloudSession, Grant } from "../kit/connector.ts";
import { extra } from "../kit/device/extra.ts";
import { parsed } from "../kit/device/parsed.ts";
import { refusing } from "../kit/login/refused-login.ts";
import { CloudError, type CloudErrorKind } from "../kit/session/cloud-error.ts";
import { ofEach } from "../kit/session/of-each.ts";
import { lastData, openInverter } from "./inverter.ts";
import { BUDGETS, get } from "./open-api.ts";
import { GrowattPlant } from "./plant.ts";
import { type Device, Devices, Outcome, type Plant, Plants } from "./schemas.ts";
import { equipmentOf, FAMILIES, type Family } from "./telemetry.ts";

const SERVER = /^(?:https:\/\/)?(openapi(?:-us|-cn)?\.growatt\.com)(?:[/:]|$)/;
const MAX_PLANTS = 5;
const PLANT_KEY = "plant ";
const FOUND_KEY = "found";
const PACE = { active: MINUTE_MS, usual: 5 * MINUTE_MS, idle: 6 * MINUTE_MS } as const;

const CODES: Readonly<Record<number, CloudErrorKind>> = {
  10001: "unavailable",
  10011: "forbidden",
  10012: "rate-limited",
};

export const growatt: CloudConnector = {
  id: "growatt",
  vendors: ["GROWATT"],
  types: ["inverter", "meter", "battery"],
  displayName: "Growatt",
  portalName: "ShinePhone",
  hosts: ["openapi.growatt.com", "openapi-us.growatt.com", "openapi-cn.growatt.com"],
  login: {
    kind: "form",
    keepsForm: false,
    fields: [
      {
        name: "token",
        kind: "api-key",
        hint: {
          "en-US": "In the ShinePhone app: Me, your name, API Token.",
          "de-DE": "In der App ShinePhone: Ich, Ihr Name, API-Token.",
        },
      },
      {
        name: "server",
        kind: "text",
        initial: "openapi.growatt.com",
        label: { "en-US": "Server", "de-DE": "Server" },
        hint: {
          "en-US": "North America: openapi-us.growatt.com. China: openapi-cn.growatt.com.",
          "de-DE": "Nordamerika: openapi-us.growatt.com. China: openapi-cn.growatt.com.",
        },
      },
    ],
    signIn,
  },
  needsApp: false,
  budgets: BUDGETS,
  pace: PACE,
  authorize: (request, { access }) => ({ ...request, headers: { ...request.headers, token: access } }),
  errorOf,

  async list(session, signal) {
    const listings: CloudListing[] = [];
    for (const found of await foundOf(session, signal)) {
      const types = found.kind === "plant" ? (["inverter"] as const) : await typesOf(session, found, signal);
      const { plant, key } = found;
      const [model, detail] = found.kind === "plant" ? [null, null] : [found.device.model, found.device.device_sn];
      listings.push({ key, types, name: plant.name, model, detail });
    }
    return listings;
  },

  async open(session, key, signal) {
    const found = (await foundOf(session, signal)).find((one) => one.key === key);
    if (found === undefined) throw new CloudError("refused", `the Growatt account has no ${key} any more`);
    if (found.kind === "plant") return new GrowattPlant(session, found.plant);
    const { family, device } = found;
    try {
      return await openInverter({ session, family, device, usualMs: PACE.usual }, signal);
    } catch (error) {
      // No permission for the device, or a token that is good no more: the list of plants tells which.
      if (error instanceof CloudError && error.kind === "forbidden") await plantsOf(session.ask, session.extra, signal);
      throw error;
    }
  },
};

type Found = { readonly key: string; readonly plant: Plant } & (
  | { readonly kind: "plant" }
  | { readonly kind: "inverter"; readonly family: Family; readonly device: Device }
);

async function signIn(
  { token = "", server: typed = "" }: Readonly<Record<string, string>>,
  { ask }: { readonly ask: Ask },
  signal: AbortSignal,
): Promise<Grant> {
  const server = SERVER.exec(typed.trim().toLowerCase())?.[1];
  if (server === undefined) throw new CloudError("login-refused", "that is no server of Growatt's interface");
  const access = token.trim();
  const own: Ask = (request, inner) => ask({ ...request, headers: { token: access }, purpose: "login" }, inner);
  await refusing(() => plantsOf(own, { server }, signal), ["refused"]);
  return { access, refresh: null, expiresAtMs: null, extra: { server } };
}

function errorOf({ status, body }: CloudAnswer): CloudErrorKind | null {
  const outcome = Outcome.safeParse(body);
  if (status >= 400 || !outcome.success || outcome.data.error_code === 0) return null;
  return CODES[outcome.data.error_code] ?? "refused";
}

/** A token that may not list plants is no longer valid: any valid token may list its own. */
async function plantsOf(
  ask: Ask,
  place: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<readonly Plant[]> {
  const request = get(place, "plant/list", { page: "1", perpage: "100" });
  const answer = await refusing(() => ask(request, signal), ["forbidden"]);
  return parsed(Plants, answer, "plant/list").data.plants.slice(0, MAX_PLANTS);
}

function foundOf(session: CloudSession, signal: AbortSignal): Promise<readonly Found[]> {
  const fetch = async (inner: AbortSignal) => {
    const plants = await plantsOf(session.ask, session.extra, inner);
    const { found, isWhole } = await ofEach(plants, (plant) => foundAt(session, plant, inner));
    // What is missing is asked for at the next time, too.
    if (!isWhole) session.outdate(FOUND_KEY);
    return found.flat();
  };
  return session.shared(FOUND_KEY, HOUR_MS, fetch, signal);
}

async function foundAt(session: CloudSession, plant: Plant, signal: AbortSignal): Promise<readonly Found[]> {
  const { plant_id: id } = plant;
  const query = { plant_id: id, page: "1", perpage: "100" };
  const answer = await session.ask(get(session.extra, "device/list", query), signal);
  const inverters = parsed(Devices, answer, "device/list").data.devices.flatMap((device) => {
    const family = FAMILIES.find(({ type }) => type === device.type);
    return family === undefined ? [] : [{ kind: "inverter", key: device.device_sn, plant, family, device } as const];
  });
  return inverters.length > 0 ? inverters : [{ kind: "plant", key: `${PLANT_KEY}${id}`, plant }];
}

async function typesOf(
  session: CloudSession,
  { family, device }: { readonly family: Family; readonly device: Device },
  signal: AbortSignal,
): Promise<readonly LinkableType[]> {
  const serial = device.device_sn;
  const fetch = (inner: AbortSignal) => lastData(session, family, serial, inner);
  const fields = await extra(session, `types ${serial}`, HOUR_MS, fetch, signal);
  const { hasMeter, hasBattery } = equipmentOf(fields ?? new Map(), family);
  return ["inverter", ...(hasMeter ? (["meter"] as const) : []), ...(hasBattery ? (["battery"] as const) : [])];
}
