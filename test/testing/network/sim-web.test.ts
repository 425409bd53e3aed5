import { describe, expect, test } from "vitest";
import type { HttpPolicy, HttpRequest } from "../../../src/platform/ports/ports.ts";
import { MemoryDisk } from "../../../src/testing/memory-disk.ts";
import type { SimWebRequest } from "../../../src/testing/network/sim-web.ts";
import { World } from "../../../src/testing/world.ts";

const ANYWHERE: HttpPolicy = { refuse: () => null };
const NOT_ABORTED = new AbortController().signal;

function get(url: string): HttpRequest {
  return { method: "GET", url: new URL(url), headers: {}, body: null, maxBodyBytes: 5 };
}

function makeWeb(seed = 1) {
  const world = new World({ seed });
  const process = world.boot("gateway", new MemoryDisk());
  const seen: SimWebRequest[] = [];
  world.web.serve("hooks.example", "93.184.216.34", (request) => {
    seen.push(request);
    return { body: "hello, world" };
  });
  const client = process.platform.http.open(ANYWHERE);
  const ask = (url: string, signal = NOT_ABORTED) => world.clock.resolve(client.request(get(url), signal), 200_000);
  return { world, process, seen, client, ask };
}

describe("the simulated web", () => {
  test("answers what the server answers, cut to what was asked for", async () => {
    const { ask, seen } = makeWeb();
    const answer = await ask("https://hooks.example/a?b");
    expect(Buffer.from(answer.body).toString()).toBe("hello");
    expect(answer).toMatchObject({ status: 200, isBodyCut: true });
    expect(seen).toMatchObject([{ method: "GET", host: "hooks.example", path: "/a?b" }]);
  });

  test("fails as the real one does", async () => {
    const { world, ask } = makeWeb();
    world.web.name("gone.example", ["93.184.216.35"]);
    world.web.name("other.example", ["93.184.216.34"]);
    await expect(ask("https://nowhere.example/")).rejects.toMatchObject({ kind: "unresolved" });
    await expect(ask("https://gone.example/")).rejects.toMatchObject({ kind: "unreachable" });
    await expect(ask("https://other.example/")).rejects.toMatchObject({ kind: "untrusted" });
    world.web.close("93.184.216.34", 443);
    await expect(ask("https://hooks.example/")).rejects.toMatchObject({ kind: "unreachable" });
    world.web.blackHoles.add("93.184.216.35");
    const before = world.clock.monotonicMs();
    await expect(ask("https://gone.example/")).rejects.toMatchObject({ kind: "unreachable" });
    expect(world.clock.monotonicMs() - before).toBeGreaterThan(120_000);
  });

  test("asks the policy about each address before it connects", async () => {
    const { world, process } = makeWeb();
    const policy: HttpPolicy = { refuse: (address) => (address.startsWith("10.") ? "not there" : null) };
    const client = process.platform.http.open(policy);
    world.web.name("hooks.example", ["10.0.0.1", "93.184.216.34"]);
    await world.clock.resolve(client.request(get("https://hooks.example/"), NOT_ABORTED), 1_000);
    world.web.name("hooks.example", ["10.0.0.1"]);
    const refused = world.clock.resolve(client.request(get("https://hooks.example/"), NOT_ABORTED), 1_000);
    await expect(refused).rejects.toMatchObject({ kind: "refused" });
    const literal = world.clock.resolve(client.request(get("http://10.0.0.1/"), NOT_ABORTED), 1_000);
    await expect(literal).rejects.toMatchObject({ kind: "refused" });
    expect(world.web.connects.map(({ address }) => address)).toEqual(["93.184.216.34"]);
  });

  test("hears no dead process, and leaves nothing under way after an abort", async () => {
    const { world, process, client, seen } = makeWeb();
    const stop = new AbortController();
    const aborted = client.request(get("https://hooks.example/"), stop.signal);
    const ended = expect(aborted).rejects.toThrow("enough");
    stop.abort(new Error("enough"));
    await ended;
    expect(process.resources.streams).toBe(0);
    void client.request(get("https://hooks.example/"), NOT_ABORTED);
    process.kill();
    await world.clock.advance(10_000);
    expect(seen).toEqual([]);
  });

  test("is the same for the same seed", async () => {
    const times = async (seed: number) => {
      const { world, ask } = makeWeb(seed);
      await ask("https://hooks.example/");
      return world.clock.monotonicMs();
    };
    expect(await times(5)).toBe(await times(5));
    expect(await times(5)).not.toBe(await times(6));
  });

  test("shows a certificate to whoever trusts the server's own authority, as the real one does", async () => {
    const { world, process, seen } = makeWeb();
    world.web.name("cloud.example", ["93.184.216.36"]);
    world.web.listen("93.184.216.36", 443, {
      certificate: ["cloud.example"],
      authorityPem: "ONE\n",
      serve: (request) => ({ body: String(seen.push(request)) }),
    });
    const ask = (tls: HttpPolicy["tls"]) => {
      const client = process.platform.http.open(tls === undefined ? ANYWHERE : { ...ANYWHERE, tls });
      return world.clock.resolve(client.request(get("https://cloud.example/"), NOT_ABORTED), 200_000);
    };
    const certificate = { pem: "OWN", keyPem: "KEY" };
    await ask({ kind: "verified", authoritiesPem: "TWO\nONE\n", certificate });
    expect(seen).toMatchObject([{ certificate: "OWN" }]);
    await expect(ask({ kind: "verified", authoritiesPem: "TWO", certificate })).rejects.toMatchObject({
      kind: "untrusted",
    });
    await expect(ask({ kind: "verified", certificate })).rejects.toMatchObject({ kind: "untrusted" });
    await expect(ask(undefined)).rejects.toMatchObject({ kind: "untrusted" });
  });
});
