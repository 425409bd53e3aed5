import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Attempt, SignedIn } from "../../../src/engine/contracts/people.ts";
import { PeopleService } from "../../../src/engine/people/people-service.ts";
import { SeededRandom, TestLog, VirtualClock } from "../../../src/testing/index.ts";
import { FakeStore } from "../../api/support/fake-store.ts";
import { MadePasskey, type Mistake, ORIGIN } from "./made-passkey.ts";

const ALL = { accountId: null, isManager: true };
const FROM = { address: "192.168.1.7", userAgent: null };
const HERE = { origin: ORIGIN, host: "hemgate.local", address: "192.168.1.7" };
const ELSEWHERE = { origin: "https://box.local:8443", host: "box.local", address: "192.168.1.7" };
const PASSWORD = "correct horse";

async function open() {
  const store = new FakeStore();
  const clock = new VirtualClock();
  const people = new PeopleService({ store, clock, random: new SeededRandom(1), log: new TestLog() });
  people.connect();
  const failures: string[] = [];
  const attempt: Attempt = {
    isAhead: true,
    before: () => {},
    failed: () => failures.push("failed"),
    succeeded: () => {},
  };
  const code = people.setupCode() ?? "";
  const anna = await people.claim({ code, name: "Anna", password: PASSWORD }, FROM, attempt);
  const begin = (who: SignedIn = anna) => people.passkeyCreation(who.session, PASSWORD, HERE, attempt);
  const register = async (device: MadePasskey, who: SignedIn = anna, mistake: Mistake = {}) =>
    await people.createPasskey(who.session, device.create(await begin(who), mistake), HERE);
  const signIn = (device: MadePasskey, mistake: Mistake = {}, place = HERE) =>
    people.signInWithPasskey(device.get(people.passkeyRequest(place), mistake), place, FROM, attempt);
  return { store, clock, people, anna, attempt, failures, begin, register, signIn };
}

describe("a passkey", () => {
  test.each(["es256", "ed25519", "rs256"] as const)("with an %s key signs its person in", async (kind) => {
    const { people, anna, clock, register, signIn, failures } = await open();
    const device = new MadePasskey(kind);
    const made = await register(device);
    expect(made).toMatchObject({ name: "Phone", host: "hemgate.local", lastUsedAt: null });
    await clock.advance(60_000);
    const signedIn = await signIn(device);
    expect(people.sessionOf(signedIn.token)?.account.name).toBe("Anna");
    expect(people.passkeys(anna.session.account.id, ALL)).toMatchObject([
      { id: made.id, lastUsedAt: new Date(clock.nowMs()).toISOString() },
    ]);
    expect(failures).toEqual([]);
  });

  test("is made with the account's password only", async () => {
    const { people, anna, attempt, failures } = await open();
    await expect(people.passkeyCreation(anna.session, "wrong", HERE, attempt)).rejects.toMatchObject({
      slug: "forbidden",
    });
    expect(failures).toEqual(["failed"]);
  });

  const curve = generateKeyPairSync("ec", { namedCurve: "P-384" }).publicKey;
  const weak = generateKeyPairSync("rsa", { modulusLength: 1_024 }).publicKey;
  const spki = (key: typeof curve): string => key.export({ format: "der", type: "spki" }).toString("base64url");
  test.each([
    ["for another page", { origin: "https://evil.example" }, "another page"],
    ["in a frame of another page", { crossOrigin: true }, "another page"],
    ["of a sign-in", { type: "webauthn.get" }, "webauthn.create was asked for"],
    ["for another host", { host: "evil.example" }, "not for hemgate.local"],
    ["without a check of the person", { flags: 0x41 }, "fingerprint"],
    ["without a new key in it", { flags: 0x05 }, "its id"],
    ["with another id than the device's", { id: "AAAAAAAAAAAAAAAAAAAAAA" }, "its id"],
    ["that is cut off in its head", { cutAt: 36 }, "too short"],
    ["that is cut off before the id", { cutAt: 50 }, "no whole passkey"],
    ["that is cut off in the id", { cutAt: 60 }, "no whole passkey"],
    ["without a key", { publicKey: "AAAA" }, "of another kind than ES256"],
    ["with a key on another curve", { publicKey: spki(curve) }, "of another kind than ES256"],
    ["with a key that is too short", { publicKey: spki(weak) }, "of another kind than ES256"],
  ])("is refused if its answer is one %s", async (_title, mistake, reason) => {
    const { people, anna, register } = await open();
    await expect(register(new MadePasskey(), anna, mistake)).rejects.toMatchObject({
      slug: "forbidden",
      message: expect.stringContaining(reason),
    });
    expect(people.passkeys(anna.session.account.id, ALL)).toEqual([]);
  });

  test("is made once with a challenge, within five minutes, and in the session that asked", async () => {
    const { people, anna, attempt, clock, begin } = await open();
    const device = new MadePasskey();
    const options = await begin();
    const other = await people.signIn("Anna", PASSWORD, FROM, attempt);
    const make = (who: SignedIn, answer = device.create(options)) => people.createPasskey(who.session, answer, HERE);
    await expect(make(other ?? anna)).rejects.toThrow("challenge");
    // Who tried it elsewhere has used it up.
    await expect(make(anna)).rejects.toThrow("challenge");
    const late = device.create(await begin());
    await clock.advance(300_000);
    await expect(make(anna, late)).rejects.toThrow("challenge");
    await make(anna, device.create(await begin()));
    await expect(make(anna, device.create(await begin()))).rejects.toMatchObject({ slug: "conflict" });
  });

  test("ends with its removal, and with its account", async () => {
    const { people, anna, attempt, register, signIn } = await open();
    const device = new MadePasskey();
    const { id } = await register(device);
    await people.create({ name: "Ben", role: "owner", password: PASSWORD });
    const ben = (await people.signIn("Ben", PASSWORD, FROM, attempt)) ?? anna;
    const bens = new MadePasskey();
    await register(bens, ben);
    await people.removePasskey(anna.session.account.id, id, ALL);
    await expect(signIn(device)).rejects.toMatchObject({ slug: "unauthorized" });
    expect((await signIn(bens)).session.account.name).toBe("Ben");
    await people.remove(ben.session.account.id);
    await expect(signIn(bens)).rejects.toMatchObject({ slug: "unauthorized" });
  });

  test("of somebody else is seen and removed by owners only", async () => {
    const { people, anna, register } = await open();
    const { id } = await register(new MadePasskey());
    const guest = { accountId: "another", isManager: false };
    expect(() => people.passkeys(anna.session.account.id, guest)).toThrow("Only an owner");
    await expect(people.removePasskey(anna.session.account.id, id, guest)).rejects.toThrow("Only an owner");
  });

  test("does not outlive the time of an installer's account", async () => {
    const { people, anna, attempt, clock, register, signIn } = await open();
    await people.create({ name: "Ivo", role: "installer", password: PASSWORD });
    const device = new MadePasskey();
    await register(device, (await people.signIn("Ivo", PASSWORD, FROM, attempt)) ?? anna);
    clock.setWallMs(clock.nowMs() + 31 * 24 * 3_600_000);
    await expect(signIn(device)).rejects.toMatchObject({ slug: "forbidden" });
  });
});

describe("a sign-in with a passkey", () => {
  test.each([
    ["for another page", { origin: "https://evil.example" }, "another page"],
    ["of another kind", { type: "webauthn.create" }, "webauthn.get was asked for"],
    ["for another host", { host: "evil.example" }, "not for hemgate.local"],
    ["without a check of the person", { flags: 0x01 }, "fingerprint"],
    ["of a copy that may be none", { flags: 0x15 }, "contradicts"],
    ["that is cut off", { cutAt: 20 }, "too short"],
    ["with a passkey that nobody has", { id: "AAAAAAAAAAAAAAAAAAAAAA" }, "nobody here has it"],
    ["for somebody else's account", { userHandle: "AAAA" }, "nobody here has it"],
  ])("is refused and counted as a failed attempt if its answer is one %s", async (_title, mistake, reason) => {
    const { people, attempt, failures, register } = await open();
    const device = new MadePasskey();
    await register(device);
    const options = people.passkeyRequest(HERE);
    const answer = (wrong: Mistake) => people.signInWithPasskey(device.get(options, wrong), HERE, FROM, attempt);
    await expect(answer(mistake)).rejects.toMatchObject({
      slug: "unauthorized",
      message: expect.stringContaining(reason),
    });
    expect(failures).toEqual(["failed"]);
    expect(people.sessions(ALL)).toHaveLength(1);
  });

  test("counts once: who records it cannot use it again", async () => {
    const { people, attempt, register } = await open();
    const device = new MadePasskey();
    await register(device);
    const answer = device.get(people.passkeyRequest(HERE));
    await people.signInWithPasskey(answer, HERE, FROM, attempt);
    await expect(people.signInWithPasskey(answer, HERE, FROM, attempt)).rejects.toThrow("challenge");
  });

  test("with the key of another device is refused", async () => {
    const { register, signIn } = await open();
    const [device, thief] = [new MadePasskey(), new MadePasskey()];
    await register(device);
    await expect(signIn(thief, { id: device.id, userHandle: device.userHandle })).rejects.toThrow("signature");
  });

  test("with one's own passkey does not enter another account", async () => {
    const { people, anna, attempt, register, signIn } = await open();
    await register(new MadePasskey());
    await people.create({ name: "Ben", role: "guest", password: PASSWORD });
    const device = new MadePasskey();
    await register(device, (await people.signIn("Ben", PASSWORD, FROM, attempt)) ?? anna);
    const owner = Buffer.from(anna.session.account.id).toString("base64url");
    await expect(signIn(device, { userHandle: owner })).rejects.toThrow("nobody here has it");
    expect((await signIn(device)).session.account.role).toBe("guest");
  });

  test("at another name of the gateway is refused, as browsers do", async () => {
    const { register, signIn } = await open();
    const device = new MadePasskey();
    await register(device);
    const mistake = { origin: ELSEWHERE.origin, host: ELSEWHERE.host };
    await expect(signIn(device, mistake, ELSEWHERE)).rejects.toThrow("nobody here has it");
  });

  test("is refused when the counter goes back or stays, and goes on when it grows", async () => {
    const { register, signIn } = await open();
    const device = new MadePasskey();
    device.counter = 7;
    await register(device);
    await expect(signIn(device)).rejects.toThrow("counter");
    device.counter = 9;
    await signIn(device);
    device.counter = 8;
    await expect(signIn(device)).rejects.toThrow("counter");
    device.counter = 0;
    await expect(signIn(device)).rejects.toThrow("counter");
    device.counter = 10;
    await signIn(device);
  });

  test("of somebody goes on while another network asks for a thousand challenges", async () => {
    const { people, attempt, register } = await open();
    const device = new MadePasskey();
    await register(device);
    const options = people.passkeyRequest(HERE);
    for (let count = 0; count < 1_000; count += 1) people.passkeyRequest({ ...HERE, address: "192.168.1.66" });
    await people.signInWithPasskey(device.get(options), HERE, FROM, attempt);
  });
});
