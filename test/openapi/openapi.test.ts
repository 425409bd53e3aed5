/** Lints the description of each version, makes a client of it, and lets the client ask a running gateway everything. */
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CLIENT_TYPES_FILE, clientTypes } from "../../scripts/client-types.ts";
import { SERVED_VERSIONS } from "../../src/api/versions/served-versions.ts";
import { checkerOf, type Description, operationsOf } from "../api/support/description.ts";
import type { RealHouse } from "../api/support/real-house.ts";
import { idsOf } from "../conformance/house.ts";
import { openGeneratorHouse } from "../generator/house.ts";
import { walkCode } from "./walk-code.ts";

const run = promisify(execFile);
const HERE = fileURLToPath(new URL(".", import.meta.url));
const GENERATED = `${HERE}generated/`;
const DATES = SERVED_VERSIONS.map(({ date }) => date);
const QUIET = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", NO_COLOR: "1" };

const documents = new Map<string, Description>();

beforeAll(async () => {
  rmSync(GENERATED, { recursive: true, force: true });
  mkdirSync(GENERATED, { recursive: true });
  await using house = await openGeneratorHouse();
  for (const date of DATES) {
    const document = (await house.ask({ url: `/openapi.json?version=${date}` })).json<Description>();
    documents.set(date, document);
    writeFileSync(`${GENERATED}openapi-${date}.json`, JSON.stringify(document, null, 2));
    writeFileSync(`${GENERATED}walk-${date}.ts`, walkCode(document, `api-${date}`));
  }
});

/** A tool of the tests' own package; its output when it fails. */
async function tool(name: string, ...args: readonly string[]): Promise<string> {
  try {
    await run(process.execPath, [`${HERE}node_modules/.bin/${name}`, ...args], { cwd: HERE, env: QUIET });
    return "";
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return `${stdout}${stderr}`;
  }
}

describe.each(DATES)("the description of %s", (date) => {
  it("has nothing that the linter calls an error", async () => {
    expect(await tool("redocly", "lint", `generated/openapi-${date}.json`, "--config", "redocly.yaml")).toBe("");
  });

  it("makes a client", async () => {
    const file = `generated/openapi-${date}.json`;
    expect(
      await tool(
        "openapi-typescript",
        file,
        "-o",
        `generated/api-${date}.ts`,
        "--alphabetize",
        "--default-non-nullable",
        "false",
      ),
    ).toBe("");
  });
});

describe("the types of hemgate/client", () => {
  it("are those of the newest description (scripts/update-client-types.mjs)", async () => {
    expect(await clientTypes()).toBe(readFileSync(CLIENT_TYPES_FILE, "utf8"));
  });
});

describe("the clients", () => {
  it("are typed by it, and ask every operation as it is typed", async () => {
    expect(await tool("tsc", "-p", ".")).toBe("");
  });
});

describe.each(DATES)("a client of %s", (date) => {
  const ids: Record<string, string> = {};
  let house: RealHouse;
  let url: string;
  let isOver = false;
  let pump: Promise<void>;
  beforeAll(async () => {
    house = await openGeneratorHouse();
    Object.assign(ids, await idsOf(house), { clientId: house.client.id, clientSecret: house.client.secret });
    url = await house.api.listen({ host: "127.0.0.1", port: 0 });
    // The gateway answers on real sockets while its own time is virtual; it passes faster than ours.
    const turn = async (): Promise<void> => {
      while (!isOver) {
        await house.pass(1_000);
        await pause(1);
      }
    };
    pump = turn();
  });
  afterAll(async () => {
    isOver = true;
    await pump;
    await house[Symbol.asyncDispose]();
  });

  it("asks every operation and gets what the description says", async () => {
    const document = documents.get(date)!;
    const { default: createClient } = (await import(`${HERE}node_modules/openapi-fetch/dist/index.mjs`)) as {
      default: (options: object) => object;
    };
    const { STEPS } = (await import(`${GENERATED}walk-${date}.ts`)) as { STEPS: readonly Step[] };
    expect(STEPS.length).toBe(operationsOf(document).length);
    const { token } = house;
    const client = createClient({
      baseUrl: url,
      headers: { authorization: `Bearer ${token}`, "service-version": date },
    });
    const faults: string[] = [];
    for (const step of STEPS) {
      const { response, data, error } = await step.run(client, (name) => ids[name] ?? "none");
      if (step.operationId === "streamEvents") await response.body?.cancel();
      const { status } = response;
      const isRight = status < 400 || step.may.includes(status);
      const where = `${step.operationId}: ${status}`;
      if (!isRight) faults.push(`${where} ${JSON.stringify(error)}`);
      faults.push(...shapeFaults(document, step, response, data ?? error).map((fault) => `${where} ${fault}`));
      for (const [name, field] of Object.entries(step.keep)) ids[name] = String(valueAt(data, field));
    }
    expect(faults).toEqual([]);
  });
});

interface Step {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly keep: Readonly<Record<string, string>>;
  readonly may: readonly number[];
  readonly run: (
    client: object,
    id: (name: string) => string,
  ) => Promise<{ response: Response; data?: unknown; error?: unknown }>;
}

function shapeFaults(document: Description, { path, method }: Step, response: Response, body: unknown): string[] {
  const declared = document.paths[path]?.[method]?.responses[String(response.status)];
  if (declared === undefined) return ["the status is not described"];
  const type = response.headers.get("content-type")?.split(";")[0] ?? "";
  const schema = declared.content?.[type]?.schema;
  if (type === "" || type === "text/event-stream") return [];
  if (schema === undefined) return [`${type} is not described`];
  const result = checkerOf(document, schema).safeParse(body);
  return result.success ? [] : [result.error.message];
}

function valueAt(body: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((value, key) => Reflect.get(Object(value), key), body);
}
