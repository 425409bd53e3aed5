/**
 * Huawei's FusionSolar through its northbound interface, read only. Sources: HomeAssistant-FusionSolar for resources,
 * units and codes, FusionSolarPy; the sign of meters is not documented (`meter-sign.ts`), and nobody has compared this
 * with a plant. The account is one that the installer makes for the interface, with a right to each type of device. It
 * has one session: another sign-in with it ends ours.
 */

import { MINUTE_MS } from "hemgate/sdk";
import type { CloudAnswer, CloudConnector, CloudSession } from "../kit/connector.ts";
import { fitting, parsed } from "../kit/device/parsed.ts";
import { CloudError, type CloudErrorKind } from "../kit/session/cloud-error.ts";
import { SharedReads } from "../kit/session/shared-reads.ts";
import { DeviceData } from "./device-data.ts";
import { isRead } from "./device-types.ts";
import { BUDGETS, post } from "./northbound.ts";
import { PlantDevices } from "./plant-devices.ts";
import { List, OldStation, Outcome, type Station, Stations } from "./schemas.ts";
import { HuaweiStation, ROUND_KEY } from "./station.ts";

/** A session that nobody uses ends about then; a new one in time costs no request that fails. */
const SESSION_MS = 30 * MINUTE_MS;
const PORTAL = /^(?:https:\/\/)?([a-z0-9-]{2,20}\.fusionsolar\.huawei\.com)(?:[/:]|$)/;

const CODES: Readonly<Record<number, CloudErrorKind>> = {
  305: "expired",
  401: "forbidden",
  407: "rate-limited",
  429: "rate-limited",
  20400: "login-refused",
};

export const huawei: CloudConnector = {
  id: "huawei-fusionsolar",
  vendors: ["HUAWEI"],
  types: ["inverter", "battery", "meter"],
  displayName: "Huawei",
  portalName: "FusionSolar",
  hosts: ["*.fusionsolar.huawei.com"],
  login: {
    kind: "form",
    keepsForm: true,
    fields: [
      {
        name: "portal",
        kind: "text",
        initial: "eu5.fusionsolar.huawei.com",
        label: { "en-US": "Address of your portal", "de-DE": "Adresse Ihres Portals" },
        hint: {
          "en-US": "As the browser shows it once you are signed in to FusionSolar.",
          "de-DE": "Wie der Browser sie nach der Anmeldung bei FusionSolar zeigt.",
        },
      },
      {
        name: "userName",
        kind: "username",
        hint: {
          "en-US": "An account for the northbound interface; your installer makes it. Use it for nothing else.",
          "de-DE": "Ein Konto für die Northbound-Schnittstelle; Ihr Installateur legt es an. Nutzen Sie es nur hier.",
        },
      },
      { name: "systemCode", kind: "password" },
    ],
    async signIn({ portal: typed = "", userName = "", systemCode = "" }, { ask, nowMs }, signal) {
      const portal = PORTAL.exec(typed.trim().toLowerCase())?.[1];
      if (portal === undefined) throw new CloudError("login-refused", "that is no address of FusionSolar");
      const request = post({ portal }, "login", { userName: userName.trim(), systemCode });
      const { headers } = await ask({ ...request, purpose: "login" }, signal);
      const access = headers["xsrf-token"] ?? "";
      if (access === "") throw new CloudError("malformed", "FusionSolar's login gave no xsrf-token");
      const user = `${userName.trim().toLowerCase()} at ${portal}`;
      return { access, refresh: null, expiresAtMs: nowMs() + SESSION_MS, extra: { portal, user } };
    },
  },
  needsApp: false,
  budgets: BUDGETS,
  // A plant has a new value every five minutes; with three types of devices each has its turn in that time.
  pace: { active: 100_000, usual: 100_000, idle: 300_000 },
  authorize: (request, { access }) => ({ ...request, headers: { ...request.headers, "xsrf-token": access } }),
  errorOf,

  // One list each: opening follows at once, and no list may be asked for again within the minute.
  async list(session, signal) {
    const stations = await stationsOf(session, signal);
    return stations.map(({ plantCode: key, plantName: name }) => ({
      key,
      types: ["inverter", "battery", "meter"],
      name,
      model: null,
      detail: key,
    }));
  },

  async open(session, key, signal) {
    const plants = await session.shared(
      "plants",
      Number.POSITIVE_INFINITY,
      async () => new PlantDevices(session),
      signal,
    );
    const devices = await plants.of(key, signal);
    if (!devices.some(isRead)) throw new CloudError("refused", `the FusionSolar account sees no devices of ${key}`);
    const make = async () => new DeviceData(session);
    const data = await session.shared("device data", Number.POSITIVE_INFINITY, make, signal);
    data.cover(devices);
    const reads = await SharedReads.join(session, { key: ROUND_KEY, device: key }, signal);
    return new HuaweiStation({ session, devices, data, reads });
  },
};

function errorOf({ status, body }: CloudAnswer): CloudErrorKind | null {
  const outcome = Outcome.safeParse(body);
  if (status >= 400 || !outcome.success || outcome.data.failCode === 0) return null;
  return CODES[outcome.data.failCode] ?? "refused";
}

async function stationsOf(session: CloudSession, signal: AbortSignal): Promise<readonly Station[]> {
  try {
    const answer = await session.ask(post(session.extra, "stations", { pageNo: 1 }), signal);
    return parsed(Stations, answer, "stations").data.list;
  } catch (error) {
    const isMissing = error instanceof CloudError && (error.kind === "forbidden" || error.kind === "refused");
    if (!isMissing) throw error;
    const answer = await session.ask(post(session.extra, "getStationList", {}), signal);
    const old = fitting(OldStation, parsed(List, answer, "getStationList").data);
    return old.map(({ stationCode, stationName }) => ({ plantCode: stationCode, plantName: stationName }));
  }
}
