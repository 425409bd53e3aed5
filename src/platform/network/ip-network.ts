/** Networks of IP addresses, as people write them: an address, or an address with the bits that all have in common. */
import ipaddr from "ipaddr.js";

export interface IpNetwork {
  /** Bits that all addresses have in common; 32 (IPv6: 128) for a single address. */
  readonly bits: number;
  readonly isSingle: boolean;
  /** Returns true if an IP address is part of it. An IPv4 address that is written as IPv6 counts as IPv4. */
  has(address: string): boolean;
}

/** Returns the network of a text such as `192.168.1.30`, `192.168.1.0/24` or `fd00::/8`; `null` if it is not one. */
export function parseNetwork(text: string): IpNetwork | null {
  const [address = "", mask, ...rest] = text.split("/");
  const base = parse(address);
  if (base === null || rest.length > 0) return null;
  const size = base.kind() === "ipv4" ? 32 : 128;
  if (mask !== undefined && !/^\d{1,3}$/.test(mask)) return null;
  const bits = mask === undefined ? size : Number(mask);
  if (bits > size) return null;
  return {
    bits,
    isSingle: bits === size,
    has(other) {
      const parsed = parse(other);
      if (parsed instanceof ipaddr.IPv4) return base instanceof ipaddr.IPv4 && parsed.match(base, bits);
      return parsed !== null && base instanceof ipaddr.IPv6 && parsed.match(base, bits);
    },
  };
}

/** Returns an address as it is usually written, an IPv4 address that is written as IPv6 as IPv4; as it is if it is not an address. */
export function plainAddress(address: string): string {
  return parse(address)?.toString() ?? address;
}

/** Returns the 4 bytes of an IPv4 address, or the 16 of an IPv6 address; `null` if the text is not an address. */
export function addressBytes(address: string): Uint8Array | null {
  const parsed = parse(address);
  return parsed === null ? null : Uint8Array.from(parsed.toByteArray());
}

function parse(address: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return ipaddr.IPv4.parse(address);
  if (!address.includes(":") || !ipaddr.IPv6.isValid(address)) return null;
  const parsed = ipaddr.IPv6.parse(address);
  return parsed.isIPv4MappedAddress() ? parsed.toIPv4Address() : parsed;
}
