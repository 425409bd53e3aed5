import { describe, expect, test } from "vitest";
import { ChargerState, Observation } from "../../../adapters/clouds/easee/observations.ts";
import { HANDSHAKE, PING, StreamReader, subscription } from "../../../adapters/clouds/easee/stream.ts";

const END = "\u001e";

function framed(...messages: readonly unknown[]): string {
  return messages.map((message) => JSON.stringify(message) + END).join("");
}

function update(changes: Readonly<Record<string, unknown>> = {}): unknown {
  const argument = {
    mid: "EH123456",
    dataType: 3,
    id: 120,
    timestamp: "2026-06-21T10:00:00Z",
    value: "7.28",
    ...changes,
  };
  return { type: 1, target: "ProductUpdate", arguments: [argument] };
}

describe("what we say", () => {
  test("is JSON that ends with the record separator", () => {
    for (const text of [HANDSHAKE, PING, subscription("EH1")]) {
      expect(text.endsWith(END)).toBe(true);
      expect(text.slice(0, -1)).not.toContain(END);
    }
    expect(JSON.parse(HANDSHAKE.slice(0, -1))).toEqual({ protocol: "json", version: 1 });
    expect(JSON.parse(subscription("EH1").slice(0, -1))).toEqual({
      type: 1,
      target: "SubscribeWithCurrentState",
      arguments: ["EH1", true],
    });
  });
});

describe("what the hub says", () => {
  test("is cut at its separators, however the socket gives it", () => {
    const text = framed({}, update(), { type: 6 });
    const whole = new StreamReader().take(text);
    const reader = new StreamReader();
    const pieces = [...text].flatMap((letter) => reader.take(letter));
    expect(pieces).toEqual(whole);
    expect(whole.map(({ kind }) => kind)).toEqual(["handshake", "observation", "ping"]);
  });

  test("without an end is given up", () => {
    const reader = new StreamReader();
    expect(() => reader.take("x".repeat(1_000_001))).toThrow(RangeError);
  });

  test("may refuse the handshake, and close", () => {
    const text = framed({ error: "no such protocol" }, { type: 7, error: "bye", allowReconnect: true }, { type: 7 });
    expect(new StreamReader().take(text)).toEqual([
      { kind: "handshake", error: "no such protocol" },
      { kind: "close", error: "bye", mayReconnect: true },
      { kind: "close", error: null, mayReconnect: false },
    ]);
  });

  test("of a charger reads as what is asked for reads", () => {
    const [message] = new StreamReader().take(framed(update()));
    if (message?.kind !== "observation") expect.unreachable("an observation was said");
    expect(message.chargerId).toBe("EH123456");
    const state = new ChargerState([message.observation]);
    expect(state.number("power")).toBe(7.28);
    expect(state.atMs("power")).toBe(Date.parse("2026-06-21T10:00:00Z"));
  });

  test.each([
    ["1", true],
    ["0", false],
    ["True", true],
    ["false", false],
    ["", null],
  ])("%j as a flag is %s", (value, flag) => {
    const [message] = new StreamReader().take(framed(update({ id: 31, dataType: 2, value })));
    if (message?.kind !== "observation") expect.unreachable("an observation was said");
    expect(new ChargerState([message.observation]).flag("isEnabled")).toBe(flag);
  });

  test("of a command has the ticks of the answer that queued it", () => {
    const queued: unknown = JSON.parse('{"device":"EH123456","commandId":48,"ticks":639086870099692230}');
    const said =
      '{"type":1,"target":"CommandResponse","arguments":[{"serialNumber":"EH123456","id":48,' +
      `"timestamp":"2026-03-09T21:03:30Z","wasAccepted":true,"resultCode":0,"ticks":639086870099692230}]}${END}`;
    expect(new StreamReader().take(said)).toEqual([
      {
        kind: "command-response",
        chargerId: "EH123456",
        commandId: 48,
        ticks: Object(queued).ticks,
        wasAccepted: true,
        resultCode: 0,
      },
    ]);
  });

  test("and is not understood is passed over", () => {
    const text = `no json${END}${framed(
      null,
      { type: 3, invocationId: "1" },
      { type: 1, target: "ChargerUpdate", arguments: [] },
      { type: 1, target: "CommandResponse", arguments: [{ id: 48 }] },
      update({ mid: 7 }),
    )}`;
    const kinds = new StreamReader().take(text).map(({ kind }) => kind);
    expect(new Set(kinds)).toEqual(new Set(["other"]));
    expect(kinds).toHaveLength(6);
  });
});

test("an observation without a time has none", () => {
  const state = new ChargerState([Observation.parse({ id: 120, value: "nonsense" })]);
  expect([state.number("power"), state.atMs("power"), state.number("mode")]).toEqual([null, null, null]);
});
