import { describe, expect, it } from "vitest";
import { announcedIn } from "../../firmware-bridges/homeassistant/announcement.ts";
import { homeassistant } from "../../firmware-bridges/homeassistant/homeassistant.ts";
import { sightings } from "../../firmware-bridges/homeassistant/sightings.ts";
import type { Intake } from "../../firmware-bridges/kit/bridge.ts";
import { bridgeOptions } from "./intake.ts";

const TOPIC = "homeassistant/device/plug/config";
const PREFIX = "homeassistant";
const SENSOR = { p: "sensor", dev_cla: "power", unit_of_meas: "W", stat_t: "plug/power" };

function message(announcement: object, mayUse?: (topic: string) => boolean) {
  return { topic: TOPIC, text: JSON.stringify(announcement), isRetained: true, mayUse };
}

function many(count: number, make: (index: number) => object): object {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`c${index}`, make(index)]));
}

describe("an announcement for Home Assistant", () => {
  it("has what it says of all its entities read once", () => {
    const availability = Array.from({ length: 5_000 }, (_, index) => ({ t: `a/${index}` }));
    const changes = announcedIn(
      message({ dev: { ids: "plug" }, avty: availability, x: "y", cmps: many(300, () => SENSOR) }),
      PREFIX,
    );
    const [first, ...others] = changes.map(({ entity }) => entity);
    expect(others).toHaveLength(299);
    expect(others.every((each) => each?.availability === first?.availability)).toBe(true);
    expect(others.every((each) => each?.device === first?.device)).toBe(true);
    expect(first?.availability.topics).toHaveLength(10);
  });

  it("may say otherwise of one of its entities", () => {
    const own = { ...SENSOR, avty_t: "plug/own", dev: { ids: "other" } };
    const [one, other] = announcedIn(
      message({ dev: { ids: "plug" }, avty_t: "plug/status", cmps: { one: SENSOR, other: own } }),
      PREFIX,
    ).map(({ entity }) => entity);
    expect(one?.availability.topics.map(({ topic }) => topic)).toEqual(["plug/status"]);
    expect(other?.availability.topics.map(({ topic }) => topic)).toEqual(["plug/own"]);
    expect([one, other].map((each) => each?.device.identifiers)).toEqual([["plug"], ["other"]]);
  });

  it("is not read beyond 128 KiB, which no device needs", () => {
    const large = message({ dev: { ids: "plug" }, cmps: many(2_000, () => SENSOR) });
    expect(() => announcedIn(large, PREFIX)).toThrow(`an announcement of ${large.text.length} characters`);
    expect(sightings([large], PREFIX)).toEqual([]);
  });

  it("is one of at most 200 devices that a search finds", () => {
    const heard = Array.from({ length: 300 }, (_, index) => ({
      ...message({ dev: { ids: `plug${index}` }, cmps: { power: SENSOR } }),
      topic: `homeassistant/device/plug${index}/config`,
    }));
    expect(sightings(heard, PREFIX)).toHaveLength(200);
  });

  it("makes the gateway use no topic that its announcer may not use itself, and the log says which", () => {
    const switched = { p: "switch", stat_t: "plug/relay", cmd_t: "heatpump/set", uniq_id: "relay" };
    const isOwn = (topic: string): boolean => topic.startsWith("plug/");
    const heard = message({ dev: { ids: "plug" }, cmps: { relay: switched } }, isOwn);
    const [change] = announcedIn(heard, PREFIX);
    expect(change?.entity).toMatchObject({ stateTopic: "plug/relay", commandTopic: null });
    const device = homeassistant.open(bridgeOptions({ topic: "plug", role: "charger" }));
    const problems: string[] = [];
    device.receive(heard, { ...DEAF, problem: (what) => problems.push(what) });
    expect(problems).toEqual(["relay: command_topic heatpump/set is not its announcer's to publish or read"]);
    expect(device.controls()).toEqual([]);
    const spying = message({ dev: { ids: "plug" }, cmps: { power: { ...SENSOR, stat_t: "alarm/code" } } }, isOwn);
    expect(announcedIn(spying, PREFIX)[0]?.entity).toMatchObject({ stateTopic: null });
    expect(announcedIn(message({ dev: { ids: "plug" }, cmps: { relay: switched } }), PREFIX)[0]?.entity).toMatchObject({
      commandTopic: "heatpump/set",
    });
  });

  it("cannot name a topic of the gateway's", () => {
    const looping = { p: "switch", stat_t: "plug/relay", cmd_t: "hemgate/charger/1/charging/set" };
    const [change] = announcedIn(message({ dev: { ids: "plug" }, cmps: { relay: looping } }), PREFIX);
    expect(change?.entity).toMatchObject({ stateTopic: "plug/relay", commandTopic: null });
  });
});

const DEAF: Intake = {
  present: () => undefined,
  lastWill: () => undefined,
  alive: () => undefined,
  value: () => undefined,
  number: () => undefined,
  numeral: () => undefined,
  identity: () => undefined,
  problem: () => undefined,
};
