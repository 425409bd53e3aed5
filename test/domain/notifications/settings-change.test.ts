import { describe, expect, test } from "vitest";
import type { ChannelSettings, MailServerSettings } from "../../../src/domain/notifications/settings.ts";
import {
  type ChannelChange,
  changedChannel,
  changedMailServer,
} from "../../../src/domain/notifications/settings-change.ts";
import { ProblemError } from "../../../src/domain/problem.ts";

const NTFY = { type: "ntfy", language: "en", server: "https://ntfy.sh" } as const;
const PHONE: ChannelSettings = { ...NTFY, id: "phone", topic: "canary-topic", token: "tk_canary" };
const HOOK: ChannelSettings = {
  ...{ id: "hook", type: "webhook", language: "en" },
  ...{ url: "https://a.example/x", secret: "canary-secret" },
};
const MAIL: MailServerSettings = {
  ...{ host: "smtp.example.com", security: "tls", from: "house@example.com" },
  ...{ username: "house", password: "canary-password" },
};

/** Returns the issues of the refusal as `field: message`; throws if there is none. */
function refusalOf(work: () => unknown): readonly string[] {
  try {
    work();
  } catch (error) {
    if (error instanceof ProblemError && error.slug === "bad-request") {
      return (error.issues ?? []).map(({ path, message }) => `${path?.join(".")}: ${message}`);
    }
    throw error;
  }
  throw new Error("it was not refused");
}

describe("a secret that is left out", () => {
  test("stays for the same server, with everything else as it is said now", () => {
    const quiet = { ...NTFY, language: "de", quietHours: { from: "22:00", until: "07:00" } } as const;
    expect(changedChannel("phone", quiet, PHONE)).toEqual({ ...PHONE, ...quiet });
    const { secret: _, url: __, ...change } = HOOK;
    expect(changedChannel("hook", change as ChannelChange, HOOK)).toEqual(HOOK);
    const { password: ___, ...server } = MAIL;
    expect(changedMailServer({ ...server, from: "b@example.com" }, MAIL)).toEqual({ ...MAIL, from: "b@example.com" });
  });

  test("is not handed to another server", () => {
    const moved = { ...NTFY, server: "https://evil.example" };
    expect(refusalOf(() => changedChannel("phone", moved, PHONE))).toEqual([
      "topic: the server is another one; give the topic for it",
    ]);
    expect(changedChannel("phone", { ...moved, topic: "new" }, PHONE)).toEqual({ ...moved, id: "phone", topic: "new" });
    const { password: _, ...server } = MAIL;
    for (const other of [{ host: "evil.example" }, { port: 2525 }, { security: "none" as const }, { username: "x" }]) {
      expect(refusalOf(() => changedMailServer({ ...server, ...other }, MAIL))).toEqual([
        "password: the server or the user is another one; give the password for it",
      ]);
    }
  });

  test("is missing for a new channel and for one of another type", () => {
    expect(refusalOf(() => changedChannel("phone", NTFY, undefined))).toEqual(["topic: a new channel needs a topic"]);
    expect(refusalOf(() => changedChannel("hook", NTFY, HOOK))).toEqual(["topic: a new channel needs a topic"]);
    const hook = { type: "webhook", language: "en" } as const;
    expect(refusalOf(() => changedChannel("phone", hook, PHONE))).toEqual(["url: a new channel needs a URL"]);
    expect(refusalOf(() => changedMailServer({ ...MAIL, password: undefined }, null))).toEqual([
      "password: username and password belong together",
    ]);
    expect(refusalOf(() => changedMailServer({ ...MAIL, username: undefined }, MAIL))).toEqual([
      "username: username and password belong together",
    ]);
  });
});

test("a token goes when it is null, and a mail server without a user has no password", () => {
  const { token: _, ...without } = PHONE as Extract<ChannelSettings, { type: "ntfy" }>;
  expect(changedChannel("phone", { ...NTFY, token: null }, PHONE)).toEqual(without);
  const { username: __, password: ___, ...open } = MAIL;
  expect(changedMailServer(open, MAIL)).toEqual(open);
});
