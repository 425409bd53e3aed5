/** Returns the code of a QR code or an invitation, `#code=K7QM-2FXA`; empty if there is none. What is behind `#` is sent to nobody. */
export function codeInAddress(): string {
  const [, code = ""] = /^#code=([\w-]{1,20})(?:&|$)/u.exec(location.hash) ?? [];
  return code;
}
