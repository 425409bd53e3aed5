// Solves one model with the installed package's solver: the least of −x for 0 ≤ x ≤ 3 is −3.
import { Worker } from "node:worker_threads";

const worker = new Worker("/usr/lib/hemgate/dist/src/platform/node/optimizer-worker.js", {
  workerData: { memoryBytes: 2 ** 28 },
});
worker.on("error", (error) => {
  throw error;
});
worker.on("message", ({ solution }) => {
  if (solution.objective !== -3) throw new Error(JSON.stringify(solution));
  process.exit(0);
});
worker.postMessage({
  id: 1,
  options: { gap: 0.01 },
  model: {
    cost: Float64Array.of(-1),
    columnLower: Float64Array.of(0),
    columnUpper: Float64Array.of(3),
    integrality: Uint8Array.of(0),
    rowLower: Float64Array.of(-Infinity),
    rowUpper: Float64Array.of(5),
    rowStarts: Int32Array.of(0, 1),
    columns: Int32Array.of(0),
    values: Float64Array.of(1),
  },
});
