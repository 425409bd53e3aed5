/** What `hemgate doctor` looks at: each check says what was found, and what to do about it. */
import type { ControlDevice, ControlState } from "../../cli-socket/messages.ts";
import { ClientError, createClient } from "../../client/index.ts";
import { MINUTE_MS, SECOND_MS } from "../../domain/duration.ts";
import { accessOf, addressOf, diskSpace, whyNoConnection } from "../../platform/node/machine-facts.ts";
import { packageFacts } from "../../platform/node/package-root.ts";
import type { ClockQuality } from "../../platform/ports/ports.ts";
import { contradictionText } from "../commands/checks.ts";
import { ageText } from "../point-text.ts";

const MEGABYTE = 1_000_000;
/** Below it the gateway soon stops storing; a year of a home takes about twice as much. */
const LEAST_FREE_BYTES = 200 * MEGABYTE;
const CONNECT_WITHIN_MS = 5 * SECOND_MS;
/** Within it each device is asked at least once, and what announces itself has done so. */
const FIRST_ANSWER_MS = 2 * MINUTE_MS;
const MQTT_PORT = 1_883;

/** One thing that was looked at. */
export interface Check {
  readonly name: string;
  /** `null`: it is too early to say. */
  readonly isGood: boolean | null;
  readonly found: string;
  /** What to do; `null` if it is good. */
  readonly advice: string | null;
}

function good(name: string, found: string): Check {
  return { name, isGood: true, found, advice: null };
}

export function bad(name: string, found: string, advice: string): Check {
  return { name, isGood: false, found, advice };
}

export function gatewayCheck(folder: string, state: ControlState | null): Check {
  if (state !== null) return good("gateway", `runs on ${folder}`);
  const advice =
    "start it (`systemctl start hemgate`), or name its folder with --state; `journalctl -u hemgate` says why it ended";
  return bad("gateway", `no gateway runs on ${folder}`, advice);
}

export function versionCheck({ version }: ControlState): Check {
  const own = packageFacts().version;
  if (own === version) return good("version", version);
  return bad("version", `${version} runs, ${own} is installed`, "restart the gateway (`systemctl restart hemgate`)");
}

export async function portCheck({ address }: ControlState, stop: AbortSignal): Promise<Check> {
  if (address === null) return bad("port", "the API does not listen", "set http.port in the configuration");
  // The address that it listens on may stand for all of the machine's.
  const url = address.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:");
  const client = createClient({ url, retries: { count: 0 }, timeoutMs: CONNECT_WITHIN_MS });
  try {
    await client.get("/health/ready", { signal: stop });
    return good("port", `${address} answers`);
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    if (error.status !== 0) return good("port", `${address} answers`);
    return bad("port", error.message, "look whether a firewall or another program is in the way (`ss -ltnp`)");
  }
}

export function clockCheck(quality: ClockQuality): Check {
  if (quality === "synced") return good("clock", "synchronized");
  const advice = "switch on a time service: `timedatectl set-ntp true`; prices, schedules and history need the time";
  return bad("clock", quality === "unset" ? "was never set" : "is not synchronized", advice);
}

export async function diskCheck(folder: string): Promise<Check> {
  const space = await diskSpace(folder);
  if (space === null) return bad("disk", `there is no folder ${folder}`, "name the gateway's folder with --state");
  const found = `${Math.floor(space.free / MEGABYTE)} MB free of ${Math.floor(space.size / MEGABYTE)} MB`;
  if (space.free >= LEAST_FREE_BYTES) return good("disk", found);
  return bad(
    "disk",
    found,
    `make room: at least ${LEAST_FREE_BYTES / MEGABYTE} MB; \`journalctl --vacuum-size=50M\` often helps`,
  );
}

export function storeCheck({ checks }: ControlState): Check {
  const open = checks.find(({ check, state }) => check === "storage" && state === "OPEN");
  if (open === undefined) return good("store", "takes changes; nothing was lost");
  return bad(
    "store",
    open.measured,
    "save a backup to another disk (`hemgate backup create`), and replace the card if it comes again",
  );
}

export async function brokerChecks(mqtt: unknown): Promise<readonly Check[]> {
  if (mqtt === undefined || mqtt === null) return [];
  const url = fieldOf(fieldOf(mqtt, "broker"), "url");
  const other = typeof url === "string" && URL.canParse(url) ? new URL(url) : null;
  const own = String(fieldOf(mqtt, "host") ?? "127.0.0.1");
  const host = other?.hostname ?? (own === "0.0.0.0" ? "127.0.0.1" : own);
  const port = Number(other === null ? (fieldOf(mqtt, "port") ?? MQTT_PORT) : other.port || MQTT_PORT);
  const why = await whyNoConnection(host, port, CONNECT_WITHIN_MS);
  if (why === null) return [good("broker", `${host}:${port} answers`)];
  const advice = "start the broker, or correct the section mqtt of the configuration";
  return [bad("broker", `${host}:${port}: ${why}`, advice)];
}

/** Every host's name that the configuration contains. */
export async function dnsChecks(configuration: unknown): Promise<readonly Check[]> {
  const names = [
    ...new Set([...JSON.stringify(configuration).matchAll(/(?:https?|mqtts?):\/\/([a-z0-9.-]+)|"host":"([^"]+)"/gi)]),
  ]
    .map(([, ofUrl, host]) => ofUrl ?? host ?? "")
    .filter((name) => /[a-z]/i.test(name) && name !== "localhost");
  return await Promise.all(
    [...new Set(names)].map(async (name) => {
      const address = await addressOf(name);
      if (address !== null) return good("dns", `${name} is ${address}`);
      return bad(
        "dns",
        `${name} has no address`,
        "look at the spelling, at the router's DNS, and whether the internet is reached",
      );
    }),
  );
}

export async function serialChecks(devices: unknown, folder: string): Promise<readonly Check[]> {
  const paths = [...JSON.stringify(devices ?? []).matchAll(/"(\/dev\/[^"]+)"/g)].map(([, path = ""]) => path);
  return await Promise.all(
    [...new Set(paths)].map(async (path) => {
      const access = await accessOf(path, folder);
      if (access === "ok") return good("serial port", `${path} may be read and written`);
      if (access === "missing")
        return bad(
          "serial port",
          `there is no ${path}`,
          "plug the adapter in; `ls -l /dev/serial/by-id` lists those that are there",
        );
      const { user, group } = access;
      return bad(
        "serial port",
        `${user} may not use ${path}`,
        `\`usermod -aG ${group} ${user}\`, then restart the gateway`,
      );
    }),
  );
}

export function deviceCheck(
  { id, isReachable, lastError, ageMs }: ControlDevice,
  { checks, upMs }: Pick<ControlState, "checks" | "upMs">,
  deviceName: string | null,
): Check {
  const name = deviceName === null || deviceName === id ? `device ${id}` : `device ${id} (${deviceName})`;
  if (!isReachable && ageMs === null && lastError === null && upMs !== null && upMs < FIRST_ANSWER_MS) {
    const found = "not known yet: the gateway has just started, and the device has not answered since";
    return { name, isGood: null, found, advice: "ask again in a minute" };
  }
  if (!isReachable) {
    const since =
      ageMs === null ? "was not reached since the gateway started" : `is silent (last answer ${ageText(ageMs)})`;
    const advice = "look at its power, cable and address; `hemgate discover --active` finds it at a new one";
    return bad(name, [since, lastError].filter((part) => part !== null).join(": "), advice);
  }
  const open = checks.find(({ deviceId, state }) => deviceId === id && state === "OPEN");
  if (open !== undefined) return bad(name, contradictionText(open), open.fix ?? "`hemgate checks` says how to go on");
  return good(name, `answers (${ageText(ageMs)})`);
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
