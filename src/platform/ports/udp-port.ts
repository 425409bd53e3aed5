/** Datagrams. */
import type { TcpAddress } from "./ports.ts";

export interface UdpSettings {
  /** The port to be reached at; default any free one. Only a port with groups is shared with other programs. */
  readonly port?: number;
  /** IPv4 multicast groups to listen to, on every interface that the machine has, now and later. */
  readonly groups?: readonly string[];
}

/** The events of a UDP socket. Nothing follows `closed`. */
export interface UdpEvents {
  /** Own multicasts come back, too. The bytes are the owner's. */
  datagram(bytes: Uint8Array, from: TcpAddress): void;
  /** Once: after our dispose (no error), or after a failure (with it). */
  closed(error: Error | null): void;
}

/** An open UDP socket for IPv4. Its owner disposes it. */
export interface UdpSocket extends Disposable {
  readonly address: TcpAddress;
  /**
   * Sends one datagram, to a multicast group through every interface, to a broadcast address as well. Nothing tells
   * whether it arrives: also one that the machine cannot send is only lost.
   */
  send(bytes: Uint8Array, to: TcpAddress): void;
}

export interface Udp {
  /** Opens a socket. Rejects with an error that says why the port cannot be had. */
  open(settings: UdpSettings, events: UdpEvents): Promise<UdpSocket>;
}
