/** The vendor's own login: name and password, an API key, a PIN, and a second factor where the vendor asks for one. */
import { type LinkField, type LinkStep, z } from "hemgate/sdk";
import type { LoginAsk } from "../connector.ts";
import { CloudError, type CloudErrorKind } from "../session/cloud-error.ts";
import { type Form, type LoginDesk, type LoginOf, PASSING, type SignInResult } from "./login-desk.ts";

type Waiting = Extract<SignInResult, { readonly kind: "wait" }>;

/** A form on its way, and the code that is awaited. */
interface FormMemo {
  readonly form: Form;
  readonly waiting: Omit<Waiting, "memo"> | null;
}

/** Of what came back; what is awaited is ours, and is not looked into. */
const Memo = z.object({ form: z.record(z.string(), z.string()), waiting: z.custom<FormMemo["waiting"]>() });

/** What people call their account by; a key or password names nobody. */
const NAMES: readonly LinkField["kind"][] = ["username", "email", "text"];
const REFUSALS: readonly CloudErrorKind[] = ["login-refused", "refused"];

export async function formStep(
  login: LoginOf<"form">,
  { answer, memo }: LinkStep,
  desk: LoginDesk,
  signal: AbortSignal,
): Promise<SignInResult> {
  const before: FormMemo | null = Memo.safeParse(memo).data ?? null;
  const isAwaited = answer.kind === "poll" && before !== null && before.waiting !== null;
  if (answer.kind !== "form" && !isAwaited) return { kind: "refused", why: "invalid-credentials" };
  const form: Form = { ...before?.form, ...(answer.kind === "form" ? answer.values : {}) };
  try {
    const result = await login.signIn(form, toolsOf(desk), signal);
    if ("keep" in result) return asked(result, form);
    return { kind: "signed-in", grant: result, form: keptForm(login, form), person: personIn(login, form) };
  } catch (error) {
    if (!(error instanceof CloudError)) throw error;
    if (before !== null && before.waiting !== null && PASSING.includes(error.kind))
      return { ...before.waiting, memo: before };
    if (!REFUSALS.includes(error.kind)) throw error;
    return { kind: "refused", why: before === null ? "invalid-credentials" : "failed-auth-challenge" };
  }
}

export function toolsOf({ ask, app, clock }: LoginDesk) {
  return { ask, app, nowMs: () => clock.nowMs() };
}

function asked(result: LoginAsk, before: Form): SignInResult {
  const form = { ...before, ...result.keep };
  if ("more" in result) return { kind: "ask", fields: result.more, memo: { form, waiting: null } satisfies FormMemo };
  const waiting = { kind: "wait", ...result.enter } as const;
  return { ...waiting, memo: { form, waiting } satisfies FormMemo };
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
