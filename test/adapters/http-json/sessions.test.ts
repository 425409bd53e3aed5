/** Signing in, staying signed in, and certificates that devices made themselves. */
import { describe, expect, test } from "vitest";
import type { SimWebRequest } from "../../../src/testing/network/sim-web.ts";
import { EnphaseTwin, envoyToken } from "../../twins/http-devices/enphase-twin.ts";
import { PlenticoreTwin } from "../../twins/http-devices/kostal-twin.ts";
import { PowerwallTwin } from "../../twins/http-devices/powerwall-twin.ts";
import { ShellyRpcTwin } from "../../twins/http-devices/shelly-twin.ts";
import { bed, FINGERPRINT } from "./http-world.ts";

describe("a Powerwall", () => {
  test("is signed in at once, not with every read", async () => {
    const twin = new PowerwallTwin("AB123");
    const { connect, read, world } = bed(twin, { profile: "tesla-powerwall", password: "AB123" });
    await using driver = await connect();
    for (let round = 0; round < 5; round += 1) {
      await world.clock.advance(60_000);
      await read(driver);
    }
    expect(twin.signIns).toBe(1);
    twin.restart();
    expect(await read(driver)).toMatchObject({ "meter.power": 734 });
    expect(twin.signIns).toBe(2);
    await world.clock.advance(23.5 * 3_600_000);
    await read(driver);
    expect(twin.signIns).toBe(3);
  });

  test("is not asked again for a while when it refused the password", async () => {
    const twin = new PowerwallTwin("AB123");
    const { connect } = bed(twin, { profile: "tesla-powerwall", password: "wrong" });
    for (let attempt = 0; attempt < 4; attempt += 1) {
      await expect(connect()).rejects.toMatchObject({ kind: "unauthorized" });
    }
    expect(twin.signIns).toBe(1);
  });

  test("that refuses a password in a bad minute is signed in a minute later, and not tried for long", async () => {
    const twin = new PowerwallTwin("AB123");
    let isStarting = false;
    const serve = (request: SimWebRequest) =>
      isStarting && request.method === "POST" ? { status: 403, body: "{}" } : twin.serve(request);
    const { connect, read, world } = bed({ serve }, { profile: "tesla-powerwall", password: "AB123" });
    await using driver = await connect();
    await world.clock.advance(60_000);
    isStarting = true;
    twin.restart();
    await expect(read(driver)).rejects.toMatchObject({ kind: "unauthorized" });
    isStarting = false;
    await world.clock.advance(60_000);
    expect(await read(driver)).toMatchObject({ "meter.power": 734 });
    isStarting = true;
    twin.restart();
    await world.clock.advance(60_000);
    const before = twin.signIns;
    for (let minute = 0; minute < 10; minute += 1) {
      await read(driver).catch(() => undefined);
      await world.clock.advance(60_000);
    }
    expect(twin.signIns - before).toBe(0);
  });
});

describe("a Plenticore", () => {
  test("keeps its session until the inverter forgets it", async () => {
    const twin = new PlenticoreTwin("secret");
    const { connect, read } = bed(twin, { profile: "kostal-plenticore", password: "secret" });
    await using driver = await connect();
    await read(driver);
    await read(driver);
    expect(twin.sessions).toBe(1);
    twin.expire();
    expect(await read(driver)).toMatchObject({ "meter.power": 734 });
    expect(twin.sessions).toBe(2);
  });

  test("that does not know the password is not believed, and a wrong password not sent again", async () => {
    const twin = new PlenticoreTwin("secret");
    const { connect } = bed(twin, { profile: "kostal-plenticore", password: "wrong" });
    await expect(connect()).rejects.toMatchObject({ kind: "unauthorized" });
    const before = twin.asked.length;
    await expect(connect()).rejects.toMatchObject({ kind: "unauthorized" });
    expect(twin.asked.length).toBe(before);
    const liar = new PlenticoreTwin("secret");
    liar.lies.set('"signature":"', '"signature":"AAAA');
    const other = bed(liar, { profile: "kostal-plenticore", password: "secret" });
    await expect(other.connect()).rejects.toThrow("cannot prove");
  });

  test("that asks for endless work is refused it", async () => {
    const twin = new PlenticoreTwin("secret");
    twin.lies.set('"rounds":2900', '"rounds":2900000000');
    const { connect } = bed(twin, { profile: "kostal-plenticore", password: "secret" });
    await expect(connect()).rejects.toMatchObject({ kind: "malformed", message: expect.stringContaining("rounds") });
  });
});

describe("digest", () => {
  test("goes on when the nonce is old, and asks twice only then", async () => {
    const twin = new ShellyRpcTwin("triphase", "secret");
    const { connect, read } = bed(twin, { profile: "shelly-gen2-3em", password: "secret" });
    await using driver = await connect();
    for (let round = 0; round < 12; round += 1) expect(await read(driver)).toMatchObject({ "meter.power": 734 });
    // A nonce is good for five requests: about one in five is sent again.
    expect(twin.asked.length).toBeLessThan(40);
  });

  test("does not try a refused password again and again", async () => {
    const twin = new ShellyRpcTwin("triphase", "secret");
    const { connect } = bed(twin, { profile: "shelly-gen2-3em", password: "wrong" });
    await expect(connect()).rejects.toMatchObject({ kind: "unauthorized" });
    expect(twin.asked.length).toBe(2);
  });
});

describe("a token", () => {
  test("that has ended is not sent", async () => {
    const token = envoyToken(1_700_000_000);
    const twin = new EnphaseTwin(token);
    const { connect } = bed(twin, { profile: "enphase-envoy", token });
    await expect(connect()).rejects.toThrow("the token ended at 2023-11-14");
    expect(twin.asked).toEqual([]);
  });

  test("that is missing is asked for", async () => {
    const { connect } = bed(new EnphaseTwin("t"), { profile: "enphase-envoy" });
    await expect(connect()).rejects.toMatchObject({ kind: "unauthorized", message: "the device needs a token" });
  });
});

describe("a certificate of a device's own", () => {
  const token = envoyToken(2_000_000_000);

  test("is the one that the configuration pins, or nothing is sent", async () => {
    const twin = new EnphaseTwin(token);
    const { connect } = bed(twin, { profile: "enphase-envoy", token, fingerprint: "CD".repeat(32) });
    await expect(connect()).rejects.toMatchObject({ kind: "unauthorized" });
    expect(twin.asked).toEqual([]);
    const right = bed(twin, { profile: "enphase-envoy", token, fingerprint: FINGERPRINT });
    await using driver = await right.connect();
    expect(driver.identity.serial).toBe("122238082690");
  });

  test("is trusted at first sight, told, and kept over connections", async () => {
    const twin = new EnphaseTwin(token);
    const { connect, changeCertificate, log } = bed(twin, { profile: "enphase-envoy", token });
    await (await connect())[Symbol.asyncDispose]();
    expect(log.lines.map(({ fields }) => fields["fingerprint"])).toContain(FINGERPRINT);
    changeCertificate("cd".repeat(32));
    const before = twin.asked.length;
    await expect(connect()).rejects.toMatchObject({ kind: "unauthorized" });
    expect(twin.asked.length).toBe(before);
    changeCertificate(FINGERPRINT);
    await using driver = await connect();
    expect(driver.identity.manufacturer).toBe("Enphase");
  });

  test("is kept over a restart, and another one is refused with what to do about it", async () => {
    const twin = new EnphaseTwin(token);
    const { connect, changeCertificate, restart } = bed(twin, { profile: "enphase-envoy", token });
    await (await connect())[Symbol.asyncDispose]();
    const asked = twin.asked.length;
    restart();
    changeCertificate("cd".repeat(32));
    const refused = await connect().catch((error: unknown) => error);
    expect(refused).toMatchObject({ kind: "unauthorized" });
    expect(String(refused)).toContain(`SHA-256 ${"cd".repeat(32)} instead of ${FINGERPRINT}`);
    expect(String(refused)).toContain("name its new certificate as fingerprint in its entry, or link it again");
    expect(twin.asked.length).toBe(asked);
    changeCertificate(FINGERPRINT);
    await using driver = await connect();
    expect(driver.identity.manufacturer).toBe("Enphase");
  });

  test("that the entry names takes the place of the kept one, and is kept from then on", async () => {
    const twin = new EnphaseTwin(token);
    const renewed = "cd".repeat(32);
    const { connect, changeCertificate, restart } = bed(twin, { profile: "enphase-envoy", token });
    await (await connect())[Symbol.asyncDispose]();
    restart();
    changeCertificate(renewed);
    await (await connect({ fingerprint: renewed }))[Symbol.asyncDispose]();
    restart();
    await using driver = await connect();
    expect(driver.identity.manufacturer).toBe("Enphase");
    changeCertificate(FINGERPRINT);
    restart();
    await expect(connect()).rejects.toMatchObject({ kind: "unauthorized" });
  });
});
