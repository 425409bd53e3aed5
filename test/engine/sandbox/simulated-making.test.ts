import { expect, test } from "vitest";
import { Simulation } from "../../../adapters/simulated/device/simulation.ts";
import { NewSimulated } from "../../../src/domain/sandbox/simulated-request.ts";
import { SimulatedService, type SimulatedServiceOptions } from "../../../src/engine/sandbox/simulated-service.ts";
import { SeededRandom, VirtualClock } from "../../../src/testing/index.ts";

test("A simulated device that is being stored survives a removal at the same time", async () => {
  const clock = new VirtualClock();
  const simulation = new Simulation(clock);
  const disk = Promise.withResolvers<void>();
  const options = {
    adapter: "simulated",
    simulation,
    clock,
    random: new SeededRandom(1),
    store: { all: () => [], get: () => null, commit: () => disk.promise },
    fleet: { list: () => [] },
  };
  const service = new SimulatedService(options as unknown as SimulatedServiceOptions);
  const creating = service.create("battery", NewSimulated.parse({}));
  expect(simulation.ids()).toHaveLength(1);
  service.onForgotten();
  disk.resolve();
  const { device } = await creating;
  expect(simulation.get(device.id)).not.toBeNull();
});
