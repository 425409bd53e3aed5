import { createSocket, type Socket } from "node:dgram";
import { lookup as lookUpName } from "node:dns";
import { isIP } from "node:net";
import { networkInterfaces } from "node:os";
import type { TcpAddress, Udp, UdpEvents, UdpSettings, UdpSocket } from "../ports/ports.ts";

/** How often it is looked whether the machine has a new interface to listen on. */
const LOOK_EVERY_MS = 30_000;
const ANY_ADDRESS = "0.0.0.0";
const MAX_UNSENT_BYTES = 1024 * 1024;

/** Real UDP. */
export const nodeUdp: Udp = {
  async open(settings, events) {
    const socket = createSocket({ type: "udp4", reuseAddr: (settings.groups ?? []).length > 0, lookup });
    await bind(socket, settings);
    return own(socket, settings, events);
  },
};

/** Answers for an address in the same turn, so that the interface chosen for a multicast is still the chosen one. */
const lookup: NonNullable<Parameters<typeof createSocket>[0] & object>["lookup"] = (name, options, answer) => {
  if (isIP(name) === 4) answer(null, name, 4);
  else lookUpName(name, { ...options, all: false, family: 4 }, answer);
};

async function bind(socket: Socket, { port = 0 }: UdpSettings): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.once("error", reject);
  socket.bind({ port, address: ANY_ADDRESS }, resolve);
  try {
    await promise;
  } catch (cause) {
    socket.close();
    const code = cause instanceof Error && "code" in cause ? cause.code : null;
    const why = code === "EADDRINUSE" ? "it is taken by another program" : String(code ?? cause);
    throw new Error(`cannot open UDP port ${port}: ${why}`, { cause });
  }
  socket.removeListener("error", reject);
  socket.setBroadcast(true);
}

/** Hooks a socket up to its owner: from here on `closed` follows exactly once, and nothing after it. */
function own(socket: Socket, { groups = [] }: UdpSettings, events: UdpEvents): UdpSocket {
  const joined = new Set<string>();
  const join = (): void => joinAll(socket, groups, joined);
  join();
  const look = groups.length === 0 ? undefined : setInterval(join, LOOK_EVERY_MS);
  let isOver = false;
  const end = (error: Error | null): void => {
    if (isOver) return;
    isOver = true;
    clearInterval(look);
    socket.close(() => events.closed(error));
  };
  socket.on("error", end);
  socket.on("message", (bytes, { address, port }) => {
    if (isOver) return;
    try {
      events.datagram(bytes, { host: address, port });
    } catch (error) {
      // A bug in the owner's decoder costs its socket, not the process.
      end(error instanceof Error ? error : new Error(String(error)));
    }
  });
  const { address: host, port } = socket.address();
  return {
    address: { host, port },
    send(bytes, to) {
      if (!isOver && socket.getSendQueueSize() < MAX_UNSENT_BYTES) send(socket, bytes, to);
    },
    [Symbol.dispose]: () => end(null),
  };
}

/** Joins every group on every interface that it is not joined on. One that refuses is tried again at the next look. */
function joinAll(socket: Socket, groups: readonly string[], joined: Set<string>): void {
  const memberships = groups.flatMap((group) => interfaceAddresses().map((address) => `${group} ${address}`));
  // An interface that went away took its memberships along.
  for (const membership of joined) if (!memberships.includes(membership)) joined.delete(membership);
  for (const membership of memberships) {
    if (joined.has(membership)) continue;
    const [group = "", address = ""] = membership.split(" ");
    if (attempt(() => socket.addMembership(group, address))) joined.add(membership);
  }
}

function send(socket: Socket, bytes: Uint8Array, { host, port }: TcpAddress): void {
  // A datagram that cannot be sent is lost as any other may be; its error is nobody's.
  const once = (): boolean => attempt(() => socket.send(bytes, port, host, () => undefined));
  if (!isMulticast(host)) {
    once();
    return;
  }
  for (const address of interfaceAddresses()) if (attempt(() => socket.setMulticastInterface(address))) once();
}

function isMulticast(host: string): boolean {
  const first = Number(isIP(host) === 4 ? host.split(".")[0] : 0);
  return first >= 224 && first <= 239;
}

function interfaceAddresses(): readonly string[] {
  const entries = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return entries.filter(({ family }) => family === "IPv4").map(({ address }) => address);
}

function attempt(act: () => void): boolean {
  try {
    act();
    return true;
  } catch {
    return false;
  }
}
