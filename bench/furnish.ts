/** Fills a running sandbox gateway over its own API: made-up devices, places with prices, schedules, webhooks. */

export type Ask = <Answer>(method: string, path: string, body?: object) => Promise<Answer>;

const KINDS = ["battery", "charger", "hvac", "inverter", "meter", "vehicle"] as const;
export type Kind = (typeof KINDS)[number];

export interface Furniture {
  readonly devices: number;
  readonly users: number;
  readonly schedules: number;
  readonly webhooks: number;
  /** Null: the webhooks ask for nothing that happens. */
  readonly receiver: string | null;
}

export interface Furnished {
  readonly users: readonly string[];
  /** Ids of the assets by kind. */
  readonly assets: Readonly<Record<Kind, readonly string[]>>;
  readonly schedules: readonly string[];
  readonly locations: readonly string[];
  readonly webhooks: readonly string[];
}

const PLACE = { latitude: 52.52, longitude: 13.405 };
/** Devices are made this many at a time: the gateway answers when each has been read once. */
const AT_ONCE = 20;
const SCHEDULED = ["charger", "hvac", "vehicle"] as const;
const RATES = [
  { name: "night", cost: "0.21" },
  { name: "day", cost: "0.34" },
];

/** Asks a gateway as one client; rejects on an answer that is no success. */
export function asker(address: string, token: string): Ask {
  return async (method, path, body) => {
    const answer = await fetch(`${address}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { "content-type": "application/json" }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text === "" ? null : JSON.parse(text);
  };
}

/** A token of a client. */
export async function tokenOf(address: string, { id, secret }: { id: string; secret: string }): Promise<string> {
  const answer = await fetch(`${address}/oauth2/token`, {
    method: "POST",
    headers: { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}` },
    body: new URLSearchParams({ grant_type: "client_credentials" }),
  });
  const { access_token } = (await answer.json()) as { access_token: string };
  return access_token;
}

export async function furnish(ask: Ask, wanted: Furniture): Promise<Furnished> {
  const users = Array.from({ length: wanted.users }, (_, at) => `user-${at}`);
  const assets = await makeDevices(ask, wanted.devices, users);
  const locations = await Promise.all(users.map((user) => makeLocation(ask, user)));
  const schedules: string[] = [];
  for (let at = 0; at < wanted.schedules; at += 1) {
    const kind = SCHEDULED[at % SCHEDULED.length] ?? "charger";
    const targetId = assets[kind][Math.floor(at / SCHEDULED.length)];
    if (targetId === undefined) throw new Error("there are fewer devices than schedules");
    const { userId } = await ask<{ userId: string }>("GET", `/${kind}s/${targetId}`);
    const { id } = await ask<{ id: string }>("POST", `/users/${userId}/schedules`, scheduleFor(kind, targetId));
    schedules.push(id);
  }
  const webhooks: string[] = [];
  for (let at = 0; at < wanted.webhooks; at += 1) {
    const url = `${wanted.receiver ?? "https://receiver.invalid"}/${at}`;
    const events = wanted.receiver === null ? ["user:credentials:invalidated"] : ["*"];
    const { id } = await ask<{ id: string }>("POST", "/webhooks", { url, events, secret: "a secret for the bench" });
    webhooks.push(id);
  }
  return { users, assets, schedules, locations, webhooks };
}

async function makeDevices(ask: Ask, count: number, users: readonly string[]): Promise<Furnished["assets"]> {
  const assets: Record<Kind, string[]> = { battery: [], charger: [], hvac: [], inverter: [], meter: [], vehicle: [] };
  for (let from = 0; from < count; from += AT_ONCE) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, at) => from + at);
    await Promise.all(
      numbers.map(async (number) => {
        const kind = KINDS[number % KINDS.length] ?? "meter";
        const isCar = kind === "charger" || kind === "vehicle";
        const { assetId } = await ask<{ assetId: string | null }>("POST", `/local/simulated/${kind}`, {
          userId: users[Math.floor(number / KINDS.length) % users.length],
          name: `${kind} ${number}`,
          location: PLACE,
          ...(isCar && { state: { isPluggedIn: true } }),
        });
        if (assetId === null) throw new Error(`the ${kind} does not answer`);
        assets[kind].push(assetId);
      }),
    );
  }
  return assets;
}

async function makeLocation(ask: Ask, user: string): Promise<string> {
  const { id } = await ask<{ id: string }>("POST", `/users/${user}/locations`, {
    name: "Home",
    ...PLACE,
    timezoneName: "Europe/Berlin",
  });
  await ask("PUT", `/tariffs/tariff-of-${user}`, RATES);
  await ask("PUT", `/locations/${id}/tariff`, {
    tariffId: `tariff-of-${user}`,
    tariffIntervals: [
      { name: "night", from: "00:00", to: "06:00" },
      { name: "day", from: "06:00", to: "24:00" },
    ],
  });
  return id;
}

function scheduleFor(kind: (typeof SCHEDULED)[number], targetId: string): object {
  const night = { hourMinute: { from: "22:00", to: "06:00" } };
  const common = { targetId, targetType: kind, isEnabled: true };
  if (kind !== "hvac") {
    return { ...common, locationId: null, defaultShouldCharge: false, rules: [{ ...night, shouldCharge: true }] };
  }
  const hold = (heatSetpoint: number): object => ({ holdType: "PERMANENT", mode: "HEAT", heatSetpoint });
  return { ...common, defaultTargetState: hold(21), rules: [{ ...night, targetState: hold(18) }] };
}
