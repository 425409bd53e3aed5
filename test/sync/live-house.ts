/** A house with live streams, and what their readers take. */
import { expect } from "vitest";
import type { LiveRequest, LiveStream } from "../../src/engine/contracts/live.ts";
import { LiveService } from "../../src/sync/live/live-service.ts";
import { batteryOptions, chargerOptions, followSwitch, type Home, makeHome, type Run } from "../engine/home.ts";

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;

export interface LiveHouse extends AsyncDisposable {
  readonly home: Home;
  readonly run: Run;
  readonly live: LiveService;
  readonly deauthorized: Set<string>;
  pass(ms: number): Promise<void>;
}

export async function openLive(home = makeHome()): Promise<LiveHouse> {
  if (Object.keys(home.devices).length === 0) {
    home.add("battery", batteryOptions());
    followSwitch(home.add("charger", chargerOptions()));
  }
  const run = await home.start();
  const { clock, log } = run.process.platform;
  const deauthorized = new Set<string>();
  const live = new LiveService({
    store: run.store,
    clock,
    log,
    assets: run.engine.assets,
    actions: run.engine.actions,
    mapped: (_event, payload) => payload,
    isDeauthorized: (userId) => deauthorized.has(userId),
    powers: run.engine.services.housePowers,
    systems: (userId) => run.engine.services.hemSystems.list(userId ?? undefined).map(({ system }) => system),
  });
  return {
    home,
    run,
    live,
    deauthorized,
    pass: (ms) => home.world.clock.advance(ms),
    [Symbol.asyncDispose]: async () => {
      await live[Symbol.asyncDispose]();
      await run.close();
    },
  };
}

/** One server-sent event. */
export interface Sent {
  readonly name: string | null;
  readonly id: string | null;
  readonly data: Readonly<Record<string, never>>;
}

export function parse(text: string): Sent {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(text)?.[1] ?? null;
  return { name: field("event"), id: field("id"), data: JSON.parse(field("data") ?? "{}") };
}

/** Everything that a reader can take now, comments and greetings left out. */
export function take(stream: LiveStream): readonly Sent[] {
  const sent: Sent[] = [];
  for (let text = stream.next(); text !== null; text = stream.next()) {
    expect(text.endsWith("\n\n")).toBe(true);
    if (text.includes("data: ")) sent.push(parse(text));
  }
  // The house as a whole moves along with its devices; here each device counts by itself.
  return sent.filter(({ data }) => !String(data["event"]).startsWith("user:hem-system:"));
}

export function ask(more: Partial<LiveRequest> = {}): LiveRequest {
  return { version: "2024-10-01", kinds: null, userId: null, lastEventId: null, ...more };
}

export function open(house: LiveHouse, more: Partial<LiveRequest> = {}): LiveStream {
  const stream = house.live.open(ask(more));
  if (stream === null) throw new Error("too many streams");
  return stream;
}

export function names(sent: readonly Sent[]): readonly unknown[] {
  return sent.map(({ name, data }) => name ?? data["event"]);
}

/** States without their stamps of freshness. */
export function stateOf(assets: readonly unknown[]): unknown {
  return JSON.parse(JSON.stringify(assets), (key, value) =>
    key === "lastSeen" || key === "lastUpdated" ? undefined : value,
  );
}
