/** The commands about people: who can run them possesses the gateway's machine. */
import type { CliContext } from "../context.ts";
import { askForClaim, askForReset, askPeople, notRunning } from "../control-client.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { qrText } from "../qr-text.ts";
import { textTable } from "../text-table.ts";

interface PeopleOptions {
  readonly folder: string;
  readonly isJson: boolean;
}

/** `hemgate claim`: the setup code, and where to enter it; on a terminal a QR code of that address, for a phone. */
export async function claim(
  { folder, isJson, isNew }: PeopleOptions & { readonly isNew: boolean },
  context: Pick<CliContext, "out" | "stop" | "isTerminal">,
): Promise<ExitCode> {
  const answer = await askForClaim(folder, isNew, context.stop);
  if (answer === null) throw notRunning(folder);
  const { code, isClaimed, addresses, authority } = answer;
  const urls = code === null ? [] : pagesFor(addresses, code, authority);
  if (isJson) context.out(JSON.stringify({ isClaimed, code, urls, authority }));
  else if (code === null) {
    const owned = "The gateway has an owner, and no setup code counts. `hemgate claim --new` makes one.";
    context.out([owned, ...authorityLines(authority)].join("\n"));
  } else {
    const end = isClaimed
      ? "It makes one more owner, counts once, and for an hour."
      : "It makes the owner, and counts once.";
    const [url] = urls;
    const picture = url === undefined || !context.isTerminal ? [] : [qrText(url)];
    const places = urls.map((each) => `enter it at ${each}`);
    context.out([`setup code  ${code}`, ...places, ...picture, end, ...authorityLines(authority)].join("\n"));
  }
  return EXIT.ok;
}

/** `hemgate people list`. */
export async function peopleList(
  { folder, isJson }: PeopleOptions,
  context: Pick<CliContext, "out" | "stop">,
): Promise<ExitCode> {
  const people = await askPeople(folder, context.stop);
  if (people === null) throw notRunning(folder);
  const rows = people.map(({ name, role, isPending, expiresAt, lastSeenAt }) => [
    name,
    role,
    isPending ? "invited" : (lastSeenAt ?? "-"),
    expiresAt ?? "-",
  ]);
  const text = rows.length === 0 ? "nobody has an account" : textTable(["NAME", "ROLE", "LAST SEEN", "ENDS"], rows);
  context.out(isJson ? JSON.stringify(people) : text);
  return EXIT.ok;
}

/** `hemgate people reset`: a code with which a person chooses a new password. */
export async function peopleReset(
  { folder, isJson, name }: PeopleOptions & { readonly name: string },
  context: Pick<CliContext, "out" | "stop">,
): Promise<ExitCode> {
  const answer = await askForReset(folder, name, context.stop);
  if (answer === null) throw notRunning(folder);
  const { code, expiresAt, addresses } = answer;
  const urls = pagesFor(addresses, code);
  const where = urls.map((url) => `enter it at ${url}`);
  const text = [`code  ${code}`, ...where, `It counts once, until ${expiresAt}. The old password is good until then.`];
  context.out(isJson ? JSON.stringify({ code, expiresAt, urls }) : text.join("\n"));
  return EXIT.ok;
}

/** The page's addresses with what browsers keep to themselves behind `#`: the code, and whom to trust. */
function pagesFor(addresses: readonly string[], code: string, authority: string | null = null): readonly string[] {
  const trusted = authority === null ? "" : `&authority=${authority.replaceAll(":", "")}`;
  return addresses.map((address) => `${address}/#code=${code}${trusted}`);
}

/** What a person compares before it trusts the gateway's https. */
function authorityLines(authority: string | null): readonly string[] {
  if (authority === null) return [];
  return ["Before you trust the gateway's authority for https, compare its fingerprint (SHA-256):", authority];
}
