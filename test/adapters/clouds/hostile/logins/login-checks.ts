/** What holds of a sign-in, whatever the vendor answers. Each check throws, and says what does not hold. */
import type { LinkOutcome } from "hemgate/sdk";
import type { CloudConnector } from "../../../../../adapters/clouds/kit/connector.ts";
import { fieldsProblem } from "../../../../../src/domain/linking/link-field-names.ts";

const REFUSALS: readonly string[] = [
  "invalid-credentials",
  "failed-auth-challenge",
  "denied",
  "code-expired",
  "rate-limited",
  "unavailable",
];
const MOST_CODE = 64;
/** As a token desk writes them, and what the owner's registration has. */
const TOKENS = /(access|refresh|token)-\d+-(a{24}|r{24}|t{24})|secret-1\b|key-1\b/;

function claim(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}

export function checkTurn(turn: LinkOutcome, { login, hosts }: CloudConnector): void {
  switch (turn.kind) {
    case "redirect": {
      const at = login.kind === "code" ? new URL(login.authorizeUrl) : null;
      const to = new URL(turn.url);
      claim(at !== null && to.origin === at.origin && to.pathname === at.pathname, `a redirect to ${turn.url}`);
      return;
    }
    case "wait": {
      const { protocol, hostname, username } = new URL(turn.url);
      const isOwn = login.kind === "form" || hosts.some((host) => host === hostname);
      claim(protocol === "https:" && isOwn && username === "", `people are sent to ${turn.url.slice(0, 100)}`);
      claim(/^\P{C}+$/u.test(turn.code) && turn.code.length <= MOST_CODE, `a code of ${turn.code.length} characters`);
      claim(turn.pollMs >= 1_000 && turn.pollMs <= 60_000, `asked again after ${turn.pollMs} ms`);
      return;
    }
    case "ask":
      claim(fieldsProblem(turn.fields) === null, "a form that the page cannot show");
      return;
    case "found":
      claim(
        turn.devices.every(({ key }) => key !== ""),
        "a device without a key",
      );
      return;
    case "refused":
      claim(REFUSALS.includes(turn.why), `refused as ${turn.why}`);
      return;
    default:
      turn satisfies never;
  }
}

/** `typed`: what a person typed into fields that nobody may read. */
export function checkSecrets(shown: string, typed: readonly string[]): void {
  const found = typed.find((secret) => shown.includes(secret)) ?? TOKENS.exec(shown)?.[0];
  const at = found === undefined ? -1 : shown.indexOf(found);
  claim(found === undefined, `a secret shows: ${shown.slice(Math.max(0, at - 200), at + 80)}`);
}
