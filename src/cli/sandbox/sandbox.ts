import { parseHomeProfile } from "../../../adapters/simulated/home-profile.ts";
import {
  SANDBOX_PORTS,
  type SandboxDeviceId,
  type SandboxHome,
  startSandboxHome,
} from "../../../adapters/simulated/sandbox-home.ts";
import type { Config } from "../../config/config.ts";
import type { Gateway } from "../../gateway.ts";
import { errorText } from "../../platform/error-text.ts";
import { readTextFile } from "../../platform/node/files/text-file.ts";
import type { Clock, Platform } from "../../platform/ports/ports.ts";
import type { CliContext } from "../context.ts";
import { CliError, EXIT } from "../exit-code.ts";
import { followCar } from "./sandbox-car.ts";
import { sandboxClient } from "./sandbox-client.ts";
import { useOwnSun } from "./sandbox-energy.ts";
import { followHeat } from "./sandbox-heat.ts";
import { houseLine, sandboxWelcome } from "./sandbox-text.ts";

const LINE_EVERY_MS = 5_000;
/** A Saturday, 15:45 in the house: the sun shines and the car is home, at whatever hour somebody tries the sandbox. */
const SUMMER_AFTERNOON_MS = Date.parse("2026-06-20T13:45:00Z");
const MAX_PORT = 65_535;

type TwinPorts = Readonly<Record<SandboxDeviceId, number>>;

const EXAMPLE_PORTS = Object.values(SANDBOX_PORTS).join(",");

/** `5020,5021,5022,5023,5024`: where the inverter, the meter, the two chargers and the heating rod listen. */
export function twinPorts(text: string | undefined): TwinPorts {
  if (text === undefined) return SANDBOX_PORTS;
  const ports = text.split(",").map(Number);
  const isPort = (port: number | undefined): port is number =>
    port !== undefined && Number.isInteger(port) && port > 0 && port <= MAX_PORT;
  const [inverter, meter, charger, second, heater, ...rest] = ports.filter(isPort);
  const isComplete = second !== undefined && heater !== undefined && ports.every(isPort) && rest.length === 0;
  if (inverter === undefined || meter === undefined || charger === undefined || !isComplete) {
    throw new CliError(EXIT.usage, `--twin-ports takes five ports such as ${EXAMPLE_PORTS}, not "${text}"`);
  }
  return { inverter, meter, charger, "second-charger": second, heater };
}

/** Starts the house's devices, behind Modbus servers on this machine. The caller disposes them. */
export async function startHome(
  { clock, random }: Pick<Platform, "clock" | "random">,
  { homeFile, ports }: { readonly homeFile: string | undefined; readonly ports: TwinPorts },
): Promise<SandboxHome> {
  const home = homeFile === undefined ? { startMs: SUMMER_AFTERNOON_MS } : { homeFile: await readHome(homeFile) };
  // A car that is stopped for a cloud rests for minutes; one that has not started yet takes the first sun.
  return startSandboxHome({ clock, random, serve: "real", ports, areChargersOff: true, ...home });
}

async function readHome(file: string): Promise<string> {
  const text = await readTextFile(file);
  try {
    parseHomeProfile(text, 0);
    return text;
  } catch (error) {
    const problem = errorText(error);
    throw new CliError(EXIT.config, `${file}: ${problem}`, { cause: error });
  }
}

/** The sandbox's configuration with its devices at the ports that they really have. */
export function withTwinPorts(config: Config, { devices }: Pick<SandboxHome, "devices">): Config {
  const portOf = new Map<string, number>(devices.map(({ id, port }) => [id, port]));
  const moved = config.devices.map((device) => ({ ...device, port: portOf.get(device.id) ?? device["port"] }));
  return { ...config, devices: moved };
}

/** Says how to get in, then, to people on a terminal, how the house is, until the signal aborts. */
export async function showSandbox(
  gateway: Gateway,
  { folder, isJson, clock }: { readonly folder: string; readonly isJson: boolean; readonly clock: Clock },
  context: Pick<CliContext, "out" | "isTerminal">,
  signal: AbortSignal,
  home: Pick<SandboxHome, "followCar" | "carSupply" | "setHeatW">,
): Promise<void> {
  const { client, isFirst } = await sandboxClient(gateway, folder);
  const { simulated, people } = gateway.engine.services;
  const following = followCar({ simulated, owner: gateway.config.site.owner, home, clock }, signal);
  const heating = followHeat({ devices: () => gateway.engine.devices(), home, clock }, signal);
  const charging = isFirst ? useOwnSun(gateway, clock, signal) : Promise.resolve();
  const address = reachableAddress(gateway.address);
  context.out(
    isJson ? JSON.stringify({ address, client }) : sandboxWelcome(address, client, folder, people.setupCode()),
  );
  while (context.isTerminal && !isJson && !signal.aborted) {
    const line = houseLine(gateway.engine.devices());
    if (line !== null) context.out(line);
    await clock.sleep(LINE_EVERY_MS, signal).catch(() => undefined);
  }
  await Promise.all([following, heating, charging]);
}

/** Returns an address that can be pasted: nobody can open "every address of this machine". */
function reachableAddress(address: string | null): string {
  return (address ?? "").replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:");
}
