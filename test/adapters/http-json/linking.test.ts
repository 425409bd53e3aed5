/** How people link devices that answer by HTTP. */
import type { FoundDevice, LinkAnswer, LinkOutcome, LinkStep } from "hemgate/sdk";
import { describe, expect, test } from "vitest";
import { HTTP_VENDORS, httpJsonAdapter } from "../../../adapters/http-json/http-json-adapter.ts";
import { KNOWN_HTTP_PROFILES } from "../../../adapters/http-json/known-http-profiles.ts";
import { SETTING_WORDS } from "../../../adapters/http-json/setting-words.ts";
import { GoETwin } from "../../twins/http-devices/charger-twins.ts";
import { EnphaseTwin, envoyToken } from "../../twins/http-devices/enphase-twin.ts";
import { HOMEWIZARD_TOKEN, HomeWizardTwin } from "../../twins/http-devices/homewizard-twin.ts";
import { PowerwallTwin } from "../../twins/http-devices/powerwall-twin.ts";
import { ShellyRpcTwin } from "../../twins/http-devices/shelly-twin.ts";
import { SonnenTwin } from "../../twins/http-devices/sonnen-twin.ts";
import { TasmotaTwin } from "../../twins/http-devices/tasmota-twin.ts";
import { bed, calm, FINGERPRINT, HOST } from "./http-world.ts";

const SHELLY = "shelly-gen2-switch";

function step(vendorId: string, values: Readonly<Record<string, string>>, memo?: unknown): LinkStep {
  const answer: LinkAnswer = { kind: "form", values };
  return { vendorId, answer, memo, callback: { url: "http://gateway.local/link/return", state: "s" } };
}

function at(port: number, more: Readonly<Record<string, string>> = {}) {
  return { host: HOST, port: String(port), ...more };
}

describe("a person who links a device", () => {
  test("is asked for its address, and for what the device wants", () => {
    const fields = (id: string) =>
      HTTP_VENDORS.find((each) => each.id === id)?.fields.map(({ name, kind }) => [name, kind]);
    expect(fields("go-e-http")).toEqual([
      ["host", "host"],
      ["port", "port"],
    ]);
    expect(fields("homewizard-v2")).toEqual(fields("go-e-http"));
    expect(fields("sonnen-v2")?.at(-1)).toEqual(["token", "api-key"]);
    expect(fields("tesla-powerwall")?.at(-1)).toEqual(["password", "password"]);
    expect(new Set(HTTP_VENDORS.map(({ id }) => id)).size).toBe(HTTP_VENDORS.length);
    expect(HTTP_VENDORS.filter(({ vendorTypes }) => vendorTypes.length === 0)).toEqual([]);
  });

  test("finds it when it really answers, with options that the adapter takes", async () => {
    const { adapter, world } = bed(new GoETwin(2), { profile: "go-e-http" });
    const turn = await world.clock.resolve(take(adapter, step("go-e-http", at(80))), 60_000);
    expect(turn).toMatchObject({
      kind: "found",
      devices: [{ key: "go-e-http:213456", vendorTypes: ["charger"], name: "Garage", detail: "213456" }],
    });
    const [device] = turn.kind === "found" ? turn.devices : [];
    expect(httpJsonAdapter.options.parse(device?.options)).toMatchObject({
      host: HOST,
      port: 80,
      profile: "go-e-http",
    });
  });

  test("keeps the certificate that the device showed with the device", async () => {
    const twin = new PowerwallTwin("AB123");
    const { adapter, world } = bed(twin, { profile: "tesla-powerwall", password: "AB123" });
    const asked = step("tesla-powerwall", at(443, { password: "AB123" }));
    const turn = await world.clock.resolve(take(adapter, asked), 60_000);
    const options = { fingerprint: FINGERPRINT, password: "AB123" };
    expect(turn).toMatchObject({ kind: "found", devices: [{ name: "Home", options }] });
    expect(twin.signIns).toBe(1);
  });

  test.each([
    ["wrong credentials", "enphase-envoy", 443, { token: "wrong" }, "invalid-credentials"],
    ["another device", "go-e-http", 443, {}, "wrong-device"],
    ["no address", "enphase-envoy", 443, { host: "http://evil/", token: "t" }, "name-not-found"],
    ["no port", "enphase-envoy", 443, { port: "99999", token: "t" }, "out-of-range"],
    ["an address outside of the house", "enphase-envoy", 443, { host: "8.8.8.8", token: "t" }, "outside-house"],
    ["a port that nobody listens at", "enphase-envoy", 81, { token: "t" }, "connection-refused"],
    ["a name that nobody has", "enphase-envoy", 443, { host: "envoi", token: "t" }, "name-not-found"],
    ["an unknown vendor", "nobody", 443, {}, "not-answering"],
  ] as const)("with %s is told so", async (_name, vendorId, port, more, why) => {
    const token = envoyToken(2_000_000_000);
    const { adapter, world } = bed(new EnphaseTwin(token), { profile: "enphase-envoy", token });
    const turn = await world.clock.resolve(take(adapter, step(vendorId, at(port, more))), 60_000);
    expect(turn).toEqual({ kind: "refused", why });
  });

  test("with a device of another kind is told so", async () => {
    const { adapter, world } = bed(new TasmotaTwin("plug"), { profile: "tasmota-http" });
    const turn = await world.clock.resolve(take(adapter, step("tasmota-http-sml", at(80))), 60_000);
    expect(turn).toEqual({ kind: "refused", why: "wrong-device" });
  });
});

describe("a device with a button", () => {
  test("is found once the button is pressed, and its token kept", async () => {
    const twin = new HomeWizardTwin(2);
    const { adapter, world } = bed(twin, { profile: "homewizard-v2", token: "unused" });
    const asked = await world.clock.resolve(take(adapter, step("homewizard-v2", at(443))), 60_000);
    expect(asked).toMatchObject({ kind: "ask", fields: [] });
    const memo = asked.kind === "ask" ? asked.memo : null;
    const waiting = take(adapter, step("homewizard-v2", {}, memo));
    await world.clock.advance(9_000);
    twin.press(world.clock.monotonicMs());
    const turn = await world.clock.resolve(waiting, 60_000);
    const options = { token: HOMEWIZARD_TOKEN, fingerprint: FINGERPRINT, host: HOST };
    expect(turn).toMatchObject({ kind: "found", devices: [{ key: "homewizard-v2:5c2fafaabbcc", options }] });
  });

  test("is asked for again when nobody pressed it in time", async () => {
    const { adapter, world } = bed(new HomeWizardTwin(2), { profile: "homewizard-v2", token: "unused" });
    const first = await world.clock.resolve(take(adapter, step("homewizard-v2", at(443))), 60_000);
    const memo = first.kind === "ask" ? first.memo : null;
    const startMs = world.clock.monotonicMs();
    const second = await world.clock.resolve(take(adapter, step("homewizard-v2", {}, memo)), 60_000);
    expect(second).toEqual(first);
    // A step of a sign-in is cut off after 30 s.
    expect(world.clock.monotonicMs() - startMs).toBeLessThan(28_000);
  });
});

async function take(adapter: ReturnType<typeof bed>["adapter"], asked: LinkStep): Promise<LinkOutcome> {
  const turn = await adapter.linking?.take(asked, calm);
  if (turn === undefined) throw new TypeError("the adapter links nothing");
  return turn;
}

describe("an owner who links a device", () => {
  const found = (profile: string, port = 80): FoundDevice => {
    const options = { host: HOST, port, profile };
    return { key: "k", vendorTypes: ["meter"], name: null, model: null, detail: null, options };
  };

  test("is asked nothing where there is nothing to decide", async () => {
    const { adapter } = bed(new GoETwin(2), { profile: "go-e-http" });
    expect(await adapter.linking?.setup?.fields(found("go-e-http"), null, calm)).toEqual([]);
  });

  test.each([
    ["a channel that is there", "0", "ready"],
    ["a channel that is not", "7", "refused"],
  ] as const)("is believed with %s only", async (_what, channel, kind) => {
    const { adapter, world } = bed(new ShellyRpcTwin("switch"), { profile: SHELLY });
    const fields = await adapter.linking?.setup?.fields(found(SHELLY), null, calm);
    expect(fields).toMatchObject([{ name: "settings.channel", kind: "number", initial: "0", unit: "" }]);
    const applying = adapter.linking?.setup?.apply(found(SHELLY), { "settings.channel": channel }, calm);
    const turn = await world.clock.resolve(Promise.resolve(applying), 60_000);
    const device = { options: { profile: SHELLY, settings: { channel: 0 } } };
    expect(turn).toMatchObject(kind === "ready" ? { kind, device } : { kind, why: "wrong-device" });
  });

  test("finds each channel of a device as a device of its own, of which nothing is left to ask", async () => {
    const profile = "shelly-gen2-em";
    const { adapter, world } = bed(new ShellyRpcTwin("monophase"), { profile });
    const answer = { kind: "form", values: { host: HOST, port: "80" } } as const;
    const callback = { url: "https://gateway.local/link/callback", state: "s" };
    const taking = adapter.linking?.take({ vendorId: profile, answer, memo: undefined, callback }, calm);
    const turn = await world.clock.resolve(Promise.resolve(taking), 60_000);
    expect(turn).toMatchObject({
      kind: "found",
      devices: [
        { key: `${profile}:AABBCCDDEEFF`, detail: "AABBCCDDEEFF", options: { settings: { channel: 0 } } },
        { key: `${profile}:AABBCCDDEEFF#1`, detail: "AABBCCDDEEFF #1", options: { settings: { channel: 1 } } },
      ],
    });
    const [, second] = turn?.kind === "found" ? turn.devices : [];
    if (second === undefined) throw new TypeError("no second channel was found");
    expect(await adapter.linking?.setup?.fields(second, null, calm)).toEqual([]);
    const applying = adapter.linking?.setup?.apply(second, {}, calm);
    expect(await world.clock.resolve(Promise.resolve(applying), 60_000)).toEqual({ kind: "ready", device: second });
  });

  test.each([
    [false, false, undefined],
    [true, false, ["SELF_RELIANCE", "TIME_OF_USE"]],
    [true, true, ["SELF_RELIANCE", "TIME_OF_USE", "IDLE", "IMPORT_FOCUS", "EXPORT_FOCUS"]],
  ])("with ticks %s and %s may tell its battery %j", async (isVerified, hasHelp, values) => {
    const { adapter, world } = bed(new SonnenTwin(2, "t"), { profile: "sonnen-v2", token: "t" });
    const before = { ...found("sonnen-v2"), options: { host: HOST, profile: "sonnen-v2", token: "t" } };
    const given = {
      "settings.maxChargeW": "2000",
      "settings.maxDischargeW": "1500",
      confirmUnverified: isVerified ? "battery.mode" : "",
      confirmNoFailsafe: hasHelp ? "yes" : "",
    };
    const turn = await adapter.linking?.setup?.apply(before, given, calm);
    const options = httpJsonAdapter.options.parse(turn?.kind === "ready" ? turn.device.options : {});
    await using driver = await world.clock.resolve(adapter.connect("device", options, calm), 60_000);
    expect(driver.controls.find(({ point }) => point === "battery.mode")?.values).toEqual(values);
  });

  test("reads the settings in German too", () => {
    const all = KNOWN_HTTP_PROFILES.flatMap(({ settings = {} }) =>
      Object.values(settings).map(({ meaning }) => meaning),
    );
    expect(Object.keys(SETTING_WORDS).toSorted()).toEqual([...new Set(all)].toSorted());
  });
});
