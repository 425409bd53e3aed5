/** Vendors' twins on the loopback address over real TLS, for a gateway and for a browser. */
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { nodeHttp } from "../../src/platform/node/http/node-http.ts";
import type { Http, HttpClient } from "../../src/platform/ports/ports.ts";
import type { SimWebAnswer } from "../../src/testing/network/sim-web.ts";
import type { CloudTwin } from "../twins/clouds/cloud-twin.ts";
import type { Surroundings } from "./page-house.ts";

const HOST = "127.0.0.1";
const folder = new URL("../platform/node/tls/", import.meta.url);
/** Nothing but these tests trusts it, whatever name it is shown for. */
const TLS = {
  key: readFileSync(new URL("test-only.key.pem", folder), "utf8"),
  cert: readFileSync(new URL("test-only.cert.pem", folder), "utf8"),
};

/** What a person sees at a vendor's address; null: it is for the twin. */
export type VendorPages = (url: URL) => SimWebAnswer | null;

export interface VendorFront extends Surroundings, AsyncDisposable {
  /** What answers instead of everything; null: twins and pages do. */
  instead: SimWebAnswer | null;
}

/** Pages come before twins; `hosts` are those of pages that no twin answers at. */
export async function openVendorFront(
  twins: readonly CloudTwin[],
  pages: VendorPages,
  hosts: readonly string[],
): Promise<VendorFront> {
  const names = [...hosts, ...twins.flatMap((twin) => twin.hosts)];
  const front = { instead: null as SimWebAnswer | null };
  const answer = (request: IncomingMessage, body: string): SimWebAnswer => {
    const host = (request.headers.host ?? "").replace(/:\d+$/, "");
    const path = request.url ?? "/";
    if (front.instead !== null) return front.instead;
    const page = pages(new URL(path, `https://${host}`));
    if (page !== null) return page;
    const twin = twins.find((one) => one.hosts.includes(host));
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const asked = { method: request.method ?? "GET", host, path, headers, body, atMs: performance.now() };
    return twin?.serve(asked) ?? { status: 421 };
  };
  const server = createServer(TLS, (request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => send(response, answer(request, Buffer.concat(parts).toString())));
  });
  await new Promise<void>((listening) => server.listen(0, HOST, listening));
  const { port } = server.address() as AddressInfo;
  return Object.assign(front, {
    http: httpTo(names, port),
    hosts: names,
    hostRules: names.map((name) => `MAP ${name} ${HOST}:${port}`).join(","),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  });
}

function send(response: ServerResponse, { status = 200, headers = {}, body = "", bytes, fault }: SimWebAnswer): void {
  if (fault === "hang") return;
  if (fault === "break") {
    response.destroy();
    return;
  }
  response.writeHead(status, headers).end(bytes ?? body);
}

/** The vendors' names lead to the front, and nothing else leads anywhere. */
function httpTo(names: readonly string[], port: number): Http {
  const resolve = async (name: string): Promise<readonly string[]> => {
    if (!names.includes(name)) throw new Error(`nobody here is called ${name}`);
    return [HOST];
  };
  const real = nodeHttp({ resolve });
  const sha256 = new X509Certificate(TLS.cert).fingerprint256;
  return {
    open(policy): HttpClient {
      const refuse = (address: string): string | null => (address === HOST ? null : policy.refuse(address));
      const client = real.open({ refuse, tls: { kind: "pinned", sha256, seen: () => undefined } });
      return {
        request(request, signal) {
          const url = new URL(request.url);
          url.port = String(port);
          return client.request({ ...request, url }, signal);
        },
        [Symbol.dispose]: () => client[Symbol.dispose](),
      };
    },
  };
}
