import { expect, test } from "vitest";
import { FORECAST_SOURCES } from "../../adapters/forecasts/sources.ts";
import { configSchema } from "../../src/config/config.ts";
import { createGateway } from "../../src/gateway.ts";
import { MemoryDisk } from "../../src/testing/memory-disk.ts";
import { World } from "../../src/testing/world.ts";
import { SolcastTwin } from "../twins/forecasts/solcast-twin.ts";

const MINUTE_MS = 60_000;

test("a gateway asks the source that its configuration names, and lets go of the web when it closes", async () => {
  const world = new World({ seed: 3 });
  const twin = new SolcastTwin(world.clock);
  twin.sites.set("a", { latitude: 52, longitude: 13, tilt: 30, southAzimuth: 0, capacityKw: 5 });
  twin.join(world.web, "93.184.1.10");
  const forecast = { source: "solcast", sites: ["a"], key: "solcast-key-1" };
  const config = configSchema([], [], FORECAST_SOURCES).parse({ forecast });
  const process = world.boot("gateway", new MemoryDisk());
  const { platform } = process;
  const opening = createGateway({ platform, config, adapters: [], forecastSources: FORECAST_SOURCES, listen: false });
  const gateway = await world.clock.resolve(opening, MINUTE_MS);
  await world.clock.advance(2 * MINUTE_MS);
  const { forecasts } = gateway.engine.services;
  expect(forecasts.state()).toMatchObject({ source: { id: "solcast" }, problem: null });
  expect(forecasts.between(world.clock.nowMs(), Number.POSITIVE_INFINITY).length).toBeGreaterThan(96);
  // The next request hangs, and is under way when the gateway closes.
  twin.trouble = "hang";
  expect(await world.clock.runUntil(() => twin.asked.length > 1, 4 * 60 * MINUTE_MS)).toBe(true);
  await world.clock.resolve(Promise.resolve(gateway[Symbol.asyncDispose]()), MINUTE_MS);
  expect(process.resources).toEqual({ streams: 0, listeners: 0, timers: 0 });
});
