/** What counts as one machine: an IPv4 address, or a /64 of IPv6, whose owner can change the rest at will. */
export function networkOf(address: string): string {
  const plain = address.toLowerCase().replace(/^::ffff:(?=\d+\.)/, "");
  if (!plain.includes(":")) return plain;
  const [head = "", tail] = plain.split("::");
  const left = head.split(":").filter((group) => group !== "");
  const right = tail === undefined ? [] : tail.split(":").filter((group) => group !== "");
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => "0");
  return [...left, ...(tail === undefined ? [] : zeros), ...right].slice(0, 4).map(withoutZeros).join(":");
}

function withoutZeros(group: string): string {
  return group.replace(/^0+(?=.)/, "");
}
