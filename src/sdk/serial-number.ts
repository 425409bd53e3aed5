/** Words that stand where no number was set. */
const WORDS = new Set(["NONE", "NULL", "UNKNOWN", "UNDEFINED", "DEFAULT", "NOTSET", "SERIAL", "SERIALNUMBER", "SN"]);
/** Counting digits; fewer than eight of them may be a number that was given. */
const COUNTING = "01234567890123456789";
const LEAST_COUNTED = 8;

/**
 * The serial number in what a device tells of itself; null where that is none: nothing, bytes that are no text, one
 * character again and again, a prefix with zeros behind it, digits that count up, a word such as "unknown". Two devices
 * may tell the same of these, so that neither is known by it.
 */
export function serialNumber(told: string | null): string | null {
  const text = (told ?? "").trim();
  if (text === "" || !/^[\x20-\x7e]+$/.test(text)) return null;
  const core = text.toUpperCase().replaceAll(/[^A-Z0-9]/g, "");
  if (new Set(core).size < 2 || /^[A-Z]{0,4}0{3,}1?$/.test(core) || WORDS.has(core)) return null;
  const isCounting = core.length >= LEAST_COUNTED && [0, 1].includes(COUNTING.indexOf(core));
  return isCounting ? null : text;
}
