import {
  HandshakeRefused,
  HttpError,
  refuseAddress,
  type WebSocketConnection,
  type WebSocketEvents,
  type WebSockets,
} from "hemgate/sdk";
import type { PollBudget } from "../budget/poll-budget.ts";
import type { App, CloudConnector, CloudRequest, Grant } from "../connector.ts";
import type { Tokens } from "../login/tokens.ts";
import { bearer } from "../session/account.ts";
import { kindOfStatus } from "../session/cloud-answer.ts";
import { CloudError } from "../session/cloud-error.ts";
import { placeOf, wireRequest } from "../session/cloud-request.ts";
import type { StreamPlace } from "./cloud-stream.ts";

/** Of one message; what a vendor tells of all of an account's devices at once is some ten kB. */
const MAX_MESSAGE_BYTES = 1024 * 1024;

export interface StreamDialParts {
  readonly connector: Pick<CloudConnector, "hosts" | "authorize">;
  readonly app: App;
  readonly tokens: Pick<Tokens, "current" | "renew">;
  readonly budget: PollBudget;
  readonly webSockets: WebSockets;
}

/** Opens an account's stream as its requests are sent: to the vendor only, with the grant, within the budget. */
export class StreamDial {
  readonly #parts: StreamDialParts;

  constructor(parts: StreamDialParts) {
    this.#parts = parts;
  }

  /** Rejects with a `CloudError`, or the signal's reason. A grant that is not accepted is renewed once. */
  async open(place: StreamPlace, events: WebSocketEvents, signal: AbortSignal): Promise<WebSocketConnection> {
    const { tokens } = this.#parts;
    const grant = await tokens.current(signal);
    try {
      return await this.#shake(place, grant, events, signal);
    } catch (error) {
      if (!(error instanceof CloudError) || error.kind !== "expired") throw error;
    }
    return await this.#shake(place, await tokens.renew(grant, signal), events, signal);
  }

  async #shake(
    place: StreamPlace,
    grant: Grant,
    events: WebSocketEvents,
    signal: AbortSignal,
  ): Promise<WebSocketConnection> {
    const { connector, app, budget, webSockets } = this.#parts;
    const plain: CloudRequest = { ...place, method: "GET" };
    const what = placeOf(plain);
    const sealed = connector.authorize?.(plain, grant, app) ?? bearer(plain, grant);
    const { url, headers } = wireRequest(sealed, connector.hosts, what);
    url.protocol = "wss:";
    const taken = await budget.take(place);
    if (!taken.isTaken) {
      throw new CloudError("no-budget", `${what} was not opened: ${taken.because}`, { notBeforeMs: taken.notBeforeMs });
    }
    // What nobody took costs nothing, however it is given up.
    let wasSent = false;
    const onSent = (): void => {
      wasSent = true;
    };
    const request = { url, headers, maxMessageBytes: MAX_MESSAGE_BYTES, onSent };
    const policy = { refuse: (address: string) => refuseAddress(address, "internet") };
    try {
      return await webSockets.open(request, policy, events, signal);
    } catch (error) {
      signal.throwIfAborted();
      throw failureOf(error, what);
    } finally {
      taken.settle(wasSent);
    }
  }
}

/** The causes are left behind: what a library put into them is not known to be free of keys. */
function failureOf(error: unknown, what: string): unknown {
  if (error instanceof HandshakeRefused) {
    return new CloudError(kindOfStatus(error.status) ?? "malformed", `${what} as a stream answered ${error.status}`);
  }
  return error instanceof HttpError ? new CloudError("unavailable", `${what}: ${error.message}`) : error;
}
