/** Secrets in malformed forms of the link page are on no page, in no log line and in no file. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { freePorts } from "../free-ports.ts";
import { found } from "./canary.ts";
import { Canaries } from "./canary-doors.ts";
import { filesBelow } from "./canary-traces.ts";
import { Hemgate, hemgate, temporaryFolder } from "./hemgate-process.ts";
import { visitLinkPages } from "./link-canaries.ts";

test("34 secrets in malformed forms of the link page are repeated nowhere", { timeout: 300_000 }, async () => {
  using folder = temporaryFolder();
  const state = join(folder.path, "state");
  const config = join(folder.path, "gateway.yaml");
  const [port = 0] = await freePorts(1);
  const limits = { requestsPerMinute: 10_000, requestBurst: 10_000 };
  const http = { host: "127.0.0.1", port, isAnnounced: false, limits };
  writeFileSync(config, JSON.stringify({ http, discovery: { isListening: false, followsAddresses: false } }));
  const environment = { HEMGATE_LOG_LEVEL: "debug" };
  await using gateway = new Hemgate(["start", "--json", "--config", config, "--state", state], { environment });
  await gateway.output(/"address"/);
  const base = `http://127.0.0.1:${port}`;
  const created = await hemgate(["client", "create", "--name", "app", "--json", "--state", state]);
  const client = JSON.parse(created.out) as { id: string; secret: string };
  const token = await fetch(`${base}/oauth2/token`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ grant_type: "client_credentials", client_id: client.id, client_secret: client.secret }),
  });
  const { access_token: access } = (await token.json()) as { access_token: string };
  const canaries = new Canaries();
  const authorization = `Bearer ${access}`;
  const pages = await visitLinkPages({ base, authorization, plant: (name) => canaries.plant(name) });
  gateway.send("SIGINT");
  const { out, err } = await gateway.finished();
  expect(canaries.size).toBe(34);
  expect(found(canaries, Buffer.from(pages)), "a page").toEqual([]);
  expect(found(canaries, Buffer.from(out + err)), "the log").toEqual([]);
  expect(found(canaries, filesBelow(state)), "a file").toEqual([]);
});
