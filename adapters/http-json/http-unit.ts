/** One device at the end of a line: asks and writes as its profile says, signed in. */
import { DeviceError, evaluate, type FormulaScope, type HttpAnswer } from "hemgate/sdk";
import { readBody } from "./answer-body.ts";
import type { HttpLine } from "./http-line.ts";
import type { HttpPoll, HttpProfile, HttpWrite } from "./http-profile.ts";
import { fillPath } from "./path-settings.ts";
import type { Session, SignInLine } from "./sessions/session.ts";
import { parsePath, valuesAt } from "./value-path.ts";
import { filledBody } from "./write-body.ts";

interface Sent {
  readonly method: HttpWrite["method"];
  readonly path: string;
  readonly body: string | null;
}

export interface HttpUnitOptions {
  readonly profile: HttpProfile;
  readonly line: HttpLine;
  readonly session: Session;
  /** A setting as text; null when it has no value. */
  setting(name: string): string | null;
}

export class HttpUnit {
  readonly #profile: HttpProfile;
  readonly #line: HttpLine;
  readonly #session: Session;
  readonly #setting: (name: string) => string | null;

  constructor({ profile, line, session, setting }: HttpUnitOptions) {
    this.#profile = profile;
    this.#line = line;
    this.#setting = setting;
    this.#session = session;
  }

  readonly #signInLine: SignInLine = {
    send: (request, signal) => this.#send(request, request.headers, undefined, signal),
  };

  /** Asks once. Rejects with a `DeviceError` that says what was asked and what is wrong with the answer. */
  async ask(poll: HttpPoll, signal: AbortSignal): Promise<unknown> {
    const { method = "GET", body, format = "json", expect } = poll;
    const path = fillPath(poll.path, this.#setting);
    if (path === null) throw new DeviceError("rejected", `${poll.path} needs a setting that has no value`);
    const sent: Sent = { method, path, body: body === undefined ? null : JSON.stringify(body) };
    const answer = await this.#exchange(sent, signal);
    const place = this.#place(sent);
    if (answer.isBodyCut) throw new DeviceError("malformed", `${place} answered more than is read`);
    const document = readBody(answer.body, format, place);
    if (expect !== undefined && first(document, expect.path) !== expect.is) {
      const reason = expect.reason === undefined ? null : first(document, expect.reason);
      const words = typeof reason === "string" && reason !== "" ? `: ${printable(reason)}` : "";
      throw new DeviceError(
        "rejected",
        `${place} answered ${expect.path} ${said(first(document, expect.path))}${words}`,
      );
    }
    return document;
  }

  /** Writes once. Resolves when the device acknowledged it as the profile says. */
  async write(step: HttpWrite, scope: FormulaScope, signal: AbortSignal): Promise<void> {
    const sent = this.encode(step, scope);
    const answer = await this.#exchange(sent, signal);
    const { acknowledge } = step;
    if (acknowledge === undefined) return;
    const place = this.#place(sent);
    const raw = first(readBody(answer.body, "json", place), acknowledge.path);
    if (raw !== evaluate(acknowledge.is, scope)) {
      throw new DeviceError("rejected", `${place} answered ${acknowledge.path} ${said(raw)}`);
    }
  }

  /** What a write sends. Throws `DeviceError("rejected")` when a value is not known yet. */
  encode({ method, path, values = {}, body }: HttpWrite, scope: FormulaScope): Sent {
    const filled = fillPath(path, (name) => {
      const formula = values[name];
      const value = formula === undefined ? this.#setting(name) : evaluate(formula, scope);
      return value === null ? null : encodeURIComponent(String(value));
    });
    if (filled === null) throw new DeviceError("rejected", `what to write to ${path} is not known yet`);
    return { method, path: filled, body: body === undefined ? null : JSON.stringify(filledBody(body, scope)) };
  }

  async #exchange(sent: Sent, signal: AbortSignal): Promise<HttpAnswer> {
    for (let isLast = false; ; isLast = true) {
      const { headers, query } = await this.#session.pass(sent, this.#signInLine, signal);
      const answer = await this.#send(sent, headers, query, signal);
      const { status } = answer;
      if (status === 401 || status === 403) {
        if (this.#session.refused(answer) && !isLast) continue;
        throw new DeviceError("unauthorized", `${this.#place(sent)} answered ${status}${whyOf(answer)}`);
      }
      this.#session.accepted?.();
      if (status < 200 || status >= 300) {
        throw new DeviceError("rejected", `${this.#place(sent)} answered ${status}${whyOf(answer)}`);
      }
      return answer;
    }
  }

  async #send(sent: Sent, pass: Pass["headers"], query: string | undefined, signal: AbortSignal): Promise<HttpAnswer> {
    const { headers = {}, limits } = this.#profile;
    const joint = sent.path.includes("?") ? "&" : "?";
    const path = query === undefined ? sent.path : `${sent.path}${joint}${query}`;
    const request = { ...sent, path, shownPath: sent.path, headers: { ...headers, ...pass }, ...limits };
    return await this.#line.send(request, signal);
  }

  #place({ method, path }: Sent): string {
    return this.#line.place({ method, shownPath: path });
  }
}

type Pass = { readonly headers: Readonly<Record<string, string>> };

function first(document: unknown, path: string): unknown {
  return valuesAt(document, parsePath(path), () => null)[0] ?? null;
}

function said(value: unknown): string {
  return typeof value === "object" ? (value === null ? "nothing" : "an object") : printable(String(value));
}

const MAX_QUOTED = 120;

/** A device's own short code for what is wrong, such as `{"error":"user:unauthorized"}`; nothing of a longer answer. */
function whyOf({ body }: HttpAnswer): string {
  if (body.length > MAX_QUOTED) return "";
  const [, code] = /"(?:error|message|code)"\s*:\s*"([\w:. -]{1,60})"/.exec(Buffer.from(body).toString("latin1")) ?? [];
  return code === undefined ? "" : ` (${code})`;
}

function printable(text: string): string {
  return text.slice(0, MAX_QUOTED).replaceAll(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, "·");
}
