import { controlSocketPath } from "../../src/cli/state-folder.ts";
import { controlServer } from "../../src/cli-socket/control-server.ts";
import { problem } from "../../src/domain/problem.ts";
import type { CheckEntry } from "../../src/engine/contracts/checks.ts";
import type { DeviceStatus } from "../../src/engine/contracts/engine.ts";
import { clearSocketPath, protectSocket } from "../../src/platform/node/unix-socket.ts";
import type { LossRecord } from "../../src/store/records/loss.ts";
import { TestLog, VirtualClock } from "../../src/testing/index.ts";
import { NO_CLOUD } from "../api/support/no-cloud.ts";

export const METER: DeviceStatus = {
  id: "meter",
  name: "Grid meter",
  adapter: "modbus",
  identity: { manufacturer: "Eastron", model: "SDM630", serial: null, version: null },
  vendor: "EASTRON",
  isReachable: true,
  lastError: null,
  mayBeInUse: false,
  lastSeenMs: 5_000,
  takenOver: [{ point: "battery.mode", held: "IDLE", found: "SELF_RELIANCE", atMs: 4_000 }],
  assets: [{ kind: "meter", id: "3f2c1a9e-0000-4000-8000-000000000000" }],
  points: [
    { point: "meter.power", value: -1_234, atMs: 5_000 },
    { point: "meter.frequency", value: null, atMs: 4_000 },
  ],
};

/** A search that ends when it is looked at for the second time after it began. */
function fakeSearch() {
  const none = {
    isActive: false,
    startedAt: null,
    endedAt: null,
    hostsAsked: 0,
    hostsDone: 0,
    hostsInUse: [],
    moved: [],
  };
  const device = {
    id: "0123456789abcdef",
    adapter: "modbus",
    profile: "keba-p30",
    manufacturer: "KEBA",
    model: "P30",
    serial: "19123456",
    firmware: null,
    name: null,
    kinds: ["charger" as const],
    address: "192.168.1.6",
    confidence: 0.9,
    proof: "reads 7400 W",
    source: "modbus" as const,
    needs: [],
    isAddable: true,
    otherAddresses: [],
    knownAs: null,
    lastSeen: "2026-06-21T00:00:00.000Z",
  };
  let asked: { isActive?: boolean; hosts?: string[] } | null = null;
  let looks = 0;
  const state = () => {
    looks += 1;
    return {
      ...none,
      isSearching: looks < 3,
      isActive: asked?.isActive === true,
      hostsAsked: 12,
      hostsDone: looks * 4,
      devices: [device],
    };
  };
  return {
    state,
    begin: (body: { isActive?: boolean; hosts?: string[] | undefined }) => {
      if (asked !== null) throw problem("conflict", "A search is under way.");
      asked = { ...body, hosts: body.hosts ?? [] };
      return state();
    },
  };
}

interface ServerOptions {
  readonly devices?: readonly DeviceStatus[];
  readonly findings?: readonly CheckEntry[];
  readonly losses?: readonly LossRecord[];
  readonly createClient?: (name: string) => Promise<never>;
}

export function server(more: ServerOptions = {}) {
  const log = new TestLog();
  const noted: string[] = [];
  let codes = 1;
  const app = controlServer({
    engine: { devices: () => more.devices ?? [METER], readiness: () => ({ isReady: true, failures: [] }) },
    findings: {
      checks: { list: () => more.findings ?? [] },
      losses: { list: () => more.losses ?? [] },
      siteConnections: { notes: () => [] },
      forecasts: { finding: () => null },
      backups: null,
    },
    discovery: fakeSearch(),
    cloud: NO_CLOUD,
    clock: new VirtualClock({ startMs: 7_000 }),
    log,
    version: "1.2.3",
    address: "http://127.0.0.1:8080",
    people: {
      isClaimed: () => codes > 1,
      setupCode: () => `K7QM-000${codes}`,
      renewSetupCode: () => `K7QM-000${++codes}`,
      list: () => [],
      reset: async (name) => {
        if (name !== "Anna") throw problem("not-found", `There is no account "${name}"; there are Anna.`);
        return { code: "2FXA-2FXA", expiresAtMs: 3_600_000 };
      },
    },
    audit: { note: ({ path }) => void noted.push(path) },
    backups: null,
    exports: { open: () => Promise.reject(new Error("not asked")) },
    updates: {
      report: async () => undefined,
      available: () => null,
      rolledBack: () => null,
      isUpdatable: false,
      task: () => null,
      begin: () => Promise.reject(new Error("nothing updates it")),
    },
    reach: () => ({ addresses: ["http://192.168.1.5:8080"], authority: "3B:0F" }),
    clients: () => [],
    revokeClient: async (id) => {
      if (id !== "known") throw problem("not-found", `There is no client "${id}".`);
      return "app";
    },
    createClient: more.createClient ?? (async (name, pin) => ({ id: `id of ${name}`, secret: pin ?? "s" })),
    callApi: () => Promise.reject(new Error("nothing asks the API")),
    pinClient: async (id, pin) => {
      if (id !== "known") throw problem("not-found", `There is no client "${id}"; there are none yet.`);
      return { id, name: "app", version: pin };
    },
  });
  return { app, log, noted };
}

export async function listenIn(folder: string, options: Parameters<typeof server>[0] = {}) {
  const { app, log, noted } = server(options);
  const path = controlSocketPath(folder);
  await clearSocketPath(path);
  await app.listen({ path });
  await protectSocket(path);
  return { log, noted, [Symbol.asyncDispose]: () => app.close() };
}
