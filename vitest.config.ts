import { defineConfig } from "vitest/config";
import { RECORDINGS } from "./test/recordings/recordings.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** What a suite runs, and how it differs from the others. */
interface Suite {
  readonly include: readonly string[];
  readonly exclude?: readonly string[];
  readonly testTimeout?: number;
  readonly hookTimeout?: number;
  readonly globalSetup?: readonly string[];
  readonly retry?: number;
  readonly execArgv?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** False: one file after the other. */
  readonly fileParallelism?: false;
}

/** Suites that need more than Node: recordings, programs from Debian, a browser, or time. */
const SUITES: Readonly<Record<string, Suite>> = {
  conformance: { include: ["test/conformance/**/*.test.ts"] },
  // Without recordings one test is left, which is skipped and says what brings them.
  recordings: {
    include: ["test/recordings/**/*.test.ts"],
    exclude: RECORDINGS === undefined ? ["test/recordings/!(recordings).test.ts"] : [],
    testTimeout: 10 * MINUTE,
  },
  // Peers run in real time: on a busy machine one may answer late, and gets a second chance.
  peers: { include: ["test/peers/**/*.test.ts"], testTimeout: 10 * MINUTE, retry: 1 },
  crash: { include: ["test/crash/**/*.test.ts"], testTimeout: 10 * MINUTE },
  // One file after the other in one process: what a run finds depends on its seed alone, which all files share.
  fuzz: {
    include: ["test/fuzz/**/*.test.ts"],
    testTimeout: 10 * MINUTE,
    fileParallelism: false,
    execArgv: ["--expose-gc"],
    env: { FUZZ_SEED: process.env["FUZZ_SEED"] ?? String(Date.now() % 1_000_000_000) },
  },
  "node-red": { include: ["test/node-red/*.test.ts"], testTimeout: 2 * MINUTE, hookTimeout: 2 * MINUTE },
  openapi: { include: ["test/openapi/*.test.ts"], testTimeout: 2 * MINUTE, hookTimeout: 2 * MINUTE },
  browser: {
    include: ["test/browser/*.test.ts"],
    globalSetup: ["test/browser/unpack-browser.ts"],
    testTimeout: 2 * MINUTE,
    hookTimeout: 2 * MINUTE,
  },
  // `CLOUD_KILLS` and `CLOUD_CUTS` say how often programs die and the line is cut.
  "cloud-receiver": {
    include: ["test/cloud-receiver/**/*.test.ts"],
    globalSetup: ["test/cloud-receiver/global-setup.ts"],
    testTimeout: 2 * MINUTE,
    hookTimeout: 2 * MINUTE,
  },
  month: { include: ["test/month/**/*.test.ts"], testTimeout: HOUR },
  energy: { include: ["test/energy-month/**/*.test.ts"], testTimeout: 8 * HOUR },
  clouds: { include: ["test/clouds-month/clouds.test.ts"], testTimeout: HOUR },
  week: { include: ["test/week/**/*.test.ts"], testTimeout: HOUR },
  schedules: { include: ["test/schedules/**/*.test.ts"], testTimeout: 2 * HOUR },
};

const SLOW = "test/**/*.slow.test.ts";
/** The tools of some suites bring packages with tests. */
const FOREIGN = "**/node_modules/**";
const OF_SUITES = Object.values(SUITES).flatMap(({ include }) => include);

/** A project of vitest for each suite; `npm test` runs `unit`. */
export default defineConfig({
  test: {
    // The default leaves a core idle, and loads all modules again for each file: that was half of the time.
    maxWorkers: "100%",
    isolate: false,
    projects: Object.entries({
      // No network beyond loopback, and nothing that takes long.
      unit: { include: ["test/**/*.test.ts"], exclude: [SLOW, FOREIGN, ...OF_SUITES] },
      // Tests that live through days or years, or that start many processes.
      slow: { include: [SLOW], exclude: [FOREIGN, ...OF_SUITES], testTimeout: HOUR, hookTimeout: 2 * MINUTE },
      ...SUITES,
    } satisfies Record<string, Suite>).map(([name, suite]) => ({
      ssr: { resolve: { conditions: ["source", "module", "node"], externalConditions: ["source", "node"] } },
      resolve: { conditions: ["source", "module", "node"] },
      test: { name, isolate: false, testTimeout: MINUTE, ...suite },
    })),
  },
});
