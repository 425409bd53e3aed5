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
  const { code, isClaimed, addresses } = answer;
  const urls = code === null ? [] : pagesFor(addresses, code);
  if (isJson) context.out(JSON.stringify({ isClaimed, code, urls }));
  else if (code === null) {
    context.out("The gateway has an owner, and no setup code counts. `hemgate claim --new` makes one.");
  } else {
    const end = isClaimed
      ? "It makes one more owner, counts once, and for an hour."
      : "It makes the owner, and counts once.";
    const [url] = urls;
    const picture = url === undefined || !context.isTerminal ? [] : [qrText(url)];
    context.out([`setup code  ${code}`, ...urls.map((each) => `enter it at ${each}`), ...picture, end].join("\n"));
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

/** The page's addresses with the code behind `#`, which browsers keep to themselves. */
function pagesFor(addresses: readonly string[], code: string): readonly string[] {
  return addresses.map((address) => `${address}/#code=${code}`);
}
