import { expect, test } from "vitest";
import type { FoundDevice } from "../../src/domain/linking/link-form.ts";
import type { SearchScope } from "../../src/sdk/discovery.ts";
import type { RunningAdapter } from "../../src/sdk/driver.ts";
import { runOnUse } from "../../src/sdk/run-on-use.ts";

const calm = new AbortController().signal;
const DEVICE: FoundDevice = { key: "1", vendorTypes: [], name: null, model: null, detail: null, options: {} };
const STEP = { vendorId: "acme", answer: { kind: "poll" }, memo: null, callback: { url: "", state: "" } } as const;
const PARTS = {
  linking: { hasSetup: true },
  discovery: { serviceTypes: ["_acme._tcp"], canFind: ({ isActive }: SearchScope) => isActive },
  hasWellKnown: (path: string) => path === "acme.pem",
};

/** An adapter that writes down when it is started, searches and is closed. */
function acme(fault: Error | null = null) {
  const calls: string[] = [];
  const running: RunningAdapter<object> = {
    connect: (deviceId) => Promise.reject(new Error(`no device ${deviceId}`)),
    linking: {
      take: async () => ({ kind: "found", devices: [DEVICE] }),
      setup: {
        fields: async () => "later",
        apply: async (device) => ({ kind: "ready", device: { ...device, name: "set up" } }),
      },
    },
    discovery: { serviceTypes: ["_acme._tcp"], search: async () => void calls.push("search") },
    accounts: () => [{ account: "a", connected: 1 } as never],
    wellKnown: async (path) => `the text at ${path}`,
    [Symbol.asyncDispose]: async () => void calls.push("close"),
  };
  const start = async (): Promise<RunningAdapter<object>> => {
    calls.push("start");
    if (fault !== null && calls.length === 1) throw fault;
    return running;
  };
  return { calls, adapter: runOnUse(start, PARTS) };
}

function scope(isActive: boolean): SearchScope {
  return { isActive, hosts: [], services: () => [], missing: null, vendorId: null };
}

test("an adapter that runs on use is started once, by its first device, and closed", async () => {
  const { calls, adapter } = acme();
  expect(adapter.accounts?.()).toEqual([]);
  const connecting = ["one", "two"].map((id) => adapter.connect(id, {}, calm));
  await expect(connecting[0]).rejects.toThrow("no device one");
  await expect(connecting[1]).rejects.toThrow("no device two");
  expect(adapter.accounts?.()).toHaveLength(1);
  await adapter[Symbol.asyncDispose]();
  expect(calls).toEqual(["start", "close"]);
});

test("an adapter that runs on use is not started by what it cannot do", async () => {
  const { calls, adapter } = acme();
  expect(adapter.discovery?.serviceTypes).toEqual(["_acme._tcp"]);
  await adapter.discovery?.search(scope(false), () => undefined, calm);
  expect(await adapter.wellKnown?.("other.pem")).toBeNull();
  await adapter[Symbol.asyncDispose]();
  expect(calls).toEqual([]);
  await expect(adapter.connect("one", {}, calm)).rejects.toThrow("the adapter is closed");
});

test("an adapter that runs on use links, searches and shows texts as the one that it starts", async () => {
  const { calls, adapter } = acme();
  expect(await adapter.linking?.take(STEP, calm)).toEqual({ kind: "found", devices: [DEVICE] });
  expect(await adapter.linking?.setup?.fields(DEVICE, null, calm)).toBe("later");
  expect(await adapter.linking?.setup?.apply(DEVICE, {}, calm)).toMatchObject({ device: { name: "set up" } });
  await adapter.discovery?.search(scope(true), () => undefined, calm);
  expect(await adapter.wellKnown?.("acme.pem")).toBe("the text at acme.pem");
  expect(calls).toEqual(["start", "search"]);
});

test("an adapter that runs on use and did not start is started again by its next use", async () => {
  const { calls, adapter } = acme(new Error("the disk fails"));
  await expect(adapter.connect("one", {}, calm)).rejects.toThrow("the disk fails");
  await expect(adapter.connect("one", {}, calm)).rejects.toThrow("no device one");
  expect(calls).toEqual(["start", "start"]);
});
