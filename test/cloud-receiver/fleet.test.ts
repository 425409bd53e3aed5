/** The fleet's API. */
import { expect, test } from "vitest";
import { ANSWER_EVENT, CONFIGURED_EVENT } from "../../src/sync/protocol/index.ts";
import { ask, openSite, startCopy } from "./copies.ts";
import { AT_MS, batch, boot, EPOCH, hello, NEXT_EPOCH, record, records } from "./messages.ts";
import { TestGateway } from "./test-gateway.ts";
import { until } from "./until.ts";

const HOUSE = "/gateways/house-1";

test("shows gateways, their assets and actions, and their events with the holes in them", async () => {
  await using site = await openSite();
  await using copy = await startCopy(site);
  await using gateway = await TestGateway.connect(site.brokerUrl, "house-1");
  await gateway.meet(hello("house-1", [boot(1)]));
  await gateway.publish("presence", "online");
  const meter = (seq: number, id: string, event = "user:meter:updated") =>
    record(seq, { entity: `meter/${id}`, event, payload: { user: { id: "home" }, meter: { id, seq } } });
  const states = [meter(1, "a"), meter(2, "b"), meter(3, "c"), meter(5, "b", "user:meter:deleted"), meter(6, "a")];
  const action = (seq: number, state: string) =>
    record(seq, {
      event: "user:vendor-action:updated",
      payload: { vendorAction: { id: "act", targetType: "battery", state } },
    });
  await gateway.deliver(
    batch(1, 6, states, { stream: "state" }),
    batch(1, 6, [record(1), action(2, "PENDING"), action(5, "CONFIRMED"), record(6)], {
      gaps: [{ from: 3, through: 4, reason: "damaged", fromMs: AT_MS }],
    }),
  );
  const asked = (path: string) => ask(copy, path);
  expect(await asked("/gateways")).toMatchObject({ status: 200, body: { data: [{ id: "house-1", isOnline: true }] } });
  expect(await asked(HOUSE)).toMatchObject({
    body: { streams: { event: { epoch: EPOCH, applied: 6 } }, clonedAt: null },
  });
  const pagination = { after: null, before: null };
  const meters = [
    { id: "c", seq: 3 },
    { id: "a", seq: 6 },
  ];
  expect(await asked(`${HOUSE}/meters`)).toEqual({ status: 200, body: { data: meters, pagination } });
  expect(await asked(`${HOUSE}/meters/a`)).toEqual({ status: 200, body: { id: "a", seq: 6 } });
  expect((await asked(`${HOUSE}/meters/b`)).status).toBe(404);
  expect(await asked(`${HOUSE}/batteries`)).toMatchObject({ status: 200, body: { data: [] } });
  expect(await asked(`${HOUSE}/batteries/actions/act`)).toMatchObject({ body: { id: "act", state: "CONFIRMED" } });
  expect((await asked(`${HOUSE}/meters/actions/act`)).status).toBe(404);
  expect(await asked(`${HOUSE}/events`)).toMatchObject({
    body: {
      data: [
        { event: "user:intervention:told", place: { epoch: EPOCH, seq: 6 }, n: 6 },
        { event: "user:vendor-action:updated", vendorAction: { state: "CONFIRMED" } },
        { hole: { epoch: EPOCH, from: 3, through: 4, reason: "damaged", fromAt: new Date(AT_MS).toISOString() } },
        { event: "user:vendor-action:updated", vendorAction: { state: "PENDING" } },
        { event: "user:intervention:told", place: { seq: 1 } },
      ],
      pagination,
    },
  });
});

test("pages lead through all events of two epochs, and back", async () => {
  await using site = await openSite();
  await using copy = await startCopy(site);
  await using gateway = await TestGateway.connect(site.brokerUrl, "house-1");
  await gateway.meet(hello("house-1", [boot(1)]));
  await gateway.deliver(batch(1, 4, records(1, 4)));
  await gateway.meet(hello("house-1", [boot(1)], NEXT_EPOCH));
  await gateway.deliver(batch(1, 3, records(1, 3), { epoch: NEXT_EPOCH }));
  interface Events {
    readonly data: readonly { readonly place: { readonly epoch: string; readonly seq: number } }[];
    readonly pagination: { readonly after: string | null; readonly before: string | null };
  }
  const read = async (query: string): Promise<Events> =>
    (await ask(copy, `${HOUSE}/events?pageSize=3${query}`)).body as Events;
  const pages: Events[] = [await read("")];
  for (let after = pages[0]?.pagination.after ?? null; after !== null; after = pages.at(-1)?.pagination.after ?? null) {
    pages.push(await read(`&after=${after}`));
  }
  const places = (page: Events | undefined) => page?.data.map(({ place }) => `${place.epoch.slice(-2)}/${place.seq}`);
  expect(pages.map(places)).toEqual([["a2/3", "a2/2", "a2/1"], ["a1/4", "a1/3", "a1/2"], ["a1/1"]]);
  const back = await read(`&before=${pages.at(-1)?.pagination.before}`);
  expect(places(back)).toEqual(places(pages[1]));
  expect(places(await read(`&before=${back.pagination.before}`))).toEqual(places(pages[0]));
  expect(pages[0]?.pagination.before).toBeNull();
});

test("a command reaches its gateway, is told again at its next hello, and shows the answer", async () => {
  await using site = await openSite();
  await using copy = await startCopy(site);
  const command = {
    id: "c-1",
    method: "POST",
    path: "/batteries/b/operation-mode",
    body: { mode: "IDLE" },
    userId: "home",
  };
  expect((await ask(copy, `${HOUSE}/commands`, command)).status).toBe(404);
  await using gateway = await TestGateway.connect(site.brokerUrl, "house-1");
  await gateway.meet(hello("house-1", [boot(1)]));
  expect(await ask(copy, `${HOUSE}/commands`, command)).toMatchObject({
    status: 202,
    body: { id: "c-1", answer: null },
  });
  const commands = () => gateway.heard.filter(({ kind }) => kind === "command");
  const first = await until(() => commands()[0]);
  expect(first).toMatchObject({ ...command, version: "2024-10-01" });
  expect((await ask(copy, `${HOUSE}/commands`, { ...command, body: { mode: "CHARGE" } })).status).toBe(409);
  expect((await ask(copy, `${HOUSE}/commands`, command)).status).toBe(202);
  // On a busy machine it may have been sent once more by itself.
  await until(() => commands().length >= 2);
  const before = commands().length;
  await gateway.meet(hello("house-1", [boot(1), boot(2)]));
  await until(() => commands().length > before);
  expect(commands().at(-1)).toEqual(first);
  const payload = {
    commandId: "c-1",
    outcome: "executed",
    status: 201,
    contentType: "application/json",
    body: { id: "act" },
    detail: null,
  };
  await gateway.deliver(batch(1, 1, [record(1, { event: ANSWER_EVENT, payload })]));
  expect(await ask(copy, `${HOUSE}/commands/c-1`)).toMatchObject({
    status: 200,
    body: { method: "POST", answer: { outcome: "executed", status: 201, body: { id: "act" } } },
  });
  expect((await ask(copy, `${HOUSE}/commands`, command)).status).toBe(202);
  await gateway.meet(hello("house-1", [boot(2)]));
  expect(commands()).toHaveLength(3);
});

test("a configuration reaches its gateway, again at a hello that knows it not, and shows what became of it", async () => {
  await using site = await openSite();
  await using copy = await startCopy(site);
  const url = `${HOUSE}/configuration`;
  const document = {
    configuration: { devices: [{ id: "meter", password: "s3cret" }] },
    settings: { telemetry: "off" },
  };
  expect((await ask(copy, url, document)).status).toBe(404);
  await using gateway = await TestGateway.connect(site.brokerUrl, "house-1");
  const standing = (seen: number, revision: number | null) => ({
    ...hello("house-1", [boot(1)]),
    configuration: { seen, revision, isOnTrial: false, digest: "d1" },
  });
  await gateway.meet(standing(6, null));
  const published = await ask(copy, url, document);
  expect(published).toMatchObject({
    status: 202,
    body: { inUse: null, digest: "d1", newest: { revision: 7, sections: ["devices"], outcome: null } },
  });
  expect(JSON.stringify(published)).not.toContain("s3cret");
  const documents = () => gateway.heard.filter(({ kind }) => kind === "configuration");
  expect(await until(() => documents()[0])).toMatchObject({ revision: 7, ...document });
  await gateway.meet(standing(6, null));
  await until(() => documents().length === 2);
  const payload = { revision: 7, reason: null, errors: [], unknownKeys: [] };
  const applied = record(1, { event: CONFIGURED_EVENT, payload: { ...payload, outcome: "applied", inUse: 7 } });
  await gateway.deliver(batch(1, 1, [applied]));
  expect(await ask(copy, url)).toMatchObject({ body: { inUse: 7, newest: { outcome: { outcome: "applied" } } } });
  await gateway.meet(standing(7, 7));
  const told = { ...payload, outcome: "rolled-back", reason: "local-change", inUse: null };
  await gateway.deliver(batch(2, 2, [record(2, { event: CONFIGURED_EVENT, payload: told })]));
  expect(await ask(copy, url)).toMatchObject({
    body: { inUse: null, newest: { outcome: { reason: "local-change" } } },
  });
  expect(documents()).toHaveLength(2);
  expect((await ask(copy, url, {})).body).toMatchObject({ newest: { revision: 8, sections: [] } });
  expect((await ask(copy, url, { devices: [] })).status).toBe(400);
});

test("an answer whose body is JSON's null is shown with it", async () => {
  await using site = await openSite();
  await using copy = await startCopy(site);
  await using gateway = await TestGateway.connect(site.brokerUrl, "house-1");
  await gateway.meet(hello("house-1", [boot(1)]));
  await ask(copy, `${HOUSE}/commands`, { id: "c-1", method: "PUT", path: "/x", body: null });
  expect(await until(() => gateway.heard.find(({ kind }) => kind === "command"))).toMatchObject({ body: null });
  const answer = { outcome: "executed", status: 200, contentType: "application/json", detail: null, body: null };
  const payload = { ...answer, commandId: "c-1" };
  await gateway.deliver(batch(1, 1, [record(1, { event: ANSWER_EVENT, payload })]));
  expect((await ask(copy, `${HOUSE}/commands/c-1`)).body).toMatchObject({ body: null, answer });
});

test("a configuration that is null is refused, and null in a section is sent as it is", async () => {
  await using site = await openSite();
  await using copy = await startCopy(site);
  await using gateway = await TestGateway.connect(site.brokerUrl, "house-1");
  await gateway.meet(hello("house-1", [boot(1)]));
  const url = `${HOUSE}/configuration`;
  for (const wrong of [null, { configuration: null }, { settings: null }, { settings: { telemetry: null } }]) {
    expect((await ask(copy, url, wrong)).status).toBe(400);
  }
  const configuration = { devices: null, location: { name: null } };
  expect(await ask(copy, url, { configuration })).toMatchObject({ status: 202, body: { newest: { revision: 1 } } });
  const sent = await until(() => gateway.heard.find(({ kind }) => kind === "configuration"));
  expect(sent).toMatchObject({ revision: 1, settings: {}, configuration });
});

test("a command that is not valid any more is not sent", async () => {
  await using site = await openSite();
  await using copy = await startCopy(site);
  await using gateway = await TestGateway.connect(site.brokerUrl, "house-1");
  await gateway.meet(hello("house-1", [boot(1)]));
  await ask(copy, `${HOUSE}/commands`, { id: "c-1", method: "GET", path: "/batteries" });
  await until(() => gateway.heard.some(({ kind }) => kind === "command"));
  await site.database.rows("UPDATE command SET expires_ms = 1");
  const before = gateway.heard.length;
  await gateway.meet(hello("house-1", [boot(1)]));
  await gateway.deliver(batch(1, 1, records(1, 1)));
  expect(gateway.heard.slice(before).map(({ kind }) => kind)).toEqual(["welcome", "ack"]);
});

test("an audit asks the gateway for rows that were lost here", async () => {
  await using site = await openSite();
  await using copy = await startCopy(site);
  await using gateway = await TestGateway.connect(site.brokerUrl, "house-1");
  await gateway.meet(hello("house-1", [boot(1)]));
  await gateway.deliver(batch(1, 5, records(1, 5)));
  await site.database.rows("DELETE FROM record WHERE seq IN (2, 3)");
  const ranges = [{ from: 2, through: 3 }];
  expect(await ask(copy, `${HOUSE}/audit`, {})).toEqual({
    status: 202,
    body: { asked: [{ stream: "event", epoch: EPOCH, ranges }] },
  });
  const request = await until(() => gateway.heard.find(({ kind }) => kind === "gap-request"));
  expect(request).toMatchObject({ stream: "event", epoch: EPOCH, ranges });
});

test("the fleet service says what is wrong with a request", async () => {
  await using site = await openSite();
  await using copy = await startCopy(site);
  await using gateway = await TestGateway.connect(site.brokerUrl, "house-1");
  await gateway.meet(hello("house-1", [boot(1)]));
  const url = `http://127.0.0.1:${copy.port}`;
  expect((await fetch(`${url}/gateways`)).status).toBe(401);
  expect((await fetch(`${url}/gateways`, { headers: { authorization: "Bearer wrong" } })).status).toBe(401);
  const statuses = async (...paths: readonly string[]) =>
    await Promise.all(paths.map(async (path) => (await ask(copy, path)).status));
  expect(await statuses("/", "/gateways/none", "/gateways/%00", "/gateways/%zz", `${HOUSE}/dreams`)).toEqual([
    404, 404, 404, 404, 404,
  ]);
  const wrong = ["pageSize=0", "pageSize=x", "after=x", "before=%00", "after=x&before=y"];
  expect(await statuses(...wrong.map((query) => `${HOUSE}/events?${query}`))).toEqual([400, 400, 400, 400, 400]);
  expect((await ask(copy, `${HOUSE}/commands`, { method: "GET", path: "no path" })).status).toBe(400);
  expect(await ask(copy, `${HOUSE}/commands`, { method: "BREW", path: "/" })).toMatchObject({
    body: { type: "/problems/bad-request", title: "Bad Request", detail: expect.stringContaining("method") },
  });
});
