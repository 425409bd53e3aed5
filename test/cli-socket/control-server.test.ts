import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { checks } from "../../src/cli/commands/checks.ts";
import { devices } from "../../src/cli/commands/devices.ts";
import { discover } from "../../src/cli/commands/discover.ts";
import { claim } from "../../src/cli/commands/people.ts";
import {
  askClients,
  askCloud,
  askForClaim,
  askForClient,
  askForCut,
  askForEnrolment,
  askForPin,
  askForReset,
  askForRevocation,
  askPeople,
  askState,
} from "../../src/cli/control-client.ts";
import { CliError } from "../../src/cli/exit-code.ts";
import { qrText } from "../../src/cli/qr-text.ts";
import { controlSocketPath } from "../../src/cli/state-folder.ts";
import type { CheckEntry } from "../../src/engine/contracts/checks.ts";
import { listenIn, METER, server } from "./socket-bed.ts";

const signal = new AbortController().signal;
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hg-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const listen = (options?: Parameters<typeof listenIn>[1]) => listenIn(folder, options);

describe("over the socket", () => {
  test("the setup code, codes for a new password and revocations are had, and noted", async () => {
    await using opened = await listen();
    const addresses = ["http://192.168.1.5:8080"];
    const authority = "3B:0F";
    expect(await askForClaim(folder, false, signal)).toEqual({
      isClaimed: false,
      code: "K7QM-0001",
      addresses,
      authority,
    });
    expect(opened.noted).toEqual([]);
    expect(await askForClaim(folder, true, signal)).toEqual({
      isClaimed: true,
      code: "K7QM-0002",
      addresses,
      authority,
    });
    const expiresAt = "1970-01-01T01:00:00.000Z";
    expect(await askForReset(folder, "Anna", signal)).toEqual({ code: "2FXA-2FXA", expiresAt, addresses });
    await expect(askForReset(folder, "Eve", signal)).rejects.toThrow('There is no account "Eve"; there are Anna.');
    expect(await askForRevocation(folder, "known", signal)).toEqual({ id: "known", name: "app" });
    await expect(askForRevocation(folder, "x", signal)).rejects.toThrow('There is no client "x".');
    expect([await askPeople(folder, signal), await askClients(folder, signal)]).toEqual([[], []]);
    expect(opened.noted).toEqual(["hemgate claim --new", "hemgate people reset", "hemgate client revoke"]);
  });

  test("hemgate claim shows a QR code of the address with the setup code and the authority's fingerprint", async () => {
    await using _server = await listen();
    const printed: string[] = [];
    const context = { out: (text: string) => void printed.push(text), stop: signal, isTerminal: true };
    await claim({ folder, isJson: false, isNew: false }, context);
    // The page compares what stands behind `authority=` with the authority that it offers.
    const url = "http://192.168.1.5:8080/#code=K7QM-0001&authority=3B0F";
    expect(printed.join("\n")).toContain(`setup code  K7QM-0001\nenter it at ${url}\n${qrText(url)}\n`);
    expect(printed.join("\n")).toContain("compare its fingerprint (SHA-256):\n3B:0F");
    await claim({ folder, isJson: false, isNew: false }, { ...context, isTerminal: false });
    expect(printed.at(-1)).not.toContain("█");
  });

  test("the state tells each device with units and ages", async () => {
    await using _server = await listen();
    expect(await askState(folder, signal)).toEqual({
      version: "1.2.3",
      address: "http://127.0.0.1:8080",
      isReady: true,
      upMs: 0,
      failures: [],
      devices: [
        {
          id: "meter",
          adapter: "modbus",
          identity: METER.identity,
          vendor: "EASTRON",
          isReachable: true,
          lastError: null,
          ageMs: 2_000,
          assets: METER.assets,
          points: [
            { point: "meter.power", value: -1_234, unit: "W", ageMs: 2_000 },
            { point: "meter.frequency", value: null, unit: "Hz", ageMs: 3_000 },
          ],
          takenOver: [{ point: "battery.mode", held: "IDLE", found: "SELF_RELIANCE", ageMs: 3_000 }],
        },
      ],
      checks: [],
    });
  });

  test("a client is created", async () => {
    await using _server = await listen();
    expect(await askForClient(folder, { name: "app" }, signal)).toEqual({ id: "id of app", secret: "s" });
    const pinned = { name: "app", version: "2024-01-01" };
    expect(await askForClient(folder, pinned, signal)).toEqual({ id: "id of app", secret: "2024-01-01" });
  });

  test("a client is pinned to a version, and one that is not there is told of", async () => {
    await using _server = await listen();
    const version = "2024-01-01";
    expect(await askForPin(folder, { id: "known", version }, signal)).toEqual({ id: "known", name: "app", version });
    await expect(askForPin(folder, { id: "other", version }, signal)).rejects.toThrow('There is no client "other"');
  });

  test("the link to a cloud service is told, and what is wrong with a wish about it", async () => {
    await using _server = await listen();
    expect(await askCloud(folder, signal)).toMatchObject({ state: "NOT_ENROLLED" });
    await expect(askForCut(folder, signal)).rejects.toThrow("not enrolled");
    await expect(askForEnrolment(folder, "a-token", signal)).rejects.toThrow("no service");
  });

  test("a failure of the gateway is told in words, and in its log with its cause", async () => {
    await using running = await listen({ createClient: () => Promise.reject(new Error("disk full")) });
    await expect(askForClient(folder, { name: "app" }, signal)).rejects.toThrow(
      "the gateway could not do it; its log says why",
    );
    expect(running.log.texts("error")).toEqual(["control request failed"]);
  });

  test("only the owner may connect", async () => {
    await using _server = await listen();
    expect(statSync(controlSocketPath(folder)).mode & 0o777).toBe(0o600);
  });

  test("an orderly stop takes the socket away, and nobody is there to ask", async () => {
    await (await listen())[Symbol.asyncDispose]();
    expect(await askState(folder, signal)).toBeNull();
  });
});

describe("findings about the installation", () => {
  const measured = "Their powers moved by 3 kW in all; the balance of the house moves by 0.1 kW.";
  const entry = (id: string, more: Partial<CheckEntry> & { fix?: CheckEntry["finding"]["fix"] } = {}): CheckEntry => ({
    id,
    finding: {
      check: "sign",
      deviceId: "meter",
      assetKind: "meter",
      against: null,
      measured,
      fix: more.fix === undefined ? { kind: "invert", deviceId: "meter", points: ["meter.power"] } : more.fix,
    },
    assetId: null,
    state: more.state ?? "OPEN",
    firstSeenAtMs: 5_000,
    lastSeenAtMs: 6_000,
  });
  const said = async (command: typeof checks | typeof devices, isJson = false): Promise<string> => {
    const lines: string[] = [];
    const context = { out: (text: string) => void lines.push(text), stop: signal, isTerminal: false };
    await command({ folder, isJson, isWatch: false }, context, { sleep: async () => undefined });
    return lines.join("\n");
  };

  test("`hemgate devices` shows at the device what is contradicted and since when, and nothing that was settled", async () => {
    await using _server = await listen({ findings: [entry("f1"), entry("f2", { state: "DISMISSED" })] });
    const lines = (await said(devices)).split("\n").filter((line) => line.includes("contradicted"));
    expect(lines).toEqual([
      `meter: sign is contradicted since 1970-01-01T00:00:05.000Z (2 s ago): ${measured} See \`hemgate checks\`.`,
    ]);
    expect(JSON.parse(await said(devices, true))).toMatchObject([{ id: "meter", checks: [{ id: "f1" }] }]);
  });

  test("`hemgate checks` lists each finding with the proposed fix and how to confirm it", async () => {
    const losses = [{ id: "l1", foundAtMs: 4_000, details: ["3 records were lost"], state: "OPEN" }] as const;
    await using _server = await listen({ findings: [entry("f1"), entry("f2", { fix: null })], losses });
    const post = 'curl -X POST -H "Authorization: Bearer $TOKEN" http://127.0.0.1:8080/local/checks';
    expect((await said(checks)).split("\n\n")).toEqual([
      [
        "meter: sign, open, since 1970-01-01T00:00:05.000Z (2 s ago)",
        `  measured: ${measured}`,
        "  fix: change the sign of meter.power",
        `  to apply the fix: ${post}/f1/confirm`,
        `  to keep it as it is: ${post}/f1/dismiss`,
      ].join("\n"),
      [
        "meter: sign, open, since 1970-01-01T00:00:05.000Z (2 s ago)",
        `  measured: ${measured}`,
        "  fix: none by a setting; look at the device or its configuration",
        `  to keep it as it is: ${post}/f2/dismiss`,
      ].join("\n"),
      [
        "gateway: storage, open, since 1970-01-01T00:00:04.000Z (3 s ago)",
        "  measured: 3 records were lost",
        "  fix: none; dismiss it when you know of it",
        `  to keep it as it is: ${post}/l1/dismiss`,
      ].join("\n"),
    ]);
    const listed: unknown = JSON.parse(await said(checks, true));
    expect(listed).toMatchObject([{ id: "f1", confirm: "/local/checks/f1/confirm" }, { id: "f2", confirm: null }, {}]);
  });

  test("`hemgate checks` says so when no gateway runs", async () => {
    await expect(said(checks)).rejects.toThrow("no gateway runs");
  });

  test("each kind of fix is said in words", async () => {
    const fixes: readonly (readonly [CheckEntry["finding"]["fix"], string])[] = [
      [{ kind: "scale", deviceId: "meter", points: ["meter.power"], factor: 0.1 }, "multiply meter.power by 0.1"],
      [
        { kind: "phases", deviceId: "meter", order: [1, 2, 0] },
        "take L1, L2 and L3 of the device as L2, L3, L1 of the house",
      ],
      [{ kind: "hide", deviceId: "meter", assetKind: "meter" }, "hide the meter of meter"],
    ];
    await using _server = await listen({ findings: fixes.map(([fix], index) => entry(`f${index}`, { fix })) });
    const listed = JSON.parse(await said(checks, true)) as { fix: string }[];
    expect(listed.map(({ fix }) => fix)).toEqual(fixes.map(([, text]) => text));
  });
});

describe("hemgate discover", () => {
  const clock = { sleep: async () => undefined };
  const ask = async (options: { isActive?: boolean; isJson?: boolean; hosts?: readonly string[] }) => {
    return (await askOn({ isTerminal: false }, options)).out.join("\n");
  };
  const askOn = async (
    { isTerminal }: { isTerminal: boolean },
    options: { isActive?: boolean; isJson?: boolean; hosts?: readonly string[] },
  ) => {
    const [out, err]: [string[], string[]] = [[], []];
    const context = {
      out: (text: string) => out.push(text),
      err: (text: string) => err.push(text),
      stop: signal,
      isTerminal,
    };
    await discover({ folder, isActive: false, isJson: false, hosts: [], ...options }, context, clock);
    return { out, err };
  };

  test.each([
    [{ isTerminal: true }, { isActive: true }, ["asked 8 of 12 addresses", "asked 12 of 12 addresses"]],
    [{ isTerminal: false }, { isActive: true }, []],
    [{ isTerminal: true }, { isActive: true, isJson: true }, []],
  ])("on %j with %j tells how far it is: %j", async (where, options, progress) => {
    await using _server = await listen();
    const { err } = await askOn(where, options);
    expect(err.filter((line) => line.startsWith("asked"))).toEqual(progress);
  });

  test("lists only what is at the hosts that are named", async () => {
    await using _server = await listen();
    expect(await ask({ hosts: ["192.168.1.9"] })).toBe("0 found; 12 hosts asked");
  });

  test("waits for the end of the search and prints a table", async () => {
    await using _server = await listen();
    expect(await ask({ isActive: true })).toBe(
      [
        "WHAT      SERIAL    WHERE        PROFILE          SURE  PROOF         KNOWN AS",
        "KEBA P30  19123456  192.168.1.6  modbus/keba-p30  90 %  reads 7400 W",
        "1 found; 12 hosts asked",
      ].join("\n"),
    );
  });

  test("prints JSON, and asks the hosts that are named", async () => {
    await using _server = await listen();
    const told: unknown = JSON.parse(await ask({ isJson: true, hosts: ["192.168.1.6"] }));
    expect(told).toMatchObject({ isActive: true, devices: [{ profile: "keba-p30" }] });
  });

  test("tells that another search runs, and that no gateway does", async () => {
    await expect(ask({})).rejects.toThrow("no gateway runs");
    await using _server = await listen();
    await ask({});
    await expect(ask({})).rejects.toThrow("A search is under way.");
  });
});

test("a request that is no client is refused with what is wrong", async () => {
  const { app } = server();
  const answer = await app.inject({ method: "POST", url: "/clients", payload: { name: "", admin: true } });
  expect(answer.statusCode).toBe(400);
  expect(answer.json<{ error: string }>().error).toBe('name: Expected at least 1 character\nUnknown key "admin"');
});

test("a value's time in the future is an age of zero, not a negative one", async () => {
  const { app } = server({ devices: [{ ...METER, lastSeenMs: 9_000_000 }] });
  const answer = await app.inject({ method: "GET", url: "/state" });
  expect(answer.json<{ devices: { ageMs: number }[] }>().devices[0]?.ageMs).toBe(0);
});

test("a folder whose path is too long for a socket is said to be so", async () => {
  await expect(askState(`/${"x".repeat(120)}`, signal)).rejects.toThrow(CliError);
});
