import { describe, expect, test } from "vitest";
import { type Sample, Source } from "../../../src/domain/checks/house-history.ts";
import { type Line, loadStep, loadStepFinding } from "../../../src/domain/setup/load-step.ts";

const START_MS = 100_000;

interface Kettle {
  /** What the meter shows on the three phases before, W. */
  readonly before?: readonly [number, number, number];
  /** By how much each phase changes, W. */
  readonly change: readonly [number, number, number];
  /** Factor from power to the power that the current stands for. */
  readonly reactive?: number;
  readonly hasPhases?: boolean;
  /** The battery's power before and after, W. */
  readonly battery?: readonly [number, number];
  /** Seconds since the start. */
  readonly seconds?: number;
  readonly line?: Line;
}

function look({ before = [300, 200, 100], change, reactive = 1, hasPhases = true, battery, ...more }: Kettle) {
  const { seconds = 20, line = null } = more;
  const samples: Sample[] = [];
  const stored: Sample[] = [];
  for (let s = -20; s <= seconds; s += 1) {
    const isOn = s >= 3;
    const powers = before.map((value, at) => value + (isOn ? (change[at] ?? 0) : 0));
    const phases = hasPhases
      ? Object.fromEntries(
          powers.flatMap((value, at) => [
            [`meter.power.l${at + 1}`, value],
            [`meter.voltage.l${at + 1}`, 230],
            [`meter.current.l${at + 1}`, ((before[at] ?? 0) + (isOn ? (change[at] ?? 0) * reactive : 0)) / 230],
          ]),
        )
      : {};
    const total = powers.reduce((sum, value) => sum + value, 0);
    samples.push({ atMs: START_MS + 1_000 * s, values: { "meter.power": total, ...phases } });
    if (battery !== undefined) {
      stored.push({ atMs: START_MS + 1_000 * s, values: { "battery.power": isOn ? battery[1] : battery[0] } });
    }
  }
  const meter = new Source("meter", "meter", samples);
  const others = battery === undefined ? [] : [new Source("store", "battery", stored)];
  return loadStep({ meter, others, startMs: START_MS, nowMs: START_MS + 1_000 * seconds, line });
}

describe("a load that is switched on", () => {
  test("shows that the meter and its phase are right when they rise", () => {
    const step = look({ change: [0, 2_010, 0] });
    expect(step).toEqual({ kind: "right", loadW: 2_010, meterW: 2_010, lines: [2] });
    expect(loadStepFinding("meter", step, null)).toBeNull();
  });

  test("shows a clamp that is turned round when its phase falls, and the fix turns that phase only", () => {
    const step = look({ change: [0, -1_998, 0], before: [300, -200, 100] });
    expect(step).toMatchObject({ kind: "turned", loadW: 1_998, lines: [2] });
    expect(loadStepFinding("meter", step, null)).toMatchObject({
      check: "sign",
      deviceId: "meter",
      fix: { kind: "invert", points: ["meter.power.l2"] },
    });
  });

  test("shows a meter that is turned as a whole, by a load on three phases or without phases", () => {
    const whole = look({ change: [-700, -700, -700] });
    const points = ["meter.power", "meter.power.l1", "meter.power.l2", "meter.power.l3"];
    expect(loadStepFinding("meter", whole, null)?.fix).toMatchObject({ points });
    const single = look({ change: [-2_000, 0, 0], hasPhases: false });
    expect(loadStepFinding("meter", single, null)?.fix).toMatchObject({ points: ["meter.power"] });
  });

  test("is not judged while a battery carries it, whatever the clamp's direction", () => {
    expect(look({ change: [0, 60, 0], battery: [0, -1_940] })).toMatchObject({ kind: "carried", loadW: 2_000 });
    expect(look({ change: [0, -60, 0], battery: [0, -1_940] })).toMatchObject({ kind: "carried" });
  });

  test("is judged when a battery gives as much as before", () => {
    expect(look({ change: [2_000, 0, 0], battery: [-800, -800] })).toMatchObject({ kind: "right", lines: [1] });
  });

  test("on another phase than the socket's has no fix, because two orders of the phases would explain it", () => {
    const step = look({ change: [0, 0, 2_000], line: 1 });
    expect(step).toMatchObject({ kind: "other-phase", lines: [3] });
    expect(loadStepFinding("meter", step, 1)).toMatchObject({ check: "phase", fix: null });
  });

  test("shows a clamp on another phase than its voltage by the current, and does not call it turned", () => {
    const step = look({ before: [300, 250, 100], change: [0, -1_000, 0], reactive: -2 });
    expect(step).toMatchObject({ kind: "misplaced", lines: [2] });
    expect(loadStepFinding("meter", step, null)).toMatchObject({ check: "phase", fix: null });
  });

  test("is waited for, and a small or short change does not count", () => {
    expect(look({ change: [0, 600, 0] })).toEqual({ kind: "waiting", changeW: 600 });
    expect(look({ change: [0, 2_000, 0], seconds: 5 })).toMatchObject({ kind: "waiting" });
    expect(look({ change: [0, 2_000, 0], seconds: 2 })).toEqual({ kind: "waiting", changeW: 0 });
  });

  test("cannot be judged without a reading from before", () => {
    const meter = new Source("meter", "meter", [{ atMs: START_MS + 1_000, values: { "meter.power": 2_000 } }]);
    const asked = { meter, others: [], startMs: START_MS, nowMs: START_MS + 9_000, line: null };
    expect(loadStep(asked)).toEqual({ kind: "no-baseline" });
  });
});
