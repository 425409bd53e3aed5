import { createServer } from "node:http";
import { expect, test } from "vitest";
import { startingServer } from "../../../src/platform/node/starting-server.ts";
import { freePort } from "../../free-ports.ts";

const HOST = "127.0.0.1";

test("While the gateway starts, every request is answered with 503, Retry-After and a problem", async () => {
  const port = await freePort();
  const server = await startingServer(HOST, port);
  const answer = await fetch(`http://${HOST}:${port}/batteries`, { method: "POST", body: "{}" });
  expect(answer.status).toBe(503);
  expect(answer.headers.get("retry-after")).toBe("1");
  expect(answer.headers.get("content-type")).toBe("application/problem+json");
  expect(await answer.json()).toMatchObject({
    title: "Service Unavailable",
    detail: expect.stringContaining("starting"),
  });
  await server?.close();
});

test("A closed starting server has freed its port, and may be closed twice", async () => {
  const port = await freePort();
  const server = await startingServer(HOST, port);
  await server?.close();
  await server?.close();
  await using next = createServer();
  await new Promise<void>((resolve, reject) => next.once("error", reject).listen(port, HOST, resolve));
  expect(next.listening).toBe(true);
});

test("There is no starting server at a port that another program has", async () => {
  const port = await freePort();
  await using other = createServer();
  await new Promise<void>((resolve) => other.listen(port, HOST, resolve));
  expect(await startingServer(HOST, port)).toBeNull();
});
