/** Shows on the machine's consoles where a browser finds the gateway, and the setup code while nobody owns it. */
import type { People } from "../engine/contracts/people.ts";
import { errorText } from "../platform/error-text.ts";
import type { ConsoleNotice } from "../platform/ports/console-notice-port.ts";
import type { Clock, Log } from "../platform/ports/ports.ts";

/** A network can come later than the gateway, and its addresses change. */
const LOOK_EVERY_MS = 5_000;

export interface SetupNoticeOptions {
  readonly clock: Pick<Clock, "sleep">;
  readonly log: Log;
  readonly notice: ConsoleNotice;
  readonly people: Pick<People, "isClaimed" | "setupCode">;
  /** URLs of the page, best first. */
  addresses(): readonly string[];
}

/** Keeps the notice true until the signal aborts, and then takes it away. */
export async function keepSetupNotice(options: SetupNoticeOptions, signal: AbortSignal): Promise<void> {
  const { clock } = options;
  let shown: string | null | undefined;
  let isFailing = false;
  const show = async (text: string | null): Promise<void> => {
    if (text === shown) return;
    try {
      await options.notice.show(text);
      [shown, isFailing] = [text, false];
    } catch (error) {
      if (!isFailing) options.log.warn({ reason: errorText(error) }, "the notice on the consoles cannot be written");
      isFailing = true;
    }
  };
  while (!signal.aborted) {
    await show(noticeText(options));
    await clock.sleep(LOOK_EVERY_MS, signal).catch(() => undefined);
  }
  await show(null);
}

function noticeText({ people, addresses }: Pick<SetupNoticeOptions, "people" | "addresses">): string {
  const places = addresses();
  const where = places.length === 0 ? "has no address in the network yet" : places.join("  ");
  const code = people.isClaimed() ? null : people.setupCode();
  const lines = [
    `hemgate     ${where}`,
    ...(code === null ? [] : [`setup code  ${code}  (makes the owner, counts once)`]),
  ];
  return `${lines.join("\n")}\n\n`;
}
