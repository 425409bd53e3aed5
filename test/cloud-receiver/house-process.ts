/**
 * A gateway in a process of its own, to be killed: it commits events and states without a pause, and counts the effects of
 * commands in a file. Arguments: state folder, URL of the broker, name, file of the effects, keepalive in seconds. It
 * answers `rest`, `state` and `report` of its parent.
 */
import { fsyncSync, openSync, writeSync } from "node:fs";
import { nodeDisk } from "../../src/platform/node/files/node-disk.ts";
import { nodeClock } from "../../src/platform/node/node-clock.ts";
import { nodeLog } from "../../src/platform/node/node-log.ts";
import type { JournalEntry } from "../../src/store/records.ts";
import type { NewJournalEntry, Store } from "../../src/store/store.ts";
import { isCommandBody, type Kept, type Reply, type Request } from "./house-talk.ts";
import { connectGateway, openGatewayStore } from "./real-gateway.ts";

const METERS = 5;
const LEAVES = 0.1;
const MAX_EVENTS = 4;
const MAX_PAUSE_MS = 40;
/** How long a command takes, so that some are cut off. */
const COMMAND_MS = 20;
const KEPT = "kept";

const [stateFolder = "", brokerUrl = "", gateway = "", effects = "", keepalive = "60"] = process.argv.slice(2);
const clock = nodeClock(() => "synced");
const effectsFile = openSync(effects, "a");
const never = new AbortController().signal;

const log = nodeLog({ level: "info", isPretty: false });
const store = await openGatewayStore(nodeDisk({ stateFolder }), log);
let kept = readKept(store);
const cloud = connectGateway({
  store,
  brokerUrl,
  gateway,
  log,
  keepaliveSeconds: Number(keepalive),
  snapshot: () => Object.keys(kept.meters).map((id) => state("updated", id, kept.meters[id] ?? 0)),
  api: {
    async ask({ body }) {
      if (!isCommandBody(body)) throw new Error("an odd command");
      await clock.sleep(COMMAND_MS, never);
      writeSync(effectsFile, `${body.command}\n`);
      fsyncSync(effectsFile);
      await clock.sleep(COMMAND_MS, never);
      return { status: 200, contentType: "application/json", body: JSON.stringify(body) };
    },
    isRepeatable: () => false,
  },
});
let isResting = false;
const working = work();

process.on("message", async (request: Request) => {
  if (request === "rest") {
    isResting = true;
    await working;
    reply({ request, last: kept.last });
  } else if (request === "state") reply({ request, isConnected: cloud.isConnected });
  else reply({ request, journal: await journal(), kept });
});

/** Commits until it is told to rest. */
async function work(): Promise<void> {
  while (!isResting) {
    const count = 1 + Math.floor(Math.random() * MAX_EVENTS);
    const events = Array.from({ length: count }, (_, index): NewJournalEntry => {
      return { event: "user:intervention:told", payload: { n: kept.last + 1 + index } };
    });
    const last = kept.last + count;
    const id = `m${Math.floor(Math.random() * METERS)}`;
    const { [id]: before, ...others } = kept.meters;
    const isLeaving = before !== undefined && Math.random() < LEAVES;
    const happened = isLeaving ? "deleted" : before === undefined ? "discovered" : "updated";
    const next: Kept = { last, meters: isLeaving ? others : { ...others, [id]: last } };
    await store.commit([record(next)], [...events, state(happened, id, last)]);
    kept = next;
    await clock.sleep(Math.random() * MAX_PAUSE_MS, never);
  }
}

function state(happened: string, id: string, n: number): NewJournalEntry {
  return { event: `user:meter:${happened}`, payload: { meter: { id, n } } };
}

/** In the same batch as what it tells of, in a record that has room for any text. */
function record(told: Kept): Parameters<Store["commit"]>[0][number] {
  const none = { createdAtMs: 0, secretHash: "", salt: "", apiVersion: "" };
  return { table: "client", key: KEPT, put: { id: KEPT, name: JSON.stringify(told), ...none } };
}

function readKept(from: Store): Kept {
  const text = from.get("client", KEPT)?.name;
  return text === undefined ? { last: 0, meters: {} } : (JSON.parse(text) as Kept);
}

async function journal(): Promise<readonly NewJournalEntry[]> {
  const all: JournalEntry[] = [];
  for (;;) {
    const page = await store.journalAfter(all.at(-1) ?? null, 1_000);
    if (page.length === 0) return all.map(({ event, payload }) => ({ event, payload }));
    all.push(...page);
  }
}

function reply(told: Reply): void {
  process.send?.(told);
}
