/** Zaptec's chargers. Sources: docs.zaptec.com (fair use), custom-components/zaptec, evcc's charger/zaptec, stekker/zaptec. */
import { SECOND_MS, z } from "hemgate/sdk";
import type { BudgetRule, CloudAnswer, CloudConnector, CloudSession } from "../kit/connector.ts";
import { listOf, parsed } from "../kit/device/parsed.ts";
import { refusing } from "../kit/login/refused-login.ts";
import { type AccountList, entriesOf, entryOf } from "../kit/session/account-list.ts";
import type { CloudErrorKind } from "../kit/session/cloud-error.ts";
import { API, ListedCharger, modelOf, openCharger } from "./charger.ts";
import { circuitLimitA } from "./installation.ts";

const TOKEN_URL = "https://api.zaptec.com/oauth/token";
const PAGE_SIZE = 100;
const MAX_PAGES = 10;
/** Owner and user (`UserRoles`): chargers that the login only services are not its own. */
const ROLES = "3";

const Token = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() });
const Page = z.object({ Pages: z.number().int().nonnegative(), Data: listOf(ListedCharger) });
const Problem = z.union([z.object({ Code: z.number() }), z.object({ code: z.number() })]);

/** `ErrorCodes` of the constants; they come with HTTP 500, as a failure of Zaptec's own does. */
const CODES: Readonly<Record<number, CloudErrorKind>> = {
  519: "refused",
  520: "asleep",
  526: "refused",
  527: "refused",
  528: "refused",
  533: "forbidden",
  538: "refused",
  539: "refused",
};

const BUDGETS: readonly BudgetRule[] = [
  {
    name: "requests",
    limit: 10,
    windowMs: SECOND_MS,
    scope: "account",
    window: "sliding",
    reserved: { command: 4, login: 1 },
    source: "docs.zaptec.com, API fair use policy: 10 requests per second and account",
    confidence: "documented",
  },
];

const CHARGERS: AccountList<ListedCharger> = {
  brand: "Zaptec",
  one: "charger",
  keyOf: ({ Id }) => Id,
  fetch: fetchChargers,
};

export const zaptec: CloudConnector = {
  id: "zaptec",
  vendors: ["ZAPTEC"],
  types: ["charger"],
  displayName: "Zaptec",
  portalName: "Zaptec Portal",
  hosts: ["api.zaptec.com"],
  login: {
    kind: "form",
    fields: [
      { name: "username", kind: "username" },
      { name: "password", kind: "password" },
    ],
    // A password grant whose token lasts a day; it is done again with what was typed, as Zaptec's clients do.
    keepsForm: true,
    async signIn({ username = "", password = "" }, { ask, nowMs }, signal) {
      const form = { grant_type: "password", scope: "openid", username, password };
      const request = { method: "POST", url: TOKEN_URL, body: { form }, purpose: "login" } as const;
      const answer = await refusing(() => ask(request, signal), ["refused", "expired"]);
      const { access_token: access, expires_in: lifeS } = parsed(Token, answer, `POST ${TOKEN_URL}`);
      return { access, refresh: null, expiresAtMs: nowMs() + lifeS * SECOND_MS };
    },
  },
  needsApp: false,
  budgets: BUDGETS,
  // Every minute while a vehicle is plugged in, as custom-components/zaptec does; the stream is a message bus of Azure's.
  pace: { active: 15_000, usual: 60_000, idle: 180_000 },
  errorOf,
  async list(session, signal) {
    return (await entriesOf(session, CHARGERS, signal)).map((charger) => ({
      key: charger.Id,
      types: ["charger"],
      name: charger.Name,
      model: modelOf(charger),
      detail: charger.DeviceId,
    }));
  },
  async open(session, key, signal) {
    const charger = await entryOf(session, CHARGERS, key, signal);
    const circuit = { installationId: charger.InstallationId, chargerId: charger.Id };
    return openCharger(session, charger, await circuitLimitA(session, circuit, signal), signal);
  },
};

async function fetchChargers(session: CloudSession, signal: AbortSignal): Promise<readonly ListedCharger[]> {
  const url = `${API}/chargers`;
  const found: ListedCharger[] = [];
  for (let index = 0; index < MAX_PAGES; index += 1) {
    const query = { Roles: ROLES, PageIndex: String(index), PageSize: String(PAGE_SIZE) };
    const page = parsed(Page, await session.ask({ method: "GET", url, query }, signal), `GET ${url}`);
    found.push(...page.Data);
    if (index + 1 >= page.Pages) break;
  }
  return found;
}

function errorOf({ status, body }: CloudAnswer): CloudErrorKind | null {
  if (status < 400) return null;
  const problem = Problem.safeParse(body);
  if (!problem.success) return null;
  return CODES["Code" in problem.data ? problem.data.Code : problem.data.code] ?? null;
}
