import { problem } from "../../../src/domain/problem.ts";
import type { CloudLink } from "../../../src/engine/contracts/cloud-link.ts";

/** The link of a gateway that was never enrolled. */
export const NO_CLOUD: CloudLink = {
  async view() {
    return {
      state: "NOT_ENROLLED",
      reason: "not enrolled",
      remedy: null,
      identity: null,
      uplink: null,
      ways: [],
      lastContactAt: null,
      streams: [],
      oldestWaitingAt: null,
      isFull: false,
      recordsPerSecond: null,
      remainingSeconds: null,
      replays: 0,
      refused: null,
      commands: [],
      configuration: { revision: null, sections: [], trialRevision: null, trialSince: null, last: null },
      farewells: 0,
    };
  },
  figures: () => ({
    isEnrolled: false,
    isConnected: false,
    isRefused: false,
    expiresAtMs: null,
    lastContactMs: null,
    counts: null,
  }),
  streams: async () => [],
  enroll: () => Promise.reject(problem("bad-request", "no service")),
  cut: () => Promise.reject(problem("not-found", "not enrolled")),
};
