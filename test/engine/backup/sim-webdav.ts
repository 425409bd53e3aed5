/** A WebDAV server of the simulated web, as RFC 4918 has it: folders, files, an account, a quota. */
import type { SimWebAnswer, SimWebRequest, SimWebServer } from "../../../src/testing/network/sim-web.ts";

const AUTHORIZED = `Basic ${Buffer.from("anna:secret of the NAS").toString("base64")}`;

export class SimWebDav implements SimWebServer {
  readonly certificate = ["nas.example"];
  readonly files = new Map<string, Uint8Array>();
  readonly folders = new Set(["/"]);
  readonly asked: string[] = [];
  quotaBytes = Number.POSITIVE_INFINITY;
  /** Answers in place of the server; null: it goes on. */
  instead: (request: SimWebRequest) => SimWebAnswer | null = () => null;

  serve(request: SimWebRequest): SimWebAnswer {
    const { method, path, headers } = request;
    this.asked.push(`${method} ${path}`);
    const other = this.instead(request);
    if (other !== null) return other;
    if (headers["authorization"] !== AUTHORIZED) {
      return { status: 401, headers: { "www-authenticate": 'Basic realm="NAS"' } };
    }
    switch (method) {
      case "PROPFIND":
        return this.#list(path, headers["depth"] ?? "");
      case "MKCOL":
        if (this.folders.has(path)) return { status: 405 };
        if (!this.folders.has(parentOf(path))) return { status: 409 };
        this.folders.add(path);
        return { status: 201 };
      case "PUT":
        return this.#put(path, request.bytes ?? new Uint8Array());
      case "MOVE":
        return this.#move(path, headers);
      case "DELETE":
        return { status: this.files.delete(path) ? 204 : 404 };
      default:
        return { status: 405 };
    }
  }

  #put(path: string, bytes: Uint8Array): SimWebAnswer {
    if (!this.folders.has(parentOf(path))) return { status: 409 };
    if (bytes.length > this.quotaBytes) return { status: 507 };
    this.files.set(path, bytes);
    return { status: 201 };
  }

  #move(path: string, headers: Readonly<Record<string, string>>): SimWebAnswer {
    const target = new URL(headers["destination"] ?? "").pathname;
    const bytes = this.files.get(path);
    if (bytes === undefined) return { status: 404 };
    if (this.files.has(target) && headers["overwrite"] === "F") return { status: 412 };
    this.files.delete(path);
    this.files.set(target, bytes);
    return { status: 201 };
  }

  #list(path: string, depth: string): SimWebAnswer {
    const isFolder = this.folders.has(path);
    if (!isFolder && !this.files.has(path)) return { status: 404 };
    const below = depth === "1" ? [...this.files.keys()].filter((each) => parentOf(each) === path) : [];
    const responses = [path, ...below].map((each) => {
      const bytes = this.files.get(each);
      const size = bytes === undefined ? "" : `<D:getcontentlength>${bytes.length}</D:getcontentlength>`;
      return `<D:response><D:href>${each}</D:href><D:propstat><D:prop>${size}</D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>`;
    });
    const body = `<?xml version="1.0" encoding="utf-8"?><D:multistatus xmlns:D="DAV:">${responses.join("")}</D:multistatus>`;
    return { status: 207, body };
  }
}

function parentOf(path: string): string {
  return path.replace(/[^/]+\/?$/, "");
}
