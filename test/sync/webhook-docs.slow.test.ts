/** docs/webhooks.md against the code: its receivers verify real deliveries, its figures and its catalogue are those used. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createMapEvent } from "../../src/api/versions/map-event.ts";
import { SUBSCRIBABLE, WEBHOOK_VERSIONS } from "../../src/domain/webhooks/webhook.ts";
import { nodeHttp } from "../../src/platform/node/http/node-http.ts";
import { nodeClock } from "../../src/platform/node/node-clock.ts";
import { postDelivery } from "../../src/sync/webhooks/post.ts";
import { RETRY_PAUSES_MS } from "../../src/sync/webhooks/retry-ladder.ts";
import { signaturesOf } from "../../src/sync/webhooks/signature.ts";
import { openTargetClients } from "../../src/sync/webhooks/target-policy.ts";

const PAGE = readFileSync("docs/webhooks.md", "utf8");
const SECRET = "0123456789abcdef";
const JSON_TEXT = JSON.stringify([
  { createdAt: "2026-06-21T10:00:00.000Z", event: "user:charger:updated", name: "Übung" },
]);
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "webhook-docs-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function code(language: string): string {
  return PAGE.split(`\`\`\`${language}\n`)[1]?.split("\n```")[0] ?? "";
}

async function deliver(port: number, secret: string) {
  using clients = openTargetClients(nodeHttp(), { allowInsecureLan: false, allowLoopback: true });
  const parts = { clients, clock: nodeClock(() => "unset"), namePrefix: "Service" };
  const record = { url: `http://localhost:${port}/events`, secret, authentication: null };
  return await postDelivery(parts, record, { id: "d-1", json: JSON_TEXT }, new AbortController().signal);
}

test("the Node receiver of the page takes a real delivery and refuses one signed with another secret", async () => {
  const file = join(folder, "receiver.mjs");
  writeFileSync(file, code("js"));
  const child = spawn(process.execPath, [file], {
    env: { WEBHOOK_SECRET: SECRET, PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const port = Number(String((await lines.next()).value).split(" ")[1]);
    expect(await deliver(port, "another secret")).toMatchObject({ isSuccess: false, answer: { status: 401 } });
    expect(await deliver(port, SECRET)).toMatchObject({ isSuccess: true, answer: { status: 204 } });
    expect((await lines.next()).value).toBe("2026-06-21T10:00:00.000Z user:charger:updated");
  } finally {
    child.kill();
    await once(child, "exit");
  }
});

test("the Python lines of the page accept the gateway's signature and no other", async ({ skip }) => {
  const python = promisify(execFile);
  const isThere = await python("python3", ["--version"]).then(
    () => true,
    () => false,
  );
  if (!isThere) skip("no python3 here");
  const { sha256 } = signaturesOf(new TextEncoder().encode(JSON_TEXT), SECRET);
  const asked = `import sys\nprint([is_genuine(s, sys.argv[1].encode(), sys.argv[2]) for s in sys.argv[3:]])`;
  const { stdout } = await python("python3", [
    "-X",
    "utf8",
    "-c",
    `${code("python")}\n${asked}`,
    JSON_TEXT,
    sha256,
    SECRET,
    "other",
  ]);
  expect(stdout.trim()).toBe("[True, False]");
});

test("the page names the pauses between attempts as they are", () => {
  const text = (PAGE.match(/failed attempts are ([^:]*), each/)?.[1] ?? "").replaceAll("\n", " ");
  const unitMs = { s: 1_000, min: 60_000, h: 3_600_000 } as const;
  const found = [...text.matchAll(/(\d+)(?: (s|min|h))?/g)].map(([, count, unit]) => ({ count: Number(count), unit }));
  const pauses = found.map(({ count, unit }, at) => {
    const own = unit ?? found.slice(at).find((later) => later.unit !== undefined)?.unit;
    return count * unitMs[own as keyof typeof unitMs];
  });
  expect(pauses).toEqual(RETRY_PAUSES_MS);
});

describe("the catalogue of events", () => {
  const rows = [...PAGE.matchAll(/^\| `([a-z:-]+:[a-z:-]+)` \| (.*) \| (.*) \|$/gm)].map(
    ([, event = "", more = "", versions = ""]) => ({
      event,
      keys: (more.split(/[:;]/)[0] ?? "").match(/[A-Za-z]+(?=`)/g) ?? [],
      versions,
    }),
  );

  test("lists what can be subscribed to, the service's own and the heartbeat, each once", () => {
    const own = ["service:webhook:test", "service:firehose:test", "system:heartbeat"];
    const subscribable = [...SUBSCRIBABLE].filter((event) => !event.includes("*"));
    expect(rows.map(({ event }) => event).toSorted()).toEqual([...subscribable, ...own].toSorted());
  });

  test("says of each event the versions that have what it carries", () => {
    const mapped = createMapEvent();
    const wrong = rows
      .filter(({ event }) => event.startsWith("user:"))
      .filter(({ event, keys, versions }) => {
        const payload = {
          user: { id: "home" },
          ...Object.fromEntries(keys.filter((key) => key !== "updatedFields").map((key) => [key, {}])),
        };
        const having = WEBHOOK_VERSIONS.filter((version) => mapped(event, payload, version) !== null);
        return (having.length === WEBHOOK_VERSIONS.length) !== (versions === "all");
      });
    expect(wrong).toEqual([]);
  });
});
