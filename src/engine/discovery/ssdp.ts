/** SSDP, the discovery protocol of UPnP: text datagrams to a multicast group (UPnP Device Architecture 2.0, part 1). */
import type { Log, Udp, UdpSocket } from "../../platform/ports/ports.ts";
import type { SeenService } from "../../sdk/discovery.ts";

const GROUP = { host: "239.255.255.250", port: 1_900 } as const;
const MAX_DATAGRAM = 4_096;
const MAX_HEADERS = 40;
/** Characters in the value of a header. */
const MAX_VALUE = 500;
/** Devices answer after a random delay up to this (the header `MX`), s. */
const ANSWER_WITHIN_S = 2;
const SEARCH = Buffer.from(
  [
    "M-SEARCH * HTTP/1.1",
    `HOST: ${GROUP.host}:${GROUP.port}`,
    'MAN: "ssdp:discover"',
    `MX: ${ANSWER_WITHIN_S}`,
    "ST: upnp:rootdevice",
    "",
    "",
  ].join("\r\n"),
);

/** Receives SSDP announcements and answers until it is disposed. */
export class SsdpListener implements Disposable {
  readonly #listener: UdpSocket;
  readonly #sender: UdpSocket;

  private constructor(listener: UdpSocket, sender: UdpSocket) {
    this.#listener = listener;
    this.#sender = sender;
  }

  /** Opens the sockets. Returns `null` and logs a warning if that fails. */
  static async open(
    { udp, log }: { readonly udp: Udp; readonly log: Log },
    seen: (service: SeenService) => void,
  ): Promise<SsdpListener | null> {
    const datagram = (bytes: Uint8Array, { host }: { readonly host: string }): void => {
      const service = readSsdp(bytes, host);
      if (service !== null) seen(service);
    };
    const events = { datagram, closed: () => undefined };
    using resources = new DisposableStack();
    try {
      const listener = resources.use(await udp.open({ port: GROUP.port, groups: [GROUP.host] }, events));
      // Answers are sent to the source port of the search.
      const sender = resources.use(await udp.open({}, events));
      resources.move();
      return new SsdpListener(listener, sender);
    } catch (err) {
      log.warn({ err }, "cannot listen for SSDP; devices that only announce themselves by SSDP are not found");
      return null;
    }
  }

  /** Sends a search for all root devices. */
  sendSearch(): void {
    this.#sender.send(SEARCH, GROUP);
  }

  [Symbol.dispose](): void {
    this.#listener[Symbol.dispose]();
    this.#sender[Symbol.dispose]();
  }
}

/** Returns the announced service; `null` if the datagram is neither announcement nor answer, or is `ssdp:byebye`. */
export function readSsdp(bytes: Uint8Array, address: string): SeenService | null {
  if (bytes.length > MAX_DATAGRAM) return null;
  const [first = "", ...lines] = Buffer.from(bytes).toString("latin1").split("\r\n", MAX_HEADERS);
  if (!/^(NOTIFY \* HTTP\/1\.1|HTTP\/1\.1 200 OK)/.test(first)) return null;
  const txt: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(":");
    const [name, value] = [line.slice(0, Math.max(colon, 0)), line.slice(colon + 1).trim()];
    if (/^[A-Za-z0-9.-]{1,40}$/.test(name) && value.length <= MAX_VALUE) txt[name.toLowerCase()] = value;
  }
  const type = txt["nt"] ?? txt["st"];
  const name = txt["usn"];
  if (type === undefined || name === undefined || txt["nts"] === "ssdp:byebye") return null;
  return { source: "ssdp", type, name, address, port: portOf(txt["location"], address), txt };
}

/** Returns the port of the description's URL; 0 if the URL is not on the device. */
function portOf(location: string | undefined, address: string): number {
  if (location === undefined || !URL.canParse(location)) return 0;
  const { hostname, port, protocol } = new URL(location);
  if (hostname !== address) return 0;
  return port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
}
