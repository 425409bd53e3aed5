/** The strangers of `poll-load.ts`: Node-RED from npm and collectd from Debian, set up to make the same polls. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Newer ones of node-red-contrib-modbus need a package that npm does not have. */
const NODE_RED = ["node-red@5.0.7", "node-red-contrib-modbus@5.23.3"] as const;
const COLLECTD = "/usr/sbin/collectd";
const COLLECTD_PLUGINS = "/usr/lib/collectd";

export interface Load {
  readonly port: number;
  readonly devices: number;
  readonly blocks: number;
  readonly registers: number;
  readonly blockStep: number;
}

/** How a program is started. */
export interface Command {
  readonly program: string;
  readonly parameters: readonly string[];
  readonly folder: string;
  /** It clears its figures on SIGUSR2, and prints the lateness of its polls when it ends. */
  readonly isTelling: boolean;
}

function hostOf(device: number): string {
  return `127.0.0.${2 + device}`;
}

/** Node-RED without its editor: a client a device, a read node a block. Installs it into the folder of temporary files. */
export function nodeRed(load: Load): Command {
  const folder = join(tmpdir(), `hemgate-bench-${NODE_RED.join("-")}`);
  const program = join(folder, "node_modules/node-red/red.js");
  if (!existsSync(program)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "bench-peer", private: true }));
    const install = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--save-exact", ...NODE_RED];
    execFileSync("npm", install, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  }
  const settings = {
    uiHost: "127.0.0.1",
    uiPort: 0,
    httpAdminRoot: false,
    httpNodeRoot: false,
    flowFile: "flows.json",
    logging: { console: { level: "error", metrics: false, audit: false } },
  };
  writeFileSync(join(folder, "settings.js"), `module.exports = ${JSON.stringify(settings)};`);
  writeFileSync(join(folder, "flows.json"), JSON.stringify(flows(load)));
  const parameters = [program, "--userDir", folder, "--settings", join(folder, "settings.js")];
  return { program: process.execPath, parameters, folder, isTelling: false };
}

/** What it reads goes nowhere: only reading is compared. */
function flows({ port, devices, blocks, registers, blockStep }: Load): object[] {
  const nodes: object[] = [{ id: "tab", type: "tab", label: "polls" }];
  for (let device = 0; device < devices; device += 1) {
    const server = `client-${device}`;
    nodes.push({
      id: server,
      type: "modbus-client",
      clienttype: "tcp",
      bufferCommands: true,
      tcpHost: hostOf(device),
      tcpPort: String(port),
      tcpType: "DEFAULT",
      unit_id: "1",
      commandDelay: "1",
      clientTimeout: "1000",
      reconnectOnTimeout: true,
      reconnectTimeout: "2000",
      parallelUnitIdsAllowed: true,
    });
    for (let block = 0; block < blocks; block += 1) {
      nodes.push({
        id: `read-${device}-${block}`,
        type: "modbus-read",
        z: "tab",
        unitid: "1",
        dataType: "HoldingRegister",
        adr: String(block * blockStep),
        quantity: String(registers),
        rate: "1",
        rateUnit: "s",
        server,
        wires: [[], []],
      });
    }
  }
  return nodes;
}

/** collectd in the foreground; null where it is not installed. It reads one value of two registers a request, no more. */
export function collectd({ port, devices, blocks, blockStep }: Load): Command | null {
  if (!existsSync(COLLECTD) || !existsSync(join(COLLECTD_PLUGINS, "modbus.so"))) return null;
  const folder = mkdtempSync(join(tmpdir(), "hemgate-bench-collectd-"));
  const numbers = (count: number): number[] => [...Array(count).keys()];
  const blockText = (block: number): string => `  <Data "block${block}">
    RegisterBase ${block * blockStep}
    RegisterType Int32
    RegisterCmd ReadHolding
    Type gauge
    Instance "block${block}"
  </Data>`;
  const hostText = (device: number): string => `  <Host "device${device}">
    Address "${hostOf(device)}"
    Port "${port}"
    Interval 1
    <Slave 1>
      Instance "unit"
${numbers(blocks)
  .map((block) => `      Collect "block${block}"`)
  .join("\n")}
    </Slave>
  </Host>`;
  const config = `BaseDir "${folder}"
PIDFile "${folder}/pid"
PluginDir "${COLLECTD_PLUGINS}"
TypesDB "/usr/share/collectd/types.db"
Interval 1
PostCacheChain "nowhere"
<Chain "nowhere">
  Target "stop"
</Chain>
LoadPlugin modbus
<Plugin modbus>
${numbers(blocks).map(blockText).join("\n")}
${numbers(devices).map(hostText).join("\n")}
</Plugin>
`;
  writeFileSync(join(folder, "collectd.conf"), config);
  return { program: COLLECTD, parameters: ["-f", "-C", join(folder, "collectd.conf")], folder, isTelling: false };
}
