/** `hemgate status`, `doctor` and `logs` on a sandbox home in a process of its own. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EXIT } from "../../src/cli/exit-code.ts";
import { freePorts } from "../free-ports.ts";
import { type Finished, Hemgate, hemgate, temporaryFolder } from "./hemgate-process.ts";

const PATIENCE = { timeout: 60_000 };
const folder = temporaryFolder();
let house: Hemgate;
let port: number;

const say = (...words: readonly string[]): Promise<Finished> => hemgate([...words, "--state", folder.path]);

beforeAll(async () => {
  const [http = 0, ...twins] = await freePorts(6);
  port = http;
  const words = ["start", "--sandbox", "--state", folder.path, "--twin-ports", twins.join(",")];
  house = new Hemgate(words, { environment: { HEMGATE_HTTP_PORT: String(http), HEMGATE_LOG_LEVEL: "info" } });
  await house.output(/Ctrl-C stops it\.\n/);
  const devices = ["inverter", "meter", "charger", "second-charger", "heater"];
  await Promise.all(devices.map((id) => house.logged(new RegExp(`"deviceId":"${id}"[^\\n]*"device reachable"`))));
}, 60_000);
afterAll(async () => {
  await house[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

describe("hemgate status", () => {
  test("prints devices, the energy manager with its reasons, and the cloud service", PATIENCE, async () => {
    const { code, out } = await say("status");
    expect(code).toBe(EXIT.ok);
    expect(out).toMatch(new RegExp(`^hemgate \\S+, http://127.0.0.1:${port}, ready\n`));
    expect(out).toMatch(/^inverter +\S.* +answers +/m);
    expect(out).toMatch(/^Heating rod +SURPLUS +energy +/m);
    expect(out).toContain("\ncloud service: not enrolled");
  });

  test("prints the same as JSON, and with -v the calls without what is in them", PATIENCE, async () => {
    const { out, err } = await say("status", "--json", "-v");
    expect(JSON.parse(out)).toMatchObject({
      isReady: true,
      devices: expect.arrayContaining([
        expect.objectContaining({ id: "meter", name: expect.any(String), isReachable: true }),
      ]),
      energy: { devices: expect.arrayContaining([expect.objectContaining({ name: "Heating rod" })]) },
      cloud: { state: "NOT_ENROLLED" },
    });
    expect(err.trimEnd().split("\n")).toEqual([
      "GET /state → 200",
      "GET /state → 200",
      "GET /api/local/energy → 200",
      "GET /api/local/cloud → 200",
      "GET /api/local/devices → 200",
    ]);
  });
});

describe("hemgate doctor", () => {
  test("finds nothing wrong with what runs well", PATIENCE, async () => {
    const { out } = await say("doctor", "--json");
    const { checks } = JSON.parse(out) as { checks: { name: string; isGood: boolean; advice: string | null }[] };
    // The clock and the disk are those of the machine that tests.
    const own = checks.filter(({ name }) => name !== "clock" && name !== "disk");
    expect(own.filter(({ isGood }) => !isGood)).toEqual([]);
    expect(own.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["gateway", "version", "port", "store", expect.stringMatching(/^device meter \(/u)]),
    );
  });

  test("prints with -v the calls that it makes", PATIENCE, async () => {
    const { out, err } = await say("doctor", "-v");
    expect(out).toMatch(/^ok +gateway/mu);
    expect(err).toMatch(/^(?:GET \S+ → \d{3}\n)+$/u);
    expect(err).toContain("GET /state → 200\n");
  });

  test("says what to do where no gateway runs, and leaves with 1", PATIENCE, async () => {
    const { code, out } = await hemgate(["doctor", "--state", `${folder.path}/nothing`]);
    expect(code).toBe(EXIT.failed);
    expect(out).toMatch(/^WRONG gateway: no gateway runs on .*\n +to do: start it/m);
  });
});

describe("hemgate logs", () => {
  test("prints the lines of a device", PATIENCE, async () => {
    const { code, out } = await say("logs", "--device", "meter");
    expect(code).toBe(EXIT.ok);
    expect(out).toMatch(/^\S+Z INFO {2}device reachable .*deviceId=meter/m);
    expect(out).not.toContain("deviceId=charger");
  });

  test("prints each line as JSON, and with -v the call", PATIENCE, async () => {
    const { out, err } = await say("logs", "--device", "meter", "--json", "-v");
    const lines = out.trimEnd().split("\n");
    const found = lines.map((line) => JSON.parse(line) as { readonly text: string; readonly fields: object });
    expect(found).toContainEqual(
      expect.objectContaining({ text: "device reachable", fields: expect.objectContaining({ deviceId: "meter" }) }),
    );
    expect(err).toBe("GET /state → 200\nGET /api/local/logs → 200\n");
  });

  test("refuses a level that is none", PATIENCE, async () => {
    const { code, err } = await say("logs", "--level", "loud");
    expect([code, err]).toEqual([EXIT.usage, "hemgate: --level is one of error, warn, info, debug\n"]);
  });
});

test("hemgate add passes on what the gateway refuses", PATIENCE, async () => {
  const { code, err } = await say("add", "--host", "8.8.8.8", "-v");
  expect(code).toBe(EXIT.failed);
  expect(err).toMatch(/^POST \/api\/local\/discovery → 400$/m);
  expect(err).toMatch(/^hemgate: .*8\.8\.8\.8/m);
});
