/** A state folder with something of each kind, as a stopped gateway leaves it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runCli } from "../../../src/cli/program.ts";
import { nodeDisk } from "../../../src/platform/node/files/node-disk.ts";
import { readOrMakeKeyFile } from "../../../src/platform/node/files/secret-key-file.ts";
import { nodeClock } from "../../../src/platform/node/node-clock.ts";
import { nodeRandom as random } from "../../../src/platform/node/node-random.ts";
import { openStore } from "../../../src/store/open-store.ts";
import type { Write } from "../../../src/store/records.ts";
import type { OpenedStore } from "../../../src/store/store.ts";
import { TestLog } from "../../../src/testing/test-log.ts";
import { makeAction, makeSample, putClient } from "../../store/makers.ts";

export const PASSPHRASE = "a long passphrase of mine";
export const CONFIG = "# the house of the tests\nsite:\n  name: Haus am See\ncloud:\n  account: none\n";
export const FIRST_MS = Date.UTC(2026, 5, 21, 10);
export const SAMPLES = 200;
export const SECRET = "the webhook's own secret";

/** A folder for everything; removed with what is in it. */
export function temporaryPlace(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), "hemgate-backup-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

export async function openState(folder: string): Promise<OpenedStore> {
  return await openStore({
    disk: nodeDisk({ stateFolder: folder }),
    clock: nodeClock(() => "synced"),
    random,
    log: new TestLog(),
    secretKeys: await readOrMakeKeyFile(`${folder}.key`),
  });
}

/** Writes a state into `folder`, its key beside it, and the configuration at `config`. */
export async function makeState(folder: string, config: string): Promise<void> {
  mkdirSync(join(folder, "profiles"), { recursive: true });
  mkdirSync(join(folder, "adapters", "mine"), { recursive: true });
  writeFileSync(join(folder, "profiles", "meter.yaml"), "id: meter\n");
  writeFileSync(join(folder, "adapters", "mine", "index.js"), "export const adapter = 1;\n");
  mkdirSync(dirname(config), { recursive: true });
  writeFileSync(config, CONFIG);
  await using store = await openState(folder);
  await store.commit(writes(), [{ event: "one", payload: {} }]);
  for (let index = 0; index < SAMPLES; index++) {
    store.record(makeSample("meter", FIRST_MS + index * 5_000, index % 10 === 9 ? null : index));
  }
}

function writes(): readonly Write[] {
  const position = { epoch: 1, seq: 0 };
  const progress = { lastSuccessMs: 1, position, failures: 0, retryAtMs: null, batch: null, droppedEvents: 0 };
  const webhook = {
    ...{ id: "w1", clientId: "c1", url: "https://example.com", events: [], apiVersion: null, secret: SECRET },
    ...{ authentication: null, isFirehose: false, createdAtMs: 1, isActive: true, ...progress },
  };
  const command = { id: "cmd", takenAtMs: 1, expiresAtMs: 9e15, running: null };
  return [
    putClient("c1"),
    { table: "webhook", key: "w1", put: webhook },
    { table: "gateway", key: "this", put: { id: "the-original" } },
    { table: "action", key: "pending", put: makeAction("pending", null) },
    { table: "action", key: "done", put: makeAction("done", 1) },
    {
      table: "lease",
      key: "charger",
      put: { deviceId: "charger", point: "charger.maxCurrent", value: 6, revertTo: 16 },
    },
    { table: "lease", key: "other", put: { deviceId: "other", point: "charger.maxCurrent", value: 8, revertTo: 16 } },
    { table: "cloud-command", key: "cmd", put: command },
  ];
}

export interface Said {
  readonly code: number;
  readonly text: string;
}

export interface Surroundings {
  readonly workingFolder?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Runs a command line about backups; its passphrase is the one of the tests unless another is named. */
export async function say(
  words: readonly string[],
  passphrase = PASSPHRASE,
  { workingFolder = "/", environment = {} }: Surroundings = {},
): Promise<Said> {
  const lines: string[] = [];
  const print = (text: string): void => void lines.push(text);
  const { signal: stop } = new AbortController();
  const code = await runCli(words, {
    environment: { HEMGATE_BACKUP_PASSPHRASE: passphrase, ...environment },
    ...{ home: "/nowhere", workingFolder, pid: 1, isTerminal: false, stop, out: print, err: print },
  });
  return { code, text: lines.join("\n") };
}
