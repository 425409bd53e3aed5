/** A cloud service on loopback that keeps the contract, by HTTPS and by MQTT 5, with TLS that asks for certificates. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { createServer as createTlsServer, type TLSSocket, type TlsOptions } from "node:tls";
import { generate, type Packet, parser } from "mqtt-packet";
import { zstd } from "../../src/platform/node/zstd.ts";
import { fromFrame, parseToCloud, type ToGateway, toFrame } from "../../src/sync/protocol/index.ts";
import { Authority } from "../platform/authority.ts";
import { CloudTwin } from "../twins/cloud/cloud-twin.ts";

const V5 = { protocolVersion: 5 } as const;
const STREAM = { "content-type": "text/event-stream" };

export class RealCloud implements Disposable {
  readonly twin = new CloudTwin();
  readonly authority = new Authority("Cloud Authority");
  /** How each frame came, and the serial number of the certificate that was shown. */
  readonly heard: { readonly by: "https" | "mqtt"; readonly serial: string }[] = [];
  /** False: MQTT refuses everybody's sign-in. */
  isMqttOpen = true;
  /** False: HTTPS answers 503. */
  isHttpsOpen = true;
  readonly #tls: TlsOptions;
  readonly #https;
  readonly #mqtt;
  readonly #streams = new Set<ServerResponse>();
  readonly #sockets = new Set<TLSSocket>();

  constructor() {
    const { pem: cert, keyPem: key } = this.authority.issue("cloud", ["localhost"]);
    this.#tls = { cert, key, requestCert: true, rejectUnauthorized: true };
    this.#https = createHttpsServer(this.#tls, (...exchange) => void this.#answer(...exchange));
    this.#mqtt = createTlsServer(this.#tls, (socket) => this.#serve(socket));
  }

  /** Ports by HTTPS and by MQTT. `gateways` is PEM of who issues the gateways' certificates. */
  async listen(gateways: string): Promise<{ readonly https: number; readonly mqtt: number }> {
    const ports = [this.#https, this.#mqtt].map(async (server) => {
      server.setSecureContext({ ...this.#tls, ca: gateways });
      await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
      return (server.address() as AddressInfo).port;
    });
    const [https = 0, mqtt = 0] = await Promise.all(ports);
    return { https, mqtt };
  }

  /** Sends a message down all that is open. */
  async tell(message: ToGateway): Promise<void> {
    const frame = await toFrame(message, zstd);
    for (const stream of this.#streams) stream.write(eventOf(frame));
    for (const socket of this.#sockets) socket.write(publishOf(frame, message.kind));
  }

  /** Ends what is open. */
  cut(): void {
    this.#https.closeAllConnections();
    for (const socket of this.#sockets) socket.destroy();
  }

  [Symbol.dispose](): void {
    this.cut();
    this.#https.close();
    this.#mqtt.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!this.isHttpsOpen) return void response.writeHead(503).end();
    if (request.method === "GET") {
      response.writeHead(200, STREAM).write(": here\n\n");
      this.#streams.add(response);
      response.on("close", () => this.#streams.delete(response));
      return;
    }
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    if (request.socket.destroyed) return;
    const answer = await this.#hear("https", Buffer.concat(parts), request.socket);
    if (answer === null) response.writeHead(204).end();
    else response.writeHead(200, STREAM).end(eventOf(await toFrame(answer, zstd)));
  }

  async #hear(by: "https" | "mqtt", frame: Uint8Array, socket: unknown): Promise<ToGateway | null> {
    const { subject, serialNumber } = (socket as TLSSocket).getPeerCertificate();
    this.heard.push({ by, serial: serialNumber });
    const message = parseToCloud(await fromFrame(frame, zstd));
    return message === null ? null : this.twin.hear(String(subject.CN), message);
  }

  #serve(socket: TLSSocket): void {
    const reader = parser(V5);
    let work = Promise.resolve();
    reader.on("packet", (packet) => {
      work = work.then(() => this.#take(packet, socket));
    });
    socket.on("data", (bytes) => void reader.parse(bytes));
    socket.on("error", () => undefined);
    socket.on("close", () => this.#sockets.delete(socket));
  }

  async #take(packet: Packet, socket: TLSSocket): Promise<void> {
    // A connection that is closed has no certificate any more, and nobody to answer.
    if (socket.destroyed) return;
    const messageId = packet.messageId ?? 0;
    if (packet.cmd === "connect") {
      if (this.isMqttOpen) this.#sockets.add(socket);
      const reasonCode = this.isMqttOpen ? 0 : 0x87;
      socket.write(generate({ cmd: "connack", reasonCode, sessionPresent: false }, V5));
    }
    if (packet.cmd === "subscribe") socket.write(generate({ cmd: "suback", messageId, granted: [1] }, V5));
    if (packet.cmd !== "publish") return;
    socket.write(generate({ cmd: "puback", messageId, reasonCode: 0 }, V5));
    if (packet.topic.endsWith("/presence")) return;
    const answer = await this.#hear("mqtt", Buffer.from(packet.payload), socket);
    if (answer !== null) socket.write(publishOf(await toFrame(answer, zstd), answer.kind));
  }
}

function eventOf(frame: Uint8Array): string {
  return `event: frame\ndata: ${Buffer.from(frame).toString("base64")}\n\n`;
}

/** At QoS 0: whoever wants an answer asks again. */
function publishOf(frame: Uint8Array, kind: string): Buffer {
  const topic = `hemgate/gw-1/down/${kind}`;
  return generate({ cmd: "publish", qos: 0, dup: false, retain: false, topic, payload: Buffer.from(frame) }, V5);
}
