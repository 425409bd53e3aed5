import type { Formula, WriteField, WriteStep } from "hemgate/sdk";

type StepExtras = Pick<WriteField, "scale" | "wordOrder"> & Pick<WriteStep, "isStored" | "when" | "pauseMs">;

/** A request that writes one value. */
export function writeStep(
  address: number,
  code: WriteStep["code"],
  type: WriteField["type"],
  value: Formula,
  { scale, wordOrder, ...step }: StepExtras = {},
): WriteStep {
  const order = wordOrder === undefined ? {} : { wordOrder };
  return { address, code, fields: [{ type, value, ...(scale === undefined ? {} : { scale }), ...order }], ...step };
}
