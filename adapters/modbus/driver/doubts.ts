import { answerAduBytes, answersSame, answersValues, type Request } from "../bus/frame.ts";

/** After so long no answer to a lost request comes any more. */
const DOUBT_MS = 60_000;
/** Lost requests of a unit that are remembered; all of them are of few shapes. */
const MAX_LOST = 8;
const REGISTERS = 65_536;

interface Lost {
  readonly request: Request;
  readonly atMs: number;
}

/**
 * Which answers may still be on their way. Frames of a serial line say neither which request they answer nor when it
 * was sent, so after a silence the answer to the lost request would pass for that to the next one of the same shape, and
 * all later ones would be shifted by one. A device answers in order: once a request of another shape was answered,
 * nothing older can come.
 */
export class Doubts {
  readonly #lost = new Map<number, Lost[]>();

  /** A request stays without the answer that it may have. */
  add(request: Request, nowMs: number): void {
    const lost = this.#lost.get(request.unit) ?? [];
    this.#lost.set(request.unit, [...lost, { request, atMs: nowMs }].slice(-MAX_LOST));
  }

  /** A unit answered a request that nothing lost could have been mistaken for. */
  clear(unit: number): void {
    this.#lost.delete(unit);
  }

  /** A read to send before the request, of a shape that nothing lost has; null when the request itself is safe. */
  probeFor(request: Request, nowMs: number): Request | null {
    const lost = (this.#lost.get(request.unit) ?? []).filter(({ atMs }) => nowMs - atMs < DOUBT_MS);
    if (lost.length === 0) this.#lost.delete(request.unit);
    if (!lost.some((each) => isAlike(each.request, request))) return null;
    const code = request.code <= 4 ? request.code : 3;
    const step = code <= 2 ? 8 : 1;
    const taken = [request, ...lost.map((each) => each.request)];
    let probe: Request = { unit: request.unit, code, address: request.address, count: 1, values: [] };
    while (taken.some((each) => isAlike(each, probe))) probe = { ...probe, count: probe.count + step };
    return { ...probe, address: Math.min(probe.address, REGISTERS - probe.count) };
  }
}

/** Whether an answer to one would pass for an answer to the other. */
function isAlike(one: Request, other: Request): boolean {
  if (one.code !== other.code) return false;
  if (answersValues(one)) return answerAduBytes(one) === answerAduBytes(other);
  const isSameValue = !answersSame(one) || one.values.every((value, index) => value === other.values[index]);
  return one.address === other.address && one.count === other.count && isSameValue;
}
