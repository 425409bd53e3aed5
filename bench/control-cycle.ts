/** CPU time of one control cycle of a house with 30 devices and limits of all kinds. Run: node --conditions=source bench/control-cycle.ts */
import { controlCycle, EMPTY_MEMORY } from "../src/domain/energy/cycle/control-cycle.ts";
import type { EnergySnapshot } from "../src/domain/energy/cycle/energy-snapshot.ts";
import {
  makeBattery,
  makeCharger,
  makeInverter,
  makeLimit,
  makeMeter,
  makeSite,
  makeSnapshot,
} from "../test/domain/energy/makers.ts";

const WARM_UP = 2_000;
const CYCLES = 5_000;
const LIMIT_MS = 0.5;

function snapshotAt(nowMs: number): EnergySnapshot {
  const many = <T>(count: number, make: (index: number) => T) => Array.from({ length: count }, (_item, i) => make(i));
  const members = many(8, (i) => `charger-${i}`);
  const circuit = { name: "", parentId: null, maxKw: 40, meterId: null };
  return makeSnapshot({
    nowMs,
    site: makeSite({
      fuseA: 100,
      importKw: 60,
      exportKw: 10,
      circuits: [
        { ...circuit, id: "a", fuseA: 50, memberIds: members },
        { ...circuit, id: "b", parentId: "a", fuseA: 32, memberIds: ["charger-9", "charger-10"] },
      ],
    }),
    grid: makeMeter({ powerW: -6_000 + (nowMs % 7_000), currentA: [-9, -9, -8], measuredAtMs: nowMs }),
    chargers: many(15, (i) =>
      makeCharger({
        id: `charger-${i}`,
        priority: i,
        isEnabled: i % 2 === 0,
        ask: { by: "energy", mode: i % 3 === 0 ? "FAST" : "SURPLUS", plannedW: null, plannedUntilMs: null },
        measuredAtMs: nowMs,
      }),
    ),
    batteries: many(7, (i) => makeBattery({ id: `battery-${i}`, powerW: 500 })),
    inverters: many(8, (i) => makeInverter({ id: `inverter-${i}`, powerW: 2_000 })),
    limits: [
      makeLimit({ watts: 30_000 }),
      makeLimit({ id: "limit-2", scope: "controllable", watts: 18_000 }),
      makeLimit({ id: "limit-3", direction: "export", watts: 5_000 }),
    ],
  });
}

function run(cycles: number): number {
  let memory = EMPTY_MEMORY;
  const snapshots = Array.from({ length: cycles }, (_item, i) => snapshotAt(i * 1_000));
  // CPU time: other programs on the machine do not count.
  const start = process.cpuUsage();
  for (const snapshot of snapshots) memory = controlCycle(snapshot, memory).memory;
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000 / cycles;
}

run(WARM_UP);
const meanMs = run(CYCLES);
console.log(`one cycle with 30 devices: ${meanMs.toFixed(3)} ms on average, at most ${LIMIT_MS} ms are allowed`);
if (meanMs > LIMIT_MS) process.exitCode = 1;
