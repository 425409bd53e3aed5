/** The vendor's own login: name and password, an API key, a PIN, and a second factor where the vendor asks for one. */
import { type LinkField, type LinkStep, z } from "hemgate/sdk";
import { CloudError } from "../cloud-error.ts";
import type { Form, LoginDesk, LoginOf, SignInTurn } from "./login-desk.ts";

const Memo = z.object({ form: z.record(z.string(), z.string()) });

/** What people call their account by; a key or password names nobody. */
const NAMES: readonly LinkField["kind"][] = ["username", "email", "text"];

export async function formTurn(
  login: LoginOf<"form">,
  { answer, memo }: LinkStep,
  desk: LoginDesk,
  signal: AbortSignal,
): Promise<SignInTurn> {
  if (answer.kind !== "form") return { kind: "refused", why: "invalid-credentials" };
  const before = Memo.safeParse(memo);
  const form: Form = { ...(before.success ? before.data.form : {}), ...answer.values };
  try {
    const given = await login.signIn(form, toolsOf(desk), signal);
    if ("more" in given) return { kind: "ask", fields: given.more, memo: { form: { ...form, ...given.keep } } };
    return { kind: "signed-in", grant: given, form: keptForm(login, form), person: personIn(login, form) };
  } catch (error) {
    if (!(error instanceof CloudError) || (error.kind !== "login-refused" && error.kind !== "refused")) throw error;
    return { kind: "refused", why: before.success ? "failed-auth-challenge" : "invalid-credentials" };
  }
}

export function toolsOf({ ask, app, clock }: LoginDesk) {
  return { ask, app, nowMs: () => clock.nowMs() };
}

/** A second factor is good once, so only what the first form asked for is kept. */
function keptForm({ keepsForm, fields }: LoginOf<"form">, form: Form): Form | null {
  if (!keepsForm) return null;
  return Object.fromEntries(fields.map(({ name }) => [name, form[name] ?? ""]));
}

function personIn({ fields }: LoginOf<"form">, form: Form): string | null {
  const names = fields.filter(({ kind }) => NAMES.includes(kind));
  const shown = names.length > 0 ? names : fields;
  // Vendors take a name in any case.
  const written = shown.map(({ name }) => (form[name] ?? "").trim().toLowerCase());
  return written.every((text) => text === "") ? null : written.join("\n");
}
