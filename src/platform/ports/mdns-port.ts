/** Services that machines announce in the local network by multicast DNS (RFC 6762 and 6763). */

/** An announced service. */
export interface MdnsService {
  /** Such as `_http._tcp`. */
  readonly type: string;
  /** The name of this one, for people. */
  readonly name: string;
  /** Name of the machine, such as `shelly-1a2b.local`. */
  readonly host: string;
  /** IPv4 addresses of the machine, at least one. */
  readonly addresses: readonly string[];
  readonly port: number;
  /** What it tells about itself. Keys are in lower case. */
  readonly txt: Readonly<Record<string, string>>;
}

export interface MdnsEvents {
  /** A service is there, or its address or text changed. */
  up(service: MdnsService): void;
  /** It said goodbye, or was not renewed in its time. */
  down(service: MdnsService): void;
}

/** What is announced: of this machine, at all of its addresses. */
export interface MdnsAnnouncement {
  /** Such as `_http._tcp`. */
  readonly type: `_${string}._tcp`;
  /** If another machine has this or the next: `name 2`, and so on. */
  readonly name: string;
  /** Name below `.local` that is answered with the machine's addresses. The second: `host-2`. */
  readonly host: string;
  readonly port: number;
  readonly txt: Readonly<Record<string, string>>;
}

export interface Mdns {
  /** Listens until it is disposed, and asks now. A machine that cannot do mDNS hears nothing; that is logged. */
  browse(type: string, events: MdnsEvents): Disposable;
  /** Announces a service; disposing it says goodbye. Rejects when the machine cannot do mDNS. */
  announce(announcement: MdnsAnnouncement): Promise<AsyncDisposable>;
}
