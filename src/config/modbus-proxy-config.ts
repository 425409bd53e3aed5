import { z } from "zod";
import { parseNetwork } from "../platform/network/ip-network.ts";
import type { Adapter } from "../sdk/driver.ts";

const MAX_HOSTS = 8;
const MAX_CLIENTS = 50;
/** Unit ids of devices; 255 is what some programs use for a device that is reached by its address alone. */
const UNITS = { min: 0, max: 255 } as const;
const MAX_AGE_MS = 60_000;

const DeviceId = z.string().min(1).max(63);
/** Ids of devices that were added on the page; which of them there are is not in the file. */
const ADDED = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/u;

const Client = z.strictObject({
  address: z
    .string()
    .refine((text) => parseNetwork(text) !== null, {
      error: "expected an IP address such as 192.168.1.30, or a network such as 192.168.1.0/24",
    })
    .meta({ description: "IP address of the program's machine, or a network such as 192.168.1.0/24." }),
  name: z.string().min(1).max(100).optional().meta({ description: "What the program is called in lists." }),
  mayWrite: z.array(DeviceId).max(UNITS.max).default([]).meta({
    description: "Ids of the devices whose registers it may write; only with a single address.",
  }),
});

const Device = z.strictObject({
  device: DeviceId.meta({ description: "Id of a Modbus device of this file, or of one that was added on the page." }),
  unit: z
    .int()
    .min(UNITS.min)
    .max(UNITS.max)
    .meta({ description: "Unit id under which other programs ask for it here, 0 to 255." }),
});

/** The Modbus TCP server through which other programs reach the registers of devices. */
export const ModbusProxyConfig = z.strictObject({
  hosts: z
    .array(z.string().min(1).max(255))
    .min(1)
    .max(MAX_HOSTS)
    .default(["0.0.0.0"])
    .meta({ description: "Addresses of this machine to listen on; 0.0.0.0 is every one." }),
  port: z.int().min(0).max(65_535).default(1502).meta({
    description: "TCP port; 0 takes any free one. Ports below 1024, such as 502, need a right of the system.",
  }),
  devices: z
    .array(Device)
    .min(1)
    .max(UNITS.max + 1)
    .meta({ description: "The devices, each under a unit id." }),
  clients: z.array(Client).min(1).max(MAX_CLIENTS).optional().meta({
    description: "The machines whose programs may connect; when absent every one in the house may, to read.",
  }),
  maxAgeMs: z
    .int()
    .min(0)
    .max(MAX_AGE_MS)
    .default(2_000)
    .meta({ description: "A read is answered with what was read at most so long ago, ms; else the device is asked." }),
});

export type ModbusProxySettings = z.infer<typeof ModbusProxyConfig>;

/** The parts of a configuration that the proxy refers to. */
interface ProxyParts {
  readonly modbusProxy?: ModbusProxySettings | undefined;
  readonly devices: readonly { readonly id: string; readonly adapter: string }[];
  readonly http: { readonly port: number };
  readonly mqtt?: { readonly port: number; readonly broker?: unknown } | undefined;
}

/** Reports what of the proxy does not fit the rest of the configuration. */
export function checkModbusProxy(parts: ProxyParts, adapters: readonly Adapter[], context: z.RefinementCtx): void {
  const { modbusProxy: proxy } = parts;
  if (proxy === undefined) return;
  const report = (path: readonly (string | number)[], message: string): void =>
    context.addIssue({ code: "custom", path: ["modbusProxy", ...path], message, params: { isOption: true } });
  checkPort(parts, proxy.port, report);
  const registers = adapters.filter(({ hasRegisters }) => hasRegisters === true).map(({ name }) => name);
  const problemOf = (id: string): string | null => {
    const device = parts.devices.find((each) => each.id === id);
    if (device === undefined && ADDED.test(id)) return null;
    if (device === undefined) {
      return `there is no device "${id}"; use the id of a device in this file, or as \`hemgate devices\` prints it of one that was added on the page`;
    }
    if (registers.includes(device.adapter)) return null;
    return `"${id}" is reached by ${device.adapter} and has no Modbus registers; only devices of ${registers.join(", ") || "Modbus"} can be here`;
  };
  for (const [index, { device, unit }] of proxy.devices.entries()) {
    const problem = problemOf(device);
    if (problem !== null) report(["devices", index, "device"], problem);
    const before = proxy.devices.findIndex((each) => each.unit === unit);
    if (before < index) report(["devices", index, "unit"], `devices[${before}] has unit ${unit} already`);
  }
  checkClients(proxy, report);
}

type Report = (path: readonly (string | number)[], message: string) => void;

function checkPort({ http, mqtt }: ProxyParts, port: number, report: Report): void {
  if (port === 0) return;
  if (port === http.port) report(["port"], `http.port is ${port} already; take another one`);
  if (mqtt !== undefined && mqtt.broker == null && port === mqtt.port) {
    report(["port"], `mqtt.port is ${port} already; take another one`);
  }
}

function checkClients({ clients = [], devices }: ModbusProxySettings, report: Report): void {
  for (const [index, { address, mayWrite }] of clients.entries()) {
    const before = clients.findIndex((each) => each.address === address);
    if (before < index) report(["clients", index, "address"], `clients[${before}] has this address already`);
    if (mayWrite.length > 0 && parseNetwork(address)?.isSingle === false) {
      report(["clients", index, "mayWrite"], "only a program at a single address may write, not a network");
    }
    for (const [at, id] of mayWrite.entries()) {
      if (devices.some(({ device }) => device === id)) continue;
      report(["clients", index, "mayWrite", at], `"${id}" is not in modbusProxy.devices`);
    }
  }
}
