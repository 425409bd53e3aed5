import { describe, expect, it } from "vitest";
import type { ChargeRule } from "../../../src/domain/schedules/schedule.ts";
import { timetableOf, upcomingTransitions, valueAt } from "../../../src/domain/schedules/schedule-timetable.ts";
import { evenStretches } from "../../../src/domain/schedules/schedule-zone.ts";

const BERLIN = "Europe/Berlin";

function table(...rules: ChargeRule[]) {
  return timetableOf(rules, ({ shouldCharge }) => shouldCharge, false);
}

function at(text: string): number {
  return Date.parse(text);
}

function transitions(rules: ChargeRule[], zone: string, after: string): readonly [string, boolean][] {
  return upcomingTransitions(table(...rules), zone, at(after)).map(({ atMs, value }) => [
    new Date(atMs).toISOString(),
    value,
  ]);
}

describe("a schedule's rules", () => {
  it("count by the wall clock of the zone, from inclusive, to exclusive", () => {
    const noon = table({ hourMinute: { from: "12:00", to: "13:00" }, shouldCharge: true });
    expect(valueAt(noon, BERLIN, at("2026-06-21T09:59:59.999Z"))).toBe(false);
    expect(valueAt(noon, BERLIN, at("2026-06-21T10:00:00.000Z"))).toBe(true);
    expect(valueAt(noon, BERLIN, at("2026-06-21T10:59:59.999Z"))).toBe(true);
    expect(valueAt(noon, BERLIN, at("2026-06-21T11:00:00.000Z"))).toBe(false);
    expect(valueAt(noon, "UTC", at("2026-06-21T12:30:00Z"))).toBe(true);
  });

  it("hold only while all their filters hold", () => {
    const rule = table({
      hourMinute: { from: "08:00", to: "10:00" },
      weekdays: [0],
      fromTimestamp: "2026-06-22T08:30:00Z",
      toTimestamp: "2026-06-22T09:00:00.500Z",
      shouldCharge: true,
    });
    expect(valueAt(rule, "UTC", at("2026-06-22T08:29:59.999Z"))).toBe(false);
    expect(valueAt(rule, "UTC", at("2026-06-22T08:30:00Z"))).toBe(true);
    expect(valueAt(rule, "UTC", at("2026-06-22T09:00:00.499Z"))).toBe(true);
    expect(valueAt(rule, "UTC", at("2026-06-22T09:00:00.500Z"))).toBe(false);
    expect(valueAt(rule, "UTC", at("2026-06-29T08:45:00Z"))).toBe(false);
  });

  it("give way to the last rule that holds", () => {
    const rules = table(
      { shouldCharge: true },
      { hourMinute: { from: "17:00", to: "20:00" }, shouldCharge: false },
      { hourMinute: { from: "18:00", to: "19:00" }, shouldCharge: true },
    );
    const values = ["16:00", "17:30", "18:30", "19:30"].map((time) => valueAt(rules, "UTC", at(`2026-06-22T${time}Z`)));
    expect(values).toEqual([true, false, true, false]);
  });

  it("across midnight belong to the weekday on which they begin", () => {
    const friday = table({ hourMinute: { from: "22:00", to: "06:00" }, weekdays: [4], shouldCharge: true });
    expect(valueAt(friday, "UTC", at("2026-06-26T21:59Z"))).toBe(false);
    expect(valueAt(friday, "UTC", at("2026-06-26T22:00Z"))).toBe(true);
    expect(valueAt(friday, "UTC", at("2026-06-27T05:59Z"))).toBe(true);
    expect(valueAt(friday, "UTC", at("2026-06-27T06:00Z"))).toBe(false);
    expect(valueAt(friday, "UTC", at("2026-06-26T05:00Z"))).toBe(false);
  });

  it.each([
    ["the same time twice is a whole day", "07:00", "07:00", "2026-06-22T07:00Z", "2026-06-23T07:00Z"],
    ["24:00 ends the day", "18:00", "24:00", "2026-06-22T18:00Z", "2026-06-23T00:00Z"],
    ["00:00 to 24:00 is the day", "00:00", "24:00", "2026-06-22T00:00Z", "2026-06-23T00:00Z"],
    ["24:00 begins with the day's end", "24:00", "02:00", "2026-06-23T00:00Z", "2026-06-23T02:00Z"],
    ["24:00 twice is the day after", "24:00", "24:00", "2026-06-23T00:00Z", "2026-06-24T00:00Z"],
  ])("%s", (_name, from, to, begins, ends) => {
    const monday: ChargeRule = { hourMinute: { from, to }, weekdays: [0], shouldCharge: true };
    expect(transitions([monday], "UTC", "2026-06-21T12:00Z")).toEqual([
      [new Date(begins).toISOString(), true],
      [new Date(ends).toISOString(), false],
    ]);
  });
});

describe("upcoming transitions", () => {
  it("take a skipped time at the jump", () => {
    const rule: ChargeRule = { hourMinute: { from: "02:30", to: "05:00" }, shouldCharge: true };
    expect(transitions([rule], BERLIN, "2026-03-29T00:00Z")).toEqual([
      ["2026-03-29T01:00:00.000Z", true],
      ["2026-03-29T03:00:00.000Z", false],
    ]);
  });

  it("leave out what lies wholly in the skipped hour", () => {
    const rule: ChargeRule = { hourMinute: { from: "02:10", to: "02:50" }, shouldCharge: true };
    expect(transitions([rule], BERLIN, "2026-03-29T00:00Z")[0]).toEqual(["2026-03-30T00:10:00.000Z", true]);
  });

  it("count an hour that comes twice both times", () => {
    const rule: ChargeRule = { hourMinute: { from: "02:15", to: "02:45" }, shouldCharge: true };
    expect(transitions([rule], BERLIN, "2026-10-25T00:00Z")).toEqual([
      ["2026-10-25T00:15:00.000Z", true],
      ["2026-10-25T00:45:00.000Z", false],
    ]);
    expect(transitions([rule], BERLIN, "2026-10-25T00:50Z")).toEqual([
      ["2026-10-25T01:15:00.000Z", true],
      ["2026-10-25T01:45:00.000Z", false],
    ]);
  });

  it("fall back by the half hour of Lord Howe, out of a rule and in again", () => {
    const rule: ChargeRule = { hourMinute: { from: "01:45", to: "02:15" }, shouldCharge: true };
    expect(transitions([rule], "Australia/Lord_Howe", "2026-04-04T14:30Z")).toEqual([
      ["2026-04-04T14:45:00.000Z", true],
      ["2026-04-04T15:00:00.000Z", false],
    ]);
  });

  it("name only changes of what counts, not each rule's edges", () => {
    const morning: ChargeRule = { hourMinute: { from: "06:00", to: "08:00" }, shouldCharge: true };
    const later: ChargeRule = { hourMinute: { from: "07:00", to: "09:00" }, shouldCharge: true };
    expect(transitions([morning, later], "UTC", "2026-06-22T05:00Z")).toEqual([
      ["2026-06-22T06:00:00.000Z", true],
      ["2026-06-22T09:00:00.000Z", false],
    ]);
  });

  it("look eight days ahead and no further", () => {
    const rule: ChargeRule = { fromTimestamp: "2026-06-30T00:00:00Z", shouldCharge: true };
    expect(transitions([rule], "UTC", "2026-06-22T00:00Z")).toEqual([["2026-06-30T00:00:00.000Z", true]]);
    expect(transitions([rule], "UTC", "2026-06-21T23:59:59.999Z")).toEqual([]);
    expect(transitions([{ shouldCharge: true }], "UTC", "2026-06-22T00:00Z")).toEqual([]);
  });

  it("stand with as many rules as are taken", () => {
    const rules = Array.from({ length: 200 }, (_, nth): ChargeRule => {
      const from = `${String(nth % 24).padStart(2, "0")}:${String(nth % 60).padStart(2, "0")}`;
      return { hourMinute: { from, to: "24:00" }, weekdays: [nth % 7], shouldCharge: false };
    });
    expect(transitions(rules, BERLIN, "2026-03-28T12:00Z")).toEqual([]);
  });
});

it("cuts a zone's time where its clock jumps", () => {
  const stretches = evenStretches(BERLIN, at("2026-03-29T00:00Z"), at("2026-03-29T02:00Z"));
  expect(stretches.map(({ toMs, offsetMs }) => [new Date(toMs).toISOString(), offsetMs / 3_600_000])).toEqual([
    ["2026-03-29T01:00:00.000Z", 1],
    ["2026-03-29T02:00:00.000Z", 2],
  ]);
});
