import { expect, test } from "vitest";
import type { BrokerMessage } from "../../../src/platform/ports/ports.ts";
import { bytes, gather, next, openBed } from "./broker-bed.ts";

test("a later subscriber gets the retained state", async () => {
  await using bed = await openBed();
  await bed.broker.publish({ topic: "hemgate/meter/1", payload: bytes("4.2"), isRetained: true });
  const client = await bed.client("app");
  const message = next(client, "message");
  client.subscribe("hemgate/#");
  const [topic, payload, packet] = await message;
  expect([topic, String(payload), packet]).toMatchObject(["hemgate/meter/1", "4.2", { retain: true }]);
});

test("a wrong password is answered with its code", async () => {
  await using bed = await openBed();
  const raw = await bed.raw();
  expect(await raw.connect("hub", { password: Buffer.from("wrong") })).toMatchObject({ returnCode: 4 });
  await raw.closed;
});

test("a client that only reads is cut off when it publishes", async () => {
  await using bed = await openBed();
  const client = await bed.client("app");
  const gone = next(client, "close");
  client.publish("hemgate/meter/1", "0");
  await gone;
});

test("a message without the right to its topic goes nowhere, and the client stays", async () => {
  await using bed = await openBed();
  const hub = await bed.client("hub");
  const { seen, end } = gather(hub);
  await hub.subscribeAsync("#");
  const plug = await bed.client("plug");
  await plug.publishAsync("cmnd/other", "1", { qos: 1, retain: true });
  await plug.publishAsync("cmnd/other", "1", { qos: 2 });
  await plug.publishAsync("tele/plug", "1");
  await plug.publishAsync("tele/plug", "end");
  await end;
  expect(seen).toEqual(["tele/plug=1 q0"]);
  expect(bed.retained.size.messages).toBe(0);
  expect(bed.log.lines.filter(({ text }) => text.includes("without the right"))).toHaveLength(1);
});

test("nobody speaks for the gateway: of its topics only commands are taken, and never kept", async () => {
  await using bed = await openBed();
  const heard: string[] = [];
  using _all = bed.broker.subscribe("hemgate/#", ({ topic, isRetained }) => heard.push(`${topic} ${isRetained}`));
  const hub = await bed.client("hub");
  await hub.publishAsync("hemgate/meter/1", "0", { qos: 1, retain: true });
  await hub.publishAsync("hemgate/status", "offline", { qos: 1 });
  await hub.publishAsync("hemgate/charger/1/maxCurrent/set", "16", { qos: 1 });
  await hub.publishAsync("hemgate/charger/1/maxCurrent/set", "16", { qos: 1, retain: true });
  await hub.publishAsync("tele/x", "end", { qos: 1 });
  expect(heard).toEqual(["hemgate/charger/1/maxCurrent/set false", "hemgate/charger/1/maxCurrent/set true"]);
  expect([...bed.retained.under("hemgate/#")]).toEqual([]);
});

test("the gateway learns of each message, a retained one too, what its publisher may use", async () => {
  await using bed = await openBed();
  const uses: string[] = [];
  const note = ({ topic, isRetained, mayUse }: BrokerMessage): void => {
    uses.push(`${topic} ${isRetained}: ${["tele/x", "cmnd/x", "hub/only"].filter((use) => mayUse?.(use)).join(" ")}`);
  };
  using _live = bed.broker.subscribe("#", note);
  const plug = await bed.client("plug");
  await plug.publishAsync("tele/plug", "1", { qos: 1, retain: true });
  await (await bed.client("hub")).publishAsync("hub/1", "1", { qos: 1 });
  using _later = bed.broker.subscribe("tele/#", note);
  await plug.publishAsync("a/end", "1", { qos: 1 });
  expect(uses).toEqual([
    "tele/plug false: tele/x cmnd/x",
    "hub/1 false: tele/x cmnd/x hub/only",
    "tele/plug true: tele/x cmnd/x",
    "a/end false: tele/x cmnd/x",
  ]);
  await bed.broker.publish({ topic: "own", payload: bytes("1"), isRetained: false });
  expect(uses.at(-1)).toBe("own false: ");
});

test("a client hears what it may, also below #", async () => {
  await using bed = await openBed();
  const app = await bed.client("app");
  const { seen, end } = gather(app);
  await app.subscribeAsync("#");
  await expect(app.subscribeAsync("tele/#")).rejects.toThrow();
  const hub = await bed.client("hub");
  await hub.publishAsync("tele/plug", "1", { qos: 1 });
  await bed.broker.publish({ topic: "hemgate/status", payload: bytes("online"), isRetained: true });
  await bed.broker.publish({ topic: "hemgate/status", payload: bytes("end"), isRetained: true });
  await end;
  expect(seen).toEqual(["hemgate/status=online q0"]);
});

test("no client reads the broker's own topics", async () => {
  await using bed = await openBed();
  for (const user of ["app", "hub"]) {
    const client = await bed.client(user, { clientId: user });
    await expect(client.subscribeAsync("$SYS/#")).rejects.toThrow();
  }
});

test("a client id belongs to the user who has it", async () => {
  await using bed = await openBed();
  const first = await bed.client("hub", { clientId: "one", clean: false });
  const other = await bed.raw();
  expect(await other.connect("plug", { clientId: "one" })).toMatchObject({ returnCode: 2 });
  await first.subscribeAsync("a/#", { qos: 1 });
  await first.endAsync();
  const later = await bed.raw();
  expect(await later.connect("plug", { clientId: "one", clean: false })).toMatchObject({ returnCode: 2 });
  const owner = await bed.raw();
  expect(await owner.connect("hub", { clientId: "one", clean: false })).toMatchObject({ sessionPresent: true });
});

test("the gateway's own links hear what is kept and what comes", async () => {
  await using bed = await openBed();
  const hub = await bed.client("hub");
  await hub.publishAsync("tele/plug", "old", { qos: 1, retain: true });
  const heard: string[] = [];
  const subscription = bed.broker.subscribe("tele/#", ({ payload, isRetained }) => {
    heard.push(`${Buffer.from(payload)} ${isRetained}`);
  });
  await hub.publishAsync("tele/plug", "new", { qos: 1, retain: true });
  subscription[Symbol.dispose]();
  await hub.publishAsync("tele/plug", "newer", { qos: 1, retain: true });
  expect(heard).toEqual(["old true", "new false"]);
  expect(() => bed.broker.subscribe("a/#/b", () => undefined)).toThrow(RangeError);
});

test("the address that is taken is named", async () => {
  await using bed = await openBed();
  await expect(openBed({}, bed.broker.address)).rejects.toThrow(
    `the MQTT broker cannot listen on 127.0.0.1:${bed.broker.address.port}`,
  );
});

test("a certificate that cannot be read is named, and nothing is left open", async () => {
  const tls = { port: 0, certFile: "/nowhere/cert.pem", keyFile: "/nowhere/key.pem" };
  await expect(openBed({}, { tls })).rejects.toThrow("cannot use the certificate /nowhere/cert.pem");
});
