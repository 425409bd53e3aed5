import type { RemoteInfo } from "node:dgram";
import { isIPv4 } from "node:net";
import type { CiaoService } from "@homebridge/ciao";
import { Browser, type Service } from "bonjour-service";
import type { MulticastDNS, ResponsePacket } from "multicast-dns";
import type { Log, Mdns, MdnsAnnouncement, MdnsEvents, MdnsService } from "../ports/ports.ts";

/** How often it is asked who is there, beside what is announced unasked. */
const ASK_EVERY_MS = 60_000;
/** More than one house has. */
const MAX_GATEWAYS = 20;
/** Services of one type that are kept; one machine could announce names without end. */
const MAX_SERVICES = 256;
const MAX_NAME = 255;

/** Real mDNS. Nothing is opened until something is browsed for or announced. */
export function nodeMdns(log: Pick<Log, "info" | "warn">): Mdns {
  return { browse: (type, events) => browse(type, events, log), announce: (service) => announce(service, log) };
}

function browse(type: string, events: MdnsEvents, log: Pick<Log, "warn">): Disposable {
  const [name = "", protocol] = type.replaceAll("_", "").split(".");
  let isOver = false;
  let close = (): void => undefined;
  const open = async (): Promise<void> => {
    const { default: multicastDns } = await import("multicast-dns");
    if (isOver) return;
    const mdns = multicastDns();
    const reported = new Map<string, MdnsService>();
    const lines = guard(mdns, () => reported.size < MAX_SERVICES, log);
    const browser = new Browser(lines, { type: name, protocol: protocol === "udp" ? "udp" : "tcp" });
    const up = (service: Service): void => {
      const known = readService(type, service);
      if (isOver || known === null || reported.size >= MAX_SERVICES) return;
      reported.set(service.fqdn, known);
      events.up(known);
    };
    browser.on("up", up);
    browser.on("srv-update", up);
    browser.on("txt-update", up);
    browser.on("down", ({ fqdn }: Service) => {
      const known = reported.get(fqdn);
      reported.delete(fqdn);
      if (!isOver && known !== undefined) events.down(known);
    });
    const asking = setInterval(() => {
      browser.expire();
      browser.update();
    }, ASK_EVERY_MS);
    mdns.on("error", (err: Error) => log.warn({ err, type }, "no mDNS here"));
    close = () => {
      clearInterval(asking);
      browser.stop();
      mdns.destroy();
    };
  };
  open().catch((err: unknown) => log.warn({ err, type }, "no mDNS here"));
  return {
    [Symbol.dispose]() {
      if (isOver) return;
      isOver = true;
      close();
    },
  };
}

type Response = (packet: ResponsePacket, from: RemoteInfo) => void;
/** As much of mDNS as a browser uses. */
interface Lines {
  on(event: string, take: Response): unknown;
  removeListener(event: string, take: Response): unknown;
  query: MulticastDNS["query"];
}

/** What the browser hears, without what would make it throw or grow: anybody in the network can send it anything. */
function guard(mdns: MulticastDNS, hasRoom: () => boolean, log: Pick<Log, "warn">): Lines {
  const guarded = new Map<Response, Response>();
  let hasWarned = false;
  return {
    on: (_event, take) => {
      const safe: Response = (packet, from) => {
        try {
          if (hasRoom()) take(packet, from);
        } catch (err) {
          if (!hasWarned) log.warn({ err }, "an mDNS answer cannot be understood");
          hasWarned = true;
        }
      };
      guarded.set(take, safe);
      return mdns.on("response", safe);
    },
    removeListener: (_event, take) => mdns.removeListener("response", guarded.get(take) ?? take),
    query: mdns.query.bind(mdns),
  };
}

/** Reads a service; `null` if it has no IPv4 address or an invalid port. */
function readService(type: string, service: Service): MdnsService | null {
  const { addresses = [], referer, host, port, fqdn } = service;
  const own = addresses.filter((address) => isIPv4(address));
  const known = own.length > 0 ? own : [referer?.address ?? ""].filter((address) => isIPv4(address));
  const end = fqdn.toLowerCase().lastIndexOf(`.${type}.`);
  if (known.length === 0 || !(port > 0 && port <= 65_535) || end <= 0) return null;
  return {
    type,
    name: fqdn.slice(0, end).slice(0, MAX_NAME),
    host: host.slice(0, MAX_NAME),
    addresses: known,
    port,
    txt: readText(Reflect.get(service, "rawTxt")),
  };
}

/** The library cuts values at a second "=". */
function readText(raw: unknown): Readonly<Record<string, string>> {
  const lines: readonly unknown[] = Array.isArray(raw) ? raw : [raw];
  const entries = lines.flatMap((line): [string, string][] => {
    const text = Buffer.isBuffer(line) ? line.toString("utf8") : "";
    const end = text.indexOf("=");
    const key = (end === -1 ? text : text.slice(0, end)).toLowerCase();
    return /^[\x20-\x7e]{1,63}$/.test(key) && key !== "__proto__" ? [[key, end === -1 ? "" : text.slice(end + 1)]] : [];
  });
  return Object.fromEntries(entries);
}

async function announce(
  { type, name, host, port, txt }: MdnsAnnouncement,
  log: Pick<Log, "info" | "warn">,
): Promise<AsyncDisposable> {
  const { getResponder } = await import("@homebridge/ciao");
  const responder = getResponder({ disableIpv6: true });
  const what = { type: type.slice(1, type.indexOf(".")), port, txt, disabledIpv6: true };
  const advertise = async (number: number): Promise<CiaoService> => {
    const own = number === 1 ? { name, hostname: host } : { name: `${name} ${number}`, hostname: `${host}-${number}` };
    const service = responder.createService({ ...own, ...what });
    service.on("name-change", () => log.warn(own, "another machine in the house has this name"));
    await service.advertise();
    if (service.getHostname() === `${own.hostname}.local.` || number === MAX_GATEWAYS) return service;
    // The library calls the next one `hemgate-(2)`, which nobody types.
    await service.destroy();
    return await advertise(number + 1);
  };
  let service: CiaoService;
  try {
    service = await advertise(1);
    log.info({ host: service.getHostname().replace(/\.$/, "") }, "the gateway has this name in the house");
  } catch (error) {
    await responder.shutdown();
    throw error;
  }
  return {
    async [Symbol.asyncDispose]() {
      await service.destroy();
      await responder.shutdown();
    },
  };
}
