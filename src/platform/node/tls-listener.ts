import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { createSecureContext, TLSSocket } from "node:tls";
import { ConnectionGate, type GatedSocket } from "../network/connection-gate.ts";
import type { Clock, Log } from "../ports/ports.ts";
import type { ServerCertificate, TlsListen, TlsListener } from "../ports/tls-listener-port.ts";

/** Of a connection that is being set up, ms. */
const HANDSHAKE_WITHIN_MS = 10_000;
/** Connections that are being set up at once, and those of one address among them; the oldest gives way. */
const LIMITS = { connections: 128, connectionsPerAddress: 32 } as const;
/** Time in which connections end by themselves after a stop, ms. */
const END_WITHIN_MS = 250;

/** Listens for TLS on this machine's addresses. */
export function nodeTlsListen(parts: {
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly log: Pick<Log, "warn">;
}): TlsListen {
  return async (address, certificate, accept) => {
    let context = contextOf(certificate);
    const gate = new ConnectionGate({ ...parts, limits: LIMITS, name: "https" });
    const sockets = new Set<Socket>();
    const server = createServer((raw) => {
      sockets.add(raw);
      raw.once("close", () => sockets.delete(raw));
      // What is wrong with a connection ends it, and is its peer's to see.
      raw.on("error", () => undefined);
      const place = placeOf(raw);
      if (!gate.admit(place.socket)) return;
      const secure = new TLSSocket(raw, { isServer: true, secureContext: context, ALPNProtocols: ["http/1.1"] });
      const late = setTimeout(() => raw.destroy(), HANDSHAKE_WITHIN_MS);
      raw.once("close", () => clearTimeout(late));
      secure.on("error", () => undefined);
      secure.once("secure", () => {
        clearTimeout(late);
        place.leave();
        accept(secure);
      });
    });
    await listening(server, address);
    return listenerOf(server, sockets, (next) => {
      context = contextOf(next);
    });
  };
}

function contextOf({ certificate, privateKeyPem }: ServerCertificate) {
  return createSecureContext({ cert: certificate, key: privateKeyPem, minVersion: "TLSv1.2" });
}

/** A connection's place at the gate, which it leaves when it has been set up. */
function placeOf(raw: Socket): { readonly socket: GatedSocket; leave(): void } {
  const left: (() => void)[] = [];
  const leave = (): void => {
    for (const listener of left.splice(0)) listener();
  };
  raw.once("close", leave);
  const socket: GatedSocket = {
    remoteAddress: raw.remoteAddress,
    destroy: () => raw.destroy(),
    once: (_event, listener) => left.push(listener),
  };
  return { socket, leave };
}

async function listening(server: Server, { host, port }: { readonly host: string; readonly port: number }) {
  server.listen({ host, port });
  await once(server, "listening");
  server.on("error", () => undefined);
}

function listenerOf(server: Server, sockets: ReadonlySet<Socket>, use: TlsListener["use"]): TlsListener {
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("the server listens at no port");
  return {
    port: address.port,
    use,
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      const late = setTimeout(() => {
        for (const socket of sockets) socket.destroy();
      }, END_WITHIN_MS);
      await closed;
      clearTimeout(late);
    },
  };
}
