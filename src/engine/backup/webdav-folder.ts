/** A folder on a WebDAV server (RFC 4918) that backups are uploaded to. */
import { MINUTE_MS, SECOND_MS } from "../../domain/duration.ts";
import { errorText } from "../../platform/error-text.ts";
import { refuseAddress } from "../../platform/network/address-policy.ts";
import { HttpError } from "../../platform/ports/http-error.ts";
import type { HttpContent } from "../../platform/ports/http-port.ts";
import type { Clock, Http, HttpAnswer, HttpClient, HttpRequest } from "../../platform/ports/ports.ts";
import { TimeoutError, within } from "../../platform/within.ts";
import {
  megabytes,
  readMultistatus,
  refusalOf,
  WebDavError,
  type WebDavFile,
  type WebDavQuestion,
} from "./webdav-answers.ts";

const ANSWER_MS = 30 * SECOND_MS;
/** A server may put a file together only now. */
const MOVE_MS = 5 * MINUTE_MS;
/** No piece of an upload was taken for so long. */
const STALLED_MS = 2 * MINUTE_MS;
/** The answer to an upload, after its last piece. */
const STORED_MS = 10 * MINUTE_MS;
const MAX_LIST_BYTES = 4 * 1024 * 1024;
const MAX_FOLDERS = 32;
/** Behind the name of a file that is not whole yet, which is therefore no backup. */
const UNFINISHED = ".part";
const SIZES = '<?xml version="1.0"?><propfind xmlns="DAV:"><prop><getcontentlength/></prop></propfind>';

/** The section `backup.webdav` of the configuration. */
export interface WebDavSettings {
  readonly url: string;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly fingerprint?: string | undefined;
}

export interface WebDavParts {
  readonly http: Http;
  readonly clock: Pick<Clock, "timer">;
}

type Asked = Pick<HttpRequest, "method" | "url"> & {
  readonly deed: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly limitMs?: number;
};

/** Requests to the server. It keeps no connection; the caller disposes it. All reject with a `WebDavError`, or the signal's reason. */
export class WebDavFolder implements Disposable {
  readonly #url: URL;
  readonly #parts: WebDavParts;
  readonly #client: HttpClient;
  readonly #account: Readonly<Record<string, string>>;

  constructor({ url, username, password, fingerprint }: WebDavSettings, parts: WebDavParts) {
    this.#url = new URL(url.endsWith("/") ? url : `${url}/`);
    this.#parts = parts;
    const isPlain = this.#url.protocol === "http:";
    this.#client = parts.http.open({
      refuse: (address) => refusal(address, isPlain),
      ...(fingerprint !== undefined && {
        tls: { kind: "pinned", sha256: fingerprint, seen: () => undefined },
      }),
    });
    const account = Buffer.from(`${username ?? ""}:${password ?? ""}`).toString("base64");
    this.#account = username === undefined ? {} : { authorization: `Basic ${account}` };
  }

  [Symbol.dispose](): void {
    this.#client[Symbol.dispose]();
  }

  /** Lists the files of the folder; `null` if it is not there yet. */
  async list(signal: AbortSignal): Promise<readonly WebDavFile[] | null> {
    const answer = await this.#propfind(this.#url, "1", signal);
    return answer === null ? null : readMultistatus(this.#url.host, answer);
  }

  /** Makes the folder, and those above it that are not there. */
  async make(signal: AbortSignal): Promise<void> {
    await this.#makeFolder(this.#url, signal, MAX_FOLDERS);
  }

  /**
   * Uploads a file under another name, compares its size, and gives it its name then: no half file has the name of a backup.
   * One of this name is never replaced.
   */
  async upload(name: string, { bytes, pieces }: HttpContent, signal: AbortSignal): Promise<void> {
    const part = this.#file(`${name}${UNFINISHED}`);
    try {
      await this.#put(part, { bytes, pieces }, signal);
      await this.#requireSize(part, bytes, signal);
      await this.#ask(
        {
          method: "MOVE",
          url: part,
          deed: "rename a file",
          headers: { destination: this.#file(name).href, overwrite: "F" },
          limitMs: MOVE_MS,
        },
        [201, 204],
        signal,
      );
    } catch (error) {
      // What is left of it takes space there; the next upload tries again.
      if (!signal.aborted) await this.remove(`${name}${UNFINISHED}`, signal).catch(() => undefined);
      throw error;
    }
  }

  async remove(name: string, signal: AbortSignal): Promise<void> {
    const asked = { method: "DELETE", url: this.#file(name), deed: "remove files" } as const;
    await this.#ask(asked, [200, 202, 204, 404], signal);
  }

  #file(name: string): URL {
    return new URL(encodeURIComponent(name), this.#url);
  }

  async #propfind(url: URL, depth: "0" | "1", signal: AbortSignal): Promise<HttpAnswer | null> {
    const headers = { depth, "content-type": "application/xml; charset=utf-8" };
    const asked = { method: "PROPFIND", url, headers, body: SIZES, deed: "list files" } as const;
    const answer = await this.#ask(asked, [207, 404], signal);
    return answer.status === 404 ? null : answer;
  }

  async #requireSize(url: URL, bytes: number, signal: AbortSignal): Promise<void> {
    const answer = await this.#propfind(url, "0", signal);
    const [file] = answer === null ? [] : readMultistatus(url.host, answer);
    if (file !== undefined && (file.bytes === null || file.bytes === bytes)) return;
    const has = file === undefined ? "no file" : `${file.bytes} bytes`;
    throw new WebDavError(`${url.host} has ${has} after ${bytes} bytes were uploaded: look whether its disk is full`, {
      isPassing: true,
    });
  }

  async #makeFolder(url: URL, signal: AbortSignal, left: number): Promise<void> {
    const asked = { method: "MKCOL", url, deed: "make a folder" } as const;
    // 405: it is there.
    const { status } = await this.#ask(asked, [201, 405, ...(left > 0 && url.pathname !== "/" ? [409] : [])], signal);
    if (status !== 409) return;
    await this.#makeFolder(new URL("..", url), signal, left - 1);
    await this.#ask(asked, [201, 405], signal);
  }

  async #ask(
    { method, url, deed, headers = {}, body, limitMs = ANSWER_MS }: Asked,
    expected: readonly number[],
    signal: AbortSignal,
  ): Promise<HttpAnswer> {
    const bytes = body === undefined ? null : new TextEncoder().encode(body);
    const request = { method, url, headers: this.#headers(headers), body: bytes, maxBodyBytes: MAX_LIST_BYTES };
    const answer = await this.#answered({ deed, url }, signal, () =>
      within(this.#parts.clock, limitMs, signal, (limit) => this.#client.request(request, limit)),
    );
    if (expected.includes(answer.status)) return answer;
    throw refusalOf(answer, { deed, url });
  }

  async #put(url: URL, { bytes, pieces }: HttpContent, signal: AbortSignal): Promise<void> {
    const { clock } = this.#parts;
    const stop = new AbortController();
    let taken = 0;
    let failure: unknown = null;
    let stall = clock.timer(STALLED_MS, () => stop.abort(new TimeoutError(STALLED_MS)));
    const wait = (ms: number): void => {
      stall[Symbol.dispose]();
      stall = clock.timer(ms, () => stop.abort(new TimeoutError(ms)));
    };
    const counted = async function* (): AsyncGenerator<Uint8Array> {
      try {
        for await (const piece of pieces) {
          wait(STALLED_MS);
          yield piece;
          taken += piece.length;
        }
      } catch (error) {
        failure = error;
        throw error;
      }
      wait(STORED_MS);
    };
    const question: WebDavQuestion = { deed: "write backups", url, bytes };
    const request: HttpRequest = {
      method: "PUT",
      url,
      headers: this.#headers({ "content-type": "application/octet-stream" }),
      body: null,
      content: { bytes, pieces: counted() },
      maxBodyBytes: MAX_LIST_BYTES,
    };
    try {
      const both = AbortSignal.any([signal, stop.signal]);
      const answer = await this.#answered(
        question,
        signal,
        () => this.#client.request(request, both),
        () => taken,
      );
      if (![200, 201, 204].includes(answer.status)) throw refusalOf(answer, question);
    } catch (error) {
      // The file of this machine, and not the server.
      throw failure ?? error;
    } finally {
      stall[Symbol.dispose]();
    }
  }

  #headers(more: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
    return { "user-agent": "hemgate", "accept-encoding": "identity", ...this.#account, ...more };
  }

  /** A connection that did not come about or broke is a sentence that says what to do. */
  async #answered(
    { url, bytes }: WebDavQuestion,
    signal: AbortSignal,
    ask: () => Promise<HttpAnswer>,
    taken: () => number = () => 0,
  ): Promise<HttpAnswer> {
    try {
      return await ask();
    } catch (error) {
      signal.throwIfAborted();
      const far = bytes === undefined ? "" : ` after ${megabytes(taken())} of ${megabytes(bytes)}`;
      throw unansweredOf(error, url.host, far);
    }
  }
}

function unansweredOf(error: unknown, host: string, far: string): Error {
  if (error instanceof TimeoutError) {
    const message = `${host} did not answer in time${far}: look whether it is on and the connection is well`;
    return new WebDavError(message, { isPassing: true, cause: error });
  }
  if (!(error instanceof HttpError)) return error instanceof Error ? error : new Error(String(error));
  const isPassing = error.kind === "unreachable" || error.kind === "broken" || error.kind === "unresolved";
  return new WebDavError(`${errorText(error)}${far}: ${ADVICE[error.kind]}`, { isPassing, cause: error });
}

const ADVICE: Readonly<Record<HttpError["kind"], string>> = {
  refused: "use https outside of the house, and check backup.webdav.url",
  unresolved: "check the name in backup.webdav.url, and that the gateway reaches a name server",
  unreachable: "look whether the server is on, and check the port in backup.webdav.url",
  untrusted: "of a server that signs its certificate itself, put the SHA-256 of it into backup.webdav.fingerprint",
  broken:
    "look whether its disk is full or it limits the size of an upload, and whether http and https are right in backup.webdav.url",
};

/** Returns why nothing may be sent to an address; plain HTTP would carry the password through the Internet. */
function refusal(address: string, isPlain: boolean): string | null {
  const inHouse = refuseAddress(address, "house");
  return isPlain || inHouse === null ? inHouse : refuseAddress(address, "internet");
}
