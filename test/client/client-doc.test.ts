/** The programs of docs/client.md, typed and run against a gateway. */
import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { expect, it } from "vitest";
import * as hemgateClient from "../../src/client/index.ts";
import { signaturesOf } from "../../src/sync/webhooks/signature.ts";
import { openRealHouse } from "../api/support/real-house.ts";
import { chargerOptions, makeHome } from "../engine/home.ts";
import { clientOf } from "./house-client.ts";

const TEXT = readFileSync(new URL("../../docs/client.md", import.meta.url), "utf8");
const PROGRAMS = [...TEXT.matchAll(/```ts\n(.*?)```/gs)].map(([, code = ""]) => code);
const SECRET = "9b2e7d64c0a84f1db7b3";

it("prints what the house has, commands, fails in words, follows and receives, as docs/client.md writes it", async () => {
  const home = makeHome();
  home.add("charger", chargerOptions());
  await using house = await openRealHouse({ home });
  await house.pass(3_000);
  const lines: unknown[][] = [];
  // The document's own client, past no socket.
  const createClient = (options: hemgateClient.ClientOptions) => clientOf(house, options).client;
  const surroundings = {
    process: { env: { HEMGATE_ID: house.client.id, HEMGATE_SECRET: house.client.secret } },
    console: { log: (...words: unknown[]) => lines.push(words) },
  };
  const code = PROGRAMS.map((program) =>
    stripTypeScriptTypes(program)
      .replaceAll(/^import \{(.*)\} from "hemgate\/client";$/gm, "const {$1} = client_;")
      .replace(/^export /m, ""),
  );
  const [first, ...later] = code;
  const blocks = later.map((block, at) => (at === later.length - 1 ? block : `{ ${block} }`));
  const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor as new (
    ...words: string[]
  ) => (...values: unknown[]) => Promise<(request: Request, secret: string) => Promise<Response>>;
  const run = new AsyncFunction("client_", "process", "console", `${first}\n${blocks.join("\n")}\nreturn receive;`);
  const receive = await run({ ...hemgateClient, createClient }, surroundings.process, surroundings.console);

  const id = expect.any(String);
  expect(lines).toEqual([
    [id, true, null, "kW"],
    ["PENDING"],
    [404, "not-found", expect.stringMatching(/^req-/)],
    ["devices:", 1],
    ["user:charger:current", "PLUGGED_IN:STOPPED"],
    ...lines.slice(5),
  ]);
  const body = '[{"event":"user:charger:updated","createdAt":"2026-06-21T10:15:30.000Z"}]';
  const { sha256 } = signaturesOf(new TextEncoder().encode(body), SECRET);
  const delivery = (signature: string) =>
    new Request("http://localhost/", { method: "POST", body, headers: { "x-service-signature-256": signature } });
  expect((await receive(delivery(sha256), SECRET)).status).toBe(204);
  expect(lines.at(-1)).toEqual(["2026-06-21T10:15:30.000Z", "user:charger:updated"]);
  expect((await receive(delivery(sha256), "another")).status).toBe(401);
});
