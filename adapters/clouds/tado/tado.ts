import { DAY_MS, MINUTE_MS } from "hemgate/sdk";
import type { BudgetNews, CloudAnswer, CloudConnector, CloudListing, CloudSession } from "../kit/connector.ts";
import { CloudError } from "../kit/session/cloud-error.ts";
import { ofEach } from "../kit/session/of-each.ts";
import { BUDGET, TadoAccount } from "./account.ts";
import { LISTED_MS, openRoom, roomsOf } from "./room.ts";
import { openZone, zonesOf } from "./zone.ts";

const KEY = /^(?<home>\d+)\/(?<kind>zone|room)\/(?<id>\d+)$/;

/**
 * tado°: rooms with their valves, thermostats and air conditioners, one device each. There is no interface that tado
 * documents; this one is what tado's own help names for third parties, as open-source clients know it
 * (erwindouna/python-tado, wmalgadey/PyTado, kritsel/tado-openapispec-v2). It has no power readings.
 */
export const tado: CloudConnector = {
  id: "tado",
  vendors: ["TADO"],
  types: ["hvac"],
  displayName: "tado°",
  portalName: "tado°",
  hosts: ["login.tado.com", "my.tado.com", "hops.tado.com"],
  login: {
    kind: "device-code",
    deviceUrl: "https://login.tado.com/oauth2/device_authorize",
    tokenUrl: "https://login.tado.com/oauth2/token",
    scopes: ["offline_access"],
    // tado's help gives it for everybody's own scripts: "How do I authenticate to access the REST API?"
    publicClientId: "1bb50063-6b0c-4d11-bd99-387f4a91cc46",
  },
  needsApp: false,
  budgets: [
    {
      name: BUDGET,
      limit: 100,
      windowMs: DAY_MS,
      scope: "account",
      window: "sliding",
      reserved: { command: 20, login: 0 },
      // Each poll may need a new token, which login.tado.com gives: the API's headers do not count that.
      isWithoutLogins: true,
      source: "tado help 12165739: 100 a day without Auto-Assist; answers' headers tell an account's own, up to 20,000",
      confidence: "documented",
    },
  ],
  pace: { active: 2 * MINUTE_MS, usual: 5 * MINUTE_MS, idle: 20 * MINUTE_MS },
  budgetNews,
  list,
  open: openDevice,
};

/**
 * `RateLimit-Policy: "perday";q=100;w=86400` and `RateLimit: "perday";r=15;t=43200`; `t` comes only once none are left. It
 * counts a day that begins at an undocumented hour, and reports only `r`.
 */
function budgetNews({ headers }: CloudAnswer): readonly BudgetNews[] {
  const limit = parameter("q", headers["ratelimit-policy"]);
  const left = parameter("r", headers["ratelimit"]);
  const resetsInS = parameter("t", headers["ratelimit"]);
  if (limit === null && left === null) return [];
  return [
    {
      budget: BUDGET,
      ...(limit === null ? {} : { limit }),
      ...(left === null ? {} : { left, isItsCount: true }),
      ...(resetsInS === null ? {} : { resetsInMs: resetsInS * 1_000 }),
    },
  ];
}

function parameter(name: string, header: string | undefined): number | null {
  const text = header?.split(";").find((part) => part.trim().startsWith(`${name}=`));
  const value = Number(text?.split("=")[1] ?? Number.NaN);
  return Number.isFinite(value) ? value : null;
}

async function list(session: CloudSession, signal: AbortSignal): Promise<readonly CloudListing[]> {
  const account = new TadoAccount(session);
  const { found } = await ofEach(await account.homes(signal), async ({ id: home, isX }) => {
    const zones = isX ? await roomsOf(account, home, LISTED_MS, signal) : await zonesOf(account, home, signal);
    return zones.map((zone): CloudListing => {
      const [device] = "devices" in zone ? zone.devices : [];
      const key = `${home}/${isX ? "room" : "zone"}/${zone.id}`;
      const model = device?.deviceType ?? null;
      return { key, types: ["hvac"], name: zone.name, model, detail: device?.serialNo ?? null };
    });
  });
  return found.flat();
}

async function openDevice(session: CloudSession, key: string, signal: AbortSignal) {
  const { home, kind, id } = KEY.exec(key)?.groups ?? {};
  if (kind === undefined) throw new CloudError("refused", `${key} is no zone of tado's`);
  const open = kind === "room" ? openRoom : openZone;
  return await open(session, new TadoAccount(session), { home: Number(home), id: Number(id) }, signal);
}
