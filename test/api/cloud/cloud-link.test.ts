import { describe, expect, test } from "vitest";
import { EnrolmentTwin } from "../../twins/cloud/enrolment-twin.ts";
import { openRealHouse, type RealHouse } from "../support/real-house.ts";

const MINUTE = 60_000;

interface Enrolled {
  readonly house: RealHouse;
  readonly twin: EnrolmentTwin;
  enroll(token: string): Promise<void>;
}

/** A house that an enrolment service can be reached from. */
async function openWithService(certificateDays = 90): Promise<Enrolled & AsyncDisposable> {
  const house = await openRealHouse();
  const { clock, random, web } = house.home.world;
  const twin = new EnrolmentTwin({
    clock,
    random: random.fork("twin"),
    url: "https://cloud.example/",
    certificateDays,
  });
  web.serve("cloud.example", "93.184.216.34", (request) => twin.answer(request));
  return {
    house,
    twin,
    enroll: (token) => clock.resolve(house.cloud.enroll(token, new AbortController().signal), 60_000),
    [Symbol.asyncDispose]: () => house[Symbol.asyncDispose](),
  };
}

async function link(house: RealHouse) {
  return (await house.ask({ url: "/local/cloud" })).json();
}

async function metric(house: RealHouse, name: string): Promise<string | undefined> {
  const { body } = await house.ask({ url: "/metrics" });
  return body.split("\n").find((line) => line.startsWith(`hemgate_cloud_${name} `));
}

describe("the link to a cloud service", () => {
  test("is none before the gateway is enrolled", async () => {
    await using house = await openRealHouse();
    expect(await link(house)).toMatchObject({ state: "NOT_ENROLLED", identity: null, streams: [], remedy: null });
    expect(await metric(house, "enrolled")).toBe("hemgate_cloud_enrolled 0");
    expect(await metric(house, "expiry_seconds")).toBeUndefined();
  });

  test("shows who the gateway is once it is enrolled, and nothing of its key", async () => {
    await using open = await openWithService();
    const { house, twin } = open;
    await open.enroll(twin.issueToken());
    await house.pass(1_000);
    const shown = await link(house);
    expect(shown).toMatchObject({
      state: "ENROLLED",
      identity: { gateway: "gw-1", service: "https://cloud.example/", fingerprint: twin.keysOf("gw-1")[0] },
    });
    expect(JSON.stringify(shown)).not.toContain("PRIVATE");
    expect(shown.streams.map(({ stream }: { stream: string }) => stream)).toEqual(["event", "state"]);
    expect(await metric(house, "enrolled")).toBe("hemgate_cloud_enrolled 1");
    expect(await metric(house, "expiry_seconds")).toBe(
      `hemgate_cloud_expiry_seconds ${Date.parse(shown.identity.expiresAt) / 1_000}`,
    );
  });

  test("is as it was after a token that is wrong, in words that say so", async () => {
    await using open = await openWithService();
    await expect(open.enroll("https://cloud.example/#not-a-token")).rejects.toThrow("This token is not known.");
    await expect(open.enroll("what")).rejects.toThrow("the token is not an address");
    expect(await link(open.house)).toMatchObject({ state: "NOT_ENROLLED" });
  });

  test("has expired when nobody could be asked, which its owner is told with what to do", async () => {
    await using open = await openWithService(0.01);
    const { house, twin } = open;
    await open.enroll(twin.issueToken());
    house.home.world.web.close("93.184.216.34", 443);
    await house.pass(15 * MINUTE);
    expect(await link(house)).toMatchObject({
      state: "EXPIRED",
      remedy: expect.stringContaining("hemgate cloud enroll"),
    });
  });

  test("is cut for good by its owner: what waits is forgotten and the service is told", async () => {
    await using open = await openWithService();
    const { house, twin } = open;
    await open.enroll(twin.issueToken());
    expect((await house.ask({ method: "DELETE", url: "/local/cloud" })).statusCode).toBe(204);
    await house.pass(10_000);
    expect(await link(house)).toMatchObject({ state: "NOT_ENROLLED", streams: [], farewells: 0 });
    expect(twin.gateways).toEqual([]);
    expect((await house.ask({ method: "DELETE", url: "/local/cloud" })).statusCode).toBe(404);
  });

  test("is nothing for those without a token", async () => {
    await using house = await openRealHouse();
    for (const method of ["GET", "DELETE"] as const) {
      const answer = await house.ask({ method, url: "/local/cloud", headers: { authorization: "" } });
      expect(answer.statusCode).toBe(401);
    }
  });
});
