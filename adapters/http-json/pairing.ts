/** HomeWizard API v2: pressing the button on the device yields a token. */
import { type Clock, DeviceError } from "hemgate/sdk";
import { z } from "zod";
import { readBody } from "./answer-body.ts";
import type { HttpLine } from "./http-line.ts";

const PATH = "/api/user";
/** The name under which the device shows us among its users; local names begin so. */
const OUR_NAME = "local/hemgate";
/** A pressed button counts for 30 s; a step of a sign-in may take that long, too. */
const WATCH_MS = 22_000;
const ASK_EVERY_MS = 1_000;
const TIMEOUT_MS = 5_000;

const Token = z.object({ token: z.string().min(16).max(200) });

/** Asks for a token, repeatedly while the person is asked to press the button. Null: the button was not pressed yet. */
export async function pairHomeWizard(
  line: HttpLine,
  clock: Pick<Clock, "sleep" | "monotonicMs">,
  isWatching: boolean,
  signal: AbortSignal,
): Promise<string | null> {
  const untilMs = clock.monotonicMs() + (isWatching ? WATCH_MS : 0);
  for (;;) {
    const token = await askForToken(line, signal);
    if (token !== null || clock.monotonicMs() >= untilMs) return token;
    await clock.sleep(ASK_EVERY_MS, signal);
  }
}

async function askForToken(line: HttpLine, signal: AbortSignal): Promise<string | null> {
  const request = { method: "POST" as const, path: PATH, shownPath: PATH, timeoutMs: TIMEOUT_MS, minGapMs: 0 };
  const headers = { "x-api-version": "2" };
  const answer = await line.send({ ...request, headers, body: JSON.stringify({ name: OUR_NAME }) }, signal);
  if (answer.status === 403) return null;
  const place = line.place(request);
  if (answer.status < 200 || answer.status >= 300) {
    throw new DeviceError("rejected", `${place} answered ${answer.status}`);
  }
  const parsed = Token.safeParse(readBody(answer.body, "json", place));
  if (!parsed.success) throw new DeviceError("malformed", `${place} answered no token`);
  return parsed.data.token;
}
