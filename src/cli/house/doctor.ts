import type { ControlDevice, ControlState } from "../../cli-socket/messages.ts";
import { ClientError, createClient } from "../../client/index.ts";
import { SECOND_MS } from "../../domain/duration.ts";
import { accessOf, addressOf, diskSpace, whyNoConnection } from "../../platform/node/machine-facts.ts";
import { packageFacts } from "../../platform/node/package-root.ts";
import type { ClockQuality } from "../../platform/ports/ports.ts";
import { contradictionText } from "../commands/checks.ts";
import type { CliContext } from "../context.ts";
import { askState } from "../control-client.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { ageText } from "../point-text.ts";
import { socketClient } from "../socket-client.ts";

const MEGABYTE = 1_000_000;
/** Below it the gateway soon stops storing; a year of a home takes about twice as much. */
const LEAST_FREE_BYTES = 200 * MEGABYTE;
const CONNECT_WITHIN_MS = 5 * SECOND_MS;
const MQTT_PORT = 1_883;

/** One thing that was looked at. */
interface Check {
  readonly name: string;
  readonly isGood: boolean;
  readonly found: string;
  /** What to do; `null` if it is good. */
  readonly advice: string | null;
}

export interface DoctorOptions {
  readonly folder: string;
  readonly isJson: boolean;
}

/** `hemgate doctor`: what a person who helps would look at. Exit code 1 if something is wrong. */
export async function doctor(
  { folder, isJson }: DoctorOptions,
  context: Pick<CliContext, "out" | "stop">,
  quality: () => ClockQuality,
): Promise<ExitCode> {
  // The first question has the answer of the kernel fetched.
  quality();
  const state = await askState(folder, context.stop);
  const disk = await diskCheck(folder);
  const running = state === null ? [] : await runningChecks(folder, state, context.stop);
  const checks: readonly Check[] = [gatewayCheck(folder, state), clockCheck(quality()), disk, ...running];
  const wrong = checks.filter(({ isGood }) => !isGood);
  if (isJson) context.out(JSON.stringify({ isGood: wrong.length === 0, checks }));
  else context.out([...checks.map(checkText), summary(wrong.length)].join("\n"));
  return wrong.length === 0 ? EXIT.ok : EXIT.failed;
}

async function runningChecks(folder: string, state: ControlState, stop: AbortSignal): Promise<readonly Check[]> {
  const client = await socketClient(folder, stop);
  const { configuration } = await client.get("/local/diagnostics");
  return [
    versionCheck(state),
    await portCheck(state, stop),
    storeCheck(state),
    ...(await brokerChecks(configuration["mqtt"])),
    ...(await dnsChecks(configuration)),
    ...(await serialChecks(configuration["devices"], folder)),
    ...state.devices.map((device) => deviceCheck(device, state)),
    ...state.failures.map((failure) => bad("readiness", failure, "`hemgate logs --level warn` says what led to it")),
  ];
}

function good(name: string, found: string): Check {
  return { name, isGood: true, found, advice: null };
}

function bad(name: string, found: string, advice: string): Check {
  return { name, isGood: false, found, advice };
}

function gatewayCheck(folder: string, state: ControlState | null): Check {
  if (state !== null) return good("gateway", `runs on ${folder}`);
  const advice =
    "start it (`systemctl start hemgate`), or name its folder with --state; `journalctl -u hemgate` says why it ended";
  return bad("gateway", `no gateway runs on ${folder}`, advice);
}

function versionCheck({ version }: ControlState): Check {
  const own = packageFacts().version;
  if (own === version) return good("version", version);
  return bad("version", `${version} runs, ${own} is installed`, "restart the gateway (`systemctl restart hemgate`)");
}

async function portCheck({ address }: ControlState, stop: AbortSignal): Promise<Check> {
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

function clockCheck(quality: ClockQuality): Check {
  if (quality === "synced") return good("clock", "synchronized");
  const advice = "switch on a time service: `timedatectl set-ntp true`; prices, schedules and history need the time";
  return bad("clock", quality === "unset" ? "was never set" : "is not synchronized", advice);
}

async function diskCheck(folder: string): Promise<Check> {
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

function storeCheck({ checks }: ControlState): Check {
  const open = checks.find(({ check, state }) => check === "storage" && state === "OPEN");
  if (open === undefined) return good("store", "takes changes; nothing was lost");
  return bad(
    "store",
    open.measured,
    "save a backup to another disk (`hemgate backup create`), and replace the card if it comes again",
  );
}

async function brokerChecks(mqtt: unknown): Promise<readonly Check[]> {
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
async function dnsChecks(configuration: unknown): Promise<readonly Check[]> {
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

async function serialChecks(devices: unknown, folder: string): Promise<readonly Check[]> {
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

function deviceCheck({ id, isReachable, lastError, ageMs }: ControlDevice, { checks }: ControlState): Check {
  const name = `device ${id}`;
  if (!isReachable) {
    const since = ageMs === null ? "was not reached yet" : `is silent (last answer ${ageText(ageMs)})`;
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

function checkText({ name, isGood, found, advice }: Check): string {
  const line = `${isGood ? "ok   " : "WRONG"} ${name}: ${found}`;
  return advice === null ? line : `${line}\n      to do: ${advice}`;
}

function summary(wrong: number): string {
  return wrong === 0 ? "nothing is wrong" : `${wrong} ${wrong === 1 ? "thing is" : "things are"} wrong`;
}
