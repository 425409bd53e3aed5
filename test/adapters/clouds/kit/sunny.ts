/** A made-up cloud of chargers, Sunny, that people sign in to in every way, and the connector for it. */
import { hash } from "node:crypto";
import type {
  CloudConnector,
  CloudDevice,
  CloudLogin,
  CloudSession,
  Grant,
} from "../../../../adapters/clouds/kit/connector.ts";
import { parsed } from "../../../../adapters/clouds/kit/device/parsed.ts";
import { CloudError } from "../../../../adapters/clouds/kit/session/cloud-error.ts";
import type { Clock } from "../../../../src/platform/ports/ports.ts";
import { z } from "../../../../src/sdk/index.ts";
import type { SimWebAnswer } from "../../../../src/testing/network/sim-web.ts";
import { type AskedOfTwin, CloudTwin, jsonAnswer } from "../../../twins/clouds/cloud-twin.ts";
import { TokenDesk } from "../../../twins/clouds/token-desk.ts";

const BASE = "https://api.sunny.example";
const SCOPE = "read write";

interface SunnyCharger {
  readonly name: string;
  power: number;
  amps: number;
}

export class SunnyTwin extends CloudTwin {
  readonly hosts = ["api.sunny.example"];
  readonly desk: TokenDesk;
  readonly chargers: Record<string, SunnyCharger> = {
    "c-1": { name: "Garage", power: 7_400, amps: 16 },
    "c-2": { name: "Carport", power: 0, amps: 10 },
  };
  password = "sunshine";
  /** Null: no second factor. */
  secondFactor: string | null = null;
  /** `none`: nobody looked at the device code yet. */
  entered: "none" | "yes" | "denied" | "expired" = "none";
  /** How often the next polls for a device code are told to slow down. */
  slowDowns = 0;
  /** What the browser brought to the authorization page last. */
  authorized: URL | null = null;

  constructor(clock: Clock, desk: Partial<ConstructorParameters<typeof TokenDesk>[0]> = {}) {
    super(clock);
    this.desk = new TokenDesk({ clock, accessMs: 3_600_000, refreshMs: null, rotates: true, ...desk });
  }

  /** The person signs in on the vendor's page; answers the query that the browser comes back with. */
  authorize(url: string): Readonly<Record<string, string>> {
    this.authorized = new URL(url);
    return { code: "good", state: this.authorized.searchParams.get("state") ?? "" };
  }

  asks(path: string): number {
    return this.asked.filter(({ url }) => url.pathname === path).length;
  }

  protected answer(asked: AskedOfTwin): SimWebAnswer {
    const { pathname } = asked.url;
    if (pathname === "/login") return this.#login(asked);
    if (pathname === "/device") return this.#deviceCode();
    if (pathname === "/token") return this.#token(asked.form);
    if (!this.desk.accepts(asked.request.headers["authorization"])) return jsonAnswer({}, 401);
    if (pathname === "/chargers") {
      return jsonAnswer(Object.entries(this.chargers).map(([id, charger]) => ({ id, ...charger })));
    }
    const [, id = ""] = /^\/chargers\/([^/]+)\/amps$/.exec(pathname) ?? [];
    const charger = this.chargers[id];
    if (charger === undefined) return jsonAnswer({}, 404);
    charger.amps = z.object({ amps: z.number() }).parse(asked.json).amps;
    return { status: 202 };
  }

  #login({ json }: AskedOfTwin): SimWebAnswer {
    const { user, password, code } = z
      .object({ user: z.string(), password: z.string(), code: z.string().optional() })
      .parse(json);
    if (user !== "anna" || password !== this.password) return jsonAnswer({}, 401);
    if (this.secondFactor !== null && code === undefined) return jsonAnswer({ challenge: "app" });
    if (this.secondFactor !== null && code !== this.secondFactor) return jsonAnswer({}, 401);
    return jsonAnswer(this.desk.issue());
  }

  #deviceCode(): SimWebAnswer {
    const verification_uri = "https://sunny.example/enter";
    return jsonAnswer({ device_code: "dev-1", user_code: "WDJB", verification_uri, expires_in: 300, interval: 5 });
  }

  #token(form: URLSearchParams): SimWebAnswer {
    switch (form.get("grant_type")) {
      case "authorization_code":
        return this.#isProven(form) ? jsonAnswer(this.desk.issue()) : jsonAnswer({ error: "invalid_grant" }, 400);
      case "refresh_token": {
        const renewed = this.desk.renew(form.get("refresh_token"));
        return renewed === null ? jsonAnswer({ error: "invalid_grant" }, 400) : jsonAnswer(renewed);
      }
      default:
        return this.#poll();
    }
  }

  #poll(): SimWebAnswer {
    if (this.slowDowns > 0) {
      this.slowDowns -= 1;
      return jsonAnswer({ error: "slow_down" }, 400);
    }
    if (this.entered === "yes") return jsonAnswer(this.desk.issue());
    const errors = { none: "authorization_pending", denied: "access_denied", expired: "expired_token" };
    return jsonAnswer({ error: errors[this.entered] }, 400);
  }

  #isProven(form: URLSearchParams): boolean {
    const asked = this.authorized?.searchParams;
    const challenge = hash("sha256", form.get("code_verifier") ?? "", "base64url");
    return (
      form.get("code") === "good" &&
      asked?.get("code_challenge") === challenge &&
      asked.get("code_challenge_method") === "S256" &&
      asked.get("redirect_uri") === form.get("redirect_uri")
    );
  }
}

const Tokens = z.object({ access_token: z.string(), refresh_token: z.string(), expires_in: z.number() });
const Challenge = z.object({ challenge: z.string() });
const Chargers = z.array(z.object({ id: z.string(), name: z.string(), power: z.number(), amps: z.number() }));

const PASSWORD_LOGIN: CloudLogin = {
  kind: "form",
  fields: [
    { name: "user", kind: "username" },
    { name: "password", kind: "password" },
  ],
  keepsForm: true,
  async signIn(form, { ask, nowMs }, signal) {
    const answer = await ask(
      { method: "POST", url: `${BASE}/login`, purpose: "login", body: { json: form } },
      signal,
    ).catch((error: unknown) => {
      if (!(error instanceof CloudError) || error.kind !== "expired") throw error;
      throw new CloudError("login-refused", "Sunny does not take these", { cause: error });
    });
    if (Challenge.safeParse(answer.body).success)
      return { more: [{ name: "code", kind: "code" }], keep: { how: "app" } };
    const { access_token, expires_in } = parsed(Tokens, answer, "login");
    const grant: Grant = { access: access_token, refresh: null, expiresAtMs: nowMs() + expires_in * 1_000 };
    return grant;
  },
};

export const SUNNY_LOGINS: Readonly<Record<CloudLogin["kind"], CloudLogin>> = {
  code: {
    kind: "code",
    authorizeUrl: "https://sunny.example/authorize?brand=sunny",
    tokenUrl: `${BASE}/token`,
    scopes: SCOPE.split(" "),
    clientAuth: "basic",
    hasPkce: true,
    authorizeParameters: { prompt: "login" },
  },
  "device-code": {
    kind: "device-code",
    deviceUrl: `${BASE}/device`,
    tokenUrl: `${BASE}/token`,
    scopes: SCOPE.split(" "),
    publicClientId: "public",
  },
  form: PASSWORD_LOGIN,
};

/** The connector, with a login of the kind, and as much budget as a test wants. */
export function sunny(kind: CloudLogin["kind"], change: Partial<CloudConnector> = {}): CloudConnector {
  return {
    id: "sunny",
    vendors: ["EASEE"],
    types: ["charger"],
    displayName: "Sunny",
    portalName: "Sunny app",
    hosts: ["api.sunny.example", "sunny.example"],
    login: SUNNY_LOGINS[kind],
    needsApp: kind === "code",
    budgets: [
      {
        name: "day",
        limit: 5_000,
        windowMs: 86_400_000,
        scope: "account",
        window: "sliding",
        reserved: { command: 20, login: 5 },
        source: "made up",
        confidence: "documented",
      },
    ],
    pace: { active: 30_000, usual: 60_000, idle: 120_000 },
    async list(session, signal) {
      const chargers = await chargersOf(session, signal);
      return chargers.map(({ id, name }) => ({ key: id, types: ["charger"], name, model: "Sun 11", detail: id }));
    },
    async open(session, key, signal) {
      const charger = (await chargersOf(session, signal)).find(({ id }) => id === key);
      if (charger === undefined) throw new CloudError("refused", `Sunny has no charger ${key}`);
      return new SunnyDevice(session, key, charger.name);
    },
    ...change,
  };
}

class SunnyDevice implements CloudDevice {
  readonly identity;
  readonly points = ["charger.power", "charger.maxCurrent"] as const;
  readonly controls = [
    {
      point: "charger.maxCurrent",
      range: { min: 6, max: 16 },
      holdMs: null,
      safeDefault: "as-found",
      confidence: "documented",
    },
    { point: "charger.enabled", values: [true, false], holdMs: null, safeDefault: null, confidence: "unverified" },
  ] as const;
  readonly cost = { day: 0.5 };
  readonly #session: CloudSession;
  readonly #key: string;

  constructor(session: CloudSession, key: string, name: string) {
    this.#session = session;
    this.#key = key;
    this.identity = { manufacturer: "Sunny", model: "Sun 11", serial: key, version: null, name };
  }

  async read(signal: AbortSignal) {
    const own = (await chargersOf(this.#session, signal)).find(({ id }) => id === this.#key);
    return [
      { point: "charger.power" as const, value: own?.power ?? null },
      { point: "charger.maxCurrent" as const, value: own?.amps ?? null },
    ];
  }

  async write(_point: string, amps: unknown, signal: AbortSignal) {
    const url = `${BASE}/chargers/${this.#key}/amps`;
    await this.#session.ask({ method: "POST", url, purpose: "command", body: { json: { amps } } }, signal);
    this.#session.outdate("chargers");
  }

  tempo() {
    return "usual" as const;
  }
}

function chargersOf(session: CloudSession, signal: AbortSignal): Promise<z.infer<typeof Chargers>> {
  const fetch = async (own: AbortSignal) => {
    return parsed(Chargers, await session.ask({ method: "GET", url: `${BASE}/chargers` }, own), "chargers");
  };
  return session.shared("chargers", 20_000, fetch, signal);
}
