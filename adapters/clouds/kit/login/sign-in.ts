import type { LinkStep } from "hemgate/sdk";
import type { CloudLogin, Grant } from "../connector.ts";
import { CloudError } from "../session/cloud-error.ts";
import { codeStep } from "./code-login.ts";
import { deviceClient, deviceCodeStep } from "./device-code-login.ts";
import { formStep, toolsOf } from "./form-login.ts";
import type { Form, LoginDesk, LoginOf, SignInResult } from "./login-desk.ts";
import { askForToken, isOfAnother, refreshForm, refusalOf } from "./oauth-token.ts";

/** Takes one step of a login of any kind. Rejects with a `CloudError`. */
export function signInStep(
  login: CloudLogin,
  step: LinkStep,
  desk: LoginDesk,
  signal: AbortSignal,
): Promise<SignInResult> {
  switch (login.kind) {
    case "code":
      return codeStep(login, step, desk, signal);
    case "device-code":
      return deviceCodeStep(login, step, desk, signal);
    case "form":
      return formStep(login, step, desk, signal);
    default:
      return login satisfies never;
  }
}

/**
 * Renews a grant by its own means, a refresh token or the connector's. Rejects with a `CloudError`; `login-refused` where
 * there is none, or the vendor does not take it any more.
 */
export async function renewGrant(
  login: CloudLogin,
  grant: Grant,
  desk: LoginDesk,
  signal: AbortSignal,
): Promise<Grant> {
  if (login.kind === "form") {
    if (login.renew === undefined)
      throw new CloudError("login-refused", "what the login gave is not accepted any more");
    return merged(grant, await login.renew(grant, toolsOf(desk), signal));
  }
  const { refresh } = grant;
  if (refresh === null) throw new CloudError("login-refused", "the login is over, and there is no refresh token");
  const { tokenUrl: url } = login;
  const request =
    login.kind === "code"
      ? { url, form: { ...refreshForm(refresh), ...login.tokenParameters }, clientAuth: login.clientAuth }
      : { url, form: { ...refreshForm(refresh), ...deviceClient(login, desk) }, clientAuth: "none" as const };
  const result = await askForToken(request, desk, signal);
  if ("refused" in result) throw refusalOf(result.refused, url);
  // Such as an answer that a proxy kept for somebody else: the login that is there stays.
  if (isOfAnother(grant, result.grant)) throw new CloudError("malformed", "the login was renewed for another user");
  return merged(grant, result.grant);
}

/** Signs in with what was typed once. A vendor that wants more now wants the person: `login-refused`. */
export async function signInAgain(
  login: LoginOf<"form">,
  form: Form,
  desk: LoginDesk,
  signal: AbortSignal,
): Promise<Grant> {
  const result = await login.signIn(form, toolsOf(desk), signal);
  if ("keep" in result) throw new CloudError("login-refused", "the vendor asks for a second factor");
  return result;
}

/** What an answer leaves out stays as it was. */
function merged(before: Grant, after: Grant): Grant {
  const extra = { ...before.extra, ...after.extra };
  const kept = Object.keys(extra).length === 0 ? {} : { extra };
  return { ...after, refresh: after.refresh ?? before.refresh, ...kept };
}
