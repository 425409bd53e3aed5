/** Words that devices report if they have no serial number. */
const WORDS = new Set(["NONE", "NULL", "UNKNOWN", "UNDEFINED", "DEFAULT", "NOTSET", "SERIAL", "SERIALNUMBER", "SN"]);
/** Ascending digits; fewer than eight of them may be a real number. */
const COUNTING = "01234567890123456789";
const LEAST_COUNTED = 8;

/**
 * Returns the serial number that a device reports, or `null` if it is a placeholder: empty, not printable, one repeated
 * character, a prefix followed by zeros, ascending digits, or a word such as "unknown". Several devices may report the same
 * placeholder, so it identifies none of them.
 */
export function serialNumber(reported: string | null): string | null {
  const text = (reported ?? "").trim();
  if (text === "" || !/^[\x20-\x7e]+$/.test(text)) return null;
  const core = text.toUpperCase().replaceAll(/[^A-Z0-9]/g, "");
  if (new Set(core).size < 2 || /^[A-Z]{0,4}0{3,}1?$/.test(core) || WORDS.has(core)) return null;
  const isCounting = core.length >= LEAST_COUNTED && [0, 1].includes(COUNTING.indexOf(core));
  return isCounting ? null : text;
}
